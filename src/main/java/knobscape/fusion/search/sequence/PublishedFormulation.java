package knobscape.fusion.search.sequence;

import java.util.Arrays;
import knobscape.fusion.evaluate.Cost;
import knobscape.fusion.evaluate.FusionCostModel;
import knobscape.fusion.evaluate.IncrementalCost;
import knobscape.fusion.search.FusionState;
import knobscape.fusion.space.Strategy;

/// Fusion as a sequence of rewards, states and actions (DNNFuser, arXiv 2201.11218, sections 4.2 and 4.3). A step has
/// three
/// tokens: the action before it, the reward (the buffer's use that is asked for, section 4.3.3), and the state of
/// Eq. 2. The action of the step is read where its state went in. An action is `m / B`, or -1 to synchronise; how the
/// paper scales actions and rewards is not printed.
final class PublishedFormulation {
    /// Tokens of a step.
    static final int TOKENS = 3;
    /// Numbers of a step: action, reward and state.
    static final int SIZE = 2 + FusionState.SIZE;
    /// Time steps with an embedding of their own; later ones share the last.
    static final int STEPS = 64;

    private static final int STATE = TOKENS - 1;
    private static final double MEGA = 1e6;
    private static final double REWARD = 64;

    private PublishedFormulation() {}

    /// Numbers of the k-th token.
    static int width(int k) {
        return k == STATE ? FusionState.SIZE : 1;
    }

    /// The numbers of a step by token.
    static float[][] tokens(float[] step) {
        return new float[][] {Arrays.copyOf(step, 1), Arrays.copyOfRange(step, 1, 2), Arrays.copyOfRange(step, 2, SIZE)
        };
    }

    /// The time step of the k-th token of step t: an action belongs to the step before.
    static int time(int k, int t) {
        return Math.clamp(k == 0 ? t - 1L : t, 0, STEPS - 1);
    }

    /// The trajectory of a teacher's strategy: its own use of the buffer is the reward.
    ///
    /// @param model with the buffer that the strategy was found under
    static Lesson demonstration(FusionCostModel model, Strategy strategy) {
        int[] s = strategy.toArray();
        Cost cost = model.evaluate(strategy);
        float[][] states = new float[s.length][];
        float[][] actions = new float[s.length][];
        boolean[][] offered = new boolean[s.length][];
        var walk = new Walk(model, cost.peakBytes());
        for (int t = 0; t < s.length; t++) {
            states[t] = walk.step();
            actions[t] = new float[] {action(s[t], model.batch())};
            offered[t] = new boolean[] {true};
            walk.take(s[t]);
        }
        return new Lesson(states, actions, offered);
    }

    /// The strategy that a model writes in one pass, asked to use the whole buffer.
    static Strategy write(SequenceModel model, FusionCostModel costs) {
        int length = costs.layers() + 1;
        SequenceModel.Pass pass = model.pass(new float[length][0]);
        var walk = new Walk(costs, costs.budget());
        for (int t = 0; t < length; t++) {
            walk.take(entry(pass.next(walk.step())[0], t, costs.batch()));
        }
        return walk.cost.strategy();
    }

    private static float action(int entry, int batch) {
        return entry < 1 ? -1 : (float) entry / batch;
    }

    /// The entry nearest to an action.
    static int entry(float action, int t, int batch) {
        if (Float.isNaN(action)) {
            throw new IllegalStateException("the weights of the model are not numbers");
        }
        return t > 0 && action < 0 ? Strategy.SYNC : Math.clamp(Math.round((double) action * batch), 1, batch);
    }

    /// A walk along a strategy. Entries not yet chosen synchronise.
    private static final class Walk {
        private final FusionCostModel model;
        private final double asked;
        private final IncrementalCost cost;
        private int t;

        Walk(FusionCostModel model, long asked) {
            this.model = model;
            this.asked = asked / MEGA / REWARD;
            this.cost = new IncrementalCost(model, Strategy.noFusion(model.layers(), model.batch()));
        }

        /// The numbers of the step now.
        float[] step() {
            float[] x = new float[SIZE];
            x[0] = t == 0 ? 0 : action(cost.get(t - 1), model.batch());
            x[1] = (float) asked;
            double[] state =
                    FusionState.of(model, t, model.budget(), cost.cost().seconds());
            for (int k = 0; k < state.length; k++) {
                x[2 + k] = (float) state[k];
            }
            return x;
        }

        void take(int entry) {
            cost.set(t, entry);
            t++;
        }
    }
}
