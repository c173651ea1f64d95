package knobscape.surrogate.ensemble;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import knobscape.surrogate.TrainingData;
import ml.dmlc.xgboost4j.java.DMatrix;
import ml.dmlc.xgboost4j.java.XGBoost;
import ml.dmlc.xgboost4j.java.XGBoostError;
import org.junit.jupiter.api.Test;

class XgBoostTest {
    private static final int N = 300;
    private static final int D = 6;

    private final double[][] rows = new double[N][D];
    private final double[] targets = new double[N];

    XgBoostTest() {
        var random = new SplittableRandom(1);
        for (int i = 0; i < N; i++) {
            for (int j = 0; j < D; j++) {
                rows[i][j] = (float) Math.round(random.nextDouble() * 800) / 100;
            }
            targets[i] = 1f / (1 + Math.abs(rows[i][0] - 3) + (rows[i][1] > 4 ? 2 : 0));
        }
    }

    private static DMatrix matrix(double[][] rows, double[] targets) throws XGBoostError {
        float[] flat = new float[rows.length * rows[0].length];
        float[] labels = new float[rows.length];
        for (int i = 0; i < rows.length; i++) {
            for (int j = 0; j < rows[i].length; j++) {
                flat[i * rows[i].length + j] = (float) rows[i][j];
            }
            labels[i] = (float) targets[i];
        }
        var data = new DMatrix(flat, rows.length, rows[0].length, Float.NaN);
        data.setLabel(labels);
        return data;
    }

    @Test
    void treesReadFromTheLibraryGiveItsOwnPredictions() throws XGBoostError {
        var data = matrix(rows, targets);
        var booster = XGBoost.train(
                data,
                Map.of("max_depth", 3, "eta", 0.3, "objective", "reg:squarederror", "base_score", 0.0, "nthread", 1),
                40,
                new HashMap<>(),
                null,
                null);
        TreeForest forest = TreeForest.ofModel(
                booster.toByteArray("json"), IntStream.range(0, D).toArray(), 2);
        assertThat(forest.size()).isEqualTo(40);
        float[][] own = booster.predict(data, true);
        double[] scores = forest.score(rows);
        for (int i = 0; i < N; i++) {
            assertThat(scores[i]).isCloseTo(2 + own[i][0], within(1e-5));
        }
    }

    @Test
    void ranksWhatItWasShown() {
        double[] scores =
                fit(rows, XgBoost.Options.autoTvm(XgBoost.Objective.RANK, 64)).score(rows);
        int agree = 0;
        int pairs = 0;
        for (int i = 0; i < N; i += 3) {
            for (int j = i + 1; j < N; j += 5) {
                if (Math.abs(targets[i] - targets[j]) > 0.1) {
                    pairs++;
                    agree += targets[i] > targets[j] == scores[i] > scores[j] ? 1 : 0;
                }
            }
        }
        assertThat((double) agree / pairs).isGreaterThan(0.9);
    }

    private TreeForest fit(double[][] x, XgBoost.Options options) {
        return XgBoost.fit(TrainingData.single(x, targets), options, 7);
    }

    @Test
    void aFixedNumberOfTreesPredictsTheTargetsThemselves() {
        TreeForest forest = fit(rows, XgBoost.Options.SMALL);
        assertThat(forest.size()).isEqualTo(50);
        double[] predicted = forest.score(rows);
        double error = IntStream.range(0, N)
                .mapToDouble(i -> Math.abs(predicted[i] - targets[i]))
                .average()
                .orElseThrow();
        assertThat(error).isLessThan(0.03);
    }

    @Test
    void averageRecallIsOneForTheRightOrderAndLessForTheWrongOne() {
        float[][] right = {{3}, {2}, {1}, {0}};
        float[][] wrong = {{0}, {1}, {2}, {3}};
        int[] rank = {0, 1, 2, 3};
        assertThat(XgBoost.averageRecall(right, rank, 4)).isEqualTo(1);
        assertThat(XgBoost.averageRecall(wrong, rank, 4)).isCloseTo((0 + 0 + 2.0 / 3 + 1) / 4, within(1e-12));
    }

