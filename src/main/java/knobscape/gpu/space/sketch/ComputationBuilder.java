package knobscape.gpu.space.sketch;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import knobscape.gpu.space.nest.Axis;
import knobscape.gpu.space.nest.IndexBound;
import knobscape.gpu.space.nest.IndexExpr;
import knobscape.gpu.space.nest.NestValue;
import knobscape.gpu.space.template.Schedule.Role;
import knobscape.network.Window;

/// Puts a computation together, stage by stage. Tensors are batch, channels, then spatial axes.
final class ComputationBuilder {
    private static final List<String> SPATIAL = List.of("z", "y", "x");
    private static final int MOST_SPATIAL = 3;
    private final List<TensorRef> inputs = new ArrayList<>();
    private final List<Stage> stages = new ArrayList<>();
    private final String output;

    /// @param output name of the tensor that is the result
    ComputationBuilder(String output) {
        this.output = output;
    }

    Computation build() {
        return new Computation(inputs, stages);
    }

    TensorRef input(String name, Role role, List<Long> shape) {
        var t = new TensorRef(name, shape, role);
        inputs.add(t);
        return t;
    }

    private TensorRef result(String name, List<Axis> space) {
        return new TensorRef(
                name, space.stream().map(Axis::extent).toList(), name.equals(output) ? Role.OUTPUT : Role.WORKSPACE);
    }

    static Axis axis(String name, long extent) {
        return new Axis(name, extent, Axis.Binding.SERIAL);
    }

    static List<Axis> axes(String prefix, List<Long> extents) {
        return IntStream.range(0, extents.size())
                .mapToObj(i -> axis(prefix + i, extents.get(i)))
                .toList();
    }

    private static List<IndexExpr> at(List<Axis> axes) {
        return axes.stream().map(IndexExpr::of).toList();
    }

    private TensorRef add(Stage s) {
        stages.add(s);
        return s.result();
    }

    /// A function of each element.
    ///
    /// @param value of the element's indices
    TensorRef elementwise(
            String operator, String name, List<Long> shape, Function<List<IndexExpr>, TensorExpression> value) {
        List<Axis> space = axes("a", shape);
        return add(Stage.elementwise(operator, result(name, space), space, value.apply(at(space))));
    }

    /// The value that a reduction gathers.
    interface Gathered {
        /// @param at indices of the element
        /// @param over indices on the axes gathered over
        TensorExpression of(List<IndexExpr> at, List<IndexExpr> over);
    }

    /// Values gathered for each element.
    ///
    /// @param over extents gathered over
    /// @param window see [Stage#window()]
    TensorRef reduce(
            String operator,
            String name,
            List<Long> shape,
            List<Long> over,
            NestValue.Operator gather,
            List<Integer> window,
            Gathered value) {
        List<Axis> space = axes("a", shape);
        List<Axis> reduce = axes("r", over);
        return add(new Stage(
                operator, result(name, space), space, reduce, gather, value.of(at(space), at(reduce)), window));
    }

    /// Convolution. With several filters per group the result has an axis for the groups, before that of a group's
    /// filters; it lies in memory as without.
    TensorRef convolve(String name, TensorRef data, TensorRef weight, Window window, int groups) {
        int rank = window.rank();
        if (rank > MOST_SPATIAL) {
            throw new UnsupportedOperatorException("convolutions over " + rank + " axes");
        }
        TensorRef padded = pad(data.name() + "_pad", data, window.padBegin(), window.padEnd());
        long channels = weight.shape().get(1);
        long filters = weight.shape().get(0) / groups;
        boolean depthwise = filters == 1 && channels == 1;
        Axis n = axis("n", data.shape().get(0));
        Axis g = axis("g", groups);
        Axis k = axis("k", depthwise ? groups : filters);
        Axis rc = axis("rc", channels);
        var space = new ArrayList<>(groups == 1 || depthwise ? List.of(n, k) : List.of(n, g, k));
        var reduce = new ArrayList<>(List.of(rc));
        IndexExpr filter = groups == 1 || depthwise
                ? IndexExpr.of(k)
                : IndexExpr.of(g).times(filters).plus(k);
        IndexExpr channel = depthwise
                ? IndexExpr.of(k)
                : (groups == 1 ? IndexExpr.ZERO : IndexExpr.of(g).times(channels)).plus(rc);
        var from = new ArrayList<>(List.of(IndexExpr.of(n), channel));
        var by = new ArrayList<>(List.of(filter, IndexExpr.of(rc)));
        for (int i = 0; i < rank; i++) {
            String spatial = SPATIAL.get(MOST_SPATIAL - rank + i);
            Axis p = axis(spatial, window.positions(i, data.shape().get(i + 2), false));
            Axis r = axis("r" + spatial, window.kernel().get(i));
            space.add(p);
            reduce.add(r);
            from.add(IndexExpr.of(p)
                    .times(window.strides().get(i))
                    .plus(IndexExpr.of(r).times(window.dilations().get(i))));
            by.add(IndexExpr.of(r));
        }
        return add(new Stage(
                groups == 1 ? "conv2d" : depthwise ? "depthwise_conv2d" : "grouped_conv2d",
                result(name, space),
                space,
                reduce,
                NestValue.Operator.ADD,
                new TensorExpression.Load(padded, from).times(new TensorExpression.Load(weight, by)),
                facts(window)));
    }

    static List<Integer> facts(Window w) {
        return Stream.of(w.kernel(), w.strides(), w.dilations())
                .flatMap(List::stream)
                .toList();
    }

