package knobscape.hls.source.clang;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import knobscape.compile.analysis.Affine;
import knobscape.compile.analysis.AffineForms;
import knobscape.compile.analysis.IrLoop;
import knobscape.compile.analysis.IrLoops;
import knobscape.compile.ir.IrFunction;
import knobscape.compile.ir.IrInstruction;
import knobscape.compile.ir.IrOpcode;
import knobscape.compile.ir.IrType;
import knobscape.hls.source.Loop.Dependence;
import knobscape.hls.source.TripCount;

/// Values that iterations of a function's loops take over from earlier iterations: in variables, and in arrays from a
/// write to a later read.
final class CarriedDependences {
    /// Distances that are tried one by one.
    private static final long FARTHEST = 1_000;

    private static final long ENDLESS = 1L << 40;
    /// Pairs of a write and a read of one array; above, some dependence is assumed.
    private static final int MOST_PAIRS = 4_096;

    private final IrFunction function;
    private final AffineForms forms;
    private final IrLoops loops;
    private final List<Touch> touches;
    private final java.util.function.Function<IrLoop, TripCount> trips;

    /// An access.
    ///
    /// @param array id
    /// @param index a form a dimension, empty where it cannot be told
    /// @param instruction id of the access or call
    record Touch(String array, Optional<List<Affine>> index, boolean reads, boolean writes, int instruction) {}

    /// @param touches of the arrays of the function, in the order of its code
    /// @param trips iterations of a loop, as far as they are facts
    CarriedDependences(
            IrFunction function,
            AffineForms forms,
            IrLoops loops,
            List<Touch> touches,
            java.util.function.Function<IrLoop, TripCount> trips) {
        this.function = function;
        this.forms = forms;
        this.loops = loops;
        this.touches = touches;
        this.trips = trips;
    }

    /// Those of a loop, variables first; of an array the one of the least distance.
    List<Dependence> of(IrLoop loop) {
        var all = new ArrayList<>(variables(loop));
        var arrays = new LinkedHashMap<String, List<Touch>>();
        touches.stream()
                .filter(t -> loop.contains(block(t)))
                .forEach(t -> arrays.computeIfAbsent(t.array(), _ -> new ArrayList<>())
                        .add(t));
        arrays.forEach((array, of) -> through(loop, array, of).ifPresent(all::add));
        return all;
    }

    private int block(Touch t) {
        return forms.blockOf(t.instruction());
    }

    private long trips(IrLoop loop) {
        return trips.apply(loop).max().orElse(ENDLESS);
    }

    private List<Dependence> variables(IrLoop loop) {
        var names = new LinkedHashSet<String>();
        for (IrInstruction i : function.blocks().get(loop.header()).instructions()) {
            if (i.opcode() != IrOpcode.PHI) {
                break;
            }
            if (!moves(i) && isTakenOver(i, loop)) {
                String name = Inductions.name(function, i);
                if (!name.contains(".")) {
                    names.add(name);
                }
            }
        }
        return names.stream()
                .map(n -> new Dependence(n, false, Optional.of(1L), true))
                .toList();
    }

    /// True if a value only counts.
    private boolean moves(IrInstruction phi) {
        return phi.type() instanceof IrType.Pointer
                ? !forms.pointer(phi.result()).root().equals(phi.result())
                : !forms.of(phi.result()).equals(Affine.symbol(phi.id()));
    }

    /// True if an iteration changes a value and a later one uses it.
    private boolean isTakenOver(IrInstruction phi, IrLoop loop) {
        boolean changes = forms.only(phi, loop, true)
                .filter(next -> next.equals(phi.result()))
                .isEmpty();
        return changes
                && loop.blocks().stream()
                        .mapToObj(b -> function.blocks().get(b))
                        .flatMap(b -> b.instructions().stream())
                        .anyMatch(u -> u.id() != phi.id() && u.operands().contains(phi.result()));
    }

    private Optional<Dependence> through(IrLoop loop, String array, List<Touch> of) {
        List<Touch> writes = of.stream().filter(Touch::writes).toList();
        List<Touch> reads = of.stream().filter(Touch::reads).toList();
        if (writes.isEmpty() || reads.isEmpty() || trips(loop) < 2) {
            return Optional.empty();
        }
        var assumed = new Dependence(array, true, Optional.empty(), false);
        if ((long) writes.size() * reads.size() > MOST_PAIRS) {
            return Optional.of(assumed);
        }
        Optional<Dependence> nearest = Optional.empty();
        var looked = new HashSet<List<Object>>();
        for (Touch r : reads) {
            boolean covered = writes.stream().anyMatch(w -> covers(w, r, loop));
            for (Touch w : covered ? List.<Touch>of() : writes) {
                if (looked.add(List.of(w.index(), r.index(), block(w), block(r)))) {
                    Optional<Dependence> d = between(loop, array, w, r, writes.size() == 1);
                    if (d.isPresent() && (nearest.isEmpty() || isNearer(d.get(), nearest.get()))) {
                        nearest = d;
                    }
                }
            }
        }
        return nearest;
    }

