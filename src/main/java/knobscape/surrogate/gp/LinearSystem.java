package knobscape.surrogate.gp;

import java.util.Arrays;
import java.util.Optional;
import knobscape.numeric.Cholesky;
import knobscape.numeric.SymmetricEigen;

/// The covariance matrix of all observations, solved: `sum_q B_q (x) K_q + D (x) I` over the observed (output,
/// design) pairs. Two ways with the same result: dense for anything, Kronecker for one term with every output
/// observed everywhere.
sealed interface LinearSystem {

    /// Log marginal likelihood of the standardised observations.
    double logLikelihood();

    /// Weights `(covariance matrix)^-1 y` by output and design, M x n in row order; 0 where nothing was
    /// observed.
    double[] weights();

    /// `B (covariance matrix)^-1 y`: weights of a term's kernel values in the posterior mean, M x n in row
    /// order.
    ///
    /// @param b the term's coregionalisation matrix, M x M
    default double[] meanWeights(double[] b) {
        int m = outputs();
        int n = n();
        double[] weights = weights();
        double[] w = new double[m * n];
        for (int a = 0; a < m; a++) {
            for (int c = 0; c < m; c++) {
                for (int i = 0; i < n; i++) {
                    w[a * n + i] += b[a * m + c] * weights[c * n + i];
                }
            }
        }
        return w;
    }

    /// Number of outputs M.
    int outputs();

    /// Number of designs.
    int n();

    /// The addition to a diagonal to factor it.
    double jitter();

    /// Derivatives of the log marginal likelihood.
    Gradients gradients();

    /// Derivatives of the log marginal likelihood by matrix elements, each element taken as free.
    ///
    /// @param kernels by K_q, n x n each
    /// @param coregionalisations by B_q, M x M each
    /// @param noise by D
    record Gradients(double[][] kernels, double[][] coregionalisations, double[] noise) {}

    /// Solves the system the cheapest way; empty where a matrix cannot be factored.
    ///
    /// @param b coregionalisation matrices
    /// @param d noise variances
    /// @param k kernel matrices, n x n each
    /// @param y observations by output and design, M x n in row order, NaN where missing
    /// @param basis of a trend at the designs, for one output observed everywhere; none for a mean of 0
    static Optional<? extends LinearSystem> solve(
            double[][] b, double[] d, double[][] k, double[] y, int n, Trend.Basis basis) {
        boolean complete = true;
        for (double v : y) {
            complete &= !Double.isNaN(v);
        }
        return complete && b.length == 1 && basis.columns().length == 0
                ? Kronecker.solve(b[0], d, k[0], y, n)
                : Dense.solve(b, d, k, y, n, basis);
    }

