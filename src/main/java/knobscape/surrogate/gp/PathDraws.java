package knobscape.surrogate.gp;

import java.util.Arrays;
import java.util.SplittableRandom;
import knobscape.numeric.Parallel;

/// Functions drawn from the posterior of a process of one output, so that values at many inputs hang together as the
/// process believes: a draw from the prior by random Fourier features (Rahimi and Recht 2007), corrected at the
/// observations (Matheron's rule; Wilson et al. 2020). Everything is in standardised units.
final class PathDraws {
    private static final int FEATURES = 128;
    private static final double CYCLE = 1 / (2 * Math.PI);
    private static final int CHUNK = 64;

    private final ParameterLayout layout;
    private final StandardisedData data;
    private final int n;
    private final int draws;
    private final double[] theta;
    private final double amplitude;
    private final double errorAmplitude;
    private final double[] slopes;
    /// Slopes times the lower outputs at the observations, n x slopes.
    private final double[] linearWeights;
    private final Waves x;
    private final Waves g;
    private final Waves e;
    private final CrossKernel xKernel;
    private final CrossKernel gKernel;
    private final CrossKernel eKernel;
    /// By draw: weights of the features of the linear parts, of the curved part, of the error term.
    private final double[][][] linear;
    private final double[][] curved;
    private final double[][] error;
    /// By draw: weights of the kernel values at the observations.
    private final double[][] corrections;

    /// Frequencies in cycles per unit of each column, and phases in cycles.
    private record Waves(double[][] frequencies, double[] phases) {
        static Waves draw(StationaryKernel kernel, double[] theta, int at, int columns, SplittableRandom random) {
            double[][] w = new double[FEATURES][columns];
            double[] phases = new double[FEATURES];
            for (int r = 0; r < FEATURES; r++) {
                double stretch = 1;
                if (kernel == StationaryKernel.MATERN52) {
                    // Its spectrum is Student's t with 5 degrees of freedom.
                    double square = 0;
                    for (int k = 0; k < 5; k++) {
                        double z = random.nextGaussian();
                        square += z * z;
                    }
                    stretch = Math.sqrt(5 / square);
                }
                for (int c = 0; c < columns; c++) {
                    w[r][c] = CYCLE * stretch * random.nextGaussian() * Math.exp(-theta[at + c]);
                }
                phases[r] = random.nextDouble();
            }
            return new Waves(w, phases);
        }

        /// Angles of a block of inputs given by columns, in cycles: features x lanes.
        double[][] angles(double[][] block, int lanes) {
            double[][] t = new double[phases.length][lanes];
            for (int r = 0; r < t.length; r++) {
                Arrays.fill(t[r], phases[r]);
                Lanes.addWeighted(t[r], frequencies[r], 0, block, block.length);
            }
            return t;
        }
    }

