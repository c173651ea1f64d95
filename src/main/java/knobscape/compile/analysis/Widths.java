package knobscape.compile.analysis;

import java.math.BigInteger;
import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import knobscape.compile.ir.IrConstant;
import knobscape.compile.ir.IrInstruction;
import knobscape.compile.ir.IrOpcode;
import knobscape.compile.ir.IrType;
import knobscape.compile.ir.IrValue;
import org.jspecify.annotations.Nullable;

/// Bits that values of one function really need: a sum of two bytes needs nine, whatever type it is computed in.
public final class Widths {
    private static final int DEEPEST = 60;

    private final AffineForms forms;
    private final IrLoops loops;
    private final IterationCounts counts;
    private final int[] known;
    private final List<List<IrInstruction>> users;
    /// Low bits of each result that anything depends on, once they were asked for.
    private int @Nullable [] asked;

    /// For the function behind `forms`.
    ///
    /// @param users of each instruction's result
    public Widths(AffineForms forms, IrLoops loops, IterationCounts counts, List<List<IrInstruction>> users) {
        this.forms = forms;
        this.loops = loops;
        this.counts = counts;
        this.users = users;
        known = new int[forms.code().size()];
    }

    /// Bits of a type: of a number its width, of an address 64, of an aggregate all its members'.
    public static int bits(IrType type) {
        return switch (type) {
            case IrType.Int(int bits) -> bits;
            case IrType.Real(int bits) -> bits;
            case IrType.Pointer _ -> Long.SIZE;
            case IrType.Array a -> (int) Math.min(Integer.MAX_VALUE, a.length() * bits(a.element()));
            case IrType.Vector v -> v.length() * bits(v.element());
            case IrType.Struct s -> s.members().stream().mapToInt(Widths::bits).sum();
            case IrType.Void _, IrType.Other _ -> 0;
        };
    }

    /// Bits that hold every value which `value` takes.
    public int of(IrValue value) {
        return of(value, 0);
    }

    /// Bits of a value that hold what it takes and that anything depends on: of a product of ints whose sum is stored
    /// as
    /// a short, 16.
    public int used(IrValue value) {
        return value instanceof IrValue.Result(int id, IrType type) && type instanceof IrType.Int
                ? Math.max(1, Math.min(of(value), asked()[id]))
                : of(value);
    }

    /// A constant as an operation of so many low bits sees it: LLVM writes -91 as 2^42 - 91 where nothing depends on
    /// more than 42 bits.
    ///
    /// @param bits at least 1
    public static IrConstant.Whole low(IrConstant.Whole constant, int bits) {
        BigInteger value = constant.value();
        if (value.bitLength() < bits) {
            return constant;
        }
        BigInteger rest = value.mod(BigInteger.ONE.shiftLeft(bits));
        return new IrConstant.Whole(
                rest.testBit(bits - 1) ? rest.subtract(BigInteger.ONE.shiftLeft(bits)) : rest, constant.type());
    }

    private int[] asked() {
        int[] all = asked;
        if (all == null) {
            List<IrInstruction> code = forms.code();
            all = new int[code.size()];
            for (boolean more = true; more; ) {
                more = false;
                for (int id = all.length - 1; id >= 0; id--) {
                    int most = all[id];
                    int full = bits(code.get(id).type());
                    for (IrInstruction u : most < full ? users.get(id) : List.<IrInstruction>of()) {
                        most = Math.max(most, Math.min(full, asks(u, id, all)));
                    }
                    more |= most > all[id];
                    all[id] = most;
                }
            }
            asked = all;
        }
        return all;
    }

    /// Low bits of an operand on which a user's result depends as far as that is looked at.
    private static int asks(IrInstruction user, int operand, int[] asked) {
        List<IrValue> o = user.operands();
        int own = asked[user.id()];
        return switch (user.opcode()) {
            case TRUNC, ZEXT, SEXT, FREEZE, ADD, SUB, MUL, OR, XOR, PHI -> own;
            case SELECT -> isResult(o.getFirst(), operand) ? Integer.MAX_VALUE : own;
            case AND ->
                isNatural(o.get(1)) && o.get(1) instanceof IrConstant.Whole w
                        ? Math.min(own, w.value().bitLength())
                        : own;
            case SHL ->
                isResult(o.get(1), operand)
                        ? Integer.MAX_VALUE
                        : Math.max(
                                0,
                                own
                                        - (int) Math.min(
                                                own, AffineForms.whole(o.get(1)).orElse(0)));
            default -> Integer.MAX_VALUE;
        };
    }

    private static boolean isResult(IrValue v, int id) {
        return v instanceof IrValue.Result r && r.instruction() == id;
    }

