package knobscape.fusion.search;

import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import knobscape.fusion.evaluate.Cost;

/// Differential evolution (Storn and Price 1997), current-to-best, with nevergrad's constants: a trial is `x +
/// F (a - b) + F (best - x)` in the coordinates that cross over, and takes the place of x where it is no worse.
final class DifferentialEvolution implements Search {
    private static final int POPULATION = 30;
    /// F, of both differences.
    private static final double WEIGHT = 0.8;
    private static final double CROSSOVER = 0.5;

    private final Problem problem;
    private final SplittableRandom random;
    private final Coordinates space;
    private final double[][] x = new double[POPULATION][];
    private final double[] fitness = new double[POPULATION];
    private double[] trial = new double[0];
    private int best;
    /// The individual that is challenged next; before the first ask none is.
    private int next = -1;

    DifferentialEvolution(Problem problem, SplittableRandom random) {
        this.problem = problem;
        this.random = random;
        this.space = new Coordinates(problem.model());
    }

    /// The population at once, then a trial at a time: each differs from individuals as they are by then.
    @Override
    public List<int[]> ask(int left) {
        if (next >= 0) {
            trial = trial(next);
            return List.of(space.decode(trial));
        }
        for (int p = 0; p < POPULATION; p++) {
            x[p] = space.draw(random);
        }
        return Arrays.stream(x).map(space::decode).toList();
    }

    private double[] trial(int p) {
        double[] a = x[random.nextInt(POPULATION)];
        double[] b = x[random.nextInt(POPULATION)];
        double[] made = x[p].clone();
        int sure = random.nextInt(made.length);
        for (int i = 0; i < made.length; i++) {
            if (i == sure || random.nextDouble() < CROSSOVER) {
                made[i] = space.clip(x[p][i] + WEIGHT * (a[i] - b[i]) + WEIGHT * (x[best][i] - x[p][i]));
            }
        }
        return made;
    }

    @Override
    public void tell(List<Cost> costs) {
        for (int k = 0; k < costs.size(); k++) {
            int p = next < 0 ? k : next;
            double f = problem.fitness(costs.get(k));
            if (next < 0 || f <= fitness[p]) {
                x[p] = next < 0 ? x[p] : trial;
                fitness[p] = f;
                best = f < fitness[best] ? p : best;
            }
        }
        next = (next + 1) % POPULATION;
    }
}
