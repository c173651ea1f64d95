package knobscape.hls.evaluate.estimator;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/// As-soon-as-possible schedule of a [Graph]: operations are chained while the clock budget allows, memories
/// serve as many accesses per state and bank as they have ports, chains of associative integer operations are
/// balanced.
final class BlockSchedule {
    /// Delay after mapping over the delay the scheduler reckons with: neighbouring operations share LUTs.
    private static final double MAPPED = 0.5;

    private final Graph g;
    private final Layout[] layouts;
    private final double budget;
    private final boolean[] absorbed;
    private final boolean[] placed;
    /// First state of each node, -1 where dead.
    final int[] start;
    /// State in which the result appears.
    final int[] end;
    private final double[] out;
    /// Last state in which a balanced tree takes a value up, -1 where none does.
    final int[] treeUse;
    /// State in which the sum that stands for a merged node appears.
    final int[] joined;
    /// Number of states.
    int depth = 1;
    /// Slowest state as the scheduler sees it, ns.
    double slowestNs;
    /// Slowest path through chained logic after synthesis, ns.
    double chainNs;
    private final double[] path;
    /// Smallest interval the ports of each array allow, with the array that needs it.
    int portInterval = 1;
    int portArray = -1;
    /// Smallest interval that limited units allow, with the operation whose units need it.
    int unitInterval = 1;

    String limitedUnit = "";
    private final UnitLimits limits;
    /// Slots of a pipeline in which limited units are taken, 0 where the block is none.
    private int period;

    private final Map<String, int[]> units = new HashMap<>();
    private final @Nullable Ports[] tables;

    /// @param layouts of the arrays by number
    BlockSchedule(Graph graph, Layout[] layouts, double budget) {
        this(graph, layouts, budget, UnitLimits.NONE, false);
    }

    /// @param limits of units that operations share
    /// @param pipelined whether iterations of the block overlap
    BlockSchedule(Graph graph, Layout[] layouts, double budget, UnitLimits limits, boolean pipelined) {
        this.limits = limits;
        this.g = graph;
        this.layouts = layouts;
        this.budget = budget;
        start = new int[g.size];
        end = new int[g.size];
        out = new double[g.size];
        path = new double[g.size];
        absorbed = new boolean[g.size];
        placed = new boolean[g.size];
        treeUse = new int[g.size];
        joined = new int[g.size];
        Arrays.fill(treeUse, -1);
        tables = new Ports[layouts.length];
        findChains();
        if (!limits.most().isEmpty()) {
            unitInterval(pipelined);
        }
        earlyLoads();
        run();
        ports();
    }

    /// Most units of an operator, 0 for any number.
    int most(FunctionalUnit unit) {
        return limits.of(unit);
    }

    /// Number of arrays.
    int arrays() {
        return layouts.length;
    }

    /// Smallest interval at which the units do: every one of them begins an operation each `initiation` states.
    private void unitInterval(boolean pipelined) {
        var states = new HashMap<String, Integer>();
        for (int n = 0; n < g.size; n++) {
            if (g.live[n] && g.kind[n] == Graph.OPERATION && limits.of(g.operator[n]) > 0) {
                FunctionalUnit op = g.operator[n];
                int busy = states.merge(UnitLimits.key(op), op.initiation(), Integer::sum);
                if (Math.ceilDiv(busy, limits.of(op)) > unitInterval) {
                    unitInterval = Math.ceilDiv(busy, limits.of(op));
                    limitedUnit = UnitLimits.key(op);
                }
            }
        }
        period = pipelined ? unitInterval : 0;
    }

    /// First state from `t` on in which a unit is free for an operation, which is taken.
    private int freeUnit(FunctionalUnit op, int t) {
        int most = limits.of(op);
        int[] busy = units.computeIfAbsent(UnitLimits.key(op), _ -> new int[Math.max(period, 64)]);
        for (int at = t; ; at++) {
            if (period == 0 && at + op.initiation() > busy.length) {
                busy = Arrays.copyOf(busy, 2 * (at + op.initiation()));
                units.put(UnitLimits.key(op), busy);
            }
            boolean free = true;
            for (int k = 0; k < op.initiation(); k++) {
                free &= busy[period > 0 ? (at + k) % period : at + k] < most;
            }
            // In a pipeline every slot was looked at after one period; what is cut up then is taken all the same.
            if (free || (period > 0 && at >= t + period)) {
                for (int k = 0; k < op.initiation(); k++) {
                    busy[period > 0 ? (at + k) % period : at + k]++;
                }
                return at;
            }
        }
    }

