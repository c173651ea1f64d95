package knobscape.surrogate.gp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import knobscape.surrogate.Model;
import knobscape.surrogate.Posterior;
import knobscape.surrogate.TrainingData;
import knobscape.surrogate.neural.TorchRuntime;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The deep kernel in LibTorch held against the plain-Java process on the same features.
class DeepKernelTest {
    private static final DeepKernelSettings SMALL =
            new DeepKernelSettings(List.of(20, 10, 3), 30, 1e-3, 0.05, 1e-2, 0.3, GpSettings.DEFAULT);

    @BeforeAll
    static void needsLibTorch() {
        Assumptions.assumeTrue(
                TorchRuntime.problem().isEmpty(), () -> TorchRuntime.problem().orElse(""));
    }

    private static TrainingData data(int n, int lower, boolean gaps, long seed) {
        var random = new SplittableRandom(seed);
        double[][] x =
                IntStream.range(0, n).mapToObj(i -> random.doubles(4).toArray()).toArray(double[][]::new);
        double[][] g = new double[n][lower];
        double[][] y = new double[n][];
        for (int i = 0; i < n; i++) {
            double s = Math.sin(4 * x[i][0]) + x[i][1];
            for (int c = 0; c < lower; c++) {
                g[i][c] = s + 0.1 * c + 0.2 * x[i][2];
            }
            y[i] = new double[] {s + 0.05 * random.nextGaussian(), gaps && i % 4 == 1 ? Double.NaN : 2 * x[i][1] - s};
        }
        return new TrainingData(x, g, y);
    }

    @ParameterizedTest
    @CsvSource({"0, false", "0, true", "2, false", "2, true"})
    void likelihoodOfLibTorchIsThatOfThePlainProcessOnTheSameFeatures(int lower, boolean gaps) {
        var settings = new DeepKernelSettings(SMALL.widths(), 30, 1e-3, 0.05, 0, 0.3, GpSettings.DEFAULT);
        var data = data(18, lower, gaps, 5);
        var layout = new ParameterLayout(3, lower, 2, GpSettings.DEFAULT);
        double[] theta = layout.draw(new SplittableRandom(3));
        var trained = new DeepKernelTraining(settings, layout, data, StandardisedData.of(data))
                .run(FeatureNetwork.initial(4, settings, 9), theta, 1);
        double[] start = theta.clone();
        // Features before the first step: the same network, centred and scaled by hand.
        var raw = FeatureNetwork.initial(4, settings, 9).features(data.x());
        double[][] phi = new double[raw.length][3];
        for (int c = 0; c < 3; c++) {
            int column = c;
            double mean =
                    Arrays.stream(raw).mapToDouble(r -> r[column]).average().orElseThrow();
            double deviation = Math.sqrt(Arrays.stream(raw)
                            .mapToDouble(r -> (r[column] - mean) * (r[column] - mean))
                            .average()
                            .orElseThrow()
                    + 1e-10);
            for (int i = 0; i < raw.length; i++) {
                phi[i][c] = 0.3 * (raw[i][c] - mean) / deviation;
            }
        }
        var onFeatures = StandardisedData.of(new TrainingData(phi, data.lower(), data.y()));
        double plain = new MarginalLikelihood(layout, onFeatures.inputs(), onFeatures.y())
                .value(start, new double[layout.size]);
        assertThat(trained.loss()[0]).isCloseTo(plain, within(1e-6 * Math.abs(plain) + 1e-6));
    }

    @ParameterizedTest
    @CsvSource({"0, false", "2, false", "2, true"})
    void gradientByTheFeaturesIsThatOfFiniteDifferences(int lower, boolean gaps) {
        var s = StandardisedData.of(data(9, lower, gaps, 8));
        var layout = new ParameterLayout(4, lower, 2, GpSettings.DEFAULT);
        double[] theta = layout.draw(new SplittableRandom(3));
        double[][] gradient = new double[9][4];
        new MarginalLikelihood(layout, s.inputs(), s.y())
                .at(theta)
                .orElseThrow()
                .value(new double[layout.size], gradient);
        double h = 1e-5;
        for (int i = 0; i < 9; i++) {
            for (int c = 0; c < 4; c++) {
                double[] sides = new double[2];
                for (int side = 0; side < 2; side++) {
                    double[][] moved =
                            Arrays.stream(s.inputs()).map(double[]::clone).toArray(double[][]::new);
                    moved[i][c] += side == 0 ? -h : h;
                    sides[side] = new MarginalLikelihood(layout, moved, s.y()).value(theta, new double[layout.size]);
                }
                assertThat(gradient[i][c]).isCloseTo((sides[1] - sides[0]) / (2 * h), within(1e-6));
            }
        }
    }

    @Test
    void trainingRaisesTheLikelihoodAndRepeatsExactly() {
        var data = data(24, 0, false, 4);
        var unguarded = new DeepKernelSettings(SMALL.widths(), 40, 1e-2, 0.05, 1e-2, 0.3, GpSettings.DEFAULT);
        var a = new DeepKernelTrainer(unguarded).fit(data, Optional.empty(), 7);
        var b = new DeepKernelTrainer(unguarded).fit(data, Optional.empty(), 7);
        double[] loss = a.diagnostics().get("loss");
        assertThat(loss[loss.length - 1]).isLessThan(loss[0] - 0.1);
        assertThat(b.diagnostics().get("loss")).containsExactly(loss);
        Posterior p = a.posterior(data.x());
        Posterior q = b.posterior(data.x());
        assertThat(p.mean(3, 1)).isEqualTo(q.mean(3, 1));
        assertThat(a.parameters()).containsExactly(b.parameters());
    }

    @Test
    void fantasiesKeepNetworkAndHyperParameters() {
        var data = data(20, 2, false, 6);
        var model = new DeepKernelTrainer(
                        new DeepKernelSettings(SMALL.widths(), 20, 1e-3, 0.05, 1e-2, 0.3, GpSettings.DEFAULT))
                .fit(data, Optional.empty(), 3);
        Model more = model.given(data(26, 2, false, 6));
        assertThat(more.parameters()).containsExactly(model.parameters());
        assertThat(more.outputs()).isEqualTo(2);
    }
}
