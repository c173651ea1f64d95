package knobscape.explore.bayes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import knobscape.Golden;
import knobscape.numeric.Sobol;
import knobscape.pareto.NonDominatedBoxes;
import knobscape.surrogate.GaussianPosterior;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

class EipvTest {
    static Stream<JsonNode> cases() {
        return StreamSupport.stream(Golden.read("bayes/eipv.json").spliterator(), false);
    }

    private static GaussianPosterior posterior(double[] mean, double[] covariance) {
        return new GaussianPosterior(1, mean.length, mean, covariance, new double[covariance.length]);
    }

    /// Both ways against numerical integration by scipy.
    @ParameterizedTest
    @MethodSource("cases")
    void agreesWithNumericalIntegration(JsonNode c) {
        double[] reference = Golden.vector(c.get("reference"));
        int m = reference.length;
        var boxes = NonDominatedBoxes.of(Golden.matrix(c.get("front")), reference);
        List<Scale> scales = Collections.nCopies(m, c.get("log").asBoolean() ? Scale.LOG10 : Scale.LINEAR);
        double[] covariance = Arrays.stream(Golden.matrix(c.get("covariance")))
                .flatMapToDouble(Arrays::stream)
                .toArray();
        var p = posterior(Golden.vector(c.get("mean")), covariance);
        double value = c.get("value").asDouble();
        if (c.get("independent").asBoolean()) {
            assertThat(Eipv.exact(boxes, scales).score(p)[0]).isCloseTo(value, within(1e-7 * Math.abs(value) + 1e-13));
        }
        double sampled =
                Eipv.sampled(boxes, scales, Sobol.normals(1 << 15, m, 4)).score(p)[0];
        assertThat(sampled).isCloseTo(value, within(2e-3 * Math.abs(value) + 2e-6));
        double few = Eipv.sampled(boxes, scales, Sobol.normals(128, m, 4)).score(p)[0];
        assertThat(few).isCloseTo(value, within(0.15 * Math.abs(value) + 1e-3));
    }

    static Stream<JsonNode> sampledCases() {
        return StreamSupport.stream(Golden.read("bayes/eipv_sampled.json").spliterator(), false);
    }

    /// With the same normals the sampled value is the same number as the mean of differences of hypervolumes by
    /// moocore.
    @ParameterizedTest
    @MethodSource("sampledCases")
    void agreesWithHypervolumesOfTheSameSamples(JsonNode c) {
        double[] reference = Golden.vector(c.get("reference"));
        int m = reference.length;
        var boxes = NonDominatedBoxes.of(Golden.matrix(c.get("front")), reference);
        List<Scale> scales = Collections.nCopies(m, c.get("log").asBoolean() ? Scale.LOG10 : Scale.LINEAR);
        double[] covariance = Arrays.stream(Golden.matrix(c.get("covariance")))
                .flatMapToDouble(Arrays::stream)
                .toArray();
        double value = c.get("value").asDouble();
        double sampled = Eipv.sampled(boxes, scales, Golden.matrix(c.get("normals")))
                .score(posterior(Golden.vector(c.get("mean")), covariance))[0];
        assertThat(sampled).isCloseTo(value, within(1e-9 * Math.abs(value) + 1e-13));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4})
    void isTheImprovementItselfWhereNothingIsUncertain(int m) {
        var random = new SplittableRandom(m);
        double[][] front = new double[12][m];
        for (double[] row : front) {
            Arrays.setAll(row, j -> random.nextDouble());
        }
        double[] reference = new double[m];
        Arrays.fill(reference, 1.0);
        var boxes = NonDominatedBoxes.of(front, reference);
        for (int i = 0; i < 30; i++) {
            double[] y = new double[m];
            Arrays.setAll(y, j -> random.nextDouble(0.01, 0.7));
            double improvement = boxes.improvement(y);
            for (Scale scale : Scale.values()) {
                double[] modelled = Arrays.stream(y).map(scale::toModel).toArray();
                var p = posterior(modelled, new double[m * m]);
                List<Scale> scales = Collections.nCopies(m, scale);
                assertThat(Eipv.exact(boxes, scales).score(p)[0]).isCloseTo(improvement, within(1e-12));
                assertThat(Eipv.sampled(boxes, scales, Sobol.normals(8, m, 1)).score(p)[0])
                        .isCloseTo(improvement, within(1e-12));
            }
        }
    }

    @Test
    void hopelessCandidatesScoreExactlyZeroWhenSampled() {
        var boxes = NonDominatedBoxes.of(new double[][] {{0.1, 0.1}}, new double[] {1, 1});
        var p = posterior(new double[] {0.9, 0.9}, new double[] {1e-4, 0, 0, 1e-4});
        List<Scale> linear = List.of(Scale.LINEAR, Scale.LINEAR);
        assertThat(Eipv.sampled(boxes, linear, Sobol.normals(128, 2, 1)).score(p)[0])
                .isZero();
        assertThat(Eipv.exact(boxes, linear).score(p)[0]).isLessThan(1e-15);
    }

    @Test
    void batchesScoreAsSingleCandidatesDo() {
        var random = new SplittableRandom(2);
        int n = 500;
        var batch = GaussianPosterior.blank(n, 3);
        var boxes = NonDominatedBoxes.of(
                new double[][] {{0.3, 0.6, 0.5}, {0.6, 0.3, 0.4}, {0.5, 0.5, 0.2}}, new double[] {1, 1, 1});
        List<Scale> scales = List.of(Scale.LINEAR, Scale.LOG10, Scale.LINEAR);
        double[][] normals = Sobol.normals(64, 3, 9);
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < 3; j++) {
                batch.means()[3 * i + j] = j == 1 ? random.nextDouble(-1, 0) : random.nextDouble();
                batch.covariances()[9 * i + 4 * j] = 0.01 + 0.05 * random.nextDouble();
            }
            batch.covariances()[9 * i + 1] = 0.005;
            batch.covariances()[9 * i + 3] = 0.005;
        }
        double[] sampled = Eipv.sampled(boxes, scales, normals).score(batch);
        double[] exact = Eipv.exact(boxes, scales).score(batch);
        for (int i = 0; i < n; i++) {
            var one = posterior(
                    Arrays.copyOfRange(batch.means(), 3 * i, 3 * i + 3),
                    Arrays.copyOfRange(batch.covariances(), 9 * i, 9 * i + 9));
            assertThat(Eipv.sampled(boxes, scales, normals).score(one)[0]).isEqualTo(sampled[i]);
            assertThat(Eipv.exact(boxes, scales).score(one)[0]).isEqualTo(exact[i]);
        }
    }
}
