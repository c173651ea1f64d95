package knobscape.surrogate.ensemble;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.SplittableRandom;
import knobscape.surrogate.Model;
import knobscape.surrogate.TrainingData;
import org.junit.jupiter.api.Test;

class BoostedTreesTest {

    private static double[][] rows(int n, long seed) {
        var random = new SplittableRandom(seed);
        return java.util.stream.IntStream.range(0, n)
                .mapToObj(i -> random.doubles(4).toArray())
                .toArray(double[][]::new);
    }

    private static double[] target(double[][] x) {
        return Arrays.stream(x)
                .mapToDouble(r -> 10 * r[0] + (r[1] > 0.5 ? 5 : 0) + r[2] * r[0])
                .toArray();
    }

    @Test
    void predictsHeldOutRowsAndDoesNotDependOnChance() {
        double[][] x = rows(200, 1);
        double[] y = target(x);
        var options = new BoostedTrees.Options(150, 3, 0.1);
        var model = BoostedTrees.trainer(options).fit(TrainingData.single(x, y), 0);
        double[][] test = rows(200, 2);
        double[] truth = target(test);
        double[] predicted = model.score(test);
        double mean = Arrays.stream(truth).average().orElseThrow();
        double residual = 0;
        double total = 0;
        for (int i = 0; i < truth.length; i++) {
            residual += Math.pow(predicted[i] - truth[i], 2);
            total += Math.pow(truth[i] - mean, 2);
        }
        assertThat(1 - residual / total).isGreaterThan(0.95);
        assertThat(BoostedTrees.trainer(options)
                        .fit(TrainingData.single(x, y), 0)
                        .score(test))
                .containsExactly(predicted);
        assertThat(model.score(new double[][] {test[3]})[0]).isEqualTo(predicted[3]);
    }

    @Test
    void deeperTreesFollowInteractionsThatStumpsCannot() {
        double[][] x = rows(300, 3);
        double[] y = Arrays.stream(x)
                .mapToDouble(r -> (r[0] > 0.5) ^ (r[1] > 0.5) ? 1.0 : 0.0)
                .toArray();
        assertThat(error(
                        BoostedTrees.trainer(new BoostedTrees.Options(60, 3, 0.2))
                                .fit(TrainingData.single(x, y), 0),
                        x,
                        y))
                .isLessThan(0.5
                        * error(
                                BoostedTrees.trainer(new BoostedTrees.Options(60, 1, 0.2))
                                        .fit(TrainingData.single(x, y), 0),
                                x,
                                y));
    }

    private static double error(Model model, double[][] x, double[] y) {
        double[] predicted = model.score(x);
        double e = 0;
        for (int i = 0; i < y.length; i++) {
            e += Math.pow(predicted[i] - y[i], 2);
        }
        return e;
    }
}