    private void findChains() {
        int[] uses = new int[g.size];
        int[] user = new int[g.size];
        for (int n = 0; n < g.size; n++) {
            if (g.live[n]) {
                for (int k = g.argumentsFrom[n]; k < g.argumentsFrom[n + 1]; k++) {
                    if (g.pool[k] >= 0) {
                        uses[g.pool[k]]++;
                        user[g.pool[k]] = n;
                    }
                }
            }
        }
        for (int n = 0; n < g.size; n++) {
            absorbed[n] = g.live[n]
                    && uses[n] == 1
                    && !g.root[n]
                    && g.kind[n] == Graph.OPERATION
                    && g.operator[n].associative()
                    && g.operator[user[n]] == g.operator[n]
                    && g.kind[user[n]] == Graph.OPERATION;
        }
    }

    /// Loads that need no computed address compete for ports from the first state on: the one with the longest
    /// way to go is served first.
    private void earlyLoads() {
        int[] loads = new int[16];
        int count = 0;
        for (int n = 0; n < g.size; n++) {
            if (g.live[n] && g.kind[n] == Graph.LOAD && g.banks[n] != null && startsAtOnce(n)) {
                if (count == loads.length) {
                    loads = Arrays.copyOf(loads, count * 2);
                }
                loads[count++] = n;
            }
        }
        if (count < 3) {
            return;
        }
        double[] height = heights();
        long[] order = new long[count];
        for (int i = 0; i < count; i++) {
            // longest way first, source order among equals
            order[i] = -(((long) (height[loads[i]] * 100)) << 24) + i;
        }
        Arrays.sort(order);
        for (int i = 0; i < count; i++) {
            int n = loads[(int) (order[i] & 0xFFFFFF)];
            for (int k = g.argumentsFrom[n]; k < g.argumentsFrom[n + 1]; k++) {
                int a = g.pool[k];
                if (g.kind[a] == Graph.OPERATION && !placed[a]) {
                    single(a);
                    placed[a] = true;
                }
            }
            single(n);
            placed[n] = true;
        }
    }

    private boolean startsAtOnce(int n) {
        for (int k = g.argumentsFrom[n]; k < g.argumentsFrom[n + 1]; k++) {
            int a = g.pool[k];
            if (a < 0) {
                return false;
            }
            if (g.kind[a] == Graph.OPERATION) {
                if (absorbed[a] || g.operator[a].states() > 1) {
                    return false;
                }
                for (int j = g.argumentsFrom[a]; j < g.argumentsFrom[a + 1]; j++) {
                    int b = g.pool[j];
                    if (b < 0 || (g.kind[b] != Graph.LIVE_IN && g.kind[b] != Graph.CONSTANT)) {
                        return false;
                    }
                }
            } else if (g.kind[a] != Graph.LIVE_IN && g.kind[a] != Graph.CONSTANT) {
                return false;
            }
        }
        return true;
    }

    /// Time from the start of each node to the end of the block, memory ports left aside, ns.
    private double[] heights() {
        double[] height = new double[g.size];
        for (int n = g.size - 1; n >= 0; n--) {
            if (!g.live[n] || g.operator[n] == null) {
                continue;
            }
            FunctionalUnit op = g.operator[n];
            height[n] += absorbed[n] ? 0 : op.states() > 1 ? op.states() * budget : op.stageNs();
            for (int k = g.argumentsFrom[n]; k < g.argumentsFrom[n + 1]; k++) {
                int a = g.pool[k] < 0 ? ~g.pool[k] : g.pool[k];
                height[a] = Math.max(height[a], height[n]);
            }
        }
        return height;
    }

    private void run() {
        for (int n = 0; n < g.size; n++) {
            if (placed[n]) {
                depth = Math.max(depth, end[n] + 1);
                slowestNs = Math.max(slowestNs, out[n]);
                continue;
            }
            if (!g.live[n]) {
                start[n] = -1;
                end[n] = -1;
                continue;
            }
            if (g.kind[n] == Graph.LIVE_IN || g.kind[n] == Graph.CONSTANT || absorbed[n]) {
                continue;
            }
            if (g.operator[n].associative() && hasAbsorbed(n)) {
                tree(n);
            } else {
                single(n);
            }
            depth = Math.max(depth, end[n] + 1);
            slowestNs = Math.max(slowestNs, out[n]);
        }
    }

