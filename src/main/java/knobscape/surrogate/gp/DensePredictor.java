package knobscape.surrogate.gp;

import java.util.Arrays;
import knobscape.surrogate.Posterior;
import knobscape.surrogate.numeric.Sobol;

/// Predictions of a process with two terms or with gaps, including the average over draws of the lower fidelity's outputs.
///
/// For one value of g the covariance of outputs b and c is `B_z[b,c] (1 + sum_c v_c g_c^2) + B_e[b,c] - sum_ij (...)`, where the sum is bilinear in the kernel values z_i = k_x (linear + k_g) and
/// e_i = k_e at the training points. Its coefficients do not depend on the input, so they are worked out once; averaged over draws, only the products
/// `z_i z_j` and the values `z_i` have to be averaged.
final class DensePredictor implements CoregionalGp.Predictor {
    private static final int LANES = 32;

    private final int features;
    private final int lower;
    private final int outputs;
    private final int n;
    private final boolean error;
    private final boolean curved;
    private final Standardised data;
    private final CrossKernel xKernel;
    private final CrossKernel gKernel;
    private final CrossKernel eKernel;
    private final double[] zPrior;
    private final double[] ePrior;
    private final double[] slopes;
    private final double[] zWeights;
    private final double[] eWeights;
    /// By pair of outputs b <= c, then by i and j <= i: coefficients of z_i z_j, e_i e_j, z_i e_j and e_i z_j, both orders of the designs together.
    private final double[][] coefficients;
    private final double[][] normals;
    /// Whether covariances between outputs are left out and kernel values are rough.
    private final boolean diagonal;

    private DensePredictor(DensePredictor other, double[][] normals) {
        this.features = other.features;
        this.lower = other.lower;
        this.outputs = other.outputs;
        this.n = other.n;
        this.error = other.error;
        this.curved = other.curved;
        this.data = other.data;
        this.xKernel = other.xKernel;
        this.gKernel = other.gKernel;
        this.eKernel = other.eKernel;
        this.zPrior = other.zPrior;
        this.ePrior = other.ePrior;
        this.slopes = other.slopes;
        this.zWeights = other.zWeights;
        this.eWeights = other.eWeights;
        this.coefficients = other.coefficients;
        this.normals = normals;
        this.diagonal = true;
    }

    /// The same with the fewest draws that keep the lower outputs' moments, and without covariances between outputs.
    DensePredictor rough(long seed) {
        return new DensePredictor(this, normals.length <= lower + 1 ? normals : Sobol.matchedNormals(lower + 1, lower, seed));
    }

    DensePredictor(Layout layout, double[] theta, Standardised data, LinearSystem.Dense system, int samples, long seed) {
        this.features = layout.features;
        this.lower = layout.lower;
        this.outputs = layout.outputs;
        this.n = data.inputs().length;
        this.error = layout.terms > 1;
        this.curved = layout.curved;
        this.data = data;
        this.xKernel = new CrossKernel(data.inputs(), 0, features, theta, layout.lengths(0));
        this.gKernel = new CrossKernel(data.inputs(), features, lower, theta, features);
        this.eKernel = error ? new CrossKernel(data.inputs(), 0, features, theta, layout.lengths(1)) : xKernel;
        this.normals = lower == 0 || samples == 1 ? new double[1][lower] : Sobol.matchedNormals(Math.max(samples, lower + 1), lower, seed);
        int m = outputs;
        double[] bz = system.b()[0];
        double[] be = error ? system.b()[1] : new double[m * m];
        this.zPrior = bz;
        this.ePrior = be;
        this.slopes = new double[layout.slopes];
        for (int c = 0; c < slopes.length; c++) {
            slopes[c] = Math.exp(theta[layout.slope(c)]);
        }
        this.zWeights = product(bz, system.weights());
        this.eWeights = product(be, system.weights());
        this.coefficients = coefficients(system, bz, be);
        this.diagonal = false;
    }

