package knobscape.network;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/// Types and shapes of what an operator makes of its inputs, by the rules of the ONNX operator specification.
public final class ShapeInference {
    private ShapeInference() {}

    /// Outputs of an operator.
    ///
    /// @param inputs its inputs in order; empty for an optional input that is not given
    /// @return the outputs, of role [Tensor.Role#ACTIVATION]; without a shape where an input has none or the
    /// operator is opaque
    /// @throws ShapeException where the inputs do not fit the operator
    public static List<Tensor> outputs(Operator operator, List<Optional<Tensor>> inputs, List<String> names) {
        if (operator instanceof Operator.Opaque) {
            return names.stream()
                    .map(n -> new Tensor(n, ElementType.OTHER, Optional.empty(), Tensor.Role.ACTIVATION))
                    .toList();
        }
        Tensor first = required(inputs, 0);
        ElementType type = switch (operator) {
            case Operator.Cast c -> c.type();
            case Operator.Elementwise e when e.function() == Operator.Elementwise.Function.LOGICAL -> ElementType.BOOL;
            case Operator.Elementwise e
            when e.function() == Operator.Elementwise.Function.WHERE ->
                required(inputs, 1).type();
            default -> first.type();
        };
        boolean known = inputs.stream()
                .flatMap(Optional::stream)
                .allMatch(t -> t.shape().isPresent());
        List<Optional<Shape>> shapes = known
                ? shapes(operator, inputs).stream().map(Optional::of).toList()
                : Collections.nCopies(names.size(), Optional.empty());
        if (shapes.size() < names.size()) {
            throw new ShapeException("it makes " + shapes.size() + " tensor(s) where " + names.size() + " are named");
        }
        var made = new ArrayList<Tensor>();
        for (int i = 0; i < names.size(); i++) {
            made.add(new Tensor(names.get(i), type, shapes.get(i), Tensor.Role.ACTIVATION));
        }
        return made;
    }

    private static List<Shape> shapes(Operator operator, List<Optional<Tensor>> inputs) {
        Shape x = shape(inputs, 0);
        return switch (operator) {
            case Operator.Conv c -> List.of(conv(c, x, inputs));
            case Operator.TransposedConv c -> List.of(transposedConv(c, x, inputs));
            case Operator.Gemm g -> List.of(gemm(g, x, inputs));
            case Operator.MatMul _ -> List.of(matMul(x, shape(inputs, 1)));
            case Operator.BatchNorm _ -> List.of(batchNorm(x, inputs));
            case Operator.LayerNorm n -> List.of(withAxis(x, n.axis()));
            case Operator.LocalResponseNorm _ -> List.of(spatial(x));
            case Operator.Unary _, Operator.Clip _, Operator.Cast _, Operator.Identity _, Operator.Dropout _ ->
                List.of(x);
            case Operator.Elementwise e -> List.of(elementwise(e, x, inputs));
            case Operator.Pool p -> List.of(pool(p, x));
            case Operator.GlobalPool _ -> List.of(globalPool(x));
            case Operator.Reduce r -> List.of(reduce(r, x));
            case Operator.Concat c -> List.of(concat(c, x, inputs));
            case Operator.Split s -> split(s, x);
            case Operator.Slice s -> List.of(slice(s, x));
            case Operator.Gather g -> List.of(gather(g, x, shape(inputs, 1)));
            case Operator.Pad p -> List.of(pad(p, x));
            case Operator.Transpose t -> List.of(transpose(t, x));
            case Operator.Reshape r -> List.of(sameElements(x, r.target()));
            case Operator.Flatten f -> List.of(flatten(f, x));
            case Operator.Expand e -> List.of(broadcast(x, e.target()));
            case Operator.Resize r -> List.of(sameRank(x, r.target()));
            case Operator.DepthSpace d -> List.of(depthSpace(d, x));
            case Operator.Softmax s -> List.of(withAxis(x, s.axis()));
            case Operator.Opaque _ -> throw new IllegalStateException("opaque operators have no rule");
        };
    }

