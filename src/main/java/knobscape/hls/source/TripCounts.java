package knobscape.hls.source;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.Set;
import knobscape.hls.source.Formula.Atom;
import knobscape.hls.source.Formula.LoopValue;

/// Trip counts of counting loops: closed form where the bounds are numbers, by following the enclosing loops where the bounds depend on
/// their variables (triangular loops), by intervals where that would take too long.
public final class TripCounts {
    /// Entries of the loop that are followed one by one before intervals must do.
    private static final long MAX_ENTRIES = 4_000_000;

    private TripCounts() {
    }

    /// An enclosing loop.
    ///
    /// @param shape its header, empty where it was not understood
    /// @param trip its own count
    /// @param conditional whether the next inner loop of the list stands under a condition in it
    public record Outer(java.util.Optional<LoopShape> shape, TripCount trip, boolean conditional) { }

    /// Where a loop stands.
    ///
    /// @param outer enclosing loops, outermost first
    /// @param contexts for each call of the function: what its unknown parameters are; one empty map where nothing is known
    /// @param ranges values that atoms can have
    public record Setting(List<Outer> outer, List<Map<Atom, Long>> contexts, Formula.Ranges ranges) {
        public Setting {
            outer = List.copyOf(outer);
            contexts = contexts.isEmpty() ? List.of(Map.of()) : List.copyOf(contexts);
        }
    }

    /// Iterations per entry of the loop with this header.
    ///
    /// @param shape header
    /// @param setting where it stands
    /// @param shortened whether something else may end it earlier (break, return, a condition not in the header's form)
    public static TripCount count(LoopShape shape, Setting setting, boolean shortened) {
        Tally tally = new Tally();
        for (Map<Atom, Long> context : setting.contexts()) {
            if (!follow(shape, setting, context, tally)) {
                return byIntervals(shape, setting, shortened);
            }
        }
        if (tally.unending || tally.entries == 0) {
            return TripCount.unknown();
        }
        if (shortened) {
            return new TripCount(OptionalLong.of(Math.min(shape.testedFirst() ? tally.min : 1, 1)), OptionalLong.of(tally.max), OptionalDouble.empty(),
                    tally.max == 0 ? TripCount.Certainty.EXACT : TripCount.Certainty.BOUNDED);
        }
        if (tally.min == tally.max) {
            return TripCount.exact(tally.min);
        }
        boolean average = tally.everyEntry && setting.contexts().size() == 1;
        return new TripCount(OptionalLong.of(tally.min), OptionalLong.of(tally.max),
                average ? OptionalDouble.of((double) tally.total / tally.entries) : OptionalDouble.empty(), TripCount.Certainty.BOUNDED);
    }

    private static final class Tally {
        long min = Long.MAX_VALUE;
        long max;
        long total;
        long entries;
        boolean unending;
        /// Whether every entry was counted exactly once, so that the mean is that of the execution.
        boolean everyEntry = true;
    }

    /// Adds the counts of every entry under one context; false where a value is missing or there are too many.
    private static boolean follow(LoopShape shape, Setting setting, Map<Atom, Long> context, Tally tally) {
        Set<String> needed = needed(shape, setting);
        List<LoopShape> chain = new ArrayList<>();
        boolean inside = false;
        for (Outer o : setting.outer()) {
            boolean use = o.shape().isPresent() && needed.contains(o.shape().get().loop());
            inside |= use;
            if (use) {
                chain.add(o.shape().get());
            }
            if (inside && (o.conditional() || use && o.trip().certainty() == TripCount.Certainty.BOUNDED && o.trip().average().isEmpty()
                    || !use && !o.trip().isExact())) {
                tally.everyEntry = false;
            }
        }
        return enter(shape, chain, 0, new HashMap<>(context), tally);
    }

    private static Set<String> needed(LoopShape shape, Setting setting) {
        Set<String> needed = new HashSet<>(variables(shape));
        List<Outer> outer = setting.outer();
        boolean weights = false;
        for (int i = outer.size() - 1; i >= 0; i--) {
            if (outer.get(i).shape().isPresent() && needed.contains(outer.get(i).shape().get().loop())) {
                needed.addAll(variables(outer.get(i).shape().get()));
            }
        }
        // A loop in between whose own count varies gives some entries more weight than others.
        for (Outer o : outer) {
            if (o.shape().isPresent()) {
                weights |= needed.contains(o.shape().get().loop());
                if (weights && !o.trip().isExact() && needed.containsAll(variables(o.shape().get()))) {
                    needed.add(o.shape().get().loop());
                }
            }
        }
        return needed;
    }

    private static Set<String> variables(LoopShape shape) {
        Set<String> found = new HashSet<>();
        collect(shape.first(), found);
        shape.tests().forEach(t -> collect(t.limit(), found));
        return found;
    }

