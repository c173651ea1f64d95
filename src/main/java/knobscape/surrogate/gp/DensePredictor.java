package knobscape.surrogate.gp;

import java.util.Arrays;
import knobscape.numeric.Sobol;
import knobscape.surrogate.Posterior;

/// Predictions of a process with two terms or with gaps, including the average over draws of the lower
/// fidelity's outputs.
///
/// For one value of g the covariance of outputs b and c is `B_z[b,c] (1 + sum_c v_c g_c^2) + B_e[b,c] - sum_ij
/// (...)`, where the sum is bilinear in the kernel values z_i = k_x (linear + k_g) and e_i = k_e at the
/// training points. Its coefficients do not depend on the input, so they are worked out once; averaged over
/// draws, only the products `z_i z_j` and the values `z_i` have to be averaged.
final class DensePredictor implements GaussianProcess.Predictor {
    private static final int LANES = 64;
    private static final int ROUGH_LANES = 128;

    private final int features;
    private final int lower;
    private final int outputs;
    private final int n;
    private final boolean error;
    private final StandardisedData data;
    private final CrossKernel xKernel;
    private final CrossKernel gKernel;
    private final CrossKernel eKernel;
    private final double[] zPrior;
    private final double[] ePrior;
    private final double[] slopes;
    /// Slopes times the lower outputs at the training points, n x slopes.
    private final double[] linear;
    private final double[] zWeights;
    private final double[] eWeights;
    /// By pair of outputs b <= c, then by i and j <= i: coefficients of z_i z_j, e_i e_j, z_i e_j and e_i z_j,
    /// both orders of the designs together.
    private final double[][] coefficients;
    private final double[][] normals;
    private final long seed;
    /// By output where covariances between outputs are left out and kernel values are rough, else empty.
    private final SquareSums[] singles;

    private DensePredictor(DensePredictor other, double[][] normals) {
        this.features = other.features;
        this.lower = other.lower;
        this.outputs = other.outputs;
        this.n = other.n;
        this.error = other.error;
        this.data = other.data;
        this.xKernel = other.xKernel;
        this.gKernel = other.gKernel;
        this.eKernel = other.eKernel;
        this.zPrior = other.zPrior;
        this.ePrior = other.ePrior;
        this.slopes = other.slopes;
        this.linear = other.linear;
        this.zWeights = other.zWeights;
        this.eWeights = other.eWeights;
        this.coefficients = other.coefficients;
        this.normals = normals;
        this.seed = other.seed;
        this.singles = other.forms();
    }

    /// The same with the fewest draws that keep the lower outputs' moments, and without covariances between
    /// outputs.
    @Override
    public DensePredictor rough() {
        return new DensePredictor(
                this, normals.length <= lower + 1 ? normals : Sobol.matchedNormals(lower + 1, lower, seed));
    }

    DensePredictor(
            ParameterLayout layout,
            double[] theta,
            StandardisedData data,
            LinearSystem.Dense system,
            int samples,
            long seed) {
        this.features = layout.features;
        this.lower = layout.lower;
        this.outputs = layout.outputs;
        this.n = data.inputs().length;
        this.error = layout.terms > 1;
        this.data = data;
        this.xKernel = new CrossKernel(layout.kernel, data.inputs(), 0, features, theta, layout.lengths(0));
        this.gKernel = new CrossKernel(layout.kernel, data.inputs(), features, lower, theta, features);
        this.eKernel =
                error ? new CrossKernel(layout.kernel, data.inputs(), 0, features, theta, layout.lengths(1)) : xKernel;
        this.normals = lower == 0 || samples == 1
                ? new double[1][lower]
                : Sobol.matchedNormals(Math.max(samples, lower + 1), lower, seed);
        int m = outputs;
        double[] bz = system.b()[0];
        double[] be = error ? system.b()[1] : new double[m * m];
        this.zPrior = bz;
        this.ePrior = be;
        this.slopes = new double[layout.slopes];
        for (int c = 0; c < slopes.length; c++) {
            slopes[c] = Math.exp(theta[layout.slope(c)]);
        }
        this.linear = new double[n * slopes.length];
        for (int i = 0; i < linear.length; i++) {
            int c = i % slopes.length;
            linear[i] = slopes[c] * data.inputs()[i / slopes.length][features + c];
        }
        this.zWeights = system.meanWeights(bz);
        this.eWeights = system.meanWeights(be);
        this.coefficients = coefficients(system, bz, be);
        this.seed = seed;
        this.singles = new SquareSums[0];
    }

