package knobscape.hls.rtl.build;

import java.util.List;
import java.util.Optional;
import knobscape.compile.ir.IrInstruction;
import knobscape.compile.ir.IrInstruction.Detail;
import knobscape.compile.ir.IrLocation;
import knobscape.compile.ir.IrPredicate;
import knobscape.hls.rtl.build.DataOp.Kind;
import org.jspecify.annotations.Nullable;

/// Puts operations into blocks: what the compiled code has more kinds of is written with fewer ones here.
final class OpWriter {
    private static final int WORD = 64;
    private static final int FLOAT = 32;
    private static final long SIGN = 0x80000000L;
    private static final int SIGN_FREE = 0x7FFFFFFF;
    /// 2^31 as a float.
    private static final long LARGE = 0x4F000000L;

    /// Where in the source it is.
    Optional<IrLocation> here = Optional.empty();
    /// Takes the operations.
    CodeBlock current = new CodeBlock(-1);
    private int ids;

    /// A number for a new operation.
    int nextId() {
        return ids++;
    }

    NotBuildable no(String why) {
        return new NotBuildable(why, here);
    }

    DataOp make(Kind kind, int width, boolean real) {
        var op = new DataOp(ids++, kind, width, real);
        op.location = here;
        return op;
    }

    DataOp put(Kind kind, int width, DataOp... args) {
        DataOp op = make(kind, width, isReal(kind, args));
        op.args.addAll(List.of(args));
        op.block = current;
        current.ops.add(op);
        return op;
    }

    static boolean isReal(Kind kind, DataOp... args) {
        return switch (kind) {
            case FADD, FMUL, FDIV, FSQRT, FROM_SIGNED, FROM_UNSIGNED -> true;
            case SELECT -> args[1].real || args[2].real;
            default -> false;
        };
    }

    DataOp constant(long value, int width) {
        return constant(value, width, false);
    }

    DataOp constant(long value, int width, boolean real) {
        DataOp c = make(Kind.CONSTANT, width, real);
        c.value = width >= WORD ? value : value << (WORD - width) >> (WORD - width);
        return c;
    }

    /// The same bits as a number of the other sort.
    DataOp retyped(DataOp c) {
        current.ops.removeLast();
        DataOp r = make(Kind.COPY, c.width, !c.real);
        r.args.addAll(c.args);
        r.block = current;
        current.ops.add(r);
        return r;
    }

    DataOp ordered(Kind kind, int w, List<DataOp> a) {
        boolean swap = a.get(0).isConstant();
        return put(kind, w, a.get(swap ? 1 : 0), a.get(swap ? 0 : 1));
    }

    DataOp narrow(DataOp a, Kind extension) {
        if (a.width > FLOAT) {
            throw no("a whole number of more than 32 bits to float is not built");
        }
        return a.width == FLOAT ? a : put(extension, FLOAT, a);
    }

    DataOp toWhole(DataOp a, int w) {
        if (w > FLOAT) {
            throw no("float to a whole number of more than 32 bits is not built");
        }
        DataOp x = put(Kind.TO_SIGNED, FLOAT, a);
        return w == FLOAT ? x : put(Kind.COPY, w, x);
    }

    DataOp signs(Kind kind, DataOp a, long bits) {
        DataOp op = make(kind, FLOAT, true);
        op.args.add(a);
        op.args.add(constant(bits, FLOAT, true));
        op.block = current;
        current.ops.add(op);
        return op;
    }

    DataOp negative(DataOp a) {
        return signs(Kind.XOR, a, SIGN);
    }

    DataOp not(DataOp a) {
        return put(Kind.NOT, a.width, a);
    }

