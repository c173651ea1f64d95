package knobscape.surrogate.gp;

import java.util.Arrays;

/// The quadratic form `|G k|^2` of many vectors k at once, G lower triangular and in single precision: what
/// observations explain of the variance at an input whose kernel values are k. Sums of squares lose nothing to
/// cancellation, so that with elements and products around 1 a result keeps six digits. For sorting out many
/// inputs.
final class SquareSums {
    /// Pivots below this share of the largest diagonal element count as none.
    private static final double NO_PIVOT = 1e-13;

    private final int n;
    private final float[] g;

    private SquareSums(int n, float[] g) {
        this.n = n;
        this.g = g;
    }

    /// Of a factor as it is.
    ///
    /// @param lower n x n in row order; elements above the diagonal are not read
    static SquareSums ofFactor(double[] lower, int n) {
        float[] g = new float[n * n];
        for (int i = 0; i < n; i++) {
            for (int j = 0; j <= i; j++) {
                g[i * n + j] = (float) lower[i * n + j];
            }
        }
        return new SquareSums(n, g);
    }

    /// With `G' G` the given positive semidefinite matrix; directions without weight get rows of zeros. The
    /// jitter with which [Cholesky] passes over those would be felt: 1e-10 of diagonals around 1 / noise is
    /// 4e-6 of the result at noise 1e-4, and 4e-4 at 1e-6.
    ///
    /// @param q n x n in row order, symmetric
    static SquareSums ofForm(double[] q, int n) {
        double largest = 0;
        for (int i = 0; i < n; i++) {
            largest = Math.max(largest, q[i * n + i]);
        }
        // R' R of the matrix with rows and columns in reverse order, which turns the upper factor into a lower
        // one.
        double[] r = new double[n * n];
        for (int k = 0; k < n; k++) {
            int row = k * n;
            for (int c = k; c < n; c++) {
                r[row + c] = q[(n - 1 - k) * n + n - 1 - c];
            }
            for (int j = 0; j < k; j++) {
                double a = r[j * n + k];
                for (int c = k; c < n; c++) {
                    r[row + c] -= a * r[j * n + c];
                }
            }
            double pivot = r[row + k];
            double inverse = pivot > NO_PIVOT * largest ? 1 / Math.sqrt(pivot) : 0;
            for (int c = k; c < n; c++) {
                r[row + c] *= inverse;
            }
        }
        float[] g = new float[n * n];
        for (int k = 0; k < n; k++) {
            for (int c = k; c < n; c++) {
                g[(n - 1 - k) * n + n - 1 - c] = (float) r[k * n + c];
            }
        }
        return new SquareSums(n, g);
    }

    /// Adds `|G k|^2` to `sums`, a value for each vector.
    ///
    /// @param k n x lanes
    void addTo(double[] sums, float[][] k) {
        float[] upper = new float[sums.length];
        float[] lower = new float[sums.length];
        // Two rows at a time share what is loaded of k; of the even row the element above the diagonal is 0.
        int c = 0;
        for (; c + 1 < n; c += 2) {
            int a = c * n;
            Arrays.fill(upper, 0);
            Arrays.fill(lower, 0);
            for (int j = 0; j <= c; j += 2) {
                add(upper, g[a + j], g[a + j + 1], lower, g[a + n + j], g[a + n + j + 1], k[j], k[j + 1]);
            }
            square(sums, upper);
            square(sums, lower);
        }
        if (c < n) {
            Arrays.fill(upper, 0);
            for (int j = 0; j < n; j++) {
                add(upper, g[c * n + j], k[j]);
            }
            square(sums, upper);
        }
    }

    // No offsets into the arrays, see Lanes. Two rows by two columns: with four columns the compiler's code
    // takes twice as long.
    private static void add(
            float[] upper, float a0, float a1, float[] lower, float b0, float b1, float[] x0, float[] x1) {
        for (int l = 0; l < upper.length; l++) {
            float k0 = x0[l];
            float k1 = x1[l];
            upper[l] += a0 * k0 + a1 * k1;
            lower[l] += b0 * k0 + b1 * k1;
        }
    }

    private static void add(float[] target, float a, float[] x) {
        for (int l = 0; l < target.length; l++) {
            target[l] += a * x[l];
        }
    }

    private static void square(double[] sums, float[] row) {
        for (int l = 0; l < sums.length; l++) {
            sums[l] += row[l] * row[l];
        }
    }
}
