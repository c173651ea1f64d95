package knobscape.gpu.search;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.DoubleSupplier;
import java.util.stream.IntStream;
import knobscape.evaluate.Evaluation;
import knobscape.explore.History;
import knobscape.explore.SearchStanding;

/// The turns of a run in which kernels learn from one another: the first kernel of every group has its whole share of
/// the measurements, then the others of the group, which begin with its trace (deep Gaussian transfer learning, ICCV
/// 2021, section 4.2). All shares are equal. A kernel of which another has begun to learn is not asked again, so that a
/// resumed run learns from the same.
public final class LeadersFirst implements TurnScheduler {
    private final int[] leaders;
    private final Finish finish;
    private final int budget;
    private final int earlyStop;
    private final DoubleSupplier timeUsed;
    private final int[] order;
    private int most = Integer.MAX_VALUE;
    private List<SearchStanding> standings = List.of();
    private String ended = "";

    /// @param leaders of each kernel the first of its group, itself where it is that
    /// @param finish what follows once the measurements are spent
    /// @param budget measurements in all
    /// @param earlyStop a kernel is done after so many measurements without a new best, 0 never
    /// @param timeUsed share of the time that is over; 0 where it is not limited
    public LeadersFirst(int[] leaders, Finish finish, int budget, int earlyStop, DoubleSupplier timeUsed) {
        this.leaders = leaders.clone();
        this.finish = finish;
        this.budget = budget;
        this.earlyStop = earlyStop;
        this.timeUsed = timeUsed;
        this.order = IntStream.concat(
                        IntStream.range(0, leaders.length).filter(k -> leaders[k] == k),
                        IntStream.range(0, leaders.length).filter(k -> leaders[k] != k))
                .toArray();
    }

    /// Measurements that a kernel gets.
    public int trials(int kernel) {
        int position = IntStream.range(0, order.length)
                .filter(p -> order[p] == kernel)
                .findFirst()
                .orElseThrow();
        return budget / order.length + (position < budget % order.length ? 1 : 0);
    }

    /// The measurements of a kernel; empty before the first turn.
    public Optional<History> trace(int kernel) {
        return standings.isEmpty()
                ? Optional.empty()
                : Optional.of(standings.get(kernel).history());
    }

    @Override
    public int most() {
        return most;
    }

    @Override
    public int firstRound() {
        return most;
    }

    @Override
    public OptionalInt next(List<SearchStanding> subjects, List<Integer> turns) {
        standings = subjects;
        double used = timeUsed.getAsDouble();
        for (int p = 0; p < order.length; p++) {
            int k = order[p];
            SearchStanding s = subjects.get(k);
            boolean mayBegin = leaders[k] == k || isComplete(leaders[k], used);
            if (mayBegin && s.canBeAsked() && !isDone(k, used)) {
                most = trials(k) - asked(s);
                return OptionalInt.of(k);
            }
        }
        ended = used >= finish.from()
                ? Finish.TIME
                : subjects.stream()
                                        .limit(leaders.length)
                                        .mapToInt(LeadersFirst::asked)
                                        .sum()
                                >= budget
                        ? "all " + budget + " trials are done"
                        : "every search has ended";
        most = Integer.MAX_VALUE;
        return finish.next(subjects, leaders.length, used >= 1);
    }

    private boolean isComplete(int kernel, double used) {
        SearchStanding s = standings.get(kernel);
        return s.history().pending().isEmpty() && (isDone(kernel, used) || !s.canBeAsked());
    }

    private boolean isDone(int kernel, double used) {
        SearchStanding s = standings.get(kernel);
        int position = IntStream.range(0, order.length)
                .filter(p -> order[p] == kernel)
                .findFirst()
                .orElseThrow();
        return asked(s) >= trials(kernel)
                || used >= finish.from() * (position + 1) / order.length
                || (earlyStop > 0 && sinceGain(s) >= earlyStop)
                || IntStream.range(0, leaders.length)
                        .anyMatch(f -> f != kernel
                                && leaders[f] == kernel
                                && standings.get(f).turns() > 0);
    }

    private static int asked(SearchStanding s) {
        return s.history().evaluations().size()
                - s.known()
                + s.history().pending().size();
    }

    private static int sinceGain(SearchStanding s) {
        var metric = s.subject().objectives().getFirst();
        double best = 0;
        int since = 0;
        for (Evaluation e : s.history().evaluations()) {
            double score = TuningProblem.scored(metric, e);
            since = score > best ? 0 : since + 1;
            best = Math.max(best, score);
        }
        return since;
    }

    @Override
    public String ended() {
        return ended;
    }
}
