package knobscape.hls.evaluate.estimator;

import java.util.ArrayList;
import java.util.List;
import knobscape.hls.evaluate.estimator.Program.Iteration;
import knobscape.space.LongIntMap;

/// Smallest initiation interval that the values carried from one iteration to the next allow.
///
/// @param interval cycles, at least 1
/// @param through variable or array that needs it, empty where nothing is carried
record Recurrence(int interval, String through) {
    private static final int MAX_CARRIED = 24;
    private static final int MAX_DISTANCE = 64;

    /// Looks at scalars and at memory.
    ///
    /// @param loop the pipelined loop
    /// @param behindReset whether an accumulator stands behind a selection that resets it (flattened nest)
    static Recurrence of(GraphBuilder b, BlockSchedule s, Iteration loop, Program program, boolean behindReset) {
        Recurrence scalar = scalars(b, s, program, behindReset);
        Recurrence memory = memory(b, s, loop, program);
        return memory.interval > scalar.interval ? memory : scalar;
    }

    private static Recurrence scalars(GraphBuilder b, BlockSchedule s, Program program, boolean behindReset) {
        List<Integer> carried = new ArrayList<>();
        b.changed(slot -> {
            if (b.entry[slot] >= 0 && b.graph.live[b.entry[slot]] && b.graph.live[b.current(slot)]) {
                carried.add(slot);
            }
        });
        int m = Math.min(carried.size(), MAX_CARRIED);
        int[][] weight = new int[m][m];
        for (int v = 0; v < m; v++) {
            boolean[] source = new boolean[b.graph.size];
            source[b.entry[carried.get(v)]] = true;
            int[] from = s.statesFrom(source);
            for (int w = 0; w < m; w++) {
                int node = b.current(carried.get(w));
                weight[v][w] = from[node] < 0 ? 0 : from[node] + 1;
            }
            weight[v][v] -=
                    direct(b.graph, b.entry[carried.get(v)], b.current(carried.get(v)), weight[v][v], behindReset)
                            ? 1
                            : 0;
        }
        int worst = 1;
        int at = -1;
        for (int i = 0; i < m; i++) {
            for (int j = 0; j < m; j++) {
                // cycles through one or two variables; through j back to i
                int around = i == j
                        ? weight[i][i]
                        : weight[i][j] > 0 && weight[j][i] > 0 ? (weight[i][j] + weight[j][i] + 1) / 2 : 0;
                if (around > worst) {
                    worst = around;
                    at = i;
                }
            }
        }
        return new Recurrence(worst, at < 0 ? "" : program.slots().get(carried.get(at)));
    }

    /// One operator that feeds itself: its result is taken up in the state in which it appears.
    private static boolean direct(Graph g, int entry, int node, int weight, boolean behindReset) {
        if (behindReset
                || g.kind[node] != Graph.OPERATION
                || g.operator[node].states() < 2
                || weight != g.operator[node].states()) {
            return false;
        }
        for (int k = g.argumentsFrom[node]; k < g.argumentsFrom[node + 1]; k++) {
            if (g.pool[k] == entry) {
                return true;
            }
        }
        return false;
    }

    private static Recurrence memory(GraphBuilder b, BlockSchedule s, Iteration loop, Program program) {
        Graph g = b.graph;
        var result = new Recurrence(1, "");
        boolean[] stored = new boolean[program.arrays().size()];
        for (int n = 0; n < g.size; n++) {
            if (g.kind[n] == Graph.STORE && g.live[n]) {
                stored[g.array[n]] = true;
            }
        }
        for (int array = 0; array < stored.length; array++) {
            if (stored[array] && !program.arrays().get(array).fifo()) {
                Recurrence r = ofArray(b, s, loop, program, array);
                result = r.interval > result.interval ? r : result;
            }
        }
        return result;
    }

    private static Recurrence ofArray(GraphBuilder b, BlockSchedule s, Iteration loop, Program program, int array) {
        Graph g = b.graph;
        int loads = 0;
        int stores = 0;
        int run = -2;
        boolean uniform = true;
        for (int n = 0; n < g.size; n++) {
            if (g.live[n] && g.array[n] == array) {
                loads += g.kind[n] == Graph.LOAD ? 1 : 0;
                stores += g.kind[n] == Graph.STORE ? 1 : 0;
                run = run == -2 ? g.run[n] : run;
                uniform &= g.run[n] == run && run >= 0;
            }
        }
        if (loads == 0 || stores == 0) {
            return new Recurrence(1, "");
        }
        String name = program.arrays().get(array).source().id();
        if (!uniform) {
            // Banks or words that are chosen while the loop runs hide which element an access meets.
            long distance = b.hides(array) ? 1 : carriedDistance(b, loop, array);
            return distance == 0 ? new Recurrence(1, "") : between(b, s, array, distance, true, 0, name);
        }
        long stride = b.stride(run, loop);
        int worst = 1;
        if (stride == 0) {
            worst = between(b, s, array, 1, false, 0, name).interval;
        } else {
            for (long d = 1; d <= MAX_DISTANCE; d++) {
                Recurrence r = between(b, s, array, d, false, d * stride, name);
                worst = Math.max(worst, r.interval);
            }
        }
        return new Recurrence(worst, worst > 1 ? name : "");
    }

    private static long carriedDistance(GraphBuilder b, Iteration loop, int array) {
        long distance = 0;
        for (var e : loop.carried.entrySet()) {
            if (b.root(e.getKey()) == array) {
                distance = distance == 0 ? e.getValue() : Math.min(distance, e.getValue());
            }
        }
        return distance;
    }

    /// Interval between the stores and the loads of an array that meet `distance` iterations later.
    ///
    /// @param anyPair whether any pair may meet, whatever the address
    /// @param shift what a load's address must lie behind the store's otherwise
    private static Recurrence between(
            GraphBuilder b, BlockSchedule s, int array, long distance, boolean anyPair, long shift, String name) {
        Graph g = b.graph;
        boolean[] source = new boolean[g.size];
        boolean[] target = new boolean[g.size];
        boolean any = false;
        if (anyPair) {
            for (int n = 0; n < g.size; n++) {
                if (g.live[n] && g.array[n] == array) {
                    source[n] = g.kind[n] == Graph.LOAD;
                    target[n] = g.kind[n] == Graph.STORE;
                    any = true;
                }
            }
        } else {
            var loads = new LongIntMap(16);
            for (int n = 0; n < g.size; n++) {
                if (g.live[n] && g.array[n] == array && g.kind[n] == Graph.LOAD) {
                    loads.put(g.linear[n], n);
                }
            }
            for (int n = 0; n < g.size; n++) {
                if (g.live[n] && g.array[n] == array && g.kind[n] == Graph.STORE) {
                    int load = loads.get(g.linear[n] - shift, -1);
                    if (load >= 0) {
                        source[load] = true;
                        target[n] = true;
                        any = true;
                    }
                }
            }
        }
        if (!any) {
            return new Recurrence(1, "");
        }
        int[] from = s.statesFrom(source);
        int longest = 0;
        for (int n = 0; n < g.size; n++) {
            if (target[n]) {
                longest = Math.max(longest, from[n] + 1);
            }
        }
        int interval = (int) Math.max(1, Layout.ceilDiv(longest, distance));
        return new Recurrence(interval, interval > 1 ? name : "");
    }
}
