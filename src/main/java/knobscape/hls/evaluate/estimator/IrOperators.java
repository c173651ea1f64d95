package knobscape.hls.evaluate.estimator;

import java.util.List;
import knobscape.compile.analysis.AffineForms;
import knobscape.compile.analysis.FunctionFacts;
import knobscape.compile.analysis.Widths;
import knobscape.compile.ir.IrConstant;
import knobscape.compile.ir.IrInstruction;
import knobscape.compile.ir.IrInstruction.Detail;
import knobscape.compile.ir.IrLocation;
import knobscape.compile.ir.IrOpcode;
import knobscape.compile.ir.IrPredicate;
import knobscape.compile.ir.IrType;
import knobscape.compile.ir.IrValue;
import knobscape.hls.source.OperationKind;
import knobscape.hls.source.ScalarType;
import knobscape.hls.space.Directive;

/// Which hardware an instruction is.
final class IrOperators {
    /// Operations of an expression that are looked through.
    private static final int DEEPEST = 16;

    private final OperatorLibrary library;
    private final List<Directive> bindings;

    IrOperators(OperatorLibrary library, List<Directive> bindings) {
        this.library = library;
        this.bindings = bindings;
    }

    /// The core of an instruction. A variable's operation is told by the source's line of a value it takes.
    Directive.Core core(IrInstruction i, FunctionFacts f) {
        boolean product = i.opcode() == IrOpcode.MUL || i.opcode() == IrOpcode.FMUL;
        boolean sum = i.opcode() == IrOpcode.ADD
                || i.opcode() == IrOpcode.SUB
                || i.opcode() == IrOpcode.FADD
                || i.opcode() == IrOpcode.FSUB;
        if (bindings.isEmpty() || (!product && !sum)) {
            return Directive.Core.AUTO;
        }
        String function =
                i.location().map(IrLocation::function).orElse(f.function().sourceName());
        Directive.Core all = Directive.Core.AUTO;
        for (Directive d : bindings) {
            if (d instanceof Directive.BindMultiplier m
                    && product
                    && m.function().equals(function)) {
                all = m.core();
            }
            if (d instanceof Directive.BindOperation o && isBound(o, i, f, product, function)) {
                return o.core();
            }
        }
        return all;
    }

    private static boolean isBound(
            Directive.BindOperation o, IrInstruction i, FunctionFacts f, boolean product, String function) {
        boolean floating = i.type() instanceof IrType.Real;
        boolean fits =
                o.operation().endsWith("mul") == product && o.operation().matches("[dfh](add|sub|mul)") == floating;
        String of = o.scope().contains("/") ? o.scope().substring(0, o.scope().indexOf('/')) : o.scope();
        return fits && of.equals(function) && assigned(i, o.variable(), floating, f);
    }

    /// True if an instruction computes what a variable is assigned, or a part of that expression where `parts` count:
    /// what only the variable's value takes and no other variable holds.
    private static boolean assigned(IrInstruction i, String variable, boolean parts, FunctionFacts f) {
        IrInstruction at = i;
        for (int depth = 0; depth <= DEEPEST; depth++) {
            List<String> holders = f.variables(at.id());
            List<IrInstruction> users = f.users().get(at.id());
            if (!holders.isEmpty()) {
                return holders.contains(variable);
            }
            if (!parts) {
                // Of an integer the value may have been made wider or narrower on its way.
                return users.stream()
                        .anyMatch(u ->
                                u.opcode().isConversion() && f.variables(u.id()).contains(variable));
            }
            if (users.size() != 1) {
                return false;
            }
            at = users.getFirst();
        }
        return false;
    }

    /// Looks up the operators of a function, so that the library knows all that are shared.
    void prepare(FunctionFacts f) {
        for (IrInstruction i : f.forms().code()) {
            of(i, f, core(i, f), false);
            of(i, f, core(i, f), true);
            if (i.opcode() == IrOpcode.ADD) {
                // What a product of a sum and a difference may be taken for.
                product(
                        2 * f.widths().of(i.operands().getFirst()),
                        f.widths().of(i.operands().getFirst()),
                        true);
            }
        }
    }

