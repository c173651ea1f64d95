package knobscape.surrogate.ensemble;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import ml.dmlc.xgboost4j.java.DMatrix;
import ml.dmlc.xgboost4j.java.XGBoost;
import ml.dmlc.xgboost4j.java.XGBoostError;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NewtonBoostingTest {
    private static final int N = 200;
    private static final int D = 5;

    private static float[] rows(long seed, int levels) {
        var random = new SplittableRandom(seed);
        float[] rows = new float[N * D];
        for (int i = 0; i < rows.length; i++) {
            rows[i] = i % D == D - 1 ? 7 : (float) Math.floor(random.nextDouble() * levels);
        }
        return rows;
    }

    private static float[] targets(float[] rows, long seed) {
        var random = new SplittableRandom(seed);
        float[] y = new float[N];
        for (int i = 0; i < N; i++) {
            y[i] = (float) (1 / (1 + Math.abs(rows[i * D] - 3)) + (rows[i * D + 1] > 4 ? 0.3 * rows[i * D + 2] : 0) + 0.01 * random.nextDouble());
        }
        return y;
    }

    /// The library's exact method makes the same trees, with the counts of a resample as its weights.
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void predictsAsTheLibraryDoes(long seed) throws XGBoostError {
        float[] rows = rows(seed, 20);
        float[] y = targets(rows, seed);
        float[] times = new float[N];
        var random = new SplittableRandom(seed);
        for (int i = 0; i < N; i++) {
            times[random.nextInt(N)]++;
        }
        double sum = 0;
        for (int i = 0; i < N; i++) {
            sum += times[i] * y[i];
        }
        float[] drawn = new float[N * D];
        float[] label = new float[N];
        for (int i = 0, at = 0; i < N; i++) {
            for (int t = 0; t < times[i]; t++, at++) {
                System.arraycopy(rows, i * D, drawn, at * D, D);
                label[at] = y[i];
            }
        }
        var data = new DMatrix(drawn, N, D, Float.NaN);
        data.setLabel(label);
        var parameters = Map.<String, Object>of("max_depth", 3, "eta", 0.3, "gamma", 1e-4, "objective", "reg:squarederror", "base_score", sum / N, "tree_method", "exact", "nthread", 1);
        var booster = XGBoost.train(data, parameters, 50, new HashMap<>(), null, null);
        TreeForest forest = new NewtonBoosting(rows, N, D).fit(y, times, NewtonBoosting.Options.DEFAULT);
        assertThat(forest.size()).isEqualTo(50);
        float[][] theirs = booster.predict(data, false);
        for (int i = 0; i < N; i++) {
            assertThat(forest.score(drawn, i * D) + sum / N).isCloseTo(theirs[i][0], within(2e-3));
        }
    }

    @Test
    void learnsWhatItIsShownAlsoWithMoreValuesThanBins() {
        var random = new SplittableRandom(5);
        float[] rows = new float[N * D];
        for (int i = 0; i < rows.length; i++) {
            rows[i] = (float) (random.nextDouble() * 10);
        }
        float[] y = targets(rows, 5);
        float[] once = new float[N];
        Arrays.fill(once, 1);
        TreeForest forest = new NewtonBoosting(rows, N, D).fit(y, once, new NewtonBoosting.Options(200, 3, 0.3, 1, 0));
        double mean = 0;
        for (float v : y) {
            mean += v / N;
        }
        double left = 0;
        double before = 0;
        for (int i = 0; i < N; i++) {
            before += (y[i] - mean) * (y[i] - mean);
            left += Math.pow(forest.score(rows, i * D) + mean - y[i], 2);
        }
        assertThat(left).isLessThan(0.02 * before);
    }

    @Test
    void rowsWithoutWeightDoNotCount() {
        float[] rows = rows(9, 6);
        float[] y = targets(rows, 9);
        float[] half = new float[N];
        Arrays.fill(half, 0, N / 2, 1);
        float[] spoilt = y.clone();
        Arrays.fill(spoilt, N / 2, N, 1e6f);
        var boosting = new NewtonBoosting(rows, N, D);
        TreeForest a = boosting.fit(y, half, NewtonBoosting.Options.DEFAULT);
        TreeForest b = boosting.fit(spoilt, half, NewtonBoosting.Options.DEFAULT);
        for (int i = 0; i < N; i++) {
            assertThat(b.score(rows, i * D)).isEqualTo(a.score(rows, i * D));
        }
    }

    @Test
    void refusesWhatMakesNoSense() {
        assertThatThrownBy(() -> new NewtonBoosting(new float[5], 2, 3)).isInstanceOf(IllegalArgumentException.class).hasMessageContaining("2 x 3");
        var boosting = new NewtonBoosting(new float[] {1, 2}, 2, 1);
        assertThatThrownBy(() -> boosting.fit(new float[2], new float[2], NewtonBoosting.Options.DEFAULT)).isInstanceOf(IllegalArgumentException.class).hasMessageContaining("weight");
        assertThatThrownBy(() -> new NewtonBoosting.Options(0, 3, 0.3, 1, 0)).isInstanceOf(IllegalArgumentException.class);
    }
}
