package knobscape.gpu.search;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.DoubleSupplier;
import java.util.stream.IntStream;
import knobscape.evaluate.Evaluation;
import knobscape.evaluate.Metric;
import knobscape.explore.SearchStanding;

/// Which kernel of a network to search next: each once, then the one from which the network is expected to gain
/// most per round (Ansor, OSDI 2020, section 6): the more negative `weight * (0.2 backward + 0.8 forward)`,
/// where `backward` is the slope of the best time over the last rounds and `forward` the better of two guesses,
/// that the time falls as 1/rounds and that it comes near to the best rate of a similar kernel. The second, which
/// stands as published however long it is not fulfilled, counts the less the more rounds brought nothing: one kernel
/// that is slower than its like could take all that is left. A kernel of which nothing has run yet has its even share
/// of the rounds first, and no more: it must not eat up what the others could use.
///
/// A round is up to 64 measurements of one kernel, fewer where the budget is small, so that every kernel is
/// searched before any takes a second turn. It holds the budget, and once that is spent it turns to the
/// kernels' best and other tails ([Finish]), which are not counted.
public final class TaskScheduler implements TurnScheduler {
    private static final double BACKWARD = 0.2;
    private static final int WINDOW = 3;
    private static final double SIMILAR = 2;
    private static final double GOLDEN = (1 + Math.sqrt(5)) / 2;
    /// Most measurements of a round.
    private static final int LONGEST_ROUND = 64;
    /// The first round of each kernel takes at most this part of the measurements.
    private static final int FIRST_PART = 2;
    /// Measurements of a first round where time is what is short: how many there will be is not known then.
    private static final int SHORT_ROUND = 8;

    /// A kernel.
    ///
    /// @param weight how often the network runs it
    /// @param flops of one run, 0 where they are not counted
    /// @param tag kernels of one tag and about as many operations are similar
    public record Task(double weight, double flops, String tag) {
        boolean resembles(Task other) {
            return tag.equals(other.tag)
                    && flops > 0
                    && other.flops > 0
                    && Math.floor(Math.log(flops) / Math.log(GOLDEN))
                            == Math.floor(Math.log(other.flops) / Math.log(GOLDEN));
        }
    }

    private final List<Task> tasks;
    private final Finish finish;
    private final int budget;
    private final int earlyStop;
    private final int round;
    private final int firstRound;
    private final DoubleSupplier timeUsed;
    private int most = Integer.MAX_VALUE;
    private String ended = "";

    /// @param tasks the kernels: the first subjects of the run
    /// @param finish what follows once the measurements are spent
    /// @param budget measurements in all
    /// @param earlyStop a kernel is done after so many measurements without a new best, 0 never
    /// @param isTimed whether the time is limited
    /// @param timeUsed share of the time that is over; 0 where it is not limited
    public TaskScheduler(
            List<Task> tasks, Finish finish, int budget, int earlyStop, boolean isTimed, DoubleSupplier timeUsed) {
        this.tasks = List.copyOf(tasks);
        this.finish = finish;
        this.budget = budget;
        this.earlyStop = earlyStop;
        this.timeUsed = timeUsed;
        this.round = Math.clamp(budget / (FIRST_PART * (long) tasks.size()), 1, LONGEST_ROUND);
        this.firstRound = isTimed ? Math.min(SHORT_ROUND, round) : round;
    }

    @Override
    public int most() {
        return most;
    }

    @Override
    public int firstRound() {
        return firstRound;
    }

    @Override
    public OptionalInt next(List<SearchStanding> subjects, List<Integer> turns) {
        List<Kernel> kernels = IntStream.range(0, tasks.size())
                .mapToObj(i -> new Kernel(tasks.get(i), subjects.get(i)))
                .toList();
        int asked = kernels.stream().mapToInt(k -> k.asked).sum();
        if (asked >= budget) {
            ended = "all " + budget + " trials are done";
        } else if (timeUsed.getAsDouble() > finish.from()) {
            ended = Finish.TIME;
        } else {
            OptionalInt next = next(kernels);
            if (next.isPresent()) {
                Kernel k = kernels.get(next.getAsInt());
                most = Math.min(k.untilRoundEnds(), budget - asked);
                return next;
            }
            ended = "every search has ended";
        }
        most = Integer.MAX_VALUE;
        return finish.next(subjects, tasks.size(), timeUsed.getAsDouble() > 1);
    }

