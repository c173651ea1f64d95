package knobscape.surrogate.neural;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.SplittableRandom;
import knobscape.surrogate.TrainingData;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PerceptronTest {

    private static double[][] rows(int n, int d, long seed) {
        var random = new SplittableRandom(seed);
        return java.util.stream.IntStream.range(0, n)
                .mapToObj(i -> random.doubles(d).toArray())
                .toArray(double[][]::new);
    }

    private static double[] target(double[][] x) {
        return Arrays.stream(x)
                .mapToDouble(r -> Math.sin(3 * r[0]) + r[1] * r[1] - 0.5 * r[0] * r[1])
                .toArray();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void gradientAgreesWithFiniteDifferences(long seed) {
        double[][] x = rows(7, 3, seed);
        double[] y = target(x);
        var network = Perceptron.fit(
                TrainingData.single(x, y), new Perceptron.Options(new int[] {5, 4}, 1e-2, 0.01, seed), 3);
        double[][] p = network.layers();
        double[][] gradient = Arrays.stream(p).map(double[]::clone).toArray(double[][]::new);
        double[][] scratch = Arrays.stream(p).map(double[]::clone).toArray(double[][]::new);
        network.lossAndGradient(x, y, 0.01, gradient);
        double h = 1e-6;
        for (int l = 0; l < p.length; l++) {
            for (int i = 0; i < p[l].length; i++) {
                double keep = p[l][i];
                p[l][i] = keep + h;
                double up = network.lossAndGradient(x, y, 0.01, scratch);
                p[l][i] = keep - h;
                double down = network.lossAndGradient(x, y, 0.01, scratch);
                p[l][i] = keep;
                assertThat(gradient[l][i]).isCloseTo((up - down) / (2 * h), within(1e-6));
            }
        }
    }

    @Test
    void learnsASmoothFunctionWellEnoughToPredictHeldOutRows() {
        double[][] x = rows(80, 2, 5);
        double[] y = target(x);
        var network = Perceptron.fit(
                TrainingData.single(x, y), new Perceptron.Options(new int[] {16, 16}, 1e-2, 1e-5, 1), 1500);
        double[][] test = rows(200, 2, 6);
        double[] truth = target(test);
        double mean = Arrays.stream(truth).average().orElseThrow();
        double residual = 0;
        double total = 0;
        for (int i = 0; i < test.length; i++) {
            residual += Math.pow(network.predict(test[i]) - truth[i], 2);
            total += Math.pow(truth[i] - mean, 2);
        }
        assertThat(1 - residual / total).isGreaterThan(0.97);
    }

    @Test
    void validationPathFollowsTheSameTrainingAsFit() {
        double[][] x = rows(20, 2, 7);
        double[] y = target(x);
        double[][] held = rows(5, 2, 8);
        double[] heldY = target(held);
        var options = new Perceptron.Options(new int[] {6, 6}, 1e-2, 0, 3);
        double[] path =
                Perceptron.validationPath(TrainingData.single(x, y), TrainingData.single(held, heldY), options, 60, 20);
        var network = Perceptron.fit(TrainingData.single(x, y), options, 40);
        double error = 0;
        for (int i = 0; i < held.length; i++) {
            error += Math.pow(network.predict(held[i]) - heldY[i], 2);
        }
        assertThat(path).hasSize(3);
        assertThat(path[1]).isEqualTo(error);
    }
}
