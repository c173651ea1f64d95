package knobscape.fusion.search;

import java.util.ArrayList;
import java.util.List;
import knobscape.fusion.evaluate.Cost;

/// A strategy of a generation.
///
/// @param fitness of its cost, smaller is better
record Individual(int[] s, double fitness) {

    /// Strategies with the fitness of their costs.
    static List<Individual> of(Problem problem, List<int[]> strategies, List<Cost> costs) {
        var all = new ArrayList<Individual>(strategies.size());
        for (int i = 0; i < costs.size(); i++) {
            all.add(new Individual(strategies.get(i), problem.fitness(costs.get(i))));
        }
        return all;
    }
}
