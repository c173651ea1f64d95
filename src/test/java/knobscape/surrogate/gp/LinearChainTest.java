package knobscape.surrogate.gp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import knobscape.surrogate.FidelityLadder;
import knobscape.surrogate.GaussianPosterior;
import knobscape.surrogate.IndependentOutputs;
import knobscape.surrogate.LadderData;
import knobscape.surrogate.Posterior;
import knobscape.surrogate.TrainingData;
import org.junit.jupiter.api.Test;

class LinearChainTest {
    private static double[][] points(long seed, int n, int d) {
        var random = new SplittableRandom(seed);
        double[][] x = new double[n][d];
        for (double[] row : x) {
            java.util.Arrays.setAll(row, i -> random.nextDouble());
        }
        return x;
    }

    private static double low(double[] x) {
        return Math.sin(5 * x[0]) + x[1] * x[1];
    }

    /// Rho 3, mean -2, and a gentle difference.
    private static double high(double[] x) {
        return 3 * low(x) - 2 + 0.3 * x[0];
    }

    private static TrainingData data(int n) {
        double[][] x = points(1, n, 2);
        double[][] lower = new double[n][];
        double[][] y = new double[n][];
        for (int i = 0; i < n; i++) {
            // The quantity's own lower output is the second; the first is something else.
            lower[i] = new double[] {x[i][1] - 7, low(x[i])};
            y[i] = new double[] {high(x[i])};
        }
        return new TrainingData(x, lower, y, new int[] {1});
    }

    @Test
    void gradientAgreesWithFiniteDifferences() {
        StandardisedData s = StandardisedData.of(data(9));
        for (int lower : new int[] {-1, 1}) {
            var likelihood =
                    new MarginalLikelihood(ParameterLayout.chain(2, lower, GpSettings.DEFAULT), s.inputs(), s.y());
            double[] theta = {-0.3, 0.2, 0.4, -3};
            double[] gradient = new double[4];
            likelihood.value(theta, gradient);
            for (int i = 0; i < theta.length; i++) {
                double[] up = theta.clone();
                double[] down = theta.clone();
                up[i] += 1e-5;
                down[i] -= 1e-5;
                double slope = (likelihood.value(up, new double[4]) - likelihood.value(down, new double[4])) / 2e-5;
                assertThat(gradient[i]).isCloseTo(slope, within(1e-6 * Math.max(1, Math.abs(slope))));
            }
        }
    }

    @Test
    void findsTheFactorAndPredictsWithIt() {
        GaussianProcess gp = ProcessTrainer.chain(GpSettings.DEFAULT).fit(data(20), Optional.empty(), 1);
        assertThat(gp.rho()).isCloseTo(3, within(0.1));
        double[][] x = points(2, 10, 2);
        GaussianPosterior lower = GaussianPosterior.blank(10, 2);
        for (int i = 0; i < 10; i++) {
            lower.means()[2 * i + 1] = low(x[i]);
            lower.covariances()[4 * i + 3] = 0.04;
        }
        Posterior p = gp.posterior(x, lower);
        for (int i = 0; i < 10; i++) {
            assertThat(p.mean(i, 0)).isCloseTo(high(x[i]), within(0.1));
            assertThat(p.inherited(i, 0, 0)).isCloseTo(gp.rho() * gp.rho() * 0.04, within(1e-9));
            assertThat(p.covariance(i, 0, 0)).isGreaterThanOrEqualTo(p.inherited(i, 0, 0));
        }
        Posterior rough = gp.screen(x, lower);
        for (int i = 0; i < 10; i++) {
            assertThat(rough.mean(i, 0)).isCloseTo(p.mean(i, 0), within(1e-3));
            assertThat(rough.covariance(i, 0, 0)).isCloseTo(p.covariance(i, 0, 0), within(1e-3));
            assertThat(rough.inherited(i, 0, 0)).isEqualTo(p.inherited(i, 0, 0));
        }
    }

    @Test
    void passesThroughItsDataAndKnowsThemLittleNoise() {
        TrainingData data = data(12);
        GaussianProcess gp = ProcessTrainer.chain(GpSettings.DEFAULT).fit(data, Optional.empty(), 1);
        Posterior p = gp.posterior(data.x(), GaussianPosterior.known(data.lower(), 2));
        for (int i = 0; i < 12; i++) {
            assertThat(p.mean(i, 0)).isCloseTo(data.y()[i][0], within(0.1));
        }
        assertThat(gp.given(data)
                        .posterior(data.x(), GaussianPosterior.known(data.lower(), 2))
                        .mean(3, 0))
                .isCloseTo(p.mean(3, 0), within(1e-9));
    }

    @Test
    void aWarmStartFromItsOwnParametersStaysThere() {
        TrainingData data = data(15);
        var trainer = ProcessTrainer.chain(GpSettings.DEFAULT);
        GaussianProcess cold = trainer.fit(data, Optional.empty(), 1);
        GaussianProcess warm = trainer.fit(data, Optional.of(cold.parameters()), 1);
        assertThat(warm.fitness()).isGreaterThanOrEqualTo(cold.fitness() - 1e-9);
        assertThat(warm.fitness()).isCloseTo(cold.fitness(), within(1e-3));
    }

    /// In a ladder each objective takes its own lower value; one that the lower fidelity does not report takes
    /// none.
    @Test
    void ladderLinksEachQuantityToItself() {
        double[][] x = points(3, 24, 2);
        double[][] hls = new double[24][];
        double[][] impl = new double[24][];
        int[] rows = new int[24];
        for (int i = 0; i < 24; i++) {
            hls[i] = new double[] {low(x[i]), x[i][0]};
            impl[i] = new double[] {x[i][0] * x[i][1], high(x[i]), 2 * x[i][0]};
            rows[i] = i;
        }
        var data = new LadderData(List.of(
                new LadderData.Level(x, hls, rows, new int[] {1, 2}),
                new LadderData.Level(x, impl, rows, new int[] {0, 1, 2})));
        FidelityLadder ladder = FidelityLadder.fit(
                data,
                IndependentOutputs.trainer(ProcessTrainer.chain(GpSettings.DEFAULT)),
                List.of(Optional.empty(), Optional.empty()),
                1);
        var rho = ladder.models().getLast().diagnostics();
        assertThat(rho.get("rho.0")[0]).isZero();
        assertThat(rho.get("rho.1")[0]).isCloseTo(3, within(0.2));
        assertThat(rho.get("rho.2")[0]).isCloseTo(2, within(0.2));
    }

    @Test
    void refusesSeveralOutputsAtOnce() {
        var two = new TrainingData(points(1, 3, 2), new double[3][0], new double[][] {{1, 2}, {2, 3}, {3, 5}});
        assertThatThrownBy(() -> ProcessTrainer.chain(GpSettings.DEFAULT).fit(two, Optional.empty(), 1))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
