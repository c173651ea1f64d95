package knobscape.surrogate.gp;

import knobscape.numeric.Cholesky;

/// Generalised least squares: a linear function of a few columns under correlated residuals.
///
/// @param beta coefficient of each column
/// @param residual observations less the function
/// @param whitened the residual made independent, in units of the covariance matrix
record Trend(double[] beta, double[] residual, double[] whitened) {

    /// Of at most two columns; a second one that does not vary gets coefficient 0.
    ///
    /// @param c covariance matrix of the residuals
    /// @param columns columns x n, none for a mean of 0
    /// @param y observations
    static Trend of(Cholesky c, double[][] columns, double[] y) {
        double[] target = c.whiten(y);
        double[] beta = new double[columns.length];
        if (columns.length > 0) {
            double[] one = c.whiten(columns[0]);
            double ones = dot(one, one);
            double onesY = dot(one, target);
            beta[0] = onesY / ones;
            if (columns.length > 1) {
                double[] g = c.whiten(columns[1]);
                double gg = dot(g, g);
                double cross = dot(one, g);
                double gy = dot(g, target);
                double determinant = ones * gg - cross * cross;
                if (determinant > 1e-10 * ones * gg) {
                    beta[0] = (gg * onesY - cross * gy) / determinant;
                    beta[1] = (ones * gy - cross * onesY) / determinant;
                }
            }
        }
        double[] residual = y.clone();
        for (int p = 0; p < columns.length; p++) {
            for (int i = 0; i < y.length; i++) {
                residual[i] -= beta[p] * columns[p][i];
            }
        }
        return new Trend(beta, residual, columns.length == 0 ? target : c.whiten(residual));
    }

    /// With a constant alone.
    static Trend constant(Cholesky c, double[] y) {
        double[] ones = new double[y.length];
        java.util.Arrays.fill(ones, 1);
        return of(c, new double[][] {ones}, y);
    }

    /// Squared length of the whitened residual.
    double squares() {
        return dot(whitened, whitened);
    }

    private static double dot(double[] a, double[] b) {
        double sum = 0;
        for (int i = 0; i < a.length; i++) {
            sum += a[i] * b[i];
        }
        return sum;
    }
}