    private boolean hasAbsorbed(int n) {
        for (int k = g.argumentsFrom[n]; k < g.argumentsFrom[n + 1]; k++) {
            if (g.pool[k] >= 0 && absorbed[g.pool[k]]) {
                return true;
            }
        }
        return false;
    }

    private void single(int n) {
        int t = 0;
        double d = 0;
        for (int k = g.argumentsFrom[n]; k < g.argumentsFrom[n + 1]; k++) {
            int a = g.pool[k];
            if (a < 0) {
                int before = ~a;
                if (g.live[before] && end[before] + 1 > t) {
                    // a comparison that guards a copy may be chained, a store must be over
                    if (g.kind[before] == Graph.OPERATION) {
                        if (end[before] > t) {
                            t = end[before];
                            d = out[before];
                        }
                    } else {
                        t = end[before] + 1;
                        d = 0;
                    }
                }
            } else if (g.kind[a] != Graph.LIVE_IN && g.kind[a] != Graph.CONSTANT) {
                if (end[a] > t) {
                    t = end[a];
                    d = out[a];
                } else if (end[a] == t) {
                    d = Math.max(d, out[a]);
                }
            }
        }
        place(n, t, d);
    }

    private void place(int n, int ready, double delay) {
        FunctionalUnit op = g.operator[n];
        int states = op.states();
        boolean memory = g.kind[n] == Graph.LOAD || g.kind[n] == Graph.STORE;
        // A memory takes its address (and data to write) at the end of a state, other cores need their whole
        // first stage.
        double first = setUp(n);
        int t = delay > 0 && delay + first > budget ? ready + 1 : ready;
        double d = t == ready ? delay : 0;
        if (memory && g.banks[n] != null) {
            boolean held = g.kind[n] == Graph.STORE && !onBus(n);
            int at = table(g.array[n]).place(g, n, held ? op.states() : layouts[g.array[n]].words(g.bits[n]), t);
            d = at == t ? d : 0;
            t = at;
        }
        if (g.kind[n] == Graph.OPERATION && limits.of(op) > 0) {
            int at = freeUnit(op, t);
            d = at == t ? d : 0;
            t = at;
        }
        start[n] = t;
        end[n] = t + states - 1;
        out[n] = (states > 1 ? op.stageNs() : d + op.stageNs()) + g.extraNs[n];
        path[n] = physical(n, op) + (states > 1 ? 0 : before(n));
        chainNs = Math.max(chainNs, path[n]);
    }

    /// Logic and routing of one operation once it is mapped to LUTs and carry chains. What lies outside of the
    /// design has no register in front of it that the clock would bind.
    private double physical(int n, FunctionalUnit op) {
        if (g.kind[n] == Graph.LOAD) {
            Layout l = layouts[g.array[n]];
            return (l.array.external() || l.registers ? 0 : op.pathNs()) + g.extraNs[n];
        }
        return (op.states() > 1 ? MAPPED : 1) * MAPPED * op.pathNs();
    }

    /// Slowest path that enters an operation in its own state.
    private double before(int n) {
        double most = 0;
        for (int k = g.argumentsFrom[n]; k < g.argumentsFrom[n + 1]; k++) {
            int a = g.pool[k];
            if (a >= 0 && end[a] == start[n] && g.kind[a] != Graph.LIVE_IN && g.kind[a] != Graph.CONSTANT) {
                most = Math.max(most, path[a]);
            }
        }
        return most;
    }

    private boolean onBus(int n) {
        return layouts[g.array[n]].array.onBus();
    }

    /// Time that must be left in a state for an operation to start there, ns.
    private double setUp(int n) {
        double stage = g.operator[n].stageNs();
        return g.kind[n] == Graph.LOAD && !onBus(n) ? Math.min(stage, 0.67) : stage;
    }