    private static boolean isNearer(Dependence a, Dependence b) {
        long x = a.distance().orElse(1L);
        long y = b.distance().orElse(1L);
        return x < y
                || (x == y
                        && (a.proven()
                                ? !b.proven()
                                : a.distance().isPresent() && b.distance().isEmpty()));
    }

    /// @param sole whether nothing else writes the array
    private Optional<Dependence> between(IrLoop loop, String array, Touch write, Touch read, boolean sole) {
        var assumed = Optional.of(new Dependence(array, true, Optional.empty(), false));
        if (write.index().isEmpty()
                || read.index().isEmpty()
                || write.index().get().size() != read.index().get().size()) {
            return assumed;
        }
        boolean exact = true;
        long least = 1;
        long most = trips(loop) - 1;
        var equations = new ArrayList<Equation>();
        var used = new HashSet<Integer>();
        for (int k = 0; k < write.index().get().size(); k++) {
            Optional<Equation> found = equation(
                    loop, write.index().get().get(k), read.index().get().get(k));
            if (found.isEmpty()) {
                exact = false;
                continue;
            }
            Equation e = found.get();
            exact &= e.exact() && e.inside().stream().allMatch(used::add);
            equations.add(e);
            if (e.step() != 0 && e.isBounded()) {
                long a = Math.ceilDiv(e.low(), e.step());
                long b = Math.ceilDiv(e.high(), e.step());
                least = Math.max(least, Math.min(a, b) - 1);
                most = Math.min(most, Math.max(a, b) + 1);
            }
        }
        for (long d = least; d <= most; d++) {
            long distance = d;
            if (d - least > FARTHEST) {
                return assumed;
            }
            if (equations.stream().allMatch(e -> e.holds(distance))) {
                boolean proven = sole
                        && (used.isEmpty() || write.index().equals(read.index()))
                        && isAlways(loop, block(write))
                        && isAlways(loop, block(read));
                return exact ? Optional.of(new Dependence(array, true, Optional.of(d), proven)) : assumed;
            }
        }
        return Optional.empty();
    }

    /// True if a block runs in every iteration of a loop, and of those inside it around the block.
    private boolean isAlways(IrLoop loop, int block) {
        for (Optional<IrLoop> l = loops.around(block);
                l.isPresent();
                l = l.get().parent()) {
            if (!l.get().latches().stream().allMatch(b -> loops.flow().dominates(block, b))
                    && !isNested(l.get(), block)) {
                return false;
            }
            if (l.get() == loop) {
                return true;
            }
        }
        return true;
    }

    /// True if a block lies in a loop inside, whose header is passed in every iteration.
    private boolean isNested(IrLoop loop, int block) {
        return loop.children().stream()
                .filter(c -> c.contains(block))
                .anyMatch(c ->
                        loop.latches().stream().allMatch(b -> loops.flow().dominates(c.header(), b)));
    }

    /// The condition that a read `d` iterations later meets the written element in one dimension: `step * d` is a
    /// number from `low` to `high` that differs from `start` by a multiple of `grid`.
    ///
    /// @param grid 0 where it is `start` alone
    /// @param exact whether all such numbers occur
    /// @param inside headers of the loops that move it, of the write as they are, of the read negative
    private record Equation(
            long step, long start, long low, long high, long grid, boolean exact, List<Integer> inside) {
        boolean holds(long d) {
            long at = step * d;
            return at >= low && at <= high && (grid == 0 ? at == start : (at - start) % grid == 0);
        }

        boolean isBounded() {
            return high - low < ENDLESS;
        }
    }

    /// Empty where nothing can be said.
    private Optional<Equation> equation(IrLoop loop, Affine write, Affine read) {
        int own = Affine.iteration(loop.header());
        Optional<Equation> w = moving(loop, write, 1);
        Optional<Equation> r = moving(loop, read, -1);
        if (w.isEmpty() || r.isEmpty()) {
            return Optional.empty();
        }
        Affine rest = still(loop, write).minus(still(loop, read));
        if (!rest.isConstant()) {
            return Optional.empty();
        }
        // write(t, x) = read(t + d, y): the read's factor times d is what is left.
        long step = read.factor(own);
        long apart = write.factor(own) - step;
        long c = rest.constant();
        long far = apart * (trips(loop) - 1);
        return Optional.of(new Equation(
                step,
                c,
                c + w.get().low() + r.get().low() + Math.min(0, far),
                c + w.get().high() + r.get().high() + Math.max(0, far),
                divisor(divisor(w.get().grid(), r.get().grid()), apart),
                apart == 0
                        && w.get().exact()
                        && r.get().exact()
                        && (w.get().grid() == r.get().grid()
                                || w.get().grid() == 0
                                || r.get().grid() == 0),
                Stream.concat(w.get().inside().stream(), r.get().inside().stream())
                        .toList()));
    }

