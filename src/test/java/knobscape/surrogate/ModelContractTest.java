package knobscape.surrogate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.util.Arrays;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/// What every model keeps to.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
public abstract class ModelContractTest {
    private static final int FEATURES = 3;

    private Optional<Model> fitted = Optional.empty();

    /// What a model promises beside the contract of all.
    protected enum Promise {
        /// Learns several outputs, of which some may not have been observed.
        SEVERAL_OUTPUTS,
        /// Its means pass through data without noise.
        INTERPOLATES,
        /// Knows how little it knows: variances grow away from the data.
        IS_UNCERTAIN,
        /// Outputs in other units give the same beliefs in other units.
        UNITS_DO_NOT_MATTER,
        /// Given its own data again it believes the same.
        TAKES_DATA
    }

    /// Fits the model.
    protected abstract Model.Trainer trainer();

    /// What it promises.
    protected abstract Promise[] promises();

    /// Least share of the variance of a smooth function that it explains.
    protected double explained() {
        return 0.6;
    }

    private boolean promised(Promise p) {
        return Arrays.asList(promises()).contains(p);
    }

    private static double[][] rows(int n, long seed) {
        var random = new SplittableRandom(seed);
        return IntStream.range(0, n)
                .mapToObj(i -> random.doubles(FEATURES).toArray())
                .toArray(double[][]::new);
    }

    private static double truth(double[] x, int output) {
        return output == 0 ? Math.sin(3 * x[0]) + x[1] * x[1] : 2 - x[0] - 0.5 * x[2];
    }

    private TrainingData data(double scale, double shift) {
        double[][] x = rows(40, 1);
        int outputs = promised(Promise.SEVERAL_OUTPUTS) ? 2 : 1;
        double[][] y = Arrays.stream(x)
                .map(r -> IntStream.range(0, outputs)
                        .mapToDouble(j -> shift + scale * truth(r, j))
                        .toArray())
                .toArray(double[][]::new);
        return TrainingData.single(x, y);
    }

    private Model fitted() {
        if (fitted.isEmpty()) {
            fitted = Optional.of(trainer().fit(data(1, 0), 5));
        }
        return fitted.get();
    }

    private static void assertEqual(Posterior p, Posterior q, double tolerance) {
        assertThat(p.size()).isEqualTo(q.size());
        assertThat(p.outputs()).isEqualTo(q.outputs());
        for (int i = 0; i < p.size(); i++) {
            for (int a = 0; a < p.outputs(); a++) {
                assertThat(p.mean(i, a)).as("mean %d of input %d", a, i).isCloseTo(q.mean(i, a), within(tolerance));
                for (int b = 0; b < p.outputs(); b++) {
                    assertThat(p.covariance(i, a, b))
                            .as("covariance %d, %d of input %d", a, b, i)
                            .isCloseTo(q.covariance(i, a, b), within(tolerance));
                }
            }
        }
    }

    @Test
    void repeatsItselfFromASeed() {
        double[][] x = rows(20, 2);
        Model first = fitted();
        Model second = trainer().fit(data(1, 0), 5);
        assertEqual(first.posterior(x), second.posterior(x), 0);
        assertThat(first.score(x)).containsExactly(second.score(x));
        assertThat(first.parameters()).containsExactly(second.parameters());
    }

    @Test
    void believesSomethingOfEveryOutputOfEveryRow() {
        Model model = fitted();
        double[][] x = rows(150, 3);
        Posterior p = model.posterior(x);
        int m = data(1, 0).outputs();
        assertThat(model.outputs()).isEqualTo(m);
        assertThat(p.outputs()).isEqualTo(m);
        assertThat(p.size()).isEqualTo(x.length);
        for (int i = 0; i < x.length; i++) {
            for (int a = 0; a < m; a++) {
                assertThat(p.mean(i, a)).isFinite();
                assertThat(p.covariance(i, a, a)).isNotNegative().isFinite();
                assertThat(p.inherited(i, a, a)).isBetween(0.0, p.covariance(i, a, a));
                for (int b = 0; b < a; b++) {
                    assertThat(p.covariance(i, a, b)).isEqualTo(p.covariance(i, b, a));
                    assertThat(Math.pow(p.covariance(i, a, b), 2))
                            .isLessThanOrEqualTo(p.covariance(i, a, a) * p.covariance(i, b, b) * (1 + 1e-9));
                }
            }
        }
        assertThat(model.noise()).hasSize(m);
        assertThat(Arrays.stream(model.noise())).allMatch(v -> v >= 0);
        assertThat(model.posterior(new double[0][]).size()).isZero();
    }

    @Test
    void aRowHasTheSameBeliefsAloneAndAmongOthers() {
        Model model = fitted();
        double[][] x = rows(150, 4);
        Posterior all = model.posterior(x);
        double[] scores = model.score(x);
        for (int i : new int[] {0, 63, 64, 149}) {
            double[][] one = {x[i]};
            Posterior alone = model.posterior(one);
            assertThat(alone.mean(0, 0)).isCloseTo(all.mean(i, 0), within(1e-9));
            assertThat(alone.covariance(0, 0, 0)).isCloseTo(all.covariance(i, 0, 0), within(1e-9));
            assertThat(model.score(one)[0]).isCloseTo(scores[i], within(1e-9));
        }
    }

