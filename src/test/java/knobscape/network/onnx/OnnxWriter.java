package knobscape.network.onnx;

import ai.onnx.proto.OnnxMl;
import com.google.protobuf.ByteString;
import com.google.protobuf.CodedOutputStream;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import knobscape.evaluate.UserError;
import knobscape.network.ElementType;
import knobscape.network.Network;
import knobscape.network.Node;
import knobscape.network.Operator;
import knobscape.network.Shape;
import knobscape.network.Tensor;
import knobscape.network.Wiring;

/// Writes a network as an ONNX file, with weights that are not trained (see [WeightFill]). Large weights are
/// streamed, never held in memory.
public final class OnnxWriter {
    private static final int IR_VERSION = 9;

    private final Network network;
    private final WeightFill fill;
    private final Map<String, Scale> scales = new HashMap<>();
    private final Wiring wiring;

    /// How large the values of a weight are: uniform random numbers of standard deviation `deviation` around
    /// `mean`; `level` where one number has to do.
    private record Scale(double mean, double deviation, double level) {
        static final Scale ZERO = new Scale(0, 0, 0);
        static final Scale ONE = new Scale(1, 0, 1);
    }

    private OnnxWriter(Network network, WeightFill fill) {
        this.network = network;
        this.fill = fill;
        this.wiring = Wiring.of(network);
        network.nodes().forEach(this::scales);
    }

    /// Writes the file (and, for [WeightFill.Kind#BESIDE], `NAME.onnx.data` beside it); an existing file is
    /// replaced.
    ///
    /// Throws [UserError] where the network has opaque nodes, weights of unusual types, more than 2 GB of
    /// weights to be stored inside, or the file cannot be written.
    public static void write(Network network, Path file, WeightFill fill) {
        Path target = file.toAbsolutePath();
        if (Files.isDirectory(target) || target.getParent() == null || !Files.isDirectory(target.getParent())) {
            throw new UserError("Cannot write '" + file + "': "
                    + (Files.isDirectory(target) ? "it is a folder; name a file." : "there is no such folder."));
        }
        try {
            new OnnxWriter(network, fill).write(target);
        } catch (IOException e) {
            throw new UserError("Cannot write '" + file + "': " + e.getMessage() + ".", e);
        }
    }

    /// Values that keep activations of one size from layer to layer (He et al., "Delving deep into rectifiers",
    /// 2015, equation 10).
    private void scales(Node node) {
        List<String> in = node.inputs();
        switch (node.operator()) {
            case Operator.Conv _, Operator.Gemm _, Operator.MatMul _, Operator.TransposedConv _ -> {
                for (int i = 1; i < in.size(); i++) {
                    Shape s = network.tensors().containsKey(in.get(i))
                            ? network.tensor(in.get(i)).shape().orElse(Shape.of())
                            : Shape.of();
                    double summands = i > 1
                            ? 0
                            : (node.operator() instanceof Operator.Gemm g && !g.transposeB())
                                            || node.operator() instanceof Operator.MatMul
                                    ? s.dim(-s.rank())
                                    : s.product(1, s.rank());
                    scales.putIfAbsent(
                            in.get(i),
                            i > 1
                                    ? Scale.ZERO
                                    : new Scale(0, Math.sqrt((rectified(node) ? 2 : 1) / summands), 1 / summands));
                }
            }
            case Operator.BatchNorm _, Operator.LayerNorm _ -> {
                for (int i = 1; i < in.size(); i++) {
                    scales.putIfAbsent(in.get(i), i == 1 || i == 4 ? Scale.ONE : Scale.ZERO);
                }
            }
            default -> in.forEach(name -> scales.putIfAbsent(name, Scale.ONE));
        }
    }

    /// Whether half of what a node makes is cut away behind it, batch normalisation apart.
    private boolean rectified(Node node) {
        return wiring.onlyConsumer(node.output())
                .map(next -> switch (next.operator()) {
                    case Operator.BatchNorm _ -> rectified(next);
                    case Operator.Unary u -> u.function() == Operator.Unary.Function.RELU;
                    case Operator.Clip c -> c.min() == 0;
                    default -> false;
                })
                .orElse(false);
    }

