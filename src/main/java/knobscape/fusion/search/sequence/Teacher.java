package knobscape.fusion.search.sequence;

import java.util.SplittableRandom;
import knobscape.fusion.evaluate.FusionCostModel;
import knobscape.fusion.space.Strategy;

/// Writes lessons for one network, batch and accelerator under any buffer. In every state it says of every
/// answer how much longer the strategy becomes with it, the rest being the best there is ([Completions]), and
/// turns these regrets into probabilities. It does not always follow its own advice: the network has to know
/// how to continue after a mistake.
final class Teacher {
    /// Regret, as a share of the strategy's time, that makes an answer e times less likely.
    private static final double SHARPNESS = 0.001;
    private static final double STRAY = 0.06;
    private static final double STRAY_WIDTH = 0.03;

    private final FusionCostModel model;
    private final Completions completions;

    /// @param model network, batch and accelerator; its buffer does not matter
    Teacher(FusionCostModel model) {
        this.model = model;
        this.completions = new Completions(model);
    }

    /// The strategy the teacher would write itself.
    Strategy best(long budget) {
        return write(budget, new SplittableRandom(0), 0).strategy();
    }

    /// A lesson under a buffer.
    Lesson lesson(long budget, SplittableRandom random) {
        return write(budget, random, random.nextInt(3) == 0 ? 0 : STRAY).lesson();
    }

    private record RecordedLesson(Strategy strategy, Lesson lesson) {}

    private RecordedLesson write(long budget, SplittableRandom random, double stray) {
        var u = new Unfolding(new StateEncoder(model.withBuffer(budget)));
        Completions.Guide guide = completions.under(budget);
        int length = model.layers() + 1;
        float[][] states = new float[length][];
        float[][] answers = new float[length][];
        boolean[][] offered = new boolean[length][];
        while (!u.isDone()) {
            int t = u.step();
            states[t] = u.features();
            offered[t] = u.offered();
            double[] p = t == 0
                    ? input(offered[0])
                    : probabilities(guide.values(u), offered[t], SHARPNESS * guide.seconds());
            answers[t] = new float[p.length];
            for (int k = 0; k < p.length; k++) {
                answers[t][k] = (float) p[k];
            }
            if (t > 0 && random.nextDouble() < stray) {
                p = probabilities(guide.values(u), offered[t], STRAY_WIDTH * guide.seconds());
                u.answer(draw(p, random));
            } else {
                u.answer(largest(p));
            }
        }
        return new RecordedLesson(u.strategy(), new Lesson(states, answers, offered));
    }

    /// The input's micro-batch matters to few options and then only takes room: the largest offered.
    private double[] input(boolean[] offered) {
        double[] p = new double[MicroBatches.ACTIONS];
        for (int action = 1; action < p.length; action++) {
            if (offered[action]) {
                p[action] = 1;
                return p;
            }
        }
        throw new IllegalStateException("no micro-batch is offered for the input");
    }

    private static double[] probabilities(double[] seconds, boolean[] offered, double width) {
        double least = Double.POSITIVE_INFINITY;
        for (int k = 0; k < seconds.length; k++) {
            least = offered[k] ? Math.min(least, seconds[k]) : least;
        }
        double[] p = new double[seconds.length];
        double sum = 0;
        for (int k = 0; k < p.length; k++) {
            if (offered[k] && seconds[k] < Double.POSITIVE_INFINITY) {
                p[k] = Math.exp((least - seconds[k]) / width);
                sum += p[k];
            }
        }
        for (int k = 0; k < p.length; k++) {
            p[k] /= sum;
        }
        return p;
    }

    static int largest(double[] p) {
        int best = 0;
        for (int k = 1; k < p.length; k++) {
            best = p[k] > p[best] ? k : best;
        }
        return best;
    }

    private static int draw(double[] p, SplittableRandom random) {
        double at = random.nextDouble();
        for (int k = 0; k < p.length; k++) {
            at -= p[k];
            if (at < 0) {
                return k;
            }
        }
        return largest(p);
    }
}
