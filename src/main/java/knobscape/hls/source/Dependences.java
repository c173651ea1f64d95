package knobscape.hls.source;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import knobscape.hls.source.LinearForm.Atom;
import knobscape.hls.source.LinearForm.LoopValue;
import knobscape.hls.source.Loop.Dependence;

/// Finds values that one iteration of a loop computes and a later one uses: through scalars that are read
/// before they are written, and through array elements by [CarriedDistance]. Different arrays are taken to be
/// different memory, as the vendor's tool takes them.
public final class Dependences {
    /// Pairs of accesses to one array that are tested; beyond that a dependence is assumed.
    private static final long MAX_PAIRS = 250_000;
    private final Map<Access, List<LinearForm>> formulas;
    private final LinearForm.Ranges ranges;
    private final CallEffects effects;

    /// What a call does to the arrays it is given.
    public interface CallEffects {
        /// Whether the callee may write the actual array.
        boolean writes(Expression.Invocation call, String array);

        /// Whether the callee may read the actual array.
        boolean reads(Expression.Invocation call, String array);
    }

    /// @param formulas indices of accesses; an access that is absent has unknown ones
    /// @param ranges values of loop variables
    /// @param effects of calls
    public Dependences(Map<Access, List<LinearForm>> formulas, LinearForm.Ranges ranges, CallEffects effects) {
        this.formulas = Map.copyOf(formulas);
        this.ranges = ranges;
        this.effects = effects;
    }

    /// Dependences that `loop` carries.
    ///
    /// @param loop its body is complete; dependences already in it are not examined
    /// @param assigned scalars that calls in the body may change
    public List<Dependence> of(Loop loop, Set<String> assigned) {
        var found = new ArrayList<Dependence>();
        var scalars = new Scalars();
        scalars.walk(loop.body().statements(), new HashSet<>(Set.of(loop.variable())), true);
        scalars.written.addAll(assigned);
        for (String name : scalars.exposed.keySet()) {
            if (!name.equals(loop.variable()) && scalars.written.contains(name)) {
                found.add(new Dependence(
                        name,
                        false,
                        Optional.of(1L),
                        scalars.exposed.get(name) && scalars.surelyWritten.contains(name)));
            }
        }
        arrays(loop, found);
        return List.copyOf(found);
    }

    /// Scalars that are read before the iteration has written them.
    private static final class Scalars {
        /// Name to whether some such read is unconditional.
        final Map<String, Boolean> exposed = new LinkedHashMap<>();
        final Set<String> written = new HashSet<>();
        final Set<String> surelyWritten = new HashSet<>();

        /// Walks a body; `defined` grows by what is surely written. False where the end is not reached.
        boolean walk(List<Statement> body, Set<String> defined, boolean sure) {
            for (Statement s : body) {
                switch (s) {
                    case Statement.AssignScalar a -> {
                        read(a.value(), defined, sure);
                        write(a.variable(), defined, sure);
                    }
                    case Statement.AssignArray a -> {
                        a.indexExpressions().forEach(i -> read(i, defined, sure));
                        read(a.value(), defined, sure);
                    }
                    case Statement.Call c -> read(c.invocation(), defined, sure);
                    case Statement.Nested n -> nested(n.loop(), defined, sure);
                    case Statement.Branch b -> {
                        read(b.condition(), defined, sure);
                        Set<String> then = new HashSet<>(defined);
                        Set<String> otherwise = new HashSet<>(defined);
                        boolean thenEnds = walk(b.then(), then, false);
                        boolean elseEnds = walk(b.otherwise(), otherwise, false);
                        if (thenEnds && elseEnds) {
                            then.retainAll(otherwise);
                        }
                        defined.addAll(thenEnds ? then : otherwise);
                        if (!thenEnds && !elseEnds) {
                            return false;
                        }
                    }
                    case Statement.Jump j -> {
                        j.value().ifPresent(v -> read(v, defined, sure));
                        return false;
                    }
                    case Statement.Opaque o -> {}
                }
            }
            return true;
        }

        private void nested(Loop l, Set<String> defined, boolean sure) {
            Set<String> inner = new HashSet<>(defined);
            inner.add(l.variable());
            boolean runs = l.trip().min().orElse(0) >= 1 && l.trip().isProven();
            walk(l.body().statements(), inner, sure && runs);
            // The first part of the header runs even if the body does not.
            defined.add(l.variable());
            if (runs) {
                defined.addAll(inner);
            }
        }

