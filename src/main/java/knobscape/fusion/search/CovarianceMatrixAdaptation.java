package knobscape.fusion.search;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import knobscape.fusion.evaluate.Cost;
import org.hipparchus.exception.MathRuntimeException;
import org.hipparchus.linear.Array2DRowRealMatrix;
import org.hipparchus.linear.EigenDecompositionSymmetric;
import org.hipparchus.linear.MatrixUtils;
import org.hipparchus.linear.RealMatrix;
import org.hipparchus.random.Well19937c;
import org.hipparchus.util.FastMath;

/// CMA-ES with rank-mu update (Hansen 2006); population 4 + floor(3 ln d). Where it sees no differences any
/// more it starts again from the middle. Points outside the range count where they enter it, plus their
/// distance times the range of the generation's fitness.
///
/// Linear algebra, random numbers and every constant are those of Hipparchus' `CMAESOptimizer`, which cannot be
/// asked for a generation at a time; a seed gives the points it gave there.
final class CovarianceMatrixAdaptation implements Search {
    private final Problem problem;
    private final SplittableRandom random;
    private final Coordinates space;
    private Generations generations;

    CovarianceMatrixAdaptation(Problem problem, SplittableRandom random) {
        this.problem = problem;
        this.random = random;
        this.space = new Coordinates(problem.model());
        this.generations = start();
    }

    private Generations start() {
        return new Generations(space, new Well19937c(random.nextLong()));
    }

    @Override
    public List<int[]> ask(int left) {
        return generations.points().stream().map(space::decode).toList();
    }

    @Override
    public void tell(List<Cost> costs) {
        try {
            if (!generations.learn(costs.stream().mapToDouble(problem::fitness).toArray())) {
                generations = start();
            }
        } catch (MathRuntimeException e) {
            // Its matrix degenerated; a fresh start is the common answer.
            generations = start();
        }
    }

    /// One start: mean, step size and covariance, and the generation drawn from them.
    private static final class Generations {
        private static final double SMALLEST_STEP = 1e-11;
        private static final double LARGEST_STEP = 1e3;
        private static final double FLAT = 1e-12;
        private static final double FLAT_HISTORY = 1e-13;
        private static final double LARGEST_CONDITION = 1e14;
        /// Generations after which the step size would have to have settled.
        private static final double ENDLESS = 1e-6 + Integer.MAX_VALUE;

        private final Coordinates space;
        private final Well19937c random;
        private final int d;
        private final int lambda;
        private final int mu;
        private final double[] weights;
        /// Variance-effectiveness of the weighted sum of parents.
        private final double mueff;
        private final double cc;
        private final double cs;
        private final double damps;
        private final double ccov1;
        private final double ccovmu;
        private final double chiN;
        private final double[] history;

        private int iteration;
        private double best = Double.POSITIVE_INFINITY;
        private double sigma;
        private RealMatrix mean;
        private RealMatrix pathC;
        private RealMatrix pathSigma;
        private RealMatrix covariance;
        private RealMatrix axes;
        private double[] lengths;
        /// Offspring in the coordinates of the axes, and as points; a column each.
        @SuppressWarnings("NullAway.Init")
        private RealMatrix z;

        @SuppressWarnings("NullAway.Init")
        private RealMatrix x;

