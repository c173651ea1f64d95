package knobscape.compile.analysis;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.IntPredicate;
import knobscape.compile.ir.IrInstruction;
import knobscape.compile.ir.IrInstruction.Detail;
import knobscape.compile.ir.IrOpcode;
import knobscape.compile.ir.IrPredicate;
import knobscape.compile.ir.IrType;
import knobscape.compile.ir.IrValue;

/// How often the body of each loop of a function runs each time the loop is entered: from the comparison at its exit,
/// or
/// by running what the exit depends on where that is constants alone.
public final class IterationCounts {
    private static final int LONGEST_RUN = 20_000;
    /// Limits of which the least counts.
    private static final int MOST_LIMITS = 3;

    /// Iterations of a loop.
    ///
    /// @param mean over the iterations of loops around, as if there were no other way out
    /// @param least smallest number
    /// @param most largest number
    /// @param sole whether there is no other way out
    /// @param even whether the mean is that of all entries, not one of means
    public record Count(double mean, long least, long most, boolean sole, boolean even) {
        /// True if it is always the same and there is no other way out.
        public boolean exact() {
            return sole && least == most;
        }
    }

    private final AffineForms forms;
    private final IrLoops loops;
    private final Map<IrLoop, Count> counts = new HashMap<>();

    /// Counts those of the function behind `forms`.
    public IterationCounts(AffineForms forms, IrLoops loops) {
        this.forms = forms;
        this.loops = loops;
        List<IrLoop> outerFirst = new ArrayList<>(loops.all());
        outerFirst.sort(Comparator.comparingInt(IrLoop::depth));
        for (IrLoop l : outerFirst) {
            find(l).ifPresent(c -> counts.put(l, c));
        }
    }

    /// Iterations of a loop; empty where its exit depends on data.
    public Optional<Count> of(IrLoop loop) {
        return Optional.ofNullable(counts.get(loop));
    }

    /// Iterations of a loop with one way out where the function's arguments are these numbers; empty where that does
    /// not
    /// tell.
    public OptionalLong of(IrLoop loop, List<OptionalLong> arguments) {
        int[] exits = exits(loop);
        return exits.length == 1 ? new Run(_ -> true, arguments).count(loop, exits[0]) : OptionalLong.empty();
    }

    /// The number that a value is where the function's arguments are these; empty where that does not tell.
    public OptionalLong number(IrValue value, List<OptionalLong> arguments) {
        return value.type() instanceof IrType.Int ? new Run(_ -> true, arguments).number(value) : OptionalLong.empty();
    }

    private int[] exits(IrLoop loop) {
        return loop.blocks().stream()
                .filter(b -> {
                    for (int s : loops.flow().next(b)) {
                        if (!loop.contains(s)) {
                            return true;
                        }
                    }
                    return false;
                })
                .toArray();
    }

    private Optional<Count> find(IrLoop loop) {
        int[] exits = exits(loop);
        Count best = null;
        for (int b : exits) {
            Optional<Count> c = compared(loop, b);
            if (c.isPresent() && (best == null || c.get().most() < best.most())) {
                best = c.get();
            }
        }
        if (best == null && exits.length == 1) {
            OptionalLong n = new Run(loop::contains, List.of()).count(loop, exits[0]);
            best = n.isPresent() ? new Count(n.getAsLong(), n.getAsLong(), n.getAsLong(), true, true) : null;
        }
        boolean sole = exits.length == 1;
        return Optional.ofNullable(best).map(c -> sole ? c : new Count(c.mean(), 0, c.most(), false, false));
    }

    /// The comparison at one exit.
    private Optional<Count> compared(IrLoop loop, int block) {
        IrInstruction branch = last(block);
        if (branch.opcode() != IrOpcode.BR || branch.operands().size() != 1) {
            return Optional.empty();
        }
        if (!(branch.operands().getFirst() instanceof IrValue.Result(int id, IrType _))
                || !(forms.code().get(id).detail() instanceof Detail.Comparison(IrPredicate p))
                || forms.code().get(id).opcode() != IrOpcode.ICMP) {
            return Optional.empty();
        }
        IrInstruction comparison = forms.code().get(id);
        boolean stays = loop.contains(branch.blocks().get(0));
        IrPredicate goesOn = stays ? p : inverse(p);
        boolean after = loop.latches().contains(block) || block != loop.header();
        Affine difference = forms.of(comparison.operands().get(0))
                .minus(forms.of(comparison.operands().get(1)));
        return compared(loop, difference, goesOn, after, 0);
    }

