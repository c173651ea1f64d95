package knobscape.hls.evaluate.estimator;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import knobscape.hls.evaluate.estimator.Program.Invoke;
import knobscape.hls.evaluate.estimator.Program.Iteration;
import knobscape.hls.evaluate.estimator.Program.Procedure;
import knobscape.hls.evaluate.estimator.Program.Step;
import knobscape.hls.evaluate.estimator.Program.Value;
import org.jspecify.annotations.Nullable;

/// Schedules a kernel under one plan: loops from the outside in, straight code between them as blocks. One
/// object per evaluation; what depends only on part of the plan is kept in the [RegionMemo] that all
/// evaluations of a kernel share.
final class RegionEstimator {
    private final Program program;
    private final Plan plan;
    private final EstimatorSettings settings;
    private final RegionMemo memo;
    private final LoopRules rules;
    private final FlatEstimator flat;

    RegionEstimator(Program program, Plan plan, EstimatorSettings settings, RegionMemo memo) {
        this.program = program;
        this.plan = plan;
        this.settings = settings;
        this.memo = memo;
        this.rules = new LoopRules(program, plan, settings);
        this.flat = new FlatEstimator(program, plan, settings);
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
        int[] key = memo.loopKey(it, frame, plan, outerTrips, merged.length);
        Region known = memo.get(key);
        if (known != null) {
            return known;
        }
        Region made = estimateLoop(it, frame, outerTrips, merged);
        memo.put(key, made);
        return made;
    }

    private Region estimateLoop(Iteration it, Frame frame, double outerTrips, int[] merged) {
        boolean wanted = rules.wanted(it);
        String obstacle = wanted ? rules.unexpandable(it) : "";
        boolean pipelined = wanted && obstacle.isEmpty();
        if (!pipelined && rules.merges(it)) {
            Iteration inner = program.loops().get(it.children[0]);
            return flattened(
                    it, loop(inner, frame, outerTrips * it.averageTrip, FlatEstimator.with(merged, it.id)), inner);
        }
        if (pipelined || rules.allDissolved(it)) {
            return flat.flat(it, frame, outerTrips, merged, pipelined, obstacle, List.of());
        }
        if (rules.semiPerfect(it, frame)) {
            Iteration inner = program.loops().get(it.children[0]);
            List<Step> after =
                    it.body.stream().filter(s -> !(s instanceof Step.Nested)).toList();
            Region r = flat.flat(
                    inner, frame, outerTrips * it.averageTrip, FlatEstimator.with(merged, it.id), true, "", after);
            return flattened(it, r, inner);
        }
        return nested(it, frame, outerTrips, obstacle);
    }

    private Region flattened(Iteration outer, Region inner, Iteration innerLoop) {
        var rows = new ArrayList<LoopEstimate>();
        rows.add(new LoopEstimate(
                outer.source.id(),
                outer.source.function(),
                LoopEstimate.State.FLATTENED,
                outer.averageTrip,
                1,
                0,
                0,
                inner.cycles(),
                "merged with " + innerLoop.source.id()));
        rows.addAll(inner.loops());
        return new Region(inner.cycles(), inner.pipelined(), inner.cycles(), inner.usage(), rows, inner.callees());
    }

    /// A loop with loops or calls inside that stay.
    private Region nested(Iteration it, Frame frame, double outerTrips, String obstacle) {
        int copies = plan.unroll[it.id];
        double trips = FlatEstimator.iterations(it, copies) * outerTrips;
        var walk = new BodyWalk(frame.inLoop(), plan.loopDataflow[it.id]);
        walk.run(it.body);
        Region body = walk.finish(copies, null);
        FlatEstimator.control(body.usage(), it, trips);
        double cycles = plan.loopDataflow[it.id]
                ? body.cycles() + Math.max(0, trips - 1) * body.interval()
                : trips * body.cycles();
        var rows = new ArrayList<LoopEstimate>();
        rows.add(new LoopEstimate(
                it.source.id(),
                it.source.function(),
                LoopEstimate.State.SEQUENTIAL,
                trips,
                copies,
                0,
                (int) Math.min(Integer.MAX_VALUE, Math.round(body.cycles())),
                cycles,
                obstacle));
        rows.addAll(body.loops());
        return new Region(cycles, false, cycles, body.usage(), rows, body.callees());
    }

    /// Walks over a body with loops or calls: straight code collects in blocks, everything else stands between
    /// them.
    private final class BodyWalk {
        private final boolean dataflow;
        private final Usage usage =
                new Usage(program.library().shared().size(), program.arrays().size());
        private final List<LoopEstimate> rows = new ArrayList<>();
        private final Map<Integer, Region> callees = new LinkedHashMap<>();
        private Frame frame;
        private @Nullable GraphBuilder block;
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
            if (rules.dissolved(it)) {
                block().expand(it);
                rows.add(new LoopEstimate(
                        it.source.id(),
                        it.source.function(),
                        LoopEstimate.State.UNROLLED,
                        it.averageTrip,
                        plan.unroll[it.id],
                        0,
                        0,
                        0,
                        ""));
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
            boolean inline =
                    plan.inline[i.callee().id] == 1 || (plan.inline[i.callee().id] < 0 && i.callee().explicitInline);
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
            r.callees()
                    .forEach((id, c) ->
                            callees.merge(id, c, (x, y) -> x.usage().reportedLut >= y.usage().reportedLut ? x : y));
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
            other.callees()
                    .forEach((id, c) ->
                            callees.merge(id, c, (p, q) -> p.usage().reportedLut >= q.usage().reportedLut ? p : q));
        }

        private void item(Region r, double extra) {
            usage.add(r.usage(), !dataflow);
            rows.addAll(r.loops());
            r.callees()
                    .forEach((id, c) ->
                            callees.merge(id, c, (p, q) -> p.usage().reportedLut >= q.usage().reportedLut ? p : q));
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
            FlatEstimator.surviving(program, block);
            block.graph.findLive();
            boolean any = false;
            for (int n = 0; n < block.graph.size && !any; n++) {
                any = block.graph.live[n]
                        && block.graph.kind[n] >= Graph.OPERATION
                        && block.graph.operator[n] != program.library().wire();
            }
            if (any) {
                var s = new BlockSchedule(block.graph, plan.layouts, settings.budgetNs());
                pending += s.depth;
                usage.add(
                        BlockUsage.of(block.graph, block.memory.steering, s, 0, program.library(), settings.profile()),
                        !dataflow);
            }
            block = null;
        }

        /// Ends the body.
        ///
        /// @param copies how often it is written out one after the other
        /// @param function the function whose body it is, null for a loop's
        Region finish(int copies, @Nullable Procedure function) {
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
                // The copies run one after the other on the same operators; registers and control are each
                // copy's own.
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