    /// Arrays behind one AXI port share it.
    private Ports table(int array) {
        Layout layout = layouts[array];
        int at = array;
        for (int a = 0; a < array && layout.array.onBus() && at == array; a++) {
            if (tables[a] != null && layouts[a].array.bus() == layout.array.bus()) {
                at = a;
            }
        }
        Ports p = tables[at];
        if (p == null) {
            p = new RelatedPorts(layout, g.relations);
            tables[at] = p;
        }
        return p;
    }

    /// A value of a tree.
    ///
    /// @param node that stands for it
    private record Arrival(int state, double delay, int node) implements Comparable<Arrival> {
        @Override
        public int compareTo(Arrival o) {
            int c = Integer.compare(state, o.state);
            return c != 0 ? c : Double.compare(delay, o.delay);
        }
    }

    /// A balanced tree over the leaves of a chain: always joins the two that arrive first.
    private void tree(int n) {
        var queue = new PriorityQueue<Arrival>();
        var merged = new ArrayDeque<Integer>();
        collect(n, queue, merged);
        FunctionalUnit op = g.operator[n];
        int first = Integer.MAX_VALUE;
        Arrival last = new Arrival(0, 0, n);
        while (queue.size() > 1) {
            Arrival earlier = queue.poll();
            Arrival later = queue.poll();
            Arrival sum = join(later, op);
            // Each sum stands in one of the chain's nodes, the last in the node itself.
            last = new Arrival(sum.state(), sum.delay(), merged.isEmpty() ? n : merged.poll());
            first = Math.min(first, last.state());
            joined[last.node()] = last.state();
            taken(earlier, last);
            taken(later, last);
            queue.add(last);
        }
        start[n] = Math.min(first, last.state());
        end[n] = last.state();
        out[n] = last.delay();
    }

    private void taken(Arrival value, Arrival sum) {
        treeUse[value.node()] = Math.max(treeUse[value.node()], sum.state());
    }

    private Arrival join(Arrival later, FunctionalUnit op) {
        return later.delay() > 0 && later.delay() + op.stageNs() > budget
                ? new Arrival(later.state() + 1, op.stageNs(), later.node())
                : new Arrival(later.state(), later.delay() + op.stageNs(), later.node());
    }

    /// @param merged filled with the nodes of the chain, the deepest first
    private void collect(int n, PriorityQueue<Arrival> queue, Deque<Integer> merged) {
        for (int k = g.argumentsFrom[n]; k < g.argumentsFrom[n + 1]; k++) {
            int a = g.pool[k];
            if (a < 0) {
                continue;
            }
            if (absorbed[a]) {
                collect(a, queue, merged);
                merged.add(a);
            } else {
                boolean ready = g.kind[a] == Graph.LIVE_IN || g.kind[a] == Graph.CONSTANT;
                queue.add(ready ? new Arrival(0, 0, a) : new Arrival(end[a], out[a], a));
            }
        }
    }

    private void ports() {
        for (int a = 0; a < tables.length; a++) {
            Ports p = tables[a];
            if (p == null) {
                continue;
            }
            int need = p.interval();
            if (need > portInterval) {
                portInterval = need;
                portArray = a;
            }
        }
    }

    /// States that pass from the start of the sources to the end of every node that depends on them, all other
    /// values being there already; -1 for nodes that do not depend on them. A source's own entry is its last
    /// state (0 for a value held in a register).
    int[] statesFrom(boolean[] source) {
        int[] e = new int[g.size];
        double[] d = new double[g.size];
        Arrays.fill(e, -1);
        for (int n = 0; n < g.size; n++) {
            if (!g.live[n] || absorbed[n]) {
                continue;
            }
            boolean operation = g.kind[n] != Graph.LIVE_IN && g.kind[n] != Graph.CONSTANT;
            if (operation) {
                follow(n, e, d);
            }
            // The longest way from any of them: one may also be reached from another.
            int own = operation ? g.operator[n].states() - 1 : 0;
            if (source[n] && e[n] <= own) {
                double stage = operation ? g.operator[n].stageNs() + g.extraNs[n] : 0;
                d[n] = e[n] == own ? Math.max(d[n], stage) : stage;
                e[n] = own;
            }
        }
        return e;
    }

