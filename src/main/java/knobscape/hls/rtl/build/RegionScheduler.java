package knobscape.hls.rtl.build;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import knobscape.hls.rtl.StagedCore;
import knobscape.hls.rtl.build.CodeRegion.Order;
import knobscape.hls.rtl.build.DataOp.Kind;

/// Gives every operation a cycle: one block after the other as its operands come, loops in a modulo schedule with the
/// smallest interval that operands, ports and the loop's own results allow.
final class RegionScheduler {
    private static final int PORTS = 2;
    private static final int MOST_INTERVALS = 512;
    private static final int ROUNDS = 80;
    /// Registers have as many readers as there are.
    private static final int FREE = 1 << 20;

    private final OperatorTimes times;
    private final List<CodeRegion> regions;
    private final LateSchedule.Readers readers;

    RegionScheduler(OperatorTimes times, List<CodeRegion> regions) {
        this.times = times;
        this.regions = regions;
        readers = new LateSchedule.Readers(regions);
    }

    /// The resource used in a cycle: a unit or a bank.
    record Unit(String name, List<Integer> ends) {
        Unit {
            ends = List.copyOf(ends);
        }
    }

    private record Bank(MemoryPlan memory, int number) {}

    record Slot(Object resource, int cycle) {}

    /// A trial.
    record Placed(Map<DataOp, Integer> cycles, Map<DataOp, Double> delays, Map<Slot, Integer> used) {
        int at(DataOp v) {
            return Objects.requireNonNull(cycles.get(v));
        }

        double delay(DataOp v) {
            return delays.getOrDefault(v, OperatorTimes.REGISTER);
        }

        int ready(DataOp v) {
            return at(v) + (v.kind == Kind.PHI ? 0 : v.latency);
        }
    }

    /// The kind of core of an operation; empty for none.
    static Optional<Unit> unit(DataOp v) {
        StagedCore core = v.core;
        StagedCore.Timing t = v.timing;
        return core == null || t == null ? Optional.empty() : Optional.of(new Unit(core.name(), t.ends()));
    }

    static int ports(MemoryPlan m) {
        return m.depth == 1 ? FREE : PORTS;
    }

    void schedule() {
        for (CodeRegion r : regions) {
            r.order();
            if (r.isPipeline()) {
                pipeline(r);
            } else {
                states(r);
            }
        }
    }

    /// Values that it waits for.
    static List<DataOp> operands(DataOp v) {
        var all = new ArrayList<DataOp>();
        if (v.access != null) {
            all.addAll(v.kind == Kind.ADDRESS ? v.access.sources() : v.access.reads());
        }
        v.args.stream().filter(a -> !a.isConstant()).forEach(all::add);
        if (v.guard != null) {
            all.add(v.guard);
        }
        return all;
    }

    static List<Object> resources(DataOp v) {
        if (v.isAccess()) {
            var all = new ArrayList<Object>();
            v.access().met().forEach(b -> all.add(new Bank(v.access().memory, b)));
            return all;
        }
        return unit(v).<List<Object>>map(List::of).orElse(List.of());
    }

    private static int limit(Object resource, Map<Unit, Integer> units) {
        return resource instanceof Bank b ? ports(b.memory()) : units.getOrDefault((Unit) resource, FREE);
    }

    /// One pass forwards; empty where a resource has no free cycle.
    ///
    /// @param interval 0 for states
    /// @param least cycles before which operations do not start
    private Optional<Placed> place(CodeRegion r, int interval, Map<DataOp, Integer> least, Map<Unit, Integer> units) {
        var p = new Placed(new HashMap<>(), new HashMap<>(), new HashMap<>());
        var before = new HashMap<DataOp, List<Order>>();
        for (Order o : r.orders) {
            if (o.distance() == 0) {
                before.computeIfAbsent(o.second(), _ -> new ArrayList<>()).add(o);
            }
        }
        for (DataOp phi : r.phis) {
            p.cycles().put(phi, least.getOrDefault(phi, 0));
            p.delays()
                    .put(
                            phi,
                            r.bypassed.contains(phi)
                                    ? OperatorTimes.REGISTER + OperatorTimes.TABLE
                                    : OperatorTimes.REGISTER);
        }
        for (DataOp v : r.ops) {
            int cycle = least.getOrDefault(v, 0);
            double at = OperatorTimes.REGISTER;
            for (DataOp a : operands(v)) {
                if (a.region != r.number || !p.cycles().containsKey(a)) {
                    continue;
                }
                int there = p.ready(a);
                if (there > cycle) {
                    cycle = there;
                    at = p.delay(a);
                } else if (there == cycle) {
                    at = Math.max(at, p.delay(a));
                }
            }
            for (Order o : before.getOrDefault(v, List.of())) {
                if (p.at(o.first()) + o.delta() > cycle) {
                    cycle = p.at(o.first()) + o.delta();
                    at = OperatorTimes.REGISTER;
                }
            }
            if (at + v.before > times.budget() && at > OperatorTimes.REGISTER + .01) {
                cycle++;
                at = OperatorTimes.REGISTER;
            }
            List<Object> needed = resources(v);
            for (int tries = 0; !needed.isEmpty(); tries++) {
                int slot = interval > 0 ? cycle % interval : cycle;
                if (isFree(needed, slot, p.used(), units)) {
                    needed.forEach(k -> p.used().merge(new Slot(k, slot), 1, Integer::sum));
                    break;
                }
                cycle++;
                at = OperatorTimes.REGISTER;
                if (interval > 0 && tries > interval) {
                    return Optional.empty();
                }
            }
            p.cycles().put(v, cycle);
            p.delays().put(v, v.latency == 0 ? at + v.before : v.after);
        }
        return Optional.of(p);
    }

