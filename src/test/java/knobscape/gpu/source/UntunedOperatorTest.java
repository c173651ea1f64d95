package knobscape.gpu.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.assertj.core.api.Assertions.within;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import knobscape.gpu.space.sketch.SketchSource;
import knobscape.network.Arithmetic;
import knobscape.network.ElementType;
import knobscape.network.Network;
import knobscape.network.NetworkBuilder;
import knobscape.network.Operator;
import knobscape.network.Shape;
import knobscape.network.Window;
import knobscape.network.subgraph.OperatorFusion;
import knobscape.network.subgraph.Subgraph;
import knobscape.network.task.TuningTasks;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class UntunedOperatorTest {
    private static List<UntunedOperator> of(Network n) {
        return UntunedOperator.of(n, OperatorFusion.subgraphs(n), TuningTasks.of(n), false);
    }

    /// FLOP by hand: the plain convolution 2 * 8 * 256 * 8, the grouped one a fourth of 2 * 8 * 256 * 8 * 9, the
    /// transposed one 2 * 8 * 256 * 8 * 4.
    @Test
    void sharesAreOfAllThatIsDone() {
        var b = new NetworkBuilder("odd", ElementType.FLOAT32);
        String x = b.input("x", Shape.of(1, 8, 16, 16));
        String y = b.add("plain", new Operator.Conv(Window.square(1, 1, 0), 1), x, b.weight("w0", 8, 8, 1, 1));
        y = b.add("grouped", new Operator.Conv(Window.square(3, 1, 1), 4), y, b.weight("w1", 8, 2, 3, 3));
        y = b.add(
                "up",
                new Operator.TransposedConv(Window.square(2, 2, 0), 1, List.of(0, 0)),
                y,
                b.weight("w2", 8, 8, 2, 2));
        b.output(y);
        List<UntunedOperator> found = of(b.build());
        double all = 32768 + 73728 + 131072;

        assertThat(found).extracting(UntunedOperator::node).containsExactly("up");
        assertThat(found.getLast().share()).isCloseTo(131072 / all, within(1e-12));
        assertThat(UntunedOperator.sentences(found))
                .containsExactly(
                        "Not tuned: 1 transposed convolution with 55.2 % of the network's FLOP ('up'): there is no"
                                + " template for transposed convolutions.");
    }

    private static TunableNetwork read(String name) throws Exception {
        Path file = Path.of(UntunedOperatorTest.class
                .getResource("/knobscape/gpu/networks/" + name + ".onnx")
                .toURI());
        return TunableNetwork.read(file.toString(), 1, Map.of(), TunableNetwork.Ways.FIRST, true);
    }

    /// A file with 8-bit integers around its convolutions: what has no kernel on integers is named, with its share.
    @Test
    void workInIntegersIsNamed() throws Exception {
        TunableNetwork n = read("unet_qdq");

        assertThat(n.untuned().stream().filter(u -> u.share() > 0))
                .extracting(UntunedOperator::node)
                .containsExactly("conv0", "up");
        assertThat(n.notes())
                .anySatisfy(t -> assertThat(t)
                        .startsWith("Not tuned: 1 convolution with 13.3 % of the network's FLOP ('conv0')")
                        .endsWith("what is tuned is the same work in 32-bit floats."));
        assertThat(n.kernels()).extracting(NetworkKernel::isOfIntegers).containsExactly(false, true, false);
    }

    /// A network quantised by ONNX Runtime, in both of its formats: layers with a multiple of four inputs are tuned on
    /// integers, the rounding of their results included; the others are named.
    @ParameterizedTest
    @ValueSource(strings = {"small_qdq", "small_qlinear"})
    void layersOfIntegersAreTunedOnIntegers(String name) throws Exception {
        TunableNetwork n = read(name);

        assertThat(n.kernels().stream().filter(NetworkKernel::isOfIntegers))
                .extracting(
                        NetworkKernel::work,
                        k -> k.tails().getFirst().epilogue().quantize().isPresent())
                .containsExactly(
                        tuple("conv2d_1x16x16x16_k32_3x3_s1_p1_uint8", true),
                        tuple("conv2d_1x32x16x16_k16_1x1_s1_p0_uint8", true),
                        tuple("dense_1x10x16_uint8", false));
        assertThat(n.untuned().stream().filter(u -> u.share() > 0))
                .extracting(u -> u.node().replace("_quant", ""))
                .containsExactly("conv0", "dw");
        assertThat(n.notes().getFirst()).contains("in 8-bit integers, for which there is no kernel of its kind");
    }

    @Test
    void halfPrecisionIsReadAndSaid() throws Exception {
        TunableNetwork n = read("half");

        assertThat(n.kernels()).hasSize(2);
        assertThat(n.untuned()).isEmpty();
        assertThat(n.notes()).anySatisfy(t -> assertThat(t).startsWith("The network computes in 16-bit floats; "));
    }

    /// Convolutions over three axes, in groups and transposed, are all tuned: nothing is left.
    @Test
    void whatTemplatesLackSketchesCompute() throws Exception {
        TunableNetwork n = read("volume");

        assertThat(n.untuned()).isEmpty();
        assertThat(n.kernels()).extracting(k -> k.source().orElseThrow().name()).containsOnly(SketchSource.NAME);
        assertThat(n.kernels().stream().mapToLong(k -> k.flops()).sum())
                .isGreaterThanOrEqualTo(2 * Arithmetic.macs(n.graph().orElseThrow()));
    }

    /// Recurrent layers by their definition: four (LSTM), three (GRU) products of input and state for every step,
    /// sample
    /// and direction.
    @Test
    void recurrentLayersAreCounted() {
        var b = new NetworkBuilder("recurrent", ElementType.FLOAT32);
        String x = b.input("x", Shape.of(10, 2, 12));
        b.output(b.add(
                "lstm",
                new Operator.Opaque("LSTM", "", Map.of()),
                x,
                b.weight("w", 2, 64, 12),
                b.weight("r", 2, 64, 16)));
        b.output(b.add(
                "gru",
                new Operator.Opaque("GRU", "", Map.of()),
                x,
                b.weight("w1", 1, 24, 12),
                b.weight("r1", 1, 24, 8)));
        List<UntunedOperator> found = of(b.build());

        assertThat(found.getFirst().flops()).hasValue(2 * 10 * 2 * 2 * 4 * 16 * (12 + 16));
        assertThat(found.getLast().flops()).hasValue(2 * 10 * 2 * 3 * 8 * (12 + 8));
        assertThat(UntunedOperator.sentences(found)).noneMatch(t -> t.contains("not known"));
    }

    @Test
    void operatorsWithoutMeaningAreNamedToo() {
        var b = new NetworkBuilder("quantised", ElementType.FLOAT32);
        String x = b.input("x", Shape.of(1, 8, 16, 16));
        b.output(b.add("plain", new Operator.Conv(Window.square(1, 1, 0), 1), x, b.weight("w0", 8, 8, 1, 1)));
        String w = b.weight("w1", 8, 8, 3, 3);
        String s = b.weight("s", 1);
        for (int i : IntStream.range(0, 3).toArray()) {
            b.output(b.add("q" + i, new Operator.Opaque("QLinearConv", "", Map.of()), x, s, s, w));
        }
        b.output(b.add(
                "choice",
                new Operator.Opaque("If", "", Map.of("then_branch", Operator.Opaque.GRAPH + "2 Conv, Relu")),
                x));
        List<UntunedOperator> found = of(b.build());

        assertThat(found).extracting(UntunedOperator::node).containsExactly("q0", "q1", "q2", "choice");
        assertThat(found.getLast().flops()).isEmpty();
        assertThat(UntunedOperator.sentences(found))
                .anySatisfy(t -> assertThat(t).contains("1 If (then_branch: 2 Conv, Relu)", "not known", "'choice'"))
                .anySatisfy(t -> assertThat(t).contains("3 QLinearConvs", "('q0', 'q1', 'q2')"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"resnet18", "squeezenet_v1.1", "inception_v3", "mobilenet_v2"})
    void sketchesLeaveNothingOfABuiltInNetwork(String name) {
        TunableNetwork n = TunableNetwork.read("zoo:" + name, 1, Map.of(), TunableNetwork.Ways.SKETCHES, true);
        List<Subgraph> tuned =
                n.kernels().stream().flatMap(k -> k.places().stream()).toList();

        assertThat(n.untuned()).isEmpty();
        assertThat(n.subgraphs().stream().filter(s -> s.kind() != Subgraph.Kind.VIEW))
                .allSatisfy(s -> assertThat(tuned).contains(s));
    }

    /// What only picks elements is named, with no operations.
    @Test
    void whatNoSketchComputesIsNamed() {
        var b = new NetworkBuilder("odd", ElementType.FLOAT32);
        String x = b.input("x", Shape.of(1, 8, 16, 16));
        String y = b.add("conv", new Operator.Conv(Window.square(1, 1, 0), 1), x, b.weight("w", 8, 8, 1, 1));
        y = b.add("resize", new Operator.Resize("nearest", Shape.of(1, 8, 32, 32)), y);
        b.output(b.add(
                "up",
                new Operator.TransposedConv(Window.square(2, 2, 0), 2, List.of(0, 0)),
                y,
                b.weight("w2", 8, 4, 2, 2)));
        Network n = b.build();
        List<Subgraph> subgraphs = OperatorFusion.subgraphs(n);
        TuningTasks tasks = TunableNetwork.ofSketches(n, subgraphs);
        List<UntunedOperator> left = UntunedOperator.of(n, subgraphs, tasks, true);

        assertThat(tasks.tasks()).hasSize(2);
        assertThat(left).extracting(UntunedOperator::node).containsExactly("resize");
        assertThat(left.getFirst().flops()).hasValue(0);
    }
}