    private static Shape conv(Operator.Conv c, Shape x, List<Optional<Tensor>> inputs) {
        Shape w = shape(inputs, 1);
        Window window = spatialWindow(c.window(), x);
        if (w.rank() != x.rank()) {
            throw new ShapeException("weights " + w + " do not fit data " + x);
        }
        if (c.groups() < 1 || x.dim(1) % c.groups() != 0 || w.dim(0) % c.groups() != 0) {
            throw new ShapeException(
                    c.groups() + " groups do not divide " + x.dim(1) + " input and " + w.dim(0) + " output channels");
        }
        if (w.dim(1) * c.groups() != x.dim(1)) {
            throw new ShapeException("weights " + w + " in " + c.groups() + " group(s) want " + w.dim(1) * c.groups()
                    + " channels, the data has " + x.dim(1));
        }
        kernelAgrees(window, w);
        biasAgrees(inputs, w.dim(0));
        var dims = new ArrayList<>(List.of(x.dim(0), w.dim(0)));
        for (int i = 0; i < window.rank(); i++) {
            dims.add(window.positions(i, x.dim(i + 2), false));
        }
        return new Shape(dims);
    }

    private static Shape transposedConv(Operator.TransposedConv c, Shape x, List<Optional<Tensor>> inputs) {
        Shape w = shape(inputs, 1);
        Window window = spatialWindow(c.window(), x);
        if (w.rank() != x.rank() || w.dim(0) != x.dim(1) || c.groups() < 1 || x.dim(1) % c.groups() != 0) {
            throw new ShapeException("weights " + w + " in " + c.groups() + " group(s) do not fit data " + x);
        }
        kernelAgrees(window, w);
        long channels = Math.multiplyExact(w.dim(1), c.groups());
        biasAgrees(inputs, channels);
        var dims = new ArrayList<>(List.of(x.dim(0), channels));
        for (int i = 0; i < window.rank(); i++) {
            long out = window.strides().get(i) * (x.dim(i + 2) - 1)
                    + c.outputPadding().get(i)
                    + window.reach(i)
                    - window.padBegin().get(i)
                    - window.padEnd().get(i);
            if (out < 1) {
                throw new ShapeException("padding leaves nothing of the output");
            }
            dims.add(out);
        }
        return new Shape(dims);
    }

    private static void kernelAgrees(Window window, Shape weights) {
        for (int i = 0; i < window.rank(); i++) {
            if (weights.dim(i + 2) != window.kernel().get(i)) {
                throw new ShapeException("a kernel of " + window.kernel() + " does not agree with weights " + weights);
            }
        }
    }

    private static void biasAgrees(List<Optional<Tensor>> inputs, long channels) {
        if (inputs.size() > 2 && inputs.get(2).isPresent() && shape(inputs, 2).elements() != channels) {
            throw new ShapeException(
                    "a bias of " + shape(inputs, 2) + " does not fit " + channels + " output channels");
        }
    }

    private static Shape gemm(Operator.Gemm g, Shape a, List<Optional<Tensor>> inputs) {
        Shape b = shape(inputs, 1);
        if (a.rank() != 2 || b.rank() != 2) {
            throw new ShapeException("matrices are wanted, " + a + " and " + b + " are given");
        }
        long m = a.dim(g.transposeA() ? 1 : 0);
        long k = a.dim(g.transposeA() ? 0 : 1);
        long n = b.dim(g.transposeB() ? 0 : 1);
        long kOfB = b.dim(g.transposeB() ? 1 : 0);
        if (k != kOfB) {
            throw new ShapeException("inner extents " + k + " and " + kOfB + " differ");
        }
        Shape result = Shape.of(m, n);
        if (inputs.size() > 2
                && inputs.get(2).isPresent()
                && !broadcast(shape(inputs, 2), result).equals(result)) {
            throw new ShapeException("the summand " + shape(inputs, 2) + " does not fit the product " + result);
        }
        return result;
    }

    private static Shape matMul(Shape a, Shape b) {
        if (a.rank() == 0 || b.rank() == 0) {
            throw new ShapeException("a scalar cannot be multiplied as a matrix");
        }
        long k = a.dim(-1);
        long kOfB = b.dim(b.rank() == 1 ? 0 : -2);
        if (k != kOfB) {
            throw new ShapeException("inner extents " + k + " and " + kOfB + " differ (" + a + " by " + b + ")");
        }
        Shape outer = broadcast(
                new Shape(a.dims().subList(0, Math.max(0, a.rank() - 2))),
                new Shape(b.dims().subList(0, Math.max(0, b.rank() - 2))));
        var dims = new ArrayList<>(outer.dims());
        if (a.rank() > 1) {
            dims.add(a.dim(-2));
        }
        if (b.rank() > 1) {
            dims.add(b.dim(-1));
        }
        return new Shape(dims);
    }

