package knobscape.gpu.space.sketch;

import static knobscape.gpu.space.sketch.GraphFormulas.constant;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import knobscape.gpu.space.nest.IndexBound;
import knobscape.gpu.space.nest.IndexExpr;
import knobscape.gpu.space.nest.NestValue;
import knobscape.gpu.space.sketch.ComputationBuilder.UnsupportedOperatorException;
import knobscape.gpu.space.template.Schedule.Role;
import knobscape.network.Network;
import knobscape.network.Node;
import knobscape.network.Operator;
import knobscape.network.Shape;
import knobscape.network.Window;

/// The nodes of a small network as a computation, each as ONNX defines it. Views are other indices into the same
/// tensor; the statistics of a batch normalisation are taken as folded into its scale and shift.
final class GraphComputation {
    private final Network network;
    private final ComputationBuilder builder;
    /// The stand-in for each tensor of the network; its elements lie as the network's do, under other extents
    /// perhaps.
    private final Map<String, TensorRef> refs = new HashMap<>();

    private GraphComputation(Network network) {
        this.network = network;
        builder = new ComputationBuilder(result(network));
    }

    /// Throws [UnsupportedOperatorException] for what has no meaning here.
    static Computation of(Network network) {
        var made = new GraphComputation(network);
        network.nodes().forEach(made::node);
        Computation c = made.builder.build();
        if (c.stages().isEmpty()) {
            throw new UnsupportedOperatorException("views, which compute nothing");
        }
        return c;
    }

    /// The tensor behind which there are only views.
    private static String result(Network network) {
        String out = network.outputs().getFirst();
        for (Node n : network.nodes().reversed()) {
            if (n.outputs().contains(out) && n.operator().isView()) {
                out = n.input();
            }
        }
        return out;
    }

    private List<Long> shape(String tensor) {
        return network.tensor(tensor)
                .shape()
                .map(Shape::dims)
                .orElseThrow(() -> new UnsupportedOperatorException("tensors of unknown shape"));
    }

    /// At least one extent: of a scalar, 1.
    private static List<Long> atLeastOne(List<Long> shape) {
        return shape.isEmpty() ? List.of(1L) : shape;
    }

    private TensorRef ref(String tensor) {
        return refs.computeIfAbsent(tensor, t -> builder.input(t, Role.INPUT, atLeastOne(shape(t))));
    }

    /// An element of a tensor by indices of the network's extents.
    private TensorExpression read(String tensor, List<IndexExpr> at) {
        TensorRef ref = ref(tensor);
        List<Long> own = shape(tensor);
        if (ref.shape().equals(own)) {
            return new TensorExpression.Load(ref, at);
        }
        IndexExpr flat = IndexExpr.ZERO;
        for (int i = 0; i < own.size(); i++) {
            flat = flat.times(own.get(i)).plus(at.get(i));
        }
        return new TensorExpression.Load(ref, ref.unflat(flat));
    }

    /// The same with the extents broadcast to those of another tensor, trailing axes aligned.
    private TensorExpression broadcast(String tensor, List<IndexExpr> at) {
        List<Long> own = shape(tensor);
        int skip = at.size() - own.size();
        return read(
                tensor,
                IntStream.range(0, own.size())
                        .mapToObj(i -> own.get(i) == 1 ? IndexExpr.ZERO : at.get(skip + i))
                        .toList());
    }

    private void elementwise(Node n, Function<List<IndexExpr>, TensorExpression> value) {
        List<Long> out = shape(n.output());
        TensorRef made =
                builder.elementwise(word(n), n.output(), atLeastOne(out), at -> value.apply(at.subList(0, out.size())));
        refs.put(n.output(), made);
    }

