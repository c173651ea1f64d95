package knobscape.app.ui.fusion;

import java.util.Optional;
import knobscape.app.ui.task.ScreenThread;
import knobscape.evaluate.CancellationSignal;
import knobscape.fusion.FusionMethods;
import knobscape.fusion.evaluate.FusionCostModel;
import knobscape.fusion.evaluate.FusionReport;
import knobscape.fusion.search.Constraint;
import knobscape.fusion.search.ExactSearch;
import knobscape.fusion.search.FusionMethod;
import knobscape.fusion.search.Mapping;
import knobscape.fusion.space.Strategy;
import knobscape.work.Choices;

/// The first strategy of a network beside no fusion: the proven best, or the best known where none can be proven.
///
/// @param model the costs it is best under
/// @param origin where it comes from, in a few words
/// @param words a sentence on how sure it is that none is better
/// @param proven whether that is proven
/// @param seconds time that it took
record FirstStrategy(
        FusionCostModel model, Strategy strategy, String origin, String words, boolean proven, double seconds) {
    private static final long SEED = 1;

    /// Computes it; empty where the methods that are there cannot, or nothing they find fits. Away from the screen.
    static Optional<FirstStrategy> of(FusionCostModel model, Choices<FusionMethod> methods) {
        ScreenThread.mustNotBe("computing the best strategy");
        long begun = System.nanoTime();
        Optional<String> obstacle = ExactSearch.obstacle(model);
        if (obstacle.isEmpty() && methods.names().contains("exact")) {
            ExactSearch.Answer best = ExactSearch.solve(model, () -> {});
            return !model.isValid(best.cost())
                    ? Optional.empty()
                    : Optional.of(new FirstStrategy(
                            model,
                            best.strategy(),
                            best.isProven() ? "Exact (proven)" : "Exact (not proven)",
                            best.isProven()
                                    ? "Proven: no strategy is faster under this cost model."
                                    : "The best known; the proof that none is faster would take too long.",
                            best.isProven(),
                            since(begun)));
        }
        if (obstacle.isEmpty() || !methods.names().contains(FusionMethods.AUTO)) {
            return Optional.empty();
        }
        Mapping best = Mapping.search(
                methods.named(FusionMethods.AUTO).searcher(),
                model,
                Constraint.LEXI,
                Mapping.EVALUATIONS,
                SEED,
                e -> {},
                new CancellationSignal());
        return best.isValid()
                ? Optional.of(new FirstStrategy(
                        model,
                        best.strategy(),
                        "Best known (automatic)",
                        "The best known; "
                                + obstacle.get()
                                        .replaceFirst(
                                                "^The best strategy of .*? cannot be proven", "it cannot be proven"),
                        false,
                        since(begun)))
                : Optional.empty();
    }

    /// True if another strategy is as fast.
    boolean isMatchedBy(FusionReport other) {
        return other.isValid()
                && other.cost().seconds() <= model.evaluate(strategy).seconds();
    }

    /// How sure it is that no strategy is better than another one, in a sentence; empty where nothing is known.
    Optional<String> certainty(Optional<FusionCostModel> now, FusionReport other) {
        // What an earlier run found may be as good.
        return now.filter(model::equals).isPresent() && isMatchedBy(other) ? Optional.of(words) : Optional.empty();
    }

    private static double since(long begun) {
        return (System.nanoTime() - begun) / 1e9;
    }
}
