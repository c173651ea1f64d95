package knobscape.hls.toolchain.estimator;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import knobscape.hls.toolchain.estimator.Program.Invoke;
import knobscape.hls.toolchain.estimator.Program.Iteration;
import knobscape.hls.toolchain.estimator.Program.Procedure;
import knobscape.hls.toolchain.estimator.Program.Reference;
import knobscape.hls.toolchain.estimator.Program.Step;
import knobscape.hls.toolchain.estimator.Program.Value;

/// Schedules a kernel under one plan: loops from the outside in, straight code between them as blocks. One object per evaluation; what
/// depends only on part of the plan is kept in the [RegionMemo] that all evaluations of a kernel share.
final class RegionEstimator {
    /// Operations up to which a block is written out as it is; beyond, smaller versions are written out and extended on a line.
    private static final int WRITTEN_OUT = 3_000;
    /// Operations beyond which the tool is taken to give up.
    private static final double GIVES_UP = 400_000;

    private final Program program;
    private final Plan plan;
    private final EstimatorSettings settings;
    private final RegionMemo memo;

    RegionEstimator(Program program, Plan plan, EstimatorSettings settings, RegionMemo memo) {
        this.program = program;
        this.plan = plan;
        this.settings = settings;
        this.memo = memo;
    }

    /// Where a body stands: its function and the arrays behind formal ones.
    record Frame(int function, int[] arrays, boolean insideLoop) {
        Frame inLoop() {
            return insideLoop ? this : new Frame(function, arrays, true);
        }
    }

    /// The whole kernel.
    Region top() {
        int[] arrays = new int[program.arrays().size()];
        for (int i = 0; i < arrays.length; i++) {
            arrays[i] = program.arrays().get(i).roots()[0];
        }
        return function(program.top(), new Frame(program.top().id, arrays, false));
    }

    private Region function(Procedure f, Frame frame) {
        int[] key = memo.functionKey(f, frame, plan);
        Region known = memo.get(key);
        if (known != null) {
            return known;
        }
        var walk = new BodyWalk(frame, plan.functionDataflow[f.id]);
        walk.run(f.body);
        Region r = walk.finish(1, f);
        // A function's latency counts the states after its first.
        var made = new Region(Math.max(0, r.cycles() - 1), false, r.interval(), r.usage(), r.loops(), r.callees());
        memo.put(key, made);
        return made;
    }

    private Region loop(Iteration it, Frame frame, double outerTrips, int[] merged) {
        int[] key = memo.loopKey(it, frame, plan, outerTrips);
        Region known = memo.get(key);
        if (known != null) {
            return known;
        }
        Region made = estimateLoop(it, frame, outerTrips, merged);
        memo.put(key, made);
        return made;
    }

    private Region estimateLoop(Iteration it, Frame frame, double outerTrips, int[] merged) {
        int copies = plan.unroll[it.id];
        boolean wanted = plan.pipeline[it.id] == 1 || plan.pipeline[it.id] < 0 && automatic(it);
        String obstacle = wanted ? unexpandable(it) : "";
        boolean pipelined = wanted && obstacle.isEmpty();
        if (!pipelined && it.perfect && copies == 1 && it.exactTrip && it.children.length == 1) {
            Iteration inner = program.loops().get(it.children[0]);
            if (plan.flatten[it.id] != 0 && plan.flatten[inner.id] != 0 && inner.exactTrip && !dissolved(inner)
                    && inner.maxTrip % plan.unroll[inner.id] == 0 && !plan.loopDataflow[it.id]) {
                return flattened(it, loop(inner, frame, outerTrips * it.averageTrip, with(merged, it.id)), inner);
            }
        }
        if (pipelined || allDissolved(it)) {
            return flat(it, frame, outerTrips, merged, pipelined, obstacle, List.of());
        }
        if (semiPerfect(it, frame)) {
            Iteration inner = program.loops().get(it.children[0]);
            List<Step> after = it.body.stream().filter(s -> !(s instanceof Step.Nested)).toList();
            Region r = flat(inner, frame.inLoop(), outerTrips * it.averageTrip, with(merged, it.id), true, "", after);
            return flattened(it, r, inner);
        }
        return nested(it, frame, outerTrips, obstacle);
    }

    private static int[] with(int[] a, int x) {
        int[] b = Arrays.copyOf(a, a.length + 1);
        b[a.length] = x;
        return b;
    }