    /// @param difference that goes on while it compares so with 0
    private Optional<Count> compared(IrLoop loop, Affine difference, IrPredicate goesOn, boolean after, int depth) {
        boolean below = goesOn == IrPredicate.SLT
                || goesOn == IrPredicate.SLE
                || goesOn == IrPredicate.ULT
                || goesOn == IrPredicate.ULE;
        for (int k = 0; k < difference.size() && below && depth < MOST_LIMITS; k++) {
            int s = difference.symbols()[k];
            long factor = difference.factorAt(k);
            if (s < 0 || s >= forms.code().size()) {
                continue;
            }
            IrInstruction i = forms.code().get(s);
            boolean chosen = i.opcode() == IrOpcode.SELECT;
            boolean smallest = isSmallest(i);
            if (!chosen && (factor >= 0 || !smallest)) {
                continue;
            }
            Affine rest = difference.plus(Affine.symbol(s), -factor);
            List<IrValue> of = chosen ? i.operands().subList(1, 3) : i.operands();
            Optional<Count> a = compared(loop, rest.plus(forms.of(of.get(0)), factor), goesOn, after, depth + 1);
            Optional<Count> b = compared(loop, rest.plus(forms.of(of.get(1)), factor), goesOn, after, depth + 1);
            if (smallest && factor < 0) {
                // The loop ends where it would with the nearer of two limits.
                return a.isPresent() && b.isPresent()
                        ? Optional.of(nearer(a.get(), b.get()))
                        : a.or(() -> b).map(c -> new Count(c.mean(), after ? 1 : 0, c.most(), false, false));
            }
            return a.isPresent() && b.isPresent() ? Optional.of(either(a.get(), b.get())) : Optional.empty();
        }
        return compared(loop, difference, goesOn, after);
    }

    /// True if it is the smaller of two values, also as a choice by what compares them.
    private boolean isSmallest(IrInstruction i) {
        if (i.opcode() == IrOpcode.SELECT
                && i.operands().getFirst() instanceof IrValue.Result(int id, IrType _)
                && forms.code().get(id).detail() instanceof Detail.Comparison(IrPredicate p)
                && forms.code().get(id).opcode() == IrOpcode.ICMP) {
            IrInstruction comparison = forms.code().get(id);
            Affine compared = forms.of(comparison.operands().get(0))
                    .minus(forms.of(comparison.operands().get(1)));
            Affine values =
                    forms.of(i.operands().get(1)).minus(forms.of(i.operands().get(2)));
            boolean less = p == IrPredicate.SLT || p == IrPredicate.SLE || p == IrPredicate.ULT || p == IrPredicate.ULE;
            boolean more = p == IrPredicate.SGT || p == IrPredicate.SGE || p == IrPredicate.UGT || p == IrPredicate.UGE;
            return (less && compared.equals(values))
                    || (more && compared.equals(Affine.of(0).minus(values)));
        }
        return i.callee()
                .filter(c -> c.startsWith("llvm.smin.") || c.startsWith("llvm.umin."))
                .isPresent();
    }

    private static Count either(Count x, Count y) {
        return new Count(
                (x.mean() + y.mean()) / 2, Math.min(x.least(), y.least()), Math.max(x.most(), y.most()), false, false);
    }

    private static Count nearer(Count x, Count y) {
        if (x.most() <= y.least()) {
            return x;
        }
        return y.most() <= x.least()
                ? y
                : new Count(
                        Math.min(x.mean(), y.mean()),
                        Math.min(x.least(), y.least()),
                        Math.min(x.most(), y.most()),
                        false,
                        false);
    }

    private Optional<Count> compared(IrLoop loop, Affine difference, IrPredicate goesOn, boolean after) {
        int own = Affine.iteration(loop.header());
        long step = difference.factor(own);
        if (step == 0) {
            return Optional.empty();
        }
        boolean even = true;
        double mean = difference.constant();
        double low = mean;
        double high = mean;
        for (int k = 0; k < difference.size(); k++) {
            int s = difference.symbols()[k];
            if (s == own) {
                continue;
            }
            Optional<Count> outer = s < 0 ? loops.headedBy(~s).flatMap(this::of) : Optional.empty();
            if (outer.isEmpty()) {
                return Optional.empty();
            }
            double f = difference.factorAt(k);
            if (!isAround(loops.headedBy(~s).orElseThrow(), loop)) {
                // A loop that was left has made all its iterations.
                if (!outer.get().exact() || !endsAtItsHeader(loops.headedBy(~s).orElseThrow())) {
                    return Optional.empty();
                }
                double end = f * outer.get().most();
                mean += end;
                low += end;
                high += end;
                continue;
            }
            even &= outer.get().exact();
            mean += f * (outer.get().mean() - 1) / 2;
            double last = f * Math.max(0, outer.get().most() - 1);
            low += Math.min(0, last);
            high += Math.max(0, last);
        }
        double atMean = iterations(goesOn, mean, step, after);
        double atLow = iterations(goesOn, low, step, after);
        double atHigh = iterations(goesOn, high, step, after);
        if (atMean < 0) {
            return Optional.empty();
        }
        long most = (long) Math.max(atMean, Math.max(atLow, atHigh));
        long least = (long) Math.floor(Math.max(0, Math.min(atLow, atHigh)));
        return low == high
                ? Optional.of(
                        new Count(Math.floor(atMean), (long) Math.floor(atMean), (long) Math.floor(atMean), true, true))
                : Optional.of(new Count(Math.max(0, atLow + atHigh) / 2, least, most, true, even));
    }

