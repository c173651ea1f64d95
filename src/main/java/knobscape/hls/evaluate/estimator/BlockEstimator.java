package knobscape.hls.evaluate.estimator;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import knobscape.compile.analysis.FunctionFacts;
import knobscape.compile.analysis.IrLoop;
import knobscape.compile.analysis.IterationCounts.Count;

/// Estimates straight code: the states of one run, or the interval of a pipeline whose iterations follow one another.
final class BlockEstimator {
    private final IrObjects objects;
    private final Layout[] layouts;
    private final IrOrders orders;
    private final IrOperators operators;
    private final OperatorLibrary library;
    private final EstimatorSettings settings;
    private final Optional<IrDivision> division;
    private final boolean keeps;
    /// Copies of memories that are read at several places at once, by the function that reads them.
    private final Map<Integer, Map<String, Integer>> copies = new HashMap<>();

    /// @param division what divides memories for the interval of a pipeline, where they are divided unasked
    /// @param keeps whether schedules are asked for later
    BlockEstimator(
            IrObjects objects,
            Layout[] layouts,
            IrOrders orders,
            IrOperators operators,
            OperatorLibrary library,
            EstimatorSettings settings,
            Optional<IrDivision> division,
            boolean keeps) {
        this.objects = objects;
        this.layouts = layouts;
        this.orders = orders;
        this.operators = operators;
        this.library = library;
        this.settings = settings;
        this.division = division;
        this.keeps = keeps;
    }

    /// The estimate of a block.
    ///
    /// @param depth states of one iteration
    /// @param interval states between iterations, 0 where it is not pipelined
    /// @param hoisted states in which accesses are made once before the loop
    /// @param schedule the schedule, where it is kept
    /// @param queues turns that one run takes at queues
    record Block(
            int depth,
            int interval,
            Limit limit,
            double hoisted,
            Optional<LoopSchedule> schedule,
            Usage usage,
            Bursts bursts,
            List<QueueUse> queues) {}

    /// The reason why an interval is no shorter.
    ///
    /// @param words for a reader, empty for none
    /// @param through name of the memory, port or value
    record Limit(String words, LoopCost.Cause cause, String through) {
        static final Limit NONE = new Limit("", LoopCost.Cause.NONE, "");

        private Limit and(String obstacle) {
            return obstacle.isEmpty()
                    ? this
                    : new Limit((words.isEmpty() ? "" : words + "; ") + obstacle, cause, through);
        }
    }

    private IrRecurrence recurrence(IrGraphBuilder b, BlockSchedule s, List<IrLoop> over) {
        return over.isEmpty()
                ? IrRecurrence.NOTHING
                : IrRecurrence.of(
                        b, s, objects, over.size() > 1, settings.unasked().keepsStored());
    }

    /// Gives additions on a recurrence, and on those like it, cores of fewer states; false where there are none.
    private boolean shorten(Graph g, IrRecurrence r) {
        BitSet on = LoopSchedule.between(g, alike(g, r.from()), alike(g, r.to()));
        boolean any = false;
        for (int n = on.nextSetBit(0); n >= 0; n = on.nextSetBit(n + 1)) {
            if (g.kind[n] == Graph.OPERATION) {
                FunctionalUnit shorter = library.shorter(g.operator[n]);
                any |= shorter != g.operator[n];
                g.operator[n] = shorter;
            }
        }
        return any;
    }

    /// The accesses of the same kind of the same arrays.
    private static BitSet alike(Graph g, BitSet nodes) {
        var all = new BitSet();
        all.or(nodes);
        var wanted = new HashSet<List<Integer>>();
        nodes.stream().filter(n -> isAccess(g, n)).forEach(n -> wanted.add(List.of((int) g.kind[n], g.array[n])));
        for (int n = 0; n < g.size && !wanted.isEmpty(); n++) {
            if (isAccess(g, n) && wanted.contains(List.of((int) g.kind[n], g.array[n]))) {
                all.set(n);
            }
        }
        return all;
    }

    private static boolean isAccess(Graph g, int n) {
        return g.live[n] && (g.kind[n] == Graph.LOAD || g.kind[n] == Graph.STORE);
    }