    private int of(IrValue value, int depth) {
        return switch (value) {
            case IrConstant.Whole w ->
                Math.max(1, w.value().bitLength() + (w.value().signum() < 0 ? 1 : 0));
            case IrConstant.Zero _ -> 1;
            case IrValue.Result(int id, IrType type) -> {
                if (!(type instanceof IrType.Int)) {
                    yield bits(type);
                }
                if (known[id] == 0) {
                    known[id] = Math.max(1, bits(type));
                    known[id] = depth > DEEPEST
                            ? known[id]
                            : Math.clamp(needed(forms.code().get(id), depth + 1), 1, Math.max(1, bits(type)));
                }
                yield known[id];
            }
            default -> Math.max(1, bits(value.type()));
        };
    }

    private int needed(IrInstruction i, int depth) {
        List<IrValue> o = i.operands();
        int full = bits(i.type());
        return switch (i.opcode()) {
            case ZEXT -> of(o.getFirst(), depth) + 1;
            case SEXT, TRUNC, FREEZE -> of(o.getFirst(), depth);
            case AND ->
                isNatural(o.get(1))
                        ? Math.min(of(o.get(0), depth), of(o.get(1), depth))
                        : Math.max(of(o.get(0), depth), of(o.get(1), depth));
            case OR, XOR -> Math.max(of(o.get(0), depth), of(o.get(1), depth));
            case ADD, SUB -> Math.max(of(o.get(0), depth), of(o.get(1), depth)) + 1;
            case MUL -> of(o.get(0), depth) + of(o.get(1), depth);
            case SELECT -> Math.max(of(o.get(1), depth), of(o.get(2), depth));
            case SHL ->
                AffineForms.whole(o.get(1)).isPresent()
                        ? of(o.get(0), depth)
                                + (int) Math.min(
                                        full, AffineForms.whole(o.get(1)).getAsLong())
                        : full;
            case ASHR, LSHR -> {
                // A negative number shifted without its sign fills all bits.
                int from = i.opcode() == IrOpcode.ASHR || isWidened(o.get(0)) ? of(o.get(0), depth) : full;
                yield from - (int) Math.min(full, AffineForms.whole(o.get(1)).orElse(0));
            }
            case PHI -> phi(i, depth);
            default -> full;
        };
    }

    private boolean isWidened(IrValue v) {
        return v instanceof IrValue.Result(int id, IrType _)
                && forms.code().get(id).opcode() == IrOpcode.ZEXT;
    }

    private static boolean isNatural(IrValue v) {
        return v instanceof IrConstant.Whole w && w.value().signum() >= 0;
    }

    private int phi(IrInstruction i, int depth) {
        Optional<IrLoop> loop = loops.headedBy(forms.blockOf(i.id()));
        if (loop.isEmpty()) {
            return i.operands().stream().mapToInt(v -> of(v, depth)).max().orElse(bits(i.type()));
        }
        Affine form = forms.of(i.result());
        Optional<IterationCounts.Count> count = counts.of(loop.get());
        long step = form.factor(Affine.iteration(loop.get().header()));
        if (form.size() == 1 && step != 0 && count.isPresent()) {
            double largest = Math.abs((double) form.constant())
                    + Math.abs((double) step) * count.get().most();
            boolean signed = step < 0 || form.constant() < 0;
            return (int) Math.ceil(Math.log(largest + 1) / Math.log(2)) + (signed ? 1 : 0);
        }
        return brought(i, depth);
    }

    /// Bits of what is ever put into a variable that a loop carries: of a state machine's states, whose number is
    /// small.
    private int brought(IrInstruction carried, int depth) {
        int most = 1;
        var seen = new HashSet<Integer>();
        var open = new ArrayDeque<>(List.of(carried));
        while (!open.isEmpty()) {
            IrInstruction i = open.remove();
            boolean choice = i.opcode() == IrOpcode.SELECT;
            for (IrValue v : choice ? i.operands().subList(1, 3) : i.operands()) {
                Optional<IrInstruction> copy = copied(v);
                if (copy.isEmpty()) {
                    most = Math.max(most, of(v, depth));
                } else if (seen.add(copy.get().id())) {
                    open.add(copy.get());
                }
            }
        }
        return most;
    }

    /// Instructions that hand a value on as it is.
    private Optional<IrInstruction> copied(IrValue v) {
        return v instanceof IrValue.Result(int id, IrType _)
                ? Optional.of(forms.code().get(id))
                        .filter(i -> i.opcode() == IrOpcode.PHI
                                || i.opcode() == IrOpcode.SELECT
                                || i.opcode() == IrOpcode.FREEZE)
                : Optional.empty();
    }
}
