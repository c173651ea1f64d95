package knobscape.surrogate.gp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.SplittableRandom;
import knobscape.surrogate.GaussianPosterior;
import knobscape.surrogate.Posterior;
import knobscape.surrogate.TrainingData;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PathDrawsTest {
    private static final int DRAWS = 60;

    private static TrainingData data(int g) {
        var random = new SplittableRandom(5);
        double[][] x = new double[14][3];
        double[][] lower = new double[14][g];
        double[] y = new double[14];
        for (int i = 0; i < y.length; i++) {
            Arrays.setAll(x[i], c -> random.nextDouble());
            double at = x[i][0];
            Arrays.setAll(lower[i], c -> Math.sin(5 * at + c));
            y[i] = 10 + 3 * Math.sin(4 * x[i][0]) + x[i][1] + (g > 0 ? lower[i][0] : 0);
        }
        return new TrainingData(x, lower, TrainingData.single(x, y).y());
    }

    /// Over several sets of features, draws have the mean and the variance that the process gives in closed form, at
    /// inputs between and far from the observations, for every link.
    @ParameterizedTest
    @CsvSource({"0,LINEAR_AND_CURVED", "2,LINEAR_AND_CURVED", "2,CURVED"})
    void drawsHaveThePosteriorsMoments(int g, GpSettings.LowerLink link) {
        TrainingData data = data(g);
        var gp = new ProcessTrainer(GpSettings.DEFAULT.with(link)).fit(data, 1);
        double[][] x = {{0.2, 0.5, 0.1}, {0.9, 0.1, 0.8}, {2.5, -1, 2}};
        double[][] lower = new double[x.length][g];
        for (double[] row : lower) {
            Arrays.setAll(row, c -> 0.3 - 0.5 * c);
        }
        Posterior p = gp.posterior(x, GaussianPosterior.known(lower, g));
        double[][][] below = new double[DRAWS][][];
        Arrays.fill(below, lower);
        int sets = 60;
        for (int i = 0; i < x.length; i++) {
            double sum = 0;
            double squares = 0;
            for (int set = 0; set < sets; set++) {
                for (double[][] draw : gp.paths(x, below, set)) {
                    sum += draw[i][0];
                    squares += draw[i][0] * draw[i][0];
                }
            }
            double n = sets * DRAWS;
            double mean = sum / n;
            double deviation = Math.sqrt(squares / n - mean * mean);
            assertThat(mean).isCloseTo(p.mean(i, 0), within(0.12 * p.deviation(i, 0) + 0.01));
            assertThat(deviation / p.deviation(i, 0)).isCloseTo(1, within(0.2));
        }
    }

    /// A draw is a function: nearby inputs get nearly the same value, and observations are met up to their noise.
    @Test
    void drawsAreFunctions() {
        TrainingData data = data(0);
        var gp = new ProcessTrainer(GpSettings.DEFAULT).fit(data, 1);
        double[][] near = {{2.5, -1, 2}, {2.5001, -1, 2}, data.x()[3]};
        double[][][] draws = gp.paths(near, new double[DRAWS][near.length][0], 3);
        double spread = gp.posterior(near).deviation(0, 0);
        for (double[][] draw : draws) {
            assertThat(draw[0][0]).isCloseTo(draw[1][0], within(0.01 * spread));
            assertThat(draw[2][0]).isCloseTo(data.y()[3][0], within(6 * Math.sqrt(gp.noise()[0]) + 1e-6));
        }
    }

    @Test
    void cosinesAreThoseOfTheLibrary() {
        double[] cycles = new double[2001];
        Arrays.setAll(cycles, i -> (i - 1000) * 0.0137);
        double[] c = cycles.clone();
        PathDraws.cosines(c);
        for (int i = 0; i < c.length; i++) {
            assertThat(c[i]).isCloseTo(Math.cos(2 * Math.PI * cycles[i]), within(1e-6));
        }
    }
}
