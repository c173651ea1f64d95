package knobscape.explore.bo;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import knobscape.explore.Experience;
import knobscape.numeric.Shuffle;
import knobscape.space.Configuration;
import knobscape.surrogate.Model;
import knobscape.surrogate.TrainingData;
import knobscape.surrogate.ensemble.XgBoost;

/// The prior of a whole experience: one model of the rows of all its origins, each compared with the best of its own
/// origin, so that devices and layers of different speed can be pooled.
final class PooledPrior implements Prior {
    /// Losses beyond this, and failures, are alike.
    static final double CLIP = 2.5;
    private static final int MOST_ROWS = 8000;
    static final XgBoost.Options TREES = new XgBoost.Options(XgBoost.Objective.REGRESSION, 6, 0.1, 0, 120, 0, 1);

    private final Experience experience;
    private final Model model;

    /// @param trainer of one output, the clipped loss
    PooledPrior(Experience experience, Model.Trainer trainer, long seed) {
        this.experience = experience;
        this.model = trainer.fit(data(experience, seed), seed);
    }

    /// The rows of all origins; where they are too many an even share of each, drawn.
    static TrainingData data(Experience experience, long seed) {
        var x = new ArrayList<double[]>();
        var y = new ArrayList<Double>();
        List<Experience.Origin> ran =
                experience.origins().stream().filter(o -> o.best() > 0).toList();
        for (Experience.Origin o : ran) {
            int[] order = Shuffle.order(o.rows().size(), new SplittableRandom(seed));
            int share = Math.min(order.length, MOST_ROWS / ran.size());
            for (int i = 0; i < share; i++) {
                Experience.Row row = o.rows().get(order[i]);
                x.add(row.features());
                y.add(loss(row.score(), o.best()));
            }
        }
        return TrainingData.single(
                x.toArray(double[][]::new), y.stream().mapToDouble(v -> v).toArray());
    }

    /// How much slower than the best, as a logarithm.
    static double loss(double score, double best) {
        return score <= 0 ? CLIP : Math.min(CLIP, Math.log(best / score));
    }

    @Override
    public double[] of(List<Configuration> configurations) {
        return model.score(experience.features().encodeAll(configurations));
    }
}
