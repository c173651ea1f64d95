package knobscape.surrogate.graph;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import knobscape.surrogate.graph.GraphArchitecture.Convolution;
import knobscape.surrogate.graph.NodeGraph.Edge;
import knobscape.surrogate.neural.TorchRuntime;
import org.bytedeco.pytorch.global.torch;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// Outputs, losses and gradients of all shapes equal those of an implementation in PyTorch
/// (`golden/surrogate/make_graph_attention.py`), which goes node by node and takes its gradients by its own
/// autograd.
class GraphNetworkGoldenTest {
    private static final double TOLERANCE = 1e-6;
    private static final int[] OF = {0, 2, 1, 0, 2, 2, 0};
    private static final List<List<Edge>> EDGES = List.of(
            List.of(new Edge(0, 1), new Edge(1, 2)),
            List.of(),
            List.of(new Edge(0, 2), new Edge(1, 2), new Edge(2, 3), new Edge(3, 4), new Edge(0, 4)));
    private static final int[] NODES = {3, 1, 5};

    /// The generator that both sides draw from.
    private static final class Draws {
        private long state = 42;

        double[] values(int n, double scale) {
            double[] all = new double[n];
            for (int i = 0; i < n; i++) {
                state = (state * 1103515245L + 12345) % (1L << 31);
                all[i] = ((double) state / (1L << 31) - 0.5) * scale;
            }
            return all;
        }
    }

    static Stream<JsonNode> cases() throws IOException {
        try (InputStream in =
                GraphNetworkGoldenTest.class.getResourceAsStream("/golden/surrogate/graph_attention.json")) {
            return StreamSupport.stream(
                    JsonMapper.shared().readTree(in.readAllBytes()).get("cases").spliterator(), false);
        }
    }

    @ParameterizedTest
    @MethodSource("cases")
    void agreesWithPyTorch(JsonNode golden) {
        assumeThat(TorchRuntime.problem()).as("LibTorch").isEmpty();
        var architecture = new GraphArchitecture(
                Convolution.of(golden.get("convolution").asString()),
                golden.get("attention").booleanValue());
        var draws = new Draws();
        NodeGraph[] graphs = new NodeGraph[NODES.length];
        for (int g = 0; g < graphs.length; g++) {
            graphs[g] = new NodeGraph(
                    cut(draws.values(NODES[g] * GraphArchitecture.NODE, 2), GraphArchitecture.NODE), EDGES.get(g));
        }
        double[][] statistics =
                cut(draws.values(OF.length * GraphArchitecture.STATISTICS, 4), GraphArchitecture.STATISTICS);
        var rows = new GraphRows(List.of(graphs), OF, floats(statistics), draws.values(OF.length, 6));
        double[] weights = new double[architecture.size()];
        int at = 0;
        for (GraphArchitecture.Parameter p : architecture.parameters()) {
            double[] values = draws.values(p.size(), p.rows() > 0 ? 4 / Math.sqrt(p.rows()) : 0.2);
            System.arraycopy(values, 0, weights, at, values.length);
            at += values.length;
        }
        var network = new GraphNetwork(architecture, torch.ScalarType.Double);
        double[] gradient = new double[weights.length];
        double loss = network.loss(
                weights,
                rows,
                golden.get("loss").asString().equals("rank") ? GraphNetwork.Loss.RANK : GraphNetwork.Loss.SQUARE,
                gradient);

        assertThat(loss).isCloseTo(golden.get("value").doubleValue(), within(TOLERANCE));
        double[] outputs = network.outputs(weights, rows).output();
        assertThat(outputs).hasSize(OF.length);
        for (int i = 0; i < outputs.length; i++) {
            assertThat(outputs[i]).isCloseTo(golden.get("outputs").get(i).doubleValue(), within(TOLERANCE));
        }
        at = 0;
        for (GraphArchitecture.Parameter p : architecture.parameters()) {
            double[] g = Arrays.copyOfRange(gradient, at, at + p.size());
            at += p.size();
            JsonNode expected = golden.get("gradients").get(p.name());
            int step = Math.max(1, g.length / 13);
            double[] told = new double[expected.size()];
            told[0] = Arrays.stream(g).sum();
            told[1] = Math.sqrt(Arrays.stream(g).map(v -> v * v).sum());
            for (int i = 2; i < told.length; i++) {
                told[i] = g[(i - 2) * step];
            }
            for (int i = 0; i < told.length; i++) {
                double e = expected.get(i).doubleValue();
                assertThat(told[i]).as(p.name() + " " + i).isCloseTo(e, within(TOLERANCE * Math.max(1, Math.abs(e))));
            }
        }
    }

    private static double[][] cut(double[] all, int width) {
        double[][] rows = new double[all.length / width][];
        Arrays.setAll(rows, i -> Arrays.copyOfRange(all, i * width, (i + 1) * width));
        return rows;
    }

    private static float[][] floats(double[][] rows) {
        return Arrays.stream(rows)
                .map(r -> {
                    float[] f = new float[r.length];
                    for (int j = 0; j < f.length; j++) {
                        f[j] = (float) r[j];
                    }
                    return f;
                })
                .toArray(float[][]::new);
    }
}
