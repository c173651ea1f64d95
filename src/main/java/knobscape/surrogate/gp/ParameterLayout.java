package knobscape.surrogate.gp;

import java.util.Arrays;
import java.util.SplittableRandom;

/// Which hyper-parameter stands where, what they mean and what is believed of them beforehand.
///
/// Covariance of output a at input (x, g) and output b at (x', g'), g being the lower fidelity's outputs:
/// lowest fidelity `B_0[a,b] k_0(x,x')`; above, `B_0[a,b] k_0(x,x') (sum_c v_c g_c g'_c + k_g(g,g')) + B_1[a,b]
/// k_1(x,x')`, the sum only where the link asks for it (see [GpSettings.LowerLink]; one coregionalisation per
/// term); plus noise `D[a]` where a == b and the inputs are the same design. `B_q = L_q L_q'` with L_q lower
/// triangular, its diagonal a logarithm here. A linear chain is the lowest fidelity's with
/// one output and a squared-exponential kernel, `exp(v) k_0`, around a trend. Order: log lengths of term 0 (x,
/// then g), logarithms of the slopes' variances v, log lengths of term 1 (x); elements of L_0 by rows, of L_1;
/// log noise.
final class ParameterLayout {
    final StationaryKernel kernel;
    final int features;
    final int lower;
    final int outputs;
    /// Number of slope variances: `lower`, or 0 for a link without slopes.
    final int slopes;
    final int terms;
    final int size;
    final double noiseFloor;
    /// True if the mean is a constant plus a linear function of the columns `trend` of the inputs, by
    /// generalised least squares; else it is 0.
    final boolean hasTrend;
    final int[] trend;
    /// Of a chain the lower output that is the same quantity, -1 for none.
    final int lowerOutput;
    /// The factor on a logarithm on the diagonal of L_q: a half where it is that of a variance.
    private final double diagonalPower;
    private final int factors;
    private final int noise;
    private final double[] centre;
    private final double[] deviation;

    ParameterLayout(int features, int lower, int outputs, GpSettings s) {
        this(StationaryKernel.MATERN52, features, lower, outputs, s, false, new int[0]);
    }

    /// The layout of a linear chain.
    ///
    /// @param lowerOutput the lower output that is the same quantity, -1 for none
    static ParameterLayout chain(int features, int lowerOutput, GpSettings s) {
        return new ParameterLayout(
                StationaryKernel.SQUARED_EXPONENTIAL,
                features,
                0,
                1,
                s,
                true,
                lowerOutput < 0 ? new int[0] : new int[] {features + lowerOutput});
    }

    private ParameterLayout(
            StationaryKernel kernel,
            int features,
            int lower,
            int outputs,
            GpSettings s,
            boolean hasTrend,
            int[] trend) {
        this.kernel = kernel;
        this.hasTrend = hasTrend;
        this.trend = trend;
        this.lowerOutput = trend.length == 0 ? -1 : trend[0] - features;
        this.diagonalPower = hasTrend ? 0.5 : 1;
        this.features = features;
        this.lower = lower;
        this.outputs = outputs;
        this.terms = lower == 0 ? 1 : 2;
        this.noiseFloor = s.priors().noise().floor();
        this.slopes = s.link() == GpSettings.LowerLink.CURVED ? 0 : lower;
        this.factors = features * terms + lower + slopes;
        this.noise = factors + terms * triangle();
        this.size = noise + outputs;
        this.centre = new double[size];
        this.deviation = new double[size];
        Arrays.fill(centre, 0, factors, Math.log(s.priors().lengthCentre() * Math.sqrt(Math.max(1, features))));
        if (lower > 0) {
            Arrays.fill(
                    centre, 0, features, Math.log(s.priors().linkLengthCentre() * Math.sqrt(Math.max(1, features))));
        }
        Arrays.fill(centre, features, features + lower, Math.log(s.priors().lowerLengthCentre()));
        Arrays.fill(
                centre,
                features + lower,
                features + lower + slopes,
                Math.log(s.priors().slopeCentre()));
        Arrays.fill(deviation, 0, factors, s.priors().lengthDeviation());
        for (int q = 0; q < terms; q++) {
            for (int a = 0; a < outputs; a++) {
                // What a trend leaves over is an error term too.
                centre[element(q, a, a)] =
                        q == 0 && trend.length == 0 ? 0 : Math.log(s.priors().errorScale()) / diagonalPower;
            }
            double spread = q == 0
                    ? s.priors().scaleDeviation()
                    : s.priors().scaleDeviation() * s.priors().errorScale();
            for (int a = 0; a < outputs; a++) {
                for (int b = 0; b <= a; b++) {
                    deviation[element(q, a, b)] = a == b ? s.priors().scaleDeviation() / diagonalPower : spread;
                }
            }
        }
        Arrays.fill(centre, noise, size, Math.log(s.priors().noise().centre()));
        Arrays.fill(deviation, noise, size, s.priors().noise().deviation());
    }

    private int triangle() {
        return outputs * (outputs + 1) / 2;
    }

    /// Position of the first log length of term `q`.
    int lengths(int q) {
        return q == 0 ? 0 : features + lower + slopes;
    }

    /// Number of lengths of term `q`.
    int lengthCount(int q) {
        return q == 0 ? features + lower : features;
    }

    /// Position of the log variance of the slopes along lower output `c`.
    int slope(int c) {
        return features + lower + c;
    }

    /// Position of element (a, b), b at most a, of the factor L_q.
    int element(int q, int a, int b) {
        return factors + q * triangle() + a * (a + 1) / 2 + b;
    }

    /// Position of the log noise of output `a`.
    int noise(int a) {
        return noise + a;
    }

    /// Noise variances D.
    double[] noise(double[] theta) {
        double[] d = new double[outputs];
        for (int a = 0; a < outputs; a++) {
            d[a] = noiseFloor + Math.exp(theta[noise + a]);
        }
        return d;
    }

    /// The factor L_q, M x M.
    double[] factor(double[] theta, int q) {
        double[] l = new double[outputs * outputs];
        for (int a = 0; a < outputs; a++) {
            for (int b = 0; b <= a; b++) {
                double v = theta[element(q, a, b)];
                l[a * outputs + b] = a == b ? Math.exp(diagonalPower * v) : v;
            }
        }
        return l;
    }

    /// Derivative of diagonal element `value` of a factor by its hyper-parameter.
    double diagonalSlope(double value) {
        return diagonalPower * value;
    }

    /// The coregionalisation matrix `B_q = L_q L_q'`, M x M.
    double[] coregionalisation(double[] theta, int q) {
        double[] l = factor(theta, q);
        double[] b = new double[outputs * outputs];
        for (int i = 0; i < outputs; i++) {
            for (int j = 0; j < outputs; j++) {
                for (int k = 0; k < outputs; k++) {
                    b[i * outputs + j] += l[i * outputs + k] * l[j * outputs + k];
                }
            }
        }
        return b;
    }

    /// Logarithm of the prior density up to a constant; adds its gradient.
    double logPrior(double[] theta, double[] gradient) {
        double sum = 0;
        for (int i = 0; i < size; i++) {
            double z = (theta[i] - centre[i]) / deviation[i];
            sum -= 0.5 * z * z;
            gradient[i] -= z / deviation[i];
        }
        return sum;
    }

    /// The priors' centre.
    double[] centre() {
        return centre.clone();
    }

    /// A draw from the priors.
    double[] draw(SplittableRandom random) {
        double[] theta = new double[size];
        for (int i = 0; i < size; i++) {
            theta[i] = centre[i] + deviation[i] * random.nextGaussian();
        }
        return theta;
    }
}
