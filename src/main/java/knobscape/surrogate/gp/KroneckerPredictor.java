package knobscape.surrogate.gp;

import java.util.Arrays;
import knobscape.surrogate.Posterior;

/// Predictions of a process of one term whose outputs were all observed everywhere.
final class KroneckerPredictor implements CoregionalGp.Predictor {
    private static final int LANES = 64;

    private final int outputs;
    private final int n;
    private final CrossKernel kernel;
    private final LinearSystem.Kronecker system;
    /// `B alpha`: weights of kernel values in the mean, M x n.
    private final double[] meanWeights;
    private final int features;
    /// The inverse factors with single precision, for rough variances; empty where they are exact. Their elements and the products are at most 1 in size, so that
    /// a variance keeps six digits of the prior's.
    private final float[][] singles;

    private KroneckerPredictor(KroneckerPredictor other, float[][] singles) {
        this.outputs = other.outputs;
        this.n = other.n;
        this.kernel = other.kernel;
        this.system = other.system;
        this.meanWeights = other.meanWeights;
        this.features = other.features;
        this.singles = singles;
    }

    /// The same with variances in single precision and rough kernel values, for twice the speed.
    KroneckerPredictor rough() {
        float[][] copies = new float[outputs][];
        for (int a = 0; a < outputs; a++) {
            double[] v = system.inverseFactors()[a];
            copies[a] = new float[v.length];
            for (int i = 0; i < v.length; i++) {
                copies[a][i] = (float) v[i];
            }
        }
        return new KroneckerPredictor(this, copies);
    }

    KroneckerPredictor(Layout layout, double[] theta, Standardised data, LinearSystem.Kronecker system) {
        this.outputs = layout.outputs;
        this.features = layout.features;
        this.n = system.n();
        this.kernel = new CrossKernel(data.inputs(), 0, layout.features, theta, layout.lengths(0));
        this.system = system;
        this.singles = new float[0][];
        this.meanWeights = new double[outputs * n];
        for (int a = 0; a < outputs; a++) {
            for (int c = 0; c < outputs; c++) {
                for (int i = 0; i < n; i++) {
                    meanWeights[a * n + i] += system.b()[a * outputs + c] * system.weights()[c * n + i];
                }
            }
        }
    }

    @Override
    public int lanes() {
        return LANES;
    }

    @Override
    public void predict(double[][] x, Posterior lower, int from, int lanes, double[] means, double[] covariances,
            double[] inherited) {
        double[] block = new double[features * lanes];
        for (int l = 0; l < lanes; l++) {
            for (int c = 0; c < features; c++) {
                block[c * lanes + l] = x[from + l][c];
            }
        }
        double[] k = new double[n * lanes];
        boolean isRough = singles.length > 0;
        float[] kf = new float[isRough ? n * lanes : 0];
        if (isRough) {
            kernel.fillRoughly(block, lanes, k);
            for (int p = 0; p < kf.length; p++) {
                kf[p] = (float) k[p];
            }
        } else {
            kernel.fill(block, lanes, k);
        }
        Arrays.fill(means, 0, outputs * lanes, 0);
        Arrays.fill(covariances, 0, outputs * outputs * lanes, 0);
        for (int a = 0; a < outputs; a++) {
            for (int i = 0; i < n; i++) {
                addScaled(means, a * lanes, meanWeights[a * n + i], k, i * lanes, lanes);
            }
        }
        double[] row = new double[lanes];
        double[] variance = new double[lanes];
        for (int a = 0; a < outputs; a++) {
            double lambda = system.lambda()[a];
            double[] v = system.inverseFactors()[a];
            Arrays.fill(variance, 0);
            if (isRough) {
                addSquares(variance, singles[a], kf, lanes);
            } else {
                addSquares(variance, v, k, row, lanes);
            }
            for (int l = 0; l < lanes; l++) {
                variance[l] = lambda * Math.max(0, 1 - lambda * variance[l]);
            }
            for (int o = 0; o < outputs; o++) {
                for (int p = 0; p < outputs; p++) {
                    double t = system.toOutputs()[o * outputs + a] * system.toOutputs()[p * outputs + a];
                    addScaled(covariances, (o * outputs + p) * lanes, t, variance, 0, lanes);
                }
            }
        }
    }

    /// Adds the squares of the products of the factor's rows with `k` (n x lanes).
    private void addSquares(double[] variance, double[] v, double[] k, double[] row, int lanes) {
        for (int c = 0; c < n; c++) {
            Arrays.fill(row, 0);
            int j = 0;
            for (; j + 3 <= c; j += 4) {
                addScaled4(row, v, c * n + j, k, j * lanes, lanes);
            }
            for (; j <= c; j++) {
                addScaled(row, 0, v[c * n + j], k, j * lanes, lanes);
            }
            for (int l = 0; l < lanes; l++) {
                variance[l] += row[l] * row[l];
            }
        }
    }

    private void addSquares(double[] variance, float[] v, float[] k, int lanes) {
        float[] row = new float[lanes];
        for (int c = 0; c < n; c++) {
            Arrays.fill(row, 0);
            int j = 0;
            for (; j + 3 <= c; j += 4) {
                float a0 = v[c * n + j];
                float a1 = v[c * n + j + 1];
                float a2 = v[c * n + j + 2];
                float a3 = v[c * n + j + 3];
                int r0 = j * lanes;
                int r1 = r0 + lanes;
                int r2 = r1 + lanes;
                int r3 = r2 + lanes;
                for (int l = 0; l < lanes; l++) {
                    row[l] += a0 * k[r0 + l] + a1 * k[r1 + l] + (a2 * k[r2 + l] + a3 * k[r3 + l]);
                }
            }
            for (; j <= c; j++) {
                float a0 = v[c * n + j];
                int r0 = j * lanes;
                for (int l = 0; l < lanes; l++) {
                    row[l] += a0 * k[r0 + l];
                }
            }
            for (int l = 0; l < lanes; l++) {
                variance[l] += row[l] * row[l];
            }
        }
    }

    private static void addScaled(double[] target, int at, double factor, double[] source, int from, int lanes) {
        for (int l = 0; l < lanes; l++) {
            target[at + l] += factor * source[from + l];
        }
    }

    /// Adds four neighbouring rows of `k`, weighted by four neighbouring elements of `v`.
    private static void addScaled4(double[] target, double[] v, int at, double[] k, int row, int lanes) {
        double a0 = v[at];
        double a1 = v[at + 1];
        double a2 = v[at + 2];
        double a3 = v[at + 3];
        int r1 = row + lanes;
        int r2 = r1 + lanes;
        int r3 = r2 + lanes;
        for (int l = 0; l < lanes; l++) {
            target[l] += a0 * k[row + l] + a1 * k[r1 + l] + (a2 * k[r2 + l] + a3 * k[r3 + l]);
        }
    }
}