    /// Any terms, any gaps: one Cholesky factorisation of order up to n M, O((n M)^3). Coefficients `beta` of a
    /// trend are the generalised least squares estimates, so that derivatives need no term for them.
    record Dense(
            double[][] b,
            double[][] k,
            Places places,
            double[] inverse,
            double[] beta,
            double[] alpha,
            double logLikelihood,
            double jitter)
            implements LinearSystem {

        /// Which observation stands where.
        ///
        /// @param outputs number of outputs M
        /// @param n number of designs
        /// @param output of each observation
        /// @param design of each observation
        record Places(int outputs, int n, int[] output, int[] design) {}

        @Override
        public int outputs() {
            return places.outputs;
        }

        @Override
        public int n() {
            return places.n;
        }

        static Optional<Dense> solve(double[][] b, double[] d, double[][] k, double[] y, int n, Trend.Basis basis) {
            int m = d.length;
            int rows = 0;
            for (double v : y) {
                rows += Double.isNaN(v) ? 0 : 1;
            }
            int[] output = new int[rows];
            int[] design = new int[rows];
            double[] observed = new double[rows];
            rows = 0;
            for (int i = 0; i < y.length; i++) {
                if (!Double.isNaN(y[i])) {
                    output[rows] = i / n;
                    design[rows] = i % n;
                    observed[rows++] = y[i];
                }
            }
            double[] a = new double[rows * rows];
            for (int p = 0; p < rows; p++) {
                for (int r = p; r < rows; r++) {
                    double v = p == r ? d[output[p]] : 0;
                    for (int q = 0; q < b.length; q++) {
                        v += b[q][output[p] * m + output[r]] * k[q][design[p] * n + design[r]];
                    }
                    a[p * rows + r] = v;
                }
            }
            Optional<Cholesky> factored = Cholesky.of(a, rows);
            if (factored.isEmpty()) {
                return Optional.empty();
            }
            Cholesky c = factored.get();
            Trend trend = Trend.of(c, basis, observed);
            double log = -trend.penalty() - 0.5 * (trend.squares() + c.logDeterminant() + rows * Math.log(2 * Math.PI));
            return Optional.of(new Dense(
                    b,
                    k,
                    new Places(m, n, output, design),
                    c.inverse(),
                    trend.beta(),
                    c.colour(trend.whitened()),
                    log,
                    c.jitter()));
        }

        @Override
        public double[] weights() {
            double[] w = new double[places.outputs * places.n];
            for (int p = 0; p < alpha.length; p++) {
                w[places.output[p] * places.n + places.design[p]] = alpha[p];
            }
            return w;
        }

        @Override
        public Gradients gradients() {
            int m = places.outputs;
            int n = places.n;
            int[] output = places.output;
            int[] design = places.design;
            int rows = alpha.length;
            double[][] byK = new double[b.length][n * n];
            double[][] byB = new double[b.length][m * m];
            double[] byD = new double[m];
            for (int p = 0; p < rows; p++) {
                int a = output[p];
                int i = design[p];
                for (int r = 0; r < rows; r++) {
                    double g = 0.5 * (alpha[p] * alpha[r] - inverse[p * rows + r]);
                    int ab = a * m + output[r];
                    int ij = i * n + design[r];
                    for (int q = 0; q < b.length; q++) {
                        byK[q][ij] += b[q][ab] * g;
                        byB[q][ab] += k[q][ij] * g;
                    }
                    if (p == r) {
                        byD[a] += g;
                    }
                }
            }
            return new Gradients(byK, byB, byD);
        }
    }

