package knobscape.network.onnx;

import ai.onnx.proto.OnnxMl;
import com.google.protobuf.ByteString;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// A small network whose file leaves extents open.
public final class OpenNetwork {
    private OpenNetwork() {}

    /// Writes two convolutions of 3 and 8 channels on pictures of `height` times `width`.
    public static Path write(Path file) throws IOException {
        var shape = OnnxMl.TensorShapeProto.newBuilder();
        for (String name : List.of("N", "", "height", "width")) {
            shape.addDim(
                    name.isEmpty()
                            ? OnnxMl.TensorShapeProto.Dimension.newBuilder().setDimValue(3)
                            : OnnxMl.TensorShapeProto.Dimension.newBuilder().setDimParam(name));
        }
        var type = OnnxMl.TypeProto.newBuilder()
                .setTensorType(
                        OnnxMl.TypeProto.Tensor.newBuilder().setElemType(1).setShape(shape));
        var graph = OnnxMl.GraphProto.newBuilder()
                .setName("open")
                .addNode(convolution("first", "x", "w", "t"))
                .addNode(convolution("second", "t", "v", "y"))
                .addInitializer(weights("w", 8, 3))
                .addInitializer(weights("v", 8, 8))
                .addInput(OnnxMl.ValueInfoProto.newBuilder().setName("x").setType(type))
                .addOutput(OnnxMl.ValueInfoProto.newBuilder().setName("y"));
        return write(file, graph);
    }

    /// Writes a graph as a model of operator set 13.
    static Path write(Path file, OnnxMl.GraphProto.Builder graph) throws IOException {
        return Files.write(
                file,
                OnnxMl.ModelProto.newBuilder()
                        .setIrVersion(7)
                        .addOpsetImport(OnnxMl.OperatorSetIdProto.newBuilder().setVersion(13))
                        .setGraph(graph)
                        .build()
                        .toByteArray());
    }

    private static OnnxMl.NodeProto convolution(String name, String input, String weights, String output) {
        return OnnxMl.NodeProto.newBuilder()
                .setOpType("Conv")
                .setName(name)
                .addInput(input)
                .addInput(weights)
                .addOutput(output)
                .build();
    }

    private static OnnxMl.TensorProto weights(String name, long filters, long channels) {
        return OnnxMl.TensorProto.newBuilder()
                .setName(name)
                .setDataType(1)
                .addAllDims(List.of(filters, channels, 3L, 3L))
                .setRawData(ByteString.copyFrom(new byte[(int) (4 * filters * channels * 9)]))
                .build();
    }
}
