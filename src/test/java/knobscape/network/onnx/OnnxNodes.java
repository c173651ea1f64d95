package knobscape.network.onnx;

import ai.onnx.proto.OnnxMl;
import com.google.protobuf.ByteString;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.LongStream;
import knobscape.evaluate.UserError;
import knobscape.network.ElementType;
import knobscape.network.Network;
import knobscape.network.Node;
import knobscape.network.Operator;
import knobscape.network.Operator.Elementwise;
import knobscape.network.Operator.Unary;
import knobscape.network.Shape;
import knobscape.network.Tensor;
import knobscape.network.Window;

/// Nodes as ONNX messages of operator set [#OPSET]. Attributes that are inputs there become small stored
/// tensors.
final class OnnxNodes {
    /// The operator set written: the one in which all operators of [Operator] with a standard name exist.
    static final int OPSET = 20;

    private final Network network;
    private final OnnxMl.GraphProto.Builder graph;

    OnnxNodes(Network network, OnnxMl.GraphProto.Builder graph) {
        this.network = network;
        this.graph = graph;
    }

    void add(Node node) {
        switch (node.operator()) {
            case Operator.Conv c -> put(node, "Conv", window(c.window()), List.of(integer("group", c.groups())));
            case Operator.TransposedConv c ->
                put(
                        node,
                        "ConvTranspose",
                        window(c.window()),
                        List.of(integer("group", c.groups()), integers("output_padding", longs(c.outputPadding()))));
            case Operator.Gemm g ->
                put(
                        node,
                        "Gemm",
                        List.of(
                                integer("transA", g.transposeA() ? 1 : 0),
                                integer("transB", g.transposeB() ? 1 : 0),
                                real("alpha", g.alpha()),
                                real("beta", g.beta())));
            case Operator.MatMul _ -> put(node, "MatMul");
            case Operator.BatchNorm b -> put(node, "BatchNormalization", List.of(real("epsilon", b.epsilon())));
            case Operator.LayerNorm l ->
                put(node, "LayerNormalization", List.of(integer("axis", l.axis()), real("epsilon", l.epsilon())));
            case Operator.LocalResponseNorm l ->
                put(
                        node,
                        "LRN",
                        List.of(
                                integer("size", l.size()),
                                real("alpha", l.alpha()),
                                real("beta", l.beta()),
                                real("bias", l.bias())));
            case Operator.Unary u -> unary(node, u);
            case Operator.Clip c -> clip(node, c);
            case Operator.Elementwise e -> put(node, elementwise(node, e));
            case Operator.Pool p -> pool(node, p);
            case Operator.GlobalPool p -> put(node, "Global" + gathering(p.kind()) + "Pool");
            case Operator.Reduce r ->
                put(
                        node,
                        with(node, list(node, "axes", longs(r.axes()))),
                        "Reduce" + r.function(),
                        List.of(integer("keepdims", r.keepDims() ? 1 : 0)));
            case Operator.Concat c -> put(node, "Concat", List.of(integer("axis", c.axis())));
            case Operator.Split s ->
                put(node, with(node, list(node, "sizes", s.sizes())), "Split", List.of(integer("axis", s.axis())));
            case Operator.Slice s -> slice(node, s);
            case Operator.Gather g -> put(node, "Gather", List.of(integer("axis", g.axis())));
            case Operator.Pad p -> pad(node, p);
            case Operator.Transpose t -> put(node, "Transpose", List.of(integers("perm", longs(t.order()))));
            case Operator.Reshape r ->
                put(
                        node,
                        with(node, list(node, "shape", r.target().dims())),
                        "Reshape",
                        List.of(integer("allowzero", 1)));
            case Operator.Flatten f -> put(node, "Flatten", List.of(integer("axis", f.axis())));
            case Operator.Expand e ->
                put(node, with(node, list(node, "shape", e.target().dims())), "Expand", List.of());
            case Operator.Resize r ->
                put(
                        node,
                        with(node, "", "", list(node, "sizes", r.target().dims())),
                        "Resize",
                        List.of(text("mode", r.mode())));
            case Operator.DepthSpace d ->
                put(
                        node,
                        d.toSpace() ? "DepthToSpace" : "SpaceToDepth",
                        d.toSpace()
                                ? List.of(
                                        integer("blocksize", d.block()), text("mode", d.columnFirst() ? "CRD" : "DCR"))
                                : List.of(integer("blocksize", d.block())));
            case Operator.Softmax s -> softmax(node, s);
            case Operator.Cast c -> put(node, "Cast", List.of(integer("to", number(c.type()))));
            case Operator.Identity _ -> put(node, "Identity");
            case Operator.Dropout d -> put(node, with(node, scalar(node, "ratio", d.ratio())), "Dropout", List.of());
            case Operator.Opaque o -> throw cannot(node, "operator " + o.type() + " is not known to this program");
        }
    }

    private static UserError cannot(Node node, String why) {
        return new UserError("The network cannot be written as ONNX: node '" + node.name() + "': " + why + ".");
    }

