package knobscape.surrogate.gp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.Optional;
import java.util.SplittableRandom;
import knobscape.numeric.Sobol;
import knobscape.surrogate.GaussianPosterior;
import knobscape.surrogate.IndependentOutputs;
import knobscape.surrogate.Model;
import knobscape.surrogate.Posterior;
import knobscape.surrogate.PriorSlopes;
import knobscape.surrogate.TrainingData;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GaussianProcessTest {

    /// Data from smooth functions; `g` lower outputs, and `holes` missing values.
    private static TrainingData data(long seed, int n, int d, int g, int m, int holes) {
        var random = new SplittableRandom(seed);
        double[][] x = new double[n][d];
        double[][] lower = new double[n][g];
        double[][] y = new double[n][m];
        for (int i = 0; i < n; i++) {
            for (int c = 0; c < d; c++) {
                x[i][c] = random.nextDouble();
            }
            for (int c = 0; c < g; c++) {
                lower[i][c] = Math.sin(4 * x[i][0] + c) + x[i][1 % d];
            }
            for (int a = 0; a < m; a++) {
                y[i][a] = 2 * Math.sin(4 * x[i][0] + a)
                        + x[i][1 % d] * (1 + a)
                        + 0.01 * random.nextGaussian()
                        - 3
                        + (g > 0 ? 0.5 * lower[i][0] * lower[i][0] : 0);
            }
        }
        for (int h = 0; h < holes; h++) {
            y[random.nextInt(n)][random.nextInt(m)] = Double.NaN;
        }
        return new TrainingData(x, lower, y);
    }

    private static double[][] queries(long seed, int n, int d) {
        var random = new SplittableRandom(seed);
        double[][] x = new double[n][d];
        for (double[] row : x) {
            Arrays.setAll(row, i -> random.nextDouble());
        }
        return x;
    }

    @ParameterizedTest
    @CsvSource({"12,4,0,3,0", "12,4,0,3,5", "10,3,2,3,0", "10,3,3,2,4", "4,6,0,1,0", "2,3,2,3,0"})
    void gradientAgreesWithFiniteDifferences(int n, int d, int g, int m, int holes) {
        TrainingData data = data(n * 31 + g, n, d, g, m, holes);
        ParameterLayout layout = new ParameterLayout(d, g, m, GpSettings.DEFAULT);
        StandardisedData s = StandardisedData.of(data);
        var likelihood = new MarginalLikelihood(layout, s.inputs(), s.y());
        double[] theta = layout.draw(new SplittableRandom(3));
        double[] gradient = new double[theta.length];
        likelihood.value(theta, gradient);
        for (int i = 0; i < theta.length; i++) {
            double h = 1e-5;
            double[] up = theta.clone();
            double[] down = theta.clone();
            up[i] += h;
            down[i] -= h;
            double slope =
                    (likelihood.value(up, new double[theta.length]) - likelihood.value(down, new double[theta.length]))
                            / (2 * h);
            assertThat(gradient[i]).as("parameter %d", i).isCloseTo(slope, within(1e-6 * Math.max(1, Math.abs(slope))));
        }
    }

    @Test
    void kroneckerAndDensePathsAgree() {
        TrainingData data = data(5, 15, 4, 0, 3, 0);
        ParameterLayout layout = new ParameterLayout(4, 0, 3, GpSettings.DEFAULT);
        StandardisedData s = StandardisedData.of(data);
        double[] theta = layout.draw(new SplittableRandom(8));
        double[] b = layout.coregionalisation(theta, 0);
        double[] noise = layout.noise(theta);
        var likelihood = new MarginalLikelihood(layout, s.inputs(), s.y());
        var fast = (LinearSystem.Kronecker) likelihood.at(theta).orElseThrow().system();
        var dense = LinearSystem.Dense.solve(
                        new double[][] {b}, noise, new double[][] {fast.k()}, s.y(), 15, Trend.Basis.NONE)
                .orElseThrow();
        assertThat(fast.logLikelihood()).isCloseTo(dense.logLikelihood(), within(1e-9));
        assertThat(fast.weights()).containsExactly(dense.weights(), within(1e-7));
        var g1 = fast.gradients();
        var g2 = dense.gradients();
        assertThat(g1.kernels()[0]).containsExactly(g2.kernels()[0], within(1e-6));
        assertThat(g1.coregionalisations()[0]).containsExactly(g2.coregionalisations()[0], within(1e-6));
        assertThat(g1.noise()).containsExactly(g2.noise(), within(1e-5));

        double[][] x = queries(4, 150, 4);
        var none = GaussianPosterior.blank(150, 0);
        int m = 3;
        var kronecker = new KroneckerPredictor(layout, theta, s, fast);
        var general = new DensePredictor(layout, theta, s, dense, 12, 1);
        var first = GaussianProcess.Block.blank(m, 150);
        var second = GaussianProcess.Block.blank(m, 150);
        kronecker.predict(x, none, 0, first);
        general.predict(x, none, 0, second);
        for (int a = 0; a < m; a++) {
            assertThat(first.means()[a]).containsExactly(second.means()[a], within(1e-8));
        }
        for (int pair = 0; pair < m * m; pair++) {
            assertThat(first.covariances()[pair]).containsExactly(second.covariances()[pair], within(1e-8));
        }
    }

    @Test
    void uncertainLowerOutputsFollowTheLawOfTotalCovariance() {
        TrainingData data = data(11, 14, 3, 2, 3, 2);
        GaussianProcess gp = new ProcessTrainer(GpSettings.DEFAULT).fit(data, Optional.empty(), 1);
        int n = 70;
        double[][] x = queries(2, n, 3);
        var lower = GaussianPosterior.blank(n, 2);
        var random = new SplittableRandom(6);
        for (int i = 0; i < n; i++) {
            double a = random.nextDouble(0.1, 0.6);
            double b = random.nextDouble(0.1, 0.6);
            double c = random.nextDouble(-0.3, 0.3);
            lower.means()[2 * i] = random.nextGaussian();
            lower.means()[2 * i + 1] = random.nextGaussian();
            System.arraycopy(new double[] {a * a, a * c, a * c, c * c + b * b}, 0, lower.covariances(), 4 * i, 4);
        }
        Posterior total = gp.posterior(x, lower);
        // The same draws one by one, each with its lower outputs taken as known.
        double[][] z = Sobol.matchedNormals(GpSettings.DEFAULT.propagationSamples(), 2, 20260701L);
        double[][] drawn = new double[z.length][2];
        for (int i = 0; i < n; i++) {
            lower.draw(i, z, drawn);
            double[][] same = new double[z.length][];
            Arrays.fill(same, x[i]);
            Posterior each = gp.posterior(same, GaussianPosterior.known(drawn, 2));
            for (int a = 0; a < 3; a++) {
                double meanA = 0;
                for (int s = 0; s < z.length; s++) {
                    meanA += each.mean(s, a) / z.length;
                }
                assertThat(total.mean(i, a)).isCloseTo(meanA, within(1e-9));
                for (int b = 0; b < 3; b++) {
                    double meanB = 0;
                    double within = 0;
                    double product = 0;
                    for (int s = 0; s < z.length; s++) {
                        meanB += each.mean(s, b) / z.length;
                        within += each.covariance(s, a, b) / z.length;
                        product += each.mean(s, a) * each.mean(s, b) / z.length;
                    }
                    assertThat(total.covariance(i, a, b)).isCloseTo(within + product - meanA * meanB, within(1e-8));
                }
            }
        }
    }

    @Test
    void fitFollowsSmoothFunctionsAndKnowsWhereItDoesNot() {
        TrainingData data = data(1, 40, 2, 0, 3, 6);
        GaussianProcess gp = new ProcessTrainer(GpSettings.DEFAULT).fit(data, Optional.empty(), 1);
        TrainingData truth = data(2, 200, 2, 0, 3, 0);
        Posterior p = gp.posterior(truth.x());
        double[] noise = gp.noise();
        int covered = 0;
        double squares = 0;
        double spread = 0;
        for (int i = 0; i < 200; i++) {
            for (int a = 0; a < 3; a++) {
                double error = truth.y()[i][a] - p.mean(i, a);
                squares += error * error;
                spread += Math.pow(truth.y()[i][a] + 3, 2);
                covered += Math.abs(error) < 1.645 * Math.sqrt(p.covariance(i, a, a) + noise[a]) ? 1 : 0;
            }
        }
        assertThat(squares / spread).isLessThan(0.002);
        assertThat(covered / 600.0).isBetween(0.8, 1.0);
    }

    @Test
    void lowerFidelityIsWorthSomething() {
        // The low output varies fast with x, the high one is a curved function of the low one plus a slow
        // trend.
        TrainingData few = ladder(21, 14);
        TrainingData truth = ladder(22, 150);
        var trainer = new ProcessTrainer(GpSettings.DEFAULT);
        Posterior with =
                trainer.fit(few, Optional.empty(), 1).posterior(truth.x(), GaussianPosterior.known(truth.lower(), 1));
        Posterior without = trainer.fit(TrainingData.single(few.x(), few.y()), Optional.empty(), 1)
                .posterior(truth.x());
        assertThat(error(with, truth)).isLessThan(0.1 * error(without, truth));
    }

    private static TrainingData ladder(long seed, int n) {
        double[][] x = queries(seed, n, 3);
        double[][] lower = new double[n][1];
        double[][] y = new double[n][2];
        for (int i = 0; i < n; i++) {
            lower[i][0] = Math.sin(9 * x[i][0]) + Math.cos(7 * x[i][1]);
            y[i][0] = lower[i][0] * lower[i][0] + 0.3 * x[i][2];
            y[i][1] = 2 * lower[i][0] - 0.5 * x[i][0];
        }
        return new TrainingData(x, lower, y);
    }

    private static double error(Posterior p, TrainingData truth) {
        double sum = 0;
        for (int i = 0; i < truth.size(); i++) {
            for (int a = 0; a < truth.outputs(); a++) {
                sum += Math.pow(p.mean(i, a) - truth.y()[i][a], 2);
            }
        }
        return sum;
    }

    @Test
    void warmStartContinuesAndResultsRepeatBitForBit() {
        TrainingData data = data(9, 20, 3, 0, 3, 0);
        var trainer = new ProcessTrainer(GpSettings.DEFAULT);
        GaussianProcess first = trainer.fit(data, Optional.empty(), 5);
        GaussianProcess warm = trainer.fit(data, Optional.of(first.parameters()), 5);
        assertThat(warm.fitness()).isGreaterThanOrEqualTo(first.fitness());
        assertThat(trainer.fit(data, Optional.empty(), 5).parameters()).containsExactly(first.parameters());
        double[][] x = queries(3, 1000, 3);
        var once = (GaussianPosterior) first.posterior(x);
        var again = (GaussianPosterior) trainer.fit(data, Optional.empty(), 5).posterior(x);
        assertThat(again.means()).containsExactly(once.means());
        assertThat(again.covariances()).containsExactly(once.covariances());
        // A warm start of another shape is ignored.
        assertThat(trainer.fit(data, Optional.of(new double[3]), 5).parameters())
                .containsExactly(first.parameters());
    }

    @Test
    void degenerateDataAreSurvived() {
        var trainer = new ProcessTrainer(GpSettings.DEFAULT);
        double[][] x = {{0, 0}, {0, 0}, {1, 0}};
        double[][] y = {{1, 5}, {1, 5}, {2, 5}};
        Posterior p =
                trainer.fit(TrainingData.single(x, y), Optional.empty(), 1).posterior(x);
        for (int i = 0; i < 3; i++) {
            assertThat(p.mean(i, 1)).isCloseTo(5, within(0.05));
            assertThat(p.covariance(i, 0, 0)).isPositive();
        }
        Posterior one = trainer.fit(
                        TrainingData.single(new double[][] {{0.5}}, new double[][] {{3}}), Optional.empty(), 1)
                .posterior(new double[][] {{0.5}, {0.9}});
        assertThat(one.mean(0, 0)).isCloseTo(3, within(0.1));
        assertThat(one.covariance(1, 0, 0)).isGreaterThan(one.covariance(0, 0, 0));
    }

    @Test
    void independentOutputsEqualSingleFits() {
        TrainingData data = data(13, 15, 3, 2, 3, 4);
        var single = new ProcessTrainer(GpSettings.DEFAULT);
        Model joint = IndependentOutputs.trainer(single).fit(data, Optional.empty(), 4);
        double[][] x = queries(1, 20, 3);
        var lower = GaussianPosterior.known(queries(2, 20, 2), 2);
        Posterior p = joint.posterior(x, lower);
        for (int j = 0; j < 3; j++) {
            Posterior alone =
                    single.fit(data.output(j), Optional.empty(), 4 + j).posterior(x, lower);
            for (int i = 0; i < 20; i++) {
                assertThat(p.mean(i, j)).isEqualTo(alone.mean(i, 0));
                assertThat(p.covariance(i, j, j)).isEqualTo(alone.covariance(i, 0, 0));
                assertThat(p.covariance(i, j, (j + 1) % 3)).isZero();
            }
        }
        Model warm = IndependentOutputs.trainer(single).fit(data, Optional.of(joint.parameters()), 4);
        assertThat(warm.fitness()).isGreaterThanOrEqualTo(joint.fitness());
    }

    @Test
    void badDataAreRefused() {
        assertThatThrownBy(() -> TrainingData.single(new double[0][], new double[0][]))
                .hasMessageContaining("at least one");
        assertThatThrownBy(() -> TrainingData.single(new double[][] {{Double.NaN}}, new double[][] {{1}}))
                .hasMessageContaining("not finite");
        assertThatThrownBy(() -> TrainingData.single(new double[][] {{1}}, new double[][] {{Double.NaN}}))
                .hasMessageContaining("never observed");
        assertThatThrownBy(() -> TrainingData.single(new double[][] {{1}, {1, 2}}, new double[][] {{1}, {1}}))
                .hasMessageContaining("row 1");
    }

    /// Rough beliefs do to sort candidates: means within a few per cent of the outputs' spread, deviations a
    /// little too large rather than too small.
    @Test
    void roughBeliefsAreNearTheExactOnes() {
        TrainingData data = data(5, 20, 4, 2, 3, 3);
        GaussianProcess gp = new ProcessTrainer(GpSettings.DEFAULT).fit(data, Optional.empty(), 1);
        double[][] x = queries(9, 60, 4);
        GaussianPosterior lower = GaussianPosterior.blank(60, 2);
        for (int i = 0; i < 60; i++) {
            for (int g = 0; g < 2; g++) {
                lower.means()[2 * i + g] = Math.sin(4 * x[i][0] + g) + x[i][1];
                lower.covariances()[4 * i + 3 * g] = 0.02;
            }
        }
        Posterior exact = gp.posterior(x, lower);
        Posterior rough = gp.screen(x, lower);
        for (int i = 0; i < 60; i++) {
            for (int a = 0; a < 3; a++) {
                assertThat(rough.mean(i, a)).isCloseTo(exact.mean(i, a), within(0.1));
                assertThat(rough.deviation(i, a)).isBetween(exact.deviation(i, a) - 0.05, exact.deviation(i, a) + 0.25);
            }
            assertThat(rough.covariance(i, 0, 1)).isZero();
        }
    }

    /// At the lowest fidelity rough beliefs are the exact ones to the digits of a float.
    @Test
    void roughBeliefsOfTheLowestFidelityAreTheExactOnes() {
        GaussianProcess gp = new ProcessTrainer(GpSettings.DEFAULT).fit(data(6, 30, 4, 0, 3, 0), Optional.empty(), 1);
        double[][] x = queries(3, 80, 4);
        Posterior exact = gp.posterior(x);
        Posterior rough = gp.screen(x, GaussianPosterior.blank(80, 0));
        for (int i = 0; i < 80; i++) {
            for (int a = 0; a < 3; a++) {
                assertThat(rough.mean(i, a)).isCloseTo(exact.mean(i, a), within(1e-3));
                assertThat(rough.deviation(i, a)).isCloseTo(exact.deviation(i, a), within(1e-3));
            }
        }
    }

    /// Above it they are too where the lower outputs are known.
    @Test
    void roughBeliefsOverKnownLowerOutputsAreTheExactOnes() {
        TrainingData data = data(7, 25, 4, 2, 3, 3);
        GaussianProcess gp = new ProcessTrainer(GpSettings.DEFAULT).fit(data, Optional.empty(), 1);
        double[][] x = queries(8, 150, 4);
        GaussianPosterior lower = GaussianPosterior.blank(150, 2);
        for (int i = 0; i < 150; i++) {
            lower.means()[2 * i] = Math.sin(4 * x[i][0]);
            lower.means()[2 * i + 1] = x[i][1];
        }
        Posterior exact = gp.posterior(x, lower);
        Posterior rough = gp.screen(x, lower);
        for (int i = 0; i < 150; i++) {
            for (int a = 0; a < 3; a++) {
                assertThat(rough.mean(i, a)).isCloseTo(exact.mean(i, a), within(1e-6));
                assertThat(rough.deviation(i, a)).isCloseTo(exact.deviation(i, a), within(1e-3));
            }
        }
    }

    /// Known slopes are a prior mean: the process is that of what they leave over, and adds them again.
    @Test
    void knownSlopesAreTakenOffAndAddedAgain() {
        TrainingData data = data(7, 14, 3, 2, 1, 0);
        double[] slopes = {0.8, -0.3};
        double[][] left = new double[data.size()][1];
        for (int i = 0; i < left.length; i++) {
            left[i][0] = data.y()[i][0] - slopes[0] * data.lower()[i][0] - slopes[1] * data.lower()[i][1];
        }
        var trainer = new ProcessTrainer(GpSettings.DEFAULT);
        var with = trainer.fit(
                new TrainingData(
                        data.x(), data.lower(), data.y(), data.lowerOf(), PriorSlopes.learned(new double[][] {slopes})),
                1);
        var without = trainer.fit(new TrainingData(data.x(), data.lower(), left), 1);
        double[][] x = queries(3, 5, 3);
        double[][] lower = queries(4, 5, 2);
        Posterior p = with.posterior(x, GaussianPosterior.known(lower, 2));
        Posterior q = without.posterior(x, GaussianPosterior.known(lower, 2));
        double[][][] drawn = with.paths(x, new double[][][] {lower}, 2);
        double[][][] drawnWithout = without.paths(x, new double[][][] {lower}, 2);
        for (int i = 0; i < x.length; i++) {
            double expected = slopes[0] * lower[i][0] + slopes[1] * lower[i][1];
            assertThat(p.mean(i, 0)).isCloseTo(q.mean(i, 0) + expected, within(1e-6));
            assertThat(p.covariance(i, 0, 0)).isCloseTo(q.covariance(i, 0, 0), within(1e-6));
            assertThat(drawn[0][i][0]).isCloseTo(drawnWithout[0][i][0] + expected, within(1e-6));
        }
    }
}
