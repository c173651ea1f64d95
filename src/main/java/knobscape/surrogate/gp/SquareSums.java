package knobscape.surrogate.gp;

import java.util.Arrays;

/// The quadratic form `|G k|^2` of many vectors k at once, G lower triangular and in single precision: what observations explain of the variance at an input whose kernel values are k. Sums of squares
/// lose nothing to cancellation, so that with elements and products around 1 a result keeps six digits. For sorting out many inputs.
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
        for (int i = 0; i < g.length; i++) {
            g[i] = (float) lower[i];
        }
        return new SquareSums(n, g);
    }

    /// With `G' G` the given positive semidefinite matrix; directions without weight get rows of zeros.
    ///
    /// @param q n x n in row order, symmetric
    static SquareSums ofForm(double[] q, int n) {
        double largest = 0;
        for (int i = 0; i < n; i++) {
            largest = Math.max(largest, q[i * n + i]);
        }
        // R' R of the matrix with rows and columns in reverse order, which turns the upper factor into a lower one.
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
        int c = 0;
        // Two rows at a time share what is loaded of k.
        for (; c + 1 < n; c += 2) {
            int a = c * n;
            int b = a + n;
            Arrays.fill(upper, 0);
            Arrays.fill(lower, 0);
            int j = 0;
            for (; j + 3 <= c; j += 4) {
                add(upper, g[a + j], g[a + j + 1], g[a + j + 2], g[a + j + 3], lower, g[b + j], g[b + j + 1], g[b + j + 2], g[b + j + 3], k[j], k[j + 1], k[j + 2], k[j + 3]);
            }
            for (; j <= c; j++) {
                add(upper, g[a + j], k[j]);
                add(lower, g[b + j], k[j]);
            }
            add(lower, g[b + j], k[j]);
            square(sums, upper);
            square(sums, lower);
        }
        if (c < n) {
            Arrays.fill(upper, 0);
            for (int j = 0; j <= c; j++) {
                add(upper, g[c * n + j], k[j]);
            }
            square(sums, upper);
        }
    }

    // No offsets into the arrays, see Lanes.
    private static void add(float[] upper, float a0, float a1, float a2, float a3, float[] lower, float b0, float b1, float b2, float b3, float[] x0, float[] x1, float[] x2, float[] x3) {
        for (int l = 0; l < upper.length; l++) {
            float k0 = x0[l];
            float k1 = x1[l];
            float k2 = x2[l];
            float k3 = x3[l];
            upper[l] += a0 * k0 + a1 * k1 + (a2 * k2 + a3 * k3);
            lower[l] += b0 * k0 + b1 * k1 + (b2 * k2 + b3 * k3);
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
