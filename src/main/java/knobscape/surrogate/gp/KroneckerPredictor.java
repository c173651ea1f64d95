package knobscape.surrogate.gp;

import java.util.Arrays;
import knobscape.numeric.Cholesky;
import knobscape.surrogate.Posterior;

/// Predictions of a process of one term whose outputs were all observed everywhere.
final class KroneckerPredictor implements GaussianProcess.Predictor {
    private static final int LANES = 128;

    private final int outputs;
    private final int n;
    private final CrossKernel kernel;
    private final LinearSystem.Kronecker system;
    /// By independent process.
    private final double[][] inverseFactors;
    /// `B alpha`: weights of kernel values in the mean, M x n.
    private final double[] meanWeights;
    private final int features;
    /// The inverse factors with single precision, for rough variances; empty where they are exact. Their
    /// elements and the products are at most 1 in size, so that a variance keeps six digits of the prior's.
    private final SquareSums[] singles;

    private KroneckerPredictor(KroneckerPredictor other, SquareSums[] singles) {
        this.outputs = other.outputs;
        this.n = other.n;
        this.kernel = other.kernel;
        this.system = other.system;
        this.inverseFactors = other.inverseFactors;
        this.meanWeights = other.meanWeights;
        this.features = other.features;
        this.singles = singles;
    }

    /// The same with variances in single precision and rough kernel values, for twice the speed.
    @Override
    public KroneckerPredictor rough() {
        return new KroneckerPredictor(
                this,
                Arrays.stream(inverseFactors)
                        .map(v -> SquareSums.ofFactor(v, n))
                        .toArray(SquareSums[]::new));
    }

    KroneckerPredictor(ParameterLayout layout, double[] theta, StandardisedData data, LinearSystem.Kronecker system) {
        this.outputs = layout.outputs;
        this.features = layout.features;
        this.n = system.n();
        this.kernel = new CrossKernel(layout.kernel, data.inputs(), 0, layout.features, theta, layout.lengths(0));
        this.system = system;
        this.inverseFactors =
                Arrays.stream(system.factors()).map(Cholesky::inverseFactor).toArray(double[][]::new);
        this.singles = new SquareSums[0];
        this.meanWeights = system.meanWeights(system.b());
    }

    @Override
    public int lanes() {
        return LANES;
    }

    @Override
    public void predict(double[][] x, Posterior lower, int from, GaussianProcess.Block block) {
        int lanes = block.lanes();
        boolean isRough = singles.length > 0;
        double[][] k = new double[n][lanes];
        float[][] kf = new float[isRough ? n : 0][lanes];
        if (isRough) {
            kernel.fillRoughly(Lanes.columns(x, from, lanes, features), k);
            Lanes.round(k, kf, 0);
        } else {
            kernel.fill(Lanes.columns(x, from, lanes, features), k);
        }
        for (int a = 0; a < outputs; a++) {
            Lanes.addWeighted(block.means()[a], meanWeights, a * n, k, n);
        }
        double[] row = new double[lanes];
        double[] toOutputs = system.rotation().toOutputs();
        double[] variance = new double[lanes];
        for (int a = 0; a < outputs; a++) {
            double lambda = system.rotation().lambda()[a];
            Arrays.fill(variance, 0);
            if (isRough) {
                singles[a].addTo(variance, kf);
            } else {
                addSquares(variance, inverseFactors[a], k, row);
            }
            for (int l = 0; l < lanes; l++) {
                variance[l] = lambda * Math.max(0, 1 - lambda * variance[l]);
            }
            for (int o = 0; o < outputs; o++) {
                for (int p = 0; p < outputs; p++) {
                    Lanes.add(
                            block.covariances()[o * outputs + p],
                            toOutputs[o * outputs + a] * toOutputs[p * outputs + a],
                            variance);
                }
            }
        }
    }

    /// Adds the squares of the products of the factor's rows with `k` (n x lanes).
    private void addSquares(double[] variance, double[] v, double[][] k, double[] row) {
        for (int c = 0; c < n; c++) {
            Arrays.fill(row, 0);
            Lanes.addWeighted(row, v, c * n, k, c + 1);
            Lanes.addProduct(variance, 1, row, row);
        }
    }
}
