package knobscape.surrogate;

import java.util.Arrays;
import java.util.stream.IntStream;

/// The training data of the model of one fidelity.
///
/// @param x features, n x d
/// @param lower outputs of the next lower fidelity at the same designs, n x g; g is 0 at the lowest fidelity.
/// Complete: no NaN
/// @param y outputs, n x M; NaN where an output was not observed
/// @param lowerOf by output the lower output that is the same quantity, -1 where there is none; models that
/// treat all lower outputs alike ignore it
/// @param slopes by how much outputs are expected to change with lower ones; models without a prior mean ignore it
public record TrainingData(double[][] x, double[][] lower, double[][] y, int[] lowerOf, PriorSlopes slopes) {
    public TrainingData {
        if (x.length == 0 || x.length != lower.length || x.length != y.length) {
            throw new IllegalArgumentException("training data needs as many features as outputs, and at least one; was "
                    + x.length + ", " + lower.length + " and " + y.length);
        }
        for (int i = 0; i < x.length; i++) {
            if (x[i].length != x[0].length || lower[i].length != lower[0].length || y[i].length != y[0].length) {
                throw new IllegalArgumentException("row " + i + " of the training data has another length than row 0");
            }
            requireFinite(x[i], "feature");
            requireFinite(lower[i], "lower fidelity's output");
        }
        if (lowerOf.length != y[0].length || Arrays.stream(lowerOf).anyMatch(c -> c < -1 || c >= lower[0].length)) {
            throw new IllegalArgumentException("each output needs the position of a lower output, or -1");
        }
        for (int j = 0; j < y[0].length; j++) {
            int output = j;
            if (Arrays.stream(y).allMatch(row -> Double.isNaN(row[output]))) {
                throw new IllegalArgumentException("output " + j + " was never observed");
            }
        }
    }

    /// Data of which nothing is expected beforehand.
    public TrainingData(double[][] x, double[][] lower, double[][] y, int[] lowerOf) {
        this(
                x,
                lower,
                y,
                lowerOf,
                PriorSlopes.learned(new double[lowerOf.length][lower.length == 0 ? 0 : lower[0].length]));
    }

    /// Data whose outputs are not told apart.
    public TrainingData(double[][] x, double[][] lower, double[][] y) {
        this(x, lower, y, none(y.length == 0 ? 0 : y[0].length));
    }

    private static int[] none(int outputs) {
        int[] all = new int[outputs];
        Arrays.fill(all, -1);
        return all;
    }

    private static void requireFinite(double[] row, String what) {
        for (double v : row) {
            if (!Double.isFinite(v)) {
                throw new IllegalArgumentException("a " + what + " is not finite");
            }
        }
    }

    /// Data of one output of a single or lowest fidelity.
    public static TrainingData single(double[][] x, double[] y) {
        return single(x, Arrays.stream(y).mapToObj(v -> new double[] {v}).toArray(double[][]::new));
    }

    /// Data of a single or lowest fidelity.
    public static TrainingData single(double[][] x, double[][] y) {
        return new TrainingData(x, new double[x.length][0], y);
    }

    /// Number of designs n.
    public int size() {
        return x.length;
    }

    /// Number of features d.
    public int features() {
        return x[0].length;
    }

    /// Number of outputs of the lower fidelity, 0 at the lowest.
    public int lowerOutputs() {
        return lower[0].length;
    }

    /// Number of outputs M.
    public int outputs() {
        return y[0].length;
    }

    /// True if every output was observed everywhere.
    public boolean isComplete() {
        return Arrays.stream(y).flatMapToDouble(Arrays::stream).noneMatch(Double::isNaN);
    }

    /// The only output, of every design; throws `IllegalArgumentException` where there are several or a value
    /// is missing.
    public double[] target() {
        if (outputs() != 1 || !isComplete()) {
            throw new IllegalArgumentException("this model learns one output, observed everywhere, at a time");
        }
        return Arrays.stream(y).mapToDouble(row -> row[0]).toArray();
    }

    /// Some of the designs, in the order given; one may be there more than once.
    public TrainingData rows(int[] indices) {
        return new TrainingData(pick(x, indices), pick(lower, indices), pick(y, indices), lowerOf, slopes);
    }

    private static double[][] pick(double[][] table, int[] indices) {
        return Arrays.stream(indices).mapToObj(i -> table[i]).toArray(double[][]::new);
    }

    /// The same designs with one output only, those where it was observed.
    public TrainingData output(int j) {
        int[] rows =
                IntStream.range(0, y.length).filter(i -> !Double.isNaN(y[i][j])).toArray();
        return new TrainingData(
                pick(x, rows),
                pick(lower, rows),
                Arrays.stream(rows).mapToObj(i -> new double[] {y[i][j]}).toArray(double[][]::new),
                new int[] {lowerOf[j]},
                slopes.output(j));
    }
}
