package knobscape.hls.rtl;

import java.util.List;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/// A combinational value of 1 to 64 bits. Every value is a bit pattern; operators say where it is taken as signed.
public sealed interface Expr {
    /// Bits of the value.
    int width();

    /// A constant.
    ///
    /// @param value its bits, the ones above `width` are 0
    record Bits(long value, int width) implements Expr {
        public Bits {
            check(width);
            value = mask(value, width);
        }
    }

    /// A signal of the module by name.
    record Ref(String name, int width) implements Expr {
        public Ref {
            check(width);
        }
    }

    /// Bits of another value from `low` upwards.
    record Part(Expr of, int low, int width) implements Expr {
        public Part {
            check(width);
            if (low < 0 || low + width > of.width()) {
                throw new IllegalArgumentException(width + " bits from " + low + " of " + of.width());
            }
        }
    }

    /// Another value made wider.
    ///
    /// @param signed whether the new bits are copies of the highest one
    record Extended(Expr of, int width, boolean signed) implements Expr {
        public Extended {
            check(width);
            if (width < of.width()) {
                throw new IllegalArgumentException(of.width() + " bits do not extend to " + width);
            }
        }
    }

    /// An operator over others.
    record Applied(Operator operator, List<Expr> operands, int width) implements Expr {
        public Applied {
            operands = List.copyOf(operands);
            check(width);
        }
    }

    /// The operation of an [Applied]. Operands of arithmetic, logic and comparisons have one width.
    enum Operator {
        /// Sum without the carry.
        ADD,
        /// Difference without the borrow.
        SUB,
        /// Low bits of the product of two bit patterns.
        MUL,
        /// Low bits of the product of two signed numbers of any widths.
        SIGNED_MUL,
        AND,
        OR,
        XOR,
        NOT,
        /// One bit: equal.
        EQUAL,
        /// One bit: less as numbers without sign.
        LESS,
        /// One bit: less as numbers with sign.
        SIGNED_LESS,
        /// The first shifted left by the second, which has any width.
        SHIFT_LEFT,
        /// The first shifted right by the second, zeros come in.
        SHIFT_RIGHT,
        /// The first shifted right by the second, copies of its sign come in.
        SIGNED_SHIFT_RIGHT,
        /// The second where the first (one bit) is 1, else the third.
        SELECT,
        /// The first above the second above the others.
        CONCAT,
        /// One bit: whether any bit is 1.
        ANY
    }

    /// The bits of `value` that a width of `width` holds.
    static long mask(long value, int width) {
        return width >= Long.SIZE ? value : value & ((1L << width) - 1);
    }

    private static void check(int width) {
        if (width < 1 || width > Long.SIZE) {
            throw new IllegalArgumentException("a value of " + width + " bits");
        }
    }

    /// A constant.
    static Expr bits(long value, int width) {
        return new Bits(value, width);
    }

    /// One bit from `low`, and those above.
    default Expr part(int low, int width) {
        return low == 0 && width == width()
                ? this
                : this instanceof Bits b ? new Bits(b.value() >>> low, width) : new Part(this, low, width);
    }

    /// One bit.
    default Expr bit(int at) {
        return part(at, 1);
    }

    /// The highest bit.
    default Expr sign() {
        return bit(width() - 1);
    }

    /// With zeros above.
    default Expr zeros(int width) {
        return width == width()
                ? this
                : this instanceof Bits b ? new Bits(b.value(), width) : new Extended(this, width, false);
    }

    /// With copies of the highest bit above.
    default Expr signs(int width) {
        if (width == width()) {
            return this;
        }
        return this instanceof Bits b
                ? new Bits(b.value() << (Long.SIZE - b.width()) >> (Long.SIZE - b.width()), width)
                : new Extended(this, width, true);
    }

    /// Cut or extended with its sign.
    default Expr fit(int width) {
        return width <= width() ? part(0, width) : signs(width);
    }

