package knobscape.surrogate.gp;

import java.util.Optional;
import knobscape.numeric.Cholesky;
import knobscape.numeric.Lbfgs;

/// Log marginal likelihood of one standardised output under `y = H beta + delta + noise`, H a column of ones and, where there is one, the lower fidelity's output; delta a
/// squared-exponential process. `beta` is at its generalised least squares value, so that the gradient by the hyper-parameters needs no term for it. Hyper-parameters: log lengths (d), log
/// signal variance, log noise variance, with the priors of [GpSettings].
///
/// @param x features, n x d
/// @param h basis, p columns of n
/// @param y standardised output, n
/// @param settings priors
record LinearChainLikelihood(double[][] x, double[][] h, double[] y, GpSettings settings) implements Lbfgs.Objective {

    /// The likelihood of output 0 of `data`.
    ///
    /// @param features columns of the inputs that are knobs
    /// @param lowerOutput the lower output that is the same quantity, -1 for none
    static LinearChainLikelihood of(Standardised data, int features, int lowerOutput, GpSettings settings) {
        int n = data.inputs().length;
        double[][] x = new double[n][];
        double[][] h = new double[lowerOutput < 0 ? 1 : 2][n];
        for (int i = 0; i < n; i++) {
            x[i] = java.util.Arrays.copyOf(data.inputs()[i], features);
            h[0][i] = 1;
            if (lowerOutput >= 0) {
                h[1][i] = data.inputs()[i][features + lowerOutput];
            }
        }
        return new LinearChainLikelihood(x, h, data.y(), settings);
    }

    /// The system at some hyper-parameters.
    ///
    /// @param kernel noise-free covariances, n x n
    /// @param cholesky of the covariances with noise
    /// @param beta coefficients of the basis
    /// @param alpha (covariances with noise)^-1 (y - H beta)
    /// @param logLikelihood of the observations
    record Solved(double[] kernel, Cholesky cholesky, double[] inverseFactor, double[] beta, double[] alpha, double logLikelihood) {
        /// `k' A^-1 k`.
        double explained(double[] k) {
            double sum = 0;
            for (int r = 0, at = 0; r < k.length; r++, at += k.length) {
                double v = 0;
                for (int c = 0; c <= r; c++) {
                    v += inverseFactor[at + c] * k[c];
                }
                sum += v * v;
            }
            return sum;
        }
    }

    int features() {
        return x[0].length;
    }

    int signal() {
        return features();
    }

    double noise(double[] theta) {
        return settings.noiseFloor() + Math.exp(theta[signal() + 1]);
    }

    /// The priors' centre.
    double[] centre() {
        double[] c = new double[features() + 2];
        java.util.Arrays.fill(c, 0, features(), Math.log(settings.lengthCentre() * Math.sqrt(Math.max(1, features()))));
        c[signal()] = h.length == 1 ? 0 : 2 * Math.log(settings.errorScale());
        c[signal() + 1] = Math.log(settings.noiseCentre());
        return c;
    }

    /// Standard deviations of the priors.
    double[] deviations() {
        double[] d = new double[features() + 2];
        java.util.Arrays.fill(d, 0, features(), settings.lengthDeviation());
        d[signal()] = 2 * settings.scaleDeviation();
        d[signal() + 1] = settings.noiseDeviation();
        return d;
    }

    /// Covariances of a point with the n designs.
    double[] covariances(double[] theta, double[] point) {
        double[] inverse = new double[features()];
        for (int c = 0; c < inverse.length; c++) {
            inverse[c] = Math.exp(-2 * theta[c]);
        }
        double signal = Math.exp(theta[signal()]);
        double[] k = new double[x.length];
        for (int i = 0; i < k.length; i++) {
            k[i] = signal * Math.exp(-0.5 * distance(x[i], point, inverse));
        }
        return k;
    }

    private static double distance(double[] a, double[] b, double[] inverse) {
        double r2 = 0;
        for (int c = 0; c < inverse.length; c++) {
            double d = a[c] - b[c];
            r2 += inverse[c] * d * d;
        }
        return r2;
    }

