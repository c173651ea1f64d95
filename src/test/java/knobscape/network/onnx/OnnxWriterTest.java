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
import knobscape.network.ImportedNetwork;
import knobscape.network.Network;
import knobscape.network.NetworkBuilder;
import knobscape.network.Operator;
import knobscape.network.Shape;
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
        ImportedNetwork back = OnnxImport.read(file, ImportOptions.none());

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
        Network n = NetworkSamples.operators();
        for (String name : List.of("a.onnx", "b.onnx")) {
            OnnxWriter.write(n, folder.resolve(name), new WeightFill(WeightFill.Kind.INSIDE, 3));
        }
        OnnxWriter.write(n, folder.resolve("c.onnx"), new WeightFill(WeightFill.Kind.INSIDE, 4));

        assertThat(Files.mismatch(folder.resolve("a.onnx"), folder.resolve("b.onnx")))
                .isEqualTo(-1);
        assertThat(Files.mismatch(folder.resolve("a.onnx"), folder.resolve("c.onnx")))
                .isNotEqualTo(-1);
    }

    @Test
    void everyOperatorReadsBackTheSame() {
        OnnxWriter.write(NetworkSamples.operators(), folder.resolve("n.onnx"), WeightFill.computed());

        assertThat(OnnxImport.read(folder.resolve("n.onnx"), ImportOptions.none())
                        .network())
                .isEqualTo(NetworkSamples.operators());
    }

    @Test
    void everyOperatorHasTheShapeThatOnnxRuntimeComputes() {
        OnnxWriter.write(
                NetworkSamples.operators(), folder.resolve("n.onnx"), new WeightFill(WeightFill.Kind.INSIDE, 1));

        assertThat(Runtimes.shapes(folder.resolve("n.onnx"))).isEqualTo(shapes(NetworkSamples.operators()));
    }

    @ParameterizedTest
    @EnumSource(names = {"SQUEEZENET", "MOBILENET_V2"})
    void onnxRuntimeRunsSmallNetworksWithTheSameShapesInside(Zoo zoo) {
        runs(zoo);
    }

    @Tag("slow")
    @ParameterizedTest
    @EnumSource(
            names = {"SQUEEZENET", "MOBILENET_V2"},
            mode = EnumSource.Mode.EXCLUDE)
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
        n.nodes()
                .forEach(node -> node.outputs()
                        .forEach(o -> shapes.put(o, n.tensor(o).shape().orElseThrow())));
        return shapes;
    }

    @Test
    void whatOnnxCannotHoldIsRefused() {
        var b = new NetworkBuilder("odd", ElementType.FLOAT32);
        String y = b.add("mystery", new Operator.Opaque("Mystery", "", Map.of()), b.input("x", Shape.of(1, 3)));
        Network odd = b.output(y).build();

        assertThatThrownBy(() -> OnnxWriter.write(odd, folder.resolve("n.onnx"), WeightFill.computed()))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("'mystery'")
                .hasMessageContaining("Mystery");
        assertThatThrownBy(() -> OnnxWriter.write(
                        NetworkSamples.operators(), folder.resolve("none/n.onnx"), WeightFill.computed()))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("folder");

        var large = new NetworkBuilder("large", ElementType.FLOAT32);
        Network tooLarge = large.output(large.add(
                        "fc",
                        new Operator.MatMul(),
                        large.input("x", Shape.of(1, 40_000)),
                        large.weight("w", 40_000, 20_000)))
                .build();
        assertThatThrownBy(() ->
                        OnnxWriter.write(tooLarge, folder.resolve("n.onnx"), new WeightFill(WeightFill.Kind.INSIDE, 1)))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("2 GB");
        assertThat(folder.resolve("n.onnx")).doesNotExist();
    }
}