    private Expr with(Operator o, Expr other, int width) {
        if (width() != other.width()) {
            throw new IllegalArgumentException(o + " of " + width() + " and " + other.width() + " bits");
        }
        return new Applied(o, List.of(this, other), width);
    }

    /// Sum.
    default Expr plus(Expr other) {
        return with(Operator.ADD, other, width());
    }

    /// Difference.
    default Expr minus(Expr other) {
        return with(Operator.SUB, other, width());
    }

    /// Low bits of the product.
    default Expr times(Expr other) {
        return with(Operator.MUL, other, width());
    }

    /// Low `width` bits of the product of signed numbers.
    default Expr signedTimes(Expr other, int width) {
        return new Applied(Operator.SIGNED_MUL, List.of(this, other), width);
    }

    /// Bitwise and.
    default Expr and(Expr other) {
        return with(Operator.AND, other, width());
    }

    /// Bitwise or.
    default Expr or(Expr other) {
        return with(Operator.OR, other, width());
    }

    /// Bitwise exclusive or.
    default Expr xor(Expr other) {
        return with(Operator.XOR, other, width());
    }

    /// Bitwise complement.
    default Expr not() {
        return new Applied(Operator.NOT, List.of(this), width());
    }

    /// 1 if both are the same.
    default Expr equal(Expr other) {
        return with(Operator.EQUAL, other, 1);
    }

    /// 1 if it is this constant.
    default Expr is(long value) {
        return equal(bits(value, width()));
    }

    /// 1 if it is less, without sign.
    default Expr less(Expr other) {
        return with(Operator.LESS, other, 1);
    }

    /// 1 if it is less, with sign.
    default Expr signedLess(Expr other) {
        return with(Operator.SIGNED_LESS, other, 1);
    }

    /// Shifted left by a value.
    default Expr shiftLeft(Expr by) {
        return new Applied(Operator.SHIFT_LEFT, List.of(this, by), width());
    }

    /// Shifted right by a value, zeros come in.
    default Expr shiftRight(Expr by) {
        return new Applied(Operator.SHIFT_RIGHT, List.of(this, by), width());
    }

    /// Shifted right by a value, copies of the sign come in.
    default Expr signedShiftRight(Expr by) {
        return new Applied(Operator.SIGNED_SHIFT_RIGHT, List.of(this, by), width());
    }

    /// `yes` where this bit is 1, else `no`.
    default Expr select(Expr yes, Expr no) {
        if (width() != 1 || yes.width() != no.width()) {
            throw new IllegalArgumentException(
                    "a choice by " + width() + " bits of " + yes.width() + " and " + no.width());
        }
        return new Applied(Operator.SELECT, List.of(this, yes, no), yes.width());
    }

    /// 1 if any bit is 1.
    default Expr any() {
        return width() == 1 ? this : new Applied(Operator.ANY, List.of(this), 1);
    }

    /// This value above others.
    static Expr concat(Expr... parts) {
        int sum = 0;
        for (Expr e : parts) {
            sum += e.width();
        }
        return parts.length == 1 ? parts[0] : new Applied(Operator.CONCAT, List.of(parts), sum);
    }

    /// The same over other signals.
    default Expr over(UnaryOperator<Ref> change) {
        return switch (this) {
            case Bits b -> b;
            case Ref r -> change.apply(r);
            case Part p -> new Part(p.of().over(change), p.low(), p.width());
            case Extended x -> new Extended(x.of().over(change), x.width(), x.signed());
            case Applied a ->
                new Applied(
                        a.operator(),
                        a.operands().stream().map(e -> e.over(change)).toList(),
                        a.width());
        };
    }

    /// Shows every signal that it reads.
    default void reads(Consumer<Ref> to) {
        switch (this) {
            case Bits _ -> {}
            case Ref r -> to.accept(r);
            case Part p -> p.of().reads(to);
            case Extended x -> x.of().reads(to);
            case Applied a -> a.operands().forEach(e -> e.reads(to));
        }
    }
}
