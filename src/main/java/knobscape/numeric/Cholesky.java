package knobscape.numeric;

import java.util.Arrays;
import java.util.Optional;

/// Cholesky factor of a symmetric positive definite matrix, `A = R' R` with R upper triangular, and what
/// follows from it. A factor may grow and shrink by its last rows; what it says of the rows before stays the same
/// to the last bit. Matrices are flat arrays in row order outside; inside every row is an array of its own and
/// loops run along rows with one index for all of them, so that the compiler turns them into vector
/// instructions.
public final class Cholesky {
    /// Largest jitter tried, as a share of the mean diagonal.
    static final double LARGEST_JITTER = 1e-2;

    private int n;
    /// Rows of R, each at least as long as the matrix; more of both while it grows.
    private double[][] r;
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

    /// The factor of a matrix without rows, to be grown.
    public static Cholesky empty() {
        return new Cholesky(0, new double[0][], 0);
    }

    /// Takes one row and column more, in O(n^2).
    ///
    /// @param column the n elements above the diagonal
    /// @param diagonal the element on it
    /// @param leastPivot smaller pivots count as this
    public void grow(double[] column, double diagonal, double leastPivot) {
        if (n == r.length) {
            int capacity = Math.max(16, 2 * n);
            double[][] more = new double[capacity][];
            for (int i = 0; i < capacity; i++) {
                more[i] = i < n ? Arrays.copyOf(r[i], capacity) : new double[capacity];
            }
            r = more;
        }
        double[] above = whiten(column);
        double pivot = diagonal;
        for (int i = 0; i < n; i++) {
            r[i][n] = above[i];
            pivot -= above[i] * above[i];
        }
        r[n][n] = Math.sqrt(Math.max(leastPivot, pivot));
        n++;
    }

    /// Takes back the last rows and columns until `order` are left.
    public void truncate(int order) {
        n = Math.min(n, order);
    }

    /// Column `i` of R down to the diagonal: i + 1 values.
    public double[] column(int i) {
        double[] column = new double[i + 1];
        for (int j = 0; j <= i; j++) {
            column[j] = r[j][i];
        }
        return column;
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

    /// The addition to the diagonal; 0 in the ordinary case.
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
        return colour(whiten(b));
    }

    /// Solves `R' z = b`, a new array: values of covariance A become independent ones of variance 1. Shorter
    /// vectors belong to the first rows.
    public double[] whiten(double[] b) {
        double[] z = b.clone();
        for (int i = 0; i < z.length; i++) {
            double[] row = r[i];
            z[i] /= row[i];
            double zi = z[i];
            for (int c = i + 1; c < z.length; c++) {
                z[c] -= zi * row[c];
            }
        }
        return z;
    }

    /// Solves `R x = z`, a new array. Shorter vectors belong to the first rows.
    public double[] colour(double[] z) {
        double[] x = z.clone();
        for (int i = x.length - 1; i >= 0; i--) {
            double[] row = r[i];
            double sum = x[i];
            for (int c = i + 1; c < x.length; c++) {
                sum -= row[c] * x[c];
            }
            x[i] = sum / row[i];
        }
        return x;
    }

    /// Diagonal of the inverse of the part of A that has the first `order` rows and columns.
    public double[] inverseDiagonal(int order) {
        double[][] v = inverseFactorRows();
        double[] diagonal = new double[order];
        for (int c = 0; c < order; c++) {
            for (int j = 0; j <= c; j++) {
                diagonal[j] += v[c][j] * v[c][j];
            }
        }
        return diagonal;
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
