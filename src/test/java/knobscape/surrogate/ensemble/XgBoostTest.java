package knobscape.surrogate.ensemble;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import ml.dmlc.xgboost4j.java.DMatrix;
import ml.dmlc.xgboost4j.java.XGBoost;
import ml.dmlc.xgboost4j.java.XGBoostError;
import org.junit.jupiter.api.Test;

class XgBoostTest {
    private static final int N = 300;
    private static final int D = 6;

    private final float[] rows = new float[N * D];
    private final float[] targets = new float[N];

    XgBoostTest() {
        var random = new SplittableRandom(1);
        for (int i = 0; i < N; i++) {
            for (int j = 0; j < D; j++) {
                rows[i * D + j] = (float) Math.round(random.nextDouble() * 800) / 100;
            }
            targets[i] = 1 / (1 + Math.abs(rows[i * D] - 3) + (rows[i * D + 1] > 4 ? 2 : 0));
        }
    }

    @Test
    void treesReadFromTheLibraryGiveItsOwnPredictions() throws XGBoostError {
        var data = new DMatrix(rows, N, D, Float.NaN);
        data.setLabel(targets);
        var booster = XGBoost.train(data, Map.of("max_depth", 3, "eta", 0.3, "objective", "reg:squarederror", "base_score", 0.0, "nthread", 1), 40, new HashMap<>(), null, null);
        TreeForest forest = TreeForest.ofModel(booster.toByteArray("ubj"), IntStream.range(0, D).toArray());
        assertThat(forest.size()).isEqualTo(40);
        float[][] own = booster.predict(data, true);
        for (int i = 0; i < N; i++) {
            assertThat(forest.score(rows, i * D)).isCloseTo(own[i][0], within(1e-5));
        }
    }

    @Test
    void ranksWhatItWasShownAndRepeatsItself() {
        var options = XgBoost.Options.autoTvm(XgBoost.Objective.RANK, 64);
        TreeForest a = XgBoost.fit(rows, N, D, targets, options, 7);
        TreeForest b = XgBoost.fit(rows, N, D, targets, options, 7);
        int agree = 0;
        int pairs = 0;
        for (int i = 0; i < N; i += 3) {
            assertThat(a.score(rows, i * D)).isEqualTo(b.score(rows, i * D));
            for (int j = i + 1; j < N; j += 5) {
                if (Math.abs(targets[i] - targets[j]) > 0.1) {
                    pairs++;
                    agree += targets[i] > targets[j] == a.score(rows, i * D) > a.score(rows, j * D) ? 1 : 0;
                }
            }
        }
        assertThat((double) agree / pairs).isGreaterThan(0.9);
        assertThat(XgBoost.problem()).isEmpty();
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
            List<Integer> order = IntStream.range(0, n).boxed().sorted(Comparator.<Integer>comparingDouble(i -> -predicted[i][0]).thenComparing(i -> i)).toList();
            int at = 1 + random.nextInt(50);
            double sum = 0;
            for (int k = 1; k <= Math.min(at, n); k++) {
                int first = k;
                int[] ranks = rank;
                sum += (double) order.subList(0, k).stream().filter(i -> ranks[i] < first).count() / k;
            }
            assertThat(XgBoost.averageRecall(predicted, rank, at)).isEqualTo(sum / Math.min(at, n));
        }
    }

    @Test
    void columnsThatTellNothingDoNotChangeTheTrees() throws XGBoostError {
        // Every column twice, with a constant one between.
        int wide = 3 * D;
        float[] more = new float[N * wide];
        for (int i = 0; i < N; i++) {
            for (int j = 0; j < D; j++) {
                more[i * wide + 3 * j] = 5;
                more[i * wide + 3 * j + 1] = rows[i * D + j];
                more[i * wide + 3 * j + 2] = rows[i * D + j];
            }
        }
        assertThat(XgBoost.telling(more, N, wide)).containsExactly(1, 4, 7, 10, 13, 16);
        assertThat(XgBoost.telling(new float[] {1, 1, 1, 1}, 2, 2)).containsExactly(0);
        var options = XgBoost.Options.autoTvm(XgBoost.Objective.RANK, 64);
        TreeForest plain = XgBoost.fit(rows, N, D, targets, options, 7);
        TreeForest same = XgBoost.fit(more, N, wide, targets, options, 7);
        for (int i = 0; i < N; i++) {
            assertThat(same.score(more, i * wide)).isEqualTo(plain.score(rows, i * D));
        }
        // The library itself does not look at them.
        assertThat(byTheLibrary(more, wide)).isDeepEqualTo(byTheLibrary(rows, D));
    }

    private float[][] byTheLibrary(float[] x, int d) throws XGBoostError {
        var data = new DMatrix(x, N, d, Float.NaN);
        data.setLabel(targets);
        return XGBoost.train(data, Map.of("max_depth", 3, "tree_method", "hist", "max_bin", 64, "objective", "rank:pairwise", "nthread", 1), 40, new HashMap<>(), null, null).predict(data, true);
    }

    @Test
    void whatIsNoModelIsRefused() throws XGBoostError {
        var data = new DMatrix(rows, N, D, Float.NaN);
        data.setLabel(targets);
        byte[] model = XGBoost.train(data, Map.of("max_depth", 3, "objective", "reg:squarederror", "nthread", 1), 3, new HashMap<>(), null, null).toByteArray("ubj");
        int[] columns = IntStream.range(0, D).toArray();
        assertThat(TreeForest.ofModel(model, columns).size()).isEqualTo(3);
        for (byte[] wrong : List.of(new byte[0], new byte[] {'{', '}'}, new byte[] {'[', '$', 'd', '#', 'L', 127, 0, 0, 0, 0, 0, 0, 0}, Arrays.copyOf(model, model.length / 2))) {
            assertThatThrownBy(() -> TreeForest.ofModel(wrong, columns)).isInstanceOf(IllegalArgumentException.class);
        }
        assertThatThrownBy(() -> new XgBoost.Options(XgBoost.Objective.RANK, 13, 0.3, 0, 10, 5, 64)).isInstanceOf(IllegalArgumentException.class).hasMessageContaining("1 to 12");
    }
}
