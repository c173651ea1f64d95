package knobscape.network.onnx;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import knobscape.network.ElementType;
import knobscape.network.Shape;
import knobscape.network.ShapeException;
import knobscape.network.ShapeInference;
import knobscape.network.Tensor;

/// Types and shapes of what operators make that stay opaque, so that the layers behind them are known: whole-number
/// convolutions and products, recurrent layers, and other operators of ONNX and of ONNX Runtime's own domain
/// (`com.microsoft`, its `ContribOperators.md`).
final class OpaqueResults {
    private static final String RUNTIME = "com.microsoft";
    private static final Shape NUMBER = Shape.of();

    /// Those whose first result has type and shape of their first input.
    private static final Set<String> KEEP = Set.of(
            "InstanceNormalization",
            "GroupNormalization",
            "MeanVarianceNormalization",
            "LpNormalization",
            "RMSNormalization",
            "SimplifiedLayerNormalization",
            "SkipLayerNormalization",
            "SkipSimplifiedLayerNormalization",
            "Hardmax",
            "CumSum",
            "Shrink",
            "ThresholdedRelu",
            "Trilu",
            "EyeLike",
            "ScatterND",
            "ScatterElements",
            "Clip",
            "Tan",
            "Asin",
            "Acos",
            "Atan",
            "Sinh",
            "Cosh",
            "BitwiseNot",
            "RotaryEmbedding",
            "Bernoulli",
            "RandomNormalLike",
            "RandomUniformLike",
            "BiasGelu",
            "FastGelu",
            "QuickGelu",
            "QLinearSigmoid",
            "QLinearLeakyRelu",
            "QLinearSoftmax",
            "MoE",
            "QMoE");

    private final RawNode node;
    private final NodeInputs in;

    /// @param shape empty where it is not known
    private record ResultType(ElementType type, Optional<Shape> shape) {
        static ResultType of(ElementType type, Shape shape) {
            return new ResultType(type, Optional.of(shape));
        }
    }

    private OpaqueResults(RawNode node, List<Optional<KnownTensor>> in) {
        this.node = node;
        this.in = new NodeInputs(in);
    }

    /// One tensor for each result of the node, as far as it is known: what contradicts its inputs is not.
    static List<Tensor> of(RawNode node, List<Optional<KnownTensor>> in) {
        List<ResultType> made = made(node, in);
        return IntStream.range(0, node.outputs().size())
                .mapToObj(i -> {
                    ResultType m = i < made.size() ? made.get(i) : new ResultType(ElementType.OTHER, Optional.empty());
                    return new Tensor(node.outputs().get(i), m.type(), m.shape(), Tensor.Role.ACTIVATION);
                })
                .toList();
    }

    private static List<ResultType> made(RawNode node, List<Optional<KnownTensor>> in) {
        if (!node.domain().isEmpty() && !node.domain().equals(RUNTIME)) {
            return List.of();
        }
        try {
            return new OpaqueResults(node, in).made();
        } catch (ShapeException | UnresolvedOperatorException | ArithmeticException | IndexOutOfBoundsException e) {
            // The last where inputs or axes are missing.
            return List.of();
        }
    }

