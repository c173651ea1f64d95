package knobscape.fusion.search;

import java.util.List;
import java.util.SplittableRandom;
import knobscape.fusion.evaluate.Cost;
import knobscape.fusion.evaluate.FusionCostModel;
import knobscape.fusion.evaluate.IncrementalCost;
import knobscape.fusion.space.Strategy;

/// Advantage actor-critic (Mnih et al. 2016, without its parallel workers): an episode chooses the entries of a
/// strategy one after the other from [FusionState]s and is one evaluation. The reward comes at the end: the
/// speedup where the strategy fits; else minus peak over buffer, or, where such strategies are all alike
/// ([Constraint#DEATH]), minus 1. Actor and critic have two hidden layers of 128.
final class AdvantageActorCritic implements Search {
    private static final int HIDDEN = 128;
    private static final double DISCOUNT = 0.99;
    private static final double ENTROPY = 0.01;
    private static final double RATE = 7e-4;

    private final Problem problem;
    private final SplittableRandom random;
    private final int steps;
    private final PolicyNetwork actor;
    private final PolicyNetwork critic;
    private final double[][][] policy;
    private final double[][][] value;
    private final int[] chosen;

    AdvantageActorCritic(Problem problem, SplittableRandom random) {
        this.problem = problem;
        this.random = random;
        steps = problem.model().layers() + 1;
        actor = new PolicyNetwork(FusionState.SIZE, HIDDEN, problem.model().batch() + 1, RATE, random);
        critic = new PolicyNetwork(FusionState.SIZE, HIDDEN, 1, RATE, random);
        policy = new double[steps][][];
        value = new double[steps][][];
        chosen = new int[steps];
    }

    @Override
    public List<int[]> ask(int left) {
        FusionCostModel model = problem.model();
        Strategy alone = Strategy.noFusion(model.layers(), model.batch());
        int[] s = alone.toArray();
        var incremental = new IncrementalCost(model, alone);
        for (int t = 0; t < steps; t++) {
            double[] state =
                    FusionState.of(model, t, model.budget(), incremental.cost().seconds());
            policy[t] = actor.forward(state);
            value[t] = critic.forward(state);
            chosen[t] = draw(softmax(policy[t][3]), t == 0 ? 1 : 0, random);
            s[t] = chosen[t] == 0 ? Strategy.SYNC : chosen[t];
            incremental.set(t, s[t]);
        }
        return List.of(s);
    }

    @Override
    public void tell(List<Cost> costs) {
        double reward = reward(problem, costs.getFirst());
        for (int t = 0; t < steps; t++) {
            double gain = Math.pow(DISCOUNT, steps - 1 - t) * reward;
            double advantage = gain - value[t][3][0];
            actor.backward(policy[t], policyGradient(softmax(policy[t][3]), chosen[t], advantage));
            critic.backward(value[t], new double[] {-advantage});
        }
        actor.step(steps);
        critic.step(steps);
    }

    private static double reward(Problem problem, Cost cost) {
        FusionCostModel model = problem.model();
        if (model.isValid(cost)) {
            return model.speedup(cost.seconds());
        }
        return switch (problem.constraint()) {
            case DEATH -> -1;
            case LEXI -> -(double) cost.peakBytes() / model.budget();
            case SOFT -> Math.exp(-problem.fitness(cost));
        };
    }

    /// Derivative of `-advantage log p(chosen) - ENTROPY * entropy` by the logits.
    private static double[] policyGradient(double[] p, int chosen, double advantage) {
        double entropy = 0;
        for (double v : p) {
            entropy -= v > 0 ? v * Math.log(v) : 0;
        }
        double[] d = new double[p.length];
        for (int k = 0; k < p.length; k++) {
            double log = p[k] > 0 ? Math.log(p[k]) : 0;
            d[k] = advantage * (p[k] - (k == chosen ? 1 : 0)) + ENTROPY * p[k] * (log + entropy);
        }
        return d;
    }

    private static double[] softmax(double[] logits) {
        double most = Double.NEGATIVE_INFINITY;
        for (double v : logits) {
            most = Math.max(most, v);
        }
        double[] p = new double[logits.length];
        double sum = 0;
        for (int k = 0; k < p.length; k++) {
            p[k] = Math.exp(logits[k] - most);
            sum += p[k];
        }
        for (int k = 0; k < p.length; k++) {
            p[k] /= sum;
        }
        return p;
    }

    /// Draws an index from `first` on with its chance.
    private static int draw(double[] p, int first, SplittableRandom random) {
        double all = 0;
        for (int k = first; k < p.length; k++) {
            all += p[k];
        }
        double u = random.nextDouble() * all;
        for (int k = first; k < p.length; k++) {
            u -= p[k];
            if (u < 0) {
                return k;
            }
        }
        return p.length - 1;
    }
}