    /// Estimates a block.
    ///
    /// @param blocks of the function, in the order of their flow
    /// @param instructions those that belong to it
    /// @param over loops around it that were merged, outer first
    Block estimate(
            FunctionFacts f, List<Integer> blocks, BitSet instructions, List<IrLoop> over, Pipelining pipelining) {
        boolean pipelined = pipelining.overlaps();
        int target = pipelining.target();
        var b = new IrGraphBuilder(
                new HyperBlock(f, blocks, instructions, over, pipelining), objects, operators, library);
        b.build();
        List<IrGraphBuilder.Carried> carried = b.carried();
        carried.forEach(c -> {
            if (b.graph.kind[c.end()] != Graph.CONSTANT && b.graph.kind[c.end()] != Graph.LIVE_IN) {
                b.graph.root[c.end()] = true;
            }
        });
        b.graph.findLive();
        division.ifPresent(d -> d.look(b, pipelining));
        Bursts bursts = Bursts.of(b.bursts(this::iterations), b.graph, layouts, objects.buses(), pipelined);
        UnitLimits limits = orders.function(f.function().name()).limits();
        var s = new BlockSchedule(b.graph, layouts, settings.budgetNs(), limits, pipelined);
        int interval = 0;
        Limit limit = Limit.NONE;
        var limiting = new BitSet();
        if (pipelined) {
            IrRecurrence r = recurrence(b, s, over);
            while (r.interval() > Math.max(s.portInterval, Math.max(1, target)) && shorten(b.graph, r)) {
                s = new BlockSchedule(b.graph, layouts, settings.budgetNs(), limits, true);
                r = recurrence(b, s, over);
            }
            int other = Math.max(s.portInterval, r.interval());
            interval = Math.max(Math.max(other, s.unitInterval), target);
            boolean ports = s.portInterval >= r.interval();
            if (s.unitInterval > other && interval > Math.max(1, target)) {
                limit = new Limit(
                        "at most " + limits.most().getOrDefault(s.limitedUnit, 1) + " units of " + s.limitedUnit
                                + " (ALLOCATION)",
                        LoopCost.Cause.NONE,
                        s.limitedUnit);
            } else if (interval > Math.max(1, target)) {
                limit = ports ? limit(layouts[s.portArray]) : limit(r);
                limiting = !keeps
                        ? limiting
                        : ports
                                ? users(b.graph, layouts[s.portArray])
                                : LoopSchedule.between(b.graph, r.from(), r.to());
            }
            limit = limit.and(bursts.obstacle);
        }
        double hoisted = 0;
        for (var e : b.accesses.hoisted().entrySet()) {
            Layout l = layouts[e.getKey()];
            hoisted =
                    Math.max(hoisted, l.registers ? 0 : Math.ceilDiv(e.getValue(), l.channels ? 1 : l.ports * l.banks));
        }
        copies(b, s, interval);
        Usage usage = BlockUsage.of(b.graph, b.steering, s, interval, library, settings.profile());
        usage.waitStates(bursts, library);
        Optional<LoopSchedule> schedule = keeps
                ? Optional.of(LoopSchedule.of("", interval, limit.words(), b, s, objects, limiting))
                : Optional.empty();
        return new Block(s.depth, interval, limit, hoisted, schedule, usage, bursts, queues(b, s));
    }

    /// Copies of a memory that is read at several places at once, by the function that reads it.
    Map<String, Integer> copies(int memory) {
        return copies.getOrDefault(memory, Map.of());
    }

    /// Reads of a pipeline are spread over its interval.
    private void copies(IrGraphBuilder b, BlockSchedule s, int interval) {
        var reads = new HashMap<Integer, Map<Integer, Integer>>();
        Graph g = b.graph;
        for (int n = 0; n < g.size; n++) {
            if (g.kind[n] == Graph.LOAD && g.live[n] && layouts[g.array[n]].copied) {
                reads.computeIfAbsent(g.array[n], _ -> new HashMap<>())
                        .merge(interval > 0 ? 0 : s.start[n], 1, Integer::sum);
            }
        }
        reads.forEach((memory, states) -> {
            Layout l = layouts[memory];
            int most = Math.ceilDiv(Collections.max(states.values()), l.banks * Math.max(1, interval));
            copies.computeIfAbsent(memory, _ -> new HashMap<>())
                    .merge(b.block.facts().function().name(), l.copies(most), Math::max);
        });
    }

    /// Turns that a block takes at queues. Of an array of queues only known ones count.
    private List<QueueUse> queues(IrGraphBuilder b, BlockSchedule s) {
        var all = new ArrayList<QueueUse>();
        Graph g = b.graph;
        for (int n = 0; n < g.size; n++) {
            boolean access = g.kind[n] == Graph.LOAD || g.kind[n] == Graph.STORE;
            if (access && g.live[n] && g.banks[n] != null && layouts[g.array[n]].array.fifo()) {
                IrPlaces.Place at = b.accesses.place(n);
                boolean row = layouts[g.array[n]].array.dims().length > 1;
                if (!row || (at != null && at.bankKnown())) {
                    all.add(new QueueUse(
                            QueueUse.number(g.array[n], row && at != null ? at.bank() : 0, layouts.length),
                            g.kind[n] == Graph.STORE,
                            s.start[n],
                            List.of()));
                }
            }
        }
        return all;
    }

    private double iterations(FunctionFacts f, IrLoop loop) {
        return f.counts().of(loop).map(Count::mean).orElse((double)
                Math.max(1, orders.loop(loop).most()));
    }

    /// Accesses of a memory, and of those behind the same AXI port.
    private BitSet users(Graph g, Layout memory) {
        var users = new BitSet();
        for (int n = 0; n < g.size; n++) {
            if (g.kind[n] == Graph.LOAD || g.kind[n] == Graph.STORE) {
                Layout l = layouts[g.array[n]];
                users.set(
                        n,
                        l == memory
                                || (memory.array.onBus() && l.array.onBus() && l.array.bus() == memory.array.bus()));
            }
        }
        return users;
    }

    private static Limit limit(IrRecurrence r) {
        return new Limit(
                "recurrence through " + (r.through().isEmpty() ? "a value" : r.through())
                        + (r.operator().isEmpty() ? "" : ", " + r.operator()),
                LoopCost.Cause.RECURRENCE,
                r.through());
    }

    private Limit limit(Layout memory) {
        if (memory.array.onBus()) {
            String port = objects.buses().ports().get(memory.array.bus()).name();
            return new Limit("AXI port " + port, LoopCost.Cause.BUS, port);
        }
        String name = memory.array.source().name();
        return new Limit("ports of " + name, LoopCost.Cause.PORTS, name);
    }
}
