package knobscape.surrogate.ensemble;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import ml.dmlc.xgboost4j.java.Booster;
import ml.dmlc.xgboost4j.java.DMatrix;
import ml.dmlc.xgboost4j.java.XGBoost;
import ml.dmlc.xgboost4j.java.XGBoostError;

/// Boosted trees of things made of several rows, a program of its statements: the prediction is the sum over the rows
/// (Zheng et al., OSDI 2020, as released with TVM 0.8). The error of a sum is squared and weighted by the target, so
/// that the good ones count most.
public final class SummedTrees {
    private static final XgBoost.Options ANSOR =
            new XgBoost.Options(XgBoost.Objective.REGRESSION, 10, 0.2, 0.001, 10_000, 50, 1);

    /// Rounding errors do not count as gains.
    private static final double LEAST_GAIN = 1e-6;

    private final TreeForest forest;

    private SummedTrees(TreeForest forest) {
        this.forest = forest;
    }

    /// Trains with Ansor's settings: depth 10, rate 0.2, gamma 0.001, up to 10 000 trees, 50 without a better error.
    /// Throws [UserError] where the library cannot be loaded.
    ///
    /// @param programs the rows of each
    /// @param target of each, at least 0
    public static SummedTrees fit(List<List<double[]>> programs, double[] target, long seed) {
        try {
            return train(programs, target, seed);
        } catch (XGBoostError e) {
            throw new IllegalStateException("XGBoost failed: " + e.getMessage(), e);
        } catch (LinkageError e) {
            throw XgBoost.missing(e);
        }
    }

    private static SummedTrees train(List<List<double[]>> programs, double[] target, long seed) throws XGBoostError {
        double[][] rows = programs.stream().flatMap(List::stream).toArray(double[][]::new);
        int[] of = new int[rows.length];
        int at = 0;
        for (int p = 0; p < programs.size(); p++) {
            Arrays.fill(of, at, at += programs.get(p).size(), p);
        }
        int[] columns = XgBoost.telling(rows);
        Map<String, Object> parameters = XgBoost.parameters(ANSOR, seed);
        parameters.put("min_child_weight", 0);
        DMatrix data = new DMatrix(XgBoost.chosen(rows, columns), rows.length, columns.length, Float.NaN);
        Booster booster = null;
        try {
            booster = XGBoost.train(data, parameters, 0, new HashMap<>(), null, null);
            float[] gradient = new float[rows.length];
            float[] curvature = new float[rows.length];
            double[] sum = new double[programs.size()];
            double best = Double.POSITIVE_INFINITY;
            int since = 0;
            for (int round = 0; round < ANSOR.rounds() && since < ANSOR.patience(); round++) {
                for (int i = 0; i < rows.length; i++) {
                    double weight = target[of[i]];
                    gradient[i] = (float) (weight * (sum[of[i]] - target[of[i]]));
                    curvature[i] = (float) weight;
                }
                booster.boost(data, round, gradient, curvature);
                Arrays.fill(sum, 0);
                float[][] predicted = booster.predict(data, true);
                for (int i = 0; i < rows.length; i++) {
                    sum[of[i]] += predicted[i][0];
                }
                double error = 0;
                for (int p = 0; p < sum.length; p++) {
                    error += (sum[p] - target[p]) * (sum[p] - target[p]);
                }
                since = error < best * (1 - LEAST_GAIN) ? 0 : since + 1;
                best = Math.min(best, error);
            }
            return new SummedTrees(TreeForest.ofModel(booster.toByteArray("json"), columns, 0));
        } finally {
            if (booster != null) {
                booster.dispose();
            }
            data.dispose();
        }
    }

    /// The prediction for a program of these rows.
    public double predict(List<double[]> rows) {
        return rows.stream().mapToDouble(forest::predict).sum();
    }
}