    @Test
    void screeningAndScoresSortRowsAsTheMeansDo() {
        Model model = fitted();
        double[][] x = rows(100, 5);
        Posterior p = model.posterior(x);
        Posterior screened = model.screen(x, GaussianPosterior.blank(x.length, 0));
        double[] scores = model.score(x);
        for (int i = 0; i < x.length; i++) {
            assertThat(screened.mean(i, 0)).isCloseTo(p.mean(i, 0), within(1e-4));
            assertThat(screened.covariance(i, 0, 0)).isCloseTo(p.covariance(i, 0, 0), within(1e-3));
            for (int j = 0; j < i; j++) {
                assertThat(scores[i] > scores[j] || p.mean(i, 0) - p.mean(j, 0) < 1e-4)
                        .as("rows %d and %d", i, j)
                        .isTrue();
            }
        }
    }

    @Test
    void learnsWhatIsSmooth() {
        Model model = fitted();
        double[][] x = rows(100, 6);
        Posterior p = model.posterior(x);
        for (int a = 0; a < p.outputs(); a++) {
            int output = a;
            double mean = Arrays.stream(x)
                    .mapToDouble(r -> truth(r, output))
                    .average()
                    .orElseThrow();
            double total = Arrays.stream(x)
                    .mapToDouble(r -> Math.pow(truth(r, output) - mean, 2))
                    .sum();
            double residual = IntStream.range(0, x.length)
                    .mapToDouble(i -> Math.pow(truth(x[i], output) - p.mean(i, output), 2))
                    .sum();
            assertThat(1 - residual / total)
                    .as("share of output %d explained", a)
                    .isGreaterThan(explained());
        }
    }

    @Test
    void passesThroughDataWithoutNoise() {
        assumeThat(promised(Promise.INTERPOLATES))
                .as("what this model promises of INTERPOLATES")
                .isTrue();
        TrainingData data = data(1, 0);
        Posterior p = fitted().posterior(data.x());
        for (int i = 0; i < data.size(); i++) {
            for (int a = 0; a < data.outputs(); a++) {
                assertThat(p.mean(i, a)).isCloseTo(data.y()[i][a], within(0.05));
            }
        }
    }

    @Test
    void knowsLessAwayFromTheData() {
        assumeThat(promised(Promise.IS_UNCERTAIN))
                .as("what this model promises of IS_UNCERTAIN")
                .isTrue();
        Model model = fitted();
        double[][] far = {{4, -3, 5}};
        double[][] near = {data(1, 0).x()[7]};
        assertThat(model.posterior(far).covariance(0, 0, 0))
                .isGreaterThan(10 * model.posterior(near).covariance(0, 0, 0));
    }

    @Test
    void otherUnitsGiveTheSameBeliefs() {
        assumeThat(promised(Promise.UNITS_DO_NOT_MATTER))
                .as("what this model promises of UNITS_DO_NOT_MATTER")
                .isTrue();
        double[][] x = rows(30, 7);
        Posterior p = fitted().posterior(x);
        Posterior q = trainer().fit(data(1000, -70), 5).posterior(x);
        for (int i = 0; i < x.length; i++) {
            assertThat((q.mean(i, 0) + 70) / 1000).isCloseTo(p.mean(i, 0), within(1e-3));
            assertThat(q.deviation(i, 0) / 1000).isCloseTo(p.deviation(i, 0), within(1e-3));
        }
    }

    @Test
    void givenItsOwnDataItBelievesTheSame() {
        assumeThat(promised(Promise.TAKES_DATA))
                .as("what this model promises of TAKES_DATA")
                .isTrue();
        double[][] x = rows(30, 8);
        Model model = fitted();
        Model same = model.given(data(1, 0));
        assertEqual(same.posterior(x), model.posterior(x), 1e-9);
        assertThat(same.parameters()).containsExactly(model.parameters());
    }

    @Test
    void outputsThatWereNotObservedAreLeftOut() {
        assumeThat(promised(Promise.SEVERAL_OUTPUTS))
                .as("what this model promises of SEVERAL_OUTPUTS")
                .isTrue();
        TrainingData data = data(1, 0);
        for (int i = 0; i < data.size(); i += 4) {
            data.y()[i][1] = Double.NaN;
        }
        Posterior p = trainer().fit(data, 5).posterior(data.x());
        for (int i = 0; i < data.size(); i++) {
            assertThat(p.mean(i, 1)).isCloseTo(truth(data.x()[i], 1), within(0.1));
        }
    }

    @Test
    void aWarmStartOfAnotherShapeIsIgnored() {
        double[][] x = rows(20, 9);
        Model odd = trainer().fit(data(1, 0), Optional.of(new double[] {0.1, 0.2, 0.3}), 5);
        assertEqual(odd.posterior(x), fitted().posterior(x), 0);
    }

    @Test
    void severalOutputsAreRefusedByAModelOfOne() {
        assumeThat(promised(Promise.SEVERAL_OUTPUTS))
                .as("what this model promises of SEVERAL_OUTPUTS")
                .isFalse();
        var two = TrainingData.single(rows(6, 1), rows(6, 2));
        assertThatThrownBy(() -> trainer().fit(two, 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("one output");
    }
}
