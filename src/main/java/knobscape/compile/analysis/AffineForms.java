package knobscape.compile.analysis;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.ToLongFunction;
import knobscape.compile.ir.IrConstant;
import knobscape.compile.ir.IrFunction;
import knobscape.compile.ir.IrInstruction;
import knobscape.compile.ir.IrInstruction.Detail;
import knobscape.compile.ir.IrInstruction.Flag;
import knobscape.compile.ir.IrOpcode;
import knobscape.compile.ir.IrType;
import knobscape.compile.ir.IrValue;
import org.jspecify.annotations.Nullable;

/// Integers and addresses of one function as [Affine] forms of iteration numbers and of values that are no such forms.
/// Wrap-around is left aside: an index that wraps is taken for one that does not.
public final class AffineForms {
    private static final int DEEPEST = 400;
    private static final int LONGEST_SHIFT = 62;
    private static final long LARGEST = 1L << 30;

    /// Where an address points to.
    ///
    /// @param root the object: an `alloca`, an argument, a global, or the value that could not be followed further
    /// @param bytes from its start
    public record Pointer(IrValue root, Affine bytes) {}

    private final IrFunction function;
    private final List<IrInstruction> code;
    private final IrLoops loops;
    private final int[] blockOf;
    private final @Nullable Affine[] forms;
    /// Values whose form is being looked for.
    private final BitSet open = new BitSet();
    /// Values whose form was found, in that order.
    private final List<Integer> trail = new ArrayList<>();
    private final Map<IrValue, Pointer> pointers = new HashMap<>();
    private final List<IrValue> pointerTrail = new ArrayList<>();
    /// Most iterations of a loop, 0 where unknown.
    private ToLongFunction<IrLoop> most = _ -> 0;

    /// For a function with a body.
    public AffineForms(IrFunction function, IrLoops loops) {
        this.function = function;
        this.code = function.instructions();
        this.loops = loops;
        forms = new Affine[code.size()];
        blockOf = new int[code.size()];
        function.blocks().forEach(b -> b.instructions().forEach(i -> blockOf[i.id()] = b.index()));
    }

    /// Finds forms anew with what is known now about loops.
    ///
    /// @param iterations most of a loop, 0 where unknown
    void bound(ToLongFunction<IrLoop> iterations) {
        most = iterations;
        Arrays.fill(forms, null);
        pointers.clear();
    }

    /// The function.
    public IrFunction function() {
        return function;
    }

    /// The function's instructions by id.
    public List<IrInstruction> code() {
        return code;
    }

    /// Block of an instruction.
    public int blockOf(int instruction) {
        return blockOf[instruction];
    }

    /// True if a block is the header of a loop.
    public boolean isHeader(int block) {
        return loops.headedBy(block).isPresent();
    }

    /// The symbol of a value that is no form: an instruction's id, or behind all of them an argument's index.
    public int symbol(IrValue value) {
        return switch (value) {
            case IrValue.Result r -> r.instruction();
            case IrValue.Argument a -> code.size() + a.index();
            default -> code.size() + (1 << 16);
        };
    }

    /// True if a symbol may change from one iteration of a loop to the next, other than as the loop's own number.
    public boolean varies(int symbol, IrLoop loop) {
        int block = symbol < 0 ? ~symbol : symbol < code.size() ? blockOf[symbol] : -1;
        return block >= 0 && loop.contains(block) && symbol != Affine.iteration(loop.header());
    }

    /// The form of an integer.
    public Affine of(IrValue value) {
        return of(value, 0);
    }

    private Affine of(IrValue value, int depth) {
        return switch (value) {
            case IrConstant.Whole w
            when w.asLong().isPresent() -> Affine.of(w.asLong().getAsLong());
            case IrConstant.Zero _, IrConstant.Undefined _ -> Affine.of(0);
            case IrValue.Result r -> result(r.instruction(), depth);
            default -> Affine.symbol(symbol(value));
        };
    }

