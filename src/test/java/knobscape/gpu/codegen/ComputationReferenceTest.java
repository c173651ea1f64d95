package knobscape.gpu.codegen;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import knobscape.gpu.space.sketch.Computation;
import knobscape.gpu.space.sketch.SketchSource;
import knobscape.gpu.space.sketch.TensorRef;
import knobscape.gpu.space.template.Epilogue;
import knobscape.network.ElementType;
import knobscape.network.Network;
import knobscape.network.NetworkBuilder;
import knobscape.network.Operator;
import knobscape.network.Shape;
import knobscape.network.subgraph.OperatorFusion;
import knobscape.network.task.Workload;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// What subgraphs compute, against PyTorch's results.
class ComputationReferenceTest {
    private static List<String> rows() throws IOException {
        try (var in = ComputationReferenceTest.class.getResourceAsStream("/gpu/computations.csv")) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(l -> !l.startsWith("#"))
                    .toList();
        }
    }

    @ParameterizedTest
    @MethodSource("rows")
    void subgraphsComputeWhatPyTorchDoes(String row) {
        String[] cells = row.split(",");
        Computation c = SketchSource.of(work(cells[0])).orElseThrow().computation(Epilogue.NONE);
        var arrays = new HashMap<String, float[]>();
        // In the order in which the nodes read them.
        List<TensorRef> inputs = c.inputs().stream()
                .sorted(Comparator.comparingInt(t -> Integer.parseInt(t.name().replaceAll("\\D", ""))))
                .toList();
        for (int i = 0; i < inputs.size(); i++) {
            TensorRef t = inputs.get(i);
            arrays.put(t.name(), values(i, (int) t.elements(), c.needsPositive()));
        }
        var reference = new ComputationReference(c, new Operands(arrays));
        int elements = Integer.parseInt(cells[1]);

        assertThat(c.output().spaceExtent()).isEqualTo(elements);
        double sum = 0;
        for (int i = 0; i < elements; i++) {
            Reference.Element e = reference.at(i);
            assertThat(e.scale()).isGreaterThanOrEqualTo(Math.abs(e.value()) * (1 - 1e-12));
            sum += e.value();
        }
        assertThat(sum).isCloseTo(Double.parseDouble(cells[2]), within(1e-9 * elements));
        for (int i = 3; i < cells.length; i++) {
            String[] at = cells[i].split("=");
            assertThat(reference.at(Integer.parseInt(at[0])).value())
                    .as("element " + at[0])
                    .isCloseTo(Double.parseDouble(at[1]), within(1e-10));
        }
    }

    private static Workload work(String name) {
        if (name.matches("\\d+")) {
            return WorkSamples.graphs().get(Integer.parseInt(name));
        }
        String[] parts = name.split(":");
        var b = new NetworkBuilder("one", ElementType.FLOAT32);
        b.output(b.add(
                "y",
                new Operator.Unary(
                        Operator.Unary.Function.valueOf(parts[0]),
                        Double.parseDouble(parts[1]),
                        Double.parseDouble(parts[2])),
                b.input("x", Shape.of(60))));
        Network n = b.build();
        return Workload.Graph.of(n, OperatorFusion.subgraphs(n).getFirst());
    }

    /// The same as in the program that made the results.
    private static float[] values(int input, int count, boolean positive) {
        float[] values = new float[count];
        for (int j = 0; j < count; j++) {
            double v = (j * 7919L + input * 104729L) % 1009 / 1009.0 + 0.25;
            values[j] = (float) ((j * 31L + input) % 3 == 0 && !positive ? -v : v);
        }
        return values;
    }
}
