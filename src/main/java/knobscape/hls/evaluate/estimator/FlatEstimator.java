package knobscape.hls.evaluate.estimator;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import knobscape.hls.evaluate.estimator.Program.Iteration;
import knobscape.hls.evaluate.estimator.Program.Step;

/// Estimates loops whose body is a single block: innermost ones, those whose inner loops are written out,
/// pipelined ones.
final class FlatEstimator {
    /// Operations up to which a block is written out as it is; beyond, smaller versions are written out and
    /// extended on a line.
    private static final int WRITTEN_OUT = 3_000;
    /// Operations beyond which the tool is taken to give up.
    private static final double GIVES_UP = 400_000;

    private final Program program;
    private final Plan plan;
    private final EstimatorSettings settings;

    FlatEstimator(Program program, Plan plan, EstimatorSettings settings) {
        this.program = program;
        this.plan = plan;
        this.settings = settings;
    }

    /// A loop whose body is one block: pipelined, or innermost after complete unrolling.
    ///
    /// @param outerTrips how often it is entered, where loops around were merged with it
    /// @param merged those loops
    /// @param obstacle why it is not pipelined although it should be, empty where it need not
    /// @param around steps of the merged loop after this one
    Region flat(
            Iteration it,
            Frame frame,
            double outerTrips,
            int[] merged,
            boolean pipelined,
            String obstacle,
            List<Step> around) {
        int copies = plan.unroll[it.id];
        double trips = iterations(it, copies) * outerTrips;
        double total = written(it, copies, pipelined);
        FlatBlock block;
        if (total <= WRITTEN_OUT) {
            block = block(it, frame, merged, pipelined, around, -1, 0);
        } else {
            block = extended(it, frame, merged, pipelined, around, total);
        }
        int target = plan.interval[it.id];
        double interval = pipelined ? Math.max(block.interval(), target) : 0;
        double depth = block.depth;
        boolean insideLoop = frame.insideLoop() || (it.parent >= 0 && merged.length < it.around.length);
        double cycles = pipelined
                ? depth + Math.max(0, trips - 1) * interval + settings.profile().pipelineEntry(insideLoop)
                : trips * depth;
        cycles += block.burstCycles * block.burstStarts;
        if (block.hoisted > 0) {
            cycles += block.hoistCycles + 1;
        }
        Usage usage = block.usage;
        control(usage, it, trips);
        var rows = new ArrayList<LoopEstimate>();
        rows.add(new LoopEstimate(
                it.source.id(),
                it.source.function(),
                pipelined ? LoopEstimate.State.PIPELINED : LoopEstimate.State.SEQUENTIAL,
                trips,
                copies,
                (int) Math.round(interval),
                (int) Math.round(depth),
                cycles,
                pipelined ? block.limit(target) : obstacle));
        for (int l : it.nest) {
            if (l != it.id) {
                Iteration inner = program.loops().get(l);
                rows.add(new LoopEstimate(
                        inner.source.id(),
                        inner.source.function(),
                        LoopEstimate.State.UNROLLED,
                        inner.averageTrip,
                        (int) Math.min(Integer.MAX_VALUE, inner.maxTrip),
                        0,
                        0,
                        0,
                        pipelined ? "written out because " + it.source.id() + " is pipelined" : ""));
            }
        }
        return new Region(cycles, pipelined, cycles, usage, rows, Map.of());
    }

    /// Iterations left after writing out `copies` of the body.
    static double iterations(Iteration it, int copies) {
        if (copies <= 1) {
            return it.averageTrip;
        }
        return it.exactTrip ? Math.ceil(it.averageTrip / copies) : (it.averageTrip + (copies - 1) / 2.0) / copies;
    }

    /// Operations of the block once everything is written out.
    private double written(Iteration it, double copies, boolean pipelined) {
        double inside = it.operations;
        for (int c : it.children) {
            Iteration inner = program.loops().get(c);
            inside += written(inner, inner.maxTrip, pipelined) - inner.operations;
        }
        double calls = 0;
        for (int f : it.reaches) {
            for (int l : program.functions().get(f).outermost) {
                Iteration inner = program.loops().get(l);
                calls += written(inner, inner.maxTrip, pipelined);
            }
        }
        return copies * (inside + calls);
    }

