package knobscape.explore.regression;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import knobscape.numeric.Shuffle;
import knobscape.surrogate.Model;
import knobscape.surrogate.TrainingData;
import knobscape.surrogate.ensemble.BoostedTrees;
import knobscape.surrogate.neural.Perceptron;

/// The models of the thesis's baselines, with their settings chosen on held-out rows. Features are in [0, 1],
/// targets of order one.
public final class RegressionMethods {
    /// Iterations tried, 500 to 5000 in steps of 500 (thesis section 3.6.4).
    private static final int ITERATIONS = 5000;
    private static final int ITERATION_STEP = 500;
    private static final int FOLDS = 4;
    private static final int TREES = 60;

    private RegressionMethods() {}

    /// Two hidden layers; width (16 or 32) and iterations (500..5000) with the least error on a quarter of the
    /// rows held out, then trained on all rows.
    public static Model.Trainer neuralNetwork() {
        return (data, warmStart, seed) -> {
            int[] order = Shuffle.order(data.size(), new SplittableRandom(seed));
            int held = Math.max(1, data.size() / FOLDS);
            TrainingData test = data.rows(Arrays.copyOfRange(order, 0, held));
            TrainingData train = data.rows(Arrays.copyOfRange(order, held, order.length));
            double best = Double.POSITIVE_INFINITY;
            int bestIterations = ITERATION_STEP;
            Perceptron.Options bestOptions = null;
            for (int width : new int[] {16, 32}) {
                var options = new Perceptron.Options(new int[] {width, width}, 3e-3, 1e-4, seed);
                double[] path = Perceptron.validationPath(train, test, options, ITERATIONS, ITERATION_STEP);
                for (int i = 0; i < path.length; i++) {
                    if (path[i] < best || bestOptions == null) {
                        best = path[i];
                        bestIterations = (i + 1) * ITERATION_STEP;
                        bestOptions = options;
                    }
                }
            }
            return Perceptron.fit(data, requireNonNull(bestOptions), bestIterations);
        };
    }

    /// Gradient-boosted trees; depth 1..6 and rate 0.1..0.5 (thesis section 3.6.4) with the least
    /// cross-validated error.
    public static Model.Trainer boostedTrees() {
        var all = new ArrayList<Model.Trainer>();
        for (int depth = 1; depth <= 6; depth++) {
            for (double rate : new double[] {0.1, 0.2, 0.3, 0.4, 0.5}) {
                all.add(boostedTrees(depth, rate));
            }
        }
        return bestOf(all);
    }

    /// Gradient-boosted trees of one setting.
    public static Model.Trainer boostedTrees(int depth, double rate) {
        return BoostedTrees.trainer(new BoostedTrees.Options(TREES, depth, rate));
    }

    /// Ridge regression on centred columns, its penalty (1e-3..1e2) with the least cross-validated error.
    public static Model.Trainer ridge() {
        return bestOf(DoubleStream.of(1e-3, 1e-2, 0.1, 1, 10, 100)
                .mapToObj(Ridge::trainer)
                .toList());
    }

    /// Whichever of `methods` predicts held-out rows best, by cross-validation, of equals the first.
    public static Model.Trainer bestOf(List<Model.Trainer> methods) {
        return (data, warmStart, seed) -> {
            int[] order = Shuffle.order(data.size(), new SplittableRandom(seed));
            return methods.stream()
                    .min(Comparator.comparingDouble(m -> crossValidated(data, order, m, seed)))
                    .orElseThrow()
                    .fit(data, warmStart, seed);
        };
    }

    /// Summed squared error of held-out rows.
    private static double crossValidated(TrainingData data, int[] order, Model.Trainer method, long seed) {
        double error = 0;
        for (int fold = 0; fold < FOLDS; fold++) {
            int f = fold;
            int[] test = IntStream.range(0, order.length)
                    .filter(i -> i % FOLDS == f)
                    .map(i -> order[i])
                    .toArray();
            int[] train = IntStream.range(0, order.length)
                    .filter(i -> i % FOLDS != f)
                    .map(i -> order[i])
                    .toArray();
            if (test.length == 0 || train.length < 2) {
                continue;
            }
            TrainingData held = data.rows(test);
            double[] predicted = method.fit(data.rows(train), seed).score(held.x());
            for (int i = 0; i < predicted.length; i++) {
                double e = predicted[i] - held.y()[i][0];
                error += e * e;
            }
        }
        return error;
    }
}
