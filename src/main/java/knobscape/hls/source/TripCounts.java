package knobscape.hls.source;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Function;
import knobscape.hls.source.LinearForm.Atom;
import knobscape.hls.source.LinearForm.LoopValue;

/// Trip counts of counting loops: closed form where the bounds are numbers, by following the enclosing loops
/// where the bounds depend on their variables (triangular loops), by intervals where that would take too long.
public final class TripCounts {
    /// Entries of the loop that are followed one by one before intervals must do.
    private static final long MAX_ENTRIES = 1_000_000;

    private TripCounts() {}

    /// An enclosing loop.
    ///
    /// @param shape its header, empty where it was not understood
    /// @param trip its own count
    /// @param conditional whether the next inner loop of the list stands under a condition in it
    public record Outer(Optional<LoopShape> shape, TripCount trip, boolean conditional) {}

    /// Where a loop stands.
    ///
    /// @param outer enclosing loops, outermost first
    /// @param contexts for each call of the function: what its unknown parameters are; one empty map where
    /// nothing is known
    /// @param ranges values that atoms can have
    public record Setting(List<Outer> outer, List<Map<Atom, Long>> contexts, LinearForm.Ranges ranges) {
        public Setting {
            outer = List.copyOf(outer);
            contexts = contexts.isEmpty() ? List.of(Map.of()) : List.copyOf(contexts);
        }
    }

    /// Iterations per entry of the loop with this header.
    ///
    /// @param shape header
    /// @param setting where it stands
    /// @param shortened whether something else may end it earlier (break, return, a condition not in the
    /// header's form)
    /// @param mayNotStart whether that may already keep the first iteration from running
    public static TripCount count(LoopShape shape, Setting setting, boolean shortened, boolean mayNotStart) {
        return shortened && mayNotStart ? fromNone(count(shape, setting, true)) : count(shape, setting, shortened);
    }

    private static TripCount fromNone(TripCount t) {
        return t.max().isEmpty() || t.max().getAsLong() == 0
                ? t
                : new TripCount(OptionalLong.of(0), t.max(), OptionalDouble.empty(), TripCount.Certainty.BOUNDED);
    }

