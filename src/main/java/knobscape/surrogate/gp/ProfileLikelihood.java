package knobscape.surrogate.gp;

import java.util.Arrays;
import java.util.Optional;
import knobscape.numeric.Cholesky;

/// Log marginal likelihood with the signal's mean and variance at their best values, plus log priors.
final class ProfileLikelihood {
    private final double[] y;
    private final KnobGpSettings settings;
    private final int n;
    private final int groups;
    /// By group and pair of rows i < j, squared distances without a length scale.
    private final double[][] squares;
    /// By group and pair, covariances by this group alone.
    private final double[][] factors;
    /// Those of the group that was tried last.
    private double[] tried = {};
    private final double[] product;
    private final double[] matrix;
    private final double centre;

    ProfileLikelihood(double[][] x, double[] y, int[] group, KnobGpSettings settings) {
        this.y = y;
        this.settings = settings;
        n = y.length;
        groups = Arrays.stream(group).max().orElse(-1) + 1;
        centre = settings.logCentre(groups);
        squares = new double[groups][n * (n - 1) / 2];
        for (int i = 0, p = 0; i < n; i++) {
            for (int j = i + 1; j < n; j++, p++) {
                for (int c = 0; c < group.length; c++) {
                    double d = x[i][c] - x[j][c];
                    squares[group[c]][p] += d * d;
                }
            }
        }
        factors = new double[groups][];
        product = new double[n * (n - 1) / 2];
        matrix = new double[n * n];
    }

    double begin(double[] flat) {
        for (int g = 0; g < groups; g++) {
            factors[g] = factor(g, flat[g]);
        }
        return value(flat, -1);
    }

    private double[] factor(int g, double logLength) {
        double[] f = squares[g].clone();
        Lanes.scale(f, Math.exp(-2 * logLength));
        StationaryKernel.MATERN52.roughValues(f);
        return f;
    }

    /// With hyper-parameter `p` changed, which is left as it was.
    double with(double[] flat, int p, double changed) {
        if (p < groups) {
            tried = factor(p, changed);
        }
        double before = flat[p];
        flat[p] = changed;
        double value = value(flat, p);
        flat[p] = before;
        return value;
    }

    void keep(double[] flat, int p, double changed) {
        if (p < groups) {
            factors[p] = tried;
        }
        flat[p] = changed;
    }

    /// @param changed the group that stands as it was tried, -1 for none
    private double value(double[] flat, int changed) {
        double logNoise = flat[groups];
        if (logNoise < Math.log(settings.noise().floor())) {
            return Double.NEGATIVE_INFINITY;
        }
        Arrays.fill(product, 1);
        for (int g = 0; g < groups; g++) {
            Lanes.multiply(product, g == changed ? tried : factors[g]);
        }
        for (int i = 0, p = 0; i < n; i++) {
            matrix[i * n + i] = 1 + Math.exp(logNoise);
            System.arraycopy(product, p, matrix, i * n + i + 1, n - 1 - i);
            p += n - 1 - i;
        }
        Optional<Cholesky> factored = Cholesky.of(matrix, n);
        if (factored.isEmpty()) {
            return Double.NEGATIVE_INFINITY;
        }
        double sum = Trend.of(factored.get(), Trend.Basis.constant(n), y).squares();
        double prior = square((logNoise - Math.log(settings.noise().centre()))
                / settings.noise().deviation());
        for (int g = 0; g < groups; g++) {
            prior += square((flat[g] - centre) / settings.lengthDeviation());
        }
        return -0.5 * (n * Math.log(Math.max(1e-300, sum / n)) + factored.get().logDeterminant() + prior);
    }

    private static double square(double v) {
        return v * v;
    }
}
