package knobscape.gpu.search;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;
import knobscape.explore.DelegatingExplorer;
import knobscape.explore.Explorer;
import knobscape.explore.History;
import knobscape.explore.Proposal;
import knobscape.explore.StepRandom;
import knobscape.space.Configuration;

/// An explorer that asks for no more than its turn allows, and whose initial designs begin with those that can
/// run at all, as far as that is known without measuring; otherwise as it is. It matters where a small budget
/// measures only the first few of them. Where none can run, one that can is drawn and put before them.
public final class ValidFirst implements DelegatingExplorer {
    private static final int DRAWS = 2000;
    /// No step has this number, so these draws are nobody else's.
    private static final long STREAM = -2;
    private final Explorer inner;
    private final TuningProblem problem;
    private final Predicate<Configuration> canRun;
    private final TurnScheduler turns;
    private final int known;
    private final Optional<KernelRounds> rounds;

    /// @param inner what explores
    /// @param problem what it was made for
    /// @param canRun a check that costs little next to a measurement
    /// @param turns says how much a turn allows
    /// @param known evaluations that stand for as many initial designs
    /// @param rounds what is asked once the search is over; empty where answers do not vary
    public ValidFirst(
            Explorer inner,
            TuningProblem problem,
            Predicate<Configuration> canRun,
            TurnScheduler turns,
            int known,
            Optional<KernelRounds> rounds) {
        this.inner = inner;
        this.problem = problem;
        this.canRun = canRun;
        this.turns = turns;
        this.known = known;
        this.rounds = rounds;
    }

    @Override
    public Explorer search() {
        return inner;
    }

    @Override
    public List<Proposal> initial() {
        var able = new ArrayList<Proposal>();
        var others = new ArrayList<Proposal>();
        inner.initial().forEach(p -> (canRun.test(p.configuration()) ? able : others).add(p));
        if (able.isEmpty() && !others.isEmpty()) {
            RandomGenerator random = StepRandom.of(problem.seed(), STREAM);
            for (int i = 0; i < DRAWS && able.isEmpty(); i++) {
                Configuration c = problem.space().draw(random);
                if (canRun.test(c)) {
                    able.add(problem.proposal(c, Double.NaN, "the first draw that can run"));
                }
            }
        }
        able.addAll(others);
        return able.stream()
                .limit((long) known + Math.min(turns.firstRound(), turns.most()))
                .toList();
    }

    @Override
    public List<Proposal> ask(History history, int count) {
        if (isOver()) {
            return rounds.orElseThrow().ask(history);
        }
        List<Proposal> asked = inner.ask(history, Math.min(count, turns.most()));
        // A search that has seen its whole space is not asked any more, so its rounds follow at once.
        return asked.isEmpty()
                        && history.pending().isEmpty()
                        && rounds.filter(r -> r.open(history)).isPresent()
                ? rounds.get().ask(history)
                : asked;
    }

    private boolean isOver() {
        return rounds.filter(KernelRounds::isOpen).isPresent();
    }

    @Override
    public Map<String, double[]> diagnostics() {
        return isOver() ? Map.of() : inner.diagnostics();
    }
}