    private OptionalInt next(List<Kernel> kernels) {
        List<Integer> askable = IntStream.range(0, kernels.size())
                .filter(i -> kernels.get(i).standing.canBeAsked())
                .boxed()
                .toList();
        // A round that was cut off is brought to its end first.
        Optional<Integer> begun =
                askable.stream().filter(i -> kernels.get(i).isWithinRound()).findFirst();
        if (begun.isPresent()) {
            return OptionalInt.of(begun.get());
        }
        kernels.forEach(Kernel::countRounds);
        List<Integer> open =
                askable.stream().filter(i -> !kernels.get(i).isIdle()).toList();
        double share = kernels.stream().mapToInt(k -> k.rounds.size()).average().orElse(0);
        Comparator<Integer> byRounds =
                Comparator.comparingInt(i -> kernels.get(i).rounds.size());
        Optional<Integer> due = open.stream()
                .filter(i ->
                        kernels.get(i).isFruitless() && kernels.get(i).rounds.size() <= share)
                .min(byRounds);
        Optional<Integer> steepest = open.stream()
                .filter(i -> !kernels.get(i).isFruitless())
                .min(Comparator.comparingDouble(i -> kernels.get(i).gain(kernels)));
        return due.or(() -> steepest)
                .or(() -> open.stream().min(byRounds))
                .map(OptionalInt::of)
                .orElse(OptionalInt.empty());
    }

    @Override
    public String ended() {
        return ended;
    }

    /// How a kernel stands.
    private final class Kernel {
        private final Task task;
        private final SearchStanding standing;
        private final int asked;
        /// Best time after every round, positive infinity while nothing ran.
        private final List<Double> rounds = new ArrayList<>();
        private int sinceGain;

        Kernel(Task task, SearchStanding standing) {
            this.task = task;
            this.standing = standing;
            this.asked = standing.history().evaluations().size()
                    - standing.known()
                    + standing.history().pending().size();
        }

        int untilRoundEnds() {
            return asked < firstRound ? firstRound - asked : round - (asked - firstRound) % round;
        }

        boolean isWithinRound() {
            return asked > 0 && asked != firstRound && untilRoundEnds() != round;
        }

        void countRounds() {
            Metric metric = standing.subject().objectives().getFirst();
            double best = 0;
            int number = -standing.known();
            for (Evaluation e : standing.history().evaluations()) {
                double score = TuningProblem.scored(metric, e);
                number++;
                // The first measurement counts as a gain where anything is known.
                sinceGain = score > best || (number == 1 && Math.max(score, best) > 0)
                        ? 0
                        : sinceGain + (number > 0 ? 1 : 0);
                best = Math.max(best, score);
                if (number == firstRound || (number > firstRound && (number - firstRound) % round == 0)) {
                    rounds.add(best > 0 ? 1 / best : Double.POSITIVE_INFINITY);
                }
            }
            if (isExhausted() && (rounds.isEmpty() || isWithinRound())) {
                rounds.add(best > 0 ? 1 / best : Double.POSITIVE_INFINITY);
            }
        }

        /// True if its search has ended, which is not the same as waiting for an answer.
        boolean isExhausted() {
            return !standing.canBeAsked() && standing.history().pending().isEmpty();
        }

        boolean isIdle() {
            return earlyStop > 0 && asked > 0 && sinceGain >= earlyStop;
        }

        boolean isFruitless() {
            return rounds.isEmpty() || Double.isInfinite(rounds.getLast());
        }

        private int roundsWithoutGain() {
            int n = rounds.size();
            return (int) IntStream.range(0, n - 1)
                    .filter(i -> rounds.get(i).equals(rounds.getLast()))
                    .count();
        }

        /// Expected change of the network's time by one more round.
        double gain(List<Kernel> all) {
            double now = rounds.getLast();
            int n = rounds.size();
            double earlier = rounds.get(Math.max(0, n - 1 - WINDOW));
            double backward = n > 1 && Double.isFinite(earlier) ? (now - earlier) / Math.min(WINDOW, n - 1) : 0;
            double hoped = now * (1 - 1.0 / n);
            double rate = all.stream()
                    .filter(k -> task.resembles(k.task) && !k.isFruitless())
                    .mapToDouble(k -> k.task.flops / k.rounds.getLast())
                    .max()
                    .orElse(0);
            // The guess from similar kernels bounds the hope from above, as long as it is below what is
            // reached.
            double likened = rate > 0 ? (SIMILAR * task.flops / rate - now) / (1 + roundsWithoutGain()) : 0;
            double forward = Math.min(hoped - now, likened);
            return task.weight * (BACKWARD * backward + (1 - BACKWARD) * Math.min(0, forward));
        }
    }
}