    private Affine result(int id, int depth) {
        Affine known = forms[id];
        if (known != null) {
            return known;
        }
        Affine self = Affine.symbol(id);
        if (depth > DEEPEST) {
            return self;
        }
        forms[id] = self;
        open.set(id);
        Affine made = make(code.get(id), self, depth + 1);
        open.clear(id);
        forms[id] = made;
        trail.add(id);
        return made;
    }

    private Affine make(IrInstruction i, Affine self, int depth) {
        if (!(i.type() instanceof IrType.Int)) {
            return self;
        }
        return switch (i.opcode()) {
            case SEXT, ZEXT, FREEZE -> of(i.operands().getFirst(), depth);
            case TRUNC ->
                i.type() instanceof IrType.Int(int bits) && bits < Byte.SIZE
                        ? self
                        : of(i.operands().getFirst(), depth);
            case ADD -> of(i.operands().get(0), depth).plus(of(i.operands().get(1), depth), 1);
            case SUB -> of(i.operands().get(0), depth).minus(of(i.operands().get(1), depth));
            case OR -> {
                Affine a = of(i.operands().get(0), depth);
                Affine b = of(i.operands().get(1), depth);
                yield i.flags().contains(Flag.DISJOINT) || (mayBeSet(a) & mayBeSet(b)) == 0 ? a.plus(b, 1) : self;
            }
            case MUL -> product(of(i.operands().get(0), depth), of(i.operands().get(1), depth), self);
            case SHL -> shifted(of(i.operands().get(0), depth), of(i.operands().get(1), depth), self);
            case UDIV, SDIV, LSHR, ASHR, UREM, SREM, AND -> divided(i, self, depth);
            case PHI -> phi(i, self, depth);
            case SELECT -> {
                Affine a = of(i.operands().get(1), depth);
                yield a.equals(of(i.operands().get(2), depth)) ? a : self;
            }
            default -> self;
        };
    }

    /// Bits that may be set in a sum of iteration numbers, all of them where that is not known. LLVM forgets that an
    /// `or` is a sum when it joins two of them.
    private long mayBeSet(Affine a) {
        long highest = a.constant();
        int fixed = Long.SIZE - 1;
        for (int k = 0; k < a.size(); k++) {
            int symbol = a.symbols()[k];
            long times =
                    symbol < 0 ? loops.headedBy(~symbol).map(most::applyAsLong).orElse(0L) : 0;
            if (times < 1 || times > LARGEST || a.factorAt(k) < 0 || a.factorAt(k) > LARGEST) {
                return -1;
            }
            highest += a.factorAt(k) * (times - 1);
            fixed = Math.min(fixed, Long.numberOfTrailingZeros(a.factorAt(k)));
        }
        if (a.constant() < 0 || highest > LARGEST) {
            return -1;
        }
        long low = (1L << fixed) - 1;
        return a.isConstant() ? a.constant() : (a.constant() & low) | (((Long.highestOneBit(highest) << 1) - 1) & ~low);
    }

    private static Affine product(Affine a, Affine b, Affine self) {
        return b.isConstant() ? a.times(b.constant()) : a.isConstant() ? b.times(a.constant()) : self;
    }

    private static Affine shifted(Affine a, Affine by, Affine self) {
        return by.isConstant() && by.constant() >= 0 && by.constant() < LONGEST_SHIFT
                ? a.times(1L << by.constant())
                : self;
    }

    /// Quotient or rest of a form whose moving part is divisible: `i / 2` and `i % 2` of every other iteration.
    private Affine divided(IrInstruction i, Affine self, int depth) {
        OptionalLong by = divisor(i);
        Affine a = by.isPresent() ? of(i.operands().getFirst(), depth) : self;
        if (by.isEmpty() || !(i.opcode() == IrOpcode.ASHR || i.opcode() == IrOpcode.AND || isNatural(a))) {
            return self;
        }
        long d = by.getAsLong();
        boolean rest = i.opcode() == IrOpcode.UREM || i.opcode() == IrOpcode.SREM || i.opcode() == IrOpcode.AND;
        Affine quotient = Affine.of(rest ? Math.floorMod(a.constant(), d) : Math.floorDiv(a.constant(), d));
        for (int k = 0; k < a.size(); k++) {
            if (a.factorAt(k) % d != 0) {
                return self;
            }
            quotient = rest ? quotient : quotient.plus(Affine.symbol(a.symbols()[k]), a.factorAt(k) / d);
        }
        return quotient;
    }