    /// One block, or a smaller version of it.
    private static final class FlatBlock {
        double depth;
        double ports;
        double recurrence;
        String portLimit = "";
        String recurrenceLimit = "";

        @SuppressWarnings("NullAway.Init")
        Usage usage;

        int hoisted;
        double hoistCycles;
        double burstCycles;
        double burstStarts = 1;
        /// Why accesses over an AXI port are no bursts.
        String noBurst = "";

        double interval() {
            return Math.max(1, Math.max(ports, recurrence));
        }

        String limit(int target) {
            double i = interval();
            String why = i <= 1 || target >= i ? "" : ports >= recurrence ? portLimit : recurrenceLimit;
            return why.isEmpty() || noBurst.isEmpty() ? why + noBurst : why + "; " + noBurst;
        }
    }

    /// The numbers and one more.
    static int[] with(int[] a, int x) {
        int[] b = Arrays.copyOf(a, a.length + 1);
        b[a.length] = x;
        return b;
    }

    private FlatBlock block(
            Iteration it, Frame frame, int[] merged, boolean pipelined, List<Step> around, int limitedLoop, int limit) {
        int copies = plan.unroll[it.id];
        var b = new GraphBuilder(program, plan, frame.function(), frame.arrays(), pipelined, limitedLoop, limit);
        if (it.exactTrip && copies >= it.maxTrip) {
            b.dissolve(it.id);
        }
        int[] over = with(merged, it.id);
        boolean[] written = new boolean[program.arrays().size()];
        for (int a : it.writes) {
            written[frame.arrays()[a]] = true;
            written[a] = true;
        }
        for (int m : merged) {
            for (int a : program.loops().get(m).writes) {
                written[frame.arrays()[a]] = true;
            }
        }
        if (it.maxTrip != 1) {
            b.memory.hoistOutOf(over, written);
        }
        b.copies(it, copies, copies > 1 && !(it.exactTrip && it.maxTrip % copies == 0));
        boolean reset = !around.isEmpty();
        for (Step s : around) {
            if (s instanceof Step.Write) {
                b.step(s);
            }
        }
        surviving(program, b);
        b.graph.findLive();
        Bursts bursts = Bursts.of(new LoopFacts(b, it, over), b.graph, plan.layouts, program.buses(), pipelined);
        var s = new BlockSchedule(b.graph, plan.layouts, settings.budgetNs());
        var f = new FlatBlock();
        f.burstCycles = bursts.cycles;
        f.burstStarts = bursts.starts;
        f.noBurst = bursts.obstacle;
        f.depth = s.depth;
        f.hoisted = b.memory.hoistedLoads();
        f.hoistCycles = b.memory.hoistCycles();
        if (pipelined) {
            f.ports = s.portInterval;
            f.portLimit = s.portArray < 0 ? "" : program.ports(s.portArray);
            Recurrence r = Recurrence.of(b, s, it, program, reset);
            f.recurrence = r.interval();
            f.recurrenceLimit = r.through().isEmpty() ? "" : "recurrence through " + r.through();
        }
        int interval = pipelined ? (int) Math.max(f.interval(), plan.interval[it.id]) : 0;
        f.usage = BlockUsage.of(b.graph, b.memory.steering, s, interval, program.library(), settings.profile());
        f.usage.waitStates(bursts, program.library());
        return f;
    }

    /// The loop of a block and those merged with it, as [Bursts] asks.
    private final class LoopFacts implements Bursts.Facts {
        private final GraphBuilder builder;
        private final Iteration it;
        private final int[] over;

        LoopFacts(GraphBuilder builder, Iteration it, int[] over) {
            this.builder = builder;
            this.it = it;
            this.over = over;
        }

        @Override
        public int loops() {
            return over.length;
        }

        @Override
        public double iterations(int loop) {
            return loop == over.length - 1
                    ? FlatEstimator.iterations(it, builder.unroll(it))
                    : program.loops().get(over[loop]).averageTrip;
        }

