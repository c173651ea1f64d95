package knobscape.surrogate.numeric;

import java.util.Optional;

/// Cholesky factor of a symmetric positive definite matrix, `A = R' R` with R upper triangular, and what follows from it. Matrices are
/// flat arrays in row order; loops run along rows so that the compiler turns them into vector instructions.
public final class Cholesky {
    /// Largest jitter tried, as a share of the mean diagonal.
    static final double LARGEST_JITTER = 1e-2;

    private final int n;
    private final double[] r;
    private final double jitter;

    private Cholesky(int n, double[] r, double jitter) {
        this.n = n;
        this.r = r;
        this.jitter = jitter;
    }

    /// Factors `a` (n x n in row order; only the upper triangle is read; left as it is). Where it is not positive definite in floating point,
    /// the diagonal is raised by 1e-10, 1e-9, ... times its mean, at most 1e-2; empty where that does not help either or a value is not finite.
    public static Optional<Cholesky> of(double[] a, int n) {
        double mean = 0;
        for (int i = 0; i < n; i++) {
            mean += a[i * n + i] / n;
        }
        if (!Double.isFinite(mean)) {
            return Optional.empty();
        }
        double[] r = new double[n * n];
        for (double share = 0; share <= LARGEST_JITTER * 1.5; share = share == 0 ? 1e-10 : share * 10) {
            double jitter = share * Math.abs(mean);
            if (factor(a, n, jitter, r)) {
                return Optional.of(new Cholesky(n, r, jitter));
            }
        }
        return Optional.empty();
    }

    private static boolean factor(double[] a, int n, double jitter, double[] r) {
        for (int k = 0; k < n; k++) {
            int row = k * n;
            System.arraycopy(a, row + k, r, row + k, n - k);
            r[row + k] += jitter;
            subtractRows(r, r, k, n, 0, k, r, row, k, n);
            double pivot = r[row + k];
            if (!(pivot > 0) || pivot == Double.POSITIVE_INFINITY) {
                return false;
            }
            double inverse = 1 / Math.sqrt(pivot);
            for (int c = k; c < n; c++) {
                r[row + c] *= inverse;
            }
        }
        return true;
    }

    /// `target[row + c] -= sum over j in from .. to of coefficients[j n + column] * rows[j n + c]` for c in `first .. last`, four rows at a time.
    private static void subtractRows(double[] rows, double[] coefficients, int column, int n, int from, int to, double[] target, int row,
            int first, int last) {
        int j = from;
        for (; j + 3 < to; j += 4) {
            int r0 = j * n;
            int r1 = r0 + n;
            int r2 = r1 + n;
            int r3 = r2 + n;
            double a0 = coefficients[r0 + column];
            double a1 = coefficients[r1 + column];
            double a2 = coefficients[r2 + column];
            double a3 = coefficients[r3 + column];
            for (int c = first; c < last; c++) {
                target[row + c] -= a0 * rows[r0 + c] + a1 * rows[r1 + c] + (a2 * rows[r2 + c] + a3 * rows[r3 + c]);
            }
        }
        for (; j < to; j++) {
            double a0 = coefficients[j * n + column];
            int r0 = j * n;
            for (int c = first; c < last; c++) {
                target[row + c] -= a0 * rows[r0 + c];
            }
        }
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
            sum += Math.log(r[i * n + i]);
        }
        return 2 * sum;
    }

    /// Element of the upper factor R.
    public double factor(int i, int j) {
        return j < i ? 0 : r[i * n + j];
    }

    /// Solves `A x = b`; a new array.
    public double[] solve(double[] b) {
        double[] x = b.clone();
        for (int i = 0; i < n; i++) {
            x[i] /= r[i * n + i];
            double xi = x[i];
            for (int c = i + 1; c < n; c++) {
                x[c] -= xi * r[i * n + c];
            }
        }
        for (int i = n - 1; i >= 0; i--) {
            double sum = x[i];
            for (int c = i + 1; c < n; c++) {
                sum -= r[i * n + c] * x[c];
            }
            x[i] = sum / r[i * n + i];
        }
        return x;
    }

    /// The lower triangular matrix V with `V A V' = I`, that is the inverse of R transposed, in row order. `|V k|^2 = k' A^-1 k`.
    public double[] inverseFactor() {
        double[] v = new double[n * n];
        for (int c = 0; c < n; c++) {
            int row = c * n;
            v[row + c] = 1;
            subtractRows(v, r, c, n, 0, c, v, row, 0, c);
            double inverse = 1 / r[row + c];
            for (int j = 0; j <= c; j++) {
                v[row + j] *= inverse;
            }
        }
        return v;
    }

    /// The inverse of A, full and symmetric, in row order.
    public double[] inverse() {
        double[] v = inverseFactor();
        double[] w = new double[n * n];
        for (int i = 0; i < n; i++) {
            subtractRows(v, v, i, n, i, n, w, i * n, 0, i + 1);
            for (int j = 0; j <= i; j++) {
                w[i * n + j] = -w[i * n + j];
            }
        }
        for (int i = 0; i < n; i++) {
            for (int j = i + 1; j < n; j++) {
                w[i * n + j] = w[j * n + i];
            }
        }
        return w;
    }
}
