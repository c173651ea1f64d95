package knobscape.hls.evaluate.estimator;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import knobscape.hls.evaluate.estimator.IrGraphBuilder.Carried;

/// Smallest initiation interval that the values carried from one iteration to the next allow.
///
/// @param interval cycles, at least 1
/// @param through variable or array that needs it, empty where nothing is carried
/// @param operator what takes its cycles (`fadd of 5 cycles`), empty where that is several
/// @param from nodes where what is carried enters an iteration
/// @param to nodes where it is ready for the next one
record IrRecurrence(int interval, String through, String operator, BitSet from, BitSet to) {
    static final IrRecurrence NOTHING = new IrRecurrence(1, "", "", new BitSet(), new BitSet());

    private static final int MAX_PAIRED = 48;

    /// Looks at values and at memory.
    ///
    /// @param behindReset whether an accumulator stands behind a selection that resets it (flattened nest)
    /// @param keeps as of [ToolDefaults#keepsStored]
    static IrRecurrence of(IrGraphBuilder b, BlockSchedule s, IrObjects objects, boolean behindReset, boolean keeps) {
        IrRecurrence values = values(b, s, behindReset);
        IrRecurrence memory = memory(b, s, objects, keeps);
        IrRecurrence exit = exit(b, s, objects);
        IrRecurrence most = memory.interval > values.interval ? memory : values;
        return exit.interval > most.interval ? exit : most;
    }

    /// The demands of another iteration on an AXI port or a queue wait until it is decided that there is one.
    private static IrRecurrence exit(IrGraphBuilder b, BlockSchedule s, IrObjects objects) {
        IrRecurrence worst = NOTHING;
        for (int e : b.exits) {
            for (int n = 0; n < b.graph.size; n++) {
                boolean access = b.graph.kind[n] == Graph.LOAD || b.graph.kind[n] == Graph.STORE;
                if (access && b.graph.live[n] && objects.get(b.graph.array[n]).layout().channels) {
                    int own = s.end[e] - s.start[n] + 1;
                    worst = own > worst.interval ? new IrRecurrence(own, "the way out", "", set(e), set(n)) : worst;
                }
            }
        }
        return worst;
    }

    private static IrRecurrence values(IrGraphBuilder b, BlockSchedule s, boolean behindReset) {
        List<Carried> carried = b.carried();
        Graph g = b.graph;
        int m = carried.size();
        int[][] weight = new int[m][];
        int worst = 1;
        String through = "";
        String operator = "";
        var from = new BitSet();
        var to = new BitSet();
        for (int v = 0; v < m; v++) {
            boolean[] source = new boolean[g.size];
            source[carried.get(v).entry()] = true;
            int[] states = s.statesFrom(source);
            weight[v] = new int[m];
            for (int w = 0; w < m; w++) {
                int end = carried.get(w).end();
                weight[v][w] = states[end] < 0 || !g.live[end] ? 0 : states[end] + 1;
            }
            int own = weight[v][v] - (direct(g, carried.get(v), weight[v][v], behindReset) ? 1 : 0);
            if (own > worst) {
                worst = own;
                through = carried.get(v).name();
                operator = operator(g, carried.get(v).end());
                from = set(carried.get(v).entry());
                to = set(carried.get(v).end());
            }
        }
        for (int i = 0; i < Math.min(m, MAX_PAIRED); i++) {
            for (int j = 0; j < i; j++) {
                int around = weight[i][j] > 0 && weight[j][i] > 0 ? (weight[i][j] + weight[j][i] + 1) / 2 : 0;
                if (around > worst) {
                    worst = around;
                    through = carried.get(i).name();
                    operator = "";
                    from = set(carried.get(i).entry(), carried.get(j).entry());
                    to = set(carried.get(i).end(), carried.get(j).end());
                }
            }
        }
        return new IrRecurrence(worst, through, operator, from, to);
    }

    private static BitSet set(int... nodes) {
        var set = new BitSet();
        for (int n : nodes) {
            set.set(n);
        }
        return set;
    }