    private double[] product(double[] b, double[] weights) {
        double[] w = new double[outputs * n];
        for (int a = 0; a < outputs; a++) {
            for (int c = 0; c < outputs; c++) {
                for (int i = 0; i < n; i++) {
                    w[a * n + i] += b[a * outputs + c] * weights[c * n + i];
                }
            }
        }
        return w;
    }

    private double[][] coefficients(LinearSystem.Dense system, double[] bz, double[] be) {
        int m = outputs;
        double[][] all = new double[m * (m + 1) / 2][4 * n * (n + 1) / 2];
        int rows = system.alpha().length;
        for (int p = 0; p < rows; p++) {
            int a = system.output()[p];
            int i = system.design()[p];
            for (int r = 0; r < rows; r++) {
                int a2 = system.output()[r];
                int j = system.design()[r];
                double w = system.inverse()[p * rows + r];
                // The pair (i, j) stands at the larger index first; both orders add to the same symmetric products.
                int at = 4 * (Math.max(i, j) * (Math.max(i, j) + 1) / 2 + Math.min(i, j));
                for (int b = 0, pair = 0; b < m; b++) {
                    for (int c = b; c < m; c++, pair++) {
                        double[] k = all[pair];
                        k[at] += w * bz[a * m + b] * bz[a2 * m + c];
                        k[at + 1] += w * be[a * m + b] * be[a2 * m + c];
                        double cross = w * (bz[a * m + b] * be[a2 * m + c] + bz[a * m + c] * be[a2 * m + b]);
                        k[at + (i >= j ? 2 : 3)] += cross;
                    }
                }
            }
        }
        return all;
    }

    @Override
    public int lanes() {
        return LANES;
    }

    @Override
    public void predict(double[][] x, Posterior below, int from, int lanes, double[] means, double[] covariances, double[] inherited) {
        int samples = uncertain(below, from, lanes) ? normals.length : 1;
        double[] z = terms(x, from, lanes, xKernel);
        double[] e = error ? terms(x, from, lanes, eKernel) : new double[0];
        // zs holds z_i for every draw: n x samples x lanes.
        double[] zs = z;
        double[] self = new double[samples * lanes];
        Arrays.fill(self, 1);
        if (lower > 0) {
            zs = new double[n * samples * lanes];
            double[] drawn = draws(below, from, lanes, samples);
            double[] unscaled = slopes.length == 0 ? drawn : drawn.clone();
            if (curved) {
                fill(gKernel, drawn, samples * lanes, zs);
            } else {
                Arrays.fill(self, 0);
            }
            addLinear(unscaled, samples * lanes, zs, self);
            for (int i = 0; i < n; i++) {
                for (int s = 0; s < samples; s++) {
                    int at = (i * samples + s) * lanes;
                    for (int l = 0; l < lanes; l++) {
                        zs[at + l] *= z[i * lanes + l];
                    }
                }
            }
        }
        double[] zMean = samples == 1 ? zs : averages(zs, samples, lanes);
        means(zs, e, self, samples, lanes, means, covariances, inherited);
        if (diagonal && error) {
            subtractRoughly(zMean, e, lanes, covariances);
        } else {
            subtractExplained(zs, zMean, e, samples, lanes, covariances);
        }
        for (int b = 0; b < outputs; b++) {
            for (int c = 0; c < b; c++) {
                System.arraycopy(covariances, (c * outputs + b) * lanes, covariances, (b * outputs + c) * lanes, lanes);
                System.arraycopy(inherited, (c * outputs + b) * lanes, inherited, (b * outputs + c) * lanes, lanes);
            }
        }
    }

    private static boolean uncertain(Posterior below, int from, int lanes) {
        for (int l = 0; l < lanes; l++) {
            for (int g = 0; g < below.outputs(); g++) {
                if (below.covariance(from + l, g, g) > 0) {
                    return true;
                }
            }
        }
        return false;
    }

