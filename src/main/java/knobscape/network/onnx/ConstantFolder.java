package knobscape.network.onnx;

import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.DoubleBinaryOperator;
import java.util.function.LongBinaryOperator;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import knobscape.network.ElementType;
import knobscape.network.Operator;
import knobscape.network.Shape;
import knobscape.network.ShapeException;
import knobscape.network.ShapeInference;

/// Computes small constant tensors: the chains of Shape, Gather, Unsqueeze, Concat, Slice and arithmetic with
/// which exporters write down shapes and paddings.
final class ConstantFolder {
    private ConstantFolder() {}

    /// The value of the node's first output.
    ///
    /// @param node the node as the file has it
    /// @param operator its meaning, where it has one here
    /// @param in values of its inputs; empty for one that is not given
    /// @return empty where this operator is not folded or the result is large
    static Optional<Constant> fold(RawNode node, Operator operator, List<Optional<Constant>> in) {
        try {
            Optional<Constant> result = switch (operator) {
                case Operator.Identity _, Operator.Dropout _ -> in.getFirst();
                case Operator.Cast c -> in.getFirst().map(v -> v.cast(c.type()));
                case Operator.Reshape r -> in.getFirst().map(v -> v.reshaped(r.target()));
                case Operator.Flatten f -> in.getFirst().map(v -> v.reshaped(ShapeInference.flatten(f, v.shape())));
                case Operator.Gather g ->
                    gather(g, in.get(0).orElseThrow(), in.get(1).orElseThrow());
                case Operator.Concat c -> concat(c, in);
                case Operator.Slice s -> slice(s, in.getFirst().orElseThrow());
                case Operator.Transpose t -> transpose(t, in.getFirst().orElseThrow());
                case Operator.Expand e ->
                    in.getFirst().flatMap(v -> expand(v, ShapeInference.broadcast(v.shape(), e.target())));
                case Operator.Unary u -> unary(u, in.getFirst().orElseThrow());
                case Operator.Clip c ->
                    in.getFirst()
                            .map(v -> v.map(
                                    i -> (long) Math.min(c.max(), Math.max(c.min(), i)),
                                    r -> Math.min(c.max(), Math.max(c.min(), r))));
                case Operator.Elementwise e -> elementwise(node.type(), e, in);
                case Operator.Reduce r -> reduce(r, in.getFirst().orElseThrow());
                default -> Optional.empty();
            };
            return result.filter(c -> c.shape().elements() <= Constant.MAX_ELEMENTS);
        } catch (ArithmeticException | IndexOutOfBoundsException e) {
            throw new ShapeException("its constant inputs cannot be computed with (" + e.getMessage() + ")");
        }
    }

    private static Optional<Constant> gather(Operator.Gather g, Constant data, Constant indices) {
        Shape s = data.shape();
        long inner = s.product(g.axis() + 1, s.rank());
        long extent = s.dim(g.axis());
        Shape to = ShapeInference.gather(g, s, indices.shape());
        if (to.elements() > Constant.MAX_ELEMENTS) {
            return Optional.empty();
        }
        long picked = indices.size();
        return Optional.of(data.pick(to, i -> {
            long index = indices.ints()[(int) (i / inner % picked)];
            long at = index < 0 ? index + extent : index;
            if (at < 0 || at >= extent) {
                throw new IndexOutOfBoundsException("index " + index + " of " + extent);
            }
            return (i / inner / picked * extent + at) * inner + i % inner;
        }));
    }

    private static Optional<Constant> concat(Operator.Concat c, List<Optional<Constant>> in) {
        Shape first = in.getFirst().orElseThrow().shape();
        long extent = in.stream()
                .mapToLong(v -> v.orElseThrow().shape().dim(c.axis()))
                .sum();
        Shape to = first.with(c.axis(), extent);
        if (to.elements() > Constant.MAX_ELEMENTS) {
            return Optional.empty();
        }
        boolean integral = in.getFirst().orElseThrow().integral();
        long inner = first.product(c.axis() + 1, first.rank());
        int n = (int) to.elements();
        long[] ints = new long[integral ? n : 0];
        double[] reals = new double[integral ? 0 : n];
        long offset = 0;
        for (Optional<Constant> part : in) {
            Constant p = part.orElseThrow();
            long width = p.shape().dim(c.axis()) * inner;
            for (int i = 0; i < p.size(); i++) {
                int at = (int) (i / width * extent * inner + offset + i % width);
                if (integral) {
                    ints[at] = p.ints()[i];
                } else {
                    reals[at] = p.real(i);
                }
            }
            offset += width;
        }
        return Optional.of(new Constant(in.getFirst().orElseThrow().type(), to, ints, reals));
    }

