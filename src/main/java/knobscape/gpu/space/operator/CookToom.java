package knobscape.gpu.space.operator;

/// Matrices of a Winograd convolution F(m, r) by Toom and Cook: `y = A^T ((G g) . (B^T d))` gives m outputs of
/// a filter of r taps over m + r - 1 inputs.
///
/// Interpolation points 0, 1, -1, 2, -2, 1/2, -1/2, 4, -4 and infinity, in that order; the more of them, the
/// larger the rounding errors.
///
/// @param outputs `A^T`, m x (m + r - 1)
/// @param filter `G`, (m + r - 1) x r
/// @param data `B^T`, square
record CookToom(double[][] outputs, double[][] filter, double[][] data) {
    private static final double[] POINTS = {0, 1, -1, 2, -2, 0.5, -0.5, 4, -4};

    static CookToom of(int m, int r) {
        int n = m + r - 1;
        int finite = n - 1;
        if (finite > POINTS.length) {
            throw new IllegalArgumentException("F(" + m + ", " + r + ") needs more points than there are");
        }
        double[][] outputs = new double[m][n];
        double[][] filter = new double[n][r];
        double[][] data = new double[n][n];
        for (int j = 0; j < finite; j++) {
            double scale = 1;
            double[] polynomial = {1};
            for (int k = 0; k < finite; k++) {
                if (k != j) {
                    scale *= POINTS[j] - POINTS[k];
                    polynomial = timesRoot(polynomial, POINTS[k]);
                }
            }
            System.arraycopy(polynomial, 0, data[j], 0, polynomial.length);
            for (int i = 0; i < m; i++) {
                outputs[i][j] = power(POINTS[j], i);
            }
            for (int k = 0; k < r; k++) {
                filter[j][k] = power(POINTS[j], k) / scale;
            }
        }
        double[] all = {1};
        for (int k = 0; k < finite; k++) {
            all = timesRoot(all, POINTS[k]);
        }
        data[n - 1] = all;
        outputs[m - 1][n - 1] = 1;
        filter[n - 1][r - 1] = 1;
        return new CookToom(outputs, filter, data);
    }

    /// Coefficients of the polynomial times (x - root), lowest power first.
    private static double[] timesRoot(double[] polynomial, double root) {
        double[] product = new double[polynomial.length + 1];
        for (int i = 0; i < polynomial.length; i++) {
            product[i + 1] += polynomial[i];
            product[i] -= root * polynomial[i];
        }
        return product;
    }

    private static double power(double x, int n) {
        double p = 1;
        for (int i = 0; i < n; i++) {
            p *= x;
        }
        return p;
    }
}