    /// The divisor of an instruction, where that is a constant; masks and shifts divide by powers of two.
    private static OptionalLong divisor(IrInstruction i) {
        OptionalLong k = whole(i.operands().get(1));
        long v = k.orElse(-1);
        return switch (i.opcode()) {
            case LSHR, ASHR -> v >= 0 && v < LONGEST_SHIFT ? OptionalLong.of(1L << v) : OptionalLong.empty();
            case AND -> v > 0 && Long.bitCount(v + 1) == 1 ? OptionalLong.of(v + 1) : OptionalLong.empty();
            default -> v > 0 ? k : OptionalLong.empty();
        };
    }

    /// True if a form is a sum of iteration numbers that never falls below 0.
    private static boolean isNatural(Affine a) {
        boolean natural = a.constant() >= 0;
        for (int k = 0; k < a.size(); k++) {
            natural &= a.symbols()[k] < 0 && a.factorAt(k) >= 0;
        }
        return natural;
    }

    private Affine phi(IrInstruction i, Affine self, int depth) {
        Optional<IrLoop> loop = loops.headedBy(blockOf[i.id()]);
        if (loop.isEmpty()) {
            Affine first = of(i.operands().getFirst(), depth);
            return i.operands().stream().allMatch(o -> of(o, depth).equals(first)) ? first : self;
        }
        Optional<IrValue> entry = only(i, loop.get(), false);
        Optional<IrValue> again = only(i, loop.get(), true);
        if (entry.isEmpty() || again.isEmpty()) {
            return self;
        }
        int since = trail.size();
        // The search may have begun at the value of the next iteration.
        Affine next = again.get() instanceof IrValue.Result r && open.get(r.instruction()) && depth <= DEEPEST
                ? make(code.get(r.instruction()), Affine.symbol(r.instruction()), depth + 1)
                : of(again.get(), depth);
        if (next.moving().equals(self) && next.constant() != 0) {
            forget(since, i.id());
            return of(entry.get(), depth)
                    .plus(Affine.symbol(Affine.iteration(loop.get().header())), next.constant());
        }
        return self;
    }

    /// Forms found meanwhile that hold the symbol of a value which turned out to have a form.
    private void forget(int since, int symbol) {
        for (int k = trail.size() - 1; k >= since; k--) {
            Affine f = forms[trail.get(k)];
            if (f != null && f.factor(symbol) != 0) {
                forms[trail.get(k)] = null;
            }
        }
    }

    /// The operand of a header's phi from outside the loop, or from its back edges, where it is one.
    public Optional<IrValue> only(IrInstruction phi, IrLoop loop, boolean inside) {
        IrValue found = null;
        for (int k = 0; k < phi.operands().size(); k++) {
            if (loop.contains(phi.blocks().get(k)) == inside) {
                if (found != null && !found.equals(phi.operands().get(k))) {
                    return Optional.empty();
                }
                found = phi.operands().get(k);
            }
        }
        return Optional.ofNullable(found);
    }

    /// Where an address points to.
    public Pointer pointer(IrValue address) {
        return pointer(address, 0);
    }

    private Pointer pointer(IrValue address, int depth) {
        Pointer known = pointers.get(address);
        if (known != null) {
            return known;
        }
        if (depth > DEEPEST) {
            return new Pointer(address, Affine.of(0));
        }
        pointers.put(address, new Pointer(address, Affine.of(0)));
        Pointer made = switch (address) {
            case IrConstant.Computed c -> computed(c, depth + 1);
            case IrValue.Result r -> follow(code.get(r.instruction()), address, depth + 1);
            default -> new Pointer(address, Affine.of(0));
        };
        pointers.put(address, made);
        pointerTrail.add(address);
        return made;
    }