    private static String operator(Graph g, int node) {
        FunctionalUnit op = g.operator[node];
        return g.kind[node] == Graph.OPERATION && op.states() > 1 ? op.name() + " of latency " + (op.states() - 1) : "";
    }

    /// One operator that feeds itself: its result is taken up in the state in which it appears.
    private static boolean direct(Graph g, Carried c, int weight, boolean behindReset) {
        int end = c.end();
        if (behindReset
                || g.kind[end] != Graph.OPERATION
                || g.operator[end].states() < 2
                || weight != g.operator[end].states()) {
            return false;
        }
        for (int k = g.argumentsFrom[end]; k < g.argumentsFrom[end + 1]; k++) {
            if (g.pool[k] == c.entry()) {
                return true;
            }
        }
        return false;
    }

    private static IrRecurrence memory(IrGraphBuilder b, BlockSchedule s, IrObjects objects, boolean keeps) {
        Graph g = b.graph;
        var stores = new HashMap<Integer, Set<Integer>>();
        for (int n = 0; n < g.size; n++) {
            if (g.kind[n] == Graph.STORE
                    && g.live[n]
                    && !objects.get(g.array[n]).order().independent()
                    && !objects.get(g.array[n]).store().fifo()) {
                stores.computeIfAbsent(g.array[n], _ -> new HashSet<>()).add(n);
            }
        }
        // Loads that wait for the same stores are looked at together: a loop written out has thousands of each.
        var alike = new LinkedHashMap<Map<Integer, Long>, List<Integer>>();
        for (int n = 0; n < g.size && !stores.isEmpty(); n++) {
            if (g.kind[n] == Graph.LOAD && g.live[n] && stores.containsKey(g.array[n])) {
                Map<Integer, Long> met = new HashMap<>();
                for (int store : stores.getOrDefault(g.array[n], Set.of())) {
                    long d = IrDistance.of(b, objects, store, n);
                    if (d > 0) {
                        met.put(store, d);
                    }
                }
                if (!met.isEmpty()) {
                    alike.computeIfAbsent(met, _ -> new ArrayList<>()).add(n);
                }
            }
        }
        IrRecurrence worst = NOTHING;
        for (var e : alike.entrySet()) {
            int array = b.graph.array[e.getValue().getFirst()];
            boolean kept = keeps
                    && (objects.get(array).layout().registers
                            || stores.getOrDefault(array, Set.of()).size() == 1)
                    && e.getKey().keySet().stream().noneMatch(b.accesses::isGuarded)
                    && !objects.get(array).layout().channels;
            IrRecurrence r = from(b, s, objects, e.getValue(), e.getKey(), kept);
            worst = r.interval > worst.interval ? r : worst;
        }
        return worst;
    }

    /// Interval that the stores need which loads of a later iteration may read from.
    ///
    /// @param loads of one array
    /// @param met iterations from each store to the loads
    /// @param kept whether what the last iteration stored need not be loaded
    private static IrRecurrence from(
            IrGraphBuilder b,
            BlockSchedule s,
            IrObjects objects,
            List<Integer> loads,
            Map<Integer, Long> met,
            boolean kept) {
        boolean[] source = new boolean[b.graph.size];
        loads.forEach(n -> source[n] = true);
        int[] states = s.statesFrom(source);
        long worst = 1;
        for (var e : met.entrySet()) {
            if (states[e.getKey()] >= 0) {
                int memory = kept && e.getValue() == 1 ? b.graph.operator[loads.getFirst()].states() : 0;
                worst = Math.max(worst, Math.ceilDiv(states[e.getKey()] + 1L - memory, e.getValue()));
            }
        }
        return new IrRecurrence(
                (int) worst,
                worst > 1
                        ? objects.get(b.graph.array[loads.getFirst()])
                                .store()
                                .source()
                                .name()
                        : "",
                "",
                set(loads.stream().mapToInt(Integer::intValue).toArray()),
                set(met.keySet().stream().mapToInt(Integer::intValue).toArray()));
    }
}