    private double[] terms(double[][] x, int from, int lanes, CrossKernel kernel) {
        double[] block = new double[features * lanes];
        for (int l = 0; l < lanes; l++) {
            for (int c = 0; c < features; c++) {
                block[c * lanes + l] = x[from + l][c];
            }
        }
        double[] k = new double[n * lanes];
        fill(kernel, block, lanes, k);
        return k;
    }

    private void fill(CrossKernel kernel, double[] block, int points, double[] k) {
        if (diagonal) {
            kernel.fillRoughly(block, points, k);
        } else {
            kernel.fill(block, points, k);
        }
    }

    /// Draws of the standardised lower outputs by columns: g x (samples x lanes).
    private double[] draws(Posterior below, int from, int lanes, int samples) {
        double[] block = new double[lower * samples * lanes];
        double[][] z = samples == 1 ? new double[1][lower] : normals;
        double[][] drawn = new double[samples][lower];
        for (int l = 0; l < lanes; l++) {
            below.draw(from + l, z, drawn);
            for (int s = 0; s < samples; s++) {
                for (int g = 0; g < lower; g++) {
                    block[(g * samples + s) * lanes + l] = (drawn[s][g] - data.lowerMean()[g]) / data.lowerScale()[g];
                }
            }
        }
        return block;
    }

    /// Adds the linear part of the link to kernel values in g (n x points) and to the points' own.
    private void addLinear(double[] block, int points, double[] k, double[] self) {
        for (int c = 0; c < slopes.length; c++) {
            int column = c * points;
            for (int i = 0; i < n; i++) {
                double w = slopes[c] * data.inputs()[i][features + c];
                for (int l = 0; l < points; l++) {
                    k[i * points + l] += w * block[column + l];
                }
            }
            for (int l = 0; l < points; l++) {
                self[l] += slopes[c] * block[column + l] * block[column + l];
            }
        }
    }

    private double[] averages(double[] zs, int samples, int lanes) {
        double[] mean = new double[n * lanes];
        for (int i = 0; i < n; i++) {
            for (int s = 0; s < samples; s++) {
                int at = (i * samples + s) * lanes;
                for (int l = 0; l < lanes; l++) {
                    mean[i * lanes + l] += zs[at + l];
                }
            }
            for (int l = 0; l < lanes; l++) {
                mean[i * lanes + l] /= samples;
            }
        }
        return mean;
    }

    /// Fills the means and starts the covariances (upper half) with the prior's and the spread of the means over the draws.
    private void means(double[] zs, double[] e, double[] self, int samples, int lanes, double[] means, double[] covariances, double[] inherited) {
        double[] bySample = new double[outputs * samples * lanes];
        double[] base = new double[lanes];
        for (int a = 0; a < outputs; a++) {
            Arrays.fill(base, 0);
            if (error) {
                for (int i = 0; i < n; i++) {
                    double w = eWeights[a * n + i];
                    for (int l = 0; l < lanes; l++) {
                        base[l] += w * e[i * lanes + l];
                    }
                }
            }
            int row = a * samples * lanes;
            for (int i = 0; i < n; i++) {
                double w = zWeights[a * n + i];
                int at = i * samples * lanes;
                for (int l = 0; l < samples * lanes; l++) {
                    bySample[row + l] += w * zs[at + l];
                }
            }
            for (int l = 0; l < lanes; l++) {
                double sum = 0;
                for (int s = 0; s < samples; s++) {
                    sum += bySample[row + s * lanes + l];
                }
                double mean = sum / samples;
                means[a * lanes + l] = base[l] + mean;
                for (int s = 0; s < samples; s++) {
                    bySample[row + s * lanes + l] -= mean;
                }
            }
        }
        double[] average = new double[lanes];
        for (int s = 0; s < samples; s++) {
            for (int l = 0; l < lanes; l++) {
                average[l] += self[s * lanes + l] / samples;
            }
        }
        for (int b = 0; b < outputs; b++) {
            for (int c = b; c < outputs; c++) {
                int at = (b * outputs + c) * lanes;
                for (int l = 0; l < lanes; l++) {
                    double sum = 0;
                    for (int s = 0; s < samples; s++) {
                        sum += bySample[(b * samples + s) * lanes + l] * bySample[(c * samples + s) * lanes + l];
                    }
                    inherited[at + l] = diagonal && c > b ? 0 : sum / samples;
                    covariances[at + l] = diagonal && c > b ? 0 : zPrior[b * outputs + c] * average[l] + ePrior[b * outputs + c] + inherited[at + l];
                }
            }
        }
    }