        Generations(Coordinates space, Well19937c random) {
            this.space = space;
            this.random = random;
            d = space.dimension();
            lambda = 4 + (int) (3 * Math.log(d));
            mu = lambda / 2;
            sigma = space.sigma();
            double logMu = FastMath.log(mu + 0.5);
            weights = IntStream.rangeClosed(1, mu)
                    .mapToDouble(i -> -FastMath.log(i) + logMu)
                    .toArray();
            double sum = 0;
            double squares = 0;
            for (double w : weights) {
                sum += w;
                squares += w * w;
            }
            for (int i = 0; i < mu; i++) {
                weights[i] *= 1 / sum;
            }
            mueff = sum * sum / squares;
            cc = (4 + mueff / d) / (d + 4 + 2 * mueff / d);
            cs = (mueff + 2) / (d + mueff + 3.);
            damps = (1 + 2 * FastMath.max(0, FastMath.sqrt((mueff - 1) / (d + 1)) - 1)) * (1 - d / ENDLESS) + cs;
            ccov1 = 2 / ((d + 1.3) * (d + 1.3) + mueff);
            ccovmu = FastMath.min(1 - ccov1, 2 * (mueff - 2 + 1 / mueff) / ((d + 2) * (d + 2) + mueff));
            chiN = FastMath.sqrt(d) * (1 - 1 / (4.0 * d) + 1 / (21.0 * d * d));
            mean = matrix(d, 1, (r, c) -> space.middle());
            pathC = new Array2DRowRealMatrix(d, 1);
            pathSigma = new Array2DRowRealMatrix(d, 1);
            covariance = MatrixUtils.createRealIdentityMatrix(d);
            axes = MatrixUtils.createRealIdentityMatrix(d);
            lengths = new double[d];
            Arrays.fill(lengths, 1);
            history = new double[10 + (int) (3 * 10 * d / (double) lambda)];
            Arrays.fill(history, Double.MAX_VALUE);
        }

        private interface Entry {
            double at(int row, int column);
        }

        private static RealMatrix matrix(int rows, int columns, Entry entry) {
            double[][] m = new double[rows][columns];
            for (int r = 0; r < rows; r++) {
                for (int c = 0; c < columns; c++) {
                    m[r][c] = entry.at(r, c);
                }
            }
            return new Array2DRowRealMatrix(m, false);
        }

        /// The start by itself, then a generation at a time.
        List<double[]> points() {
            if (iteration == 0) {
                return List.of(mean.getColumn(0));
            }
            z = matrix(d, lambda, (r, c) -> random.nextGaussian());
            RealMatrix scaled = matrix(d, d, (r, c) -> axes.getEntry(r, c) * lengths[c]);
            RealMatrix steps = scaled.multiply(z);
            x = matrix(d, lambda, (r, c) -> mean.getEntry(r, 0) + steps.getEntry(r, c) * sigma);
            return IntStream.range(0, lambda).mapToObj(x::getColumn).toList();
        }

        /// Takes the fitness of the points; whether there is anything left to learn.
        boolean learn(double[] values) {
            if (iteration++ == 0) {
                best = values[0];
                remember(best);
                return true;
            }
            double range = max(values) - min(values);
            double[] fitness = new double[lambda];
            for (int k = 0; k < lambda; k++) {
                fitness[k] = values[k] + outside(x.getColumn(k)) * range;
            }
            int[] order = IntStream.range(0, lambda)
                    .boxed()
                    .sorted(Comparator.comparingDouble(k -> fitness[k]))
                    .mapToInt(k -> k)
                    .toArray();
            int g = iteration - 1;
            move(order, g);
            double bestNow = fitness[order[0]];
            best = Math.min(best, bestNow);
            if (isDone(bestNow, fitness[order[lambda - 1]], g)) {
                return false;
            }
            // Fitness is flat: longer steps.
            if (best == fitness[order[(int) (0.1 + lambda / 4.)]]) {
                sigma *= FastMath.exp(0.2 + cs / damps);
            }
            if (g > 2 && FastMath.max(max(history), bestNow) - FastMath.min(min(history), bestNow) == 0) {
                sigma *= FastMath.exp(0.2 + cs / damps);
            }
            remember(bestNow);
            return true;
        }

        private void remember(double value) {
            System.arraycopy(history, 0, history, 1, history.length - 1);
            history[0] = value;
        }

        private double outside(double[] point) {
            double sum = 0;
            for (double v : point) {
                sum += FastMath.abs(v - space.clip(v));
            }
            return sum;
        }

