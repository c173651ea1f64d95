package knobscape.network.onnx;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import knobscape.network.ElementType;
import knobscape.network.Operator;
import knobscape.network.Operator.Elementwise;
import knobscape.network.Operator.Gathering;
import knobscape.network.Operator.Unary;
import knobscape.network.Shape;
import knobscape.network.ShapeException;
import knobscape.network.Window;

/// The meaning of ONNX nodes, operator sets 7 and later. Attributes that became inputs in a later version (the
/// bounds of Clip, the axes of Squeeze and ReduceMean, the paddings of Pad ...) are taken from wherever they
/// are.
final class OnnxOperators {
    /// The meaning of a node.
    ///
    /// @param inputs positions of those inputs of the file's node that the operator reads
    record Meaning(Operator operator, List<Integer> inputs) {}

    private final RawNode node;
    private final NodeInputs in;

    private OnnxOperators(RawNode node, List<Optional<KnownTensor>> in) {
        this.node = node;
        this.in = new NodeInputs(in);
    }

    /// Throws [UnresolvedOperatorException] where the node has to stay opaque, and [ShapeException] where it
    /// contradicts its
    /// inputs.
    static Meaning meaning(RawNode node, List<Optional<KnownTensor>> in) {
        if (!node.domain().isEmpty()) {
            throw new UnresolvedOperatorException("not an operator of ONNX");
        }
        var reader = new OnnxOperators(node, in);
        Operator op = reader.operator();
        return new Meaning(op, reader.read(op));
    }

    private List<Integer> read(Operator op) {
        int wanted = switch (op) {
            case Operator.Conv _, Operator.TransposedConv _, Operator.Gemm _, Operator.LayerNorm _ -> 3;
            case Operator.MatMul _, Operator.Gather _ -> 2;
            case Operator.BatchNorm _ -> 5;
            case Operator.Elementwise _, Operator.Concat _ -> in.size();
            default -> 1;
        };
        int given = Math.min(wanted, in.size());
        // Optional inputs at the end that are named by an empty text are as good as not there.
        while (given > 1 && in.all().get(given - 1).isEmpty()) {
            given--;
        }
        return IntStream.range(0, given).boxed().toList();
    }

    private Operator operator() {
        return switch (node.type()) {
            case "Conv" -> conv();
            case "ConvTranspose" -> transposedConv();
            case "Gemm" ->
                new Operator.Gemm(
                        node.integer("transA", 0) != 0,
                        node.integer("transB", 0) != 0,
                        node.real("alpha", 1),
                        node.real("beta", 1));
            case "MatMul" -> new Operator.MatMul();
            case "BatchNormalization" -> new Operator.BatchNorm(node.real("epsilon", 1e-5));
            case "LayerNormalization" ->
                new Operator.LayerNorm(
                        NodeInputs.axis(node.integer("axis", -1), in.rank(0)), node.real("epsilon", 1e-5));
            case "LRN" ->
                new Operator.LocalResponseNorm(
                        positive(node.integer("size", 0)),
                        node.real("alpha", 1e-4),
                        node.real("beta", 0.75),
                        node.real("bias", 1));
            case "Clip" -> clip();
            case "MaxPool" -> pool(Gathering.MAX);
            case "AveragePool" -> pool(Gathering.AVERAGE);
            case "LpPool" -> pool(Gathering.LP);
            case "GlobalMaxPool" -> new Operator.GlobalPool(Gathering.MAX);
            case "GlobalAveragePool" -> new Operator.GlobalPool(Gathering.AVERAGE);
            case "GlobalLpPool" -> new Operator.GlobalPool(Gathering.LP);
            case "ReduceMean",
                    "ReduceSum",
                    "ReduceMax",
                    "ReduceMin",
                    "ReduceProd",
                    "ReduceL1",
                    "ReduceL2",
                    "ReduceSumSquare",
                    "ReduceLogSum",
                    "ReduceLogSumExp" -> reduce();
            case "Concat" -> new Operator.Concat(NodeInputs.axis(node.integer("axis", 1), in.rank(0)));
            case "Split" -> split();
            case "Slice" -> slice();
            case "Gather" -> new Operator.Gather(NodeInputs.axis(node.integer("axis", 0), in.rank(0)));
            case "Pad" -> pad();
            case "Transpose" -> transpose();
            case "Reshape" -> new Operator.Reshape(reshapeTarget());
            case "Flatten" -> flatten();
            case "Squeeze" -> new Operator.Reshape(squeezed());
            case "Unsqueeze" -> new Operator.Reshape(unsqueezed());
            case "Expand" -> new Operator.Expand(new Shape(in.list(1)));
            case "Resize", "Upsample" -> resize();
            case "DepthToSpace" ->
                new Operator.DepthSpace(
                        positive(node.integer("blocksize", 0)),
                        true,
                        node.text("mode", "DCR").equals("CRD"));
            case "SpaceToDepth" -> new Operator.DepthSpace(positive(node.integer("blocksize", 0)), false, false);
            case "Softmax", "LogSoftmax" -> softmax();
            case "Cast" -> cast(OnnxTypes.of((int) node.integer("to", 0)));
            case "CastLike" -> cast(in.given(1).tensor().type());
            case "Identity" -> new Operator.Identity();
            case "Dropout" -> new Operator.Dropout(ratio());
            default -> elementwise();
        };
    }

