package knobscape.surrogate.ensemble;

import java.nio.FloatBuffer;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.stream.IntStream;
import knobscape.evaluate.UserError;
import knobscape.surrogate.Model;
import knobscape.surrogate.TrainingData;
import ml.dmlc.xgboost4j.java.Booster;
import ml.dmlc.xgboost4j.java.DMatrix;
import ml.dmlc.xgboost4j.java.XGBoost;
import ml.dmlc.xgboost4j.java.XGBoostError;

/// Boosted trees by the XGBoost library (Chen and Guestrin, KDD 2016), trained as AutoTVM's cost model is: a
/// round at a time until the ranking of the training rows has not become better for a while; or a fixed number
/// of them. One thread and a fixed seed, so that the same rows give the same trees.
public final class XgBoost {
    private XgBoost() {}

    /// The aim of a tree.
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
    /// @param patience rounds without better recall after which training stops, 0 to grow all trees
    /// @param recallAt the recall watched is averaged over the best 1 .. `recallAt` rows
    public record Options(
            Objective objective, int depth, double rate, double gamma, int rounds, int patience, int recallAt) {
        /// AutoTVM's trees for the few rows between two measurements: 50 of them, squared error.
        public static final Options SMALL = new Options(Objective.REGRESSION, 3, 0.3, 1e-4, 50, 0, 1);

        /// Throws `IllegalArgumentException` for trees that [TreeForest] does not hold.
        public Options {
            if (depth < 1 || depth > TreeForest.DEEPEST) {
                throw new IllegalArgumentException(
                        "trees have a depth of 1 to " + TreeForest.DEEPEST + ", not " + depth);
            }
        }

        /// AutoTVM's settings for plans of `plan` measurements: depth 3, rate 0.3, gamma 1e-4, up to 8000
        /// rounds, patience 20.
        public static Options autoTvm(Objective objective, int plan) {
            return new Options(objective, 3, 0.3, 1e-4, 8000, 20, plan);
        }
    }

    /// Trains on single-precision features and one output, larger being better; warm starts mean nothing to it.
    public static Model.Trainer trainer(Options options) {
        return (data, warmStart, seed) -> fit(data, options, seed);
    }

    /// As [#trainer]; throws [UserError] where the library cannot be loaded.
    ///
    /// @param seed of the pairs sampled
    public static TreeForest fit(TrainingData data, Options options, long seed) {
        try {
            return train(data, options, seed);
        } catch (XGBoostError e) {
            throw new IllegalStateException("XGBoost failed: " + e.getMessage(), e);
        } catch (LinkageError e) {
            throw missing(e);
        }
    }

    static UserError missing(LinkageError e) {
        return new UserError("XGBoost's native library cannot be loaded here (" + e.getMessage()
                + "). Use a method without boosted trees: ga, random or grid.");
    }

    private static TreeForest train(TrainingData rows, Options options, long seed) throws XGBoostError {
        int n = rows.size();
        int[] columns = telling(rows.x());
        double[] values = rows.target();
        // The order of rows has no level of its own.
        double constant = options.objective == Objective.RANK
                ? 0
                : Arrays.stream(values).average().orElseThrow();
        float[] targets = new float[n];
        for (int i = 0; i < n; i++) {
            targets[i] = (float) (values[i] - constant);
        }
        DMatrix data = new DMatrix(chosen(rows.x(), columns), n, columns.length, Float.NaN);
        Booster booster = null;
        try {
            data.setLabel(targets);
            booster = XGBoost.train(
                    data,
                    parameters(options, seed),
                    options.patience == 0 ? options.rounds : 0,
                    new HashMap<>(),
                    null,
                    null);
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
            return TreeForest.ofModel(booster.toByteArray("json"), columns, constant);
        } finally {
            if (booster != null) {
                booster.dispose();
            }
            data.dispose();
        }
    }

    /// Columns that are not the same in all rows, of equal ones the first. No tree would split on the others
    /// (of equal gains the library takes the first column), but each costs as much as a column that tells
    /// something, and loop features have five times as many of them.
    static int[] telling(double[][] x) {
        int d = x[0].length;
        var seen = new HashSet<FloatBuffer>();
        int[] columns = IntStream.range(0, d)
                .filter(j -> {
                    float[] column = new float[x.length];
                    boolean varies = false;
                    for (int i = 0; i < column.length; i++) {
                        column[i] = (float) x[i][j];
                        varies |= column[i] != column[0];
                    }
                    return varies && seen.add(FloatBuffer.wrap(column));
                })
                .toArray();
        // Without any column there is no matrix.
        return columns.length == 0 ? new int[] {0} : columns;
    }

    static float[] chosen(double[][] x, int[] columns) {
        float[] chosen = new float[x.length * columns.length];
        int at = 0;
        for (double[] row : x) {
            for (int column : columns) {
                chosen[at++] = (float) row[column];
            }
        }
        return chosen;
    }

    static Map<String, Object> parameters(Options options, long seed) {
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
        if (options.objective == Objective.REGRESSION) {
            p.put("base_score", 0);
        } else {
            p.put("lambdarank_pair_method", "mean");
            p.put("lambdarank_num_pair_per_sample", 1);
        }
        return p;
    }

    /// Rows by falling value, of equals the first.
    private static int[] best(float[] values, int most) {
        long[] top = new long[Math.min(most, values.length)];
        int n = 0;
        for (int i = 0; i < values.length; i++) {
            // One number that grows as the value falls, and then with the row.
            int bits = Float.floatToIntBits(values[i]);
            long key = (long) ~(bits ^ (bits >> 31 & Integer.MAX_VALUE)) << 32 | i;
            if (n == top.length) {
                if (key >= top[n - 1]) {
                    continue;
                }
                n--;
            }
            int at = -Arrays.binarySearch(top, 0, n, key) - 1;
            System.arraycopy(top, at, top, at + 1, n - at);
            top[at] = key;
            n++;
        }
        return Arrays.stream(top).mapToInt(k -> (int) k).toArray();
    }

    /// Mean over k = 1 .. `at` of the share of the k rows predicted best that are among the k best.
    static double averageRecall(float[][] predicted, int[] rank, int at) {
        int n = rank.length;
        float[] flat = new float[n];
        for (int i = 0; i < n; i++) {
            flat[i] = predicted[i][0];
        }
        int most = Math.min(at, n);
        int[] order = best(flat, most);
        // A row counts from the k on where it is both among those predicted best and among the best.
        int[] from = new int[n];
        for (int i = 0; i < most; i++) {
            from[Math.max(i, rank[order[i]])]++;
        }
        double sum = 0;
        int hits = 0;
        for (int k = 1; k <= most; k++) {
            hits += from[k - 1];
            sum += (double) hits / k;
        }
        return sum / most;
    }
}