    private Region flattened(Iteration outer, Region inner, Iteration innerLoop) {
        var rows = new ArrayList<LoopEstimate>();
        rows.add(new LoopEstimate(outer.source.id(), outer.source.function(), LoopEstimate.State.FLATTENED, outer.averageTrip, 1, 0, 0, inner.cycles(),
                "merged with " + innerLoop.source.id()));
        rows.addAll(inner.loops());
        return new Region(inner.cycles(), inner.pipelined(), inner.cycles(), inner.usage(), rows, inner.callees());
    }

    private boolean automatic(Iteration it) {
        int threshold = settings.autoPipelineTrip();
        return threshold > 0 && it.children.length == 0 && it.maxTrip >= threshold && !callsLoops(it.reaches);
    }

    private boolean callsLoops(int[] functions) {
        for (int f : functions) {
            if (program.functions().get(f).loops.length > 0) {
                return true;
            }
        }
        return false;
    }

    /// Why the loops inside cannot be written out; empty where they can.
    private String unexpandable(Iteration it) {
        for (int l : it.nest) {
            Iteration inner = program.loops().get(l);
            if (l != it.id && !inner.exactTrip) {
                return "cannot be pipelined: the trip count of " + inner.source.id() + " inside it is not constant";
            }
        }
        for (int f : it.reaches) {
            for (int l : program.functions().get(f).loops) {
                if (!program.loops().get(l).exactTrip) {
                    return "cannot be pipelined: the trip count of " + program.loops().get(l).source.id() + " called from it is not constant";
                }
            }
        }
        return "";
    }

    /// Whether directives alone write the loop out completely.
    private boolean dissolved(Iteration it) {
        return it.exactTrip && it.maxTrip > 0 && plan.unroll[it.id] >= it.maxTrip && plan.pipeline[it.id] != 1 && allDissolved(it);
    }

    private boolean allDissolved(Iteration it) {
        for (int c : it.children) {
            if (!dissolved(program.loops().get(c))) {
                return false;
            }
        }
        return !callsLoops(it.reaches);
    }

    /// A reset before and a write after a pipelined inner loop can join it, if no memory bank has to be chosen outside of the inner loop.
    private boolean semiPerfect(Iteration it, Frame frame) {
        if (it.children.length != 1 || plan.unroll[it.id] != 1 || !it.exactTrip || plan.flatten[it.id] == 0 || plan.loopDataflow[it.id]) {
            return false;
        }
        Iteration inner = program.loops().get(it.children[0]);
        boolean wanted = plan.pipeline[inner.id] == 1 || plan.pipeline[inner.id] < 0 && automatic(inner);
        if (!wanted || !inner.exactTrip || plan.unroll[inner.id] != 1 || plan.flatten[inner.id] == 0 || !unexpandable(inner).isEmpty()) {
            return false;
        }
        boolean after = false;
        for (Step s : it.body) {
            boolean fits = switch (s) {
                case Step.Nested n -> true;
                case Step.Assign a -> !after && pure(a.value());
                case Step.Write w -> after && w.value() instanceof Value.Scalar && settledBank(w.target(), frame);
                default -> false;
            };
            if (!fits) {
                return false;
            }
            after |= s instanceof Step.Nested;
        }
        return choosesInside(inner.body, frame, it, inner);
    }

    private static boolean pure(Value v) {
        return switch (v) {
            case Value.Constant c -> true;
            case Value.Scalar s -> true;
            case Value.Compute c -> Arrays.stream(c.operands()).allMatch(RegionEstimator::pure);
            default -> false;
        };
    }

    private boolean settledBank(Reference r, Frame frame) {
        Layout l = plan.layouts[frame.arrays()[r.array()]];
        return r.affine() && !l.registers && l.banks == 1;
    }

    /// Whether every choice of a bank or lane that moves with `outer` moves with `inner` too.
    private boolean choosesInside(List<Step> body, Frame frame, Iteration outer, Iteration inner) {
        boolean[] ok = {true};
        References.forEach(body, r -> {
            Layout l = plan.layouts[frame.arrays()[r.array()]];
            if (!r.affine() || l == null || r.constants().length != l.dims) {
                return;
            }
            for (int d = 0; d < l.dims; d++) {
                ok[0] &= !chosenBy(r, d, outer, l.factor[d], l.cyclic[d], l.block[d]) || chosenBy(r, d, inner, l.factor[d], l.cyclic[d], l.block[d]);
                ok[0] &= !chosenBy(r, d, outer, l.lanes[d], l.lanesCyclic[d], l.laneBlock[d])
                        || chosenBy(r, d, inner, l.lanes[d], l.lanesCyclic[d], l.laneBlock[d]);
            }
        });
        return ok[0];
    }

