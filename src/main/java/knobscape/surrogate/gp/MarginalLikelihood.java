package knobscape.surrogate.gp;

import java.util.Arrays;
import java.util.Optional;
import knobscape.numeric.Lbfgs;

/// Log marginal likelihood of standardised data as a function of the hyper-parameters of a [ParameterLayout], with its
/// gradient. As an objective to minimise it is the negative of likelihood plus prior per observed value,
/// infinite where the covariance cannot be factored.
final class MarginalLikelihood implements Lbfgs.Objective {
    private final ParameterLayout layout;
    private final int n;
    private final double[] y;
    private final int observed;
    private final double[][] inputs;
    /// Squared differences, one array per feature (x, then g) over the pairs i < j.
    private final double[][] squares;
    /// Products of lower outputs, one array per lower output over the pairs i < j, and over the designs.
    private final double[][] products;
    private final double[][] selfProducts;
    /// Of a trend a constant and its columns at the designs, or what the slopes known of the lower outputs expect, of
    /// which a share may be learned to be more or less; none for a mean of 0.
    private final Trend.Basis basis;

    /// @param inputs x and g of every design, n x (features + lower), more columns only for a trend
    /// @param y outputs by output and design, M x n, NaN where missing
    MarginalLikelihood(ParameterLayout layout, double[][] inputs, double[] y) {
        this(layout, inputs, y, trend(layout, inputs));
    }

    /// Of a process whose slopes by the lower outputs are multiplied by what the observations say
    /// ([#multiplier]), where it has one output, observed everywhere, and such slopes; else the same.
    ///
    /// @param deviation of the multiplier about 1 beforehand, 0 where it is 1
    static MarginalLikelihood multiplied(ParameterLayout layout, StandardisedData data, double deviation) {
        double[] expected = data.expected(0);
        boolean isLearned = deviation > 0
                && !data.isExact()
                && layout.outputs == 1
                && !layout.hasTrend
                && Arrays.stream(data.y()).noneMatch(Double::isNaN)
                && Arrays.stream(expected).anyMatch(v -> v != 0);
        return isLearned
                ? new MarginalLikelihood(
                        layout,
                        data.inputs(),
                        data.y(),
                        new Trend.Basis(new double[][] {expected}, 1 / (deviation * deviation)))
                : new MarginalLikelihood(layout, data.inputs(), data.y());
    }

    private static Trend.Basis trend(ParameterLayout layout, double[][] inputs) {
        double[][] columns = new double[layout.hasTrend ? 1 + layout.trend.length : 0][inputs.length];
        for (int p = 0; p < columns.length; p++) {
            for (int i = 0; i < inputs.length; i++) {
                columns[p][i] = p == 0 ? 1 : inputs[i][layout.trend[p - 1]];
            }
        }
        return new Trend.Basis(columns, 0);
    }

    private MarginalLikelihood(ParameterLayout layout, double[][] inputs, double[] y, Trend.Basis basis) {
        this.layout = layout;
        this.n = inputs.length;
        this.inputs = inputs;
        this.y = y;
        this.basis = basis;
        this.observed = (int) Arrays.stream(y).filter(v -> !Double.isNaN(v)).count();
        this.squares = new double[layout.features + layout.lower][n * (n - 1) / 2];
        for (int c = 0; c < squares.length; c++) {
            int p = 0;
            for (int i = 0; i < n; i++) {
                for (int j = i + 1; j < n; j++) {
                    double delta = inputs[i][c] - inputs[j][c];
                    squares[c][p++] = delta * delta;
                }
            }
        }
        this.products = new double[layout.slopes][n * (n - 1) / 2];
        this.selfProducts = new double[layout.slopes][n];
        for (int c = 0; c < products.length; c++) {
            int p = 0;
            for (int i = 0; i < n; i++) {
                double gi = inputs[i][layout.features + c];
                selfProducts[c][i] = gi * gi;
                for (int j = i + 1; j < n; j++) {
                    products[c][p++] = gi * inputs[j][layout.features + c];
                }
            }
        }
    }

    @Override
    public double value(double[] theta, double[] gradient) {
        return at(theta).map(at -> at.value(gradient)).orElse(Double.POSITIVE_INFINITY);
    }

    /// The observations' covariance at `theta`, solved; empty where it cannot be.
    Optional<At> at(double[] theta) {
        for (double t : theta) {
            if (!(Math.abs(t) < 50)) {
                return Optional.empty();
            }
        }
        double[][] b = new double[layout.terms][];
        for (int q = 0; q < b.length; q++) {
            b[q] = layout.coregionalisation(theta, q);
        }
        Kernels kernels = new Kernels(theta);
        return LinearSystem.solve(b, layout.noise(theta), kernels.matrices, y, n, basis)
                .map(system -> new At(theta, kernels, system));
    }

