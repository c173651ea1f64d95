package knobscape.surrogate.deepgp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.StreamSupport;
import knobscape.surrogate.neural.TorchRuntime;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.Tensor;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// Against GPyTorch and an independent NumPy implementation (shared golden values); both forms of jitter.
@SuppressWarnings("try")
class DeepGpGoldenTest {
    private static final double TOLERANCE = 1e-6;

    @BeforeEach
    void torchIsThere() {
        assumeThat(TorchRuntime.problem()).as("LibTorch").isEmpty();
    }

    private static JsonNode golden(String name) throws Exception {
        Path file = Path.of(System.getProperty("knobscape.shared", "../shared"), "data/golden/deep-gp", name + ".json");
        assumeThat(Files.isRegularFile(file)).as(file + " is there").isTrue();
        return JsonMapper.shared().readTree(Files.readString(file));
    }

    private static double[] flat(JsonNode n) {
        return n.isArray()
                ? StreamSupport.stream(n.spliterator(), false)
                        .flatMapToDouble(c -> Arrays.stream(flat(c)))
                        .toArray()
                : new double[] {n.doubleValue()};
    }

    private static DeepGpParameters parameters(JsonNode inputs) {
        var layers = new ArrayList<DeepGpParameters.Layer>();
        int count = inputs.get("layers").size();
        for (int l = 0; l < count; l++) {
            JsonNode g = inputs.get("layers").get(l);
            layers.add(new DeepGpParameters.Layer(
                    g.get("Z").get(0).size(),
                    g.get("m").size(),
                    g.get("Z").size(),
                    flat(g.get("Z")),
                    Arrays.stream(flat(g.get("ls"))).map(Math::log).toArray(),
                    Arrays.stream(flat(g.get("var"))).map(Math::log).toArray(),
                    flat(g.get("m")),
                    flat(g.get("S")),
                    l < count - 1 ? flat(inputs.get("W")) : new double[0]));
        }
        return new DeepGpParameters(layers, Math.log(inputs.get("noise").doubleValue()));
    }

    private static Tensor rows(JsonNode table) {
        return DeepGpGraph.doubles(flat(table), table.size(), table.get(0).size());
    }

    private static List<List<Tensor>> samples(DeepGpGraph graph, JsonNode eps) {
        return StreamSupport.stream(eps.spliterator(), false)
                .limit(graph.depth() == 1 ? 1 : Long.MAX_VALUE)
                .map(e -> graph.depth() == 1 ? List.<Tensor>of() : List.of(rows(e)))
                .toList();
    }

    @ParameterizedTest
    @ValueSource(strings = {"dgp2_shared_kernel", "dgp2_kernel_per_output", "dgp2_wide", "svgp1"})
    void boundAndMomentsInBothFormsOfJitter(String name) throws Exception {
        JsonNode golden = golden(name);
        for (DeepGpGraph.Jitter jitter : DeepGpGraph.Jitter.values()) {
            JsonNode expected = golden.get(
                    jitter == DeepGpGraph.Jitter.POINTS_TOO
                            ? "expected_gpytorch"
                            : "expected_numpy_without_point_jitter");
            try (PointerScope scope = new PointerScope()) {
                JsonNode in = golden.get("inputs");
                var graph = new DeepGpGraph(parameters(in), jitter);
                double[] y = flat(in.get("y"));
                Tensor bound = graph.bound(
                        rows(in.get("X")), DeepGpGraph.doubles(y, y.length, 1), samples(graph, in.get("eps")), 1);
                assertThat(bound.item_double()).isCloseTo(expected.get("elbo").doubleValue(), within(TOLERANCE));
                for (int l = 0; l < graph.depth(); l++) {
                    assertThat(graph.divergence(l).item_double())
                            .isCloseTo(expected.get("kl_per_layer").get(l).doubleValue(), within(TOLERANCE));
                }
                List<List<Tensor>> tests = samples(graph, in.get("eps_s"));
                for (int s = 0; s < tests.size(); s++) {
                    DeepGpGraph.Moments m = graph.forward(rows(in.get("Xs")), tests.get(s));
                    close(m.mean(), expected.get("test_mean_per_sample").get(s));
                    close(m.variance(), expected.get("test_var_per_sample").get(s));
                }
                if (graph.depth() > 1) {
                    DeepGpGraph.Moments hidden = graph.layer(0, rows(in.get("Xs")));
                    close(hidden.mean(), expected.get("hidden_mean_test"));
                    close(hidden.variance(), expected.get("hidden_var_test"));
                }
            }
        }
    }