    private void write(Path file) throws IOException {
        var graph = OnnxMl.GraphProto.newBuilder().setName(network.name());
        List<Tensor> weights =
                network.tensors().values().stream().filter(Tensor::isWeight).toList();
        var stored = new ArrayList<Tensor>();
        for (Tensor w : weights) {
            if (w.shape().isEmpty()) {
                throw new UserError(
                        "The network cannot be written as ONNX: the shape of weight '" + w.name() + "' is not known.");
            }
            if (fill.kind() == WeightFill.Kind.COMPUTED && w.type().isFloating()) {
                compute(graph, w);
            } else {
                stored.add(w);
            }
        }
        var nodes = new OnnxNodes(network, graph);
        network.nodes().forEach(nodes::add);
        network.inputs().forEach(i -> graph.addInput(OnnxNodes.info(network.tensor(i))));
        network.outputs().forEach(o -> graph.addOutput(OnnxNodes.info(network.tensor(o))));
        network.tensors().values().stream()
                .filter(t -> t.role() == Tensor.Role.ACTIVATION
                        && t.shape().isPresent()
                        && !network.outputs().contains(t.name()))
                .forEach(t -> graph.addValueInfo(OnnxNodes.info(t)));
        Path data = file.resolveSibling(file.getFileName() + ".data");
        if (fill.kind() == WeightFill.Kind.BESIDE) {
            long offset = 0;
            for (Tensor w : stored) {
                graph.addInitializer(header(w)
                        .setDataLocation(OnnxMl.TensorProto.DataLocation.EXTERNAL)
                        .addExternalData(entry("location", data.getFileName().toString()))
                        .addExternalData(entry("offset", String.valueOf(offset)))
                        .addExternalData(entry("length", String.valueOf(w.bytes()))));
                offset += w.bytes();
            }
            replace(data, out -> {
                for (Tensor w : stored) {
                    values(w, out);
                }
            });
            replace(file, out -> model(graph.build(), List.of(), out));
        } else {
            replace(file, out -> model(graph.build(), stored, out));
        }
    }

    private interface Content {
        void write(OutputStream out) throws IOException;
    }