    /// The multiplier of the known slopes of the lower outputs at `theta`; 1 where that is not learned.
    double multiplier(double[] theta) {
        return basis.precision() > 0
                ? at(theta)
                        .filter(at -> at.system instanceof LinearSystem.Dense)
                        .map(at -> 1 + ((LinearSystem.Dense) at.system).beta()[0])
                        .orElse(1.0)
                : 1;
    }

    /// The likelihood at some hyper-parameters.
    final class At {
        private final double[] theta;
        private final Kernels kernels;
        private final LinearSystem system;

        private At(double[] theta, Kernels kernels, LinearSystem system) {
            this.theta = theta;
            this.kernels = kernels;
            this.system = system;
        }

        LinearSystem system() {
            return system;
        }

        /// The objective: the negative of log likelihood plus log prior per observed value.
        ///
        /// @param gradient receives its derivatives by the hyper-parameters
        double value(double[] gradient) {
            return value(gradient, new double[0][]);
        }

        /// The same, and its derivatives by the features.
        ///
        /// @param byFeatures receives them, n x features; without rows they are left out
        double value(double[] gradient, double[][] byFeatures) {
            Arrays.fill(gradient, 0);
            double prior = layout.logPrior(theta, gradient);
            LinearSystem.Gradients g = system.gradients();
            addLikelihood(g, gradient);
            for (int i = 0; i < gradient.length; i++) {
                gradient[i] = -gradient[i] / observed;
            }
            if (byFeatures.length > 0) {
                byFeatures(g, byFeatures);
            }
            return -(system.logLikelihood() + prior) / observed;
        }

        private void byFeatures(LinearSystem.Gradients g, double[][] byFeatures) {
            for (double[] row : byFeatures) {
                Arrays.fill(row, 0);
            }
            for (int q = 0; q < layout.terms; q++) {
                kernels.addFeatureGradients(q, g.kernels()[q], theta, byFeatures);
            }
            for (double[] row : byFeatures) {
                for (int c = 0; c < row.length; c++) {
                    row[c] = -row[c] / observed;
                }
            }
        }

        /// Adds derivatives of the log likelihood.
        void addLikelihood(double[] gradient) {
            addLikelihood(system.gradients(), gradient);
        }

        private void addLikelihood(LinearSystem.Gradients g, double[] gradient) {
            int m = layout.outputs;
            for (int a = 0; a < m; a++) {
                gradient[layout.noise(a)] += g.noise()[a] * Math.exp(theta[layout.noise(a)]);
            }
            for (int q = 0; q < layout.terms; q++) {
                double[] l = layout.factor(theta, q);
                double[] byB = g.coregionalisations()[q];
                for (int a = 0; a < m; a++) {
                    for (int c = 0; c <= a; c++) {
                        double sum = 0;
                        for (int o = 0; o < m; o++) {
                            sum += (byB[a * m + o] + byB[o * m + a]) * l[o * m + c];
                        }
                        gradient[layout.element(q, a, c)] += a == c ? sum * layout.diagonalSlope(l[a * m + a]) : sum;
                    }
                }
                kernels.addGradients(q, g.kernels()[q], theta, gradient);
            }
        }
    }

    /// Kernel matrices of all terms and, for the gradient, their slopes over the pairs.
    private final class Kernels {
        private final double[][] matrices = new double[layout.terms][];
        /// By term: slope of the factor in x times the other factor; and the same the other way round for g.
        private final double[][] xSlopes = new double[layout.terms][];
        private final double[] gSlopes;
        /// The factor in x of term 0.
        private final double[] xValues;