    Optional<Solved> solve(double[] theta) {
        for (double t : theta) {
            if (!(Math.abs(t) < 50)) {
                return Optional.empty();
            }
        }
        int n = x.length;
        double[] kernel = new double[n * n];
        double[] a = new double[n * n];
        for (int i = 0; i < n; i++) {
            System.arraycopy(covariances(theta, x[i]), 0, kernel, i * n, n);
            System.arraycopy(kernel, i * n, a, i * n, n);
            a[i * n + i] += noise(theta);
        }
        Optional<Cholesky> factored = Cholesky.of(a, n);
        if (factored.isEmpty()) {
            return Optional.empty();
        }
        Cholesky c = factored.get();
        double[] beta = leastSquares(c);
        double[] residual = y.clone();
        for (int p = 0; p < beta.length; p++) {
            for (int i = 0; i < n; i++) {
                residual[i] -= beta[p] * h[p][i];
            }
        }
        double[] alpha = c.solve(residual);
        double log = -0.5 * (dot(alpha, residual) + c.logDeterminant() + n * Math.log(2 * Math.PI));
        return Optional.of(new Solved(kernel, c, c.inverseFactor(), beta, alpha, log));
    }

    /// `(H' A^-1 H)^-1 H' A^-1 y` for one or two columns; a lower output that does not vary gets factor 0.
    private double[] leastSquares(Cholesky c) {
        double[] one = c.solve(h[0]);
        double ones = dot(one, h[0]);
        double onesY = dot(one, y);
        if (h.length == 1) {
            return new double[] {onesY / ones};
        }
        double[] g = c.solve(h[1]);
        double gg = dot(g, h[1]);
        double cross = dot(one, h[1]);
        double gy = dot(g, y);
        double determinant = ones * gg - cross * cross;
        if (!(determinant > 1e-10 * ones * gg)) {
            return new double[] {onesY / ones, 0};
        }
        return new double[] {(gg * onesY - cross * gy) / determinant, (ones * gy - cross * onesY) / determinant};
    }

    private static double dot(double[] a, double[] b) {
        double sum = 0;
        for (int i = 0; i < a.length; i++) {
            sum += a[i] * b[i];
        }
        return sum;
    }

    /// Log likelihood; adds its gradient. Minus infinity where the matrix cannot be factored.
    double logLikelihood(double[] theta, double[] gradient) {
        Optional<Solved> s = solve(theta);
        if (s.isEmpty()) {
            return Double.NEGATIVE_INFINITY;
        }
        int n = x.length;
        int d = features();
        double[] inverse = s.get().cholesky().inverse();
        double[] alpha = s.get().alpha();
        double[] kernel = s.get().kernel();
        double noise = 0;
        double signal = 0;
        double[] lengths = new double[d];
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++) {
                double w = 0.5 * (alpha[i] * alpha[j] - inverse[i * n + j]);
                double wk = w * kernel[i * n + j];
                signal += wk;
                if (i == j) {
                    noise += w;
                    continue;
                }
                for (int c = 0; c < d; c++) {
                    double delta = x[i][c] - x[j][c];
                    lengths[c] += wk * delta * delta;
                }
            }
        }
        for (int c = 0; c < d; c++) {
            gradient[c] += lengths[c] * Math.exp(-2 * theta[c]);
        }
        gradient[signal()] += signal;
        gradient[signal() + 1] += noise * Math.exp(theta[signal() + 1]);
        return s.get().logLikelihood();
    }

    @Override
    public double value(double[] theta, double[] gradient) {
        java.util.Arrays.fill(gradient, 0);
        double[] centre = centre();
        double[] deviation = deviations();
        double prior = 0;
        for (int i = 0; i < theta.length; i++) {
            double z = (theta[i] - centre[i]) / deviation[i];
            prior -= 0.5 * z * z;
            gradient[i] -= z / deviation[i];
        }
        double likelihood = logLikelihood(theta, gradient);
        for (int i = 0; i < gradient.length; i++) {
            gradient[i] = -gradient[i] / y.length;
        }
        return -(likelihood + prior) / y.length;
    }
}
