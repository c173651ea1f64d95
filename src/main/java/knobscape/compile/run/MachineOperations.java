package knobscape.compile.run;

import java.math.BigInteger;
import java.util.function.DoubleBinaryOperator;
import java.util.function.LongBinaryOperator;
import knobscape.compile.ir.IrInstruction;
import knobscape.compile.ir.IrInstruction.Detail;
import knobscape.compile.ir.IrPredicate;
import knobscape.compile.ir.IrType;
import knobscape.compile.run.Frame.Step;

/// Arithmetic, comparisons and conversions.
final class MachineOperations {
    private final Registers registers;

    MachineOperations(Registers registers) {
        this.registers = registers;
    }

    /// Throws [Ended] for what is not run here.
    Step step(IrInstruction i) {
        int to = i.id();
        IrType from =
                i.operands().isEmpty() ? i.type() : i.operands().getFirst().type();
        switch (i.opcode()) {
            case SELECT -> {
                return select(i);
            }
            case FREEZE, PTR_TO_INT, INT_TO_PTR, BITCAST, ADDR_SPACE_CAST -> {
                int a = registers.register(i.operands().getFirst());
                if (Registers.isWide(i.type()) || Registers.isWide(from)) {
                    if (!i.type().equals(from)) {
                        throw unknown(i);
                    }
                    return f -> f.wide[to] = f.wide[a];
                }
                int bits = i.type() instanceof IrType.Int(int w) ? w : Long.SIZE;
                return f -> f.narrow[to] = Numbers.signed(f.narrow[a], bits);
            }
            default -> {}
        }
        if (Registers.isWide(from) || Registers.isWide(i.type())) {
            return new WideOperations(registers).step(i);
        }
        if (from instanceof IrType.Real(int bits)) {
            return real(i, bits);
        }
        int width = from instanceof IrType.Int(int w) ? w : Long.SIZE;
        return switch (i.opcode()) {
            case TRUNC, SEXT -> {
                int a = registers.register(i.operands().getFirst());
                int bits = bits(i);
                yield f -> f.narrow[to] = Numbers.signed(f.narrow[a], bits);
            }
            case ZEXT -> {
                int a = registers.register(i.operands().getFirst());
                yield f -> f.narrow[to] = Numbers.unsigned(f.narrow[a], width);
            }
            case SI_TO_FP -> {
                int a = registers.register(i.operands().getFirst());
                int real = realBits(i.type());
                yield f -> f.narrow[to] = real == Float.SIZE
                        ? Numbers.bits((float) f.narrow[a], real)
                        : Numbers.bits((double) f.narrow[a], real);
            }
            case UI_TO_FP -> {
                int a = registers.register(i.operands().getFirst());
                int real = realBits(i.type());
                yield f -> f.narrow[to] = Numbers.bits(unsignedReal(Numbers.unsigned(f.narrow[a], width), real), real);
            }
            case ICMP -> {
                IrPredicate p = ((Detail.Comparison) i.detail()).predicate();
                int a = registers.register(i.operands().get(0));
                int b = registers.register(i.operands().get(1));
                yield f -> f.narrow[to] = compare(p, f.narrow[a], f.narrow[b]) ? -1 : 0;
            }
            default -> whole(i, operator(i, width), width);
        };
    }

    private static double unsignedReal(long x, int real) {
        BigInteger whole = new BigInteger(Long.toUnsignedString(x));
        return real == Float.SIZE ? whole.floatValue() : whole.doubleValue();
    }

    private Step whole(IrInstruction i, LongBinaryOperator operator, int width) {
        int to = i.id();
        int a = registers.register(i.operands().get(0));
        int b = registers.register(i.operands().get(1));
        return f -> f.narrow[to] = Numbers.signed(operator.applyAsLong(f.narrow[a], f.narrow[b]), width);
    }

    private static LongBinaryOperator operator(IrInstruction i, int width) {
        return switch (i.opcode()) {
            case ADD -> (a, b) -> a + b;
            case SUB -> (a, b) -> a - b;
            case MUL -> (a, b) -> a * b;
            case AND -> (a, b) -> a & b;
            case OR -> (a, b) -> a | b;
            case XOR -> (a, b) -> a ^ b;
            case SHL -> (a, b) -> inside(b, width) ? a << b : 0;
            case LSHR -> (a, b) -> inside(b, width) ? Numbers.unsigned(a, width) >>> b : 0;
            case ASHR -> (a, b) -> inside(b, width) ? a >> b : 0;
            case SDIV -> (a, b) -> a / divisor(b);
            case SREM -> (a, b) -> a % divisor(b);
            case UDIV -> (a, b) -> Long.divideUnsigned(Numbers.unsigned(a, width), Numbers.unsigned(divisor(b), width));
            case UREM ->
                (a, b) -> Long.remainderUnsigned(Numbers.unsigned(a, width), Numbers.unsigned(divisor(b), width));
            default -> throw unknown(i);
        };
    }

