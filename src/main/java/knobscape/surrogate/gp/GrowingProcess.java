package knobscape.surrogate.gp;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import knobscape.numeric.Cholesky;
import knobscape.surrogate.GaussianPosterior;
import knobscape.surrogate.Model;
import knobscape.surrogate.Posterior;
import knobscape.surrogate.TrainingData;

/// A process of one output with given hyper-parameters (a product of one Matern 5/2 per length scale) that
/// takes its rows one after the other and keeps what it knows of watched blocks of candidates up to date: a row
/// more costs O(n) per candidate, a candidate more O(n^2). Rows can be taken back in reverse, so that fantasies
/// about designs in flight leave no trace. The arithmetic of a row depends on the rows before it alone.
///
/// As a [Model] it may be asked from several threads, as long as none gives it rows.
public final class GrowingProcess implements Model {
    private static final double LEAST_PIVOT = 1e-10;
    private static final double PRIOR_ROWS = 1;

    private final SharedLengths lengths;
    private final double[] weights;
    /// By length scale, its columns.
    private final int[][] groups;
    private final double noise;
    private final double expected;
    /// Rows, scaled.
    private final List<double[]> x = new ArrayList<>();
    private final Cholesky factor = Cholesky.empty();
    /// Its columns, gathered once: every block needs all of them.
    private final List<double[]> factorColumns = new ArrayList<>();
    private final List<Block> blocks = new ArrayList<>();
    private double[] y = new double[0];
    private double[] whitened = new double[0];
    private double mean;
    private double variance = 1;

    /// Candidates whose beliefs are kept.
    public final class Block {
        private final double[][] columns;
        private final List<double[]> solved = new ArrayList<>();
        private final int size;
        private double[] explained;

        private Block(double[][] rows) {
            size = rows.length;
            columns = new double[weights.length][size];
            for (int i = 0; i < size; i++) {
                for (int c = 0; c < weights.length; c++) {
                    columns[c][i] = rows[i][c] * weights[c];
                }
            }
            explained = new double[size];
            for (int i = 0; i < x.size(); i++) {
                take(i);
            }
        }

        private void take(int i) {
            double[] k = covariances(columns, size, x.get(i), StationaryKernel.MATERN52::roughValues);
            double[] row = factorColumns.get(i);
            add(k, -1, row, solved, i);
            double inverse = 1 / row[i];
            for (int l = 0; l < size; l++) {
                k[l] *= inverse;
            }
            solved.add(k);
            Lanes.addProduct(explained, 1, k, k);
        }

        private void truncate(int n) {
            solved.subList(n, solved.size()).clear();
            // Summed anew, in the same order: what was added and taken away again would leave rounding behind.
            explained = new double[size];
            solved.forEach(v -> Lanes.addProduct(explained, 1, v, v));
        }

        /// Posterior means, in the units of the outputs.
        public double[] means() {
            double[] means = new double[size];
            Arrays.fill(means, mean);
            add(means, 1, whitened, solved, solved.size());
            return means;
        }

        /// Posterior variances without noise.
        public double[] variances() {
            double[] v = new double[size];
            for (int i = 0; i < size; i++) {
                v[i] = variance * Math.max(LEAST_PIVOT, 1 - explained[i]);
            }
            return v;
        }
    }

    /// @param parameters whose columns the rows have
    /// @param expected variance of the signal expected beforehand, which counts where rows are few
    public GrowingProcess(SharedLengths parameters, double expected) {
        this.lengths = parameters;
        this.weights = parameters.weights();
        this.groups = parameters.columns();
        this.noise = parameters.noise();
        this.expected = expected;
    }

    /// One of all rows of some data, each measured once; the signal is expected to vary as the outputs do.
    public static GrowingProcess of(SharedLengths parameters, TrainingData data) {
        double[] y = data.target();
        double mean = Arrays.stream(y).average().orElse(0);
        var process = new GrowingProcess(
                parameters,
                Arrays.stream(y).map(v -> (v - mean) * (v - mean)).average().orElse(0));
        for (double[] row : data.x()) {
            process.add(row, 1);
        }
        process.outputs(y);
        return process;
    }

    /// Fits hyper-parameters.
    ///
    /// @param group by column the position of its length scale
    public static Trainer trainer(int[] group, KnobGpSettings settings) {
        return (data, warmStart, seed) -> {
            Optional<SharedLengths> start = warmStart
                    .filter(w -> w.length == Arrays.stream(group).max().orElse(-1) + 2)
                    .map(w -> SharedLengths.of(group, w));
            return of(SharedLengths.fit(data.x(), data.target(), group, start, settings, seed), data);
        };
    }

    @Override
    public int outputs() {
        return 1;
    }

    @Override
    public Posterior posterior(double[][] x, Posterior lower) {
        var p = GaussianPosterior.blank(x.length, 1);
        if (x.length > 0) {
            var block = new Block(x);
            System.arraycopy(block.means(), 0, p.means(), 0, x.length);
            System.arraycopy(block.variances(), 0, p.covariances(), 0, x.length);
        }
        return p;
    }