    @Test
    void averageRecallCountsAsItsDefinitionSays() {
        var random = new SplittableRandom(3);
        for (int trial = 0; trial < 200; trial++) {
            int n = 1 + random.nextInt(40);
            float[][] predicted = new float[n][1];
            for (float[] p : predicted) {
                p[0] = random.nextInt(-5, 6);
            }
            int[] rank = random.ints(0, 1000).distinct().limit(n).toArray();
            int[] sorted = Arrays.stream(rank).sorted().toArray();
            rank = Arrays.stream(rank).map(r -> Arrays.binarySearch(sorted, r)).toArray();
            List<Integer> order = IntStream.range(0, n)
                    .boxed()
                    .sorted(Comparator.<Integer>comparingDouble(i -> -predicted[i][0])
                            .thenComparing(i -> i))
                    .toList();
            int at = 1 + random.nextInt(50);
            double sum = 0;
            for (int k = 1; k <= Math.min(at, n); k++) {
                int first = k;
                int[] ranks = rank;
                sum += (double) order.subList(0, k).stream()
                                .filter(i -> ranks[i] < first)
                                .count()
                        / k;
            }
            assertThat(XgBoost.averageRecall(predicted, rank, at)).isEqualTo(sum / Math.min(at, n));
        }
    }

    @Test
    void columnsThatTellNothingDoNotChangeTheTrees() throws XGBoostError {
        // Every column twice, with a constant one between.
        double[][] more = Arrays.stream(rows)
                .map(row -> Arrays.stream(row)
                        .flatMap(v -> DoubleStream.of(5, v, v))
                        .toArray())
                .toArray(double[][]::new);
        assertThat(XgBoost.telling(more)).containsExactly(1, 4, 7, 10, 13, 16);
        assertThat(XgBoost.telling(new double[][] {{1, 1}, {1, 1}})).containsExactly(0);
        var options = XgBoost.Options.autoTvm(XgBoost.Objective.RANK, 64);
        assertThat(fit(more, options).score(more))
                .containsExactly(fit(rows, options).score(rows));
        // The library itself does not look at them.
        assertThat(byTheLibrary(more)).isDeepEqualTo(byTheLibrary(rows));
    }

    private float[][] byTheLibrary(double[][] x) throws XGBoostError {
        var data = matrix(x, targets);
        return XGBoost.train(
                        data,
                        Map.of(
                                "max_depth",
                                3,
                                "tree_method",
                                "hist",
                                "max_bin",
                                64,
                                "objective",
                                "rank:pairwise",
                                "nthread",
                                1),
                        40,
                        new HashMap<>(),
                        null,
                        null)
                .predict(data, true);
    }

    @Test
    void whatIsNoModelIsRefused() throws XGBoostError {
        byte[] model = XGBoost.train(
                        matrix(rows, targets),
                        Map.of("max_depth", 3, "objective", "reg:squarederror", "nthread", 1),
                        3,
                        new HashMap<>(),
                        null,
                        null)
                .toByteArray("json");
        int[] columns = IntStream.range(0, D).toArray();
        assertThat(TreeForest.ofModel(model, columns, 0).size()).isEqualTo(3);
        for (byte[] wrong : List.of(
                new byte[0],
                new byte[] {'{', '}'},
                "{\"learner\": [1]}".getBytes(UTF_8),
                Arrays.copyOf(model, model.length / 2))) {
            assertThatThrownBy(() -> TreeForest.ofModel(wrong, columns, 0))
                    .isInstanceOf(IllegalArgumentException.class);
        }
        assertThatThrownBy(() -> new XgBoost.Options(XgBoost.Objective.RANK, 13, 0.3, 0, 10, 5, 64))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("1 to 12");
    }
}
