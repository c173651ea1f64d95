package knobscape.explore.regression;

import knobscape.surrogate.Regressor;

/// Linear least squares with a penalty on the squared coefficients; columns and target are centred first. Solved in the dual (n x n) by
/// elimination, so that more columns than rows cost nothing extra.
record Ridge(double[] coefficients, double intercept) implements Regressor {

    /// Fits to n x d rows.
    static Ridge fit(double[][] x, double[] y, double penalty) {
        int n = x.length;
        int d = x[0].length;
        double[] centre = new double[d];
        double mean = 0;
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < d; j++) {
                centre[j] += x[i][j] / n;
            }
            mean += y[i] / n;
        }
        double[][] c = new double[n][d];
        double[][] a = new double[n][n + 1];
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < d; j++) {
                c[i][j] = x[i][j] - centre[j];
            }
        }
        for (int i = 0; i < n; i++) {
            for (int k = 0; k < n; k++) {
                for (int j = 0; j < d; j++) {
                    a[i][k] += c[i][j] * c[k][j];
                }
            }
            a[i][i] += penalty;
            a[i][n] = y[i] - mean;
        }
        double[] alpha = solve(a);
        double[] w = new double[d];
        double intercept = mean;
        for (int j = 0; j < d; j++) {
            for (int i = 0; i < n; i++) {
                w[j] += c[i][j] * alpha[i];
            }
            intercept -= w[j] * centre[j];
        }
        return new Ridge(w, intercept);
    }

    /// Gaussian elimination of a positive definite system given with its right-hand side as the last column.
    private static double[] solve(double[][] a) {
        int n = a.length;
        for (int p = 0; p < n; p++) {
            for (int i = p + 1; i < n; i++) {
                double f = a[i][p] / a[p][p];
                if (f != 0) {
                    for (int j = p; j <= n; j++) {
                        a[i][j] -= f * a[p][j];
                    }
                }
            }
        }
        double[] solution = new double[n];
        for (int i = n - 1; i >= 0; i--) {
            double s = a[i][n];
            for (int j = i + 1; j < n; j++) {
                s -= a[i][j] * solution[j];
            }
            solution[i] = s / a[i][i];
        }
        return solution;
    }

    @Override
    public double predict(double[] x) {
        double s = intercept;
        for (int j = 0; j < coefficients.length; j++) {
            s += coefficients[j] * x[j];
        }
        return s;
    }
}