    private void unary(Node node, Unary u) {
        switch (u.function()) {
            case LEAKY_RELU, ELU, CELU ->
                put(
                        node,
                        u.function() == Unary.Function.LEAKY_RELU ? "LeakyRelu" : u.label(),
                        List.of(real("alpha", u.alpha())));
            case SELU -> put(node, "Selu", List.of(real("alpha", u.alpha()), real("gamma", u.beta())));
            case HARD_SIGMOID -> put(node, "HardSigmoid", List.of(real("alpha", u.alpha()), real("beta", u.beta())));
            case GELU_TANH -> put(node, "Gelu", List.of(text("approximate", "tanh")));
            case SWISH -> {
                if (u.alpha() != 1) {
                    throw cannot(node, "a Swish with a factor other than 1");
                }
                String gate = fresh(node, "sigmoid");
                graph.addNode(OnnxMl.NodeProto.newBuilder()
                        .setName(gate)
                        .setOpType("Sigmoid")
                        .addInput(node.input())
                        .addOutput(gate));
                graph.addNode(OnnxMl.NodeProto.newBuilder()
                        .setName(node.name())
                        .setOpType("Mul")
                        .addInput(node.input())
                        .addInput(gate)
                        .addOutput(node.output()));
            }
            default -> put(node, u.label());
        }
    }

    private static String elementwise(Node node, Elementwise e) {
        boolean several = node.inputs().size() > 2;
        return switch (e.function()) {
            case ADD -> several ? "Sum" : "Add";
            case MUL -> {
                if (several) {
                    throw cannot(node, "a product of more than two tensors");
                }
                yield "Mul";
            }
            case PRELU -> "PRelu";
            case LOGICAL -> throw cannot(node, "a comparison");
            default -> e.label();
        };
    }

    private void clip(Node node, Operator.Clip c) {
        put(
                node,
                with(
                        node,
                        Double.isInfinite(c.min()) ? "" : scalar(node, "min", c.min()),
                        Double.isInfinite(c.max()) ? "" : scalar(node, "max", c.max())),
                "Clip",
                List.of());
    }

    private static String gathering(Operator.Gathering kind) {
        return kind.name().charAt(0) + kind.name().substring(1).toLowerCase(Locale.ROOT);
    }

    private void pool(Node node, Operator.Pool p) {
        var attributes = new ArrayList<>(window(p.window()));
        attributes.add(integer("ceil_mode", p.ceil() ? 1 : 0));
        if (p.kind() == Operator.Gathering.AVERAGE) {
            attributes.add(integer("count_include_pad", p.countPadding() ? 1 : 0));
        }
        put(node, gathering(p.kind()) + "Pool", attributes);
    }

    private void slice(Node node, Operator.Slice s) {
        var ends = new ArrayList<Long>();
        for (int i = 0; i < s.starts().size(); i++) {
            long end = s.starts().get(i) + s.counts().get(i) * s.steps().get(i);
            // Behind the first element when walking backwards: an index of -1 would mean the last one.
            ends.add(end < 0 ? Long.MIN_VALUE + 1 : end);
        }
        put(
                node,
                with(
                        node,
                        list(node, "starts", s.starts()),
                        list(node, "ends", ends),
                        list(node, "axes", longs(s.axes())),
                        list(node, "steps", s.steps())),
                "Slice",
                List.of());
    }

    private void pad(Node node, Operator.Pad p) {
        var pads = new ArrayList<>(p.begin());
        pads.addAll(p.end());
        put(
                node,
                with(node, list(node, "pads", pads), scalar(node, "value", p.value())),
                "Pad",
                List.of(text("mode", p.mode())));
    }

    private void softmax(Node node, Operator.Softmax s) {
        int rank = network.tensor(node.input()).shape().map(Shape::rank).orElse(0);
        if (s.flattened() && s.axis() != rank - 1) {
            throw cannot(node, "a Softmax over several axes at once");
        }
        put(node, s.label(), List.of(integer("axis", s.axis())));
    }

    // --- messages

    private void put(Node node, String type) {
        put(node, node.inputs(), type, List.of());
    }

    private void put(Node node, String type, List<OnnxMl.AttributeProto> attributes) {
        put(node, node.inputs(), type, attributes);
    }

    private void put(Node node, String type, List<OnnxMl.AttributeProto> attributes, List<OnnxMl.AttributeProto> more) {
        var all = new ArrayList<>(attributes);
        all.addAll(more);
        put(node, node.inputs(), type, all);
    }

    private void put(Node node, List<String> inputs, String type, List<OnnxMl.AttributeProto> attributes) {
        graph.addNode(OnnxMl.NodeProto.newBuilder()
                .setName(node.name())
                .setOpType(type)
                .addAllInput(inputs)
                .addAllOutput(node.outputs())
                .addAllAttribute(attributes));
    }

    private static List<String> with(Node node, String... more) {
        var inputs = new ArrayList<>(node.inputs());
        inputs.addAll(List.of(more));
        return inputs;
    }

    private String fresh(Node node, String what) {
        String name = node.name() + "." + what;
        while (network.tensors().containsKey(name)) {
            name += "_";
        }
        return name;
    }

