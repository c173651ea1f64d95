package knobscape.hls.rtl.build;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import knobscape.hls.rtl.build.CodeRegion.Order;
import knobscape.hls.rtl.build.DataOp.Kind;
import knobscape.hls.rtl.build.RegionScheduler.Placed;
import knobscape.hls.rtl.build.RegionScheduler.Slot;
import knobscape.hls.rtl.build.RegionScheduler.Unit;

/// Starts operations of a placed region later where that takes fewer register bits, its length and interval staying as
/// they are: a value is then held for a shorter time, or is read in the cycle in which it is made.
final class LateSchedule {
    private static final int PASSES = 3;
    /// Trials to place a group anew.
    private static final int TRIALS = 16;
    /// Readers of a value up to which it is asked how long it is held.
    private static final int MANY = 256;

    private final CodeRegion r;
    private final Placed p;
    private final Map<Unit, Integer> units;
    private final OperatorTimes times;
    private final Readers readers;
    private final Map<DataOp, List<DataOp>> uses = new HashMap<>();
    /// Cycles in which a pipeline's phis take their next values.
    private final Map<DataOp, List<DataOp>> backs = new HashMap<>();

    private final Map<DataOp, List<Order>> orders = new HashMap<>();
    private final Map<DataOp, List<Order>> following = new HashMap<>();

    /// Readers outside the region that makes a value.
    static final class Readers {
        private final Set<DataOp> elsewhere = new HashSet<>();
        private final Set<DataOp> atEnd = new HashSet<>();

        Readers(List<CodeRegion> regions) {
            var numbers = new HashMap<CodeBlock, Integer>();
            regions.forEach(r -> r.blocks.forEach(b -> numbers.put(b, r.number)));
            for (CodeRegion q : regions) {
                for (DataOp v : q.ops) {
                    RegionScheduler.operands(v).stream()
                            .filter(a -> a.region != q.number)
                            .forEach(elsewhere::add);
                }
                for (DataOp phi : q.phis) {
                    for (int i = 0; i < phi.args.size(); i++) {
                        DataOp a = phi.arg(i);
                        int from = numbers.getOrDefault(phi.from.get(i), -1);
                        if (!(q.isPipeline() && from == q.number)) {
                            (a.region == from ? atEnd : elsewhere).add(a);
                        }
                    }
                }
                for (CodeBlock b : q.blocks) {
                    if (b.result != null) {
                        (b.result.region == q.number ? atEnd : elsewhere).add(b.result);
                    }
                    if (b.condition != null) {
                        (b.condition.region == q.number ? atEnd : elsewhere).add(b.condition);
                    }
                }
            }
        }
    }

    /// @param r with its length, and its interval where it is a pipeline
    /// @param p is changed
    LateSchedule(CodeRegion r, Placed p, Map<Unit, Integer> units, OperatorTimes times, Readers readers) {
        this.r = r;
        this.p = p;
        this.units = units;
        this.times = times;
        this.readers = readers;
        for (DataOp v : r.ops) {
            new LinkedHashSet<>(RegionScheduler.operands(v))
                    .forEach(
                            a -> uses.computeIfAbsent(a, _ -> new ArrayList<>()).add(v));
        }
        r.back.forEach((phi, next) ->
                backs.computeIfAbsent(next, _ -> new ArrayList<>()).add(phi));
        r.orders.forEach(o -> {
            orders.computeIfAbsent(o.first(), _ -> new ArrayList<>()).add(o);
            following.computeIfAbsent(o.second(), _ -> new ArrayList<>()).add(o);
        });
    }

    void settle() {
        if (r.isPipeline()) {
            groups().forEach(this::placedAnew);
        }
        boolean moved = true;
        for (int k = 0; k < PASSES && moved; k++) {
            moved = false;
            for (DataOp v : r.ops.reversed()) {
                moved |= v.kind != Kind.STORE && moved(v);
            }
        }
    }

    /// Operations that share one unit or one bank, the last ones first.
    private List<List<DataOp>> groups() {
        var all = new LinkedHashMap<Object, List<DataOp>>();
        for (DataOp v : r.ops.reversed()) {
            List<Object> needed = RegionScheduler.resources(v);
            if (needed.size() == 1 && v.kind != Kind.STORE) {
                all.computeIfAbsent(needed.getFirst(), _ -> new ArrayList<>()).add(v);
            }
        }
        return all.values().stream().filter(g -> g.size() > 1).toList();
    }

