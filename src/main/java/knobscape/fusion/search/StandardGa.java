package knobscape.fusion.search;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;

/// A genetic algorithm without knowledge of the problem: tournament selection, uniform crossover, each gene redrawn with a small chance, one elite.
///
/// @param population individuals of a generation
/// @param tournament individuals of which the best becomes a parent
/// @param reset chance of each gene to be redrawn
public record StandardGa(int population, int tournament, double reset) implements Searcher {
    /// 40 individuals, tournaments of 3, resets of 0.1.
    public static StandardGa defaults() {
        return new StandardGa(40, 3, 0.1);
    }

    private record Individual(int[] s, double fitness) { }

    @Override
    public void search(Trials trials, SplittableRandom random) {
        int n = trials.model().layers();
        int batch = trials.model().batch();
        List<Individual> generation = new ArrayList<>();
        while (generation.size() < population) {
            int[] s = RandomSearch.draw(n, batch, random);
            generation.add(new Individual(s, trials.fitness(s)));
        }
        while (true) {
            var next = new ArrayList<Individual>();
            next.add(generation.stream().min(Comparator.comparingDouble(Individual::fitness)).orElseThrow());
            while (next.size() < population) {
                int[] a = parent(generation, random);
                int[] b = parent(generation, random);
                int[] child = new int[n + 1];
                for (int i = 0; i <= n; i++) {
                    child[i] = random.nextDouble() < reset ? RandomSearch.gene(i, batch, random) : random.nextBoolean() ? a[i] : b[i];
                }
                next.add(new Individual(child, trials.fitness(child)));
            }
            generation = next;
        }
    }

    private int[] parent(List<Individual> generation, SplittableRandom random) {
        Individual best = generation.get(random.nextInt(generation.size()));
        for (int k = 1; k < tournament; k++) {
            Individual other = generation.get(random.nextInt(generation.size()));
            best = other.fitness() < best.fitness() ? other : best;
        }
        return best.s();
    }
}
