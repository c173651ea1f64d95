package knobscape.gpu.search;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import knobscape.space.Configuration;
import knobscape.surrogate.ensemble.NewtonBoosting;
import knobscape.surrogate.ensemble.TreeForest;
import knobscape.surrogate.ensemble.XgBoost;

/// Boosted trees over a problem's features.
final class CostModel implements Annealing.Score {
    private static final int PIECE = 16;
    private static final int WIDE = 200;

    private final TuningFeatures features;
    private final List<TreeForest> forests;

    private CostModel(TuningFeatures features, List<TreeForest> forests) {
        this.features = features;
        this.forests = forests;
    }

    /// One model of all rows.
    static CostModel fit(TuningProblem problem, TuningProblem.Data data, XgBoost.Options options, long seed) {
        return new CostModel(problem.features(),
                List.of(XgBoost.fit(data.rows(), data.size(), problem.features().length(), data.scores(), options, seed)));
    }

    /// The sum of `count` models, each of as many rows drawn with replacement (Algorithm 3).
    static CostModel bootstrap(TuningProblem problem, TuningProblem.Data data, int count, XgBoost.Options options, SplittableRandom random) {
        int d = problem.features().length();
        var forests = new ArrayList<TreeForest>();
        for (int g = 0; g < count; g++) {
            float[] rows = new float[data.rows().length];
            float[] scores = new float[data.size()];
            for (int i = 0; i < scores.length; i++) {
                int from = random.nextInt(scores.length);
                System.arraycopy(data.rows(), from * d, rows, i * d, d);
                scores[i] = data.scores()[from];
            }
            forests.add(XgBoost.fit(rows, scores.length, d, scores, options, random.nextLong()));
        }
        return new CostModel(problem.features(), List.copyOf(forests));
    }

    /// The same with [NewtonBoosting]: a resample is the number of times each row was drawn.
    static CostModel bootstrap(TuningProblem problem, TuningProblem.Data data, int count, NewtonBoosting.Options options, SplittableRandom random) {
        var boosting = new NewtonBoosting(data.rows(), data.size(), problem.features().length());
        var forests = new ArrayList<TreeForest>();
        for (int g = 0; g < count; g++) {
            float[] times = new float[data.size()];
            for (int i = 0; i < times.length; i++) {
                times[random.nextInt(times.length)]++;
            }
            forests.add(boosting.fit(data.scores(), times, options));
        }
        return new CostModel(problem.features(), List.copyOf(forests));
    }

    @Override
    public double[] of(List<Configuration> configurations) {
        double[] scores = new double[configurations.size()];
        int pieces = Math.ceilDiv(scores.length, PIECE);
        IntStream each = IntStream.range(0, pieces);
        // Rows do not depend on one another, so the result is the same on one thread and on several. Knob features are too cheap to be worth it.
        (features.length() >= WIDE ? each.parallel() : each).forEach(p -> score(configurations, p * PIECE, Math.min(scores.length, (p + 1) * PIECE), scores));
        return scores;
    }

    private void score(List<Configuration> configurations, int from, int to, double[] scores) {
        float[] row = new float[features.length()];
        for (int i = from; i < to; i++) {
            features.write(configurations.get(i), row, 0);
            for (TreeForest forest : forests) {
                scores[i] += forest.score(row, 0);
            }
        }
    }
}
