package knobscape.surrogate.gp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import knobscape.Golden;
import knobscape.surrogate.GaussianPosterior;
import knobscape.surrogate.Posterior;
import knobscape.surrogate.TrainingData;
import org.assertj.core.data.Offset;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;

/// Holds likelihood, its gradient and the posterior against PyTorch (and one case against scikit-learn).
class GaussianProcessGoldenTest {
    static Stream<JsonNode> cases() {
        return StreamSupport.stream(Golden.read("surrogate/gp.json").spliterator(), false);
    }

    private static Offset<Double> relative(double expected) {
        return within(1e-8 * Math.max(1, Math.abs(expected)));
    }

    private static GaussianProcess at(TrainingData data, double[] theta, GpSettings settings) {
        ParameterLayout layout = new ParameterLayout(data.features(), data.lowerOutputs(), data.outputs(), settings);
        StandardisedData s = StandardisedData.of(data);
        return new GaussianProcess(
                layout, settings, theta, 0, null, s, new MarginalLikelihood(layout, s.inputs(), s.y()));
    }

    @ParameterizedTest
    @MethodSource("cases")
    void agreesWithPyTorch(JsonNode c) {
        var data =
                new TrainingData(Golden.matrix(c.get("x")), Golden.matrix(c.get("lower")), Golden.matrix(c.get("y")));
        double[] theta = Golden.vector(c.get("theta"));
        GaussianProcess gp = at(
                data,
                theta,
                GpSettings.DEFAULT.with(
                        c.get("slopes").asBoolean()
                                ? GpSettings.LowerLink.LINEAR_AND_CURVED
                                : GpSettings.LowerLink.CURVED));
        double expected = c.get("logLikelihood").asDouble();
        assertThat(gp.logLikelihood()).isCloseTo(expected, relative(expected));
        double[] gradient = new double[theta.length];
        gp.likelihood().at(theta).orElseThrow().addLikelihood(gradient);
        double[] expectedGradient = Golden.vector(c.get("gradient"));
        for (int i = 0; i < gradient.length; i++) {
            assertThat(gradient[i]).as("gradient %d", i).isCloseTo(expectedGradient[i], relative(expectedGradient[i]));
        }
        double[][] lower = Golden.matrix(c.get("queryLower"));
        Posterior p = gp.posterior(Golden.matrix(c.get("queryX")), GaussianPosterior.known(lower, data.lowerOutputs()));
        double[][] mean = Golden.matrix(c.get("mean"));
        for (int i = 0; i < mean.length; i++) {
            double[][] covariance = Golden.matrix(c.get("covariance").get(i));
            for (int a = 0; a < data.outputs(); a++) {
                assertThat(p.mean(i, a)).isCloseTo(mean[i][a], relative(mean[i][a]));
                for (int b = 0; b < data.outputs(); b++) {
                    assertThat(p.covariance(i, a, b)).isCloseTo(covariance[a][b], relative(covariance[a][b]));
                }
            }
        }
        if (c.has("sklearn")) {
            JsonNode s = c.get("sklearn");
            assertThat(gp.logLikelihood()).isCloseTo(s.get("logLikelihood").asDouble(), within(1e-8));
            for (int i = 0; i < mean.length; i++) {
                assertThat(p.mean(i, 0)).isCloseTo(s.get("mean").get(i).asDouble(), within(1e-8));
                assertThat(p.covariance(i, 0, 0))
                        .isCloseTo(s.get("variance").get(i).asDouble(), within(1e-8));
            }
        }
    }
}