    private static Shape batchNorm(Shape x, List<Optional<Tensor>> inputs) {
        long channels = x.rank() > 1 ? x.dim(1) : 1;
        for (int i = 1; i < 5; i++) {
            if (shape(inputs, i).elements() != channels) {
                throw new ShapeException(
                        "a parameter of " + shape(inputs, i) + " does not fit " + channels + " channels");
            }
        }
        return x;
    }

    private static Shape elementwise(Operator.Elementwise e, Shape x, List<Optional<Tensor>> inputs) {
        if (e.function() == Operator.Elementwise.Function.PRELU) {
            Shape slope = shape(inputs, 1);
            // PyTorch exports C x 1 x 1; older converters wrote C.
            boolean perChannel = slope.rank() == 1 && x.rank() > 1 && slope.dim(0) == x.dim(1);
            if (!perChannel && !broadcast(slope, x).equals(x)) {
                throw new ShapeException("a slope of " + slope + " does not fit " + x);
            }
            return x;
        }
        Shape all = x;
        for (int i = 1; i < inputs.size(); i++) {
            all = broadcast(all, shape(inputs, i));
        }
        return all;
    }

    /// The common shape of two tensors, trailing axes aligned, extents of 1 repeated.
    public static Shape broadcast(Shape a, Shape b) {
        int rank = Math.max(a.rank(), b.rank());
        var dims = new ArrayList<Long>(rank);
        for (int i = -rank; i < 0; i++) {
            long p = -i > a.rank() ? 1 : a.dim(i);
            long q = -i > b.rank() ? 1 : b.dim(i);
            if (p != q && p != 1 && q != 1) {
                throw new ShapeException(a + " and " + b + " cannot be broadcast together");
            }
            dims.add(p == 1 ? q : p);
        }
        return new Shape(dims);
    }

    private static Shape pool(Operator.Pool p, Shape x) {
        Window window = spatialWindow(p.window(), x);
        var dims = new ArrayList<>(List.of(x.dim(0), x.dim(1)));
        for (int i = 0; i < window.rank(); i++) {
            dims.add(window.positions(i, x.dim(i + 2), p.ceil()));
        }
        return new Shape(dims);
    }

    private static Shape globalPool(Shape x) {
        var dims = new ArrayList<>(spatial(x).dims());
        for (int i = 2; i < dims.size(); i++) {
            dims.set(i, 1L);
        }
        return new Shape(dims);
    }

    private static Shape reduce(Operator.Reduce r, Shape x) {
        var dims = new ArrayList<Long>();
        for (int axis : r.axes()) {
            withAxis(x, axis);
        }
        for (int i = 0; i < x.rank(); i++) {
            if (!r.axes().contains(i)) {
                dims.add(x.dim(i));
            } else if (r.keepDims()) {
                dims.add(1L);
            }
        }
        return new Shape(dims);
    }

    private static Shape concat(Operator.Concat c, Shape x, List<Optional<Tensor>> inputs) {
        withAxis(x, c.axis());
        long extent = 0;
        for (int i = 0; i < inputs.size(); i++) {
            Shape part = shape(inputs, i);
            if (part.rank() != x.rank() || !part.with(c.axis(), 0).equals(x.with(c.axis(), 0))) {
                throw new ShapeException(x + " and " + part + " cannot stand behind one another on axis " + c.axis());
            }
            extent = Math.addExact(extent, part.dim(c.axis()));
        }
        return x.with(c.axis(), extent);
    }

    private static List<Shape> split(Operator.Split s, Shape x) {
        withAxis(x, s.axis());
        long sum = 0;
        for (long size : s.sizes()) {
            if (size < 0) {
                throw new ShapeException("a piece of " + size + " elements is asked for");
            }
            sum = Math.addExact(sum, size);
        }
        if (sum != x.dim(s.axis())) {
            throw new ShapeException("pieces of " + s.sizes() + " do not make up the extent " + x.dim(s.axis()));
        }
        return s.sizes().stream().map(size -> x.with(s.axis(), size)).toList();
    }

