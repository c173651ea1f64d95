package knobscape.fusion.search;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import knobscape.fusion.evaluate.Cost;
import knobscape.fusion.space.Strategy;

/// G-Sampler, the genetic teacher of DNNFuser (section 4.4.2): GAMMA's genetic search (Kao and Krishna, ICCAD
/// 2020) carried over from mappings inside a layer to fusion strategies. Its operators for strategies are not
/// published; those here follow GAMMA's: growth becomes fusing, ageing becomes splitting.
final class GSampler implements Search {
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
    private final SplittableRandom random;
    private final Mode mode;
    private final Repair repair;
    /// The elites that stay, later joined by the children.
    private List<Individual> generation = new ArrayList<>();
    private List<int[]> children = List.of();

    GSampler(Problem problem, SplittableRandom random, Mode mode) {
        this.problem = problem;
        this.random = random;
        this.mode = mode;
        this.repair = new Repair(problem.model());
    }

    @Override
    public List<int[]> ask(int left) {
        children = new ArrayList<>(POPULATION);
        if (generation.isEmpty()) {
            while (children.size() < POPULATION) {
                children.add(fitting(drawn()));
            }
            return children;
        }
        while (children.size() < POPULATION - ELITES) {
            int[] child = generation.get(random.nextInt(PARENTS)).s().clone();
            vary(child, generation.get(random.nextInt(PARENTS)).s());
            children.add(fitting(child));
        }
        generation = new ArrayList<>(generation.subList(0, ELITES));
        return children;
    }

    @Override
    public void tell(List<Cost> costs) {
        generation.addAll(Individual.of(problem, children, costs));
        generation.sort(Comparator.comparingDouble(Individual::fitness));
    }

    private int[] fitting(int[] s) {
        if (mode == Mode.REPAIRING) {
            repair.repair(s);
        }
        return s;
    }

    private int[] drawn() {
        int[] s = new int[problem.model().layers() + 1];
        for (int i = 0; i < s.length; i++) {
            s[i] = draw(i);
        }
        return s;
    }

    private int draw(int i) {
        return i > 0 && random.nextDouble() < SYNC ? Strategy.SYNC : batch();
    }

    private int batch() {
        return 1 + random.nextInt(problem.model().batch());
    }

    private void vary(int[] s, int[] other) {
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
                s[i] = draw(i);
            }
        }
        if (mode == Mode.PLAIN) {
            return;
        }
        if (random.nextDouble() < LEVEL) {
            int length = Math.min(n, LEVEL_LEAST + random.nextInt(LEVEL_MOST - LEVEL_LEAST + 1));
            int first = 1 + random.nextInt(n - length + 1);
            int m = batch();
            for (int i = first; i < first + length; i++) {
                s[i] = s[i] > 0 ? m : s[i];
            }
        }
        if (random.nextDouble() < FUSE) {
            int i = 1 + random.nextInt(n);
            s[i] = s[i] > 0 ? s[i] : batch();
        }
        if (random.nextDouble() < SPLIT) {
            s[1 + random.nextInt(n)] = Strategy.SYNC;
        }
    }
}