    /// @param system the observations, solved
    PathDraws(
            ParameterLayout layout, double[] theta, StandardisedData data, LinearSystem system, int draws, long seed) {
        this.layout = layout;
        this.data = data;
        this.n = data.inputs().length;
        this.draws = draws;
        this.theta = theta;
        SplittableRandom random = new SplittableRandom(seed);
        this.amplitude = layout.factor(theta, 0)[0] * Math.sqrt(2.0 / FEATURES);
        this.errorAmplitude = layout.terms > 1 ? layout.factor(theta, 1)[0] * Math.sqrt(2.0 / FEATURES) : 0;
        this.slopes = new double[layout.slopes];
        for (int c = 0; c < slopes.length; c++) {
            slopes[c] = Math.exp(theta[layout.slope(c)]);
        }
        this.linearWeights = new double[n * slopes.length];
        for (int i = 0; i < linearWeights.length; i++) {
            int c = i % slopes.length;
            linearWeights[i] = slopes[c] * data.inputs()[i / slopes.length][layout.features + c];
        }
        this.x = Waves.draw(layout.kernel, theta, layout.lengths(0), layout.features, random);
        this.g = Waves.draw(layout.kernel, theta, layout.features, layout.lower, random);
        this.e = layout.terms > 1 ? Waves.draw(layout.kernel, theta, layout.lengths(1), layout.features, random) : x;
        this.xKernel = new CrossKernel(layout.kernel, data.inputs(), 0, layout.features, theta, layout.lengths(0));
        this.gKernel =
                new CrossKernel(layout.kernel, data.inputs(), layout.features, layout.lower, theta, layout.features);
        this.eKernel = layout.terms > 1
                ? new CrossKernel(layout.kernel, data.inputs(), 0, layout.features, theta, layout.lengths(1))
                : xKernel;
        this.linear = new double[draws][slopes.length][];
        this.curved = new double[draws][];
        this.error = new double[draws][];
        this.corrections = new double[draws][n];
        double noise = Math.sqrt(layout.noise(theta)[0]);
        double[][] points = data.inputs();
        Block block = new Block(Lanes.columns(points, 0, n, layout.features), n);
        double[][] lower = new double[layout.lower][n];
        for (int c = 0; c < lower.length; c++) {
            for (int i = 0; i < n; i++) {
                lower[c][i] = points[i][layout.features + c];
            }
        }
        double[] inverse = inverse(system);
        for (int s = 0; s < draws; s++) {
            for (int c = 0; c < slopes.length; c++) {
                linear[s][c] = normals(random);
            }
            curved[s] = normals(random);
            error[s] = layout.terms > 1 ? normals(random) : new double[0];
            double[] residual = new double[n];
            block.addPrior(residual, s, lower);
            for (int i = 0; i < n; i++) {
                residual[i] = data.y()[i] - residual[i] - noise * random.nextGaussian();
            }
            for (int i = 0; i < n; i++) {
                double sum = 0;
                for (int j = 0; j < n; j++) {
                    sum += inverse[i * n + j] * residual[j];
                }
                corrections[s][i] = sum;
            }
        }
    }

    private static double[] normals(SplittableRandom random) {
        double[] z = new double[FEATURES];
        for (int r = 0; r < FEATURES; r++) {
            z[r] = random.nextGaussian();
        }
        return z;
    }

    private static double[] inverse(LinearSystem system) {
        return switch (system) {
            case LinearSystem.Dense d -> d.inverse();
            case LinearSystem.Kronecker k -> {
                double[] scaled = k.inverses()[0].clone();
                for (int i = 0; i < scaled.length; i++) {
                    scaled[i] /= k.d()[0];
                }
                yield scaled;
            }
        };
    }

    /// A block of inputs with its features.
    private final class Block {
        private final int lanes;
        /// Angles of x in cycles, and their cosines where the linear parts need them: features x lanes.
        private final double[][] angles;
        private final double[][] cosines;
        private final double[][] errorCosines;

        /// @param columns of x, features x lanes
        Block(double[][] columns, int lanes) {
            this.lanes = lanes;
            angles = x.angles(columns, lanes);
            cosines = slopes.length > 0 || layout.lower == 0 ? cosinesOf(angles) : new double[0][];
            errorCosines = layout.terms > 1 ? cosinesOf(e.angles(columns, lanes)) : new double[0][];
        }

        /// Adds the prior's draw `s`.
        ///
        /// @param lower standardised lower outputs, columns x lanes
        void addPrior(double[] target, int s, double[][] lower) {
            double[] sum = new double[lanes];
            if (layout.lower == 0) {
                Lanes.addWeighted(sum, curved[s], 0, cosines, FEATURES);
            } else {
                double[] part = new double[lanes];
                for (int c = 0; c < slopes.length; c++) {
                    Arrays.fill(part, 0);
                    Lanes.addWeighted(part, linear[s][c], 0, cosines, FEATURES);
                    Lanes.addProduct(sum, Math.sqrt(slopes[c]), lower[c], part);
                }
                // The phases of g come on top of those of x, which have been drawn already.
                double[][] both = g.angles(lower, lanes);
                for (int r = 0; r < FEATURES; r++) {
                    Lanes.add(both[r], 1, angles[r]);
                    cosines(both[r]);
                }
                Lanes.addWeighted(sum, curved[s], 0, both, FEATURES);
            }
            Lanes.add(target, amplitude, sum);
            if (layout.terms > 1) {
                Arrays.fill(sum, 0);
                Lanes.addWeighted(sum, error[s], 0, errorCosines, FEATURES);
                Lanes.add(target, errorAmplitude, sum);
            }
        }
    }