    /// Where every slot is taken none can move alone: all are placed anew, each as late as its readers allow; one that
    /// then finds no slot stays where it is. All stay where that takes more bits.
    ///
    /// @param group the last ones first
    private void placedAnew(List<DataOp> group) {
        var values = new LinkedHashSet<>(group);
        group.forEach(v -> values.addAll(operands(v)));
        long before = held(values);
        var cycles = new HashMap<DataOp, Integer>();
        group.forEach(v -> cycles.put(v, p.at(v)));
        var used = new HashMap<>(p.used());
        var free = new ArrayList<>(group);
        for (int k = 0; k < TRIALS && !free.isEmpty(); k++) {
            free.forEach(v -> use(v, p.at(v), -1));
            Optional<DataOp> stuck = free.stream().filter(v -> !isPlaced(v)).findFirst();
            if (stuck.isEmpty() && held(values) <= before) {
                return;
            }
            p.cycles().putAll(cycles);
            p.used().clear();
            p.used().putAll(used);
            if (stuck.isEmpty()) {
                return;
            }
            free.remove(stuck.get());
        }
    }

    /// Puts an operation into the last slot that is free.
    private boolean isPlaced(DataOp v) {
        int last = latest(v);
        int first = Math.max(earliest(v), last - r.interval + 1);
        for (int c = last; c >= first; c--) {
            if (RegionScheduler.isFree(RegionScheduler.resources(v), slot(c), p.used(), units)
                    && fits(v, c, new HashMap<>())) {
                use(v, c, 1);
                p.cycles().put(v, c);
                return true;
            }
        }
        return false;
    }

    private void use(DataOp v, int cycle, int times) {
        RegionScheduler.resources(v).forEach(n -> p.used().merge(new Slot(n, slot(cycle)), times, Integer::sum));
    }

    private long held(Set<DataOp> values) {
        return values.stream().mapToLong(a -> held(a, p.ready(a), a, 0)).sum();
    }

    /// Operands whose registers are counted.
    private List<DataOp> operands(DataOp v) {
        return new LinkedHashSet<>(RegionScheduler.operands(v))
                .stream()
                        .filter(a -> a.region == r.number && p.cycles().containsKey(a))
                        .filter(a -> uses.getOrDefault(a, List.of()).size() <= MANY)
                        .toList();
    }

    /// The first cycle in which its operands are there and what it must follow is done.
    private int earliest(DataOp v) {
        int first = 0;
        for (DataOp a : RegionScheduler.operands(v)) {
            if (a.region == r.number && p.cycles().containsKey(a)) {
                first = Math.max(first, p.ready(a));
            }
        }
        for (Order o : following.getOrDefault(v, List.of())) {
            first = (int) Math.max(first, p.at(o.first()) + o.delta() - (long) r.interval * o.distance());
        }
        return first;
    }

    /// Moves an operation to the cycle with the fewest register bits, the latest of those.
    private boolean moved(DataOp v) {
        int old = p.at(v);
        int last = latest(v);
        if (last <= old) {
            return false;
        }
        List<DataOp> operands = operands(v);
        long least = bits(v, operands, old);
        int best = old;
        Map<DataOp, Double> delays = Map.of();
        for (int c = old + 1; c <= last; c++) {
            long cost = bits(v, operands, c);
            if (cost <= least && isFree(v, c)) {
                var changed = new HashMap<DataOp, Double>();
                if (fits(v, c, changed)) {
                    least = cost;
                    best = c;
                    delays = changed;
                }
            }
        }
        if (best == old) {
            return false;
        }
        use(v, old, -1);
        use(v, best, 1);
        p.cycles().put(v, best);
        p.delays().putAll(delays);
        return true;
    }

    private int slot(int cycle) {
        return r.isPipeline() ? cycle % r.interval : cycle;
    }

    private boolean isFree(DataOp v, int cycle) {
        return slot(cycle) == slot(p.at(v))
                || RegionScheduler.isFree(RegionScheduler.resources(v), slot(cycle), p.used(), units);
    }