    DataOp compare(IrPredicate p, DataOp a, DataOp b) {
        return switch (p) {
            case EQ -> put(Kind.EQ, 1, a, b);
            case NE -> not(put(Kind.EQ, 1, a, b));
            case SLT -> put(Kind.SLT, 1, a, b);
            case SGT -> put(Kind.SLT, 1, b, a);
            case SLE -> not(put(Kind.SLT, 1, b, a));
            case SGE -> not(put(Kind.SLT, 1, a, b));
            case ULT -> put(Kind.ULT, 1, a, b);
            case UGT -> put(Kind.ULT, 1, b, a);
            case ULE -> not(put(Kind.ULT, 1, b, a));
            case UGE -> not(put(Kind.ULT, 1, a, b));
            default -> throw no("the comparison " + p + " of whole numbers is not built");
        };
    }

    DataOp compareReal(IrPredicate p, DataOp a, DataOp b) {
        return switch (p) {
            case TRUE -> constant(1, 1);
            case FALSE -> constant(0, 1);
            case FEQ -> put(Kind.FEQ, 1, a, b);
            case FLT -> put(Kind.FLT, 1, a, b);
            case FGT -> put(Kind.FLT, 1, b, a);
            case FLE -> put(Kind.OR, 1, put(Kind.FLT, 1, a, b), put(Kind.FEQ, 1, a, b));
            case FGE -> put(Kind.OR, 1, put(Kind.FLT, 1, b, a), put(Kind.FEQ, 1, a, b));
            case UNORDERED -> put(Kind.UNORDERED, 1, a, b);
            case ORDERED -> not(put(Kind.UNORDERED, 1, a, b));
            case FUNE -> not(put(Kind.FEQ, 1, a, b));
            case FNE -> not(compareReal(IrPredicate.FUEQ, a, b));
            case FUEQ -> put(Kind.OR, 1, put(Kind.FEQ, 1, a, b), put(Kind.UNORDERED, 1, a, b));
            case FULT -> not(compareReal(IrPredicate.FGE, a, b));
            case FUGT -> not(compareReal(IrPredicate.FLE, a, b));
            case FULE -> not(compareReal(IrPredicate.FGT, a, b));
            case FUGE -> not(compareReal(IrPredicate.FLT, a, b));
            default -> throw no("the comparison " + p + " of floats is not built");
        };
    }

    Optional<DataOp> intrinsic(String name, int w, List<DataOp> a) {
        String[] parts = name.split("\\.");
        String which = parts.length > 1 && parts[0].equals("llvm") ? parts[1] : name;
        return Optional.ofNullable(
                switch (which) {
                    case "smax" -> choose(put(Kind.SLT, 1, a.get(1), a.get(0)), a.get(0), a.get(1));
                    case "smin" -> choose(put(Kind.SLT, 1, a.get(0), a.get(1)), a.get(0), a.get(1));
                    case "umax" -> choose(put(Kind.ULT, 1, a.get(1), a.get(0)), a.get(0), a.get(1));
                    case "umin" -> choose(put(Kind.ULT, 1, a.get(0), a.get(1)), a.get(0), a.get(1));
                    case "abs" ->
                        choose(
                                put(Kind.SLT, 1, a.getFirst(), constant(0, w)),
                                put(Kind.SUB, w, constant(0, w), a.getFirst()),
                                a.getFirst());
                    case "sqrt", "sqrtf" -> put(Kind.FSQRT, w, a.getFirst());
                    case "fabs", "fabsf" -> signs(Kind.AND, a.getFirst(), SIGN_FREE);
                    case "fmuladd" -> put(Kind.FADD, w, put(Kind.FMUL, w, a.get(0), a.get(1)), a.get(2));
                    case "fshl", "fshr" -> funnel(which.equals("fshl"), w, a);
                    case "bswap" -> swapped(w, a.getFirst());
                    case "cttz" -> lowestBit(w, a.getFirst());
                    case "ctlz" -> bitsAbove(w, a.getFirst());
                    case "ctpop" -> bitsSet(w, a.getFirst());
                    case "uadd" -> saturated(name, Kind.ADD, w, a);
                    case "usub" -> saturated(name, Kind.SUB, w, a);
                    case "maxnum", "fmaxf" -> larger(a.get(0), a.get(1), a.get(0));
                    case "minnum", "fminf" -> larger(a.get(1), a.get(0), a.get(0));
                    default -> null;
                });
    }

