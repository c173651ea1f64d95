package knobscape.fusion.search;

import java.util.SplittableRandom;

/// Particle swarm optimisation (Kennedy and Eberhart 1995) with nevergrad's constants.
///
/// @param swarm particles
/// @param inertia share of the speed that stays
/// @param acceleration largest pull towards the particle's own best, and towards the best of all
public record ParticleSwarm(int swarm, double inertia, double acceleration) implements Searcher {
    /// 40 particles, inertia 0.5/ln 2, acceleration 0.5 + ln 2.
    public static ParticleSwarm defaults() {
        return new ParticleSwarm(40, 0.5 / Math.log(2), 0.5 + Math.log(2));
    }

    @Override
    public void search(Trials trials, SplittableRandom random) {
        var space = new Coordinates(trials.model());
        int d = space.dimension();
        double[][] x = new double[swarm][];
        double[][] speed = new double[swarm][d];
        double[][] own = new double[swarm][];
        double[] ownFitness = new double[swarm];
        int best = 0;
        for (int p = 0; p < swarm; p++) {
            x[p] = space.draw(random);
            for (int i = 0; i < d; i++) {
                speed[p][i] = space.sigma() * random.nextGaussian();
            }
            own[p] = x[p].clone();
            ownFitness[p] = trials.fitness(space.decode(x[p]));
            best = ownFitness[p] < ownFitness[best] ? p : best;
        }
        while (true) {
            for (int p = 0; p < swarm; p++) {
                for (int i = 0; i < d; i++) {
                    speed[p][i] = inertia * speed[p][i] + acceleration * random.nextDouble() * (own[p][i] - x[p][i]) + acceleration * random.nextDouble() * (own[best][i] - x[p][i]);
                    x[p][i] = space.clip(x[p][i] + speed[p][i]);
                }
                double f = trials.fitness(space.decode(x[p]));
                if (f < ownFitness[p]) {
                    ownFitness[p] = f;
                    own[p] = x[p].clone();
                    best = f < ownFitness[best] ? p : best;
                }
            }
        }
    }
}
