package knobscape.fusion.mapper.sequence;

import java.util.SplittableRandom;
import knobscape.fusion.cost.CostModel;
import knobscape.fusion.cost.Strategy;
import knobscape.fusion.mapper.Repair;
import knobscape.fusion.mapper.Searcher;
import knobscape.fusion.mapper.Trials;

/// Asks a sequence model for a strategy: one pass, one evaluation. Of the answers that fit the buffer, the likeliest is taken at every step; the strategy is repaired all the same, for options under
/// which nothing fits at some step. With more than one sample, further strategies are drawn from the model's probabilities, and the fastest counts.
///
/// @param model who answers
/// @param samples strategies written; 1 is the likeliest alone
public record SequenceMapper(SequenceModel model, int samples) implements Searcher {
    /// Most strategies of one question.
    public static final int MOST_SAMPLES = 1000;

    /// Throws [IllegalArgumentException] for a number of samples out of range.
    public SequenceMapper {
        if (samples < 1 || samples > MOST_SAMPLES) {
            throw new IllegalArgumentException("samples are 1 to " + MOST_SAMPLES + ", not " + samples);
        }
    }

    /// One strategy.
    ///
    /// @param model who answers
    public SequenceMapper(SequenceModel model) {
        this(model, 1);
    }

    @Override
    public void search(Trials trials, SplittableRandom random) {
        var encoder = new StateEncoder(trials.model());
        var repair = new Repair(trials.model());
        for (int k = 0; k < samples; k++) {
            trials.throwIfCancelled();
            int[] s = write(encoder, random, k == 0 ? 0 : 1).toArray();
            repair.repair(s);
            trials.judge(s);
        }
    }

    /// The strategy the model gives for a network and buffer, repaired.
    public Strategy strategy(CostModel costs) {
        return new Repair(costs).repair(write(new StateEncoder(costs), new SplittableRandom(0), 0));
    }

    private Strategy write(StateEncoder encoder, SplittableRandom random, double temperature) {
        SequenceModel.Pass pass = model.pass(encoder.fixed());
        var u = new Unfolding(encoder);
        while (!u.isDone()) {
            u.answer(choose(pass.next(u.features()), u.offered(), random, temperature));
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
                double score = temperature == 0 ? scores[k] : scores[k] / temperature - Math.log(-Math.log(random.nextDouble(1e-12, 1)));
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
