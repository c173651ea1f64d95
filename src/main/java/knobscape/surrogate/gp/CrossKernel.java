package knobscape.surrogate.gp;

/// Covariances of one kernel between the n training points and blocks of other points, over some of the inputs'
/// columns.
final class CrossKernel {
    private final StationaryKernel kernel;
    private final int n;
    private final int columns;
    private final double[] inverseLengths;
    /// -2 times the scaled training inputs, n x columns.
    private final double[] minusTwice;
    private final double[] norms;

    /// @param points training inputs, n rows
    /// @param first first column used
    /// @param columns number of columns used
    /// @param logLengths log length-scales, read from `at` on
    CrossKernel(StationaryKernel kernel, double[][] points, int first, int columns, double[] logLengths, int at) {
        this.kernel = kernel;
        this.n = points.length;
        this.columns = columns;
        this.inverseLengths = new double[columns];
        this.minusTwice = new double[n * columns];
        this.norms = new double[n];
        for (int c = 0; c < columns; c++) {
            inverseLengths[c] = Math.exp(-logLengths[at + c]);
        }
        for (int i = 0; i < n; i++) {
            for (int c = 0; c < columns; c++) {
                double v = points[i][first + c] * inverseLengths[c];
                minusTwice[i * columns + c] = -2 * v;
                norms[i] += v * v;
            }
        }
    }

    /// Fills `k` (n x lanes) for a block of points given by columns.
    ///
    /// @param block columns x lanes; scaled in place
    void fill(double[][] block, double[][] k) {
        distances(block, k);
        for (double[] row : k) {
            kernel.values(row);
        }
    }

    /// As [#fill], to 1e-8 of a value where it is not tiny.
    void fillRoughly(double[][] block, double[][] k) {
        distances(block, k);
        for (double[] row : k) {
            kernel.roughValues(row);
        }
    }

    private void distances(double[][] block, double[][] k) {
        int lanes = k[0].length;
        double[] blockNorms = new double[lanes];
        for (int c = 0; c < columns; c++) {
            Lanes.scale(block[c], inverseLengths[c]);
            Lanes.addProduct(blockNorms, 1, block[c], block[c]);
        }
        for (int i = 0; i < n; i++) {
            double[] row = k[i];
            double norm = norms[i];
            for (int l = 0; l < lanes; l++) {
                row[l] = norm + blockNorms[l];
            }
            Lanes.addWeighted(row, minusTwice, i * columns, block, columns);
        }
    }
}
