package knobscape.fusion.search;

import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.function.Consumer;
import knobscape.evaluate.CancellationSignal;
import knobscape.evaluate.Evaluation;
import knobscape.evaluate.Evaluator;
import knobscape.evaluate.EvaluatorInfo;
import knobscape.evaluate.Request;
import knobscape.evaluate.UserError;
import knobscape.explore.Exploration;
import knobscape.explore.RunEvent;
import knobscape.explore.Scheduler;
import knobscape.explore.Subject;
import knobscape.explore.Termination;
import knobscape.fusion.evaluate.Cost;
import knobscape.fusion.evaluate.FusionCostModel;
import knobscape.fusion.evaluate.FusionEvaluator;
import knobscape.fusion.space.Strategy;
import knobscape.fusion.space.StrategySpace;
import org.jspecify.annotations.Nullable;

/// The result of a search.
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
        long before = nanoseconds();
        var space = StrategySpace.of(model.network(), model.batch());
        var method = new FusionMethod("search", "Search", "", FusionMethod.Kind.SEARCH, searcher);
        var best = new Best(new FusionEvaluator(model, space), space, new Problem(model, constraint, cancel), listener);
        var subject = Subject.of(
                model.network().name(),
                space.space(),
                new FusionExplorer(method, model, space, constraint, seed, _ -> {}, evaluations),
                best,
                List.of(best.info().metric(FusionEvaluator.LATENCY)),
                Termination.of(0));
        var run = new Exploration(
                List.of(subject),
                Scheduler.roundRobin(),
                Exploration.Settings.steps(seed, evaluations),
                System::nanoTime,
                Runnable::run);
        cancel.onCancel(run::stop);
        RunEvent.Finished end = run.run(List.of());
        switch (end.ending()) {
            case COMPLETED -> {}
            case STOPPED -> throw new CancellationException(end.reason());
            default -> throw new UserError(end.reason());
        }
        return best.found((nanoseconds() - before) * 1e-9);
    }

    /// Runs a search that nobody watches or stops.
    public static Mapping search(
            Searcher searcher, FusionCostModel model, Constraint constraint, int evaluations, long seed) {
        return search(searcher, model, constraint, evaluations, seed, e -> {}, new CancellationSignal());
    }

    /// The cost model, which remembers the best that it was asked for.
    private static final class Best implements Evaluator {
        private final FusionEvaluator evaluator;
        private final StrategySpace space;
        private final Problem problem;
        private final Consumer<CostedStrategy> listener;
        private @Nullable CostedStrategy best;
        private int used;

        Best(FusionEvaluator evaluator, StrategySpace space, Problem problem, Consumer<CostedStrategy> listener) {
            this.evaluator = evaluator;
            this.space = space;
            this.problem = problem;
            this.listener = listener;
        }

        @Override
        public EvaluatorInfo info() {
            return evaluator.info();
        }

        @Override
        public void evaluate(Request request, Consumer<Evaluation> stageDone, CancellationSignal cancel) {
            Strategy strategy = space.strategy(request.configuration());
            var costed = new CostedStrategy(strategy, problem.model().evaluate(strategy));
            used++;
            if (best == null || isBetter(problem, costed.cost(), best.cost())) {
                best = costed;
            }
            listener.accept(costed);
            evaluator.evaluate(request, stageDone, cancel);
        }

        Mapping found(double seconds) {
            CostedStrategy b = Optional.ofNullable(best)
                    .orElseThrow(() -> new IllegalStateException("a search must ask for at least one strategy"));
            return new Mapping(
                    b.strategy(),
                    b.cost(),
                    problem.model().isValid(b.cost()),
                    problem.model().speedup(b.cost().seconds()),
                    used,
                    seconds);
        }
    }

    /// Strategies that fit go before those that do not, however the searcher sees them.
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
