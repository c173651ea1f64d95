package knobscape.surrogate.ensemble;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
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
        TreeForest forest = TreeForest.ofDump(booster.getModelDump("", false, "json"));
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
}