    /// A conversion of what is of the type already (exporters write it before softmax) does nothing.
    private Operator cast(ElementType type) {
        return type != ElementType.OTHER && in.given(0).tensor().type() == type
                ? new Operator.Identity()
                : new Operator.Cast(type);
    }

    private Operator elementwise() {
        return switch (node.type()) {
            case "LeakyRelu" -> new Unary(Unary.Function.LEAKY_RELU, node.real("alpha", 0.01), 0);
            case "Elu", "Celu", "Swish" ->
                new Unary(named(Unary.Function.values()).orElseThrow(), node.real("alpha", 1), 0);
            case "Selu" ->
                new Unary(
                        Unary.Function.SELU,
                        node.real("alpha", 1.6732632423543772),
                        node.real("gamma", 1.0507009873554805));
            case "HardSigmoid" ->
                new Unary(Unary.Function.HARD_SIGMOID, node.real("alpha", 0.2), node.real("beta", 0.5));
            case "Gelu" ->
                new Unary(
                        node.text("approximate", "none").equals("tanh")
                                ? Unary.Function.GELU_TANH
                                : Unary.Function.GELU);
            case "Sum" -> new Elementwise(Elementwise.Function.ADD);
            case "PRelu" -> new Elementwise(Elementwise.Function.PRELU);
            case "Equal", "Greater", "GreaterOrEqual", "Less", "LessOrEqual", "And", "Or", "Xor" ->
                new Elementwise(Elementwise.Function.LOGICAL);
            default ->
                named(Unary.Function.values())
                        .<Operator>map(Unary::new)
                        .or(() -> named(Elementwise.Function.values()).map(Elementwise::new))
                        .orElseThrow(() -> new UnresolvedOperatorException("unknown operator"));
        };
    }

    /// The function that ONNX calls as the node is called, `HardSwish` for `HARD_SWISH`.
    private <F extends Enum<F>> Optional<F> named(F[] functions) {
        return Arrays.stream(functions)
                .filter(f -> Operator.words(f.name()).equals(node.type()))
                .findFirst();
    }

    private Operator conv() {
        return new Operator.Conv(window(kernel()), positive(node.integer("group", 1)));
    }

    private Operator transposedConv() {
        List<Long> spatial = kernel();
        if (node.integers("output_shape").isPresent()
                || !node.text("auto_pad", "NOTSET").equals("NOTSET")) {
            throw new UnresolvedOperatorException("a transposed convolution with automatic padding");
        }

        return new Operator.TransposedConv(
                window(spatial),
                positive(node.integer("group", 1)),
                ints(node.integers("output_padding").orElse(Collections.nCopies(spatial.size(), 0L))));
    }

    private List<Long> kernel() {
        Shape weights = in.shape(1);
        if (weights.rank() < 3) {
            throw new ShapeException("weights of shape " + weights + " have no kernel");
        }
        return weights.dims().subList(2, weights.rank());
    }

    private Operator pool(Gathering kind) {
        List<Long> kernel =
                node.integers("kernel_shape").orElseThrow(() -> new ShapeException("the kernel is missing"));
        return new Operator.Pool(
                kind, window(kernel), node.integer("ceil_mode", 0) != 0, node.integer("count_include_pad", 0) != 0);
    }

