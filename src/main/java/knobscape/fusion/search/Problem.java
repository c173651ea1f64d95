package knobscape.fusion.search;

import java.util.function.Consumer;
import knobscape.evaluate.CancellationSignal;
import knobscape.fusion.evaluate.Cost;
import knobscape.fusion.evaluate.FusionCostModel;

/// The problem that a search is to solve.
///
/// @param cancel asked by searches that think long between two strategies
/// @param proofs told what an exact search proves
public record Problem(
        FusionCostModel model, Constraint constraint, CancellationSignal cancel, Consumer<ExactSearch.Answer> proofs) {
    /// A problem of which nobody wants proofs.
    public Problem(FusionCostModel model, Constraint constraint, CancellationSignal cancel) {
        this(model, constraint, cancel, proof -> {});
    }

    /// The fitness of a cost, smaller is better.
    public double fitness(Cost cost) {
        return constraint.fitness(model, cost);
    }
}
