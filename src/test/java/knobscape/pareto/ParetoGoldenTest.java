package knobscape.pareto;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.Comparator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import knobscape.Golden;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;

/// Holds fronts, hypervolume and ADRS against moocore and pymoo.
class ParetoGoldenTest {
    static Stream<JsonNode> cases() {
        return StreamSupport.stream(Golden.read("pareto/pareto.json").spliterator(), false);
    }

    @ParameterizedTest
    @MethodSource("cases")
    void agreesWithMoocoreAndPymoo(JsonNode c) {
        double[][] points = Golden.matrix(c.get("points"));
        double[] reference = Golden.vector(c.get("reference"));
        double volume = c.get("hypervolume").asDouble();
        assertThat(Hypervolume.of(points, reference)).isCloseTo(volume, within(1e-12));
        assertThat(ParetoFront.nonDominated(points))
                .containsExactly(IntStream.range(0, c.get("nonDominated").size())
                        .map(i -> c.get("nonDominated").get(i).asInt())
                        .toArray());
        double[][] front = Golden.matrix(c.get("referenceFront"));
        double[][] found = Golden.matrix(c.get("found"));
        assertThat(Adrs.of(front, found, Adrs.Distance.EUCLIDEAN_SCALED))
                .isCloseTo(c.get("adrsEuclidean").asDouble(), within(1e-12));
        if (c.has("adrsRelative")) {
            assertThat(Adrs.of(front, found, Adrs.Distance.RELATIVE_WORST))
                    .isCloseTo(c.get("adrsRelative").asDouble(), within(1e-12));
        }

        Comparator<double[]> lexicographic = Arrays::compare;
        double[][] ours = ParetoFront.of(points);
        Arrays.sort(ours, lexicographic);
        Arrays.sort(front, lexicographic);
        assertThat(ours).isDeepEqualTo(front);

        // What the boxes leave out of a finite corner's region is the hypervolume.
        double[] corner = new double[reference.length];
        Arrays.fill(corner, -0.5);
        double all = Arrays.stream(reference).map(r -> r + 0.5).reduce(1, (a, b) -> a * b);
        assertThat(all - NonDominatedBoxes.of(points, reference).improvement(corner))
                .isCloseTo(volume, within(1e-11));
    }
}