    /// Looks up what finds the banks of a memory.
    void prepare(Layout l) {
        if (l.banks * l.lanesInWord > 1) {
            library.bankDivider(l.indexBits(), false);
            library.bankDivider(l.indexBits(), true);
        }
    }

    /// A multiplier of two factors of that width.
    FunctionalUnit product(int bits, int factor, boolean pipelined) {
        return number(OperationKind.MULTIPLY, bits, factor, factor, Directive.Core.AUTO, pipelined);
    }

    /// Bits of a factor of a product of so many bits.
    private static int factor(Widths w, IrValue v, int bits) {
        return Math.min(bits, w.used(v instanceof IrConstant.Whole c ? Widths.low(c, bits) : v));
    }

    /// The operator of an instruction that computes.
    FunctionalUnit of(IrInstruction i, FunctionFacts f, Directive.Core core, boolean pipelined) {
        List<IrValue> o = i.operands();
        Widths w = f.widths();
        int bits = w.used(i.result());
        return switch (i.opcode()) {
            case ADD, SUB ->
                number(
                        i.opcode() == IrOpcode.ADD ? OperationKind.ADD : OperationKind.SUBTRACT,
                        bits,
                        bits,
                        bits,
                        core,
                        pipelined);
            case MUL ->
                number(
                        OperationKind.MULTIPLY,
                        bits,
                        factor(w, o.get(0), bits),
                        factor(w, o.get(1), bits),
                        core,
                        pipelined);
            case UDIV, SDIV, UREM, SREM ->
                isPowerOfTwo(o.get(1))
                        ? library.wire()
                        : number(
                                OperationKind.DIVIDE,
                                Math.max(1, w.of(o.get(0))),
                                w.of(o.get(0)),
                                w.of(o.get(1)),
                                core,
                                pipelined);
            case SHL, LSHR, ASHR ->
                AffineForms.whole(o.get(1)).isPresent()
                        ? library.wire()
                        : number(OperationKind.SHIFT_VARIABLE, bits, bits, bits, core, pipelined);
            case AND, OR, XOR ->
                AffineForms.whole(o.get(1)).isPresent()
                        ? library.wire()
                        : number(OperationKind.LOGIC, bits, bits, bits, core, pipelined);
            case ICMP -> {
                int l = Math.max(w.of(o.get(0)), w.of(o.get(1)));
                yield isSign(i) ? library.wire() : number(OperationKind.COMPARE, l, l, l, core, pipelined);
            }
            case SELECT -> library.select(bits);
            case FADD, FSUB -> real(OperationKind.ADD, i.type(), core, pipelined);
            case FMUL -> real(OperationKind.MULTIPLY, i.type(), core, pipelined);
            case FDIV, FREM -> real(OperationKind.DIVIDE, i.type(), core, pipelined);
            case FNEG -> real(OperationKind.NEGATE, i.type(), core, pipelined);
            case FCMP -> real(OperationKind.COMPARE, o.getFirst().type(), core, pipelined);
            case UI_TO_FP, SI_TO_FP ->
                library.of(
                        OperationKind.CONVERT,
                        type(i.type()),
                        whole(w.of(o.getFirst())),
                        w.of(o.getFirst()),
                        0,
                        core,
                        pipelined);
            case FP_TO_UI, FP_TO_SI ->
                library.of(
                        OperationKind.CONVERT,
                        whole(Widths.bits(i.type())),
                        type(o.getFirst().type()),
                        Widths.bits(o.getFirst().type()),
                        0,
                        core,
                        pipelined);
            case FP_TRUNC, FP_EXT ->
                library.of(
                        OperationKind.CONVERT,
                        type(i.type()),
                        type(o.getFirst().type()),
                        Widths.bits(o.getFirst().type()),
                        0,
                        core,
                        pipelined);
            case CALL -> call(i, bits, core, pipelined);
            default -> library.wire();
        };
    }