    private Window window(List<Long> kernelOfWeights) {
        List<Integer> kernel =
                ints(node.integers("kernel_shape").filter(k -> !k.isEmpty()).orElse(kernelOfWeights));
        int n = kernel.size();
        List<Integer> strides = ints(node.integers("strides").orElse(Collections.nCopies(n, 1L)));
        List<Integer> dilations = ints(node.integers("dilations").orElse(Collections.nCopies(n, 1L)));
        String auto = node.text("auto_pad", "NOTSET");
        List<Integer> zeros = Collections.nCopies(n, 0);
        switch (auto) {
            case "NOTSET", "" -> {
                List<Integer> pads = ints(node.integers("pads").orElse(Collections.nCopies(2 * n, 0L)));
                if (pads.size() != 2 * n) {
                    throw new ShapeException(pads.size() + " paddings are given where " + 2 * n + " are wanted");
                }
                return new Window(kernel, strides, pads.subList(0, n), pads.subList(n, 2 * n), dilations);
            }
            case "VALID" -> {
                return new Window(kernel, strides, zeros, zeros, dilations);
            }
            case "SAME_UPPER", "SAME_LOWER" -> {
                var bare = new Window(kernel, strides, zeros, zeros, dilations);
                Shape x = in.shape(0);
                if (x.rank() != n + 2) {
                    throw new ShapeException("a window on " + n + " axes does not fit " + x);
                }
                var begin = new ArrayList<Integer>();
                var end = new ArrayList<Integer>();
                for (int i = 0; i < n; i++) {
                    long extent = x.dim(i + 2);
                    long total = Math.max(
                            0,
                            (Math.ceilDiv(extent, (long) strides.get(i)) - 1) * strides.get(i)
                                    + bare.reach(i)
                                    - extent);
                    long less = total / 2;
                    begin.add(integer(auto.equals("SAME_UPPER") ? less : total - less));
                    end.add(integer(auto.equals("SAME_UPPER") ? total - less : less));
                }
                return new Window(kernel, strides, begin, end, dilations);
            }
            default -> throw new ShapeException("padding '" + auto + "' is unknown");
        }
    }

    private Operator clip() {
        double min = bound(1, "min", Double.NEGATIVE_INFINITY);
        double max = bound(2, "max", Double.POSITIVE_INFINITY);
        // Exporters write the largest float for "no bound".
        return new Operator.Clip(
                min <= -Float.MAX_VALUE ? Double.NEGATIVE_INFINITY : min,
                max >= Float.MAX_VALUE ? Double.POSITIVE_INFINITY : max);
    }

    private double bound(int index, String attribute, double otherwise) {
        if (!in.has(index)) {
            return node.real(attribute, otherwise);
        }
        Constant c = in.constant(index);
        return c.size() == 1 ? c.number() : otherwise;
    }

    private double ratio() {
        return in.has(1) ? in.number(1).orElse(0.5) : node.real("ratio", 0.5);
    }

    private Operator reduce() {
        int rank = in.rank(0);
        List<Long> given = list(1, "axes").orElse(List.of());
        if (given.isEmpty() && node.integer("noop_with_empty_axes", 0) != 0) {
            return new Operator.Identity();
        }
        List<Integer> axes = given.isEmpty()
                ? IntStream.range(0, rank).boxed().toList()
                : given.stream()
                        .map(a -> NodeInputs.axis(a, rank))
                        .sorted()
                        .distinct()
                        .toList();
        boolean keep = node.integer("keepdims", 1) != 0;
        String function = node.type().substring("Reduce".length());
        // The mean over all positions is how global pooling is exported when a model writes x.mean([2, 3]).
        if (keep
                && rank > 2
                && axes.equals(IntStream.range(2, rank).boxed().toList())
                && (function.equals("Mean") || function.equals("Max"))) {
            return new Operator.GlobalPool(function.equals("Mean") ? Gathering.AVERAGE : Gathering.MAX);
        }
        return new Operator.Reduce(function, axes, keep);
    }

    private Operator split() {
        int axis = NodeInputs.axis(node.integer("axis", 0), in.rank(0));
        long extent = in.shape(0).dim(axis);
        Optional<List<Long>> sizes = list(1, "split");
        if (sizes.isPresent()) {
            return new Operator.Split(axis, sizes.get());
        }
        int pieces = node.outputs().size();
        long size = Math.ceilDiv(extent, (long) pieces);
        return new Operator.Split(
                axis,
                LongStream.range(0, pieces)
                        .map(i -> Math.clamp(extent - i * size, 0, size))
                        .boxed()
                        .toList());
    }