    DataOp choose(DataOp c, DataOp yes, DataOp no) {
        return put(Kind.SELECT, yes.width, c, yes, no);
    }

    DataOp funnel(boolean left, int w, List<DataOp> a) {
        DataOp by = a.get(2);
        if (!by.isConstant()) {
            if (a.get(0) != a.get(1) || Integer.bitCount(w) != 1) {
                throw no("a shift of two words by a variable distance is not built");
            }
            DataOp mask = constant(w - 1L, w);
            DataOp n = put(Kind.AND, w, by, mask);
            DataOp back = put(Kind.AND, w, put(Kind.SUB, w, constant(0, w), by), mask);
            return put(
                    Kind.OR,
                    w,
                    put(left ? Kind.SHL : Kind.LSHR, w, a.getFirst(), n),
                    put(left ? Kind.LSHR : Kind.SHL, w, a.getFirst(), back));
        }
        long k = Math.floorMod(left ? by.value : -by.value, (long) w);
        if (k == 0) {
            return left ? a.get(0) : a.get(1);
        }
        return put(
                Kind.OR,
                w,
                put(Kind.SHL, w, a.get(0), constant(k, w)),
                put(Kind.LSHR, w, a.get(1), constant(w - k, w)));
    }

    DataOp swapped(int w, DataOp a) {
        DataOp all = constant(0, w);
        for (int k = 0; k < w / Byte.SIZE; k++) {
            DataOp one = put(Kind.AND, w, put(Kind.LSHR, w, a, constant((long) k * Byte.SIZE, w)), constant(0xFF, w));
            all = put(Kind.OR, w, put(Kind.SHL, w, one, constant((long) w - Byte.SIZE * (k + 1L), w)), all);
        }
        return all;
    }

    /// Zeros below the lowest bit that is set.
    private DataOp lowestBit(int w, DataOp a) {
        DataOp lowest = put(Kind.AND, w, a, put(Kind.SUB, w, constant(0, w), a));
        return choose(put(Kind.EQ, 1, a, constant(0, w)), constant(w, w), number(w, lowest));
    }

    /// Zeros above the highest bit that is set.
    private DataOp bitsAbove(int w, DataOp a) {
        DataOp filled = a;
        for (int step = 1; step < w; step *= 2) {
            filled = put(Kind.OR, w, filled, put(Kind.LSHR, w, filled, constant(step, w)));
        }
        DataOp highest = put(Kind.XOR, w, filled, put(Kind.LSHR, w, filled, constant(1, w)));
        return choose(
                put(Kind.EQ, 1, a, constant(0, w)),
                constant(w, w),
                put(Kind.SUB, w, constant(w - 1L, w), number(w, highest)));
    }

    /// The number of the one bit that is set.
    private DataOp number(int w, DataOp bit) {
        DataOp number = constant(0, w);
        for (int k = 0; 1 << k < w; k++) {
            long with = 0;
            for (int at = 0; at < w; at++) {
                with |= (long) (at >> k & 1) << at;
            }
            DataOp is = not(put(Kind.EQ, 1, put(Kind.AND, w, bit, constant(with, w)), constant(0, w)));
            number = put(Kind.OR, w, number, put(Kind.SHL, w, put(Kind.ZEXT, w, is), constant(k, w)));
        }
        return number;
    }

    private DataOp bitsSet(int w, DataOp a) {
        DataOp sum = a;
        for (int step = 1; step < w; step *= 2) {
            long mask = 0;
            for (int bit = 0; bit < w; bit++) {
                mask |= (bit / step & 1) == 0 ? 1L << bit : 0;
            }
            sum = put(
                    Kind.ADD,
                    w,
                    put(Kind.AND, w, sum, constant(mask, w)),
                    put(Kind.AND, w, put(Kind.LSHR, w, sum, constant(step, w)), constant(mask, w)));
        }
        return sum;
    }