    /// Row-major strides of a shape.
    private static long[] strides(Shape s) {
        long[] strides = new long[s.rank()];
        for (int i = 0; i < strides.length; i++) {
            strides[i] = s.product(i + 1, s.rank());
        }
        return strides;
    }

    private static Optional<Constant> slice(Operator.Slice s, Constant data) {
        Shape to = ShapeInference.slice(s, data.shape());
        long[] fromStrides = strides(data.shape());
        long[] toStrides = strides(to);
        return Optional.of(data.pick(to, i -> {
            long source = 0;
            for (int axis = 0; axis < to.rank(); axis++) {
                long at = i / toStrides[axis] % to.dim(axis);
                int named = s.axes().indexOf(axis);
                source +=
                        (named < 0 ? at : s.starts().get(named) + at * s.steps().get(named)) * fromStrides[axis];
            }
            return source;
        }));
    }

    private static Optional<Constant> transpose(Operator.Transpose t, Constant data) {
        Shape to = ShapeInference.transpose(t, data.shape());
        long[] fromStrides = strides(data.shape());
        long[] toStrides = strides(to);
        return Optional.of(data.pick(to, i -> {
            long source = 0;
            for (int axis = 0; axis < to.rank(); axis++) {
                source += i
                        / toStrides[axis]
                        % to.dim(axis)
                        * fromStrides[t.order().get(axis)];
            }
            return source;
        }));
    }

    private static Optional<Constant> expand(Constant v, Shape to) {
        if (to.elements() > Constant.MAX_ELEMENTS) {
            return Optional.empty();
        }
        return Optional.of(v.pick(to, i -> broadcastIndex(v.shape(), to, i)));
    }

    /// Index in a tensor of shape `from` that element `i` of the broadcast tensor is read at.
    private static long broadcastIndex(Shape from, Shape to, long i) {
        long rest = i;
        long source = 0;
        long stride = 1;
        for (int axis = 1; axis <= to.rank(); axis++) {
            long at = rest % to.dim(-axis);
            rest /= to.dim(-axis);
            if (axis <= from.rank()) {
                source += from.dim(-axis) == 1 ? 0 : at * stride;
                stride *= from.dim(-axis);
            }
        }
        return source;
    }

    private static Optional<Constant> unary(Operator.Unary u, Constant v) {
        return switch (u.function()) {
            case NEG -> Optional.of(v.map(Math::negateExact, x -> -x));
            case ABS -> Optional.of(v.map(Math::absExact, Math::abs));
            case FLOOR -> Optional.of(v.map(i -> i, Math::floor));
            case CEIL -> Optional.of(v.map(i -> i, Math::ceil));
            case ROUND -> Optional.of(v.map(i -> i, Math::rint));
            case SQRT -> Optional.of(v.map(i -> (long) Math.sqrt(i), Math::sqrt));
            case RECIPROCAL -> v.integral() ? Optional.empty() : Optional.of(v.map(i -> i, x -> 1 / x));
            case NOT -> Optional.of(v.map(i -> 1 - i, x -> x));
            default -> Optional.empty();
        };
    }

    private static Optional<Constant> elementwise(String type, Operator.Elementwise e, List<Optional<Constant>> in) {
        if (e.function() == Operator.Elementwise.Function.WHERE) {
            return where(
                    in.get(0).orElseThrow(), in.get(1).orElseThrow(), in.get(2).orElseThrow());
        }
        Optional<Constant> result = in.getFirst();
        for (int i = 1; i < in.size(); i++) {
            Constant b = in.get(i).orElseThrow();
            result = result.flatMap(a -> binary(type, e.function(), a, b));
        }
        return result;
    }

    private static Optional<Constant> where(Constant condition, Constant yes, Constant no) {
        Shape to = ShapeInference.broadcast(ShapeInference.broadcast(condition.shape(), yes.shape()), no.shape());
        return expand(condition, to)
                .flatMap(c -> expand(yes, to)
                        .flatMap(y -> expand(no, to).map(n -> {
                            int size = y.size();
                            return y.integral()
                                    ? Constant.ofInts(
                                            y.type(),
                                            to,
                                            IntStream.range(0, size)
                                                    .mapToLong(i -> c.ints()[i] != 0 ? y.ints()[i] : n.ints()[i])
                                                    .toArray())
                                    : Constant.ofReals(
                                            y.type(),
                                            to,
                                            IntStream.range(0, size)
                                                    .mapToDouble(i -> c.ints()[i] != 0 ? y.reals()[i] : n.reals()[i])
                                                    .toArray());
                        })));
    }