    private static boolean isAround(IrLoop outer, IrLoop inner) {
        return inner != outer && outer.contains(inner.header());
    }

    private boolean endsAtItsHeader(IrLoop loop) {
        return java.util.Arrays.stream(loops.flow().next(loop.header())).anyMatch(s -> !loop.contains(s));
    }

    private IrInstruction last(int block) {
        return forms.function().blocks().get(block).terminator();
    }

    /// How often the body runs where the loop goes on while `from + step * iteration` compares so with 0; -1 where that
    /// never ends.
    private static double iterations(IrPredicate p, double from, long step, boolean after) {
        double n = switch (p) {
            case NE -> -from / step;
            case ULT, SLT -> step > 0 ? Math.ceil(-from / step) : -1;
            case ULE, SLE -> step > 0 ? Math.floor(-from / step) + 1 : -1;
            case UGT, SGT -> step < 0 ? Math.ceil(from / -step) : -1;
            case UGE, SGE -> step < 0 ? Math.floor(from / -step) + 1 : -1;
            case EQ -> from == 0 ? 1 : 0;
            default -> -1;
        };
        boolean endless = n < 0
                && (p == IrPredicate.NE
                        || step > 0
                                == (p == IrPredicate.UGT
                                        || p == IrPredicate.SGT
                                        || p == IrPredicate.UGE
                                        || p == IrPredicate.SGE));
        return endless ? -1 : Math.max(0, n) + (after ? 1 : 0);
    }

    private static IrPredicate inverse(IrPredicate p) {
        return switch (p) {
            case EQ -> IrPredicate.NE;
            case NE -> IrPredicate.EQ;
            case UGT -> IrPredicate.ULE;
            case ULE -> IrPredicate.UGT;
            case UGE -> IrPredicate.ULT;
            case ULT -> IrPredicate.UGE;
            case SGT -> IrPredicate.SLE;
            case SLE -> IrPredicate.SGT;
            case SGE -> IrPredicate.SLT;
            case SLT -> IrPredicate.SGE;
            default -> p;
        };
    }

    /// Runs the values behind an exit, iteration by iteration.
    private final class Run {
        private final IntPredicate computed;
        private final List<OptionalLong> arguments;
        private Map<Integer, Long> values = new HashMap<>();

        /// @param computed blocks whose instructions are computed
        /// @param arguments of the function, none where they are not known
        Run(IntPredicate computed, List<OptionalLong> arguments) {
            this.computed = computed;
            this.arguments = arguments;
        }

        OptionalLong number(IrValue v) {
            try {
                return OptionalLong.of(value(v, 0));
            } catch (NotConstant e) {
                return OptionalLong.empty();
            }
        }

        OptionalLong count(IrLoop loop, int exit) {
            IrInstruction branch = last(exit);
            if (branch.opcode() != IrOpcode.BR
                    || branch.operands().size() != 1
                    || loop.latches().size() != 1) {
                return OptionalLong.empty();
            }
            List<IrInstruction> phis = forms.code().stream()
                    .filter(i -> i.opcode() == IrOpcode.PHI && forms.blockOf(i.id()) == loop.header())
                    .filter(i -> i.type() instanceof IrType.Int(int bits) && bits <= Long.SIZE)
                    .toList();
            for (IrInstruction p : phis) {
                forms.only(p, loop, false).map(this::number).ifPresent(v -> v.ifPresent(x -> values.put(p.id(), x)));
            }
            boolean first = exit == loop.header() && !loop.latches().contains(exit);
            try {
                for (int n = 0; n < LONGEST_RUN; n++) {
                    long goes = value(branch.operands().getFirst(), 0);
                    int to = branch.blocks().get(goes != 0 ? 0 : 1);
                    if (!loop.contains(to)) {
                        return OptionalLong.of(first ? n : n + 1);
                    }
                    var next = new HashMap<Integer, Long>();
                    for (IrInstruction p : phis) {
                        if (values.containsKey(p.id())) {
                            advance(p, loop, next);
                        }
                    }
                    values = next;
                }
            } catch (NotConstant e) {
                return OptionalLong.empty();
            }
            return OptionalLong.empty();
        }

