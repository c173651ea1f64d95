package knobscape.fusion.search;

import java.lang.management.ManagementFactory;
import java.util.function.Consumer;
import knobscape.evaluate.CancellationSignal;
import knobscape.explore.StepRandom;
import knobscape.fusion.evaluate.Cost;
import knobscape.fusion.evaluate.CostModel;
import knobscape.fusion.evaluate.Strategy;

/// What a search found.
///
/// @param strategy the best strategy: the fastest that fits, else the one of the best fitness
/// @param cost its cost
/// @param isValid whether it fits the buffer
/// @param speedup baseline time over its time, whether it fits or not
/// @param evaluations strategies judged
/// @param seconds processor time of the search
public record Mapping(Strategy strategy, Cost cost, boolean isValid, double speedup, int evaluations, double seconds) {
    /// Evaluations of the paper's searches.
    public static final int EVALUATIONS = 2000;

    /// Runs a search on the caller's thread.
    ///
    /// @param searcher who searches
    /// @param model what is searched
    /// @param constraint how strategies that do not fit are seen
    /// @param evaluations most evaluations
    /// @param seed of everything random
    /// @param listener told every evaluation
    /// @param cancel stops it by a `CancellationException`
    public static Mapping search(Searcher searcher, CostModel model, Constraint constraint, int evaluations, long seed, Consumer<Judged> listener, CancellationSignal cancel) {
        var trials = new Trials(model, constraint, evaluations, listener, cancel);
        long before = nanoseconds();
        spend(searcher, trials, seed);
        double seconds = (nanoseconds() - before) * 1e-9;
        Judged best = trials.best().orElseThrow(() -> new IllegalStateException("a searcher must judge at least one strategy"));
        return new Mapping(best.strategy(), best.cost(), model.isValid(best.cost()), model.speedup(best.cost().seconds()), trials.used(), seconds);
    }

    /// Runs a search that nobody watches or stops.
    public static Mapping search(Searcher searcher, CostModel model, Constraint constraint, int evaluations, long seed) {
        return search(searcher, model, constraint, evaluations, seed, judged -> { }, new CancellationSignal());
    }

    /// Processor time of this thread, so that other work on the machine does not count; a virtual thread has none of its own and gets the clock.
    private static long nanoseconds() {
        long processor = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
        return processor < 0 ? System.nanoTime() : processor;
    }

    static void spend(Searcher searcher, Trials trials, long seed) {
        try {
            searcher.search(trials, StepRandom.of(seed, 0));
        } catch (Trials.Spent e) {
            // The ordinary end of a search.
            return;
        }
    }
}