    private static Optional<Constant> binary(String type, Operator.Elementwise.Function f, Constant a, Constant b) {
        return switch (f) {
            case ADD -> apply(a, b, Math::addExact, Double::sum, a.type());
            case SUB -> apply(a, b, Math::subtractExact, (x, y) -> x - y, a.type());
            case MUL -> apply(a, b, Math::multiplyExact, (x, y) -> x * y, a.type());
            // ONNX divides integers towards zero, as C does.
            case DIV -> apply(a, b, (x, y) -> x / y, (x, y) -> x / y, a.type());
            case MOD -> apply(a, b, Math::floorMod, (x, y) -> x % y, a.type());
            case MIN -> apply(a, b, Math::min, Math::min, a.type());
            case MAX -> apply(a, b, Math::max, Math::max, a.type());
            case POW -> apply(a, b, (x, y) -> (long) Math.pow(x, y), Math::pow, a.type());
            case LOGICAL ->
                switch (type) {
                    case "Equal" -> test(a, b, (x, y) -> x == y, (x, y) -> x == y);
                    case "Greater" -> test(a, b, (x, y) -> x > y, (x, y) -> x > y);
                    case "GreaterOrEqual" -> test(a, b, (x, y) -> x >= y, (x, y) -> x >= y);
                    case "Less" -> test(a, b, (x, y) -> x < y, (x, y) -> x < y);
                    case "LessOrEqual" -> test(a, b, (x, y) -> x <= y, (x, y) -> x <= y);
                    case "And" -> test(a, b, (x, y) -> (x & y) != 0, (x, y) -> false);
                    case "Or" -> test(a, b, (x, y) -> (x | y) != 0, (x, y) -> false);
                    default -> Optional.empty();
                };
            case MEAN, PRELU, WHERE -> Optional.empty();
        };
    }

    @FunctionalInterface
    private interface LongTest {
        boolean holds(long x, long y);
    }

    @FunctionalInterface
    private interface RealTest {
        boolean holds(double x, double y);
    }

    private static Optional<Constant> test(Constant a, Constant b, LongTest onInts, RealTest onReals) {
        return apply(
                a, b, (x, y) -> onInts.holds(x, y) ? 1 : 0, (x, y) -> onReals.holds(x, y) ? 1 : 0, ElementType.BOOL);
    }

    private static Optional<Constant> apply(
            Constant a, Constant b, LongBinaryOperator onInts, DoubleBinaryOperator onReals, ElementType type) {
        if (a.integral() != b.integral()) {
            return Optional.empty();
        }
        Shape to = ShapeInference.broadcast(a.shape(), b.shape());
        if (to.elements() > Constant.MAX_ELEMENTS) {
            return Optional.empty();
        }
        Constant x = expand(a, to).orElseThrow();
        Constant y = expand(b, to).orElseThrow();
        int n = x.size();
        if (a.integral()) {
            return Optional.of(Constant.ofInts(
                    type,
                    to,
                    IntStream.range(0, n)
                            .mapToLong(i -> onInts.applyAsLong(x.ints()[i], y.ints()[i]))
                            .toArray()));
        }
        double[] values = IntStream.range(0, n)
                .mapToDouble(i -> onReals.applyAsDouble(x.reals()[i], y.reals()[i]))
                .toArray();
        return Optional.of(Constant.ofReals(a.type(), to, values).cast(type));
    }

    /// Reductions to one number, which is all that shapes need.
    private static Optional<Constant> reduce(Operator.Reduce r, Constant v) {
        if (r.axes().size() != v.shape().rank() || !v.integral()) {
            return Optional.empty();
        }
        Shape to = r.keepDims() ? new Shape(Collections.nCopies(v.shape().rank(), 1L)) : Shape.of();
        LongStream values = LongStream.of(v.ints());
        return (switch (r.function()) {
                    case "Prod" -> OptionalLong.of(values.reduce(1, Math::multiplyExact));
                    case "Sum" -> OptionalLong.of(values.reduce(0, Math::addExact));
                    case "Max" -> OptionalLong.of(values.reduce(Long.MIN_VALUE, Math::max));
                    case "Min" -> OptionalLong.of(values.reduce(Long.MAX_VALUE, Math::min));
                    default -> OptionalLong.empty();
                })
                .stream()
                        .mapToObj(result -> Constant.ofInts(v.type(), to, result))
                        .findFirst();
    }
}
