package knobscape.numeric;

import java.util.Arrays;
import java.util.Optional;

/// Cholesky factor of a symmetric positive definite matrix, `A = R' R` with R upper triangular, and what
/// follows from it. Matrices are flat arrays in row order outside; inside every row is an array of its own and
/// loops run along rows with one index for all of them, so that the compiler turns them into vector
/// instructions.
public final class Cholesky {
    /// Largest jitter tried, as a share of the mean diagonal.
    static final double LARGEST_JITTER = 1e-2;

    private final int n;
    private final double[][] r;
    private final double jitter;

    private Cholesky(int n, double[][] r, double jitter) {
        this.n = n;
        this.r = r;
        this.jitter = jitter;
    }

    /// Factors `a` (n x n in row order; only the upper triangle is read; left as it is). Where it is not
    /// positive definite in floating point, the diagonal is raised by 1e-10, 1e-9, ... times its mean, at most
    /// 1e-2; empty where that does not help either or a value is not finite.
    public static Optional<Cholesky> of(double[] a, int n) {
        double mean = 0;
        for (int i = 0; i < n; i++) {
            mean += a[i * n + i] / n;
        }
        if (!Double.isFinite(mean)) {
            return Optional.empty();
        }
        double[][] r = new double[n][n];
        for (double share = 0; share <= LARGEST_JITTER * 1.5; share = share == 0 ? 1e-10 : share * 10) {
            double jitter = share * Math.abs(mean);
            if (factor(a, n, jitter, r)) {
                return Optional.of(new Cholesky(n, r, jitter));
            }
        }
        return Optional.empty();
    }

    private static boolean factor(double[] a, int n, double jitter, double[][] r) {
        for (int k = 0; k < n; k++) {
            double[] row = r[k];
            System.arraycopy(a, k * n + k, row, k, n - k);
            row[k] += jitter;
            subtractRows(row, r, r, k, 0, k, k, n);
            double pivot = row[k];
            if (!(pivot > 0) || pivot == Double.POSITIVE_INFINITY) {
                return false;
            }
            double inverse = 1 / Math.sqrt(pivot);
            for (int c = k; c < n; c++) {
                row[c] *= inverse;
            }
        }
        return true;
    }

    /// `target[c] -= sum over j in from .. to of coefficients[j][column] * rows[j][c]` for c in `first ..
    /// last`, four rows at a time.
    private static void subtractRows(
            double[] target,
            double[][] rows,
            double[][] coefficients,
            int column,
            int from,
            int to,
            int first,
            int last) {
        int j = from;
        for (; j + 3 < to; j += 4) {
            subtractFour(
                    target,
                    coefficients[j][column],
                    coefficients[j + 1][column],
                    coefficients[j + 2][column],
                    coefficients[j + 3][column],
                    rows[j],
                    rows[j + 1],
                    rows[j + 2],
                    rows[j + 3],
                    first,
                    last);
        }
        for (; j < to; j++) {
            double a0 = coefficients[j][column];
            double[] r0 = rows[j];
            for (int c = first; c < last; c++) {
                target[c] -= a0 * r0[c];
            }
        }
    }

    private static void subtractFour(
            double[] target,
            double a0,
            double a1,
            double a2,
            double a3,
            double[] r0,
            double[] r1,
            double[] r2,
            double[] r3,
            int first,
            int last) {
        for (int c = first; c < last; c++) {
            target[c] -= a0 * r0[c] + a1 * r1[c] + (a2 * r2[c] + a3 * r3[c]);
        }
    }

    private static double[] flat(double[][] rows) {
        int n = rows.length;
        double[] all = new double[n * n];
        for (int i = 0; i < n; i++) {
            System.arraycopy(rows[i], 0, all, i * n, n);
        }
        return all;
    }

    /// Order n of the matrix.
    public int order() {
        return n;
    }

    /// What had to be added to the diagonal; 0 in the ordinary case.
    public double jitter() {
        return jitter;
    }

    /// Logarithm of the determinant of A.
    public double logDeterminant() {
        double sum = 0;
        for (int i = 0; i < n; i++) {
            sum += Math.log(r[i][i]);
        }
        return 2 * sum;
    }

    /// Solves `A x = b`; a new array.
    public double[] solve(double[] b) {
        double[] x = b.clone();
        for (int i = 0; i < n; i++) {
            double[] row = r[i];
            x[i] /= row[i];
            double xi = x[i];
            for (int c = i + 1; c < n; c++) {
                x[c] -= xi * row[c];
            }
        }
        for (int i = n - 1; i >= 0; i--) {
            double[] row = r[i];
            double sum = x[i];
            for (int c = i + 1; c < n; c++) {
                sum -= row[c] * x[c];
            }
            x[i] = sum / row[i];
        }
        return x;
    }

    /// The lower triangular matrix V with `V A V' = I`, that is the inverse of R transposed, in row order. `|V
    /// k|^2 = k' A^-1 k`.
    public double[] inverseFactor() {
        return flat(inverseFactorRows());
    }

    private double[][] inverseFactorRows() {
        double[][] v = new double[n][n];
        for (int c = 0; c < n; c++) {
            double[] row = v[c];
            row[c] = 1;
            subtractRows(row, v, r, c, 0, c, 0, c);
            double inverse = 1 / r[c][c];
            for (int j = 0; j <= c; j++) {
                row[j] *= inverse;
            }
        }
        return v;
    }

    /// The inverse of A, full and symmetric, in row order.
    public double[] inverse() {
        double[][] v = inverseFactorRows();
        double[] w = new double[n * n];
        double[] row = new double[n];
        for (int i = 0; i < n; i++) {
            Arrays.fill(row, 0, i + 1, 0);
            subtractRows(row, v, v, i, i, n, 0, i + 1);
            for (int j = 0; j <= i; j++) {
                w[i * n + j] = -row[j];
                w[j * n + i] = -row[j];
            }
        }
        return w;
    }
}
