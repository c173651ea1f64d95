package knobscape.surrogate.gp;

/// Matern-5/2 covariances between the n training points and blocks of other points, over some of the inputs' columns.
final class CrossKernel {
    private final int n;
    private final int columns;
    private final double[] inverseLengths;
    private final double[] scaled;
    private final double[] norms;

    /// @param points training inputs, n rows
    /// @param first first column used
    /// @param columns number of columns used
    /// @param logLengths log length-scales, read from `at` on
    CrossKernel(double[][] points, int first, int columns, double[] logLengths, int at) {
        this.n = points.length;
        this.columns = columns;
        this.inverseLengths = new double[columns];
        this.scaled = new double[n * columns];
        this.norms = new double[n];
        for (int c = 0; c < columns; c++) {
            inverseLengths[c] = Math.exp(-logLengths[at + c]);
        }
        for (int i = 0; i < n; i++) {
            for (int c = 0; c < columns; c++) {
                double v = points[i][first + c] * inverseLengths[c];
                scaled[i * columns + c] = v;
                norms[i] += v * v;
            }
        }
    }

    /// Fills `k` (n x lanes) for a block of points given by columns.
    ///
    /// @param block columns x lanes; scaled in place
    void fill(double[] block, int lanes, double[] k) {
        distances(block, lanes, k);
        for (int p = 0; p < n * lanes; p++) {
            k[p] = Matern52.value(Math.max(0, k[p]));
        }
    }

    /// As [#fill], to 1e-8 of a value where it is not tiny.
    void fillRoughly(double[] block, int lanes, double[] k) {
        distances(block, lanes, k);
        Matern52.roughValues(k, n * lanes);
    }

    private void distances(double[] block, int lanes, double[] k) {
        double[] blockNorms = new double[lanes];
        for (int c = 0; c < columns; c++) {
            double inverse = inverseLengths[c];
            int at = c * lanes;
            for (int l = 0; l < lanes; l++) {
                block[at + l] *= inverse;
                blockNorms[l] += block[at + l] * block[at + l];
            }
        }
        for (int i = 0; i < n; i++) {
            int row = i * lanes;
            double norm = norms[i];
            for (int l = 0; l < lanes; l++) {
                k[row + l] = norm + blockNorms[l];
            }
            for (int c = 0; c < columns; c++) {
                double a = -2 * scaled[i * columns + c];
                if (a == 0) {
                    continue;
                }
                int at = c * lanes;
                for (int l = 0; l < lanes; l++) {
                    k[row + l] += a * block[at + l];
                }
            }
        }
    }
}