    private List<ResultType> made() {
        if (KEEP.contains(node.type())) {
            return List.of(new ResultType(in.type(0), in.given(0).shape()));
        }
        return switch (node.type()) {
            case "QuantizeLinear" ->
                List.of(new ResultType(
                        in.type(2, ElementType.UINT8), in.given(0).shape()));
            case "DequantizeLinear" ->
                List.of(new ResultType(
                        in.type(1, ElementType.FLOAT32), in.given(0).shape()));
            case "DynamicQuantizeLinear" ->
                List.of(
                        new ResultType(ElementType.UINT8, in.given(0).shape()),
                        ResultType.of(ElementType.FLOAT32, NUMBER),
                        ResultType.of(ElementType.UINT8, NUMBER));
            case "GatherElements" ->
                List.of(new ResultType(in.type(0), in.given(1).shape()));
            case "LSTM", "GRU", "RNN", "DynamicQuantizeLSTM" -> recurrent();
            case "ConvInteger" -> as("Conv", ElementType.INT32, 0, 1);
            case "QLinearConv" -> as("Conv", in.type(7, in.type(0)), 0, 3);
            case "FusedConv" -> as("Conv", in.type(0), 0, 1);
            case "MatMulInteger" -> as("MatMul", ElementType.INT32, 0, 1);
            case "MatMulIntegerToFloat", "DynamicQuantizeMatMul" -> as("MatMul", ElementType.FLOAT32, 0, 1);
            case "QLinearMatMul" -> as("MatMul", in.type(7, in.type(0)), 0, 3);
            case "FusedGemm" -> as("Gemm", in.type(0), 0, 1);
            case "QGemm" -> as("Gemm", in.type(0), 0, 3);
            case "QLinearAdd", "QLinearMul" -> as("Add", in.type(0), 0, 3);
            case "QLinearGlobalAveragePool" -> as("GlobalAveragePool", in.type(0), 0);
            case "QLinearAveragePool" -> as("AveragePool", in.type(0), 0);
            case "QLinearConcat" ->
                as(
                        "Concat",
                        in.type(2),
                        IntStream.iterate(2, i -> i < in.size(), i -> i + 3).toArray());
            case "Attention", "QAttention", "MultiHeadAttention", "EmbedLayerNormalization" -> attention();
            case "TopK" -> topK();
            case "ArgMax", "ArgMin" -> List.of(ResultType.of(ElementType.INT64, withoutAxis()));
            case "Tile" -> List.of(ResultType.of(in.type(0), tiled()));
            case "GatherND" -> List.of(ResultType.of(in.type(0), gathered()));
            case "OneHot" -> List.of(ResultType.of(in.type(2, ElementType.FLOAT32), oneHot()));
            case "Einsum" -> List.of(ResultType.of(in.type(0), einsum()));
            case "GridSample" -> List.of(ResultType.of(in.type(0), sampled()));
            case "RoiAlign" ->
                List.of(ResultType.of(
                        in.type(0),
                        Shape.of(
                                in.shape(1).dim(0),
                                in.shape(0).dim(1),
                                node.integer("output_height", 1),
                                node.integer("output_width", 1))));
            case "ConvTranspose" -> List.of(ResultType.of(in.type(0), transposed()));
            // Opaque as their second result is used.
            case "MaxPool", "Dropout" -> {
                ResultType first = as(
                                node.type(),
                                in.type(0),
                                IntStream.range(0, in.size()).toArray())
                        .getFirst();
                yield List.of(
                        first,
                        new ResultType(
                                node.type().equals("MaxPool") ? ElementType.INT64 : ElementType.BOOL, first.shape()));
            }
            case "LayerNormalization", "BatchNormalization" ->
                List.of(new ResultType(in.type(0), in.given(0).shape()));
            default -> List.of();
        };
    }

    /// The results of a known operator for some of the inputs.
    private List<ResultType> as(String known, ElementType type, int... inputs) {
        List<Optional<KnownTensor>> read =
                Arrays.stream(inputs).mapToObj(in.all()::get).toList();
        var other = new RawNode(
                node.name(),
                known,
                "",
                Arrays.stream(inputs).mapToObj(node.inputs()::get).toList(),
                node.outputs().subList(0, 1),
                node.attributes(),
                13);
        OnnxOperators.Meaning meaning = OnnxOperators.meaning(other, read);
        List<Optional<Tensor>> tensors = meaning.inputs().stream()
                .map(i -> read.get(i).map(KnownTensor::tensor))
                .toList();
        Tensor made = ShapeInference.outputs(meaning.operator(), tensors, other.outputs())
                .getFirst();
        return List.of(new ResultType(type, made.shape()));
    }

    /// Results of all steps, of the last step, and its state. `layout` 1 has the batch first.
    private List<ResultType> recurrent() {
        Shape x = in.shape(0, 3);
        boolean batchFirst = node.integer("layout", 0) != 0;
        long steps = x.dim(batchFirst ? 1 : 0);
        long batch = x.dim(batchFirst ? 0 : 1);
        long directions = node.text("direction", "forward").equals("bidirectional") ? 2 : 1;
        long hidden = node.integer("hidden_size", 0);
        if (hidden < 1) {
            hidden = in.shape(2, 3).dim(2);
        }
        ElementType type = in.type(0);
        Shape last = batchFirst ? Shape.of(batch, directions, hidden) : Shape.of(directions, batch, hidden);
        return List.of(
                ResultType.of(
                        type,
                        batchFirst
                                ? Shape.of(batch, steps, directions, hidden)
                                : Shape.of(steps, directions, batch, hidden)),
                ResultType.of(type, last),
                ResultType.of(type, last));
    }

    /// Attention over inputs of batch, position and feature; a result for each position of the first.
    private List<ResultType> attention() {
        Shape x = in.shape(0);
        if (node.type().equals("EmbedLayerNormalization")) {
            Shape words = in.shape(2, 2);
            return List.of(ResultType.of(in.type(2), appended(x, words.dim(1))));
        }
        if (node.type().equals("MultiHeadAttention") || node.domain().isEmpty()) {
            // Query, key and value.
            Shape value =
                    node.domain().isEmpty() || in.type(2, ElementType.OTHER) != ElementType.OTHER ? in.shape(2) : x;
            if (x.rank() != value.rank()) {
                throw new UnresolvedOperatorException("packed queries");
            }
            return List.of(ResultType.of(in.type(0), x.with(x.rank() - 1, value.dim(-1))));
        }
        Shape weights = in.shape(1, 2);
        long features = node.integers("qkv_hidden_sizes")
                .filter(s -> s.size() == 3)
                .map(List::getLast)
                .orElse(weights.dim(1) / 3);
        return List.of(ResultType.of(in.type(0), x.with(x.rank() - 1, features)));
    }

