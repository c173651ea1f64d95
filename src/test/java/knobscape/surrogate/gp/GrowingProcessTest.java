package knobscape.surrogate.gp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/// Against the textbook's formulas with a plain inverse.
class GrowingProcessTest {
    private static final int[] GROUP = {0, 1, 1};
    private static final double[] LOG_LENGTHS = {Math.log(0.4), Math.log(0.9)};
    private static final double NOISE = 0.02;

    private final double[][] x = new double[9][3];
    private final double[] y = new double[9];
    private final GrowingProcess gp = new GrowingProcess(new SharedLengths(GROUP, LOG_LENGTHS, NOISE), 0.25);

    GrowingProcessTest() {
        var random = new SplittableRandom(5);
        for (int i = 0; i < x.length; i++) {
            Arrays.setAll(x[i], _ -> random.nextDouble());
            y[i] = Math.sin(5 * x[i][0]) + x[i][1] * x[i][2];
            gp.add(x[i], 1);
        }
        gp.outputs(y);
    }

    /// A product of one Matern 5/2 per length scale.
    private static double covariance(double[] a, double[] b) {
        double product = 1;
        for (int g = 0; g < LOG_LENGTHS.length; g++) {
            double r2 = 0;
            for (int c = 0; c < a.length; c++) {
                r2 += GROUP[c] == g ? (a[c] - b[c]) * (a[c] - b[c]) : 0;
            }
            double r = Math.sqrt(5 * r2) / Math.exp(LOG_LENGTHS[g]);
            product *= (1 + r + r * r / 3) * Math.exp(-r);
        }
        return product;
    }

    private static double[][] inverse(double[][] m) {
        int n = m.length;
        double[][] a = new double[n][2 * n];
        for (int i = 0; i < n; i++) {
            System.arraycopy(m[i], 0, a[i], 0, n);
            a[i][n + i] = 1;
        }
        for (int k = 0; k < n; k++) {
            double pivot = a[k][k];
            for (int j = 0; j < 2 * n; j++) {
                a[k][j] /= pivot;
            }
            for (int i = 0; i < n; i++) {
                double f = a[i][k];
                for (int j = 0; i != k && j < 2 * n; j++) {
                    a[i][j] -= f * a[k][j];
                }
            }
        }
        return Arrays.stream(a).map(r -> Arrays.copyOfRange(r, n, 2 * n)).toArray(double[][]::new);
    }

    private record Exact(double[][] inverse, double mean, double variance) {}

    private Exact exact() {
        int n = y.length;
        double[][] k = new double[n][n];
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++) {
                k[i][j] = covariance(x[i], x[j]) + (i == j ? NOISE : 0);
            }
        }
        double[][] inverse = inverse(k);
        double above = 0;
        double below = 0;
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++) {
                above += inverse[i][j] * y[j];
                below += inverse[i][j];
            }
        }
        double mean = above / below;
        double square = 0;
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++) {
                square += (y[i] - mean) * inverse[i][j] * (y[j] - mean);
            }
        }
        return new Exact(inverse, mean, (square + 0.25) / (n + 1));
    }

    @Test
    void beliefsAreThoseOfTheProduct() {
        Exact e = exact();
        double[] at = {0.3, 0.6, 0.2};
        GrowingProcess.Block block = gp.watch(new double[][] {at});
        double mean = e.mean;
        double variance = 1;
        for (int i = 0; i < y.length; i++) {
            for (int j = 0; j < y.length; j++) {
                mean += covariance(at, x[i]) * e.inverse[i][j] * (y[j] - e.mean);
                variance -= covariance(at, x[i]) * e.inverse[i][j] * covariance(at, x[j]);
            }
        }
        assertThat(block.means()[0]).isCloseTo(mean, within(1e-6));
        assertThat(block.variances()[0]).isCloseTo(e.variance * variance, within(1e-6));
    }

    /// Each row left out in turn, from the inverse of the others' matrix with mean and variance kept.
    @Test
    void theDensityOfEachRowGivenTheOthersIsThatOfLeavingItOut() {
        Exact e = exact();
        double sum = 0;
        for (int out = 0; out < y.length; out++) {
            int left = out;
            int[] rest = java.util.stream.IntStream.range(0, y.length)
                    .filter(i -> i != left)
                    .toArray();
            double[][] k = new double[rest.length][rest.length];
            for (int i = 0; i < rest.length; i++) {
                for (int j = 0; j < rest.length; j++) {
                    k[i][j] = covariance(x[rest[i]], x[rest[j]]) + (i == j ? NOISE : 0);
                }
            }
            double[][] inverse = inverse(k);
            double mean = e.mean;
            double variance = 1 + NOISE;
            for (int i = 0; i < rest.length; i++) {
                for (int j = 0; j < rest.length; j++) {
                    mean += covariance(x[out], x[rest[i]]) * inverse[i][j] * (y[rest[j]] - e.mean);
                    variance -= covariance(x[out], x[rest[i]]) * inverse[i][j] * covariance(x[out], x[rest[j]]);
                }
            }
            variance *= e.variance;
            sum += -0.5 * Math.log(variance) - 0.5 * (y[out] - mean) * (y[out] - mean) / variance;
            assertThat(gp.leaveOneOut()[out]).isCloseTo(mean, within(1e-6));
        }
        assertThat(gp.leaveOneOutDensity()).isCloseTo(sum, within(1e-5));
    }

    /// What is believed of a design in flight says nothing of those measured.
    @Test
    void beliefsLeaveWhatIsSaidOfTheRowsAsItWas() {
        double[] smoothed = gp.smoothed();
        double[] out = gp.leaveOneOut();
        double density = gp.leaveOneOutDensity();
        gp.believe(new double[] {0.1, 0.9, 0.4});
        gp.believe(new double[] {0.7, 0.2, 0.6});
        assertThat(gp.smoothed()).containsExactly(smoothed);
        assertThat(gp.leaveOneOut()).hasSameSizeAs(out);
        gp.truncate(y.length);
        assertThat(gp.leaveOneOut()).containsExactly(out);
        assertThat(gp.leaveOneOutDensity()).isEqualTo(density);
    }
}