    static boolean isFree(List<Object> needed, int slot, Map<Slot, Integer> used, Map<Unit, Integer> units) {
        return needed.stream().allMatch(k -> used.getOrDefault(new Slot(k, slot), 0) < limit(k, units));
    }

    private void states(CodeRegion r) {
        r.ops.forEach(v -> times.set(v, r, 0));
        // One core of a kind: states that need it wait for one another.
        var units = new HashMap<Unit, Integer>();
        r.ops.forEach(v -> unit(v).ifPresent(u -> units.put(u, 1)));
        Placed p = place(r, 0, Map.of(), units).orElseThrow();
        int end = 0;
        for (DataOp v : r.ops) {
            end = Math.max(end, p.ready(v));
        }
        DataOp c = r.condition();
        if (c != null
                && c.region == r.number
                && c.kind != Kind.PHI
                && p.ready(c) == end
                && p.delay(c) + OperatorTimes.DECISION > times.budget()
                && p.delay(c) > OperatorTimes.REGISTER + 2) {
            end++;
        }
        r.length = end + 1;
        new LateSchedule(r, p, units, times, readers).settle();
        take(r, p);
    }

    private static void take(CodeRegion r, Placed p) {
        r.ops.forEach(v -> v.cycle = p.at(v));
        r.phis.forEach(v -> v.cycle = p.at(v));
    }

    private void pipeline(CodeRegion r) {
        var load = new HashMap<Object, Integer>();
        for (DataOp v : r.ops) {
            if (v.isAccess()) {
                resources(v).forEach(k -> load.merge(k, 1, Integer::sum));
            }
        }
        int least = Math.max(1, (int) r.loop().interval.orElse(0));
        for (var e : load.entrySet()) {
            least = Math.max(least, Math.ceilDiv(e.getValue(), limit(e.getKey(), Map.of())));
        }
        for (int ii = least; ii < least + MOST_INTERVALS; ii++) {
            int interval = ii;
            r.ops.forEach(v -> times.set(v, r, interval));
            var count = new HashMap<Unit, Integer>();
            r.ops.forEach(v -> unit(v).ifPresent(u -> count.merge(u, 1, Integer::sum)));
            var units = new HashMap<Unit, Integer>();
            count.forEach((u, n) -> units.put(u, Math.ceilDiv(n, interval)));
            if (Recurrences.exceed(r, ii)) {
                continue;
            }
            r.bypassed.clear();
            Optional<Placed> found = settle(r, ii, units);
            if (found.isEmpty()) {
                r.back.forEach((phi, next) -> {
                    if (Recurrences.isBypassed(r, next)) {
                        r.bypassed.add(phi);
                    }
                });
                found = r.bypassed.isEmpty() ? Optional.empty() : settle(r, ii, units);
            }
            if (found.isPresent()) {
                finish(r, ii, found.get(), units);
                return;
            }
        }
        throw new NotBuildable("no interval was found for a pipelined loop");
    }

    /// Moves operations until results of earlier iterations come in time.
    private Optional<Placed> settle(CodeRegion r, int interval, Map<Unit, Integer> units) {
        var least = new HashMap<DataOp, Integer>();
        for (int round = 0; round < ROUNDS; round++) {
            Optional<Placed> trial = place(r, interval, least, units);
            if (trial.isEmpty()) {
                return trial;
            }
            Placed p = trial.get();
            boolean good = true;
            for (var e : r.back.entrySet()) {
                DataOp next = e.getValue();
                if (next.region != r.number || !p.cycles().containsKey(next)) {
                    continue;
                }
                int there = p.ready(next);
                boolean direct = r.bypassed.contains(e.getKey()) && there > 0 && next.kind != Kind.PHI;
                int limit = there - interval + (direct ? 0 : 1);
                if (p.at(e.getKey()) < limit) {
                    least.put(e.getKey(), limit);
                    good = false;
                }
            }
            for (Order o : r.orders) {
                long from = p.at(o.first()) + o.delta() - interval * o.distance();
                if (o.distance() > 0 && p.at(o.second()) < from) {
                    least.merge(o.second(), (int) from, Math::max);
                    good = false;
                }
            }
            if (good) {
                DataOp c = r.condition();
                boolean early = c == null || c.region != r.number || p.ready(c) <= interval - 1;
                return early ? trial : Optional.empty();
            }
            int most = least.values().stream().mapToInt(x -> x).max().orElse(0);
            if (most > 40 * (interval + 4) + 400) {
                return Optional.empty();
            }
        }
        return Optional.empty();
    }

    private void finish(CodeRegion r, int interval, Placed p, Map<Unit, Integer> units) {
        r.interval = interval;
        r.length = interval;
        r.ops.forEach(v -> r.length = Math.max(r.length, p.ready(v) + 1));
        r.phis.forEach(v -> r.length = Math.max(r.length, p.at(v) + interval));
        new LateSchedule(r, p, units, times, readers).settle();
        take(r, p);
        r.bypassed.removeIf(phi -> {
            DataOp next = Objects.requireNonNull(r.back.get(phi));
            return next.ready() != phi.cycle + interval;
        });
    }
}