    /// Writes beside the target first, so that a failure leaves the old file as it was.
    private static void replace(Path file, Content content) throws IOException {
        Path part = file.resolveSibling(file.getFileName() + ".part");
        try {
            try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(part), 1 << 16)) {
                content.write(out);
            }
            Files.move(part, file, StandardCopyOption.REPLACE_EXISTING);
        } finally {
            Files.deleteIfExists(part);
        }
    }

    /// The model message; weights follow the rest of the graph one by one.
    private void model(OnnxMl.GraphProto graph, List<Tensor> stored, OutputStream target) throws IOException {
        byte[] frame = OnnxMl.ModelProto.newBuilder()
                .setIrVersion(IR_VERSION)
                .setProducerName("Knobscape")
                .addOpsetImport(
                        OnnxMl.OperatorSetIdProto.newBuilder().setDomain("").setVersion(OnnxNodes.OPSET))
                .build()
                .toByteArray();
        long length = graph.getSerializedSize();
        for (Tensor w : stored) {
            long size = tensorSize(w);
            length += CodedOutputStream.computeTagSize(OnnxMl.GraphProto.INITIALIZER_FIELD_NUMBER)
                    + CodedOutputStream.computeUInt64SizeNoTag(size)
                    + size;
        }
        if (length + frame.length > Integer.MAX_VALUE - 64) {
            throw new UserError("The weights of '" + network.name()
                    + "' take more than 2 GB, which an ONNX file cannot hold; write them beside it.");
        }
        var out = CodedOutputStream.newInstance(target, 1 << 16);
        out.writeRawBytes(frame);
        out.writeTag(OnnxMl.ModelProto.GRAPH_FIELD_NUMBER, 2);
        out.writeUInt64NoTag(length);
        graph.writeTo(out);
        for (Tensor w : stored) {
            out.writeTag(OnnxMl.GraphProto.INITIALIZER_FIELD_NUMBER, 2);
            out.writeUInt64NoTag(tensorSize(w));
            header(w).build().writeTo(out);
            out.writeTag(OnnxMl.TensorProto.RAW_DATA_FIELD_NUMBER, 2);
            out.writeUInt64NoTag(w.bytes());
            out.flush();
            values(w, target);
        }
        out.flush();
    }

    private static long tensorSize(Tensor w) {
        return header(w).build().getSerializedSize()
                + CodedOutputStream.computeTagSize(OnnxMl.TensorProto.RAW_DATA_FIELD_NUMBER)
                + CodedOutputStream.computeUInt64SizeNoTag(w.bytes())
                + w.bytes();
    }

    private static OnnxMl.TensorProto.Builder header(Tensor w) {
        return OnnxMl.TensorProto.newBuilder()
                .setName(w.name())
                .setDataType(OnnxNodes.number(w.type()))
                .addAllDims(w.shape().orElseThrow().dims());
    }

    private static OnnxMl.StringStringEntryProto entry(String key, String value) {
        return OnnxMl.StringStringEntryProto.newBuilder()
                .setKey(key)
                .setValue(value)
                .build();
    }

    private Scale scale(Tensor w) {
        return w.type().isFloating() ? scales.getOrDefault(w.name(), Scale.ONE) : Scale.ZERO;
    }

    /// A node that fills the weight's shape with one number.
    private void compute(OnnxMl.GraphProto.Builder graph, Tensor w) {
        String shape = w.name() + ".shape";
        while (network.tensors().containsKey(shape)) {
            shape += "_";
        }
        Shape s = w.shape().orElseThrow();
        graph.addInitializer(OnnxMl.TensorProto.newBuilder()
                .setName(shape)
                .setDataType(OnnxMl.TensorProto.DataType.INT64_VALUE)
                .addDims(s.rank())
                .addAllInt64Data(s.dims()));
        ByteBuffer number = ByteBuffer.allocate((int) w.type().bytes(1)).order(ByteOrder.LITTLE_ENDIAN);
        put(number, w.type(), scale(w).level());
        graph.addNode(OnnxMl.NodeProto.newBuilder()
                .setName(w.name() + ".fill")
                .setOpType("ConstantOfShape")
                .addInput(shape)
                .addOutput(w.name())
                .addAttribute(OnnxMl.AttributeProto.newBuilder()
                        .setName("value")
                        .setType(OnnxMl.AttributeProto.AttributeType.TENSOR)
                        .setT(OnnxMl.TensorProto.newBuilder()
                                .setDataType(OnnxNodes.number(w.type()))
                                .addDims(1)
                                .setRawData(ByteString.copyFrom(number.flip())))));
    }

    private void values(Tensor w, OutputStream out) throws IOException {
        var random = new SplittableRandom(
                fill.seed() * 0x9E3779B97F4A7C15L + w.name().hashCode());
        Scale scale = scale(w);
        // A uniform number in 0..1 has the standard deviation 1 / sqrt 12.
        double width = scale.deviation() * Math.sqrt(12);
        ByteBuffer buffer = ByteBuffer.allocate(1 << 16).order(ByteOrder.LITTLE_ENDIAN);
        long elements = w.elements();
        for (long i = 0; i < elements; i++) {
            if (buffer.remaining() < 8) {
                out.write(buffer.array(), 0, buffer.position());
                buffer.clear();
            }
            put(buffer, w.type(), scale.mean() + (width == 0 ? 0 : width * (random.nextDouble() - 0.5)));
        }
        out.write(buffer.array(), 0, buffer.position());
    }

    private static void put(ByteBuffer buffer, ElementType type, double value) {
        switch (type) {
            case FLOAT32 -> buffer.putFloat((float) value);
            case FLOAT64 -> buffer.putDouble(value);
            case FLOAT16 -> buffer.putShort(Float.floatToFloat16((float) value));
            case BFLOAT16 -> buffer.putShort((short) (Float.floatToIntBits((float) value) >>> 16));
            case INT64, UINT64 -> buffer.putLong((long) value);
            case INT32, UINT32 -> buffer.putInt((int) value);
            case INT16, UINT16 -> buffer.putShort((short) value);
            case INT8, UINT8, BOOL -> buffer.put((byte) value);
            case FLOAT8, FLOAT4, INT4, UINT4, OTHER ->
                throw new UserError("Tensors of type " + type.label() + " cannot be written as ONNX.");
        }
    }
}