    private static void collect(Formula f, Set<String> found) {
        for (Atom a : f.leaves()) {
            if (a instanceof LoopValue v) {
                found.add(v.loop());
            }
        }
    }

    private static boolean enter(LoopShape shape, List<LoopShape> chain, int depth, Map<Atom, Long> values, Tally tally) {
        LoopShape here = depth == chain.size() ? shape : chain.get(depth);
        OptionalLong first = here.first().value(a -> lookUp(values, a));
        var tests = new ArrayList<LoopShape.NumericTest>();
        for (LoopShape.Test t : here.tests()) {
            OptionalLong limit = t.limit().value(a -> lookUp(values, a));
            if (limit.isEmpty()) {
                return false;
            }
            tests.add(new LoopShape.NumericTest(t.relation(), limit.getAsLong()));
        }
        if (first.isEmpty() || tests.isEmpty()) {
            return false;
        }
        OptionalLong n = here.count(first.getAsLong(), tests);
        if (depth == chain.size()) {
            if (++tally.entries > MAX_ENTRIES) {
                return false;
            }
            tally.unending |= n.isEmpty();
            tally.min = Math.min(tally.min, n.orElse(0));
            tally.max = Math.max(tally.max, n.orElse(0));
            tally.total += n.orElse(0);
            return true;
        }
        if (n.isEmpty()) {
            return false;
        }
        long v = first.getAsLong();
        Atom variable = new LoopValue(here.loop());
        for (long i = 0; i < n.getAsLong(); i++) {
            values.put(variable, v);
            if (!enter(shape, chain, depth + 1, values, tally)) {
                return false;
            }
            if (i + 1 < n.getAsLong()) {
                OptionalLong next = here.next(v);
                if (next.isEmpty()) {
                    return false;
                }
                v = next.getAsLong();
            }
        }
        values.remove(variable);
        return true;
    }

    private static OptionalLong lookUp(Map<Atom, Long> values, Atom atom) {
        Long v = values.get(atom);
        return v == null ? OptionalLong.empty() : OptionalLong.of(v);
    }

    /// Bounds from the ranges of first value and limit alone; the difference is formed first, so that `for (i = n; i < n + 8; i++)` is exact.
    private static TripCount byIntervals(LoopShape shape, Setting setting, boolean shortened) {
        if (shape.step() != LoopShape.Step.ADD || shape.amount() == 0) {
            return TripCount.unknown();
        }
        OptionalLong min = OptionalLong.empty();
        OptionalLong max = OptionalLong.empty();
        boolean all = true;
        for (LoopShape.Test t : shape.tests()) {
            boolean up = shape.amount() > 0;
            boolean towards = switch (t.relation()) {
                case LESS, LESS_EQUAL -> up;
                case GREATER, GREATER_EQUAL -> !up;
                case NOT_EQUAL -> false;
            };
            Range gap = (up ? t.limit().minus(shape.first()) : shape.first().minus(t.limit())).map(d -> d.range(setting.ranges())).orElse(Range.ALL);
            if (t.relation() == LoopShape.Relation.NOT_EQUAL) {
                // Only a difference that is one number tells whether the limit is met at all.
                towards = gap.min() == gap.max() && gap.min() >= 0 && gap.min() % Math.abs(shape.amount()) == 0;
            }
            if (!towards) {
                all = false;
                continue;
            }
            long inclusive = t.relation() == LoopShape.Relation.LESS_EQUAL || t.relation() == LoopShape.Relation.GREATER_EQUAL ? 1 : 0;
            Range n = gap.plus(Range.of(inclusive));
            long step = Math.abs(shape.amount());
            if (n.max() != Long.MAX_VALUE) {
                long most = Math.max(0, Math.ceilDiv(n.max(), step));
                max = OptionalLong.of(Math.min(max.orElse(Long.MAX_VALUE), most));
            }
            if (n.min() != Long.MIN_VALUE) {
                long least = Math.max(0, Math.ceilDiv(n.min(), step));
                min = OptionalLong.of(Math.min(min.orElse(Long.MAX_VALUE), least));
            } else {
                all = false;
            }
        }
        if (max.isEmpty()) {
            return TripCount.unknown();
        }
        long floor = shape.testedFirst() ? 0 : 1;
        long least = Math.max(floor, shortened ? Math.min(1, all ? min.orElse(0) : 0) : all ? min.orElse(0) : 0);
        long most = Math.max(floor, max.getAsLong());
        return least == most ? TripCount.exact(most)
                : new TripCount(OptionalLong.of(least), OptionalLong.of(most), OptionalDouble.empty(), TripCount.Certainty.BOUNDED);
    }
}
