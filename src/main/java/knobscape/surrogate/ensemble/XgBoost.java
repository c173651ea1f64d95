package knobscape.surrogate.ensemble;

import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import ml.dmlc.xgboost4j.java.Booster;
import ml.dmlc.xgboost4j.java.DMatrix;
import ml.dmlc.xgboost4j.java.XGBoost;
import ml.dmlc.xgboost4j.java.XGBoostError;

/// Boosted trees by the XGBoost library (Chen and Guestrin, KDD 2016), trained as AutoTVM's cost model is: a round at a time until the ranking of the training rows
/// has not become better for a while. One thread and a fixed seed, so that the same rows give the same trees.
public final class XgBoost {
    private XgBoost() {
    }

    /// What a tree is to get right.
    public enum Objective {
        /// The order of rows, by pairs (`rank:pairwise`, one pair sampled per row and round).
        RANK("rank:pairwise"),
        /// The values (`reg:squarederror`).
        REGRESSION("reg:squarederror");

        private final String key;

        Objective(String key) {
            this.key = key;
        }
    }

    /// How to train.
    ///
    /// @param objective what the trees minimise
    /// @param depth of a tree
    /// @param rate shrinkage (eta)
    /// @param gamma least loss reduction of a split
    /// @param rounds most trees
    /// @param patience rounds without better recall after which training stops
    /// @param recallAt the recall watched is averaged over the best 1 .. `recallAt` rows
    public record Options(Objective objective, int depth, double rate, double gamma, int rounds, int patience, int recallAt) {
        /// AutoTVM's settings for plans of `plan` measurements: depth 3, rate 0.3, gamma 1e-4, up to 8000 rounds, patience 20.
        public static Options autoTvm(Objective objective, int plan) {
            return new Options(objective, 3, 0.3, 1e-4, 8000, 20, plan);
        }
    }

    /// Why the library cannot be used on this machine, in a sentence; empty where it can.
    public static Optional<String> problem() {
        try {
            fit(new float[] {0, 1}, 2, 1, new float[] {0, 1}, new Options(Objective.REGRESSION, 1, 1, 0, 1, 1, 1), 0);
            return Optional.empty();
        } catch (LinkageError | IllegalStateException e) {
            return Optional.of("XGBoost's native library cannot be loaded here (" + e.getMessage() + ").");
        }
    }

    /// Fits to `n` rows of `d` features (row after row) and their targets, larger being better.
    ///
    /// @param seed of the pairs sampled
    public static TreeForest fit(float[] rows, int n, int d, float[] targets, Options options, long seed) {
        if (rows.length != (long) n * d || targets.length != n || n == 0) {
            throw new IllegalArgumentException("expected " + n + " x " + d + " features and " + n + " targets");
        }
        try {
            return train(rows, n, d, targets, options, seed);
        } catch (XGBoostError e) {
            throw new IllegalStateException("XGBoost failed: " + e.getMessage(), e);
        }
    }

    private static TreeForest train(float[] rows, int n, int d, float[] targets, Options options, long seed) throws XGBoostError {
        DMatrix data = new DMatrix(rows, n, d, Float.NaN);
        Booster booster = null;
        try {
            data.setLabel(targets);
            booster = XGBoost.train(data, parameters(options, seed), 0, new HashMap<>(), null, null);
            int[] order = best(targets, n);
            int[] rank = new int[n];
            for (int i = 0; i < n; i++) {
                rank[order[i]] = i;
            }
            double bestRecall = -1;
            int since = 0;
            for (int round = 0; round < options.rounds && since < options.patience; round++) {
                booster.update(data, round);
                double recall = averageRecall(booster.predict(data, true), rank, options.recallAt);
                if (recall > bestRecall) {
                    bestRecall = recall;
                    since = 0;
                } else {
                    since++;
                }
            }
            return TreeForest.ofDump(booster.getModelDump("", false, "json"));
        } finally {
            if (booster != null) {
                booster.dispose();
            }
            data.dispose();
        }
    }

    private static Map<String, Object> parameters(Options options, long seed) {
        var p = new HashMap<String, Object>();
        p.put("objective", options.objective.key);
        p.put("max_depth", options.depth);
        p.put("eta", options.rate);
        p.put("gamma", options.gamma);
        p.put("min_child_weight", 1);
        p.put("subsample", 1);
        p.put("lambda", 1);
        p.put("alpha", 0);
        p.put("tree_method", "hist");
        p.put("max_bin", 64);
        p.put("nthread", 1);
        p.put("verbosity", 0);
        p.put("seed", seed & 0x7FFFFFFFL);
        if (options.objective == Objective.RANK) {
            p.put("lambdarank_pair_method", "mean");
            p.put("lambdarank_num_pair_per_sample", 1);
        }
        return p;
    }

    private static int[] best(float[] values, int n) {
        Integer[] order = new Integer[n];
        Arrays.setAll(order, i -> i);
        Arrays.sort(order, Comparator.<Integer>comparingDouble(i -> -values[i]).thenComparing(i -> i));
        return Arrays.stream(order).mapToInt(Integer::intValue).toArray();
    }

    /// Mean over k = 1 .. `at` of the share of the k rows predicted best that are among the k best.
    static double averageRecall(float[][] predicted, int[] rank, int at) {
        int n = rank.length;
        float[] flat = new float[n];
        for (int i = 0; i < n; i++) {
            flat[i] = predicted[i][0];
        }
        int[] order = best(flat, n);
        int most = Math.min(at, n);
        double sum = 0;
        for (int k = 1; k <= most; k++) {
            int hits = 0;
            for (int i = 0; i < k; i++) {
                if (rank[order[i]] < k) {
                    hits++;
                }
            }
            sum += (double) hits / k;
        }
        return sum / most;
    }
}