    /// A comparison with zero that only looks at the sign.
    private static boolean isSign(IrInstruction i) {
        if (!(i.detail() instanceof Detail.Comparison(IrPredicate p))) {
            return false;
        }
        long k = AffineForms.whole(i.operands().get(1)).orElse(Long.MIN_VALUE);
        return (p == IrPredicate.SLT && k == 0) || (p == IrPredicate.SGT && k == -1);
    }

    private FunctionalUnit call(IrInstruction i, int bits, Directive.Core core, boolean pipelined) {
        String name = i.callee().orElse("");
        if (!name.startsWith("llvm.")) {
            OperationKind k = OperationKind.ofCall(name);
            return k == OperationKind.OTHER || !(i.type() instanceof IrType.Real)
                    ? library.wire()
                    : real(k, i.type(), core, pipelined);
        }
        String kind = name.split("\\.")[1];
        return switch (kind) {
            case "smax", "smin", "umax", "umin" -> number(OperationKind.MINMAX, bits, bits, bits, core, pipelined);
            case "abs" -> number(OperationKind.ABSOLUTE, bits, bits, bits, core, pipelined);
            case "fabs", "copysign" -> real(OperationKind.ABSOLUTE, i.type(), core, pipelined);
            case "minnum", "maxnum", "minimum", "maximum" -> real(OperationKind.MINMAX, i.type(), core, pipelined);
            case "fshl", "fshr" ->
                AffineForms.whole(i.operands().get(2)).isPresent()
                        ? library.wire()
                        : number(OperationKind.SHIFT_VARIABLE, bits, bits, bits, core, pipelined);
            case "usub", "uadd", "sadd", "ssub" -> number(OperationKind.ADD, bits + 1, bits, bits, core, pipelined);
            case "floor", "ceil", "round", "trunc", "rint", "nearbyint", "lround", "roundeven" ->
                library.of(
                        OperationKind.CONVERT,
                        whole(32),
                        type(i.operands().getFirst().type()),
                        32,
                        0,
                        core,
                        pipelined);
            case "fmuladd", "fma" -> real(OperationKind.MULTIPLY, i.type(), core, pipelined);
            default -> {
                OperationKind k = OperationKind.ofCall(kind);
                yield k == OperationKind.OTHER || !(i.type() instanceof IrType.Real)
                        ? library.wire()
                        : real(k, i.type(), core, pipelined);
            }
        };
    }

    private FunctionalUnit number(
            OperationKind k, int bits, int left, int right, Directive.Core core, boolean pipelined) {
        return library.of(k, whole(bits), whole(left), left, right, core, pipelined);
    }

    private FunctionalUnit real(OperationKind k, IrType type, Directive.Core core, boolean pipelined) {
        ScalarType t = type(type);
        return library.of(k, t, t, t.bits(), t.bits(), core, pipelined);
    }

    private static ScalarType whole(int bits) {
        return new ScalarType(ScalarType.Kind.INTEGER, Math.max(1, bits), 0, true, "");
    }

    private static ScalarType type(IrType t) {
        if (!(t instanceof IrType.Real(int bits))) {
            return whole(Widths.bits(t));
        }
        ScalarType.Kind kind =
                bits == 16 ? ScalarType.Kind.HALF : bits == 32 ? ScalarType.Kind.FLOAT : ScalarType.Kind.DOUBLE;
        return new ScalarType(kind, Math.min(bits, 64), 0, true, "");
    }

    static boolean isPowerOfTwo(IrValue v) {
        long k = AffineForms.whole(v).orElse(0);
        return k > 0 && Long.bitCount(k) == 1;
    }
}
