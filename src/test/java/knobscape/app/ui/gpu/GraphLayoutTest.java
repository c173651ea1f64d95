package knobscape.app.ui.gpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GraphLayoutTest {
    /// Every layer of a drawn graph stands around the middle, one box beside the next, and what is read stands above.
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void layersStandAroundTheMiddle(long seed) {
        var random = new SplittableRandom(seed);
        List<Integer> nodes = IntStream.range(0, 24).boxed().toList();
        var edges = new ArrayList<int[]>();
        for (int to : nodes) {
            for (int from = 0; from < to; from++) {
                if (random.nextInt(10) == 0) {
                    edges.add(new int[] {from, to});
                }
            }
        }
        GraphLayout<Integer> drawn = GraphLayout.of(nodes, edges);
        assertThat(drawn.edges()).allMatch(e -> drawn.layer()[e[0]] < drawn.layer()[e[1]]);
        double widest = 0;
        for (int layer = 0; layer < drawn.depth(); layer++) {
            int of = layer;
            double[] x = nodes.stream()
                    .filter(n -> drawn.layer()[n] == of)
                    .mapToDouble(n -> drawn.x()[n])
                    .sorted()
                    .toArray();
            assertThat(x[0] + x[x.length - 1]).as("middle of layer %d", layer).isCloseTo(0, within(1e-12));
            for (int k = 1; k < x.length; k++) {
                assertThat(x[k] - x[k - 1]).isCloseTo(1, within(1e-12));
            }
            widest = Math.max(widest, x.length / 2.0);
        }
        assertThat(drawn.halfWidth()).isEqualTo(widest);
    }
}
