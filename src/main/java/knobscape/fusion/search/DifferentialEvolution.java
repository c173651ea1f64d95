package knobscape.fusion.search;

import java.util.SplittableRandom;

/// Differential evolution (Storn and Price 1997), current-to-best, with nevergrad's constants: a trial is `x + F (a - b) + F (best - x)` in the coordinates that cross over, and takes the place of x
/// where it is no worse.
///
/// @param population individuals
/// @param weight F, of both differences
/// @param crossover chance of each coordinate to come from the trial
public record DifferentialEvolution(int population, double weight, double crossover) implements Searcher {
    /// 30 individuals, F = 0.8, crossover 0.5.
    public static DifferentialEvolution defaults() {
        return new DifferentialEvolution(30, 0.8, 0.5);
    }

    @Override
    public void search(Trials trials, SplittableRandom random) {
        var space = new Coordinates(trials.model());
        int d = space.dimension();
        double[][] x = new double[population][];
        double[] fitness = new double[population];
        int best = 0;
        for (int p = 0; p < population; p++) {
            x[p] = space.draw(random);
            fitness[p] = trials.fitness(space.decode(x[p]));
            best = fitness[p] < fitness[best] ? p : best;
        }
        while (true) {
            for (int p = 0; p < population; p++) {
                double[] a = x[random.nextInt(population)];
                double[] b = x[random.nextInt(population)];
                double[] trial = x[p].clone();
                int sure = random.nextInt(d);
                for (int i = 0; i < d; i++) {
                    if (i == sure || random.nextDouble() < crossover) {
                        trial[i] = space.clip(x[p][i] + weight * (a[i] - b[i]) + weight * (x[best][i] - x[p][i]));
                    }
                }
                double f = trials.fitness(space.decode(trial));
                if (f <= fitness[p]) {
                    x[p] = trial;
                    fitness[p] = f;
                    best = f < fitness[best] ? p : best;
                }
            }
        }
    }
}