    private static boolean inside(long by, int width) {
        return by >= 0 && by < width;
    }

    private static long divisor(long b) {
        if (b == 0) {
            throw new Ended("divides by 0");
        }
        return b;
    }

    /// With their sign, unsigned numbers of one width compare as 64-bit ones.
    static boolean compare(IrPredicate p, long a, long b) {
        return switch (p) {
            case EQ -> a == b;
            case NE -> a != b;
            case SGT -> a > b;
            case SGE -> a >= b;
            case SLT -> a < b;
            case SLE -> a <= b;
            case UGT -> Long.compareUnsigned(a, b) > 0;
            case UGE -> Long.compareUnsigned(a, b) >= 0;
            case ULT -> Long.compareUnsigned(a, b) < 0;
            case ULE -> Long.compareUnsigned(a, b) <= 0;
            default -> throw new IllegalStateException("no comparison of integers: " + p);
        };
    }

    private Step select(IrInstruction i) {
        int to = i.id();
        int condition = registers.register(i.operands().get(0));
        int a = registers.register(i.operands().get(1));
        int b = registers.register(i.operands().get(2));
        return Registers.isWide(i.type())
                ? f -> f.wide[to] = (f.narrow[condition] & 1) != 0 ? f.wide[a] : f.wide[b]
                : f -> f.narrow[to] = (f.narrow[condition] & 1) != 0 ? f.narrow[a] : f.narrow[b];
    }

    private Step real(IrInstruction i, int bits) {
        int to = i.id();
        int a = registers.register(i.operands().getFirst());
        return switch (i.opcode()) {
            case FADD -> real(i, bits, (x, y) -> x + y);
            case FSUB -> real(i, bits, (x, y) -> x - y);
            case FMUL -> real(i, bits, (x, y) -> x * y);
            case FDIV -> real(i, bits, (x, y) -> x / y);
            case FREM -> real(i, bits, (x, y) -> x % y);
            case FNEG -> f -> f.narrow[to] = Numbers.bits(-Numbers.real(f.narrow[a], bits), bits);
            case FP_EXT, FP_TRUNC -> {
                int other = realBits(i.type());
                yield f -> f.narrow[to] = Numbers.bits(Numbers.real(f.narrow[a], bits), other);
            }
            case FP_TO_SI -> {
                int width = bits(i);
                yield f -> f.narrow[to] = Numbers.signed((long) Numbers.real(f.narrow[a], bits), width);
            }
            case FP_TO_UI -> {
                int width = bits(i);
                yield f -> f.narrow[to] = Numbers.signed(unsigned(Numbers.real(f.narrow[a], bits)), width);
            }
            case FCMP -> {
                IrPredicate p = ((Detail.Comparison) i.detail()).predicate();
                int b = registers.register(i.operands().get(1));
                yield f -> f.narrow[to] =
                        compare(p, Numbers.real(f.narrow[a], bits), Numbers.real(f.narrow[b], bits)) ? -1 : 0;
            }
            default -> throw unknown(i);
        };
    }

    private static long unsigned(double x) {
        return x < Long.MAX_VALUE
                ? (long) x
                : new java.math.BigDecimal(x).toBigInteger().longValue();
    }

    /// Of numbers of 32 bits the double result is rounded once more, which for these operations gives the same.
    private Step real(IrInstruction i, int bits, DoubleBinaryOperator operator) {
        int to = i.id();
        int a = registers.register(i.operands().get(0));
        int b = registers.register(i.operands().get(1));
        return f -> f.narrow[to] = Numbers.bits(
                operator.applyAsDouble(Numbers.real(f.narrow[a], bits), Numbers.real(f.narrow[b], bits)), bits);
    }

    private static boolean compare(IrPredicate p, double a, double b) {
        boolean ordered = !Double.isNaN(a) && !Double.isNaN(b);
        return switch (p) {
            case FALSE -> false;
            case TRUE -> true;
            case ORDERED -> ordered;
            case UNORDERED -> !ordered;
            case FEQ -> a == b;
            case FUEQ -> !ordered || a == b;
            case FNE -> ordered && a != b;
            case FUNE -> a != b;
            case FGT -> a > b;
            case FUGT -> !ordered || a > b;
            case FGE -> a >= b;
            case FUGE -> !ordered || a >= b;
            case FLT -> a < b;
            case FULT -> !ordered || a < b;
            case FLE -> a <= b;
            case FULE -> !ordered || a <= b;
            default -> throw new IllegalStateException("no comparison of floating-point numbers: " + p);
        };
    }

    static int bits(IrInstruction i) {
        return i.type() instanceof IrType.Int(int w) ? w : Long.SIZE;
    }

    static int realBits(IrType t) {
        return t instanceof IrType.Real(int w) ? w : Double.SIZE;
    }

    static Ended unknown(IrInstruction i) {
        return new Ended("needs the operation " + i.opcode() + " of " + i.type() + ", which is not run here");
    }
}