    /// A margin of zeros around the spatial axes.
    private TensorRef pad(String name, TensorRef data, List<Integer> begin, List<Integer> end) {
        if (Stream.of(begin, end).flatMap(List::stream).allMatch(p -> p == 0)) {
            return data;
        }
        var shape = new ArrayList<>(data.shape());
        for (int i = 0; i < begin.size(); i++) {
            shape.set(i + 2, shape.get(i + 2) + begin.get(i) + end.get(i));
        }
        return elementwise("pad", name, shape, at -> inside(data, shift(at, begin, -1)));
    }

    static List<IndexExpr> shift(List<IndexExpr> at, List<Integer> by, int sign) {
        var moved = new ArrayList<>(at);
        for (int i = 0; i < by.size(); i++) {
            moved.set(i + 2, moved.get(i + 2).plus((long) sign * by.get(i)));
        }
        return moved;
    }

    /// An element of a tensor, 0 outside of its spatial axes.
    static TensorExpression inside(TensorRef data, List<IndexExpr> at) {
        return new TensorExpression.Select(
                bounds(data, at), new TensorExpression.Load(data, at), new TensorExpression.Constant(0));
    }

    /// That indices are inside of a tensor's spatial axes.
    static List<IndexBound> bounds(TensorRef data, List<IndexExpr> at) {
        return IntStream.range(2, at.size())
                .mapToObj(i -> new IndexBound(at.get(i), data.shape().get(i)))
                .toList();
    }

    /// Transposed convolution: a convolution, by the kernel turned round, of the data with zeros between its elements
    /// and around them. In groups the result has an axis for them, as in [#convolve].
    TensorRef convolveTransposed(
            String name, TensorRef data, TensorRef weight, Window w, int groups, List<Long> shape) {
        int rank = w.rank();
        if (rank > MOST_SPATIAL) {
            throw new UnsupportedOperatorException("transposed convolutions over " + rank + " axes");
        }
        var wide = new ArrayList<>(data.shape());
        for (int i = 0; i < rank; i++) {
            wide.set(i + 2, shape.get(i + 2) + w.reach(i) - 1);
        }
        TensorRef spread = elementwise("dilate", data.name() + "_spread", wide, at -> {
            var conditions = new ArrayList<IndexBound>();
            var from = new ArrayList<>(at);
            for (int i = 0; i < rank; i++) {
                int stride = w.strides().get(i);
                long before = w.reach(i) - 1 - w.padBegin().get(i);
                // (position - before) / stride without a negative dividend.
                long lift = Math.floorMod(-before, (long) stride);
                IndexExpr lifted = at.get(i + 2).plus(lift);
                long extent = (data.shape().get(i + 2) - 1) * stride + 1;
                conditions.add(new IndexBound(at.get(i + 2).plus(-before), extent));
                conditions.add(new IndexBound(lifted.modulo(stride), 1));
                from.set(i + 2, lifted.dividedBy(stride).plus(-(before + lift) / stride));
            }
            return new TensorExpression.Select(
                    conditions, new TensorExpression.Load(data, from), new TensorExpression.Constant(0));
        });
        Axis n = axis("n", shape.get(0));
        long channels = data.shape().get(1) / groups;
        Axis g = axis("g", groups);
        Axis k = axis("k", shape.get(1) / groups);
        Axis rc = axis("rc", channels);
        var space = new ArrayList<>(groups == 1 ? List.of(n, k) : List.of(n, g, k));
        var reduce = new ArrayList<>(List.of(rc));
        IndexExpr channel =
                groups == 1 ? IndexExpr.of(rc) : IndexExpr.of(g).times(channels).plus(rc);
        var from = new ArrayList<>(List.of(IndexExpr.of(n), channel));
        var by = new ArrayList<>(List.of(channel, IndexExpr.of(k)));
        for (int i = 0; i < rank; i++) {
            String spatial = SPATIAL.get(MOST_SPATIAL - rank + i);
            Axis p = axis(spatial, shape.get(i + 2));
            Axis r = axis("r" + spatial, w.kernel().get(i));
            space.add(p);
            reduce.add(r);
            from.add(IndexExpr.of(p).plus(IndexExpr.of(r).times(w.dilations().get(i))));
            by.add(IndexExpr.of(r).times(-1).plus(w.kernel().get(i) - 1L));
        }
        return add(new Stage(
                "conv2d_transpose",
                result(name, space),
                space,
                reduce,
                NestValue.Operator.ADD,
                new TensorExpression.Load(spread, from).times(new TensorExpression.Load(weight, by)),
                facts(w)));
    }

    /// Products summed over one axis, `rk`.
    ///
    /// @param names of the axes of the result
    TensorRef product(String operator, String name, List<String> names, List<Long> shape, long k, Gathered value) {
        List<Axis> space = IntStream.range(0, shape.size())
                .mapToObj(i -> axis(names.get(i), shape.get(i)))
                .toList();
        Axis rk = axis("rk", k);
        return add(new Stage(
                operator,
                result(name, space),
                space,
                List.of(rk),
                NestValue.Operator.ADD,
                value.of(at(space), List.of(IndexExpr.of(rk))),
                List.of()));
    }

    /// Something that no stage computes.
    static final class UnsupportedOperatorException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        /// @param what in the plural
        UnsupportedOperatorException(String what) {
            super("there is no sketch for " + what);
        }
    }
}
