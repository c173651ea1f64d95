package knobscape.surrogate.gp;

import java.util.List;

/// Arithmetic on arrays that hold one value for each of a block of inputs. Every row is an array of its own and
/// no index has an offset: only then does the compiler turn the loops into vector instructions, since two
/// offsets into one array could overlap.
final class Lanes {
    private Lanes() {}

    /// Columns `first ..` of rows `from .. from + lanes` of a table: columns x lanes.
    static double[][] columns(double[][] x, int from, int lanes, int columns) {
        double[][] block = new double[columns][lanes];
        for (int l = 0; l < lanes; l++) {
            double[] row = x[from + l];
            for (int c = 0; c < columns; c++) {
                block[c][l] = row[c];
            }
        }
        return block;
    }

    /// The first columns of all rows: columns x rows.
    static double[][] columns(List<double[]> rows, int columns) {
        return columns(rows.toArray(double[][]::new), 0, rows.size(), columns);
    }

    /// `target += a x`.
    static void add(double[] target, double a, double[] x) {
        for (int l = 0; l < target.length; l++) {
            target[l] += a * x[l];
        }
    }

    /// `target += a x y`.
    static void addProduct(double[] target, double a, double[] x, double[] y) {
        for (int l = 0; l < target.length; l++) {
            target[l] += a * x[l] * y[l];
        }
    }

    /// `target *= x`.
    static void multiply(double[] target, double[] x) {
        for (int l = 0; l < target.length; l++) {
            target[l] *= x[l];
        }
    }

    /// `target *= a`.
    static void scale(double[] target, double a) {
        for (int l = 0; l < target.length; l++) {
            target[l] *= a;
        }
    }

    /// `target += a0 x[at] + a1 x[at + 1] + a2 x[at + 2] + a3 x[at + 3]`.
    static void addFour(double[] target, double a0, double a1, double a2, double a3, double[][] x, int at) {
        addFour(target, a0, a1, a2, a3, x[at], x[at + 1], x[at + 2], x[at + 3]);
    }

    private static void addFour(
            double[] target,
            double a0,
            double a1,
            double a2,
            double a3,
            double[] x0,
            double[] x1,
            double[] x2,
            double[] x3) {
        for (int l = 0; l < target.length; l++) {
            target[l] += a0 * x0[l] + a1 * x1[l] + (a2 * x2[l] + a3 * x3[l]);
        }
    }

    /// `target += sum over i in 0 .. count of weights[at + i] x[i]`.
    static void addWeighted(double[] target, double[] weights, int at, double[][] x, int count) {
        int i = 0;
        for (; i + 3 < count; i += 4) {
            addFour(target, weights[at + i], weights[at + i + 1], weights[at + i + 2], weights[at + i + 3], x, i);
        }
        switch (count - i) {
            case 3 ->
                addThree(target, weights[at + i], weights[at + i + 1], weights[at + i + 2], x[i], x[i + 1], x[i + 2]);
            case 2 -> addTwo(target, weights[at + i], weights[at + i + 1], x[i], x[i + 1]);
            case 1 -> add(target, weights[at + i], x[i]);
            default -> {}
        }
    }

    private static void addThree(
            double[] target, double a0, double a1, double a2, double[] x0, double[] x1, double[] x2) {
        for (int l = 0; l < target.length; l++) {
            target[l] += a0 * x0[l] + a1 * x1[l] + a2 * x2[l];
        }
    }

    private static void addTwo(double[] target, double a0, double a1, double[] x0, double[] x1) {
        for (int l = 0; l < target.length; l++) {
            target[l] += a0 * x0[l] + a1 * x1[l];
        }
    }

    /// In single precision, row by row, into `target` from row `at` on.
    static void round(double[][] x, float[][] target, int at) {
        for (int i = 0; i < x.length; i++) {
            round(x[i], target[at + i]);
        }
    }

    private static void round(double[] x, float[] target) {
        for (int l = 0; l < target.length; l++) {
            target[l] = (float) x[l];
        }
    }
}