    private boolean chosenBy(Reference r, int d, Iteration loop, int factor, boolean cyclic, long block) {
        for (int k = 0; k < r.loops().length; k++) {
            if (r.loops()[k] == loop.id && factor > 1) {
                long step = r.coefficients()[d][k] * loop.source.step();
                return cyclic ? step % factor != 0 : 2 * Math.abs(step) * Math.max(1, loop.maxTrip - 1) >= block;
            }
        }
        return false;
    }

    /// A loop whose body is one block: pipelined, or innermost after complete unrolling.
    private Region flat(Iteration it, Frame frame, double outerTrips, int[] merged, boolean pipelined, String obstacle, List<Step> around) {
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
        boolean insideLoop = frame.insideLoop() || it.parent >= 0 && merged.length < it.around.length;
        double cycles = pipelined ? depth + Math.max(0, trips - 1) * interval + settings.profile().pipelineEntry(insideLoop) : trips * depth;
        if (block.hoisted > 0) {
            cycles += block.hoistCycles + 1;
        }
        Usage usage = block.usage;
        control(usage, it, trips);
        if (pipelined) {
            usage.settle(program.library().shared(), program.library());
        }
        var rows = new ArrayList<LoopEstimate>();
        rows.add(new LoopEstimate(it.source.id(), it.source.function(), pipelined ? LoopEstimate.State.PIPELINED : LoopEstimate.State.SEQUENTIAL, trips,
                copies, (int) Math.round(interval), (int) Math.round(depth), cycles, pipelined ? block.limit(target) : obstacle));
        for (int l : it.nest) {
            if (l != it.id) {
                Iteration inner = program.loops().get(l);
                rows.add(new LoopEstimate(inner.source.id(), inner.source.function(), LoopEstimate.State.UNROLLED, inner.averageTrip,
                        (int) Math.min(Integer.MAX_VALUE, inner.maxTrip), 0, 0, 0, pipelined ? "written out because " + it.source.id() + " is pipelined" : ""));
            }
        }
        return new Region(cycles, pipelined, cycles, usage, rows, Map.of());
    }

    private static double iterations(Iteration it, int copies) {
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
        Usage usage;
        int hoisted;
        double hoistCycles;

        double interval() {
            return Math.max(1, Math.max(ports, recurrence));
        }

        String limit(int target) {
            double i = interval();
            return i <= 1 || target >= i ? "" : ports >= recurrence ? portLimit : recurrenceLimit;
        }
    }

