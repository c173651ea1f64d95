package knobscape.fusion.search;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import knobscape.fusion.evaluate.Cost;

/// A genetic algorithm without knowledge of the problem: tournament selection, uniform crossover, each gene
/// redrawn with a small chance, one elite.
final class StandardGa implements Search {
    private static final int POPULATION = 40;
    private static final int TOURNAMENT = 3;
    /// Chance of each gene to be redrawn.
    private static final double RESET = 0.1;

    private final Problem problem;
    private final SplittableRandom random;
    /// The elite that stays, later joined by the children.
    private List<Individual> generation = new ArrayList<>();
    private List<int[]> children = List.of();

    StandardGa(Problem problem, SplittableRandom random) {
        this.problem = problem;
        this.random = random;
    }

    @Override
    public List<int[]> ask(int left) {
        boolean first = generation.isEmpty();
        children = new ArrayList<>(POPULATION);
        while (children.size() < (first ? POPULATION : POPULATION - 1)) {
            children.add(
                    first
                            ? RandomSearch.draw(
                                    problem.model().layers(), problem.model().batch(), random)
                            : child());
        }
        generation = new ArrayList<>(generation.stream().min(Comparator.comparingDouble(Individual::fitness)).stream()
                .toList());
        return children;
    }

    @Override
    public void tell(List<Cost> costs) {
        generation.addAll(Individual.of(problem, children, costs));
    }

    private int[] child() {
        int[] a = parent();
        int[] b = parent();
        int[] child = new int[a.length];
        for (int i = 0; i < child.length; i++) {
            child[i] = random.nextDouble() < RESET
                    ? RandomSearch.gene(i, problem.model().batch(), random)
                    : random.nextBoolean() ? a[i] : b[i];
        }
        return child;
    }

    private int[] parent() {
        Individual best = generation.get(random.nextInt(generation.size()));
        for (int k = 1; k < TOURNAMENT; k++) {
            Individual other = generation.get(random.nextInt(generation.size()));
            best = other.fitness() < best.fitness() ? other : best;
        }
        return best.s();
    }
}
