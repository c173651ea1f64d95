package knobscape.fusion.search;

import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import knobscape.evaluate.CancellationSignal;
import knobscape.explore.StepRandom;
import knobscape.fusion.evaluate.Cost;
import knobscape.fusion.evaluate.FusionCostModel;
import knobscape.fusion.space.Strategy;

/// What a search found.
///
/// @param strategy the best strategy: the fastest that fits, else the one of the best fitness
/// @param speedup baseline time over its time, whether it fits or not
/// @param seconds processor time of the search
public record Mapping(Strategy strategy, Cost cost, boolean isValid, double speedup, int evaluations, double seconds) {
    /// Evaluations of the paper's searches.
    public static final int EVALUATIONS = 2000;

    /// Runs a search on the caller's thread.
    ///
    /// @param evaluations most evaluations, at least 1
    public static Mapping search(
            Searcher searcher,
            FusionCostModel model,
            Constraint constraint,
            int evaluations,
            long seed,
            Consumer<CostedStrategy> listener,
            CancellationSignal cancel) {
        if (evaluations < 1) {
            throw new IllegalArgumentException("evaluations must be at least 1, was " + evaluations);
        }
        var problem = new Problem(model, constraint, cancel);
        return of(searcher.begin(problem, StepRandom.of(seed, 0)), problem, evaluations, listener);
    }

    /// What a search that has just begun finds.
    static Mapping of(Search search, Problem problem, int evaluations) {
        return of(search, problem, evaluations, e -> {});
    }

    /// A strategy that needs no search.
    static Mapping of(Strategy strategy, FusionCostModel model) {
        Cost cost = model.evaluate(strategy);
        return new Mapping(strategy, cost, model.isValid(cost), model.speedup(cost.seconds()), 1, 0);
    }

    private static Mapping of(Search search, Problem problem, int evaluations, Consumer<CostedStrategy> listener) {
        long before = nanoseconds();
        FusionCostModel model = problem.model();
        CancellationSignal cancel = problem.cancel();
        Optional<CostedStrategy> best = Optional.empty();
        int used = 0;
        List<int[]> asked = search.ask(evaluations);
        while (!asked.isEmpty()) {
            var costs = new ArrayList<Cost>(asked.size());
            for (int[] s : asked.subList(0, Math.min(asked.size(), evaluations - used))) {
                cancel.throwIfCancelled();
                var evaluated = new CostedStrategy(Strategy.of(s), model.evaluate(s));
                used++;
                best = best.filter(b -> !isBetter(problem, evaluated.cost(), b.cost()))
                        .or(() -> Optional.of(evaluated));
                costs.add(evaluated.cost());
                listener.accept(evaluated);
            }
            if (used == evaluations) {
                break;
            }
            search.tell(costs);
            asked = search.ask(evaluations - used);
        }
        double seconds = (nanoseconds() - before) * 1e-9;
        CostedStrategy b =
                best.orElseThrow(() -> new IllegalStateException("a search must ask for at least one strategy"));
        return new Mapping(
                b.strategy(),
                b.cost(),
                model.isValid(b.cost()),
                model.speedup(b.cost().seconds()),
                used,
                seconds);
    }

    /// Runs a search that nobody watches or stops.
    public static Mapping search(
            Searcher searcher, FusionCostModel model, Constraint constraint, int evaluations, long seed) {
        return search(searcher, model, constraint, evaluations, seed, e -> {}, new CancellationSignal());
    }

    /// What fits goes before what does not, however the searcher sees it.
    private static boolean isBetter(Problem problem, Cost cost, Cost best) {
        boolean fits = problem.model().isValid(cost);
        return fits == problem.model().isValid(best) ? problem.fitness(cost) < problem.fitness(best) : fits;
    }

    /// Processor time of this thread, so that other work on the machine does not count; a virtual thread has
    /// none of its own and gets the clock.
    private static long nanoseconds() {
        long processor = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
        return processor < 0 ? System.nanoTime() : processor;
    }
}
