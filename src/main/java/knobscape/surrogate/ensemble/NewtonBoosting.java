package knobscape.surrogate.ensemble;

import java.util.Arrays;

/// Gradient-boosted trees with second-order leaves and squared error (Chen and Guestrin, KDD 2016, Eq. 5 to 7), for the small data sets between two measurements: some hundred rows, refitted
/// after each. There the XGBoost library spends its time on calls, this spends microseconds per tree. Rows carry weights, so that a bootstrap resample is a vector of counts.
/// Deterministic.
public final class NewtonBoosting {
    private static final int MOST_BINS = 64;

    private final int n;
    /// Feature of each column that is kept (constant ones are not).
    private final int[] featureOf;
    /// Bin of every row, column after column.
    private final byte[][] bins;
    /// Lowest value of each bin but the first: `x < cuts[b]` means bin `b` or lower.
    private final float[][] cuts;

    /// How to train.
    ///
    /// @param trees number of trees
    /// @param depth most splits from root to leaf
    /// @param rate shrinkage (eta)
    /// @param lambda ridge penalty on leaves
    /// @param gamma least gain of a split
    public record Options(int trees, int depth, double rate, double lambda, double gamma) {
        /// 50 trees with AutoTVM's depth 3, rate 0.3, lambda 1 and gamma 1e-4.
        public static final Options DEFAULT = new Options(50, 3, 0.3, 1, 1e-4);

        public Options {
            if (trees < 1 || depth < 1 || depth > 10 || !(rate > 0) || rate > 1 || !(lambda >= 0) || !(gamma >= 0)) {
                throw new IllegalArgumentException("boosting needs at least one tree of depth 1 to 10, a rate in (0, 1] and penalties that are not negative");
            }
        }
    }

    /// Sorts the values of `n` rows of `d` features (row after row) into at most 64 bins each; done once for several fits.
    public NewtonBoosting(float[] rows, int n, int d) {
        if (rows.length < (long) n * d || n < 1) {
            throw new IllegalArgumentException("expected " + n + " x " + d + " features");
        }
        this.n = n;
        int[] kept = new int[d];
        byte[][] codes = new byte[d][];
        float[][] limits = new float[d][];
        int count = 0;
        float[] values = new float[n];
        for (int f = 0; f < d; f++) {
            for (int i = 0; i < n; i++) {
                values[i] = rows[i * d + f];
            }
            float[] cut = cuts(values);
            if (cut.length == 0) {
                continue;
            }
            byte[] code = new byte[n];
            for (int i = 0; i < n; i++) {
                int at = Arrays.binarySearch(cut, values[i]);
                code[i] = (byte) (at >= 0 ? at + 1 : -at - 1);
            }
            kept[count] = f;
            codes[count] = code;
            limits[count++] = cut;
        }
        featureOf = Arrays.copyOf(kept, count);
        bins = Arrays.copyOf(codes, count);
        cuts = Arrays.copyOf(limits, count);
    }

    /// Limits half-way between neighbouring values, of as equal counts as possible where there are too many.
    private static float[] cuts(float[] values) {
        float[] sorted = values.clone();
        Arrays.sort(sorted);
        int different = 1;
        for (int i = 1; i < sorted.length; i++) {
            if (sorted[i] > sorted[i - 1]) {
                different++;
            }
        }
        float[] cut = new float[Math.min(different, MOST_BINS) - 1];
        int made = 0;
        for (int i = 1; i < sorted.length && made < cut.length; i++) {
            boolean due = different <= MOST_BINS || i >= (long) (made + 1) * sorted.length / MOST_BINS;
            if (sorted[i] > sorted[i - 1] && due) {
                float middle = sorted[i - 1] + (sorted[i] - sorted[i - 1]) / 2;
                cut[made++] = middle > sorted[i - 1] ? middle : sorted[i];
            }
        }
        return Arrays.copyOf(cut, made);
    }

    /// Fits to targets; the constant (their mean) is left out, so that scores are relative to it.
    ///
    /// @param targets of every row
    /// @param weights of every row, 0 for rows left out
    public TreeForest fit(float[] targets, float[] weights, Options options) {
        var trees = new Growth(targets, weights, options);
        for (int t = 0; t < options.trees; t++) {
            trees.grow(t);
        }
        return trees.forest();
    }