    private static TripCount count(LoopShape shape, Setting setting, boolean shortened) {
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
            return new TripCount(
                    OptionalLong.of(Math.min(shape.testedFirst() ? tally.min : 1, 1)),
                    OptionalLong.of(tally.max),
                    OptionalDouble.empty(),
                    tally.max == 0 ? TripCount.Certainty.EXACT : TripCount.Certainty.BOUNDED);
        }
        if (tally.min == tally.max) {
            return TripCount.exact(tally.min);
        }
        boolean average = tally.everyEntry && setting.contexts().size() == 1;
        return new TripCount(
                OptionalLong.of(tally.min),
                OptionalLong.of(tally.max),
                average ? OptionalDouble.of((double) tally.total / tally.entries) : OptionalDouble.empty(),
                TripCount.Certainty.BOUNDED);
    }

    private static final class Tally {
        long min = Long.MAX_VALUE;
        long max;
        long total;
        long entries;
        boolean unending;
        /// Whether every entry was counted exactly once, so that the mean is that of the execution.
        boolean everyEntry = true;

        void add(Tally other) {
            min = Math.min(min, other.min);
            max = Math.max(max, other.max);
            total += other.total;
            entries += other.entries;
            unending |= other.unending;
            everyEntry &= other.everyEntry;
        }

        boolean add(Series s) {
            entries += s.entries;
            min = Math.min(min, s.min);
            max = Math.max(max, s.max);
            total += s.total;
            return ++followed <= MAX_ENTRIES;
        }

        /// Steps of work done.
        long followed;
    }

    /// Counts of all entries from one enclosing loop, where they form an arithmetic series cut at 0.
    private record Series(long entries, long min, long max, long total) {

        /// @param shape the loop to be counted; unit step, one test, bounds linear in `variable`
        /// @param variable of the enclosing loop, which starts at `first` and runs `n` times in steps of `by`
        static Optional<Series> of(
                LoopShape shape, Atom variable, long first, long by, long n, Function<Atom, OptionalLong> others) {
            long unit = shape.constantStep();
            if (n < 3 || Math.abs(unit) != 1 || shape.tests().size() != 1 || !shape.testedFirst()) {
                return Optional.empty();
            }
            LoopShape.Test t = shape.tests().getFirst();
            boolean up = unit > 0;
            boolean towards = switch (t.relation()) {
                case LESS, LESS_EQUAL -> up;
                case GREATER, GREATER_EQUAL -> !up;
                case NOT_EQUAL -> false;
            };
            Optional<LinearForm> gap =
                    up ? t.limit().minus(shape.first()) : shape.first().minus(t.limit());
            if (!towards
                    || gap.isEmpty()
                    || gap.get().terms().keySet().stream().anyMatch(a -> a instanceof LinearForm.Applied)
                    || !fits(shape, t, variable, first, by, n, others)) {
                return Optional.empty();
            }
            long inclusive =
                    t.relation() == LoopShape.Relation.LESS_EQUAL || t.relation() == LoopShape.Relation.GREATER_EQUAL
                            ? 1
                            : 0;
            OptionalLong start = gap.get().value(a -> a.equals(variable) ? OptionalLong.of(first) : others.apply(a));
            if (start.isEmpty()) {
                return Optional.empty();
            }
            try {
                long slope = Math.multiplyExact(gap.get().terms().getOrDefault(variable, 0L), by);
                long a = Math.addExact(start.getAsLong(), inclusive);
                if (slope == 0) {
                    return Optional.of(
                            new Series(n, Math.max(0, a), Math.max(0, a), Math.multiplyExact(Math.max(0, a), n)));
                }
                long last = Math.addExact(a, Math.multiplyExact(slope, n - 1));
                // Entries with a positive count are at one end of the series.
                long positive = slope >= 0
                        ? n - Math.clamp(Math.ceilDiv(Math.addExact(-a, 1), slope), 0, n)
                        : Math.clamp(Math.ceilDiv(a, -slope), 0, n);
                long high = Math.max(a, last);
                long low = Math.subtractExact(high, Math.multiplyExact(Math.abs(slope), Math.max(0, positive - 1)));
                long total = positive == 0 ? 0 : Math.multiplyExact(Math.addExact(high, low), positive) / 2;
                return Optional.of(new Series(n, Math.max(0, Math.min(a, last)), Math.max(0, high), total));
            } catch (ArithmeticException e) {
                return Optional.empty();
            }
        }

        /// Whether no bound leaves the variable's type at either end.
        private static boolean fits(
                LoopShape shape,
                LoopShape.Test t,
                Atom variable,
                long first,
                long by,
                long n,
                Function<Atom, OptionalLong> others) {
            for (long v : new long[] {first, first + by * (n - 1)}) {
                for (LinearForm f : List.of(shape.first(), t.limit())) {
                    OptionalLong x = f.value(a -> a.equals(variable) ? OptionalLong.of(v) : others.apply(a));
                    // One beyond the limit ends the loop.
                    if (x.isEmpty()
                            || !shape.values().contains(x.getAsLong() + 1)
                            || !shape.values().contains(x.getAsLong() - 1)) {
                        return false;
                    }
                }
            }
            return true;
        }
    }

    /// Adds the counts of every entry under one context; false where a value is missing or there are too many.
    private static boolean follow(LoopShape shape, Setting setting, Map<Atom, Long> context, Tally tally) {
        Set<String> needed = closed(variables(shape), setting);
        // For the mean, loops in between whose own count varies matter too.
        Set<String> weighing = weighing(needed, setting);
        var exact = new Tally();
        if (enter(shape, chain(weighing, setting), 0, new HashMap<>(context), exact)) {
            exact.everyEntry = isEveryEntry(weighing, setting);
            tally.add(exact);
            return true;
        }
        var bounds = new Tally();
        boolean understood =
                !weighing.equals(needed) && enter(shape, chain(needed, setting), 0, new HashMap<>(context), bounds);
        bounds.everyEntry = false;
        tally.add(bounds);
        return understood;
    }

    private static List<LoopShape> chain(Set<String> needed, Setting setting) {
        return setting.outer().stream()
                .flatMap(o -> o.shape().stream())
                .filter(s -> needed.contains(s.loop()))
                .toList();
    }

    /// With the loops that the bounds of these loops depend on.
    private static Set<String> closed(Set<String> loops, Setting setting) {
        Set<String> all = new HashSet<>(loops);
        List<Outer> outer = setting.outer();
        for (int i = outer.size() - 1; i >= 0; i--) {
            if (outer.get(i).shape().isPresent()
                    && all.contains(outer.get(i).shape().get().loop())) {
                all.addAll(variables(outer.get(i).shape().get()));
            }
        }
        return all;
    }

    /// With the loops between them that do not run equally often each time.
    private static Set<String> weighing(Set<String> needed, Setting setting) {
        Set<String> all = new HashSet<>(needed);
        for (int before = -1; before != all.size(); ) {
            before = all.size();
            boolean inside = false;
            for (Outer o : setting.outer()) {
                inside |= o.shape().isPresent() && all.contains(o.shape().get().loop());
                if (inside && o.shape().isPresent() && !o.trip().isExact()) {
                    all.add(o.shape().get().loop());
                    all.addAll(closed(all, setting));
                }
            }
        }
        return all;
    }

    /// Whether following these loops meets every entry of the execution, each equally often.
    private static boolean isEveryEntry(Set<String> followed, Setting setting) {
        boolean inside = false;
        for (Outer o : setting.outer()) {
            boolean follows =
                    o.shape().isPresent() && followed.contains(o.shape().get().loop());
            inside |= follows;
            boolean shortened = follows
                    && o.trip().certainty() == TripCount.Certainty.BOUNDED
                    && o.trip().average().isEmpty();
            if (inside
                    && (o.conditional() || shortened || (!follows && !o.trip().isExact()))) {
                return false;
            }
        }
        return true;
    }

    private static Set<String> variables(LoopShape shape) {
        Set<String> found = new HashSet<>();
        collect(shape.first(), found);
        collect(shape.amount(), found);
        shape.tests().forEach(t -> collect(t.limit(), found));
        return found;
    }

    private static void collect(LinearForm f, Set<String> found) {
        for (Atom a : f.leaves()) {
            if (a instanceof LoopValue v) {
                found.add(v.loop());
            }
        }
    }

    private static boolean enter(
            LoopShape shape, List<LoopShape> chain, int depth, Map<Atom, Long> values, Tally tally) {
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
        OptionalLong by = here.amount().value(a -> lookUp(values, a));
        if (first.isEmpty() || by.isEmpty() || tests.isEmpty()) {
            return false;
        }
        OptionalLong n = here.count(first.getAsLong(), by.getAsLong(), tests);
        if (depth == chain.size()) {
            tally.entries++;
            if (++tally.followed > MAX_ENTRIES) {
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
        if (depth == chain.size() - 1 && here.step() == LoopShape.Step.ADD) {
            Optional<Series> series =
                    Series.of(shape, variable, v, by.getAsLong(), n.getAsLong(), a -> lookUp(values, a));
            if (series.isPresent()) {
                return tally.add(series.get());
            }
        }
        for (long i = 0; i < n.getAsLong(); i++) {
            values.put(variable, v);
            if (!enter(shape, chain, depth + 1, values, tally)) {
                return false;
            }
            if (i + 1 < n.getAsLong()) {
                OptionalLong next = here.next(v, by.getAsLong());
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

    /// Bounds from the ranges of first value and limit alone; the difference is formed first, so that `for (i =
    /// n; i < n + 8; i++)` is exact.
    private static TripCount byIntervals(LoopShape shape, Setting setting, boolean shortened) {
        long amount = shape.constantStep();
        if (amount == 0) {
            return TripCount.unknown();
        }
        OptionalLong min = OptionalLong.empty();
        OptionalLong max = OptionalLong.empty();
        boolean all = true;
        for (LoopShape.Test t : shape.tests()) {
            boolean up = amount > 0;
            boolean towards = switch (t.relation()) {
                case LESS, LESS_EQUAL -> up;
                case GREATER, GREATER_EQUAL -> !up;
                case NOT_EQUAL -> false;
            };
            Range gap = (up ? t.limit().minus(shape.first()) : shape.first().minus(t.limit()))
                    .map(d -> d.range(setting.ranges()))
                    .orElse(Range.ALL);
            if (t.relation() == LoopShape.Relation.NOT_EQUAL) {
                // Only a difference that is one number tells whether the limit is met at all.
                towards = gap.min() == gap.max() && gap.min() >= 0 && gap.min() % Math.abs(amount) == 0;
            }
            if (!towards) {
                all = false;
                continue;
            }
            long inclusive =
                    t.relation() == LoopShape.Relation.LESS_EQUAL || t.relation() == LoopShape.Relation.GREATER_EQUAL
                            ? 1
                            : 0;
            Range n = gap.plus(Range.of(inclusive));
            long step = Math.abs(amount);
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
        return least == most
                ? TripCount.exact(most)
                : new TripCount(
                        OptionalLong.of(least),
                        OptionalLong.of(most),
                        OptionalDouble.empty(),
                        TripCount.Certainty.BOUNDED);
    }
}