    private String list(Node node, String what, List<Long> values) {
        String name = fresh(node, what);
        graph.addInitializer(OnnxMl.TensorProto.newBuilder()
                .setName(name)
                .setDataType(OnnxMl.TensorProto.DataType.INT64_VALUE)
                .addDims(values.size())
                .addAllInt64Data(values));
        return name;
    }

    private String scalar(Node node, String what, double value) {
        String name = fresh(node, what);
        ElementType type = network.tensor(node.input()).type();
        var tensor = OnnxMl.TensorProto.newBuilder().setName(name).setDataType(number(type));
        switch (type) {
            case FLOAT32 -> tensor.addFloatData((float) value);
            case FLOAT64 -> tensor.addDoubleData(value);
            case FLOAT16 -> tensor.addInt32Data(Float.floatToFloat16((float) value) & 0xffff);
            case INT64 -> tensor.addInt64Data((long) value);
            case INT32, INT16, INT8, UINT8, UINT16, BOOL -> tensor.addInt32Data((int) value);
            default -> throw cannot(node, "numbers of type " + type.label());
        }
        graph.addInitializer(tensor);
        return name;
    }

    private static List<OnnxMl.AttributeProto> window(Window w) {
        return List.of(
                integers("kernel_shape", longs(w.kernel())),
                integers("strides", longs(w.strides())),
                integers(
                        "pads",
                        LongStream.concat(
                                        longs(w.padBegin()).stream().mapToLong(p -> p),
                                        longs(w.padEnd()).stream().mapToLong(p -> p))
                                .boxed()
                                .toList()),
                integers("dilations", longs(w.dilations())));
    }

    private static List<Long> longs(List<Integer> values) {
        return values.stream().map(Integer::longValue).toList();
    }

    private static OnnxMl.AttributeProto integer(String name, long value) {
        return OnnxMl.AttributeProto.newBuilder()
                .setName(name)
                .setType(OnnxMl.AttributeProto.AttributeType.INT)
                .setI(value)
                .build();
    }

    private static OnnxMl.AttributeProto integers(String name, List<Long> values) {
        return OnnxMl.AttributeProto.newBuilder()
                .setName(name)
                .setType(OnnxMl.AttributeProto.AttributeType.INTS)
                .addAllInts(values)
                .build();
    }

    private static OnnxMl.AttributeProto real(String name, double value) {
        return OnnxMl.AttributeProto.newBuilder()
                .setName(name)
                .setType(OnnxMl.AttributeProto.AttributeType.FLOAT)
                .setF((float) value)
                .build();
    }

    private static OnnxMl.AttributeProto text(String name, String value) {
        return OnnxMl.AttributeProto.newBuilder()
                .setName(name)
                .setType(OnnxMl.AttributeProto.AttributeType.STRING)
                .setS(ByteString.copyFromUtf8(value))
                .build();
    }

    /// A tensor's declaration.
    static OnnxMl.ValueInfoProto info(Tensor t) {
        var type = OnnxMl.TypeProto.Tensor.newBuilder().setElemType(number(t.type()));
        t.shape().ifPresent(s -> {
            var dims = OnnxMl.TensorShapeProto.newBuilder();
            s.dims()
                    .forEach(d -> dims.addDim(
                            OnnxMl.TensorShapeProto.Dimension.newBuilder().setDimValue(d)));
            type.setShape(dims);
        });
        return OnnxMl.ValueInfoProto.newBuilder()
                .setName(t.name())
                .setType(OnnxMl.TypeProto.newBuilder().setTensorType(type))
                .build();
    }

    /// The number that ONNX gives a type.
    static int number(ElementType type) {
        return switch (type) {
            case FLOAT32 -> OnnxMl.TensorProto.DataType.FLOAT_VALUE;
            case FLOAT64 -> OnnxMl.TensorProto.DataType.DOUBLE_VALUE;
            case FLOAT16 -> OnnxMl.TensorProto.DataType.FLOAT16_VALUE;
            case BFLOAT16 -> OnnxMl.TensorProto.DataType.BFLOAT16_VALUE;
            case INT8 -> OnnxMl.TensorProto.DataType.INT8_VALUE;
            case UINT8 -> OnnxMl.TensorProto.DataType.UINT8_VALUE;
            case INT16 -> OnnxMl.TensorProto.DataType.INT16_VALUE;
            case UINT16 -> OnnxMl.TensorProto.DataType.UINT16_VALUE;
            case INT32 -> OnnxMl.TensorProto.DataType.INT32_VALUE;
            case UINT32 -> OnnxMl.TensorProto.DataType.UINT32_VALUE;
            case INT64 -> OnnxMl.TensorProto.DataType.INT64_VALUE;
            case UINT64 -> OnnxMl.TensorProto.DataType.UINT64_VALUE;
            case BOOL -> OnnxMl.TensorProto.DataType.BOOL_VALUE;
            case FLOAT8, FLOAT4, INT4, UINT4, OTHER ->
                throw new UserError("Tensors of type " + type.label() + " cannot be written as ONNX.");
        };
    }
}