    private static String word(Node n) {
        return n.operator().label().toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]", "_");
    }

    private void node(Node n) {
        if (n.outputs().size() != 1) {
            throw new UnsupportedOperatorException(n.operator().label() + " with several results");
        }
        String x = n.input();
        String out = n.output();
        switch (n.operator()) {
            case Operator o when o.isView() -> refs.put(out, ref(x));
            case Operator.Unary u -> elementwise(n, at -> GraphFormulas.unary(u, broadcast(x, at)));
            case Operator.Clip c -> elementwise(n, at -> GraphFormulas.clamp(broadcast(x, at), c.min(), c.max()));
            case Operator.Elementwise e ->
                elementwise(
                        n,
                        at -> GraphFormulas.combined(
                                e.function(),
                                n.inputs().stream().map(i -> operand(e, i, at)).toList()));
            case Operator.BatchNorm _ ->
                elementwise(n, at -> {
                    List<IndexExpr> channel = List.of(at.size() > 1 ? at.get(1) : at.getFirst());
                    return read(x, at)
                            .times(read(n.inputs().get(1), channel))
                            .plus(read(n.inputs().get(2), channel));
                });
            case Operator.Expand _ -> elementwise(n, at -> broadcast(x, at));
            case Operator.Transpose t ->
                elementwise(n, at -> {
                    IndexExpr[] from = new IndexExpr[at.size()];
                    for (int i = 0; i < from.length; i++) {
                        from[t.order().get(i)] = at.get(i);
                    }
                    return read(x, List.of(from));
                });
            case Operator.Pad p
            when p.mode().equals("constant")
                    && p.begin().stream().allMatch(v -> v >= 0)
                    && p.end().stream().allMatch(v -> v >= 0) -> pad(n, p);
            case Operator.Concat c -> concat(n, c.axis());
            case Operator.Conv c -> {
                TensorRef made =
                        builder.convolve(bare(n, out), ref(x), ref(n.inputs().get(1)), c.window(), c.groups());
                bias(n, made, 1);
            }
            case Operator.TransposedConv c -> {
                TensorRef made = builder.convolveTransposed(
                        bare(n, out), ref(x), ref(n.inputs().get(1)), c.window(), c.groups(), shape(out));
                bias(n, made, 1);
            }
            case Operator.Gemm g -> gemm(n, g);
            case Operator.MatMul _ -> matMul(n);
            case Operator.Softmax s -> softmax(n, s);
            case Operator.LayerNorm l -> layerNorm(n, l);
            case Operator.LocalResponseNorm l -> responseNorm(n, l);
            case Operator.Pool p -> pool(n, p);
            case Operator.GlobalPool p ->
                gather(
                        n,
                        IntStream.range(2, shape(x).size()).boxed().toList(),
                        switch (p.kind()) {
                            case MAX -> "Max";
                            case AVERAGE -> "Mean";
                            case LP -> "L2";
                        });
            case Operator.Reduce r -> gather(n, r.axes(), r.function());
            case Operator other -> throw new UnsupportedOperatorException(other.label());
        }
    }

    private TensorExpression operand(Operator.Elementwise e, String tensor, List<IndexExpr> at) {
        List<Long> own = shape(tensor);
        // A slope for each channel has one extent, or those of the channels.
        boolean perChannel = e.function() == Operator.Elementwise.Function.PRELU
                && own.size() == 1
                && at.size() > 1
                && own.getFirst() > 1;
        return perChannel ? read(tensor, List.of(at.get(1))) : broadcast(tensor, at);
    }

    /// The name of a result before its bias.
    private static String bare(Node n, String out) {
        return hasBias(n) ? out + "_bare" : out;
    }

    private static boolean hasBias(Node n) {
        return n.inputs().size() > 2 && !n.inputs().get(2).isEmpty();
    }

    /// Adds the bias of a node, if it has one.
    ///
    /// @param channel axis of the channels
    private void bias(Node n, TensorRef made, int channel) {
        if (!hasBias(n)) {
            refs.put(n.output(), made);
            return;
        }
        String b = n.inputs().get(2);
        // In the extents of the product, so that it is added in registers.
        int channels = made.shape().size() - shape(n.output()).size() + 1;
        refs.put(n.output(), builder.elementwise("bias", n.output(), made.shape(), at -> {
            IndexExpr c = IndexExpr.ZERO;
            for (int i = channel; i < channel + channels; i++) {
                c = c.times(made.shape().get(i)).plus(at.get(i));
            }
            return new TensorExpression.Load(made, at).plus(read(b, List.of(c)));
        }));
    }

    private void pad(Node n, Operator.Pad p) {
        List<Long> own = shape(n.input());
        elementwise(n, at -> {
            var from = new ArrayList<IndexExpr>();
            var conditions = new ArrayList<IndexBound>();
            for (int i = 0; i < own.size(); i++) {
                from.add(at.get(i).plus(-p.begin().get(i)));
                conditions.add(new IndexBound(from.get(i), own.get(i)));
            }
            return new TensorExpression.Select(conditions, read(n.input(), from), constant(p.value()));
        });
    }

    private void concat(Node n, int axis) {
        elementwise(n, at -> {
            long start = shape(n.output()).get(axis);
            TensorExpression value = constant(0);
            for (String part : n.inputs().reversed()) {
                long extent = shape(part).get(axis);
                start -= extent;
                var from = new ArrayList<>(at);
                from.set(axis, at.get(axis).plus(-start));
                value = new TensorExpression.Select(
                        List.of(new IndexBound(from.get(axis), extent)), read(part, from), value);
            }
            return value;
        });
    }

    private void gemm(Node n, Operator.Gemm g) {
        String a = n.input();
        String b = n.inputs().get(1);
        List<Long> out = shape(n.output());
        boolean plain = g.alpha() == 1 && !hasBias(n);
        TensorRef made = builder.product(
                "dense",
                plain ? n.output() : n.output() + "_bare",
                List.of("y", "x"),
                out,
                shape(a).get(g.transposeA() ? 0 : 1),
                (at, k) -> read(a, g.transposeA() ? List.of(k.get(0), at.get(0)) : List.of(at.get(0), k.get(0)))
                        .times(read(b, g.transposeB() ? List.of(at.get(1), k.get(0)) : List.of(k.get(0), at.get(1)))));
        refs.put(n.output(), made);
        if (!plain) {
            refs.put(n.output(), builder.elementwise("bias", n.output(), out, at -> {
                TensorExpression v = new TensorExpression.Load(made, at);
                TensorExpression scaled = g.alpha() == 1 ? v : v.times(constant(g.alpha()));
                if (!hasBias(n)) {
                    return scaled;
                }
                TensorExpression c = broadcast(n.inputs().get(2), at);
                return scaled.plus(g.beta() == 1 ? c : c.times(constant(g.beta())));
            }));
        }
    }

    private void matMul(Node n) {
        String a = n.input();
        String b = n.inputs().get(1);
        List<Long> left = shape(a);
        List<Long> right = shape(b);
        List<Long> out = shape(n.output());
        if (left.size() < 2 || right.size() < 2) {
            throw new UnsupportedOperatorException("products with vectors");
        }
        int rank = out.size();
        List<String> names = IntStream.range(0, rank)
                .mapToObj(i -> i == rank - 1 ? "x" : i == rank - 2 ? "y" : "b" + i)
                .toList();
        refs.put(n.output(), builder.product("batch_matmul", n.output(), names, out, left.getLast(), (at, k) -> {
            List<IndexExpr> outer = at.subList(0, rank - 2);
            return broadcast(a, join(outer, at.get(rank - 2), k.getFirst()))
                    .times(broadcast(b, join(outer, k.getFirst(), at.get(rank - 1))));
        }));
    }

    private static List<IndexExpr> join(List<IndexExpr> outer, IndexExpr... inner) {
        return Stream.concat(outer.stream(), Stream.of(inner)).toList();
    }

    /// The extents that are not among some axes.
    private static List<Long> without(List<Long> shape, List<Integer> axes) {
        return IntStream.range(0, shape.size())
                .filter(i -> !axes.contains(i))
                .mapToObj(shape::get)
                .toList();
    }

    /// The indices that are not among some axes; 0 where none is left.
    private static List<IndexExpr> outside(List<IndexExpr> at, List<Integer> axes) {
        List<IndexExpr> left = IntStream.range(0, at.size())
                .filter(i -> !axes.contains(i))
                .mapToObj(at::get)
                .toList();
        return left.isEmpty() ? List.of(IndexExpr.ZERO) : left;
    }

    /// The indices of a whole tensor from those outside and those on some axes.
    private static List<IndexExpr> together(int rank, List<Integer> axes, List<IndexExpr> outside, List<IndexExpr> on) {
        var all = new ArrayList<IndexExpr>();
        int next = 0;
        for (int i = 0; i < rank; i++) {
            int k = axes.indexOf(i);
            all.add(k >= 0 ? on.get(k) : outside.get(next++));
        }
        return all;
    }

    /// Values of a tensor gathered over axes.
    private TensorRef over(
            String operator,
            String name,
            String tensor,
            List<Integer> axes,
            NestValue.Operator gather,
            Function<List<IndexExpr>, TensorExpression> value) {
        List<Long> shape = shape(tensor);
        return builder.reduce(
                operator,
                name,
                atLeastOne(without(shape, axes)),
                axes.stream().map(shape::get).toList(),
                gather,
                List.of(),
                (at, on) -> value.apply(together(shape.size(), axes, at, on)));
    }

    private void softmax(Node n, Operator.Softmax s) {
        String x = n.input();
        String out = n.output();
        int rank = shape(x).size();
        List<Integer> axes = IntStream.range(s.axis(), s.flattened() ? rank : s.axis() + 1)
                .boxed()
                .toList();
        TensorRef most = over("max", out + "_max", x, axes, NestValue.Operator.MAX, at -> read(x, at));
        TensorRef sum = over(
                "sum",
                out + "_sum",
                x,
                axes,
                NestValue.Operator.ADD,
                at -> read(x, at)
                        .minus(new TensorExpression.Load(most, outside(at, axes)))
                        .map(NestValue.Function.EXP));
        elementwise(n, at -> {
            TensorExpression shifted = read(x, at).minus(new TensorExpression.Load(most, outside(at, axes)));
            TensorExpression all = new TensorExpression.Load(sum, outside(at, axes));
            return s.logarithm()
                    ? shifted.minus(all.map(NestValue.Function.LOG))
                    : shifted.map(NestValue.Function.EXP).over(all);
        });
    }

    private void layerNorm(Node n, Operator.LayerNorm l) {
        String x = n.input();
        String out = n.output();
        List<Long> shape = shape(x);
        List<Integer> axes = IntStream.range(l.axis(), shape.size()).boxed().toList();
        TensorExpression count = constant(axes.stream().mapToLong(shape::get).reduce(1, (a, b) -> a * b));
        TensorRef sum = over("sum", out + "_sum", x, axes, NestValue.Operator.ADD, at -> read(x, at));
        TensorRef squares = over("sum", out + "_squares", x, axes, NestValue.Operator.ADD, at -> {
            TensorExpression centred = centred(x, sum, at, axes, count);
            return centred.times(centred);
        });
        elementwise(n, at -> {
            TensorExpression variance = new TensorExpression.Load(squares, outside(at, axes)).over(count);
            TensorExpression v = centred(x, sum, at, axes, count)
                    .over(variance.plus(constant(l.epsilon())).map(NestValue.Function.SQRT))
                    .times(broadcast(n.inputs().get(1), at));
            return hasBias(n) ? v.plus(broadcast(n.inputs().get(2), at)) : v;
        });
    }

    private TensorExpression centred(
            String x, TensorRef sum, List<IndexExpr> at, List<Integer> axes, TensorExpression count) {
        return read(x, at).minus(new TensorExpression.Load(sum, outside(at, axes)).over(count));
    }

    private void responseNorm(Node n, Operator.LocalResponseNorm l) {
        String x = n.input();
        List<Long> shape = shape(x);
        TensorRef squares = builder.reduce(
                "sum",
                n.output() + "_squares",
                shape,
                List.of((long) l.size()),
                NestValue.Operator.ADD,
                List.of(),
                (at, on) -> {
                    var from = new ArrayList<>(at);
                    from.set(1, at.get(1).plus(on.getFirst()).plus(-(l.size() - 1) / 2));
                    TensorExpression v = read(x, from);
                    return new TensorExpression.Select(
                            List.of(new IndexBound(from.get(1), shape.get(1))), v.times(v), constant(0));
                });
        elementwise(
                n,
                at -> read(x, at)
                        .over(new TensorExpression.Binary(
                                NestValue.Operator.POWER,
                                new TensorExpression.Load(squares, at)
                                        .times(constant(l.alpha() / l.size()))
                                        .plus(constant(l.bias())),
                                constant(l.beta()))));
    }

    /// A reduction by ONNX's name of it.
    private void gather(Node n, List<Integer> axes, String function) {
        String x = n.input();
        String out = n.output();
        double count = axes.stream().mapToLong(i -> shape(x).get(i)).reduce(1, (a, b) -> a * b);
        NestValue.Operator by = switch (function) {
            case "Max" -> NestValue.Operator.MAX;
            case "Min" -> NestValue.Operator.MIN;
            case "Prod" -> NestValue.Operator.MULTIPLY;
            case "Sum", "Mean", "L1", "L2", "SumSquare", "LogSum" -> NestValue.Operator.ADD;
            default -> throw new UnsupportedOperatorException("the reduction " + function);
        };
        boolean more = List.of("Mean", "L2", "LogSum").contains(function);
        TensorRef gathered =
                over(by == NestValue.Operator.MAX ? "max" : "sum", more ? out + "_sum" : out, x, axes, by, at -> {
                    TensorExpression v = read(x, at);
                    return switch (function) {
                        case "L1" -> v.map(NestValue.Function.FABS);
                        case "L2", "SumSquare" -> v.times(v);
                        default -> v;
                    };
                });
        if (!more) {
            refs.put(out, gathered);
            return;
        }
        refs.put(out, builder.elementwise(word(n), out, gathered.shape(), at -> {
            TensorExpression v = new TensorExpression.Load(gathered, at);
            return switch (function) {
                case "Mean" -> v.over(constant(count));
                case "L2" -> v.map(NestValue.Function.SQRT);
                default -> v.map(NestValue.Function.LOG);
            };
        }));
    }

    private void pool(Node n, Operator.Pool p) {
        String x = n.input();
        String out = n.output();
        Window w = p.window();
        List<Long> shape = shape(out);
        List<Long> over = w.kernel().stream().map(k -> (long) k).toList();
        boolean max = p.kind() == Operator.Gathering.MAX;
        TensorRef gathered = builder.reduce(
                "pool",
                max ? out : out + "_sum",
                shape,
                over,
                max ? NestValue.Operator.MAX : NestValue.Operator.ADD,
                ComputationBuilder.facts(w),
                (at, on) -> {
                    List<IndexExpr> from = under(w, at, on);
                    TensorExpression v = read(x, from);
                    return new TensorExpression.Select(
                            inside(from, shape(x), 0, w, false),
                            p.kind() == Operator.Gathering.LP ? v.times(v) : v,
                            constant(max ? -Float.MAX_VALUE : 0));
                });
        if (max) {
            refs.put(out, gathered);
        } else if (p.kind() == Operator.Gathering.LP) {
            refs.put(
                    out,
                    builder.elementwise(
                            "root",
                            out,
                            shape,
                            at -> new TensorExpression.Load(gathered, at).map(NestValue.Function.SQRT)));
        } else {
            refs.put(out, mean(n, p, gathered, over));
        }
    }

    /// The input's place under a window.
    private static List<IndexExpr> under(Window w, List<IndexExpr> at, List<IndexExpr> on) {
        var from = new ArrayList<>(at);
        int first = at.size() - w.rank();
        for (int i = 0; i < w.rank(); i++) {
            from.set(
                    first + i,
                    at.get(first + i)
                            .times(w.strides().get(i))
                            .plus(on.get(i).times(w.dilations().get(i)))
                            .plus(-w.padBegin().get(i)));
        }
        return from;
    }

    /// That a place is inside of the input's spatial extents, or inside of its padding too.
    ///
    /// @param skip leading axes that `from` lacks
    private static List<IndexBound> inside(
            List<IndexExpr> from, List<Long> input, int skip, Window w, boolean padding) {
        return IntStream.range(0, w.rank())
                .mapToObj(i -> {
                    IndexExpr e = from.get(i + 2 - skip);
                    return padding
                            ? new IndexBound(
                                    e.plus(w.padBegin().get(i)),
                                    input.get(i + 2)
                                            + w.padBegin().get(i)
                                            + w.padEnd().get(i))
                            : new IndexBound(e, input.get(i + 2));
                })
                .toList();
    }

    /// A sum divided by how many elements are under the window, which differs at the rim: it is counted there.
    private TensorRef mean(Node n, Operator.Pool p, TensorRef sum, List<Long> over) {
        Window w = p.window();
        List<Long> input = shape(n.input());
        List<Long> shape = shape(n.output());
        boolean full = IntStream.range(0, w.rank())
                .allMatch(i ->
                        (p.countPadding() || w.padBegin().get(i) + w.padEnd().get(i) == 0)
                                && (shape.get(i + 2) - 1) * w.strides().get(i) + w.reach(i)
                                        <= input.get(i + 2)
                                                + w.padBegin().get(i)
                                                + w.padEnd().get(i));
        if (full) {
            TensorExpression all = constant(w.kernelElements());
            return builder.elementwise("mean", n.output(), shape, at -> new TensorExpression.Load(sum, at).over(all));
        }
        TensorRef count = builder.reduce(
                "count",
                n.output() + "_count",
                shape.subList(2, shape.size()),
                over,
                NestValue.Operator.ADD,
                List.of(),
                (at, on) -> new TensorExpression.Select(
                        inside(under(w, at, on), input, 2, w, p.countPadding()), constant(1), constant(0)));
        return builder.elementwise(
                "mean",
                n.output(),
                shape,
                at -> new TensorExpression.Load(sum, at)
                        .over(new TensorExpression.Load(count, at.subList(2, at.size()))));
    }
}
