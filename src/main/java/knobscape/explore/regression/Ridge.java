package knobscape.explore.regression;

import knobscape.numeric.Cholesky;
import knobscape.surrogate.Model;
import knobscape.surrogate.Regressor;

/// Linear least squares with a penalty on the squared coefficients; columns and target are centred first.
/// Solved in the dual (n x n), so that more columns than rows cost nothing extra.
record Ridge(double[] coefficients, double intercept) implements Regressor {

    /// Trains with a penalty; seeds and warm starts mean nothing to it.
    static Model.Trainer trainer(double penalty) {
        return (data, warmStart, seed) -> fit(data.x(), data.target(), penalty);
    }

    private static Ridge fit(double[][] x, double[] y, double penalty) {
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
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < d; j++) {
                c[i][j] = x[i][j] - centre[j];
            }
        }
        double[] a = new double[n * n];
        double[] target = new double[n];
        for (int i = 0; i < n; i++) {
            for (int k = 0; k < n; k++) {
                for (int j = 0; j < d; j++) {
                    a[i * n + k] += c[i][j] * c[k][j];
                }
            }
            a[i * n + i] += penalty;
            target[i] = y[i] - mean;
        }
        double[] alpha = Cholesky.of(a, n)
                .orElseThrow(() -> new IllegalStateException("the penalised rows cannot be factored"))
                .solve(target);
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

    @Override
    public double predict(double[] x) {
        double s = intercept;
        for (int j = 0; j < coefficients.length; j++) {
            s += coefficients[j] * x[j];
        }
        return s;
    }
}