    @Override
    public Model given(TrainingData more) {
        return of(lengths, more);
    }

    @Override
    public double[] parameters() {
        return lengths.flat();
    }

    /// `target += sign * sum w[i] rows[i]` over the first `count` rows.
    private static void add(double[] target, double sign, double[] w, List<double[]> rows, int count) {
        int i = 0;
        for (; i + 3 < count; i += 4) {
            double[][] four = {rows.get(i), rows.get(i + 1), rows.get(i + 2), rows.get(i + 3)};
            Lanes.addFour(target, sign * w[i], sign * w[i + 1], sign * w[i + 2], sign * w[i + 3], four, 0);
        }
        for (; i < count; i++) {
            Lanes.add(target, sign * w[i], rows.get(i));
        }
    }

    /// Covariances of scaled points given by columns with a scaled row.
    private double[] covariances(double[][] columns, int size, double[] row, Consumer<double[]> kernel) {
        double[] k = new double[size];
        Arrays.fill(k, 1);
        double[] r2 = new double[size];
        for (int[] own : groups) {
            Arrays.fill(r2, 0);
            for (int c : own) {
                addSquares(r2, columns[c], row[c]);
            }
            kernel.accept(r2);
            Lanes.multiply(k, r2);
        }
        return k;
    }

    private static void addSquares(double[] r2, double[] column, double value) {
        for (int l = 0; l < r2.length; l++) {
            double d = column[l] - value;
            r2[l] += d * d;
        }
    }

    /// Watches candidates.
    ///
    /// @param rows in the columns of the process
    public Block watch(double[][] rows) {
        var block = new Block(rows);
        blocks.add(block);
        return block;
    }

    /// Forgets candidates.
    public void drop(Block block) {
        blocks.remove(block);
    }

    /// Takes a row; [#outputs] has to follow before anything is asked.
    ///
    /// @param row in the columns of the process
    /// @param measurements how often it was measured: the noise of its mean is so much smaller
    public void add(double[] row, int measurements) {
        int n = x.size();
        double[] scaled = new double[row.length];
        for (int c = 0; c < row.length; c++) {
            scaled[c] = row[c] * weights[c];
        }
        double[] column = covariances(Lanes.columns(x, weights.length), n, scaled, StationaryKernel.MATERN52::values);
        factor.grow(column, 1 + noise / measurements, LEAST_PIVOT);
        factorColumns.add(factor.column(n));
        x.add(scaled);
        for (Block b : blocks) {
            b.take(n);
        }
    }

    /// Takes back the last rows until `n` are left.
    public void truncate(int n) {
        if (n < x.size()) {
            x.subList(n, x.size()).clear();
            factor.truncate(n);
            factorColumns.subList(n, factorColumns.size()).clear();
            blocks.forEach(b -> b.truncate(n));
        }
    }

    /// Sets the outputs of all rows; mean (generalised least squares) and variance of the signal follow, the variance
    /// as if [#PRIOR_ROWS] rows more had had the one expected.
    public void outputs(double[] y) {
        this.y = y.clone();
        Trend trend = Trend.of(factor, Trend.Basis.constant(y.length), y);
        mean = trend.beta()[0];
        whitened = trend.whitened();
        variance = (trend.squares() + PRIOR_ROWS * expected) / (y.length + PRIOR_ROWS);
    }

    /// Takes one row whose output is what the process expects there (kriging believer); mean and variance stay.
    public void believe(double[] row) {
        add(row, 1);
        // The residual of what was expected is zero.
        whitened = Arrays.copyOf(whitened, x.size());
    }

    /// Posterior means at the rows themselves, noise taken off; what is only believed does not count.
    public double[] smoothed() {
        double[] w = weightsOf();
        return IntStream.range(0, w.length)
                .mapToDouble(i -> y[i] - diagonalNoise(i) * w[i])
                .toArray();
    }

    /// The expectation of each row from all others, the mean kept; O(n^3).
    public double[] leaveOneOut() {
        double[] above = leftOut().residuals();
        return IntStream.range(0, y.length).mapToDouble(i -> y[i] - above[i]).toArray();
    }

    /// Sum of the logarithms of the densities that all others give each row, without the constant, mean and variance
    /// kept; O(n^3).
    public double leaveOneOutDensity() {
        return leftOut().logDensity(variance);
    }

    private LeaveOneOut leftOut() {
        return new LeaveOneOut(factor.inverseDiagonal(y.length), weightsOf());
    }

    /// `K^-1 (y - mean)` of the rows with outputs.
    private double[] weightsOf() {
        return factor.colour(Arrays.copyOf(whitened, y.length));
    }

    private double diagonalNoise(int i) {
        double sum = 0;
        for (double v : factorColumns.get(i)) {
            sum += v * v;
        }
        return Math.max(0, sum - 1);
    }
}
