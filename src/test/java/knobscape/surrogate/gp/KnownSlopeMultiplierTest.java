package knobscape.surrogate.gp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Optional;
import java.util.SplittableRandom;
import knobscape.surrogate.GaussianPosterior;
import knobscape.surrogate.PriorSlopes;
import knobscape.surrogate.TrainingData;
import org.junit.jupiter.api.Test;

class KnownSlopeMultiplierTest {
    private static final double DEVIATION = 0.5;
    private static final GpSettings LEARNED =
            GpSettings.DEFAULT.with(GpSettings.DEFAULT.priors().multiplied(DEVIATION));

    /// An output that follows the first lower output by `slope`, of which 0.8 is known.
    private static TrainingData data(int n, double slope) {
        var random = new SplittableRandom(11);
        double[][] x = new double[n][2];
        double[][] lower = new double[n][2];
        double[][] y = new double[n][1];
        for (int i = 0; i < n; i++) {
            x[i] = new double[] {random.nextDouble(), random.nextDouble()};
            lower[i] = new double[] {3 * random.nextGaussian(), random.nextGaussian()};
            y[i][0] = 7 + slope * lower[i][0] + 0.3 * Math.sin(4 * x[i][0]);
        }
        return new TrainingData(x, lower, y, new int[] {0}, PriorSlopes.learned(new double[][] {{0.8, 0}}));
    }

    private static MarginalLikelihood likelihood(StandardisedData s, double deviation) {
        return MarginalLikelihood.multiplied(new ParameterLayout(2, 2, 1, GpSettings.DEFAULT), s, deviation);
    }

    @Test
    void theMultiplierIsTheBestOfAllByLikelihoodAndPrior() {
        StandardisedData s = StandardisedData.of(data(12, 0.5));
        var layout = new ParameterLayout(2, 2, 1, GpSettings.DEFAULT);
        double[] theta = layout.centre();
        double[] unused = new double[theta.length];
        double found = likelihood(s, DEVIATION).multiplier(theta);
        double value = likelihood(s, DEVIATION).value(theta, unused);
        double best = Double.POSITIVE_INFINITY;
        double at = Double.NaN;
        for (double m = 0; m < 2; m += 1e-3) {
            StandardisedData own = s.multiplied(m);
            double z = (m - 1) / DEVIATION;
            double there =
                    new MarginalLikelihood(layout, own.inputs(), own.y()).value(theta, unused) + 0.5 * z * z / 12;
            if (there < best) {
                best = there;
                at = m;
            }
        }
        assertThat(found).isCloseTo(at, within(1e-3));
        assertThat(value).isCloseTo(best, within(1e-6));
    }

    @Test
    void itsGradientIsThatOfFiniteDifferences() {
        StandardisedData s = StandardisedData.of(data(12, 0.5));
        MarginalLikelihood likelihood = likelihood(s, DEVIATION);
        double[] theta = new ParameterLayout(2, 2, 1, GpSettings.DEFAULT).centre();
        double[] gradient = new double[theta.length];
        double[] unused = new double[theta.length];
        likelihood.value(theta, gradient);
        for (int i = 0; i < theta.length; i++) {
            double[] up = theta.clone();
            double[] down = theta.clone();
            up[i] += 1e-5;
            down[i] -= 1e-5;
            double slope = (likelihood.value(up, unused) - likelihood.value(down, unused)) / 2e-5;
            assertThat(gradient[i]).isCloseTo(slope, within(2e-5 * Math.max(1, Math.abs(slope))));
        }
    }

    @Test
    void slopesThatFitStayAndThoseThatDoNotVanish() {
        assertThat(multiplier(data(20, 0.8))).isCloseTo(1, within(0.1));
        assertThat(multiplier(data(20, 0))).isCloseTo(0, within(0.15));
        assertThat(multiplier(data(20, -0.8))).isZero();
        assertThat(new ProcessTrainer(GpSettings.DEFAULT)
                        .fit(data(20, 0), Optional.empty(), 1)
                        .diagnostics())
                .doesNotContainKey("multiplier");
    }

    private static double multiplier(TrainingData data) {
        return new ProcessTrainer(LEARNED)
                .fit(data, Optional.empty(), 1)
                .diagnostics()
                .get("multiplier")[0];
    }

    @Test
    void predictionsFollowWhatWasLearned() {
        TrainingData data = data(20, 0.4);
        GaussianProcess gp = new ProcessTrainer(LEARNED).fit(data, Optional.empty(), 1);
        double[][] x = {{0.5, 0.5}, {0.5, 0.5}};
        var far = gp.posterior(x, GaussianPosterior.known(new double[][] {{-5, 0}, {5, 0}}, 2));
        assertThat((far.mean(1, 0) - far.mean(0, 0)) / 10).isCloseTo(0.4, within(0.1));
        // What is given later is taken by the same multiplier.
        GaussianProcess fewer = gp.given(data.rows(new int[] {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}));
        assertThat(fewer.diagnostics().get("multiplier"))
                .isEqualTo(gp.diagnostics().get("multiplier"));
    }
}
