package knobscape.gpu.space.sketch;

import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import knobscape.gpu.space.nest.Axis;
import knobscape.gpu.space.nest.IndexBound;
import knobscape.gpu.space.nest.IndexExpr;
import knobscape.gpu.space.nest.NestValue;

/// A float computed of elements of tensors, which are addressed axis by axis; what [NestValue] is for kernels.
public sealed interface TensorExpression {
    /// An element of a tensor.
    ///
    /// @param tensor the tensor
    /// @param at one index for each axis
    record Load(TensorRef tensor, List<IndexExpr> at) implements TensorExpression {
        /// Copies the indices.
        public Load {
            at = List.copyOf(at);
            if (at.size() != tensor.shape().size()) {
                throw new IllegalArgumentException(tensor + " has not " + at.size() + " axes");
            }
        }
    }

    /// A constant.
    record Constant(double value) implements TensorExpression {}

    /// Two values combined.
    record Binary(NestValue.Operator operator, TensorExpression left, TensorExpression right)
            implements TensorExpression {}

    /// A function of a value.
    record Unary(NestValue.Function function, TensorExpression of) implements TensorExpression {}

    /// One value where all conditions hold, else another; only the chosen one exists.
    record Select(List<IndexBound> conditions, TensorExpression then, TensorExpression otherwise)
            implements TensorExpression {
        /// Copies the conditions.
        public Select {
            conditions = List.copyOf(conditions);
        }
    }

    /// Sum.
    default TensorExpression plus(TensorExpression other) {
        return new Binary(NestValue.Operator.ADD, this, other);
    }

    /// Difference.
    default TensorExpression minus(TensorExpression other) {
        return new Binary(NestValue.Operator.SUBTRACT, this, other);
    }

    /// Product.
    default TensorExpression times(TensorExpression other) {
        return new Binary(NestValue.Operator.MULTIPLY, this, other);
    }

    /// Quotient.
    default TensorExpression over(TensorExpression other) {
        return new Binary(NestValue.Operator.DIVIDE, this, other);
    }

    /// The larger one.
    default TensorExpression max(TensorExpression other) {
        return new Binary(NestValue.Operator.MAX, this, other);
    }

    /// The smaller one.
    default TensorExpression min(TensorExpression other) {
        return new Binary(NestValue.Operator.MIN, this, other);
    }

    /// A function of it.
    default TensorExpression map(NestValue.Function function) {
        return new Unary(function, this);
    }

    /// Every load in it, from left to right.
    default void loads(Consumer<Load> each) {
        switch (this) {
            case Load l -> each.accept(l);
            case Constant _ -> {}
            case Binary b -> {
                b.left().loads(each);
                b.right().loads(each);
            }
            case Unary u -> u.of().loads(each);
            case Select s -> {
                s.then().loads(each);
                s.otherwise().loads(each);
            }
        }
    }

    /// The expression with indices rewritten and loads replaced.
    ///
    /// @param index rewrites axes
    /// @param load replaces a load whose indices are rewritten already
    default TensorExpression rewrite(Function<Axis, IndexExpr> index, Function<Load, TensorExpression> load) {
        return switch (this) {
            case Load l ->
                load.apply(new Load(
                        l.tensor(),
                        l.at().stream().map(e -> e.substitute(index)).toList()));
            case Constant c -> c;
            case Binary b ->
                new Binary(
                        b.operator(), b.left().rewrite(index, load), b.right().rewrite(index, load));
            case Unary u -> new Unary(u.function(), u.of().rewrite(index, load));
            case Select s ->
                new Select(
                        s.conditions().stream()
                                .map(c -> new IndexBound(c.index().substitute(index), c.limit()))
                                .toList(),
                        s.then().rewrite(index, load),
                        s.otherwise().rewrite(index, load));
        };
    }

    /// The value that a kernel computes; zeros outside of a tensor become conditions of the load.
    ///
    /// @param load what a load is in the kernel, the conditions being what must hold for it to exist
    default NestValue value(Function<Load, ? extends NestValue> load) {
        return switch (this) {
            case Load l -> load.apply(l);
            case Constant c -> new NestValue.Constant(c.value());
            case Binary b ->
                new NestValue.Binary(
                        b.operator(), b.left().value(load), b.right().value(load));
            case Unary u -> new NestValue.Unary(u.function(), u.of().value(load));
            case Select s -> {
                List<IndexBound> open =
                        s.conditions().stream().filter(c -> !c.isAlwaysTrue()).toList();
                NestValue then = s.then().value(load);
                if (open.isEmpty()) {
                    yield then;
                }
                yield then instanceof NestValue.Load l
                                && l.conditions().isEmpty()
                                && s.otherwise().equals(new Constant(0))
                        ? new NestValue.Load(l.buffer(), l.index(), open)
                        : new NestValue.Select(open, then, s.otherwise().value(load));
            }
        };
    }

    /// Its value in double precision, of an expression that needs no conditions.
    ///
    /// @param load what a load gives
    default double evaluate(ToDoubleFunction<Load> load) {
        return switch (this) {
            case Load l -> load.applyAsDouble(l);
            case Constant c -> c.value();
            case Binary b -> b.operator().of(b.left().evaluate(load), b.right().evaluate(load));
            case Unary u -> u.function().of(u.of().evaluate(load));
            case Select _ -> throw new IllegalArgumentException("conditions need places");
        };
    }
}