    private void subtractExplained(double[] zs, double[] zMean, double[] e, int samples, int lanes, double[] covariances) {
        double[] zz = new double[lanes];
        for (int i = 0; i < n; i++) {
            for (int j = 0; j <= i; j++) {
                Arrays.fill(zz, 0);
                for (int s = 0; s < samples; s++) {
                    int p = (i * samples + s) * lanes;
                    int q = (j * samples + s) * lanes;
                    for (int l = 0; l < lanes; l++) {
                        zz[l] += zs[p + l] * zs[q + l];
                    }
                }
                int at = 4 * (i * (i + 1) / 2 + j);
                for (int b = 0, pair = 0; b < outputs; b++) {
                    for (int c = b; c < outputs; c++, pair++) {
                        if (diagonal && c > b) {
                            continue;
                        }
                        double[] k = coefficients[pair];
                        if (error) {
                            subtract(covariances, (b * outputs + c) * lanes, k[at] / samples, k[at + 1], k[at + 2], k[at + 3], zz, zMean, e, i * lanes,
                                    j * lanes, lanes);
                        } else {
                            subtract(covariances, (b * outputs + c) * lanes, k[at] / samples, zz, lanes);
                        }
                    }
                }
            }
        }
    }

    /// As [#subtractExplained] for variances alone and with the mean of the draws' kernel values in place of the mean of their products, which leaves the variance a little too large.
    private void subtractRoughly(double[] z, double[] e, int lanes, double[] covariances) {
        double[] zz = new double[lanes];
        double[] ee = new double[lanes];
        double[] ze = new double[lanes];
        double[] ez = new double[lanes];
        for (int i = 0; i < n; i++) {
            int p = i * lanes;
            for (int j = 0; j <= i; j++) {
                int q = j * lanes;
                for (int l = 0; l < lanes; l++) {
                    zz[l] = z[p + l] * z[q + l];
                    ee[l] = e[p + l] * e[q + l];
                    ze[l] = z[p + l] * e[q + l];
                    ez[l] = e[p + l] * z[q + l];
                }
                int at = 4 * (i * (i + 1) / 2 + j);
                for (int b = 0, pair = 0; b < outputs; pair += outputs - b, b++) {
                    subtract(covariances, (b * outputs + b) * lanes, coefficients[pair], at, zz, ee, ze, ez, lanes);
                }
            }
        }
    }

    private static void subtract(double[] target, int to, double[] k, int at, double[] zz, double[] ee, double[] ze, double[] ez, int lanes) {
        double czz = k[at];
        double cee = k[at + 1];
        double cze = k[at + 2];
        double cez = k[at + 3];
        for (int l = 0; l < lanes; l++) {
            target[to + l] -= czz * zz[l] + cee * ee[l] + (cze * ze[l] + cez * ez[l]);
        }
    }

    private static void subtract(double[] target, int at, double czz, double cee, double cze, double cez, double[] zz, double[] z, double[] e,
            int i, int j, int lanes) {
        for (int l = 0; l < lanes; l++) {
            target[at + l] -= czz * zz[l] + cee * e[i + l] * e[j + l] + (cze * z[i + l] * e[j + l] + cez * e[i + l] * z[j + l]);
        }
    }

    private static void subtract(double[] target, int at, double czz, double[] zz, int lanes) {
        for (int l = 0; l < lanes; l++) {
            target[at + l] -= czz * zz[l];
        }
    }
}
