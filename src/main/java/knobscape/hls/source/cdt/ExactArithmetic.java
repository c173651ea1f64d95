package knobscape.hls.source.cdt;

import java.math.BigInteger;
import knobscape.hls.source.exact.ExactExpression;
import knobscape.hls.source.exact.ExactExpression.Operator;
import knobscape.hls.source.exact.ExactExpression.Sign;
import knobscape.hls.source.exact.ExactType;
import knobscape.hls.source.exact.ExactType.Arbitrary;
import knobscape.hls.source.exact.ExactType.Int;
import knobscape.hls.source.exact.ExactType.Pointer;
import knobscape.hls.source.exact.ExactType.Real;
import org.eclipse.cdt.core.dom.ast.IASTBinaryExpression;
import org.eclipse.cdt.core.dom.ast.IASTNode;

/// Types of results, and the conversions that C's rules and those of the ap types ask for. Source of the
/// latter: `ap_int_base.h` and `ap_fixed_base.h` of Xilinx's HLS_arbitrary_Precision_Types.
final class ExactArithmetic {
    private final boolean cpp;

    ExactArithmetic(boolean cpp) {
        this.cpp = cpp;
    }

    /// `value` as a `to`, where C converts by itself or a cast asks for it.
    ExactExpression convert(ExactExpression value, ExactType to, IASTNode node) {
        ExactType from = value.type();
        if (from.equals(to)) {
            return value;
        }
        if (to instanceof ExactType.Nothing) {
            return value;
        }
        boolean numbers = isNumber(from) && isNumber(to);
        boolean addresses = (from instanceof Pointer && (to instanceof Pointer || to instanceof ExactType.Bool))
                || (to instanceof Pointer
                        && value instanceof ExactExpression.Whole w
                        && w.value().signum() == 0);
        if (!numbers && !addresses) {
            throw new NotExact("a conversion from " + name(from) + " to " + name(to), node);
        }
        if (value instanceof ExactExpression.Whole w && from.isInteger() && to instanceof Int i) {
            return new ExactExpression.Whole(wrapped(w.value(), i), i);
        }
        return new ExactExpression.Convert(value, to);
    }

    private static BigInteger wrapped(BigInteger v, Int to) {
        long low = v.longValue();
        if (to.bits() == 64) {
            return to.signed() || low >= 0
                    ? BigInteger.valueOf(low)
                    : BigInteger.valueOf(low).add(BigInteger.ONE.shiftLeft(64));
        }
        int gone = 64 - to.bits();
        return BigInteger.valueOf(to.signed() ? low << gone >> gone : low << gone >>> gone);
    }

    static boolean isNumber(ExactType t) {
        return t instanceof ExactType.Bool || t instanceof Int || t instanceof Real || t instanceof Arbitrary;
    }

    static String name(ExactType t) {
        return switch (t) {
            case ExactType.Struct s -> s.name();
            case ExactType.Pointer p -> "an address";
            case ExactType.Array a -> "an array";
            case ExactType.Stream s -> "a stream";
            case ExactType.Nothing n -> "void";
            case ExactType.Named n -> n.name();
            default -> t.bits() + " bits";
        };
    }

    /// The value as a truth value.
    ExactExpression truth(ExactExpression value, IASTNode node) {
        return convert(value, ExactType.BOOL, node);
    }

    /// A truth value as the language has it: `int` in C.
    ExactExpression fromTruth(ExactExpression truth) {
        return cpp ? truth : new ExactExpression.Convert(truth, ExactType.INT);
    }

    /// The type that an integer of C computes in.
    static ExactType promoted(ExactType t) {
        return t instanceof ExactType.Bool || (t instanceof Int i && i.bits() < 32) ? ExactType.INT : t;
    }

    /// The type that two numbers of C meet in.
    static ExactType common(ExactType a, ExactType b) {
        if (a instanceof Real || b instanceof Real) {
            int x = a instanceof Real r ? r.bits() : 0;
            int y = b instanceof Real r ? r.bits() : 0;
            return new Real(Math.max(x, y));
        }
        ExactType x = promoted(a);
        ExactType y = promoted(b);
        if (x.bits() == y.bits()) {
            return new Int(x.bits(), x.signed() && y.signed());
        }
        return x.bits() > y.bits() ? x : y;
    }