    private double[][] coefficients(LinearSystem.Dense system, double[] bz, double[] be) {
        int m = outputs;
        double[][] all = new double[m * (m + 1) / 2][4 * n * (n + 1) / 2];
        int rows = system.alpha().length;
        for (int p = 0; p < rows; p++) {
            int a = system.places().output()[p];
            int i = system.places().design()[p];
            for (int r = 0; r < rows; r++) {
                int a2 = system.places().output()[r];
                int j = system.places().design()[r];
                double w = system.inverse()[p * rows + r];
                // The pair (i, j) stands at the larger index first; both orders add to the same symmetric
                // products.
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

    private boolean isRough() {
        return singles.length > 0;
    }

    @Override
    public int lanes() {
        return isRough() ? ROUGH_LANES : LANES;
    }

    @Override
    public void predict(double[][] x, Posterior below, int from, GaussianProcess.Block block) {
        int lanes = block.lanes();
        int samples = uncertain(below, from, lanes) ? normals.length : 1;
        double[][] z = terms(x, from, lanes, xKernel);
        double[][] e = error ? terms(x, from, lanes, eKernel) : new double[0][];
        // By draw: z_i, n x lanes (rough: only their mean is needed), and the linear and curved parts of the input's
        // own covariance.
        double[][][] zs = {z};
        double[][] zMean = z;
        double[][] self = new double[samples][lanes];
        for (double[] s : self) {
            Arrays.fill(s, 1);
        }
        double[][][] expected = new double[outputs][samples][lanes];
        if (lower > 0) {
            zs = new double[isRough() ? 1 : samples][n][lanes];
            zMean = samples == 1 ? zs[0] : new double[n][lanes];
            double[][][] drawn = draws(below, from, lanes, samples);
            for (int s = 0; s < samples; s++) {
                double[][] zOfDraw = zs[isRough() ? 0 : s];
                for (int a = 0; a < outputs; a++) {
                    Lanes.addWeighted(expected[a][s], data.slopes()[a], 0, drawn[s], lower);
                }
                link(drawn[s], zOfDraw, self[s]);
                for (int i = 0; i < n; i++) {
                    Lanes.multiply(zOfDraw[i], z[i]);
                }
                for (int i = 0; i < n && samples > 1; i++) {
                    Lanes.add(zMean[i], 1.0 / samples, zOfDraw[i]);
                }
                for (int a = 0; a < outputs; a++) {
                    Lanes.addWeighted(expected[a][s], zWeights, a * n, zOfDraw, n);
                }
            }
        } else {
            for (int a = 0; a < outputs; a++) {
                Lanes.addWeighted(expected[a][0], zWeights, a * n, z, n);
            }
        }
        means(e, self, expected, block);
        if (isRough()) {
            subtractRoughly(zMean, e, block);
        } else {
            subtractExplained(zs, zMean, e, block.covariances(), lanes);
        }
        for (int b = 0; b < outputs; b++) {
            for (int c = 0; c < b; c++) {
                System.arraycopy(
                        block.covariances()[c * outputs + b], 0, block.covariances()[b * outputs + c], 0, lanes);
                System.arraycopy(block.inherited()[c * outputs + b], 0, block.inherited()[b * outputs + c], 0, lanes);
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

    private double[][] terms(double[][] x, int from, int lanes, CrossKernel kernel) {
        double[][] k = new double[n][lanes];
        fill(kernel, Lanes.columns(x, from, lanes, features), k);
        return k;
    }

    private void fill(CrossKernel kernel, double[][] block, double[][] k) {
        if (isRough()) {
            kernel.fillRoughly(block, k);
        } else {
            kernel.fill(block, k);
        }
    }

    /// Draws of the standardised lower outputs by columns: samples x g x lanes.
    private double[][][] draws(Posterior below, int from, int lanes, int samples) {
        double[][][] block = new double[samples][lower][lanes];
        double[][] z = samples == 1 ? new double[1][lower] : normals;
        double[][] drawn = new double[samples][lower];
        for (int l = 0; l < lanes; l++) {
            below.draw(from + l, z, drawn);
            for (int s = 0; s < samples; s++) {
                for (int g = 0; g < lower; g++) {
                    block[s][g][l] = (drawn[s][g] - data.lowerMean()[g]) / data.lowerScale()[g];
                }
            }
        }
        return block;
    }

    /// Fills kernel values in g (n x lanes) for one draw (g x lanes, scaled in place) and the points' own.
    private void link(double[][] drawn, double[][] k, double[] self) {
        double[][] unscaled = new double[slopes.length][];
        for (int c = 0; c < slopes.length; c++) {
            unscaled[c] = drawn[c].clone();
        }
        fill(gKernel, drawn, k);
        for (int i = 0; i < n; i++) {
            Lanes.addWeighted(k[i], linear, i * slopes.length, unscaled, slopes.length);
        }
        for (int c = 0; c < slopes.length; c++) {
            Lanes.addProduct(self, slopes[c], unscaled[c], unscaled[c]);
        }
    }

    /// Fills the means and starts the covariances (upper half) with the prior's and the spread of the means
    /// over the draws.
    ///
    /// @param bySample by output and draw, without the error term
    private void means(double[][] e, double[][] self, double[][][] bySample, GaussianProcess.Block block) {
        int samples = self.length;
        int lanes = block.lanes();
        for (int a = 0; a < outputs; a++) {
            double[] mean = block.means()[a];
            for (int s = 0; s < samples; s++) {
                Lanes.add(mean, 1.0 / samples, bySample[a][s]);
            }
            for (int s = 0; s < samples; s++) {
                Lanes.add(bySample[a][s], -1, mean);
            }
            Lanes.addWeighted(mean, eWeights, a * n, e, e.length);
        }
        double[] average = new double[lanes];
        for (double[] s : self) {
            Lanes.add(average, 1.0 / samples, s);
        }
        for (int b = 0; b < outputs; b++) {
            for (int c = b; c < (isRough() ? b + 1 : outputs); c++) {
                double[] inherited = block.inherited()[b * outputs + c];
                for (int s = 0; s < samples; s++) {
                    Lanes.addProduct(inherited, 1.0 / samples, bySample[b][s], bySample[c][s]);
                }
                double[] covariance = block.covariances()[b * outputs + c];
                Arrays.fill(covariance, ePrior[b * outputs + c]);
                Lanes.add(covariance, zPrior[b * outputs + c], average);
                Lanes.add(covariance, 1, inherited);
            }
        }
    }

    private void subtractExplained(double[][][] zs, double[][] zMean, double[][] e, double[][] covariances, int lanes) {
        double[] zz = new double[lanes];
        double share = 1.0 / zs.length;
        for (int i = 0; i < n; i++) {
            for (int j = 0; j <= i; j++) {
                Arrays.fill(zz, 0);
                for (double[][] z : zs) {
                    Lanes.addProduct(zz, share, z[i], z[j]);
                }
                int at = 4 * (i * (i + 1) / 2 + j);
                for (int b = 0, pair = 0; b < outputs; b++) {
                    for (int c = b; c < outputs; c++, pair++) {
                        double[] k = coefficients[pair];
                        if (error) {
                            subtract(
                                    covariances[b * outputs + c],
                                    k[at],
                                    k[at + 1],
                                    k[at + 2],
                                    k[at + 3],
                                    zz,
                                    zMean[i],
                                    zMean[j],
                                    e[i],
                                    e[j]);
                        } else {
                            Lanes.add(covariances[b * outputs + c], -k[at], zz);
                        }
                    }
                }
            }
        }
    }

    private static void subtract(
            double[] target,
            double czz,
            double cee,
            double cze,
            double cez,
            double[] zz,
            double[] zi,
            double[] zj,
            double[] ei,
            double[] ej) {
        for (int l = 0; l < target.length; l++) {
            target[l] -= czz * zz[l] + cee * ei[l] * ej[l] + (cze * zi[l] * ej[l] + cez * ei[l] * zj[l]);
        }
    }

    /// As [#subtractExplained] for variances alone and with the mean of the draws' kernel values in place of
    /// the mean of their products, which leaves the variance a little too large.
    private void subtractRoughly(double[][] z, double[][] e, GaussianProcess.Block block) {
        float[][] k = new float[z.length + e.length][block.lanes()];
        Lanes.round(z, k, 0);
        Lanes.round(e, k, z.length);
        double[] explained = new double[block.lanes()];
        for (int b = 0; b < outputs; b++) {
            Arrays.fill(explained, 0);
            singles[b].addTo(explained, k);
            Lanes.add(block.covariances()[b * outputs + b], -1, explained);
        }
    }

    /// By output the form whose value at the kernel values z and e is the variance that the observations
    /// explain.
    private SquareSums[] forms() {
        int size = error ? 2 * n : n;
        SquareSums[] forms = new SquareSums[outputs];
        for (int b = 0, pair = 0; b < outputs; pair += outputs - b, b++) {
            double[] q = new double[size * size];
            double[] k = coefficients[pair];
            for (int i = 0; i < n; i++) {
                for (int j = 0; j <= i; j++) {
                    // A coefficient holds both orders of its pair of designs, which the form has apart.
                    double share = i == j ? 1 : 0.5;
                    int at = 4 * (i * (i + 1) / 2 + j);
                    set(q, size, i, j, share * k[at]);
                    if (error) {
                        set(q, size, n + i, n + j, share * k[at + 1]);
                        set(q, size, n + j, i, 0.5 * k[at + 2]);
                        set(q, size, n + i, j, i == j ? 0.5 * k[at + 2] : 0.5 * k[at + 3]);
                    }
                }
            }
            forms[b] = SquareSums.ofForm(q, size);
        }
        return forms;
    }

    private static void set(double[] q, int size, int i, int j, double value) {
        q[i * size + j] = value;
        q[j * size + i] = value;
    }
}