    private Operator slice() {
        Shape x = in.shape(0);
        boolean byInput = in.size() > 1;
        List<Long> starts = byInput ? in.list(1) : node.integers("starts").orElse(List.of());
        List<Long> ends = byInput ? in.list(2) : node.integers("ends").orElse(List.of());
        List<Long> axes = in.has(3)
                ? in.list(3)
                : node.integers("axes")
                        .orElse(LongStream.range(0, starts.size()).boxed().toList());
        List<Long> steps = in.has(4) ? in.list(4) : Collections.nCopies(starts.size(), 1L);
        if (ends.size() != starts.size() || axes.size() != starts.size() || steps.size() != starts.size()) {
            throw new ShapeException("starts, ends, axes and steps name different numbers of axes");
        }
        var namedAxes = new ArrayList<Integer>();
        var from = new ArrayList<Long>();
        var counts = new ArrayList<Long>();
        for (int i = 0; i < starts.size(); i++) {
            int axis = NodeInputs.axis(axes.get(i), x.rank());
            long step = steps.get(i);
            if (step == 0 || namedAxes.contains(axis)) {
                throw new ShapeException("a step of 0 or an axis named twice");
            }
            long extent = x.dim(axis);
            long start = held(starts.get(i), extent, step);
            long end = held(ends.get(i), extent, step);
            namedAxes.add(axis);
            from.add(start);
            counts.add(Math.max(
                    0,
                    step > 0
                            ? Math.ceilDiv(end - start, step)
                            : Math.ceilDiv(start - end, step == Long.MIN_VALUE ? Long.MAX_VALUE : -step)));
        }
        return new Operator.Slice(namedAxes, from, steps, counts);
    }

    /// An index as Python's slices take it: negative from the end, then held inside (for backward steps one
    /// before the first is the last possible end).
    private static long held(long index, long extent, long step) {
        long at = index < 0 ? (index == Long.MIN_VALUE ? -1 : index + extent) : index;
        return step > 0 ? Math.clamp(at, 0, extent) : Math.clamp(at, -1, extent - 1);
    }

    private Operator pad() {
        int rank = in.rank(0);
        List<Long> pads = in.size() > 1 ? in.list(1) : node.integers("pads").orElse(List.of());
        List<Integer> axes = in.has(3)
                ? in.list(3).stream().map(a -> NodeInputs.axis(a, rank)).toList()
                : IntStream.range(0, rank).boxed().toList();
        if (pads.size() != 2 * axes.size()) {
            throw new ShapeException(pads.size() + " margins are given where " + 2 * axes.size() + " are wanted");
        }
        var begin = new ArrayList<>(Collections.nCopies(rank, 0L));
        var end = new ArrayList<>(Collections.nCopies(rank, 0L));
        for (int i = 0; i < axes.size(); i++) {
            begin.set(axes.get(i), pads.get(i));
            end.set(axes.get(i), pads.get(i + axes.size()));
        }
        double value = in.has(2) ? in.number(2).orElse(0.0) : node.real("value", 0);
        return new Operator.Pad(begin, end, node.text("mode", "constant"), value);
    }

    private Operator transpose() {
        int rank = in.rank(0);
        return new Operator.Transpose(node.integers("perm")
                .map(OnnxOperators::ints)
                .orElseGet(() ->
                        IntStream.range(0, rank).map(i -> rank - 1 - i).boxed().toList()));
    }

    private Shape reshapeTarget() {
        List<Long> wanted = in.size() > 1
                ? in.list(1)
                : node.integers("shape")
                        .orElseThrow(() -> new UnresolvedOperatorException("a shape that is not in the file"));
        boolean zeroMeansZero = node.integer("allowzero", 0) != 0;
        var dims = new ArrayList<Long>();
        int free = -1;
        long known = 1;
        for (int i = 0; i < wanted.size(); i++) {
            long d = wanted.get(i);
            if (d == -1) {
                if (free >= 0) {
                    throw new ShapeException("two extents of " + wanted + " are left open");
                }
                free = i;
                dims.add(1L);
                continue;
            }
            if (d == 0 && !zeroMeansZero) {
                if (i >= in.shape(0).rank()) {
                    throw new ShapeException("extent " + i + " of " + wanted + " is to be that of " + in.shape(0));
                }
                d = in.shape(0).dim(i);
            }
            dims.add(d);
            known = d < 0 || (d > 0 && known > Shape.MAX_ELEMENTS / d) ? -1 : known * d;
            if (known < 0) {
                throw new ShapeException("it asks for the shape " + wanted);
            }
        }
        if (free >= 0) {
            long elements = in.shape(0).elements();
            if (known == 0 || elements % known != 0) {
                throw new ShapeException(in.shape(0) + " cannot be viewed as " + wanted);
            }
            dims.set(free, elements / known);
        }
        return new Shape(dims);
    }