    private FlatBlock block(Iteration it, Frame frame, int[] merged, boolean pipelined, List<Step> around, int limitedLoop, int limit) {
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
            b.hoistOutOf(over, written);
        }
        b.copies(it, copies, copies > 1 && !(it.exactTrip && it.maxTrip % copies == 0));
        boolean reset = !around.isEmpty();
        for (Step s : around) {
            if (s instanceof Step.Write) {
                b.step(s);
            }
        }
        surviving(b);
        b.graph.findLive();
        var s = new BlockSchedule(b.graph, plan, settings.budgetNs());
        var f = new FlatBlock();
        f.depth = s.depth;
        f.hoisted = b.hoistedLoads();
        f.hoistCycles = b.hoistCycles();
        if (pipelined) {
            f.ports = s.portInterval;
            f.portLimit = s.portArray < 0 ? "" : "ports of " + program.arrays().get(s.portArray).source().id();
            Recurrence r = Recurrence.of(b, s, it, program, reset);
            f.recurrence = r.interval();
            f.recurrenceLimit = r.through().isEmpty() ? "" : "recurrence through " + r.through();
        }
        int interval = pipelined ? (int) Math.max(f.interval(), plan.interval[it.id]) : 0;
        f.usage = BlockUsage.of(b, s, interval, program);
        return f;
    }

    private void surviving(GraphBuilder b) {
        b.changed(slot -> {
            if (program.exposed()[slot]) {
                b.graph.root[b.current(slot)] = true;
            }
        });
    }

    private FlatBlock extended(Iteration it, Frame frame, int[] merged, boolean pipelined, List<Step> around, double total) {
        if (total > GIVES_UP) {
            throw new TooLarge("writing out loop " + it.source.id() + " makes about " + Math.round(total / 1000) + " thousand operations, more than "
                    + Math.round(GIVES_UP / 1000) + " thousand");
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
                if (program.loops().get(l).maxTrip > (chosen == it.id ? count : program.loops().get(chosen).maxTrip)) {
                    chosen = l;
                }
            }
        }
        double full = chosen == it.id ? count : program.loops().get(chosen).maxTrip;
        // Powers of two, so that the accesses of the smaller versions fill the banks as evenly as those of the whole.
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
        f.usage = a.usage.extended(b.usage, small, large, full);
        if (pipelined) {
            double interval = Math.max(f.interval(), plan.interval[it.id]);
            for (int i = 0; i < f.usage.units.length; i++) {
                f.usage.units[i] = Math.ceil(f.usage.operations[i] / interval);
            }
        }
        return f;
    }

    private void control(Usage u, Iteration it, double trips) {
        int bits = (int) Math.ceil(Math.log(Math.max(2, trips + 1)) / Math.log(2));
        u.reportedFf += bits;
        u.realFf += bits;
        u.reportedLut += 2 * bits + 15;
        u.realLut += 1.3 * bits;
    }

    /// A loop with loops or calls inside that stay.
    private Region nested(Iteration it, Frame frame, double outerTrips, String obstacle) {
        int copies = plan.unroll[it.id];
        double trips = iterations(it, copies) * outerTrips;
        var walk = new BodyWalk(frame.inLoop(), plan.loopDataflow[it.id]);
        walk.run(it.body);
        Region body = walk.finish(copies, null);
        control(body.usage(), it, trips);
        double cycles = plan.loopDataflow[it.id] ? body.cycles() + Math.max(0, trips - 1) * body.interval() : trips * body.cycles();
        var rows = new ArrayList<LoopEstimate>();
        rows.add(new LoopEstimate(it.source.id(), it.source.function(), LoopEstimate.State.SEQUENTIAL, trips, copies, 0,
                (int) Math.min(Integer.MAX_VALUE, Math.round(body.cycles())), cycles, obstacle));
        rows.addAll(body.loops());
        return new Region(cycles, false, cycles, body.usage(), rows, body.callees());
    }

    /// Walks over a body with loops or calls: straight code collects in blocks, everything else stands between them.
    private final class BodyWalk {
        private final boolean dataflow;
        private final Usage usage = new Usage(program.library().shared().size(), program.arrays().size());
        private final List<LoopEstimate> rows = new ArrayList<>();
        private final Map<Integer, Region> callees = new LinkedHashMap<>();
        private Frame frame;
        private GraphBuilder block;
        private double pending;
        private double first = -1;
        private double between;
        private double items;
        private double largest;
        private int tasks;

        BodyWalk(Frame frame, boolean dataflow) {
            this.frame = frame;
            this.dataflow = dataflow;
        }

        private GraphBuilder block() {
            if (block == null) {
                block = new GraphBuilder(program, plan, frame.function(), frame.arrays(), false, -1, 0);
            }
            return block;
        }

        void run(List<Step> steps) {
            for (Step s : steps) {
                switch (s) {
                    case Step.Nested n -> nestedLoop(n.loop());
                    case Step.Call c when c.invoke().callee().hasLoops -> call(c.invoke());
                    case Step.Branch b when b.structured() -> branch(b);
                    case Step.Assign a when a.value() instanceof Invoke i && i.callee().hasLoops -> call(i);
                    case Step.Return r when r.value() instanceof Invoke i && i.callee().hasLoops -> call(i);
                    default -> block().step(s);
                }
            }
        }

        private void nestedLoop(Iteration it) {
            if (dissolved(it)) {
                block().expand(it);
                rows.add(new LoopEstimate(it.source.id(), it.source.function(), LoopEstimate.State.UNROLLED, it.averageTrip, plan.unroll[it.id], 0, 0, 0, ""));
                return;
            }
            flush();
            item(loop(it, frame, 1, new int[0]), 0);
        }

        private void call(Invoke i) {
            for (Value a : i.arguments()) {
                int node = block().value(a);
                block().graph.root[node] = true;
            }
            flush();
            int[] arrays = frame.arrays().clone();
            for (int k = 0; k < i.formals().length; k++) {
                arrays[i.formals()[k]] = frame.arrays()[i.actuals()[k]];
            }
            var inner = new Frame(i.callee().id, arrays, frame.insideLoop());
            boolean inline = plan.inline[i.callee().id] == 1 || plan.inline[i.callee().id] < 0 && i.callee().explicitInline;
            if (inline) {
                Frame outer = frame;
                frame = inner;
                run(i.callee().body);
                flush();
                frame = outer;
                return;
            }
            Region r = function(i.callee(), new Frame(i.callee().id, arrays, false));
            callees.merge(i.callee().id, r, (x, y) -> x.usage().reportedLut >= y.usage().reportedLut ? x : y);
            r.callees().forEach((id, c) -> callees.merge(id, c, (x, y) -> x.usage().reportedLut >= y.usage().reportedLut ? x : y));
            advance(r.cycles() + 1, r.interval());
        }

        private void branch(Step.Branch b) {
            int condition = block().value(b.condition());
            block().graph.root[condition] = true;
            flush();
            var then = new BodyWalk(frame, false);
            then.run(b.then());
            Region x = then.finish(1, null);
            var otherwise = new BodyWalk(frame, false);
            otherwise.run(b.otherwise());
            Region y = otherwise.finish(1, null);
            item(x.cycles() >= y.cycles() ? x : y, 0);
            Region other = x.cycles() >= y.cycles() ? y : x;
            usage.add(other.usage(), true);
            rows.addAll(other.loops());
            other.callees().forEach((id, c) -> callees.merge(id, c, (p, q) -> p.usage().reportedLut >= q.usage().reportedLut ? p : q));
        }

        private void item(Region r, double extra) {
            usage.add(r.usage(), !dataflow);
            rows.addAll(r.loops());
            r.callees().forEach((id, c) -> callees.merge(id, c, (p, q) -> p.usage().reportedLut >= q.usage().reportedLut ? p : q));
            advance(r.cycles() + extra, r.cycles());
        }

        private void advance(double cycles, double interval) {
            double segment = Math.max(1, pending);
            pending = 0;
            if (first < 0) {
                first = segment;
            } else {
                between += segment;
            }
            items += cycles;
            tasks++;
            largest = Math.max(largest, interval);
        }

        /// Schedules the straight code collected so far.
        private void flush() {
            if (block == null) {
                return;
            }
            surviving(block);
            block.graph.findLive();
            boolean any = false;
            for (int n = 0; n < block.graph.size && !any; n++) {
                any = block.graph.live[n] && block.graph.kind[n] >= Graph.OPERATION && block.graph.operator[n] != program.library().wire();
            }
            if (any) {
                var s = new BlockSchedule(block.graph, plan, settings.budgetNs());
                pending += s.depth;
                usage.add(BlockUsage.of(block, s, 0, program), !dataflow);
            }
            block = null;
        }

        /// Ends the body.
        ///
        /// @param copies how often it is written out one after the other
        /// @param function the function whose body it is, null for a loop's
        Region finish(int copies, Procedure function) {
            if (function != null && block != null && block.current(function.returnSlot) >= 0) {
                block.graph.root[block.current(function.returnSlot)] = true;
            }
            flush();
            double last = Math.max(1, pending);
            if (first < 0) {
                // straight code only
                return new Region(copies * last, false, copies * last, usage, rows, callees);
            }
            double cycles = first + copies * (items + between) + (copies - 1) * Math.max(first, last) + last;
            if (copies > 1) {
                // The copies run one after the other on the same operators; registers and control are each copy's own.
                usage.reportedLut *= 1 + 0.7 * (copies - 1);
                usage.realLut *= 1 + 0.5 * (copies - 1);
                usage.shiftRegisters *= 1 + 0.7 * (copies - 1);
                usage.reportedFf *= 1 + 0.7 * (copies - 1);
                usage.realFf *= 1 + 0.7 * (copies - 1);
                usage.states *= copies;
            }
            if (dataflow && streams()) {
                // Tasks that pass data through queues run at the same time.
                cycles = Math.min(cycles, largest + 2 * tasks);
            }
            return new Region(cycles, false, dataflow ? largest + 2 : cycles, usage, rows, callees);
        }

        private boolean streams() {
            for (int a : program.functions().get(frame.function()).arrays) {
                if (program.arrays().get(a).fifo() && !program.arrays().get(a).external()) {
                    return true;
                }
            }
            return false;
        }
    }
}