    private @Nullable DataOp saturated(String name, Kind kind, int w, List<DataOp> a) {
        if (!name.contains(".sat.")) {
            return null;
        }
        DataOp made = put(kind, w, a.get(0), a.get(1));
        return kind == Kind.ADD
                ? choose(put(Kind.ULT, 1, made, a.get(0)), constant(-1, w), made)
                : choose(put(Kind.ULT, 1, a.get(0), a.get(1)), constant(0, w), made);
    }

    /// The second where it is larger, or the other is no number.
    private DataOp larger(DataOp one, DataOp two, DataOp first) {
        DataOp second = first == one ? two : one;
        return choose(put(Kind.OR, 1, put(Kind.FLT, 1, one, two), put(Kind.UNORDERED, 1, first, first)), second, first);
    }

    /// Of a float from 2^31 on what is above is converted.
    private DataOp toNatural(DataOp a, int w) {
        if (w < FLOAT) {
            return toWhole(a, w);
        }
        DataOp large = constant(LARGE, FLOAT, true);
        DataOp rest = put(Kind.FADD, FLOAT, a, negative(large));
        return choose(put(Kind.FLT, 1, a, large), toWhole(a, w), put(Kind.XOR, w, toWhole(rest, w), constant(SIGN, w)));
    }

    /// The operation of an instruction that computes a value of its operands.
    ///
    /// @param w bits of its result
    DataOp arithmetic(IrInstruction i, int w, List<DataOp> a) {
        DataOp made = switch (i.opcode()) {
            case ADD -> ordered(Kind.ADD, w, a);
            case SUB -> put(Kind.SUB, w, a.get(0), a.get(1));
            case MUL -> ordered(Kind.MUL, w, a);
            case UDIV -> put(Kind.UDIV, w, a.get(0), a.get(1));
            case SDIV -> put(Kind.SDIV, w, a.get(0), a.get(1));
            case UREM -> put(Kind.UREM, w, a.get(0), a.get(1));
            case SREM -> put(Kind.SREM, w, a.get(0), a.get(1));
            case SHL -> put(Kind.SHL, w, a.get(0), a.get(1));
            case LSHR -> put(Kind.LSHR, w, a.get(0), a.get(1));
            case ASHR -> put(Kind.ASHR, w, a.get(0), a.get(1));
            case AND -> ordered(Kind.AND, w, a);
            case OR -> ordered(i.flags().contains(IrInstruction.Flag.DISJOINT) ? Kind.ADD : Kind.OR, w, a);
            case XOR -> ordered(Kind.XOR, w, a);
            case FADD -> put(Kind.FADD, w, a.get(0), a.get(1));
            case FSUB -> put(Kind.FADD, w, a.get(0), negative(a.get(1)));
            case FMUL -> put(Kind.FMUL, w, a.get(0), a.get(1));
            case FDIV -> put(Kind.FDIV, w, a.get(0), a.get(1));
            case FNEG -> negative(a.getFirst());
            case TRUNC -> put(Kind.COPY, w, a.getFirst());
            case ZEXT -> put(Kind.ZEXT, w, a.getFirst());
            case SEXT -> put(Kind.SEXT, w, a.getFirst());
            case SI_TO_FP -> put(Kind.FROM_SIGNED, w, narrow(a.getFirst(), Kind.SEXT));
            case UI_TO_FP -> put(Kind.FROM_UNSIGNED, w, narrow(a.getFirst(), Kind.ZEXT));
            case FP_TO_SI -> toWhole(a.getFirst(), w);
            case FP_TO_UI -> toNatural(a.getFirst(), w);
            case SELECT -> put(Kind.SELECT, w, a.get(0), a.get(1), a.get(2));
            case ICMP -> compare(((Detail.Comparison) i.detail()).predicate(), a.get(0), a.get(1));
            case FCMP -> compareReal(((Detail.Comparison) i.detail()).predicate(), a.get(0), a.get(1));
            default ->
                throw no("the operation " + i.opcode().toString().toLowerCase(java.util.Locale.ROOT) + " is not built");
        };
        made.exact = i.flags().contains(IrInstruction.Flag.NO_SIGNED_WRAP);
        return made;
    }
}