    private Operator flatten() {
        long axis = node.integer("axis", 1);
        return new Operator.Flatten(integer(axis < 0 ? axis + in.rank(0) : axis));
    }

    private Shape squeezed() {
        Shape x = in.shape(0);
        Optional<List<Long>> given = list(1, "axes");
        List<Integer> axes = given.map(
                        l -> l.stream().map(a -> NodeInputs.axis(a, x.rank())).toList())
                .orElseGet(() -> IntStream.range(0, x.rank())
                        .filter(i -> x.dim(i) == 1)
                        .boxed()
                        .toList());
        for (int a : axes) {
            if (x.dim(a) != 1) {
                throw new ShapeException("axis " + a + " of " + x + " is not 1");
            }
        }
        return new Shape(IntStream.range(0, x.rank())
                .filter(i -> !axes.contains(i))
                .mapToObj(x::dim)
                .toList());
    }

    private Shape unsqueezed() {
        Shape x = in.shape(0);
        List<Long> given = list(1, "axes").orElse(List.of());
        int rank = x.rank() + given.size();
        List<Integer> axes =
                given.stream().map(a -> NodeInputs.axis(a, rank)).distinct().toList();
        if (axes.size() != given.size()) {
            throw new ShapeException("an axis is named twice in " + given);
        }
        var rest = x.dims().iterator();
        return new Shape(IntStream.range(0, rank)
                .mapToObj(i -> axes.contains(i) ? 1L : rest.next())
                .toList());
    }

    private Operator resize() {
        Shape x = in.shape(0);
        String mode = node.text("mode", "nearest").toLowerCase(Locale.ROOT);
        if (!node.text("keep_aspect_ratio_policy", "stretch").equals("stretch")) {
            throw new UnresolvedOperatorException("a resampling that keeps the aspect ratio");
        }
        List<Integer> axes = node.integers("axes")
                .map(l -> l.stream().map(a -> NodeInputs.axis(a, x.rank())).toList())
                .orElseGet(() -> IntStream.range(0, x.rank()).boxed().toList());
        Shape target = x;
        if (in.has(3)) {
            List<Long> sizes = in.list(3);
            agree(sizes.size(), axes.size());
            for (int i = 0; i < axes.size(); i++) {
                target = target.with(axes.get(i), sizes.get(i));
            }
            return new Operator.Resize(mode, target);
        }
        int scalesAt = node.type().equals("Resize") && node.opset() >= 11 ? 2 : 1;
        double[] scales;
        if (in.has(scalesAt)) {
            scales = in.constant(scalesAt).cast(ElementType.FLOAT64).reals();
        } else {
            scales = node.attribute("scales")
                    .map(a -> a.getFloatsList().stream()
                            .mapToDouble(Float::doubleValue)
                            .toArray())
                    .orElseThrow(() -> new UnresolvedOperatorException("a size that is not in the file"));
        }
        agree(scales.length, axes.size());
        for (int i = 0; i < scales.length; i++) {
            double extent = Math.floor(x.dim(axes.get(i)) * scales[i]);
            if (!(extent >= 0 && extent <= Shape.MAX_ELEMENTS)) {
                throw new ShapeException("a scale of " + scales[i] + " is out of range");
            }
            target = target.with(axes.get(i), (long) extent);
        }
        return new Operator.Resize(mode, target);
    }

    private static void agree(int given, int wanted) {
        if (given != wanted) {
            throw new ShapeException(given + " extents are given where " + wanted + " are wanted");
        }
    }

    private Operator softmax() {
        boolean flattened = node.opset() < 13;
        return new Operator.Softmax(
                NodeInputs.axis(node.integer("axis", flattened ? 1 : -1), in.rank(0)),
                flattened,
                node.type().startsWith("Log"));
    }

    /// Integers from an input, else from an attribute.
    private Optional<List<Long>> list(int index, String attribute) {
        return in.has(index) ? Optional.of(in.list(index)) : node.integers(attribute);
    }

    private static List<Integer> ints(List<Long> values) {
        return values.stream().map(OnnxOperators::integer).toList();
    }

    private static int integer(long value) {
        if (value > 1 << 30 || value < -(1 << 30)) {
            throw new ShapeException("the number " + value + " is out of range");
        }
        return (int) value;
    }

    private static int positive(long value) {
        if (value < 1) {
            throw new ShapeException("the number " + value + " is out of range");
        }
        return integer(value);
    }
}