        private void advance(IrInstruction p, IrLoop loop, Map<Integer, Long> next) {
            Optional<IrValue> again = forms.only(p, loop, true);
            if (again.isPresent()) {
                try {
                    next.put(p.id(), value(again.get(), 0));
                } catch (NotConstant e) {
                    // The exit may not need this one; if it does, it says so.
                    next.remove(p.id());
                }
            }
        }

        private long value(IrValue v, int depth) throws NotConstant {
            OptionalLong constant = AffineForms.whole(v);
            if (constant.isPresent()) {
                return constant.getAsLong();
            }
            if (v instanceof IrValue.Argument a
                    && a.index() < arguments.size()
                    && arguments.get(a.index()).isPresent()) {
                return arguments.get(a.index()).getAsLong();
            }
            if (!(v instanceof IrValue.Result(int id, IrType _)) || depth > 60) {
                throw new NotConstant();
            }
            Long known = values.get(id);
            return known != null ? known : compute(forms.code().get(id), depth + 1);
        }

        private long compute(IrInstruction i, int depth) throws NotConstant {
            if (!computed.test(forms.blockOf(i.id())) || !(i.type() instanceof IrType.Int(int bits)) || bits > 64) {
                throw new NotConstant();
            }
            List<IrValue> o = i.operands();
            return switch (i.opcode()) {
                case ADD -> wrap(value(o.get(0), depth) + value(o.get(1), depth), bits);
                case SUB -> wrap(value(o.get(0), depth) - value(o.get(1), depth), bits);
                case MUL -> wrap(value(o.get(0), depth) * value(o.get(1), depth), bits);
                case SDIV, SREM -> {
                    long by = value(o.get(1), depth);
                    if (by == 0) {
                        throw new NotConstant();
                    }
                    long x = value(o.get(0), depth);
                    yield wrap(i.opcode() == IrOpcode.SDIV ? x / by : x % by, bits);
                }
                case UDIV, UREM -> {
                    long by = low(value(o.get(1), depth), bits);
                    if (by == 0) {
                        throw new NotConstant();
                    }
                    long x = low(value(o.get(0), depth), bits);
                    yield wrap(
                            i.opcode() == IrOpcode.UDIV ? Long.divideUnsigned(x, by) : Long.remainderUnsigned(x, by),
                            bits);
                }
                case AND -> value(o.get(0), depth) & value(o.get(1), depth);
                case OR -> value(o.get(0), depth) | value(o.get(1), depth);
                case XOR -> value(o.get(0), depth) ^ value(o.get(1), depth);
                case SHL -> wrap(value(o.get(0), depth) << (value(o.get(1), depth) & 63), bits);
                case ASHR -> value(o.get(0), depth) >> (value(o.get(1), depth) & 63);
                case LSHR -> wrap(low(value(o.get(0), depth), bits) >>> (value(o.get(1), depth) & 63), bits);
                case SEXT, FREEZE -> value(o.getFirst(), depth);
                case TRUNC -> wrap(value(o.getFirst(), depth), bits);
                case ZEXT -> low(value(o.getFirst(), depth), width(o.getFirst()));
                case SELECT -> value(o.get(0), depth) != 0 ? value(o.get(1), depth) : value(o.get(2), depth);
                case ICMP -> compare(i, depth);
                default -> throw new NotConstant();
            };
        }

        private long compare(IrInstruction i, int depth) throws NotConstant {
            long a = value(i.operands().get(0), depth);
            long b = value(i.operands().get(1), depth);
            if (!(i.detail() instanceof Detail.Comparison(IrPredicate p))) {
                throw new NotConstant();
            }
            int bits = width(i.operands().getFirst());
            int unsigned = Long.compareUnsigned(low(a, bits), low(b, bits));
            boolean holds = switch (p) {
                case EQ -> a == b;
                case NE -> a != b;
                case SLT -> a < b;
                case SLE -> a <= b;
                case SGT -> a > b;
                case SGE -> a >= b;
                case ULT -> unsigned < 0;
                case ULE -> unsigned <= 0;
                case UGT -> unsigned > 0;
                case UGE -> unsigned >= 0;
                default -> throw new NotConstant();
            };
            return holds ? -1 : 0;
        }

        private static int width(IrValue v) {
            return v.type() instanceof IrType.Int(int bits) ? bits : Long.SIZE;
        }

        private static long low(long x, int bits) {
            return bits >= Long.SIZE ? x : x & ((1L << bits) - 1);
        }

        private static long wrap(long x, int bits) {
            return bits >= Long.SIZE ? x : x << (Long.SIZE - bits) >> (Long.SIZE - bits);
        }
    }

    private static final class NotConstant extends Exception {
        private static final long serialVersionUID = 1L;

        NotConstant() {
            super("", null, false, false);
        }
    }
}
