package knobscape.hls.source.interpret;

import java.math.BigInteger;
import knobscape.hls.source.exact.ExactExpression.Operator;
import knobscape.hls.source.exact.ExactType;
import knobscape.hls.source.exact.ExactType.Arbitrary;
import knobscape.hls.source.exact.ExactType.Real;

/// Code for operators of two operands.
final class BinaryCode {
    private BinaryCode() {}

    static Value binary(Operator operator, Value left, Value right, ExactType type) {
        if (left.type() instanceof Arbitrary) {
            return ArbitraryCode.binary(operator, left, right, type);
        }
        Code a = left.narrow();
        Code b = right.narrow();
        ExactType operands = left.type();
        if (operands instanceof Real r) {
            return new Value.Narrow(r.bits() == 32 ? single(operator, a, b) : twice(operator, a, b), type);
        }
        boolean wrapped = operands.bits() == 32;
        boolean signed = operands.signed();
        Code code = operator.compares()
                ? compare(operator, a, b, signed || operands.bits() < 64)
                : operator.shifts()
                        ? shift(operator, a, b, operands)
                        : wrapped
                                ? (signed ? int32(operator, a, b) : uint32(operator, a, b))
                                : int64(operator, a, b, signed);
        return new Value.Narrow(code, type);
    }

    private static Code single(Operator operator, Code a, Code b) {
        return switch (operator) {
            case ADD -> f -> raw(Float.intBitsToFloat((int) a.at(f)) + Float.intBitsToFloat((int) b.at(f)));
            case SUBTRACT -> f -> raw(Float.intBitsToFloat((int) a.at(f)) - Float.intBitsToFloat((int) b.at(f)));
            case MULTIPLY -> f -> raw(Float.intBitsToFloat((int) a.at(f)) * Float.intBitsToFloat((int) b.at(f)));
            case DIVIDE -> f -> raw(Float.intBitsToFloat((int) a.at(f)) / Float.intBitsToFloat((int) b.at(f)));
            default ->
                real(operator, f -> Float.intBitsToFloat((int) a.at(f)), f -> Float.intBitsToFloat((int) b.at(f)));
        };
    }

    private static long raw(float v) {
        return Float.floatToRawIntBits(v);
    }

    private static Code twice(Operator operator, Code a, Code b) {
        return switch (operator) {
            case ADD -> f -> raw(Double.longBitsToDouble(a.at(f)) + Double.longBitsToDouble(b.at(f)));
            case SUBTRACT -> f -> raw(Double.longBitsToDouble(a.at(f)) - Double.longBitsToDouble(b.at(f)));
            case MULTIPLY -> f -> raw(Double.longBitsToDouble(a.at(f)) * Double.longBitsToDouble(b.at(f)));
            case DIVIDE -> f -> raw(Double.longBitsToDouble(a.at(f)) / Double.longBitsToDouble(b.at(f)));
            default -> real(operator, f -> Double.longBitsToDouble(a.at(f)), f -> Double.longBitsToDouble(b.at(f)));
        };
    }

    private static long raw(double v) {
        return Double.doubleToRawLongBits(v);
    }

    @FunctionalInterface
    private interface RealCode {
        double at(Frame frame);
    }

    private static Code real(Operator operator, RealCode a, RealCode b) {
        return switch (operator) {
            case LESS -> f -> a.at(f) < b.at(f) ? 1 : 0;
            case LESS_EQUAL -> f -> a.at(f) <= b.at(f) ? 1 : 0;
            case GREATER -> f -> a.at(f) > b.at(f) ? 1 : 0;
            case GREATER_EQUAL -> f -> a.at(f) >= b.at(f) ? 1 : 0;
            case EQUAL -> f -> a.at(f) == b.at(f) ? 1 : 0;
            case NOT_EQUAL -> f -> a.at(f) != b.at(f) ? 1 : 0;
            default -> throw new IllegalStateException(operator + " of floating-point numbers");
        };
    }

    private static Code compare(Operator operator, Code a, Code b, boolean plain) {
        if (!plain) {
            return compare(operator, f -> a.at(f) ^ Long.MIN_VALUE, f -> b.at(f) ^ Long.MIN_VALUE, true);
        }
        return switch (operator) {
            case LESS -> f -> a.at(f) < b.at(f) ? 1 : 0;
            case LESS_EQUAL -> f -> a.at(f) <= b.at(f) ? 1 : 0;
            case GREATER -> f -> a.at(f) > b.at(f) ? 1 : 0;
            case GREATER_EQUAL -> f -> a.at(f) >= b.at(f) ? 1 : 0;
            case EQUAL -> f -> a.at(f) == b.at(f) ? 1 : 0;
            case NOT_EQUAL -> f -> a.at(f) != b.at(f) ? 1 : 0;
            default -> throw new IllegalStateException(operator + " is no comparison");
        };
    }

