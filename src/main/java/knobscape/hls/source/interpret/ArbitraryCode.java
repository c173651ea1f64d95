package knobscape.hls.source.interpret;

import java.math.BigInteger;
import knobscape.hls.source.exact.ExactExpression.Operator;
import knobscape.hls.source.exact.ExactExpression.Sign;
import knobscape.hls.source.exact.ExactType;
import knobscape.hls.source.exact.ExactType.Arbitrary;

/// Code for operators of `ap_int` and `ap_fixed`. The result type has room for the exact result of `+ - *`;
/// division cuts off towards zero.
final class ArbitraryCode {
    private ArbitraryCode() {}

    static Value binary(Operator operator, Value left, Value right, ExactType type) {
        if (operator.shifts()) {
            return shift(operator, left, right, (Arbitrary) type);
        }
        ExactType a = left.type();
        ExactType b = right.type();
        int fraction = Math.max(a.fraction(), b.fraction());
        if (operator.compares()) {
            return compare(operator, left, right, fraction);
        }
        Arbitrary to = (Arbitrary) type;
        if (a.fraction() == b.fraction()
                && BinaryCode.isPlain(a)
                && BinaryCode.isPlain(b)
                && BinaryCode.isPlain(to)
                && (operator != Operator.DIVIDE || a.fraction() == 0)) {
            Code code = narrow(operator, left.narrow(), right.narrow());
            return new Value.Narrow(f -> Conversions.wrap(code.at(f), to.bits(), to.signed()), to);
        }
        WideCode x = left.wide();
        WideCode y = right.wide();
        int alignX = operator == Operator.MULTIPLY
                ? 0
                : operator == Operator.DIVIDE ? Math.max(0, b.fraction()) : fraction - a.fraction();
        int alignY = operator == Operator.MULTIPLY || operator == Operator.DIVIDE ? 0 : fraction - b.fraction();
        WideCode code = f -> {
            BigInteger v = BinaryCode.scaled(x.at(f), alignX);
            BigInteger w = BinaryCode.scaled(y.at(f), alignY);
            return Conversions.wrap(wide(operator, v, w), to.bits(), to.signed());
        };
        return ConvertCode.packed(code, to);
    }

    private static Code narrow(Operator operator, Code a, Code b) {
        return switch (operator) {
            case ADD -> f -> a.at(f) + b.at(f);
            case SUBTRACT -> f -> a.at(f) - b.at(f);
            case MULTIPLY -> f -> a.at(f) * b.at(f);
            case DIVIDE -> f -> a.at(f) / divisor(b.at(f));
            case REMAINDER -> f -> a.at(f) % divisor(b.at(f));
            case AND -> f -> a.at(f) & b.at(f);
            case OR -> f -> a.at(f) | b.at(f);
            case XOR -> f -> a.at(f) ^ b.at(f);
            default -> throw new IllegalStateException(operator + " is no arithmetic");
        };
    }

    private static long divisor(long b) {
        if (b == 0) {
            throw new Stop("divides by zero");
        }
        return b;
    }

    private static BigInteger wide(Operator operator, BigInteger a, BigInteger b) {
        return switch (operator) {
            case ADD -> a.add(b);
            case SUBTRACT -> a.subtract(b);
            case MULTIPLY -> a.multiply(b);
            case DIVIDE -> a.divide(divisor(b));
            case REMAINDER -> a.remainder(divisor(b));
            case AND -> a.and(b);
            case OR -> a.or(b);
            case XOR -> a.xor(b);
            default -> throw new IllegalStateException(operator + " is no arithmetic");
        };
    }

    private static BigInteger divisor(BigInteger b) {
        if (b.signum() == 0) {
            throw new Stop("divides by zero");
        }
        return b;
    }

    private static Value compare(Operator operator, Value left, Value right, int fraction) {
        WideCode x = left.wide();
        WideCode y = right.wide();
        int alignX = fraction - left.type().fraction();
        int alignY = fraction - right.type().fraction();
        Code order = left.type().fraction() == right.type().fraction()
                        && BinaryCode.isPlain(left.type())
                        && BinaryCode.isPlain(right.type())
                ? narrowOrder(left.narrow(), right.narrow())
                : f -> {
                    BigInteger v = BinaryCode.scaled(x.at(f), alignX);
                    return v.compareTo(BinaryCode.scaled(y.at(f), alignY));
                };
        Code code = switch (operator) {
            case LESS -> f -> order.at(f) < 0 ? 1 : 0;
            case LESS_EQUAL -> f -> order.at(f) <= 0 ? 1 : 0;
            case GREATER -> f -> order.at(f) > 0 ? 1 : 0;
            case GREATER_EQUAL -> f -> order.at(f) >= 0 ? 1 : 0;
            case EQUAL -> f -> order.at(f) == 0 ? 1 : 0;
            default -> f -> order.at(f) != 0 ? 1 : 0;
        };
        return new Value.Narrow(code, ExactType.BOOL);
    }

    private static Code narrowOrder(Code a, Code b) {
        return f -> {
            long v = a.at(f);
            return Long.compare(v, b.at(f));
        };
    }

    /// Bits that leave the number are lost; a negative amount shifts the other way.
    private static Value shift(Operator operator, Value left, Value right, Arbitrary to) {
        WideCode x = left.wide();
        Code amount = right.narrow();
        int sign = operator == Operator.SHIFT_LEFT ? 1 : -1;
        if (BinaryCode.isPlain(to) && left instanceof Value.Narrow n) {
            Code a = n.code();
            return new Value.Narrow(
                    f -> {
                        long v = a.at(f);
                        long by = sign * amount.at(f);
                        long shifted = by >= 0 ? (by > 63 ? 0 : v << by) : v >> Math.min(63, -by);
                        return Conversions.wrap(shifted, to.bits(), to.signed());
                    },
                    to);
        }
        return ConvertCode.packed(
                f -> {
                    BigInteger v = x.at(f);
                    long by = Math.clamp(sign * amount.at(f), -to.bits(), to.bits());
                    return Conversions.wrap(v.shiftLeft((int) by), to.bits(), to.signed());
                },
                to);
    }

    static Value unary(Sign operator, Value operand, Arbitrary to) {
        WideCode x = operand.wide();
        return operator == Sign.NEGATE
                ? ConvertCode.packed(f -> Conversions.wrap(x.at(f).negate(), to.bits(), to.signed()), to)
                : ConvertCode.packed(f -> Conversions.wrap(x.at(f).not(), to.bits(), to.signed()), to);
    }
}
