package knobscape.network.onnx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import knobscape.evaluate.UserError;
import knobscape.network.ElementType;
import knobscape.network.ImportOptions;
import knobscape.network.Imported;
import knobscape.network.Network;
import knobscape.network.NetworkBuilder;
import knobscape.network.Operator;
import knobscape.network.Operator.Elementwise;
import knobscape.network.Operator.Gathering;
import knobscape.network.Operator.Unary;
import knobscape.network.Shape;
import knobscape.network.Window;
import knobscape.network.zoo.Zoo;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class OnnxWriterTest {
    @TempDir
    Path folder;

    @ParameterizedTest
    @EnumSource
    void whatIsWrittenReadsBackTheSame(Zoo zoo) {
        Network n = zoo.network(2);
        Path file = folder.resolve("n.onnx");

        OnnxWriter.write(n, file, WeightFill.computed());
        Imported back = OnnxImport.read(file, ImportOptions.none());

        assertThat(back.notes()).isEmpty();
        assertThat(back.network()).isEqualTo(n);
    }

    @Test
    void storedAndExternalWeightsReadBackTheSame() throws Exception {
        Network n = Zoo.SQUEEZENET.network(1);
        Path inside = folder.resolve("inside.onnx");
        Path beside = folder.resolve("beside.onnx");

        OnnxWriter.write(n, inside, new WeightFill(WeightFill.Kind.INSIDE, 7));
        OnnxWriter.write(n, beside, new WeightFill(WeightFill.Kind.BESIDE, 7));

        assertThat(OnnxImport.read(inside, ImportOptions.none()).network()).isEqualTo(n);
        assertThat(OnnxImport.read(beside, ImportOptions.none()).network()).isEqualTo(n);
        assertThat(Files.size(folder.resolve("beside.onnx.data"))).isEqualTo(4L * 1235496);
        assertThat(folder.toFile().list()).containsExactlyInAnyOrder("inside.onnx", "beside.onnx", "beside.onnx.data");
    }

    @Test
    void theSameSeedGivesTheSameFile() throws Exception {
        Network n = operators();
        for (String name : List.of("a.onnx", "b.onnx")) {
            OnnxWriter.write(n, folder.resolve(name), new WeightFill(WeightFill.Kind.INSIDE, 3));
        }
        OnnxWriter.write(n, folder.resolve("c.onnx"), new WeightFill(WeightFill.Kind.INSIDE, 4));

        assertThat(Files.mismatch(folder.resolve("a.onnx"), folder.resolve("b.onnx"))).isEqualTo(-1);
        assertThat(Files.mismatch(folder.resolve("a.onnx"), folder.resolve("c.onnx"))).isNotEqualTo(-1);
    }

    /// A network with every operator that can be written, once.
    static Network operators() {
        var b = new NetworkBuilder("operators", ElementType.FLOAT32);
        String x = b.input("x", Shape.of(2, 8, 13, 13));
        String y = b.add("conv", new Operator.Conv(new Window(List.of(3, 5), List.of(2, 1), List.of(0, 1), List.of(1, 2), List.of(1, 2)), 4), x, b.weight("conv.w", 12, 2, 3, 5),
                b.weight("conv.b", 12));
        y = b.add("bn", new Operator.BatchNorm(1e-5), y, b.weight("bn.s", 12), b.weight("bn.b", 12), b.weight("bn.m", 12), b.weight("bn.v", 12));
        for (Unary.Function f : Unary.Function.values()) {
            Unary u = switch (f) {
                case LEAKY_RELU -> new Unary(f, 0.1, 0);
                case ELU, CELU -> new Unary(f, 0.5, 0);
                case SELU -> new Unary(f, 1.5, 1.1);
                case HARD_SIGMOID -> new Unary(f, 0.25, 0.5);
                default -> new Unary(f);
            };
            if (f != Unary.Function.NOT && f != Unary.Function.SWISH) {
                y = b.add("unary." + f, u, y);
            }
        }
        y = b.add("clip", new Operator.Clip(Double.NEGATIVE_INFINITY, 1.25), y);
        y = b.add("prelu", new Elementwise(Elementwise.Function.PRELU), y, b.weight("prelu.w", 12, 1, 1));
        for (Elementwise.Function f : Elementwise.Function.values()) {
            if (f != Elementwise.Function.PRELU && f != Elementwise.Function.WHERE && f != Elementwise.Function.LOGICAL && f != Elementwise.Function.MOD) {
                y = b.add("elementwise." + f, new Elementwise(f), y, b.weight("elementwise.w" + f, 12, 1, 1));
            }
        }
        y = b.add("lrn", new Operator.LocalResponseNorm(5, 2e-4, 0.75, 2), y);
        y = b.add("max", new Operator.Pool(Gathering.MAX, Window.square(3, 2, 1), true, false), y);
        y = b.add("average", new Operator.Pool(Gathering.AVERAGE, Window.square(2, 1, 0), false, true), y);
        y = b.add("pad", new Operator.Pad(List.of(0L, 0L, 1L, 0L), List.of(0L, 0L, 0L, 2L), "constant", 0.5), y);
        y = b.add("up", new Operator.TransposedConv(Window.square(4, 2, 1), 1, List.of(0, 0)), y, b.weight("up.w", 12, 6, 4, 4), b.weight("up.b", 6));
        Shape s = b.shape(y);
        y = b.add("resize", new Operator.Resize("nearest", s.with(2, 8).with(3, 8)), y);
        String d = b.add("todepth", new Operator.DepthSpace(2, false, false), y);
        y = b.add("tospace", new Operator.DepthSpace(2, true, true), d);
        List<String> parts = b.add("split", new Operator.Split(1, List.of(2L, 4L)), List.of("part0", "part1"), List.of(y));
        String z = b.add("slice", new Operator.Slice(List.of(2, 3), List.of(7L, 1L), List.of(-3L, 2L), List.of(3L, 3L)), parts.getFirst());
        String w = b.add("slice2", new Operator.Slice(List.of(2, 3), List.of(0L, 0L), List.of(1L, 1L), List.of(3L, 3L)), parts.getLast());
        y = b.add("concat", new Operator.Concat(1), z, w);
        y = b.add("transpose", new Operator.Transpose(List.of(0, 2, 3, 1)), y);
        y = b.add("layernorm", new Operator.LayerNorm(3, 1e-6), y, b.weight("ln.s", 6), b.weight("ln.b", 6));
        y = b.add("softmax", new Operator.Softmax(3, false, false), y);
        y = b.add("logsoftmax", new Operator.Softmax(1, false, true), y);
        y = b.add("reduce", new Operator.Reduce("Mean", List.of(1), false), y);
        y = b.add("reshape", new Operator.Reshape(Shape.of(2, 9, 2, 1)), y);
        y = b.add("expand", new Operator.Expand(Shape.of(2, 9, 2, 3)), y);
        y = b.add("global", new Operator.GlobalPool(Gathering.MAX), y);
        y = b.add("flatten", new Operator.Flatten(1), b.add("identity", new Operator.Identity(), b.add("dropout", new Operator.Dropout(0.2), y)));
        y = b.add("gemm", new Operator.Gemm(false, false, 0.5, 1), y, b.weight("gemm.w", 9, 4), b.weight("gemm.b", 4));
        y = b.add("matmul", new Operator.MatMul(), y, b.weight("matmul.w", 4, 3));
        return b.output(b.add("cast", new Operator.Cast(ElementType.FLOAT64), y)).build();
    }

    @Test
    void everyOperatorReadsBackTheSame() {
        OnnxWriter.write(operators(), folder.resolve("n.onnx"), WeightFill.computed());

        assertThat(OnnxImport.read(folder.resolve("n.onnx"), ImportOptions.none()).network()).isEqualTo(operators());
    }

    @Test
    void everyOperatorHasTheShapeThatOnnxRuntimeComputes() {
        OnnxWriter.write(operators(), folder.resolve("n.onnx"), new WeightFill(WeightFill.Kind.INSIDE, 1));

        assertThat(Runtimes.shapes(folder.resolve("n.onnx"))).isEqualTo(shapes(operators()));
    }

    @ParameterizedTest
    @EnumSource(names = {"SQUEEZENET", "MOBILENET_V2"})
    void onnxRuntimeRunsSmallNetworksWithTheSameShapesInside(Zoo zoo) {
        runs(zoo);
    }

    @Tag("slow")
    @ParameterizedTest
    @EnumSource(names = {"SQUEEZENET", "MOBILENET_V2"}, mode = EnumSource.Mode.EXCLUDE)
    void onnxRuntimeRunsAllNetworksWithTheSameShapesInside(Zoo zoo) {
        runs(zoo);
    }

    @Test
    void onnxRuntimeRunsStoredAndExternalWeights() {
        Network n = Zoo.MNASNET.network(1);
        for (WeightFill.Kind kind : List.of(WeightFill.Kind.INSIDE, WeightFill.Kind.BESIDE)) {
            Path file = folder.resolve(kind + ".onnx");
            OnnxWriter.write(n, file, new WeightFill(kind, 11));
            float[] result = Runtimes.run(file);

            assertThat(result).hasSize(1000);
            // Random weights of the right size: neither nothing nor everything arrives at the end.
            double square = 0;
            for (float f : result) {
                square += f * f / 1000.0;
            }
            assertThat(square).isBetween(1e-4, 1e4);
        }
    }

    private void runs(Zoo zoo) {
        Network n = zoo.network(1);
        OnnxWriter.write(n, folder.resolve("n.onnx"), WeightFill.computed());

        assertThat(Runtimes.shapes(folder.resolve("n.onnx"))).isEqualTo(shapes(n));
    }

    private static Map<String, Shape> shapes(Network n) {
        var shapes = new HashMap<String, Shape>();
        n.nodes().forEach(node -> node.outputs().forEach(o -> shapes.put(o, n.tensor(o).shape().orElseThrow())));
        return shapes;
    }

    @Test
    void whatOnnxCannotHoldIsRefused() {
        var b = new NetworkBuilder("odd", ElementType.FLOAT32);
        String y = b.add("mystery", new Operator.Opaque("Mystery", "", Map.of()), b.input("x", Shape.of(1, 3)));
        Network odd = b.output(y).build();

        assertThatThrownBy(() -> OnnxWriter.write(odd, folder.resolve("n.onnx"), WeightFill.computed())).isInstanceOf(UserError.class).hasMessageContaining("'mystery'")
                .hasMessageContaining("Mystery");
        assertThatThrownBy(() -> OnnxWriter.write(operators(), folder.resolve("none/n.onnx"), WeightFill.computed())).isInstanceOf(UserError.class).hasMessageContaining("folder");

        var large = new NetworkBuilder("large", ElementType.FLOAT32);
        Network tooLarge = large.output(large.add("fc", new Operator.MatMul(), large.input("x", Shape.of(1, 40_000)), large.weight("w", 40_000, 20_000))).build();
        assertThatThrownBy(() -> OnnxWriter.write(tooLarge, folder.resolve("n.onnx"), new WeightFill(WeightFill.Kind.INSIDE, 1))).isInstanceOf(UserError.class)
                .hasMessageContaining("2 GB");
        assertThat(folder.resolve("n.onnx")).doesNotExist();
    }
}
