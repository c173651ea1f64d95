package knobscape.fusion.search;

import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import knobscape.explore.population.Evolution;
import knobscape.fusion.space.Strategy;

/// G-Sampler, the genetic teacher of DNNFuser (section 4.4.2): GAMMA's genetic search (Kao and Krishna, ICCAD
/// 2020) carried over from mappings inside a layer to fusion strategies. Its operators for strategies are not
/// published; those here follow GAMMA's: growth becomes fusing, ageing becomes splitting.
final class GSampler implements Evolution.Operators<int[]> {
    /// Individuals of a generation in the paper.
    private static final int POPULATION = 40;

    /// Which operators.
    public enum Mode {
        /// All, and every individual is made to fit before it is evaluated.
        REPAIRING,
        /// Crossover and three mutations, nothing else: nearest to the published figures.
        PLAIN
    }

    private static final int ELITES = 2;
    private static final int PARENTS = 16;
    private static final double SYNC = 0.5;
    private static final double CROSSOVER = 0.57;
    private static final double MUTATION = 0.53;
    private static final int PLAIN_MUTATIONS = 3;
    private static final double LEVEL = 0.3;
    private static final int LEVEL_LEAST = 2;
    private static final int LEVEL_MOST = 7;
    private static final double FUSE = 0.57;
    private static final double SPLIT = 0.27;

    private final Problem problem;
    private final Mode mode;
    private final Repair repair;

    private GSampler(Problem problem, Mode mode) {
        this.problem = problem;
        this.mode = mode;
        this.repair = new Repair(problem.model());
    }

    static Search begin(Problem problem, SplittableRandom random, Mode mode) {
        return Search.of(
                problem,
                new Evolution<>(
                        POPULATION, ELITES, Evolution.truncation(PARENTS), new GSampler(problem, mode), random));
    }

    @Override
    public int[] draw(SplittableRandom random) {
        int[] s = new int[problem.model().layers() + 1];
        for (int i = 0; i < s.length; i++) {
            s[i] = gene(i, random);
        }
        return fitting(s);
    }

    @Override
    public Optional<int[]> child(Supplier<int[]> parent, SplittableRandom random) {
        int[] child = parent.get().clone();
        vary(child, parent.get(), random);
        return Optional.of(fitting(child));
    }

    private int[] fitting(int[] s) {
        if (mode == Mode.REPAIRING) {
            repair.repair(s);
        }
        return s;
    }

    private int gene(int i, SplittableRandom random) {
        return i > 0 && random.nextDouble() < SYNC ? Strategy.SYNC : batch(random);
    }

    private int batch(SplittableRandom random) {
        return 1 + random.nextInt(problem.model().batch());
    }

    private void vary(int[] s, int[] other, SplittableRandom random) {
        int n = s.length - 1;
        if (random.nextDouble() < CROSSOVER) {
            int i = random.nextInt(n + 1);
            int j = random.nextInt(n + 1);
            int low = Math.min(i, j);
            System.arraycopy(other, low, s, low, Math.max(i, j) - low + 1);
        }
        for (int k = 0; k < (mode == Mode.PLAIN ? PLAIN_MUTATIONS : 1); k++) {
            if (random.nextDouble() < MUTATION) {
                int i = random.nextInt(n + 1);
                s[i] = gene(i, random);
            }
        }
        if (mode == Mode.PLAIN) {
            return;
        }
        if (random.nextDouble() < LEVEL) {
            int length = Math.min(n, LEVEL_LEAST + random.nextInt(LEVEL_MOST - LEVEL_LEAST + 1));
            int first = 1 + random.nextInt(n - length + 1);
            int m = batch(random);
            for (int i = first; i < first + length; i++) {
                s[i] = s[i] > 0 ? m : s[i];
            }
        }
        if (random.nextDouble() < FUSE) {
            int i = 1 + random.nextInt(n);
            s[i] = s[i] > 0 ? s[i] : batch(random);
        }
        if (random.nextDouble() < SPLIT) {
            s[1 + random.nextInt(n)] = Strategy.SYNC;
        }
    }
}