    static Operator operator(int cdt, IASTNode node) {
        return switch (cdt) {
            case IASTBinaryExpression.op_plus -> Operator.ADD;
            case IASTBinaryExpression.op_minus -> Operator.SUBTRACT;
            case IASTBinaryExpression.op_multiply -> Operator.MULTIPLY;
            case IASTBinaryExpression.op_divide -> Operator.DIVIDE;
            case IASTBinaryExpression.op_modulo -> Operator.REMAINDER;
            case IASTBinaryExpression.op_shiftLeft -> Operator.SHIFT_LEFT;
            case IASTBinaryExpression.op_shiftRight -> Operator.SHIFT_RIGHT;
            case IASTBinaryExpression.op_binaryAnd -> Operator.AND;
            case IASTBinaryExpression.op_binaryOr -> Operator.OR;
            case IASTBinaryExpression.op_binaryXor -> Operator.XOR;
            case IASTBinaryExpression.op_lessThan -> Operator.LESS;
            case IASTBinaryExpression.op_lessEqual -> Operator.LESS_EQUAL;
            case IASTBinaryExpression.op_greaterThan -> Operator.GREATER;
            case IASTBinaryExpression.op_greaterEqual -> Operator.GREATER_EQUAL;
            case IASTBinaryExpression.op_equals -> Operator.EQUAL;
            case IASTBinaryExpression.op_notequals -> Operator.NOT_EQUAL;
            default -> throw new NotExact("the operator in " + Nodes.text(node), node);
        };
    }

    /// `left operator right`, with what is converted first.
    ExactExpression binary(Operator operator, ExactExpression left, ExactExpression right, IASTNode node) {
        ExactType a = left.type();
        ExactType b = right.type();
        if (a instanceof Pointer || b instanceof Pointer) {
            return addresses(operator, left, right, node);
        }
        if (!isNumber(a) || !isNumber(b)) {
            throw new NotExact("an operator of " + name(isNumber(a) ? b : a), node);
        }
        if (a instanceof Arbitrary || b instanceof Arbitrary) {
            return arbitrary(operator, left, right, node);
        }
        if (operator.shifts()) {
            ExactType t = promoted(a);
            return new ExactExpression.Binary(operator, convert(left, t, node), convert(right, promoted(b), node), t);
        }
        ExactType t = common(a, b);
        var made = new ExactExpression.Binary(
                operator, convert(left, t, node), convert(right, t, node), operator.compares() ? ExactType.BOOL : t);
        if (t instanceof Real && operator.ordinal() >= Operator.REMAINDER.ordinal() && !operator.compares()) {
            throw new NotExact("an operator of integers on floating-point numbers", node);
        }
        return operator.compares() ? fromTruth(made) : made;
    }

    private ExactExpression addresses(Operator operator, ExactExpression left, ExactExpression right, IASTNode node) {
        if (operator.compares()) {
            ExactType t = left.type() instanceof Pointer ? left.type() : right.type();
            return fromTruth(new ExactExpression.Binary(
                    operator, convert(left, t, node), convert(right, t, node), ExactType.BOOL));
        }
        if (operator == Operator.SUBTRACT && left.type() instanceof Pointer p && right.type() instanceof Pointer) {
            return new ExactExpression.Distance(left, right, p.target().size());
        }
        boolean swapped = right.type() instanceof Pointer;
        ExactExpression address = swapped ? right : left;
        ExactExpression by = swapped ? left : right;
        if (!(by.type() instanceof Int || by.type() instanceof ExactType.Bool)
                || (operator != Operator.ADD && (swapped || operator != Operator.SUBTRACT))) {
            throw new NotExact("this arithmetic with addresses", node);
        }
        ExactExpression n = convert(by, new Int(64, true), node);
        return new ExactExpression.Moved(
                address,
                operator == Operator.ADD ? n : new ExactExpression.Unary(Sign.NEGATE, n, n.type()),
                address.type());
    }

