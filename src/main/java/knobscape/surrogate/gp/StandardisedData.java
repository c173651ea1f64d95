package knobscape.surrogate.gp;

import java.util.Arrays;
import java.util.stream.IntStream;
import knobscape.surrogate.TrainingData;

/// Training data in the units a process works in: outputs and the lower fidelity's outputs with mean 0 and
/// standard deviation 1.
///
/// @param inputs x and standardised lower outputs, n x (d + g)
/// @param y standardised outputs by output and design, M x n in row order, NaN where missing
/// @param mean mean of each output's observed values
/// @param scale their standard deviation; a small share of their size where they do not vary
/// @param lowerMean mean of each lower output
/// @param lowerScale standard deviation of each lower output, likewise
/// @param slopes what is expected of each output by the lower ones and has been taken off `y`, M x g
/// @param isExact whether they are certain of all outputs
/// @param multiplier what they were multiplied by
record StandardisedData(
        double[][] inputs,
        double[] y,
        double[] mean,
        double[] scale,
        double[] lowerMean,
        double[] lowerScale,
        double[][] slopes,
        boolean isExact,
        double multiplier) {

    static StandardisedData of(TrainingData data) {
        double[][] output = columns(data.y(), data.outputs());
        double[][] lower = columns(data.lower(), data.lowerOutputs());
        double[] mean = new double[output.length];
        double[] scale = new double[output.length];
        double[] lowerMean = new double[lower.length];
        double[] lowerScale = new double[lower.length];
        moments(lower, lowerMean, lowerScale);
        for (int a = 0; a < output.length; a++) {
            for (int i = 0; i < data.size(); i++) {
                for (int c = 0; c < lower.length; c++) {
                    output[a][i] -= data.slopes().values()[a][c] * (lower[c][i] - lowerMean[c]);
                }
            }
        }
        moments(output, mean, scale);
        double[][] slopes = new double[output.length][lower.length];
        for (int a = 0; a < output.length; a++) {
            for (int c = 0; c < lower.length; c++) {
                slopes[a][c] = data.slopes().values()[a][c] * lowerScale[c] / scale[a];
            }
        }
        return scaled(data, mean, scale, lowerMean, lowerScale, slopes, isExact(data), 1);
    }

    private static boolean isExact(TrainingData data) {
        return IntStream.range(0, data.outputs()).allMatch(a -> data.slopes().exact()[a]);
    }

    /// Other data on the scale of this.
    StandardisedData sameScale(TrainingData other) {
        return scaled(other, mean, scale, lowerMean, lowerScale, slopes, isExact, multiplier);
    }

    /// The expectation of the slopes for an output at the designs, off its mean.
    double[] expected(int output) {
        double[] expected = new double[inputs.length];
        for (int i = 0; i < expected.length; i++) {
            int first = inputs[i].length - lowerMean.length;
            for (int c = 0; c < lowerMean.length; c++) {
                expected[i] += slopes[output][c] * inputs[i][first + c];
            }
        }
        return expected;
    }

    /// The same of one output with all slopes multiplied.
    StandardisedData multiplied(double factor) {
        double[] expected = expected(0);
        double[] other = y.clone();
        Arrays.setAll(other, i -> y[i] + (1 - factor) * expected[i]);
        double[][] multiplied = {Arrays.stream(slopes[0]).map(v -> factor * v).toArray()};
        return new StandardisedData(inputs, other, mean, scale, lowerMean, lowerScale, multiplied, isExact, factor);
    }

    private static StandardisedData scaled(
            TrainingData data,
            double[] mean,
            double[] scale,
            double[] lowerMean,
            double[] lowerScale,
            double[][] slopes,
            boolean isExact,
            double multiplier) {
        int n = data.size();
        double[] y = new double[mean.length * n];
        double[][] inputs = new double[n][];
        for (int i = 0; i < n; i++) {
            for (int a = 0; a < mean.length; a++) {
                y[a * n + i] = (data.y()[i][a] - mean[a]) / scale[a];
            }
            inputs[i] = Arrays.copyOf(data.x()[i], data.features() + lowerMean.length);
            for (int c = 0; c < lowerMean.length; c++) {
                double g = (data.lower()[i][c] - lowerMean[c]) / lowerScale[c];
                inputs[i][data.features() + c] = g;
                for (int a = 0; a < mean.length; a++) {
                    y[a * n + i] -= slopes[a][c] * g;
                }
            }
        }
        return new StandardisedData(inputs, y, mean, scale, lowerMean, lowerScale, slopes, isExact, multiplier);
    }

    private static double[][] columns(double[][] rows, int count) {
        double[][] columns = new double[count][rows.length];
        for (int i = 0; i < rows.length; i++) {
            for (int c = 0; c < count; c++) {
                columns[c][i] = rows[i][c];
            }
        }
        return columns;
    }

    private static void moments(double[][] columns, double[] mean, double[] scale) {
        for (int c = 0; c < columns.length; c++) {
            int count = 0;
            for (double v : columns[c]) {
                if (!Double.isNaN(v)) {
                    mean[c] += v;
                    count++;
                }
            }
            mean[c] /= count;
            double squares = 0;
            for (double v : columns[c]) {
                squares += Double.isNaN(v) ? 0 : (v - mean[c]) * (v - mean[c]);
            }
            double deviation = Math.sqrt(squares / count);
            double size = Math.max(1, Math.abs(mean[c]));
            // Values that do not vary tell nothing about a scale; a hundredth of their size keeps the prior
            // modest.
            scale[c] = deviation > 1e-9 * size ? deviation : 0.01 * size;
        }
    }
}