    private static void close(Tensor found, JsonNode expected) {
        assertThat(DeepGpGraph.read(found)).containsExactly(flat(expected), within(TOLERANCE));
    }

    @ParameterizedTest
    @ValueSource(strings = {"dgp2_shared_kernel", "dgp2_kernel_per_output", "dgp2_wide", "svgp1"})
    void gradientsOfTheBound(String name) throws Exception {
        JsonNode golden = golden(name);
        JsonNode expected = golden.get("gradients_of_elbo_without_point_jitter").get("autograd_plain_torch");
        try (PointerScope scope = new PointerScope()) {
            JsonNode in = golden.get("inputs");
            DeepGpParameters p = parameters(in);
            var graph = new DeepGpGraph(p, DeepGpGraph.Jitter.INDUCING_ONLY);
            graph.free().forEach(t -> t.set_requires_grad(true));
            double[] y = flat(in.get("y"));
            graph.bound(rows(in.get("X")), DeepGpGraph.doubles(y, y.length, 1), samples(graph, in.get("eps")), 1)
                    .backward();
            List<String> kinds = List.of("Z", "log_ls", "log_var", "m", "S");
            int checked = 0;
            for (var e : expected.properties()) {
                String key = e.getKey();
                Tensor gradient;
                int index = 0;
                if (key.equals("log_noise")) {
                    gradient = graph.free().getLast().grad();
                } else {
                    int layer = key.charAt("layer".length()) - '0';
                    int kind = kinds.indexOf(key.substring(key.indexOf('.') + 1, key.indexOf('[')));
                    gradient = graph.free().get(layer * kinds.size() + kind).grad();
                    long[] shape = gradient.sizes().vec().get();
                    String[] at = key.substring(key.indexOf('[') + 1, key.indexOf(']'))
                            .split(",");
                    for (int i = 0; i < at.length; i++) {
                        index = (int) (index * shape[i] + Integer.parseInt(at[i]));
                    }
                }
                assertThat(DeepGpGraph.read(gradient)[index])
                        .as(key)
                        .isCloseTo(
                                e.getValue().doubleValue(),
                                within(TOLERANCE
                                        * Math.max(1, Math.abs(e.getValue().doubleValue()))));
                checked++;
            }
            assertThat(checked).isGreaterThan(5);
        }
    }

    /// One layer with the rows as inducing inputs and the best variational distribution is the exact process.
    @Test
    void oneLayerMeetsTheExactProcess() throws Exception {
        JsonNode golden = golden("svgp_exact_limit");
        JsonNode in = golden.get("inputs");
        JsonNode expected = golden.get("expected");
        try (PointerScope scope = new PointerScope()) {
            int n = in.get("X").size();
            var p = new DeepGpParameters(
                    List.of(new DeepGpParameters.Layer(
                            in.get("X").get(0).size(),
                            1,
                            n,
                            flat(in.get("X")),
                            Arrays.stream(flat(in.get("ls"))).map(Math::log).toArray(),
                            new double[] {Math.log(in.get("var").doubleValue())},
                            flat(in.get("m")),
                            flat(in.get("S")),
                            new double[0])),
                    Math.log(in.get("noise").doubleValue()));
            var graph = new DeepGpGraph(p, DeepGpGraph.Jitter.INDUCING_ONLY);
            double bound = graph.bound(
                            rows(in.get("X")), DeepGpGraph.doubles(flat(in.get("y")), n, 1), List.of(List.of()), 1)
                    .item_double();
            assertThat(bound)
                    .isCloseTo(expected.get("elbo_numpy_no_point_jitter").doubleValue(), within(TOLERANCE))
                    .isCloseTo(expected.get("exact_log_marginal_numpy").doubleValue(), within(1e-3));
            close(graph.lastMean(rows(in.get("Xs"))), expected.get("svgp_mean"));
        }
    }
}