    /// The last cycle in which it may start.
    private int latest(DataOp v) {
        var limits = new ArrayList<Integer>();
        limits.add(r.length - 1 - v.latency);
        // The output of a core or a memory that is slow stays in a cycle of its own.
        int apart = v.latency > 0 && v.after > OperatorTimes.REGISTER + .01 ? 1 : 0;
        uses.getOrDefault(v, List.of()).forEach(u -> limits.add(p.at(u) - v.latency - apart));
        backs.getOrDefault(v, List.of())
                .forEach(phi -> limits.add(p.at(phi) + r.interval - v.latency - (r.bypassed.contains(phi) ? 0 : 1)));
        if (r.isPipeline() && v == r.condition()) {
            limits.add(r.interval - 1 - v.latency);
        }
        for (Order o : orders.getOrDefault(v, List.of())) {
            limits.add(
                    (int) Math.min(Integer.MAX_VALUE, p.at(o.second()) + (long) r.interval * o.distance() - o.delta()));
        }
        OptionalInt least = limits.stream().mapToInt(x -> x).min();
        return least.orElse(-1);
    }

    // ---- register bits

    private long bits(DataOp v, List<DataOp> operands, int cycle) {
        long sum = held(v, cycle + v.latency, v, cycle);
        for (DataOp a : operands) {
            sum += held(a, p.ready(a), v, cycle);
        }
        return sum;
    }

    /// Bits of the registers of a value, where one operation starts in another cycle.
    private long held(DataOp a, int ready, DataOp moving, int cycle) {
        boolean register = a.kind == Kind.PHI && !r.bypassed.contains(a);
        int made = register ? ready - 1 : ready;
        int last = made;
        for (DataOp u : uses.getOrDefault(a, List.of())) {
            last = Math.max(last, u == moving ? cycle : p.at(u));
        }
        for (DataOp phi : backs.getOrDefault(a, List.of())) {
            last = Math.max(last, p.at(phi) + r.interval - (r.bypassed.contains(phi) ? 0 : 1));
        }
        boolean outside = readers.elsewhere.contains(a);
        if (!r.isPipeline()) {
            boolean late = readers.atEnd.contains(a) && made < r.length - 1;
            return outside || late || last > made || register ? times.width(a) : 0;
        }
        if (a == r.condition()) {
            last = Math.max(last, r.interval - 1);
        } else if (readers.atEnd.contains(a)) {
            last = Math.max(last, r.length - 1);
        }
        int copies = last > made ? (last - made - 1) / r.interval + 1 : 0;
        int least = (outside ? 1 : 0) + (register ? 1 : 0);
        return (long) Math.max(copies, least) * times.width(a);
    }

    // ---- time within a cycle

    /// True if the paths through it are short enough in a cycle.
    ///
    /// @param changed gets the delays that become others
    private boolean fits(DataOp v, int cycle, Map<DataOp, Double> changed) {
        double start = OperatorTimes.REGISTER;
        for (DataOp a : RegionScheduler.operands(v)) {
            if (a.region == r.number && p.cycles().containsKey(a) && p.ready(a) == cycle) {
                start = Math.max(start, p.delay(a));
            }
        }
        return passes(v, cycle, start, changed);
    }

    private boolean passes(DataOp v, int cycle, double start, Map<DataOp, Double> changed) {
        if (start > OperatorTimes.REGISTER + .01 && start + v.before > times.budget()) {
            return false;
        }
        if (v.latency > 0) {
            changed.put(v, v.after);
            return true;
        }
        double delay = start + v.before;
        changed.put(v, delay);
        boolean taken = backs.containsKey(v) || readers.atEnd.contains(v);
        double then = v == r.condition() && !r.isPipeline() ? OperatorTimes.DECISION : OperatorTimes.TABLE;
        if (taken && start > OperatorTimes.REGISTER + .01 && delay + then > times.budget()) {
            return false;
        }
        for (DataOp u : uses.getOrDefault(v, List.of())) {
            if (p.at(u) != cycle) {
                continue;
            }
            double before = u.latency > 0 ? OperatorTimes.REGISTER : changed.getOrDefault(u, p.delay(u)) - u.before;
            if ((u.latency > 0 || delay > before + 1e-9) && !passes(u, cycle, Math.max(before, delay), changed)) {
                return false;
            }
        }
        return true;
    }
}