    private Pointer computed(IrConstant.Computed c, int depth) {
        if (c.opcode() == IrOpcode.GET_ELEMENT_PTR && c.element().isPresent()) {
            return element(c.element().get(), c.operands(), depth);
        }
        return c.operands().isEmpty()
                ? new Pointer(c, Affine.of(0))
                : pointer(c.operands().getFirst(), depth);
    }

    private Pointer follow(IrInstruction i, IrValue self, int depth) {
        return switch (i.opcode()) {
            case GET_ELEMENT_PTR ->
                i.detail() instanceof Detail.Element(IrType type)
                        ? element(type, i.operands(), depth)
                        : new Pointer(self, Affine.of(0));
            case BITCAST, ADDR_SPACE_CAST, FREEZE -> pointer(i.operands().getFirst(), depth);
            case PHI -> phiPointer(i, self, depth);
            case SELECT -> unknown(pointer(i.operands().get(1), depth), i);
            default -> new Pointer(self, Affine.of(0));
        };
    }

    private static Pointer unknown(Pointer p, IrInstruction i) {
        return new Pointer(p.root(), Affine.symbol(i.id()));
    }

    private Pointer phiPointer(IrInstruction i, IrValue self, int depth) {
        Optional<IrLoop> loop = loops.headedBy(blockOf[i.id()]);
        if (loop.isPresent()) {
            Optional<IrValue> entry = only(i, loop.get(), false);
            Optional<IrValue> again = only(i, loop.get(), true);
            if (entry.isPresent() && again.isPresent()) {
                Pointer from = pointer(entry.get(), depth);
                int since = pointerTrail.size();
                Pointer next = pointer(again.get(), depth);
                for (int k = pointerTrail.size() - 1; k >= since; k--) {
                    Pointer p = pointers.get(pointerTrail.get(k));
                    if (p != null && p.root().equals(self)) {
                        pointers.remove(pointerTrail.get(k));
                    }
                }
                boolean moves = next.root().equals(self) && next.bytes().isConstant();
                return new Pointer(
                        from.root(),
                        moves
                                ? from.bytes()
                                        .plus(
                                                Affine.symbol(Affine.iteration(
                                                        loop.get().header())),
                                                next.bytes().constant())
                                : Affine.symbol(i.id()));
            }
        }
        Pointer first = pointer(i.operands().getFirst(), depth);
        return i.operands().stream().allMatch(o -> pointer(o, depth).equals(first)) ? first : unknown(first, i);
    }

    private Pointer element(IrType walked, List<? extends IrValue> operands, int depth) {
        Pointer base = pointer(operands.getFirst(), depth);
        Affine bytes = base.bytes();
        IrType type = walked;
        for (int k = 1; k < operands.size(); k++) {
            IrValue index = operands.get(k);
            if (k > 1 && type instanceof IrType.Struct s) {
                int member = (int) whole(index).orElse(0);
                bytes = bytes.plus(s.offsets().get(member));
                type = s.members().get(member);
                continue;
            }
            if (k > 1) {
                type = inside(type);
            }
            bytes = bytes.plus(of(index, depth), type.bytes());
        }
        return new Pointer(base.root(), bytes);
    }

    private static IrType inside(IrType type) {
        return switch (type) {
            case IrType.Array a -> a.element();
            case IrType.Vector v -> v.element();
            default -> type;
        };
    }

    /// The value of an integer constant.
    public static OptionalLong whole(IrValue value) {
        return switch (value) {
            case IrConstant.Whole w -> w.asLong();
            case IrConstant.Zero _ -> OptionalLong.of(0);
            default -> OptionalLong.empty();
        };
    }
}