        /// Moves the mean to the weighted best half, and learns paths, covariance and step size from that
        /// (Hansen's equations 2 to 5).
        private void move(int[] order, int g) {
            RealMatrix w = new Array2DRowRealMatrix(weights);
            RealMatrix before = mean;
            RealMatrix parents = matrix(d, mu, (r, c) -> x.getEntry(r, order[c]));
            mean = parents.multiply(w);
            RealMatrix zmean = matrix(d, mu, (r, c) -> z.getEntry(r, order[c])).multiply(w);
            pathSigma = pathSigma
                    .scalarMultiply(1 - cs)
                    .add(axes.multiply(zmean).scalarMultiply(FastMath.sqrt(cs * (2 - cs) * mueff)));
            double norm = pathSigma.getFrobeniusNorm();
            boolean ordinary =
                    norm / FastMath.sqrt(1 - FastMath.pow(1 - cs, 2 * g)) / chiN < 1.4 + 2 / ((double) d + 1);
            pathC = pathC.scalarMultiply(1 - cc);
            if (ordinary) {
                pathC = pathC.add(mean.subtract(before).scalarMultiply(FastMath.sqrt(cc * (2 - cc) * mueff) / sigma));
            }
            double s = sigma;
            RealMatrix steps = matrix(d, mu, (r, c) -> (parents.getEntry(r, c) - before.getEntry(r, 0)) * (1 / s));
            RealMatrix weighted = matrix(mu, d, (r, c) -> weights[r] * steps.getEntry(c, r));
            double old = (ordinary ? 0 : ccov1 * cc * (2 - cc)) + (1 - ccov1 - ccovmu);
            covariance = covariance
                    .scalarMultiply(old)
                    .add(pathC.multiplyTransposed(pathC).scalarMultiply(ccov1))
                    .add(steps.scalarMultiply(ccovmu).multiply(weighted));
            decompose();
            sigma *= FastMath.exp(FastMath.min(1, (norm / chiN - 1) * cs / damps));
        }

        private void decompose() {
            RealMatrix upper = covariance;
            covariance = matrix(d, d, (r, c) -> upper.getEntry(Math.min(r, c), Math.max(r, c)));
            var eigen = new EigenDecompositionSymmetric(covariance);
            axes = eigen.getV();
            double[] values = IntStream.range(0, d)
                    .mapToDouble(i -> eigen.getD().getEntry(i, i))
                    .toArray();
            if (min(values) <= 0) {
                for (int i = 0; i < d; i++) {
                    values[i] = values[i] < 0 ? 0 : values[i];
                }
                raise(values, max(values) / LARGEST_CONDITION);
            }
            if (max(values) > LARGEST_CONDITION * min(values)) {
                raise(values, max(values) / LARGEST_CONDITION - min(values));
            }
            lengths = Arrays.stream(values).map(FastMath::sqrt).toArray();
        }

        private void raise(double[] values, double by) {
            covariance = covariance.add(MatrixUtils.createRealIdentityMatrix(d).scalarMultiply(by));
            for (int i = 0; i < d; i++) {
                values[i] += by;
            }
        }

        private static double min(double[] values) {
            return Arrays.stream(values).min().orElseThrow();
        }

        private static double max(double[] values) {
            return Arrays.stream(values).max().orElseThrow();
        }

        private boolean isDone(double bestNow, double worstNow, int g) {
            boolean still = true;
            for (int i = 0; i < d; i++) {
                double deviation = FastMath.sqrt(covariance.getEntry(i, i));
                still &= !(sigma * FastMath.max(FastMath.abs(pathC.getEntry(i, 0)), deviation)
                        > SMALLEST_STEP * space.sigma());
                if (sigma * deviation > LARGEST_STEP * space.sigma()) {
                    return true;
                }
            }
            double historyWorst = max(history);
            double historyBest = min(history);
            return still
                    || (g > 2 && FastMath.max(historyWorst, worstNow) - FastMath.min(historyBest, bestNow) < FLAT)
                    || (g > history.length && historyWorst - historyBest < FLAT_HISTORY)
                    || max(lengths) / min(lengths) > 1e7;
        }
    }
}