    /// One term, no gaps. With `D^-1/2 B D^-1/2 = U diag(lambda) U'` the outputs `U' D^-1/2 y` are independent
    /// processes of covariance `lambda_a K + I`: M factorisations of order n. That costs 3 n^3 multiplications
    /// for three objectives with their inverses, less than the eigen-decomposition of K that is usually named
    /// for this.
    record Kronecker(
            double[] b,
            double[] d,
            double[] k,
            Rotation rotation,
            Cholesky[] factors,
            double[][] inverses,
            double[] weights,
            double logLikelihood,
            double jitter)
            implements LinearSystem {

        /// From outputs to independent processes and back.
        ///
        /// @param lambda variance of each process over its noise
        /// @param toIndependent `U' D^-1/2`, M x M
        /// @param toOutputs `D^1/2 U`, M x M
        record Rotation(double[] lambda, double[] toIndependent, double[] toOutputs) {}

        @Override
        public int n() {
            return weights.length / d.length;
        }

        static Optional<Kronecker> solve(double[] b, double[] d, double[] k, double[] y, int n) {
            int m = d.length;
            double[] scaled = new double[m * m];
            for (int a = 0; a < m; a++) {
                for (int c = 0; c < m; c++) {
                    scaled[a * m + c] = b[a * m + c] / Math.sqrt(d[a] * d[c]);
                }
            }
            SymmetricEigen eigen = SymmetricEigen.of(scaled, m);
            double[] lambda = new double[m];
            double[] toIndependent = new double[m * m];
            double[] toOutputs = new double[m * m];
            double log = -0.5 * n * m * Math.log(2 * Math.PI);
            for (int a = 0; a < m; a++) {
                lambda[a] = Math.max(0, eigen.values()[a]);
                log -= 0.5 * n * Math.log(d[a]);
                for (int c = 0; c < m; c++) {
                    toIndependent[a * m + c] = eigen.vectors()[c * m + a] / Math.sqrt(d[c]);
                    toOutputs[c * m + a] = eigen.vectors()[c * m + a] * Math.sqrt(d[c]);
                }
            }
            Cholesky[] factors = new Cholesky[m];
            double[][] inverses = new double[m][];
            double[] weights = new double[m * n];
            double jitter = 0;
            double[] matrix = new double[n * n];
            for (int a = 0; a < m; a++) {
                for (int i = 0; i < n * n; i++) {
                    matrix[i] = lambda[a] * k[i];
                }
                for (int i = 0; i < n; i++) {
                    matrix[i * n + i] += 1;
                }
                Optional<Cholesky> factored = Cholesky.of(matrix, n);
                if (factored.isEmpty()) {
                    return Optional.empty();
                }
                Cholesky c = factored.get();
                double[] rotated = new double[n];
                for (int o = 0; o < m; o++) {
                    for (int i = 0; i < n; i++) {
                        rotated[i] += toIndependent[a * m + o] * y[o * n + i];
                    }
                }
                double[] alpha = c.solve(rotated);
                double fit = 0;
                for (int i = 0; i < n; i++) {
                    fit += alpha[i] * rotated[i];
                    for (int o = 0; o < m; o++) {
                        weights[o * n + i] += toIndependent[a * m + o] * alpha[i];
                    }
                }
                log -= 0.5 * (fit + c.logDeterminant());
                jitter = Math.max(jitter, c.jitter());
                factors[a] = c;
                inverses[a] = c.inverse();
            }
            return Optional.of(new Kronecker(
                    b, d, k, new Rotation(lambda, toIndependent, toOutputs), factors, inverses, weights, log, jitter));
        }

        @Override
        public int outputs() {
            return d.length;
        }

        @Override
        public Gradients gradients() {
            int m = d.length;
            int n = n();
            double[] lambda = rotation.lambda;
            double[] toIndependent = rotation.toIndependent;
            double[] byK = new double[n * n];
            double[] byB = new double[m * m];
            double[] byD = new double[m];
            // Traces of the inverse of each independent process, with K and alone, turned back to outputs.
            for (int a = 0; a < m; a++) {
                double withK = 0;
                double alone = 0;
                double[] w = inverses[a];
                for (int i = 0; i < n * n; i++) {
                    withK += w[i] * k[i];
                    byK[i] -= 0.5 * lambda[a] * w[i];
                }
                for (int i = 0; i < n; i++) {
                    alone += w[i * n + i];
                }
                for (int o = 0; o < m; o++) {
                    byD[o] -= 0.5 * toIndependent[a * m + o] * toIndependent[a * m + o] * alone;
                    for (int p = 0; p < m; p++) {
                        byB[o * m + p] -= 0.5 * toIndependent[a * m + o] * toIndependent[a * m + p] * withK;
                    }
                }
            }
            double[] kw = new double[m * n];
            for (int o = 0; o < m; o++) {
                for (int i = 0; i < n; i++) {
                    double sum = 0;
                    for (int j = 0; j < n; j++) {
                        sum += k[i * n + j] * weights[o * n + j];
                    }
                    kw[o * n + i] = sum;
                    byD[o] += 0.5 * weights[o * n + i] * weights[o * n + i];
                }
            }
            double[] mixed = new double[n];
            for (int o = 0; o < m; o++) {
                Arrays.fill(mixed, 0);
                for (int p = 0; p < m; p++) {
                    double dot = 0;
                    for (int i = 0; i < n; i++) {
                        dot += weights[o * n + i] * kw[p * n + i];
                        mixed[i] += b[o * m + p] * weights[p * n + i];
                    }
                    byB[o * m + p] += 0.5 * dot;
                }
                for (int i = 0; i < n; i++) {
                    double wi = 0.5 * weights[o * n + i];
                    for (int j = 0; j < n; j++) {
                        byK[i * n + j] += wi * mixed[j];
                    }
                }
            }
            return new Gradients(new double[][] {byK}, new double[][] {byB}, byD);
        }
    }
}
