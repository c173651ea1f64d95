package knobscape.surrogate.gp;

import java.util.SplittableRandom;
import knobscape.numeric.Parallel;

/// Functions drawn from the posterior of a process of one output, so that values at many inputs hang together as the
/// process believes: a draw from the prior by random Fourier features (Rahimi and Recht 2007), corrected at the
/// observations (Matheron's rule; Wilson et al. 2020). Everything is in standardised units.
final class PathDraws {
    private static final int FEATURES = 128;
    private static final double CYCLE = 1 / (2 * Math.PI);
    private static final int CHUNK = 32;

    private final Layout layout;
    private final Standardised data;
    private final int n;
    private final int draws;
    private final double[] theta;
    private final double amplitude;
    private final double errorAmplitude;
    private final double[] slopes;
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
        static Waves draw(Kernel kernel, double[] theta, int at, int columns, SplittableRandom random) {
            double[][] w = new double[FEATURES][columns];
            double[] phases = new double[FEATURES];
            for (int r = 0; r < FEATURES; r++) {
                double stretch = 1;
                if (kernel == Kernel.MATERN52) {
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

        double[] at(double[] row, int from) {
            double[] t = phases.clone();
            for (int r = 0; r < t.length; r++) {
                double[] w = frequencies[r];
                double sum = 0;
                for (int c = 0; c < w.length; c++) {
                    sum += w[c] * row[from + c];
                }
                t[r] += sum;
            }
            return t;
        }
    }

    /// @param system the observations, solved
    PathDraws(Layout layout, double[] theta, Standardised data, LinearSystem system, int draws, long seed) {
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
        double[][][] waves = new double[n][][];
        for (int i = 0; i < n; i++) {
            waves[i] = waves(data.inputs()[i]);
        }
        double[] inverse = inverse(system);
        for (int s = 0; s < draws; s++) {
            for (int c = 0; c < slopes.length; c++) {
                linear[s][c] = normals(random);
            }
            curved[s] = normals(random);
            error[s] = layout.terms > 1 ? normals(random) : new double[0];
            double[] residual = new double[n];
            for (int i = 0; i < n; i++) {
                double[] lower =
                        java.util.Arrays.copyOfRange(data.inputs()[i], layout.features, layout.features + layout.lower);
                residual[i] = data.y()[i] - prior(s, waves[i], lower) - noise * random.nextGaussian();
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

    /// Features of x, phases of the curved part's x in cycles, features of the error term.
    private double[][] waves(double[] row) {
        double[] phases = x.at(row, 0);
        return new double[][] {
            slopes.length > 0 || layout.lower == 0 ? cosines(phases) : new double[0],
            phases,
            layout.terms > 1 ? cosines(e.at(row, 0)) : new double[0]
        };
    }

    /// The prior's draw `s` at features and standardised lower outputs.
    private double prior(int s, double[][] waves, double[] lower) {
        double sum = 0;
        if (layout.lower == 0) {
            sum = dot(curved[s], waves[0]);
        } else {
            for (int c = 0; c < slopes.length; c++) {
                sum += Math.sqrt(slopes[c]) * lower[c] * dot(linear[s][c], waves[0]);
            }
            if (layout.curved) {
                double[] phases = g.at(lower, 0);
                for (int r = 0; r < FEATURES; r++) {
                    // The phases of g come on top of those of x, which have been drawn already.
                    phases[r] += waves[1][r];
                }
                sum += dot(curved[s], cosines(phases));
            }
        }
        sum *= amplitude;
        return layout.terms > 1 ? sum + errorAmplitude * dot(error[s], waves[2]) : sum;
    }

    private static double dot(double[] a, double[] b) {
        double s0 = 0;
        double s1 = 0;
        double s2 = 0;
        double s3 = 0;
        for (int i = 0; i + 3 < a.length; i += 4) {
            s0 += a[i] * b[i];
            s1 += a[i + 1] * b[i + 1];
            s2 += a[i + 2] * b[i + 2];
            s3 += a[i + 3] * b[i + 3];
        }
        return s0 + s1 + (s2 + s3);
    }

    /// Cosines of angles in cycles, to 1e-6: the series about 0 after the nearest whole cycle and a quarter are taken
    /// off, a loop that the compiler turns into vector instructions.
    static double[] cosines(double[] cycles) {
        double[] c = new double[cycles.length];
        for (int r = 0; r < c.length; r++) {
            double t = cycles[r] - Math.rint(cycles[r]);
            double a = (0.25 - Math.abs(t)) * (2 * Math.PI);
            double q = a * a;
            c[r] = a * (1 + q * (-1.0 / 6 + q * (1.0 / 120 + q * (-1.0 / 5040 + q * (1.0 / 362880 - q / 39916800)))));
        }
        return c;
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
            double[][] kx = new double[n][lanes];
            xKernel.fill(Lanes.columns(rows, from, lanes, layout.features), kx);
            double[][] ke = new double[layout.terms > 1 ? n : 0][lanes];
            if (layout.terms > 1) {
                eKernel.fill(Lanes.columns(rows, from, lanes, layout.features), ke);
            }
            double[][][] waves = new double[lanes][][];
            for (int l = 0; l < lanes; l++) {
                waves[l] = waves(rows[from + l]);
            }
            double[][] kg = new double[layout.lower > 0 ? n : 0][lanes];
            for (int s = 0; s < draws; s++) {
                double[] mean = new double[lanes];
                if (layout.lower > 0) {
                    link(lower[s], from, lanes, kg);
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
                for (int l = 0; l < lanes; l++) {
                    double[] g = layout.lower > 0 ? lower[s][from + l] : new double[0];
                    double value = mean[l] + prior(s, waves[l], g);
                    for (int c = 0; c < g.length; c++) {
                        value += data.slopes()[0][c] * g[c];
                    }
                    values[s][from + l] = value;
                }
            }
        });
        return values;
    }

    /// The factor in g of the covariances between the observations and a block of lower outputs, n x lanes.
    private void link(double[][] lower, int from, int lanes, double[][] kg) {
        double[][] block = Lanes.columns(lower, from, lanes, layout.lower);
        if (layout.curved) {
            double[][] scaled = new double[block.length][];
            for (int c = 0; c < block.length; c++) {
                scaled[c] = block[c].clone();
            }
            gKernel.fill(scaled, kg);
        } else {
            for (double[] row : kg) {
                java.util.Arrays.fill(row, 0);
            }
        }
        for (int c = 0; c < slopes.length; c++) {
            for (int i = 0; i < n; i++) {
                Lanes.add(kg[i], slopes[c] * data.inputs()[i][layout.features + c], block[c]);
            }
        }
    }
}
