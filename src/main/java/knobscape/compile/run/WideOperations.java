package knobscape.compile.run;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.function.BinaryOperator;
import knobscape.compile.ir.IrInstruction;
import knobscape.compile.ir.IrInstruction.Detail;
import knobscape.compile.ir.IrPredicate;
import knobscape.compile.ir.IrType;
import knobscape.compile.ir.IrValue;
import knobscape.compile.run.Frame.Step;

/// Arithmetic on integers of more than 64 bits.
final class WideOperations {
    private interface Source {
        BigInteger of(Frame f);
    }

    private final Registers registers;

    WideOperations(Registers registers) {
        this.registers = registers;
    }

    Step step(IrInstruction i) {
        IrType from = i.operands().getFirst().type();
        int width = from instanceof IrType.Int(int w) ? w : Long.SIZE;
        Source a = source(i.operands().getFirst());
        return switch (i.opcode()) {
            case TRUNC, SEXT -> result(i, a);
            case ZEXT -> result(i, f -> Numbers.unsigned(a.of(f), width));
            case SI_TO_FP -> real(i, a);
            case UI_TO_FP -> real(i, f -> Numbers.unsigned(a.of(f), width));
            case FP_TO_SI, FP_TO_UI -> {
                int register = registers.register(i.operands().getFirst());
                int bits = MachineOperations.realBits(from);
                yield result(i, f -> whole(Numbers.real(f.narrow[register], bits)));
            }
            case ICMP -> compared(i, a, source(i.operands().get(1)), width);
            default -> {
                BinaryOperator<BigInteger> operator = operator(i, width);
                Source b = source(i.operands().get(1));
                yield result(i, f -> operator.apply(a.of(f), b.of(f)));
            }
        };
    }

    private Source source(IrValue v) {
        int r = registers.register(v);
        return Registers.isWide(v.type()) ? f -> f.wide[r] : f -> BigInteger.valueOf(f.narrow[r]);
    }

    private static Step result(IrInstruction i, Source value) {
        int to = i.id();
        int bits = MachineOperations.bits(i);
        return bits > Long.SIZE
                ? f -> f.wide[to] = Numbers.signed(value.of(f), bits)
                : f -> f.narrow[to] = Numbers.signed(value.of(f).longValue(), bits);
    }

    private static Step real(IrInstruction i, Source value) {
        int to = i.id();
        int bits = MachineOperations.realBits(i.type());
        return f -> f.narrow[to] = Numbers.bits(
                bits == Float.SIZE ? value.of(f).floatValue() : value.of(f).doubleValue(), bits);
    }

    private static BigInteger whole(double x) {
        if (!Double.isFinite(x)) {
            return BigInteger.ZERO;
        }
        return new BigDecimal(x).toBigInteger();
    }

    private static Step compared(IrInstruction i, Source a, Source b, int width) {
        IrPredicate p = ((Detail.Comparison) i.detail()).predicate();
        boolean unsigned = p == IrPredicate.UGT || p == IrPredicate.UGE || p == IrPredicate.ULT || p == IrPredicate.ULE;
        int to = i.id();
        return f -> {
            BigInteger x = unsigned ? Numbers.unsigned(a.of(f), width) : a.of(f);
            BigInteger y = unsigned ? Numbers.unsigned(b.of(f), width) : b.of(f);
            int order = x.compareTo(y);
            boolean holds = switch (p) {
                case EQ -> order == 0;
                case NE -> order != 0;
                case SGT, UGT -> order > 0;
                case SGE, UGE -> order >= 0;
                case SLT, ULT -> order < 0;
                default -> order <= 0;
            };
            f.narrow[to] = holds ? -1 : 0;
        };
    }

    private static BinaryOperator<BigInteger> operator(IrInstruction i, int width) {
        return switch (i.opcode()) {
            case ADD -> BigInteger::add;
            case SUB -> BigInteger::subtract;
            case MUL -> BigInteger::multiply;
            case AND -> BigInteger::and;
            case OR -> BigInteger::or;
            case XOR -> BigInteger::xor;
            case SHL -> (a, b) -> a.shiftLeft(distance(b, width));
            case LSHR -> (a, b) -> Numbers.unsigned(a, width).shiftRight(distance(b, width));
            case ASHR -> (a, b) -> a.shiftRight(distance(b, width));
            case SDIV -> (a, b) -> a.divide(divisor(b));
            case SREM -> (a, b) -> a.remainder(divisor(b));
            case UDIV -> (a, b) -> Numbers.unsigned(a, width).divide(Numbers.unsigned(divisor(b), width));
            case UREM -> (a, b) -> Numbers.unsigned(a, width).remainder(Numbers.unsigned(divisor(b), width));
            default -> throw MachineOperations.unknown(i);
        };
    }

    private static int distance(BigInteger by, int width) {
        return Numbers.unsigned(by, width).min(BigInteger.valueOf(width)).intValue();
    }

    private static BigInteger divisor(BigInteger b) {
        if (b.signum() == 0) {
            throw new Ended("divides by 0");
        }
        return b;
    }
}
