package knobscape.surrogate.gp;

import java.util.Arrays;
import java.util.Comparator;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import knobscape.numeric.Cholesky;
import knobscape.numeric.Shuffle;
import knobscape.surrogate.GaussianPosterior;
import knobscape.surrogate.Model;
import knobscape.surrogate.Posterior;
import knobscape.surrogate.TrainingData;
import org.jspecify.annotations.Nullable;

/// A process of one output for searches that ask after every measurement: a product of one Matern 5/2 per knob,
/// found coordinate by coordinate on a part of the rows. As a [Model] it answers for any rows; searches continue
/// from its hyper-parameters with a [GrowingGp]. Its matrix is factored when it is first asked, and kept: O(n^3) once,
/// O(n^2) a row from then on.
public final class KnobGp implements Model {
    private final SharedLengths lengths;
    private final TrainingData data;
    private @Nullable GrowingGp factored;

    /// @param lengths hyper-parameters
    /// @param data what it was given
    public KnobGp(SharedLengths lengths, TrainingData data) {
        this.lengths = lengths;
        this.data = data;
    }

    /// Fits hyper-parameters.
    ///
    /// @param group by column the position of its length scale
    public static Trainer trainer(int[] group, KnobGpSettings settings) {
        return (data, warmStart, seed) -> {
            Optional<SharedLengths> start = warmStart
                    .filter(w -> w.length == Arrays.stream(group).max().orElse(-1) + 2)
                    .map(w -> SharedLengths.of(group, w));
            return new KnobGp(fit(data.x(), data.target(), group, start, settings, seed), data);
        };
    }

    /// The hyper-parameters of a fit.
    ///
    /// @param x rows
    /// @param y outputs, smaller being better: those matter most
    public static SharedLengths fit(
            double[][] x, double[] y, int[] group, Optional<SharedLengths> start, KnobGpSettings settings, long seed) {
        int[] rows = part(y, settings.points(), seed);
        var likelihood = new Likelihood(
                Arrays.stream(rows).mapToObj(i -> x[i]).toArray(double[][]::new),
                Arrays.stream(rows).mapToDouble(i -> y[i]).toArray(),
                group,
                settings);
        double[] best = start.orElse(SharedLengths.centre(group, settings)).flat();
        int sweeps = start.isPresent() ? settings.warmSweeps() : settings.sweeps();
        double value = likelihood.begin(best);
        double step = start.isPresent() ? 0.4 : 1.0;
        for (int s = 0; s < sweeps; s++, step *= 0.6) {
            for (int p = 0; p < best.length; p++) {
                for (double direction : new double[] {step, -step}) {
                    double before = best[p];
                    double there = likelihood.with(best, p, before + direction);
                    if (there > value) {
                        value = there;
                        likelihood.keep(best, p, before + direction);
                        break;
                    }
                }
            }
        }
        return SharedLengths.of(group, best);
    }

    private static int[] part(double[] y, int most, long seed) {
        int[] order = IntStream.range(0, y.length)
                .boxed()
                .sorted(Comparator.comparingDouble((Integer i) -> y[i]).thenComparingInt(i -> i))
                .mapToInt(Integer::intValue)
                .toArray();
        if (y.length <= most) {
            return IntStream.range(0, y.length).toArray();
        }
        int[] rest = Arrays.copyOfRange(order, most / 2, order.length);
        Shuffle.shuffle(rest, new SplittableRandom(seed));
        return IntStream.concat(Arrays.stream(order, 0, most / 2), Arrays.stream(rest, 0, most - most / 2))
                .sorted()
                .toArray();
    }

    @Override
    public int outputs() {
        return 1;
    }

    @Override
    public synchronized Posterior posterior(double[][] x, Posterior lower) {
        var p = GaussianPosterior.blank(x.length, 1);
        if (x.length > 0) {
            GrowingGp.Block block = grown().watch(x);
            System.arraycopy(block.means(), 0, p.means(), 0, x.length);
            System.arraycopy(block.variances(), 0, p.covariances(), 0, x.length);
            grown().drop(block);
        }
        return p;
    }

    /// What is expected of each row from all others.
    public synchronized double[] leaveOneOut() {
        return grown().leaveOneOut(data.target());
    }

    private synchronized GrowingGp grown() {
        if (factored == null) {
            factored = factor();
        }
        return factored;
    }

    private GrowingGp factor() {
        var gp = new GrowingGp(lengths, variance(data.target()));
        Stream.of(data.x()).forEach(row -> gp.add(row, 1));
        gp.outputs(data.target());
        return gp;
    }

    private static double variance(double[] y) {
        double mean = Arrays.stream(y).average().orElse(0);
        return Arrays.stream(y).map(v -> (v - mean) * (v - mean)).average().orElse(0);
    }

    @Override
    public Model given(TrainingData more) {
        return new KnobGp(lengths, more);
    }

    @Override
    public double[] parameters() {
        return lengths.flat();
    }

    /// Log marginal likelihood with the signal's mean and variance at their best values, plus log priors.
    private static final class Likelihood {
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

        Likelihood(double[][] x, double[] y, int[] group, KnobGpSettings settings) {
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
            Kernel.MATERN52.roughValues(f);
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
            if (logNoise < Math.log(settings.noiseFloor())) {
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
            double[] ones = new double[n];
            Arrays.fill(ones, 1);
            double[] a = factored.get().solve(ones);
            double[] b = factored.get().solve(y);
            double mean = 0;
            double weight = 0;
            for (int i = 0; i < n; i++) {
                mean += b[i];
                weight += a[i];
            }
            mean /= weight;
            double sum = 0;
            for (int i = 0; i < n; i++) {
                sum += (y[i] - mean) * (b[i] - mean * a[i]);
            }
            double prior = square((logNoise - Math.log(settings.noiseCentre())) / settings.noiseDeviation());
            for (int g = 0; g < groups; g++) {
                prior += square((flat[g] - centre) / settings.lengthDeviation());
            }
            return -0.5
                    * (n * Math.log(Math.max(1e-300, sum / n)) + factored.get().logDeterminant() + prior);
        }

        private static double square(double v) {
            return v * v;
        }
    }
}