    private static double[][] cosinesOf(double[][] cycles) {
        double[][] c = new double[cycles.length][];
        for (int r = 0; r < c.length; r++) {
            c[r] = cycles[r].clone();
            cosines(c[r]);
        }
        return c;
    }

    /// Cosines of angles in cycles, to 1e-6: the series about 0 after the nearest whole cycle and a quarter are taken
    /// off, a loop that the compiler turns into vector instructions. In place.
    static void cosines(double[] c) {
        for (int r = 0; r < c.length; r++) {
            double t = c[r] - Math.rint(c[r]);
            double a = (0.25 - Math.abs(t)) * (2 * Math.PI);
            double q = a * a;
            c[r] = a * (1 + q * (-1.0 / 6 + q * (1.0 / 120 + q * (-1.0 / 5040 + q * (1.0 / 362880 - q / 39916800)))));
        }
    }

    /// The draws at inputs: draws x k.
    ///
    /// @param rows features, k x d
    /// @param lower by draw the lower outputs at the inputs, standardised, draws x k x g
    double[][] at(double[][] rows, double[][][] lower) {
        double[][] values = new double[draws][rows.length];
        double scale = layout.factor(theta, 0)[0] * layout.factor(theta, 0)[0];
        double errorScale = layout.terms > 1 ? layout.factor(theta, 1)[0] * layout.factor(theta, 1)[0] : 0;
        Parallel.chunks(rows.length, CHUNK, (from, to) -> {
            int lanes = to - from;
            double[][] columns = Lanes.columns(rows, from, lanes, layout.features);
            Block block = new Block(columns, lanes);
            double[][] ke = new double[layout.terms > 1 ? n : 0][lanes];
            if (layout.terms > 1) {
                eKernel.fill(Lanes.columns(rows, from, lanes, layout.features), ke);
            }
            double[][] kx = new double[n][lanes];
            xKernel.fill(columns, kx);
            double[][] kg = new double[layout.lower > 0 ? n : 0][lanes];
            for (int s = 0; s < draws; s++) {
                double[] mean = new double[lanes];
                double[][] below = Lanes.columns(lower[s], from, lanes, layout.lower);
                if (layout.lower > 0) {
                    link(below, kg);
                }
                for (int i = 0; i < n; i++) {
                    double c = scale * corrections[s][i];
                    if (layout.lower > 0) {
                        Lanes.addProduct(mean, c, kx[i], kg[i]);
                    } else {
                        Lanes.add(mean, c, kx[i]);
                    }
                    if (layout.terms > 1) {
                        Lanes.add(mean, errorScale * corrections[s][i], ke[i]);
                    }
                }
                block.addPrior(mean, s, below);
                Lanes.addWeighted(mean, data.slopes()[0], 0, below, below.length);
                System.arraycopy(mean, 0, values[s], from, lanes);
            }
        });
        return values;
    }

    /// Fills the factor in g of the covariances between the observations and a block of lower outputs (columns x
    /// lanes), n x lanes.
    private void link(double[][] block, double[][] kg) {
        double[][] scaled = new double[block.length][];
        for (int c = 0; c < block.length; c++) {
            scaled[c] = block[c].clone();
        }
        gKernel.fill(scaled, kg);
        for (int i = 0; i < kg.length; i++) {
            Lanes.addWeighted(kg[i], linearWeights, i * slopes.length, block, slopes.length);
        }
    }
}
