package knobscape.hls.evaluate.estimator;

import java.util.Arrays;

/// Counts the hardware of a scheduled block.
final class BlockUsage {
    private BlockUsage() {}

    /// Hardware of a block.
    ///
    /// @param steering what leads accesses to their banks
    /// @param interval initiation interval, 0 where the block is not pipelined
    static Usage of(
            Graph g, Steering steering, BlockSchedule s, int interval, OperatorLibrary library, ToolProfile tool) {
        var u = new Usage(library.shared().size(), s.arrays());
        int[][] startsAt = new int[u.units.length][];
        int[] lastUse = lastUses(g, s);
        for (int n = 0; n < g.size; n++) {
            if (!g.live[n]) {
                continue;
            }
            if (g.kind[n] == Graph.LOAD || g.kind[n] == Graph.STORE) {
                u.accesses[g.array[n]]++;
                u.written++;
            } else if (g.kind[n] == Graph.OPERATION) {
                operation(g, s, n, u, startsAt, interval);
            }
            if (g.operator[n] != null && g.operator[n].states() > 1 && g.kind[n] == Graph.OPERATION) {
                u.pathNs = Math.max(u.pathNs, g.operator[n].pathNs());
            }
            if (g.kind[n] != Graph.CONSTANT && g.kind[n] != Graph.STORE) {
                register(
                        u,
                        g.bits[n],
                        lastUse[n] - (g.kind[n] == Graph.LIVE_IN ? 0 : s.isAbsorbed(n) ? s.joined[n] : s.end[n]),
                        interval,
                        g.kind[n] == Graph.LIVE_IN);
            }
        }
        for (int i = 0; i < u.units.length; i++) {
            if (u.operations[i] > 0) {
                u.units[i] = interval > 0
                        ? pipelined(s, library.shared().get(i), startsAt[i], u.operations[i], tool)
                        : together(s, library.shared().get(i), startsAt[i]);
                int most = s.most(library.shared().get(i));
                u.units[i] = most > 0 ? Math.min(most, u.units[i]) : u.units[i];
                u.busy[i] = interval > 0 ? Math.ceil(u.operations[i] / interval) : u.units[i];
            }
        }
        u.reportedLut += steering.muxReported;
        u.realLut += steering.muxReal;
        u.reportedFf += steering.heldFf;
        u.realFf += steering.heldReal;
        u.widestMux = steering.muxDepth;
        u.slowestNs = s.slowestNs;
        u.pathNs = Math.max(u.pathNs, s.chainNs + library.registerNs());
        double states = interval > 0 ? Math.min(interval, s.depth) + 2 : s.depth;
        u.states = states;
        u.reportedFf += states + (interval > 0 ? s.depth / (double) interval : 0);
        u.realFf += states + (interval > 0 ? s.depth / (double) interval : 0);
        u.reportedLut += library.reportedMux(states);
        u.realLut += 1.2 * states;
        return u;
    }

    private static void operation(Graph g, BlockSchedule s, int n, Usage u, int[][] startsAt, int interval) {
        FunctionalUnit op = g.operator[n];
        u.written++;
        if (op.sharing() < 0) {
            u.reportedLut += op.area().reportedLut();
            u.realLut += op.area().realLut();
            u.reportedFf += op.area().reportedFf();
            u.realFf += op.area().realFf();
            u.dsp += op.area().dsp();
            return;
        }
        int i = op.sharing();
        u.operations[i]++;
        if (interval > 0) {
            if (startsAt[i] == null) {
                startsAt[i] = new int[interval];
            }
            startsAt[i][Math.floorMod(s.start[n], interval)]++;
            return;
        }
        int last = s.start[n] + op.initiation();
        if (startsAt[i] == null) {
            startsAt[i] = new int[Math.max(8, last + 8)];
        } else if (startsAt[i].length < last) {
            startsAt[i] = Arrays.copyOf(startsAt[i], Math.max(last, startsAt[i].length * 2));
        }
        for (int t = s.start[n]; t < last; t++) {
            startsAt[i][t]++;
        }
    }

    /// Units of a pipeline. Vivado HLS moves operations until a core has one in every slot; Vitis HLS takes those that
    /// are ready, or needed, at once for cores of their own (fft: adders of two arrays that are read alike).
    private static double pipelined(
            BlockSchedule s, FunctionalUnit op, int[] starts, double operations, ToolProfile tool) {
        double least = Math.ceil(operations / starts.length);
        double early = Arrays.stream(starts).max().orElse(1);
        return tool.delaysToShare() || early <= least ? least : Math.min(early, s.inOneSlotWhenLate(op, starts.length));
    }

    /// Units needed at the same time. The tool does not move operations so that a core serves several of them,
    /// but those that a later one waits for come late.
    private static double together(BlockSchedule s, FunctionalUnit op, int[] startsAt) {
        int most = Arrays.stream(startsAt).max().orElse(1);
        return op.area().dsp() == 0 ? most : Math.max(most, s.atOnceWhenLate(op));
    }

    private static int[] lastUses(Graph g, BlockSchedule s) {
        int[] last = new int[g.size];
        Arrays.fill(last, -1);
        for (int n = 0; n < g.size; n++) {
            if (!g.live[n]) {
                continue;
            }
            last[n] = Math.max(last[n], s.treeUse[n]);
            for (int k = g.argumentsFrom[n]; k < g.argumentsFrom[n + 1] && !s.isInTree(n); k++) {
                int a = g.pool[k];
                if (a >= 0) {
                    last[a] = Math.max(last[a], s.start[n]);
                }
            }
            if (g.root[n] && g.kind[n] != Graph.STORE) {
                last[n] = Math.max(last[n], s.end[n] + 1);
            }
        }
        return last;
    }

    /// Registers that carry a value over `states` state boundaries. Long delays in a pipeline become shift
    /// registers in LUTs.
    private static void register(Usage u, int bits, int states, int interval, boolean entry) {
        if (states <= 0 && !entry) {
            return;
        }
        double rows = interval > 0 && !entry ? Math.ceil(states / (double) interval) : 1;
        if (rows > 3) {
            u.reportedFf += bits;
            u.reportedLut += 0.5 * bits;
            u.realFf += bits;
            u.shiftRegisters += bits * Math.ceil((rows - 1) / 32);
        } else {
            u.reportedFf += rows * bits;
            u.realFf += 0.95 * rows * bits;
        }
    }
}
