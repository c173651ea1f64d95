package knobscape.fusion.search;

import knobscape.evaluate.CancellationSignal;
import knobscape.fusion.evaluate.Cost;
import knobscape.fusion.evaluate.CostModel;

/// What a search is to solve.
///
/// @param cancel asked by searches that think long between two strategies
public record Problem(CostModel model, Constraint constraint, CancellationSignal cancel) {

    /// The fitness of a cost, smaller is better.
    public double fitness(Cost cost) {
        return constraint.fitness(model, cost);
    }
}