    private void follow(int n, int[] e, double[] d) {
        FunctionalUnit op = g.operator[n];
        if (op.associative() && hasAbsorbed(n)) {
            var queue = new PriorityQueue<Arrival>();
            boolean others = reach(n, e, d, queue);
            if (queue.isEmpty()) {
                return;
            }
            while (queue.size() > 1) {
                queue.poll();
                queue.add(join(queue.poll(), op));
            }
            Arrival last = others ? join(queue.poll(), op) : queue.poll();
            e[n] = last.state();
            d[n] = last.delay();
            return;
        }
        int t = -1;
        double delay = 0;
        for (int k = g.argumentsFrom[n]; k < g.argumentsFrom[n + 1]; k++) {
            int a = g.pool[k];
            int from = a < 0 ? ~a : a;
            if (e[from] < 0) {
                continue;
            }
            int at = a < 0 && g.kind[from] != Graph.OPERATION ? e[from] + 1 : e[from];
            double arrives = a < 0 && g.kind[from] != Graph.OPERATION ? 0 : d[from];
            if (at > t) {
                t = at;
                delay = arrives;
            } else if (at == t) {
                delay = Math.max(delay, arrives);
            }
        }
        if (t < 0) {
            return;
        }
        int states = op.states();
        double first = setUp(n);
        if (delay > 0 && delay + first > budget) {
            t++;
            delay = 0;
        }
        e[n] = t + states - 1;
        d[n] = (states > 1 ? op.stageNs() : delay + op.stageNs()) + g.extraNs[n];
    }

    /// Gathers the reachable leaves; returns whether there are others.
    private boolean reach(int n, int[] e, double[] d, PriorityQueue<Arrival> queue) {
        boolean others = false;
        for (int k = g.argumentsFrom[n]; k < g.argumentsFrom[n + 1]; k++) {
            int a = g.pool[k];
            if (a < 0) {
                continue;
            }
            if (absorbed[a]) {
                others |= reach(a, e, d, queue);
            } else if (e[a] >= 0) {
                queue.add(new Arrival(e[a], d[a], a));
            } else {
                others = true;
            }
        }
        return others;
    }

    /// Operations of a shared operator that are in progress at once where each starts as late as it may.
    int atOnceWhenLate(FunctionalUnit op) {
        int[] latest = latestStarts();
        int[] busy = new int[depth + op.initiation()];
        for (int n = 0; n < g.size; n++) {
            if (g.live[n] && g.operator[n] == op && !absorbed[n]) {
                for (int t = 0; t < op.initiation(); t++) {
                    busy[Math.max(start[n], latest[n]) + t]++;
                }
            }
        }
        return Arrays.stream(busy).max().orElse(0);
    }

    /// Operations of a shared operator that start in the same slot of a pipeline where each starts as late as it may.
    int inOneSlotWhenLate(FunctionalUnit op, int interval) {
        int[] latest = latestStarts();
        int[] slots = new int[interval];
        for (int n = 0; n < g.size; n++) {
            if (g.live[n] && g.operator[n] == op && !absorbed[n]) {
                slots[Math.max(start[n], latest[n]) % interval]++;
            }
        }
        return Arrays.stream(slots).max().orElse(0);
    }

    /// Last state in which each node may start without lengthening the block; memory ports left aside.
    private int[] latestStarts() {
        int[] latestEnd = new int[g.size];
        int[] latest = new int[g.size];
        Arrays.fill(latestEnd, depth - 1);
        for (int n = g.size - 1; n >= 0; n--) {
            if (!g.live[n] || g.operator[n] == null) {
                continue;
            }
            int length = end[n] - start[n];
            latest[n] = g.kind[n] == Graph.STORE || g.kind[n] == Graph.LOAD ? start[n] : latestEnd[n] - length;
            for (int k = g.argumentsFrom[n]; k < g.argumentsFrom[n + 1]; k++) {
                int a = g.pool[k] < 0 ? ~g.pool[k] : g.pool[k];
                boolean chained = end[a] == start[n];
                latestEnd[a] = Math.min(latestEnd[a], chained ? latest[n] : latest[n] - 1);
            }
        }
        return latest;
    }

    /// True if a node is the root of a balanced tree, or merged into one.
    boolean isInTree(int n) {
        return absorbed[n] || (g.kind[n] == Graph.OPERATION && g.operator[n].associative() && hasAbsorbed(n));
    }

    /// True if the node was merged into a balanced tree.
    boolean isAbsorbed(int n) {
        return absorbed[n];
    }
}