        Kernels(double[] theta) {
            int pairs = n * (n - 1) / 2;
            gSlopes = new double[layout.lower == 0 ? 0 : pairs];
            xValues = new double[layout.slopes == 0 ? 0 : pairs];
            for (int q = 0; q < layout.terms; q++) {
                xSlopes[q] = new double[pairs];
                double[] k = new double[pairs];
                layout.kernel.fill(distances(theta, layout.lengths(q), 0, layout.features), k, xSlopes[q]);
                double[] self = new double[n];
                Arrays.fill(self, 1);
                if (q == 0 && layout.lower > 0) {
                    double[] kg = new double[pairs];
                    layout.kernel.fill(distances(theta, layout.features, layout.features, layout.lower), kg, gSlopes);
                    double[] linear = new double[pairs];
                    for (int c = 0; c < layout.slopes; c++) {
                        double v = Math.exp(theta[layout.slope(c)]);
                        Lanes.add(linear, v, products[c]);
                        Lanes.add(self, v, selfProducts[c]);
                    }
                    System.arraycopy(k, 0, xValues, 0, xValues.length);
                    for (int p = 0; p < pairs; p++) {
                        double factor = linear[p] + kg[p];
                        gSlopes[p] *= k[p];
                        xSlopes[q][p] *= factor;
                        k[p] *= factor;
                    }
                }
                double[] matrix = new double[n * n];
                int p = 0;
                for (int i = 0; i < n; i++) {
                    matrix[i * n + i] = self[i];
                    for (int j = i + 1; j < n; j++, p++) {
                        matrix[i * n + j] = k[p];
                        matrix[j * n + i] = k[p];
                    }
                }
                matrices[q] = matrix;
            }
        }

        /// Squared scaled distances over the pairs, from `count` columns starting at `column`, whose log
        /// lengths start at `at`.
        private double[] distances(double[] theta, int at, int column, int count) {
            double[] r2 = new double[n * (n - 1) / 2];
            for (int c = 0; c < count; c++) {
                double[] square = squares[column + c];
                double inverse = Math.exp(-2 * theta[at + c]);
                for (int p = 0; p < r2.length; p++) {
                    r2[p] += inverse * square[p];
                }
            }
            return r2;
        }

        /// Derivatives by the pairs' covariances, both orders together.
        private double[] weights(double[] byK) {
            double[] weights = new double[n * (n - 1) / 2];
            int p = 0;
            for (int i = 0; i < n; i++) {
                for (int j = i + 1; j < n; j++, p++) {
                    weights[p] = byK[i * n + j] + byK[j * n + i];
                }
            }
            return weights;
        }

        /// Adds what term `q` gives to the derivatives by the features: `dk / dx_d = -slope (x_d - x'_d) / l_d^2`.
        void addFeatureGradients(int q, double[] byK, double[] theta, double[][] byFeatures) {
            double[] weights = weights(byK);
            double[] inverse = new double[layout.features];
            for (int c = 0; c < inverse.length; c++) {
                inverse[c] = Math.exp(-2 * theta[layout.lengths(q) + c]);
            }
            int p = 0;
            for (int i = 0; i < n; i++) {
                for (int j = i + 1; j < n; j++, p++) {
                    double product = weights[p] * xSlopes[q][p];
                    for (int c = 0; c < inverse.length; c++) {
                        double step = product * inverse[c] * (inputs[i][c] - inputs[j][c]);
                        byFeatures[i][c] -= step;
                        byFeatures[j][c] += step;
                    }
                }
            }
        }

        void addGradients(int q, double[] byK, double[] theta, double[] gradient) {
            double[] weights = weights(byK);
            add(weights, xSlopes[q], theta, gradient, layout.lengths(q), 0, layout.features);
            if (q == 0 && layout.lower > 0) {
                add(weights, gSlopes, theta, gradient, layout.features, layout.features, layout.lower);
                for (int c = 0; c < layout.slopes; c++) {
                    double sum = 0;
                    for (int p = 0; p < weights.length; p++) {
                        sum += weights[p] * xValues[p] * products[c][p];
                    }
                    for (int i = 0; i < n; i++) {
                        sum += byK[i * n + i] * selfProducts[c][i];
                    }
                    gradient[layout.slope(c)] += sum * Math.exp(theta[layout.slope(c)]);
                }
            }
        }

        private void add(
                double[] weights, double[] slopes, double[] theta, double[] gradient, int at, int column, int count) {
            double[] product = new double[weights.length];
            for (int p = 0; p < product.length; p++) {
                product[p] = weights[p] * slopes[p];
            }
            for (int c = 0; c < count; c++) {
                double[] square = squares[column + c];
                double s0 = 0;
                double s1 = 0;
                double s2 = 0;
                double s3 = 0;
                int p = 0;
                for (; p + 3 < product.length; p += 4) {
                    s0 += product[p] * square[p];
                    s1 += product[p + 1] * square[p + 1];
                    s2 += product[p + 2] * square[p + 2];
                    s3 += product[p + 3] * square[p + 3];
                }
                for (; p < product.length; p++) {
                    s0 += product[p] * square[p];
                }
                gradient[at + c] += (s0 + s1 + (s2 + s3)) * Math.exp(-2 * theta[at + c]);
            }
        }
    }
}