        private void write(String name, Set<String> defined, boolean sure) {
            written.add(name);
            defined.add(name);
            if (sure) {
                surelyWritten.add(name);
            }
        }

        private void read(Expression e, Set<String> defined, boolean sure) {
            switch (e) {
                case Expression.ScalarRead r -> {
                    if (!defined.contains(r.variable())) {
                        exposed.merge(r.variable(), sure, Boolean::logicalOr);
                    }
                }
                case Expression.ArrayRead r -> r.indexExpressions().forEach(i -> read(i, defined, sure));
                case Expression.Operation o -> o.operands().forEach(x -> read(x, defined, sure));
                case Expression.Invocation i -> i.arguments().forEach(x -> read(x, defined, sure));
                case Expression.Constant c -> {}
                case Expression.Opaque o -> {}
            }
        }
    }

    /// An access in the loop's body.
    ///
    /// @param chain loops inside the tested one around it, outermost first
    /// @param sure whether every iteration reaches it
    private record Met(Access access, boolean write, List<Loop> chain, boolean sure, int order) {}

    private final class Collector {
        final List<Met> met = new ArrayList<>();
        final Set<String> touchedByCalls = new LinkedHashSet<>();
        final Set<String> writtenByCalls = new LinkedHashSet<>();
        final Set<String> readByCalls = new LinkedHashSet<>();

        void walk(List<Statement> body, List<Loop> chain, boolean sure) {
            boolean certain = sure;
            for (Statement s : body) {
                switch (s) {
                    case Statement.AssignScalar a -> read(a.value(), chain, certain);
                    case Statement.AssignArray a -> {
                        for (Expression i : a.indexExpressions()) {
                            read(i, chain, certain);
                        }
                        read(a.value(), chain, certain);
                        met.add(new Met(a.access(), true, chain, certain, met.size()));
                    }
                    case Statement.Call c -> read(c.invocation(), chain, certain);
                    case Statement.Nested n -> {
                        var longer = new ArrayList<>(chain);
                        longer.add(n.loop());
                        boolean runs = n.loop().trip().isExact()
                                && n.loop().trip().min().orElse(0) >= 1;
                        walk(n.loop().body().statements(), List.copyOf(longer), certain && runs);
                    }
                    case Statement.Branch b -> {
                        read(b.condition(), chain, certain);
                        walk(b.then(), chain, false);
                        walk(b.otherwise(), chain, false);
                        certain &= !jumps(b.then()) && !jumps(b.otherwise());
                    }
                    case Statement.Jump j -> {
                        if (j.value().isPresent()) {
                            read(j.value().get(), chain, certain);
                        }
                    }
                    case Statement.Opaque o -> {}
                }
            }
        }

        private static boolean jumps(List<Statement> body) {
            return body.stream()
                    .anyMatch(s -> s instanceof Statement.Jump
                            || (s instanceof Statement.Branch b && (jumps(b.then()) || jumps(b.otherwise()))));
        }

        private void read(Expression e, List<Loop> chain, boolean sure) {
            switch (e) {
                case Expression.ArrayRead r -> {
                    r.indexExpressions().forEach(i -> read(i, chain, sure));
                    met.add(new Met(r.access(), false, chain, sure, met.size()));
                }
                case Expression.Operation o -> o.operands().forEach(x -> read(x, chain, sure));
                case Expression.Invocation i -> {
                    i.arguments().forEach(x -> read(x, chain, sure));
                    for (String array : i.arrayArguments()) {
                        if (effects.writes(i, array)) {
                            writtenByCalls.add(array);
                        }
                        if (effects.reads(i, array)) {
                            readByCalls.add(array);
                        }
                        touchedByCalls.add(array);
                    }
                }
                case Expression.ScalarRead r -> {}
                case Expression.Constant c -> {}
                case Expression.Opaque o -> {}
            }
        }
    }

