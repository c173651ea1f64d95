package knobscape.surrogate.gp;

import java.util.Arrays;
import knobscape.numeric.Cholesky;

/// Generalised least squares: a linear function of a few columns under correlated residuals.
///
/// @param beta coefficient of each column
/// @param whitened observations less the function, made independent, in units of the covariance matrix
/// @param penalty what the prior of the coefficients takes off the log likelihood
record Trend(double[] beta, double[] whitened, double penalty) {
    /// Least share of a second column's variance that the first may leave.
    private static final double COLLINEAR = 1e-10;

    /// The columns, and what is believed of their coefficients beforehand.
    ///
    /// @param columns columns x n, at most two; a second one that does not vary gets coefficient 0
    /// @param precision of a normal prior about 0 of the only coefficient, which is then at least -1; 0 for flat
    /// priors
    record Basis(double[][] columns, double precision) {
        /// A mean of 0.
        static final Basis NONE = new Basis(new double[0][], 0);

        /// A constant over n observations.
        static Basis constant(int n) {
            double[] ones = new double[n];
            Arrays.fill(ones, 1);
            return new Basis(new double[][] {ones}, 0);
        }
    }

    /// @param c covariance matrix of the residuals
    /// @param y observations
    static Trend of(Cholesky c, Basis basis, double[] y) {
        double[] whitened = c.whiten(y);
        double[][] columns = Arrays.stream(basis.columns).map(c::whiten).toArray(double[][]::new);
        double[] beta = new double[columns.length];
        if (beta.length > 0) {
            double ones = dot(columns[0], columns[0]);
            double onesY = dot(columns[0], whitened);
            beta[0] = basis.precision > 0 ? Math.max(-1, onesY / (ones + basis.precision)) : onesY / ones;
            if (beta.length > 1) {
                double gg = dot(columns[1], columns[1]);
                double cross = dot(columns[0], columns[1]);
                double gy = dot(columns[1], whitened);
                double determinant = ones * gg - cross * cross;
                if (determinant > COLLINEAR * ones * gg) {
                    beta[0] = (gg * onesY - cross * gy) / determinant;
                    beta[1] = (ones * gy - cross * onesY) / determinant;
                }
            }
        }
        for (int p = 0; p < beta.length; p++) {
            for (int i = 0; i < y.length; i++) {
                whitened[i] -= beta[p] * columns[p][i];
            }
        }
        return new Trend(beta, whitened, basis.precision > 0 ? 0.5 * basis.precision * beta[0] * beta[0] : 0);
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
