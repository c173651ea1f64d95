package knobscape.hls.rtl.build;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.IntSupplier;
import knobscape.hls.rtl.build.DataOp.Kind;

/// Makes one straight sequence of a loop's body: values of branches become choices, stores get guards.
final class PipelineBody {
    /// A condition that is true, or not.
    private record Literal(DataOp condition, boolean positive) {}

    private record Formula(Kind kind, List<DataOp> args) {}

    private final CodeRegion region;
    private final IntSupplier ids;
    private final Map<CodeBlock, Set<Literal>> conditions = new HashMap<>();
    private final Map<Formula, DataOp> made = new HashMap<>();
    private final DataOp one;

    private PipelineBody(CodeRegion region, IntSupplier ids) {
        this.region = region;
        this.ids = ids;
        one = new DataOp(ids.getAsInt(), Kind.CONSTANT, 1, false);
        one.value = -1;
    }

    /// Fills the region's operations.
    ///
    /// @param ids numbers of new operations
    static void fill(CodeRegion region, IntSupplier ids) {
        var body = new PipelineBody(region, ids);
        for (CodeBlock b : region.blocks) {
            body.block(b);
        }
        for (DataOp p : region.phis) {
            for (int i = 0; i < p.args.size(); i++) {
                if (region.loop().contains(p.from.get(i))) {
                    region.back.put(p, p.arg(i));
                }
            }
        }
    }

    private void block(CodeBlock b) {
        boolean head = b == region.head;
        Set<Literal> when = head ? Set.of() : condition(b);
        conditions.put(b, when);
        if (!head) {
            b.phis.forEach(p -> merge(p, b, when));
        }
        for (DataOp v : b.ops) {
            if (v.kind == Kind.STORE && !when.isEmpty()) {
                v.guard = all(when);
            }
            region.ops.add(v);
        }
    }

    private Set<Literal> edge(CodeBlock from, CodeBlock to) {
        Set<Literal> before = Objects.requireNonNull(conditions.get(from));
        DataOp c = from.condition;
        if (from.next.size() < 2 || from.next.get(0) == from.next.get(1) || c == null) {
            return before;
        }
        var both = new HashSet<>(before);
        both.add(new Literal(c, from.next.get(0) == to));
        return both;
    }

    /// When a block runs: the ways into it, where two that differ in one condition only are one.
    private Set<Literal> condition(CodeBlock b) {
        List<Set<Literal>> ways = new ArrayList<>();
        b.before.forEach(p -> ways.add(edge(p, b)));
        boolean changed = true;
        while (ways.size() > 1 && changed) {
            changed = false;
            for (int i = 0; i < ways.size() && !changed; i++) {
                for (int j = 0; j < i && !changed; j++) {
                    Set<Literal> x = ways.get(i);
                    Set<Literal> y = ways.get(j);
                    var common = new HashSet<>(x);
                    common.retainAll(y);
                    if (x.size() == y.size() && common.size() == x.size() - 1 && opposite(x, y, common)) {
                        ways.remove(i);
                        ways.remove(j);
                        ways.add(common);
                        changed = true;
                    }
                }
            }
        }
        if (ways.size() == 1) {
            return ways.getFirst();
        }
        DataOp any = null;
        for (Set<Literal> w : ways) {
            DataOp c = all(w);
            any = any == null ? c : make(Kind.OR, any, c);
        }
        return Set.of(new Literal(Objects.requireNonNull(any), true));
    }

    private static boolean opposite(Set<Literal> x, Set<Literal> y, Set<Literal> common) {
        Literal a = x.stream().filter(l -> !common.contains(l)).findFirst().orElseThrow();
        Literal b = y.stream().filter(l -> !common.contains(l)).findFirst().orElseThrow();
        return a.condition() == b.condition() && a.positive() != b.positive();
    }

    private DataOp all(Set<Literal> literals) {
        DataOp all = null;
        List<Literal> sorted = literals.stream()
                .sorted(Comparator.comparingInt(l -> l.condition().id))
                .toList();
        for (Literal l : sorted) {
            DataOp x = l.positive() ? l.condition() : make(Kind.NOT, l.condition());
            all = all == null ? x : make(Kind.AND, all, x);
        }
        return all == null ? one : all;
    }

    private DataOp make(Kind kind, DataOp... args) {
        var key = new Formula(kind, List.of(args));
        DataOp known = made.get(key);
        if (known == null) {
            known = new DataOp(ids.getAsInt(), kind, kind == Kind.SELECT ? args[1].width : 1, false);
            known.args.addAll(key.args());
            known.block = region.head;
            region.ops.add(known);
            made.put(key, known);
        }
        return known;
    }

    /// The value of a phi inside: the last of its ways that is taken.
    private void merge(DataOp phi, CodeBlock b, Set<Literal> when) {
        DataOp value = phi.arg(0);
        for (int i = 1; i < phi.args.size(); i++) {
            var literals = new HashSet<>(edge(phi.from.get(i), b));
            var differing = new HashSet<>(literals);
            differing.removeAll(when);
            DataOp choice = new DataOp(ids.getAsInt(), Kind.SELECT, phi.width, phi.real);
            choice.location = phi.location;
            choice.args.addAll(List.of(all(differing.isEmpty() ? literals : differing), phi.arg(i), value));
            choice.block = b;
            region.ops.add(choice);
            value = choice;
        }
        // It stays the same object: addresses are sums of it.
        phi.kind = Kind.COPY;
        phi.args.clear();
        phi.from.clear();
        phi.args.add(value);
        region.ops.add(phi);
    }
}
