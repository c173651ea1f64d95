package knobscape.fusion.source.rows;

import static org.assertj.core.api.Assertions.assertThat;

import ai.onnx.proto.OnnxMl;
import com.google.protobuf.ByteString;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import knobscape.network.ElementType;
import knobscape.network.Network;
import knobscape.network.NetworkBuilder;
import knobscape.network.Operator;
import knobscape.network.Shape;
import knobscape.network.source.NetworkSource;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Networks as rows and edges.
class RowReaderTest {
    @TempDir
    private Path folder;

    private static final long WIDTH = 32;
    private static final long INNER = 48;
    private static final long EXPERTS = 8;

    /// Each token goes through the experts that a router picks for it.
    private static Network mixture(long tokens, long picked) {
        var b = new NetworkBuilder("mixture", ElementType.FLOAT32);
        String x = b.input("x", Shape.of(1, tokens, WIDTH));
        String router = b.add("router", new Operator.MatMul(), x, b.weight("r", WIDTH, picked));
        String up = b.add("pick up", new Operator.Gather(0), b.weight("u", EXPERTS, WIDTH, INNER), router);
        String down = b.add("pick down", new Operator.Gather(0), b.weight("d", EXPERTS, INNER, WIDTH), router);
        String rows = b.add("rows", new Operator.Reshape(Shape.of(1, tokens, 1, 1, WIDTH)), x);
        String inner = b.add("up", new Operator.MatMul(), rows, up);
        return b.output(b.add("down", new Operator.MatMul(), inner, down)).build();
    }

    @ParameterizedTest
    @CsvSource({"64, 2, 8", "1, 2, 2", "3, 2, 6", "1, 1, 1"})
    void onlyExpertsThatCanBeActiveCount(long tokens, long picked, long active) {
        RowReader.Rows rows = RowReader.of(mixture(tokens, picked));
        List<RowNode> layers =
                rows.graph().nodes().stream().skip(rows.graph().inputs()).toList();
        assertThat(layers).extracting(RowNode::name).containsExactly("router", "up", "down");
        assertThat(rows.graph().inputs()).isEqualTo(1);
        for (RowNode n : layers.subList(1, 3)) {
            assertThat(n.work().weights()).isEqualTo(active * WIDTH * INNER);
            assertThat(n.work().macs()).isEqualTo(tokens * picked * WIDTH * INNER);
            assertThat(n.rows()).isEqualTo((int) tokens);
        }
        assertThat(rows.notes()).anyMatch(n -> n.contains("of 8 at most " + active + " are active"));
    }

    /// Mixtures of experts in one operator of ONNX Runtime; whole numbers of four bits lie two in a byte.
    @ParameterizedTest
    @CsvSource({"MoE, 64, 2, 8, 1", "MoE, 1, 2, 2, 1", "QMoE, 64, 2, 8, 2", "QMoE, 3, 1, 3, 2"})
    void onlyExpertsThatCanBeActiveCountInOneOperator(String type, long tokens, long picked, long active, long packed)
            throws IOException {
        var moe = OnnxMl.NodeProto.newBuilder()
                .setOpType(type)
                .setDomain("com.microsoft")
                .setName("moe")
                .addAttribute(OnnxMl.AttributeProto.newBuilder()
                        .setName("k")
                        .setType(OnnxMl.AttributeProto.AttributeType.INT)
                        .setI(picked))
                .addInput("x")
                .addInput("router")
                .addInput("up")
                .addInput(packed > 1 ? "scales" : "")
                .addInput(packed > 1 ? "" : "down");
        if (packed > 1) {
            moe.addInput("down").addInput("scales");
        }
        var graph = OnnxMl.GraphProto.newBuilder()
                .setName("mixture")
                .addNode(moe.addOutput("y"))
                .addNode(OnnxMl.NodeProto.newBuilder()
                        .setOpType("MatMul")
                        .setName("after")
                        .addInput("y")
                        .addInput("w")
                        .addOutput("z"))
                .addInput(tensor("x", tokens, WIDTH))
                .addInput(tensor("router", tokens, EXPERTS))
                .addInitializer(weights("up", packed > 1 ? 2 : 1, EXPERTS, INNER, WIDTH / packed))
                .addInitializer(weights("down", packed > 1 ? 2 : 1, EXPERTS, WIDTH, INNER / packed))
                .addInitializer(weights("scales", 1, EXPERTS, INNER))
                .addInitializer(weights("w", 1, WIDTH, WIDTH))
                .addOutput(tensor("z", tokens, WIDTH));
        Path file = Files.write(
                folder.resolve("moe.onnx"),
                OnnxMl.ModelProto.newBuilder()
                        .setIrVersion(8)
                        .addOpsetImport(OnnxMl.OperatorSetIdProto.newBuilder().setVersion(17))
                        .addOpsetImport(OnnxMl.OperatorSetIdProto.newBuilder()
                                .setDomain("com.microsoft")
                                .setVersion(1))
                        .setGraph(graph)
                        .build()
                        .toByteArray());
        RowReader.Rows rows =
                RowReader.of(NetworkSource.read(file.toString(), 1, Map.of()).network());
        List<RowNode> layers =
                rows.graph().nodes().stream().skip(rows.graph().inputs()).toList();
        assertThat(layers).extracting(RowNode::name).containsExactly("moe", "after");
        assertThat(layers.getFirst().rows()).isEqualTo((int) tokens);
        assertThat(layers.getFirst().work().weights()).isEqualTo(active * 2 * WIDTH * INNER);
        assertThat(layers.getFirst().work().macs()).isEqualTo(tokens * picked * 2 * WIDTH * INNER);
        assertThat(rows.notes()).anyMatch(n -> n.contains("of 8 at most " + active + " are active"));
    }

    private static OnnxMl.ValueInfoProto tensor(String name, long... extents) {
        var shape = OnnxMl.TensorShapeProto.newBuilder();
        for (long e : extents) {
            shape.addDim(OnnxMl.TensorShapeProto.Dimension.newBuilder().setDimValue(e));
        }
        return OnnxMl.ValueInfoProto.newBuilder()
                .setName(name)
                .setType(OnnxMl.TypeProto.newBuilder()
                        .setTensorType(OnnxMl.TypeProto.Tensor.newBuilder()
                                .setElemType(1)
                                .setShape(shape)))
                .build();
    }

    /// @param type 1 for floats, 2 for bytes
    private static OnnxMl.TensorProto weights(String name, int type, long... extents) {
        var t = OnnxMl.TensorProto.newBuilder().setName(name).setDataType(type);
        long size = type == 1 ? 4 : 1;
        for (long e : extents) {
            t.addDims(e);
            size *= e;
        }
        return t.setRawData(ByteString.copyFrom(new byte[(int) size])).build();
    }
}