    private static Code shift(Operator operator, Code a, Code b, ExactType type) {
        int bits = type.bits();
        boolean signed = type.signed();
        return operator == Operator.SHIFT_LEFT
                ? f -> {
                    long v = a.at(f);
                    return Conversions.wrap(v << amount(b.at(f), bits), bits, signed);
                }
                : signed
                        ? f -> {
                            long v = a.at(f);
                            return v >> amount(b.at(f), bits);
                        }
                        : f -> {
                            long v = a.at(f);
                            return v >>> amount(b.at(f), bits);
                        };
    }

    private static long amount(long amount, int bits) {
        if (amount < 0 || amount >= bits) {
            throw new Stop("shifts a value of " + bits + " bits by " + amount + ", which C leaves undefined");
        }
        return amount;
    }

    private static long divisor(long b) {
        if (b == 0) {
            throw new Stop("divides by zero");
        }
        return b;
    }

    private static Code int32(Operator operator, Code a, Code b) {
        return switch (operator) {
            case ADD -> f -> (int) (a.at(f) + b.at(f));
            case SUBTRACT -> f -> (int) (a.at(f) - b.at(f));
            case MULTIPLY -> f -> (int) (a.at(f) * b.at(f));
            case DIVIDE -> f -> (int) (a.at(f) / divisor(b.at(f)));
            case REMAINDER -> f -> (int) (a.at(f) % divisor(b.at(f)));
            default -> logic(operator, a, b);
        };
    }

    private static Code uint32(Operator operator, Code a, Code b) {
        return switch (operator) {
            case ADD -> f -> a.at(f) + b.at(f) & 0xFFFFFFFFL;
            case SUBTRACT -> f -> a.at(f) - b.at(f) & 0xFFFFFFFFL;
            case MULTIPLY -> f -> a.at(f) * b.at(f) & 0xFFFFFFFFL;
            case DIVIDE -> f -> a.at(f) / divisor(b.at(f));
            case REMAINDER -> f -> a.at(f) % divisor(b.at(f));
            default -> logic(operator, a, b);
        };
    }

    private static Code int64(Operator operator, Code a, Code b, boolean signed) {
        return switch (operator) {
            case ADD -> f -> a.at(f) + b.at(f);
            case SUBTRACT -> f -> a.at(f) - b.at(f);
            case MULTIPLY -> f -> a.at(f) * b.at(f);
            case DIVIDE ->
                signed ? f -> a.at(f) / divisor(b.at(f)) : f -> Long.divideUnsigned(a.at(f), divisor(b.at(f)));
            case REMAINDER ->
                signed ? f -> a.at(f) % divisor(b.at(f)) : f -> Long.remainderUnsigned(a.at(f), divisor(b.at(f)));
            default -> logic(operator, a, b);
        };
    }

    private static Code logic(Operator operator, Code a, Code b) {
        return switch (operator) {
            case AND -> f -> a.at(f) & b.at(f);
            case OR -> f -> a.at(f) | b.at(f);
            case XOR -> f -> a.at(f) ^ b.at(f);
            default -> throw new IllegalStateException(operator + " of integers");
        };
    }

    /// `-`, `~` and `!`.
    static Value unary(knobscape.hls.source.exact.ExactExpression.Sign operator, Value operand, ExactType type) {
        ExactType t = operand.type();
        if (t instanceof Arbitrary && operator != knobscape.hls.source.exact.ExactExpression.Sign.NOT) {
            return ArbitraryCode.unary(operator, operand, (Arbitrary) type);
        }
        Code a = operand.narrow();
        Code code = switch (operator) {
            case NOT -> f -> a.at(f) ^ 1;
            case INVERT -> f -> Conversions.wrap(~a.at(f), t.bits(), t.signed());
            case NEGATE ->
                t instanceof Real r
                        ? r.bits() == 32 ? f -> (int) a.at(f) ^ Integer.MIN_VALUE : f -> a.at(f) ^ Long.MIN_VALUE
                        : f -> Conversions.wrap(-a.at(f), t.bits(), t.signed());
        };
        return new Value.Narrow(code, type);
    }

    /// Whether every value of the type is itself as a `long`.
    static boolean isPlain(ExactType type) {
        return !type.isWide() && (type.signed() || type.bits() < 64);
    }

    /// A number moved to more bits behind the point.
    static BigInteger scaled(BigInteger value, int by) {
        return by == 0 ? value : value.shiftLeft(by);
    }
}
