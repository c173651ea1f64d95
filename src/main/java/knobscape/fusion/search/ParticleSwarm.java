package knobscape.fusion.search;

import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import knobscape.fusion.evaluate.Cost;

/// Particle swarm optimisation (Kennedy and Eberhart 1995) with nevergrad's constants.
final class ParticleSwarm implements Search {
    private static final int SWARM = 40;
    /// Share of the speed that stays.
    private static final double INERTIA = 0.5 / Math.log(2);
    /// Largest pull towards the particle's own best, and towards the best of all.
    private static final double ACCELERATION = 0.5 + Math.log(2);

    private final Problem problem;
    private final SplittableRandom random;
    private final Coordinates space;
    private final double[][] x = new double[SWARM][];
    private final double[][] speed = new double[SWARM][];
    private final double[][] own = new double[SWARM][];
    private final double[] ownFitness = new double[SWARM];
    private int best;
    /// The particle that moves next; before the first ask none does.
    private int next = -1;

    ParticleSwarm(Problem problem, SplittableRandom random) {
        this.problem = problem;
        this.random = random;
        this.space = new Coordinates(problem.model());
    }

    /// The swarm at once, then a particle at a time: each follows the best that the ones before it found.
    @Override
    public List<int[]> ask(int left) {
        if (next >= 0) {
            move(next);
            return List.of(space.decode(x[next]));
        }
        for (int p = 0; p < SWARM; p++) {
            x[p] = space.draw(random);
            speed[p] = new double[x[p].length];
            for (int i = 0; i < x[p].length; i++) {
                speed[p][i] = space.sigma() * random.nextGaussian();
            }
        }
        return Arrays.stream(x).map(space::decode).toList();
    }

    private void move(int p) {
        for (int i = 0; i < x[p].length; i++) {
            speed[p][i] = INERTIA * speed[p][i]
                    + ACCELERATION * random.nextDouble() * (own[p][i] - x[p][i])
                    + ACCELERATION * random.nextDouble() * (own[best][i] - x[p][i]);
            x[p][i] = space.clip(x[p][i] + speed[p][i]);
        }
    }

    @Override
    public void tell(List<Cost> costs) {
        for (int k = 0; k < costs.size(); k++) {
            int p = next < 0 ? k : next;
            double f = problem.fitness(costs.get(k));
            if (next < 0 || f < ownFitness[p]) {
                ownFitness[p] = f;
                own[p] = x[p].clone();
                best = f < ownFitness[best] ? p : best;
            }
        }
        next = (next + 1) % SWARM;
    }
}