    private ExactExpression arbitrary(Operator operator, ExactExpression left, ExactExpression right, IASTNode node) {
        ExactType a = left.type();
        ExactType b = right.type();
        if (operator.shifts()) {
            if (!(a instanceof Arbitrary)) {
                ExactType t = promoted(a);
                return new ExactExpression.Binary(
                        operator, convert(left, t, node), convert(right, ExactType.INT, node), t);
            }
            ExactExpression amount = right.type() instanceof Int ? right : convert(right, ExactType.INT, node);
            return new ExactExpression.Binary(operator, left, amount, a);
        }
        if (a instanceof Real || b instanceof Real) {
            // The headers convert the other operand to it; comparisons are made in double.
            ExactType t = operator.compares() ? new Real(64) : a instanceof Real ? a : b;
            return binary(operator, convert(left, t, node), convert(right, t, node), node);
        }
        Arbitrary x = asArbitrary(a);
        Arbitrary y = asArbitrary(b);
        ExactExpression l = convert(left, x, node);
        ExactExpression r = convert(right, y, node);
        if (operator.compares()) {
            return fromTruth(new ExactExpression.Binary(operator, l, r, ExactType.BOOL));
        }
        return new ExactExpression.Binary(operator, l, r, result(operator, x, y, node));
    }

    /// A number of C as an `ap_int` of its width.
    static Arbitrary asArbitrary(ExactType t) {
        return t instanceof Arbitrary a ? a : Arbitrary.integer(t.bits(), t.signed());
    }

    private static Arbitrary result(Operator operator, Arbitrary x, Arbitrary y, IASTNode node) {
        boolean fixed = x.fixed() || y.fixed();
        int fx = x.fraction();
        int fy = y.fraction();
        int ix = x.bits() - fx;
        int iy = y.bits() - fy;
        boolean signed = x.signed() || y.signed();
        int whole = Math.max(ix + (y.signed() && !x.signed() ? 1 : 0), iy + (x.signed() && !y.signed() ? 1 : 0));
        int fraction = Math.max(fx, fy);
        int extra = y.signed() ? 1 : 0;
        return switch (operator) {
            case ADD, SUBTRACT -> made(fixed, whole + 1 + fraction, fraction, operator == Operator.SUBTRACT || signed);
            case MULTIPLY -> made(fixed, x.bits() + y.bits(), fx + fy, signed);
            case AND, OR, XOR -> made(fixed, whole + fraction, fraction, signed);
            case DIVIDE -> {
                int bits = extra + x.bits() + (fixed ? Math.max(fy, 0) : 0);
                yield made(fixed, bits, bits - (extra + ix + fy), signed);
            }
            default -> {
                if (fixed) {
                    throw new NotExact("% of fixed-point numbers", node);
                }
                yield Arbitrary.integer(Math.min(x.bits(), y.bits() + (!y.signed() && x.signed() ? 1 : 0)), x.signed());
            }
        };
    }

    private static Arbitrary made(boolean fixed, int bits, int fraction, boolean signed) {
        return fixed ? Arbitrary.fixed(bits, fraction, signed) : Arbitrary.integer(bits, signed);
    }

    /// `-x` and `~x`.
    ExactExpression unary(Sign sign, ExactExpression operand, IASTNode node) {
        ExactType t = operand.type();
        if (!isNumber(t) || (sign == Sign.INVERT && t instanceof Real)) {
            throw new NotExact("an operator of " + name(t), node);
        }
        if (t instanceof Arbitrary a) {
            return new ExactExpression.Unary(
                    sign, operand, sign == Sign.INVERT ? a : made(a.fixed(), a.bits() + 1, a.fraction(), true));
        }
        ExactType p = promoted(t);
        return new ExactExpression.Unary(sign, convert(operand, p, node), p);
    }

    /// The types that `place operator= operand` computes in: of the old value, and of the result.
    ExactExpression update(
            knobscape.hls.source.exact.ExactPlace place,
            Operator operator,
            ExactExpression operand,
            boolean old,
            IASTNode node) {
        ExactType t = place.type();
        if (t instanceof Pointer) {
            if (operator != Operator.ADD && operator != Operator.SUBTRACT) {
                throw new NotExact("this arithmetic with addresses", node);
            }
            return new ExactExpression.Update(place, operator, convert(operand, new Int(64, true), node), t, t, old);
        }
        ExactExpression plain = binary(operator, new ExactExpression.Load(place), operand, node);
        if (!(plain instanceof ExactExpression.Binary b)) {
            throw new NotExact("this assignment", node);
        }
        convert(plain, t, node);
        return new ExactExpression.Update(place, operator, b.right(), b.left().type(), b.type(), old);
    }
}