    private static long divisor(long a, long b) {
        return b == 0 ? Math.abs(a) : divisor(b, a % b);
    }

    /// The part that loops inside move; empty where something else in the loop moves it.
    private Optional<Equation> moving(IrLoop loop, Affine form, int sign) {
        long low = 0;
        long high = 0;
        long grid = 0;
        boolean exact = true;
        var inside = new ArrayList<Integer>();
        for (int k = 0; k < form.size(); k++) {
            int s = form.symbols()[k];
            if (!forms.varies(s, loop)) {
                continue;
            }
            Optional<IrLoop> inner = s < 0 ? loops.headedBy(~s) : Optional.empty();
            if (inner.isEmpty()) {
                return Optional.empty();
            }
            long factor = sign * form.factorAt(k);
            long n = trips(inner.get());
            long far = factor * (n - 1);
            low += Math.min(0, far);
            high += Math.max(0, far);
            exact &= n < ENDLESS && (grid == 0 || grid == Math.abs(factor));
            grid = divisor(grid, factor);
            inside.add(sign * (~s + 1));
        }
        return Optional.of(new Equation(0, 0, low, high, grid, exact, inside));
    }

    /// The part that does not change while a loop runs.
    private Affine still(IrLoop loop, Affine form) {
        Affine rest = form;
        for (int k = 0; k < form.size(); k++) {
            int s = form.symbols()[k];
            if (forms.varies(s, loop) || s == Affine.iteration(loop.header())) {
                rest = rest.plus(Affine.symbol(s), -form.factorAt(k));
            }
        }
        return rest;
    }

    /// True if every element that is read was written earlier in the same iteration.
    private boolean covers(Touch write, Touch read, IrLoop loop) {
        if (write.index().isEmpty() || read.index().isEmpty() || write.instruction() == read.instruction()) {
            return false;
        }
        int from = block(write);
        int to = block(read);
        boolean same = loops.around(from).equals(loops.around(to));
        if (same && write.index().equals(read.index())) {
            return from == to
                    ? write.instruction() < read.instruction()
                    : loops.flow().dominates(from, to);
        }
        IrLoop common = loops.around(to).orElse(loop);
        while (!common.contains(from)) {
            common = common.parent().orElse(loop);
        }
        IrLoop outer = common;
        IrLoop filled = loops.around(from).orElse(common);
        while (filled != common && filled.parent().filter(p -> p != outer).isPresent()) {
            filled = filled.parent().orElseThrow();
        }
        return filled != common
                && loops.flow().dominates(filled.header(), to)
                && isAlways(filled, from)
                && isCounted(filled, from)
                && isWithin(outer, write.index().get(), read.index().get());
    }

    /// True if all loops around a block up to one run the same number of times whenever they are reached.
    private boolean isCounted(IrLoop outermost, int block) {
        for (Optional<IrLoop> l = loops.around(block);
                l.isPresent();
                l = l.get().parent()) {
            if (!trips.apply(l.get()).isExact()) {
                return false;
            }
            if (l.get() == outermost) {
                return true;
            }
        }
        return true;
    }

    /// True if the elements that a read sees in one iteration of a loop lie among those of a write.
    private boolean isWithin(IrLoop loop, List<Affine> write, List<Affine> read) {
        Set<Integer> used = new HashSet<>();
        int own = Affine.iteration(loop.header());
        boolean all = write.size() == read.size();
        for (int k = 0; k < write.size() && all; k++) {
            Optional<Equation> w = moving(loop, write.get(k), 1);
            Optional<Equation> r = moving(loop, read.get(k), 1);
            Affine apart = still(loop, read.get(k)).minus(still(loop, write.get(k)));
            all = w.isPresent()
                    && r.isPresent()
                    && apart.isConstant()
                    && write.get(k).factor(own) == read.get(k).factor(own)
                    && w.get().exact()
                    && w.get().grid() <= 1
                    && w.get().inside().size() <= 1
                    && w.get().inside().stream().allMatch(used::add)
                    && w.get().low() <= r.get().low() + apart.constant()
                    && r.get().high() + apart.constant() <= w.get().high();
        }
        return all;
    }

    /// How each array is accessed.
    Map<String, Touch> effects() {
        var all = new LinkedHashMap<String, Touch>();
        touches.forEach(t -> all.merge(
                t.array(),
                new Touch(t.array(), Optional.empty(), t.reads(), t.writes(), 0),
                (a, b) -> new Touch(a.array(), Optional.empty(), a.reads() || b.reads(), a.writes() || b.writes(), 0)));
        return all;
    }
}