    private List<ResultType> topK() {
        Shape x = in.shape(0);
        long k = in.size() > 1 ? in.whole(1) : node.integer("k", 1);
        Shape kept = x.with(NodeInputs.axis(node.integer("axis", -1), x.rank()), k);
        return List.of(ResultType.of(in.type(0), kept), ResultType.of(ElementType.INT64, kept));
    }

    private Shape withoutAxis() {
        Shape x = in.shape(0);
        int axis = NodeInputs.axis(node.integer("axis", 0), x.rank());
        if (node.integer("keepdims", 1) != 0) {
            return x.with(axis, 1);
        }
        var dims = new ArrayList<>(x.dims());
        dims.remove(axis);
        return new Shape(dims);
    }

    private Shape tiled() {
        Shape x = in.shape(0);
        List<Long> repeats = in.list(1);
        if (repeats.size() != x.rank()) {
            throw new ShapeException("repeats of another number of axes");
        }
        return new Shape(IntStream.range(0, x.rank())
                .mapToObj(i -> Math.multiplyExact(x.dim(i), repeats.get(i)))
                .toList());
    }

    private Shape gathered() {
        Shape x = in.shape(0);
        Shape indices = in.shape(1);
        int batch = Math.toIntExact(node.integer("batch_dims", 0));
        long deep = batch + indices.dim(-1);
        if (deep > x.rank()) {
            throw new ShapeException("indices of more axes than there are");
        }
        return new Shape(Stream.concat(
                        indices.dims().subList(0, indices.rank() - 1).stream(),
                        x.dims().subList((int) deep, x.rank()).stream())
                .toList());
    }

    private Shape oneHot() {
        var dims = new ArrayList<>(in.shape(0).dims());
        dims.add(NodeInputs.axis(node.integer("axis", -1), dims.size() + 1), in.whole(1));
        return new Shape(dims);
    }

    /// The extents of the letters behind the arrow; without it those that occur once, in their order.
    private Shape einsum() {
        String equation = node.text("equation", "").replace(" ", "");
        if (!equation.matches("[A-Za-z,]+(->[A-Za-z]*)?")) {
            throw new UnresolvedOperatorException("an equation with an ellipsis");
        }
        int arrow = equation.indexOf("->");
        String[] terms = (arrow < 0 ? equation : equation.substring(0, arrow)).split(",", -1);
        Map<Character, Long> extents = new HashMap<>();
        for (int t = 0; t < terms.length; t++) {
            Shape x = in.shape(t, terms[t].length());
            for (int i = 0; i < x.rank(); i++) {
                extents.merge(terms[t].charAt(i), x.dim(i), Math::max);
            }
        }
        String all = String.join("", terms);
        String made = arrow >= 0
                ? equation.substring(arrow + 2)
                : all.chars()
                        .filter(c -> all.indexOf(c) == all.lastIndexOf(c))
                        .sorted()
                        .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                        .toString();
        return new Shape(made.chars()
                .mapToObj(c -> Optional.ofNullable(extents.get((char) c))
                        .orElseThrow(() -> new ShapeException("a letter of no input")))
                .toList());
    }

    /// Batch and channels of the data, positions of the grid.
    private Shape sampled() {
        Shape x = in.shape(0);
        Shape grid = in.shape(1, x.rank());
        return new Shape(Stream.concat(
                        x.dims().subList(0, 2).stream(), grid.dims().subList(1, grid.rank() - 1).stream())
                .toList());
    }

    /// A transposed convolution whose padding follows from the result: given, or the input times the stride.
    private Shape transposed() {
        Shape x = in.shape(0);
        Shape weights = in.shape(1, x.rank());
        int spatial = x.rank() - 2;
        var dims = new ArrayList<>(List.of(x.dim(0), Math.multiplyExact(weights.dim(1), node.integer("group", 1))));
        Optional<List<Long>> given = node.integers("output_shape");
        List<Long> strides = node.integers("strides").orElse(Collections.nCopies(spatial, 1L));
        boolean same = node.text("auto_pad", "NOTSET").startsWith("SAME");
        if ((given.isEmpty() && !same) || strides.size() != spatial) {
            throw new UnresolvedOperatorException("padding that is not known");
        }
        for (int i = 0; i < spatial; i++) {
            long wide = Math.multiplyExact(x.dim(i + 2), strides.get(i));
            // Some exporters write batch and channels too.
            int fromEnd = spatial - i;
            dims.add(given.filter(g -> g.size() >= spatial)
                    .map(g -> g.get(g.size() - fromEnd))
                    .orElse(wide));
        }
        return new Shape(dims);
    }

    private static Shape appended(Shape x, long extent) {
        var dims = new ArrayList<>(x.dims());
        dims.add(extent);
        return new Shape(dims);
    }
}
