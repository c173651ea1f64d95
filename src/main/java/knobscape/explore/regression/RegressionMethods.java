package knobscape.explore.regression;

import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import knobscape.surrogate.Regressor;
import knobscape.surrogate.ensemble.BoostedTrees;
import knobscape.surrogate.neural.Perceptron;

/// The regressors of the thesis's baselines, with their settings chosen on held-out rows.
public final class RegressionMethods {
    /// Iterations tried, 500 to 5000 in steps of 500 (thesis section 3.6.4).
    private static final int ITERATIONS = 5000;
    private static final int ITERATION_STEP = 500;
    private static final int FOLDS = 4;

    private RegressionMethods() {
    }

    /// Two hidden layers; width (16 or 32) and iterations (500..5000) with the least error on a quarter of the rows held out, then trained on all rows.
    public static RegressionMethod neuralNetwork() {
        return (x, y, seed) -> {
            int[] order = shuffled(x.length, seed);
            int held = Math.max(1, x.length / FOLDS);
            int[] test = Arrays.copyOfRange(order, 0, held);
            int[] train = Arrays.copyOfRange(order, held, order.length);
            double best = Double.POSITIVE_INFINITY;
            int bestIterations = ITERATION_STEP;
            Perceptron.Options bestOptions = null;
            for (int width : new int[] {16, 32}) {
                var options = new Perceptron.Options(new int[] {width, width}, 3e-3, 1e-4, seed);
                double[] path = Perceptron.validationPath(rows(x, train), entries(y, train), rows(x, test), entries(y, test), options, ITERATIONS, ITERATION_STEP);
                for (int i = 0; i < path.length; i++) {
                    if (path[i] < best || bestOptions == null) {
                        best = path[i];
                        bestIterations = (i + 1) * ITERATION_STEP;
                        bestOptions = options;
                    }
                }
            }
            return Perceptron.fit(x, y, bestOptions, bestIterations);
        };
    }

    /// Gradient-boosted trees; depth 1..6 and rate 0.1..0.5 (thesis section 3.6.4) with the least cross-validated error.
    public static RegressionMethod boostedTrees() {
        return (x, y, seed) -> {
            int[] order = shuffled(x.length, seed);
            double best = Double.POSITIVE_INFINITY;
            BoostedTrees.Options bestOptions = null;
            for (int depth = 1; depth <= 6; depth++) {
                for (double rate : new double[] {0.1, 0.2, 0.3, 0.4, 0.5}) {
                    var options = new BoostedTrees.Options(60, depth, rate);
                    double error = crossValidated(x, y, order, (a, b, s) -> BoostedTrees.fit(a, b, options), seed);
                    if (error < best || bestOptions == null) {
                        best = error;
                        bestOptions = options;
                    }
                }
            }
            return BoostedTrees.fit(x, y, bestOptions);
        };
    }

    /// Whichever of `methods` predicts held-out rows best, by cross-validation; DAC19 compares several regressors.
    public static RegressionMethod bestOf(List<RegressionMethod> methods) {
        return (x, y, seed) -> {
            int[] order = shuffled(x.length, seed);
            RegressionMethod best = methods.stream()
                    .min(java.util.Comparator.comparingDouble(m -> crossValidated(x, y, order, m, seed))).orElseThrow();
            return best.fit(x, y, seed);
        };
    }

    /// Ridge regression on centred columns, its penalty (1e-3..1e2) with the least cross-validated error.
    public static RegressionMethod ridge() {
        return (x, y, seed) -> {
            int[] order = shuffled(x.length, seed);
            double best = Double.POSITIVE_INFINITY;
            double bestPenalty = 1;
            for (double penalty : new double[] {1e-3, 1e-2, 0.1, 1, 10, 100}) {
                double error = crossValidated(x, y, order, (a, b, s) -> Ridge.fit(a, b, penalty), seed);
                if (error < best) {
                    best = error;
                    bestPenalty = penalty;
                }
            }
            return Ridge.fit(x, y, bestPenalty);
        };
    }

    /// A fixed boosting setting, for use inside [#bestOf].
    public static RegressionMethod boostedTrees(int depth, double rate) {
        return (x, y, seed) -> BoostedTrees.fit(x, y, new BoostedTrees.Options(60, depth, rate));
    }

    private static double crossValidated(double[][] x, double[] y, int[] order, RegressionMethod method, long seed) {
        double error = 0;
        for (int fold = 0; fold < FOLDS; fold++) {
            int f = fold;
            int[] test = IntStream.range(0, order.length).filter(i -> i % FOLDS == f).map(i -> order[i]).toArray();
            int[] train = IntStream.range(0, order.length).filter(i -> i % FOLDS != f).map(i -> order[i]).toArray();
            if (test.length == 0 || train.length < 2) {
                continue;
            }
            Regressor model = method.fit(rows(x, train), entries(y, train), seed);
            for (int i : test) {
                double e = model.predict(x[i]) - y[i];
                error += e * e;
            }
        }
        return error;
    }

    private static int[] shuffled(int n, long seed) {
        int[] order = IntStream.range(0, n).toArray();
        var random = new SplittableRandom(seed);
        for (int i = n - 1; i > 0; i--) {
            int j = random.nextInt(i + 1);
            int keep = order[i];
            order[i] = order[j];
            order[j] = keep;
        }
        return order;
    }

    private static double[][] rows(double[][] x, int[] indices) {
        return Arrays.stream(indices).mapToObj(i -> x[i]).toArray(double[][]::new);
    }

    private static double[] entries(double[] y, int[] indices) {
        return Arrays.stream(indices).mapToDouble(i -> y[i]).toArray();
    }
}
