package knobscape.fusion.search;

import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import knobscape.explore.population.Evolution;

/// A genetic algorithm without knowledge of the problem: tournament selection, uniform crossover, each gene
/// redrawn with a small chance, one elite.
///
/// @param layers of the network
/// @param batch largest micro-batch
record StandardGa(int layers, int batch) implements Evolution.Operators<int[]> {
    private static final int POPULATION = 40;
    private static final int TOURNAMENT = 3;
    /// Chance of each gene to be redrawn.
    private static final double RESET = 0.1;

    static Search begin(Problem problem, SplittableRandom random) {
        var operators = new StandardGa(problem.model().layers(), problem.model().batch());
        return Search.of(problem, new Evolution<>(POPULATION, 1, Evolution.tournament(TOURNAMENT), operators, random));
    }

    @Override
    public int[] draw(SplittableRandom random) {
        return RandomSearch.draw(layers, batch, random);
    }

    @Override
    public Optional<int[]> child(Supplier<int[]> parent, SplittableRandom random) {
        int[] a = parent.get();
        int[] b = parent.get();
        int[] child = new int[a.length];
        for (int i = 0; i < child.length; i++) {
            child[i] = random.nextDouble() < RESET
                    ? RandomSearch.gene(i, batch, random)
                    : random.nextBoolean() ? a[i] : b[i];
        }
        return Optional.of(child);
    }
}