    private void arrays(Loop loop, List<Dependence> found) {
        var collector = new Collector();
        collector.walk(loop.body().statements(), List.of(), true);
        var inside = new HashSet<String>();
        loop.nest().forEach(l -> inside.add(l.id()));
        inside.remove(loop.id());
        OptionalLong trip =
                !loop.trip().isProven() ? OptionalLong.empty() : loop.trip().max();
        var test = new CarriedDistance(loop.id(), loop.step(), trip, inside, ranges);
        Set<String> arrays = new LinkedHashSet<>(collector.writtenByCalls);
        collector.met.stream()
                .filter(Met::write)
                .forEach(m -> arrays.add(m.access().array()));
        for (String array : arrays) {
            var known = new HashMap<Long, Boolean>();
            boolean open = collector.touchedByCalls.contains(array)
                    && (collector.readByCalls.contains(array)
                            || (collector.writtenByCalls.contains(array)
                                    && collector.met.stream()
                                            .anyMatch(m -> m.access().array().equals(array) && !m.write())));
            if (trip.isPresent() && trip.getAsLong() <= 1) {
                continue;
            }
            List<Met> writes = collector.met.stream()
                    .filter(m -> m.write() && m.access().array().equals(array))
                    .toList();
            List<Met> reads = collector.met.stream()
                    .filter(m -> !m.write() && m.access().array().equals(array))
                    .toList();
            boolean tooMany = (long) writes.size() * reads.size() > MAX_PAIRS;
            open |= tooMany;
            List<Met> exposed = tooMany
                    ? List.of()
                    : reads.stream().filter(r -> !isCovered(r, writes)).toList();
            for (Met w : writes) {
                for (Met r : exposed) {
                    Optional<CarriedDistance.Result> result = loop.step() == 0
                            ? Optional.of(new CarriedDistance.Result(OptionalLong.empty(), false))
                            : test(test, w, r);
                    if (result.isPresent() && result.get().distance().isPresent()) {
                        known.merge(
                                result.get().distance().getAsLong(),
                                result.get().certain() && w.sure() && r.sure(),
                                Boolean::logicalOr);
                    }
                    open |= result.isPresent() && result.get().distance().isEmpty();
                }
            }
            known.keySet().stream()
                    .min(Long::compare)
                    .ifPresent(
                            d -> found.add(new Dependence(array, true, Optional.of(d), requireNonNull(known.get(d)))));
            if (open) {
                found.add(new Dependence(array, true, Optional.empty(), false));
            }
        }
    }

    private Optional<CarriedDistance.Result> test(CarriedDistance test, Met w, Met r) {
        List<LinearForm> write = formulas.get(w.access());
        List<LinearForm> read = formulas.get(r.access());
        return write == null || read == null
                ? Optional.of(new CarriedDistance.Result(OptionalLong.empty(), false))
                : test.between(write, read);
    }

    /// Whether the iteration itself has surely written the element before it reads it.
    private boolean isCovered(Met read, List<Met> writes) {
        List<LinearForm> wanted = formulas.get(read.access());
        if (wanted == null) {
            return false;
        }
        for (Met w : writes) {
            List<LinearForm> written = formulas.get(w.access());
            if (w.sure()
                    && w.order() < read.order()
                    && written != null
                    && written.size() == wanted.size()
                    && covers(w, written, read, wanted)) {
                return true;
            }
        }
        return false;
    }

    private boolean covers(Met w, List<LinearForm> written, Met read, List<LinearForm> wanted) {
        int common = 0;
        while (common < w.chain().size()
                && common < read.chain().size()
                && w.chain().get(common).id().equals(read.chain().get(common).id())) {
            common++;
        }
        // Loops of the write that are finished when the read happens must have the read's loops as their
        // equals.
        List<Loop> finished = w.chain().subList(common, w.chain().size());
        List<Loop> open = read.chain().subList(common, read.chain().size());
        var renamed = new HashMap<Atom, Atom>();
        int next = 0;
        for (Loop l : finished) {
            while (next < open.size() && !sameRange(l, open.get(next))) {
                next++;
            }
            if (next == open.size() || l.earlyExit()) {
                return false;
            }
            renamed.put(new LoopValue(l.id()), new LoopValue(open.get(next++).id()));
        }
        for (int k = 0; k < written.size(); k++) {
            Optional<LinearForm> moved = written.get(k)
                    .substitute(a -> Optional.ofNullable(renamed.get(a)).map(LinearForm::of), ranges);
            if (moved.isEmpty() || !moved.get().equals(wanted.get(k))) {
                return false;
            }
            // The same unknown in another iteration of an inner loop is another value.
            for (Atom a : wanted.get(k).leaves()) {
                if (a instanceof LinearForm.Unknown u
                        && (finished.stream().anyMatch(l -> u.within().contains(l.id()))
                                || open.stream().anyMatch(l -> u.within().contains(l.id())))) {
                    return false;
                }
            }
        }
        return true;
    }

    private static boolean sameRange(Loop a, Loop b) {
        return a.first().isPresent()
                && a.first().equals(b.first())
                && a.step() == b.step()
                && a.step() != 0
                && a.trip().isExact()
                && a.trip().equals(b.trip());
    }
}