        @Override
        public boolean isCounted() {
            return !it.source.earlyExit() && !it.source.variable().isEmpty();
        }

        @Override
        public boolean isGuarded(int node) {
            return builder.memory.isGuarded(node);
        }

        @Override
        public long stride(int run, int loop) {
            return builder.stride(run, program.loops().get(over[loop]));
        }
    }

    /// Keeps alive what is read after the block.
    static void surviving(Program program, GraphBuilder b) {
        b.changed(slot -> {
            if (program.exposed()[slot]) {
                b.graph.root[b.current(slot)] = true;
            }
        });
    }

    private FlatBlock extended(
            Iteration it, Frame frame, int[] merged, boolean pipelined, List<Step> around, double total) {
        if (total > GIVES_UP) {
            throw new TooLarge("writing out loop " + it.source.id() + " makes about " + Math.round(total / 1000)
                    + " thousand operations, more than " + Math.round(GIVES_UP / 1000) + " thousand");
        }
        int chosen = it.id;
        double count = plan.unroll[it.id];
        for (int l : it.nest) {
            double n = l == it.id ? count : program.loops().get(l).maxTrip;
            if (n > (chosen == it.id ? count : program.loops().get(chosen).maxTrip)) {
                chosen = l;
            }
        }
        for (int f : it.reaches) {
            for (int l : program.functions().get(f).loops) {
                if (program.loops().get(l).maxTrip
                        > (chosen == it.id ? count : program.loops().get(chosen).maxTrip)) {
                    chosen = l;
                }
            }
        }
        double full = chosen == it.id ? count : program.loops().get(chosen).maxTrip;
        if (full < 2) {
            // No loop to extrapolate over: a long body alone made it so large.
            return block(it, frame, merged, pipelined, around, -1, 0);
        }
        // Powers of two, so that the accesses of the smaller versions fill the banks as evenly as those of the
        // whole.
        int large = Integer.highestOneBit((int) Math.clamp(Math.floor(WRITTEN_OUT * full / total), 2, full));
        int small = Math.max(1, large / 2);
        if (small == large) {
            return block(it, frame, merged, pipelined, around, -1, 0);
        }
        FlatBlock a = block(it, frame, merged, pipelined, around, chosen, small);
        FlatBlock b = block(it, frame, merged, pipelined, around, chosen, large);
        double k = (full - small) / (large - small);
        var f = new FlatBlock();
        f.depth = Math.max(b.depth, Usage.line(a.depth, b.depth, k));
        f.ports = Math.ceil(Math.max(b.ports, Usage.line(a.ports, b.ports, k)) - 1e-6);
        f.recurrence = Math.ceil(Math.max(b.recurrence, Usage.line(a.recurrence, b.recurrence, k)) - 1e-6);
        f.portLimit = b.portLimit;
        f.recurrenceLimit = b.recurrenceLimit;
        f.hoisted = b.hoisted;
        f.hoistCycles = Usage.line(a.hoistCycles, b.hoistCycles, k);
        f.burstCycles = b.burstCycles;
        f.burstStarts = b.burstStarts;
        f.noBurst = b.noBurst;
        f.usage = a.usage.extended(b.usage, small, large, full);
        if (pipelined) {
            double interval = Math.max(f.interval(), plan.interval[it.id]);
            for (int i = 0; i < f.usage.units.length; i++) {
                f.usage.busy[i] = Math.ceil(f.usage.operations[i] / interval);
                // As far above the least as in the larger of the two.
                double above = b.usage.busy[i] > 0 ? b.usage.units[i] / b.usage.busy[i] : 1;
                f.usage.units[i] = Math.min(f.usage.operations[i], Math.rint(f.usage.busy[i] * above));
            }
        }
        return f;
    }

    /// Counter and exit test of a loop.
    static void control(Usage u, Iteration it, double trips) {
        int bits = (int) Math.ceil(Math.log(Math.max(2, trips + 1)) / Math.log(2));
        u.reportedFf += bits;
        u.realFf += bits;
        u.reportedLut += 2 * bits + 15;
        u.realLut += 1.3 * bits;
    }
}
