package knobscape.fusion.search.sequence;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import knobscape.fusion.evaluate.FusionCostModel;
import knobscape.fusion.search.Problem;
import knobscape.fusion.search.Repair;
import knobscape.fusion.search.Search;
import knobscape.fusion.search.Searcher;
import knobscape.fusion.space.Strategy;

/// Asks a sequence model for a strategy. Of the answers that fit the buffer, the likeliest is taken at every
/// step; the strategy is repaired all the same, for options under which nothing fits at some step. Of several
/// samples, the fastest counts: the second to fourth are written for somewhat smaller buffers, further ones are
/// drawn from the model's probabilities. The published model answers once, and its answer stays as it is.
///
/// @param samples strategies written, each in one pass and for one evaluation
public record SequenceMapper(SequenceModel model, int samples) implements Searcher {
    /// Strategies of one question where nothing is said: two passes, a thousandth of the evaluations of a
    /// search.
    public static final int SAMPLES = 2;
    /// Most strategies of one question.
    public static final int MOST_SAMPLES = 1000;

    /// Shares of the buffer that are asked for, one after the other. What goes wrong in a strategy is mostly a
    /// group that runs out of room one layer before its natural end, and that hangs on a few per cent of the
    /// buffer.
    private static final double[] ASKED = {1, 0.93, 0.97, 0.9};

    /// Throws [IllegalArgumentException] for a number of samples out of range.
    public SequenceMapper {
        if (samples < 1 || samples > MOST_SAMPLES) {
            throw new IllegalArgumentException("samples are 1 to " + MOST_SAMPLES + ", not " + samples);
        }
    }

    /// With the default number of samples.
    public SequenceMapper(SequenceModel model) {
        this(model, SAMPLES);
    }

    @Override
    public Search begin(Problem problem, SplittableRandom random) {
        if (model.architecture().kind() == Architecture.Kind.PUBLISHED) {
            return Search.once(_ ->
                    List.of(PublishedFormulation.write(model, problem.model()).toArray()));
        }
        var repair = new Repair(problem.model());
        return Search.once(left -> {
            var written = new ArrayList<int[]>();
            for (int k = 0; k < Math.min(samples, left); k++) {
                problem.cancel().throwIfCancelled();
                int[] s = write(problem.model(), k, random).toArray();
                repair.repair(s);
                written.add(s);
            }
            return written;
        });
    }

    private Strategy write(FusionCostModel costs, int k, SplittableRandom random) {
        double share = k < ASKED.length ? ASKED[k] : 1;
        var encoder = new StateEncoder(
                share == 1 ? costs : costs.withBuffer(Math.max(1, Math.round(costs.budget() * share))));
        SequenceModel.Pass pass = model.pass(encoder.fixed());
        var u = new Unfolding(encoder);
        while (!u.isDone()) {
            u.answer(choose(pass.next(u.features()), u.offered(), random, k < ASKED.length ? 0 : 1));
        }
        return u.strategy();
    }

    /// The likeliest answer offered; drawn, where there is a temperature.
    private static int choose(float[] scores, boolean[] offered, SplittableRandom random, double temperature) {
        int best = -1;
        double highest = Double.NEGATIVE_INFINITY;
        for (int k = 0; k < scores.length; k++) {
            if (offered[k]) {
                // Adding Gumbel noise and taking the largest draws from the softmax.
                double score = temperature == 0
                        ? scores[k]
                        : scores[k] / temperature - Math.log(-Math.log(random.nextDouble(1e-12, 1)));
                if (score > highest) {
                    highest = score;
                    best = k;
                }
            }
        }
        if (best < 0) {
            throw new IllegalStateException("no answer has a score: the weights of the model are not numbers");
        }
        return best;
    }
}