    /// The state of one fit.
    private final class Growth {
        private final Options options;
        private final float[] targets;
        private final double[] predicted;
        private final double[] gradient;
        /// Rows that count, grouped by node while a tree grows.
        private final int[] rows;
        private final int[] spare;
        private final float[] weights;
        private final double[] binGradient = new double[MOST_BINS];
        private final double[] binWeight = new double[MOST_BINS];
        /// As [TreeForest] wants them.
        private final int[] feature;
        private final float[] threshold;
        private final float[] leaf;

        Growth(float[] targets, float[] weights, Options options) {
            if (targets.length != n || weights.length != n) {
                throw new IllegalArgumentException("expected " + n + " targets and weights");
            }
            this.targets = targets;
            this.weights = weights;
            this.options = options;
            int[] used = new int[n];
            int count = 0;
            double sum = 0;
            double weight = 0;
            for (int i = 0; i < n; i++) {
                if (weights[i] > 0) {
                    used[count++] = i;
                    sum += (double) weights[i] * targets[i];
                    weight += weights[i];
                }
            }
            if (count == 0) {
                throw new IllegalArgumentException("at least one row must have a weight");
            }
            rows = Arrays.copyOf(used, count);
            spare = new int[count];
            predicted = new double[n];
            Arrays.fill(predicted, sum / weight);
            gradient = new double[n];
            feature = new int[options.trees * ((1 << options.depth) - 1)];
            threshold = new float[feature.length];
            leaf = new float[options.trees << options.depth];
        }

        void grow(int tree) {
            for (int i : rows) {
                gradient[i] = weights[i] * (predicted[i] - targets[i]);
            }
            node(tree, 0, 0, rows.length, options.depth);
        }

        /// Rows `from .. to - 1` at node `at` of a tree, `depth` splits above the lowest leaves.
        private void node(int tree, int at, int from, int to, int depth) {
            double g = 0;
            double h = 0;
            for (int k = from; k < to; k++) {
                g += gradient[rows[k]];
                h += weights[rows[k]];
            }
            int column = -1;
            int cut = -1;
            double best = options.gamma;
            double whole = g * g / (h + options.lambda);
            for (int c = 0; depth > 0 && to - from > 1 && c < bins.length; c++) {
                byte[] code = bins[c];
                int used = cuts[c].length + 1;
                Arrays.fill(binGradient, 0, used, 0);
                Arrays.fill(binWeight, 0, used, 0);
                for (int k = from; k < to; k++) {
                    int i = rows[k];
                    binGradient[code[i]] += gradient[i];
                    binWeight[code[i]] += weights[i];
                }
                double gl = 0;
                double hl = 0;
                for (int b = 0; b + 1 < used; b++) {
                    gl += binGradient[b];
                    hl += binWeight[b];
                    double hr = h - hl;
                    if (hl >= 1 && hr >= 1) {
                        double gain = gl * gl / (hl + options.lambda) + (g - gl) * (g - gl) / (hr + options.lambda) - whole;
                        if (gain > best) {
                            best = gain;
                            column = c;
                            cut = b;
                        }
                    }
                }
            }
            int inner = (1 << options.depth) - 1;
            if (column < 0) {
                double value = -options.rate * g / (h + options.lambda);
                int first = (tree << options.depth) + ((at + 1) << depth) - 1 - inner;
                Arrays.fill(leaf, first, first + (1 << depth), (float) value);
                for (int k = from; k < to; k++) {
                    predicted[rows[k]] += value;
                }
                return;
            }
            feature[tree * inner + at] = featureOf[column];
            threshold[tree * inner + at] = cuts[column][cut];
            int middle = part(from, to, bins[column], cut);
            node(tree, 2 * at + 1, from, middle, depth - 1);
            node(tree, 2 * at + 2, middle, to, depth - 1);
        }

        /// Brings the rows of bins up to `cut` to the front, keeping order.
        private int part(int from, int to, byte[] code, int cut) {
            int low = from;
            int high = 0;
            for (int k = from; k < to; k++) {
                int i = rows[k];
                if (code[i] <= cut) {
                    rows[low++] = i;
                } else {
                    spare[high++] = i;
                }
            }
            System.arraycopy(spare, 0, rows, low, high);
            return low;
        }

        TreeForest forest() {
            return new TreeForest(options.trees, options.depth, feature, threshold, leaf);
        }
    }
}