    /// The shape of a regular part.
    public static Shape slice(Operator.Slice s, Shape x) {
        Shape result = x;
        for (int i = 0; i < s.axes().size(); i++) {
            withAxis(x, s.axes().get(i));
            long last = s.starts().get(i) + (s.counts().get(i) - 1) * s.steps().get(i);
            if (s.counts().get(i) > 0
                    && (s.starts().get(i) < 0
                            || last < 0
                            || Math.max(last, s.starts().get(i))
                                    >= x.dim(s.axes().get(i)))) {
                throw new ShapeException(
                        "the slice leaves " + x + " on axis " + s.axes().get(i));
            }
            result = result.with(s.axes().get(i), s.counts().get(i));
        }
        return result;
    }

    /// A shape with the axis picked on replaced by the extents of the indices.
    public static Shape gather(Operator.Gather g, Shape x, Shape indices) {
        withAxis(x, g.axis());
        var dims = new ArrayList<>(x.dims().subList(0, g.axis()));
        dims.addAll(indices.dims());
        dims.addAll(x.dims().subList(g.axis() + 1, x.rank()));
        return new Shape(dims);
    }

    private static Shape pad(Operator.Pad p, Shape x) {
        if (p.begin().size() != x.rank() || p.end().size() != x.rank()) {
            throw new ShapeException("margins for " + p.begin().size() + " axes do not fit " + x);
        }
        var dims = new ArrayList<Long>();
        for (int i = 0; i < x.rank(); i++) {
            dims.add(Math.addExact(
                    x.dim(i), Math.addExact(p.begin().get(i), p.end().get(i))));
        }
        return new Shape(dims);
    }

    /// A shape with its axes in another order.
    public static Shape transpose(Operator.Transpose t, Shape x) {
        if (t.order().size() != x.rank()
                || !t.order().stream()
                        .sorted()
                        .toList()
                        .equals(IntStream.range(0, x.rank()).boxed().toList())) {
            throw new ShapeException("the order " + t.order() + " does not fit " + x);
        }
        return new Shape(t.order().stream().map(x::dim).toList());
    }

    private static Shape sameElements(Shape x, Shape target) {
        if (x.elements() != target.elements()) {
            throw new ShapeException(x + " cannot be viewed as " + target);
        }
        return target;
    }

    private static Shape sameRank(Shape x, Shape target) {
        if (x.rank() != target.rank()) {
            throw new ShapeException(x + " cannot be resampled to " + target);
        }
        return target;
    }

    /// The two extents that are left of a shape.
    public static Shape flatten(Operator.Flatten f, Shape x) {
        if (f.axis() < 0 || f.axis() > x.rank()) {
            throw new ShapeException("axis " + f.axis() + " is not in " + x);
        }
        return Shape.of(x.product(0, f.axis()), x.product(f.axis(), x.rank()));
    }

    private static Shape depthSpace(Operator.DepthSpace d, Shape x) {
        long b = d.block();
        if (x.rank() != 4
                || b < 1
                || (d.toSpace() ? x.dim(1) % (b * b) != 0 : x.dim(2) % b != 0 || x.dim(3) % b != 0)) {
            throw new ShapeException("blocks of " + b + " do not fit " + x);
        }
        return d.toSpace()
                ? Shape.of(x.dim(0), x.dim(1) / (b * b), x.dim(2) * b, x.dim(3) * b)
                : Shape.of(x.dim(0), x.dim(1) * b * b, x.dim(2) / b, x.dim(3) / b);
    }

    private static Shape withAxis(Shape x, int axis) {
        if (axis < 0 || axis >= x.rank()) {
            throw new ShapeException("axis " + axis + " is not in " + x);
        }
        return x;
    }

    private static Shape spatial(Shape x) {
        if (x.rank() < 3) {
            throw new ShapeException("batch, channels and positions are wanted, " + x + " is given");
        }
        return x;
    }

    private static Window spatialWindow(Window w, Shape x) {
        if (spatial(x).rank() != w.rank() + 2) {
            throw new ShapeException("a window on " + w.rank() + " axes does not fit " + x);
        }
        return w;
    }

    private static Tensor required(List<Optional<Tensor>> inputs, int index) {
        if (index >= inputs.size() || inputs.get(index).isEmpty()) {
            throw new ShapeException("input " + (index + 1) + " is missing");
        }
        return inputs.get(index).get();
    }

    private static Shape shape(List<Optional<Tensor>> inputs, int index) {
        return required(inputs, index).shape().orElseThrow();
    }
}
