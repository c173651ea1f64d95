package knobscape.hls.evaluate.estimator;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import knobscape.compile.analysis.FunctionFacts;
import knobscape.compile.analysis.IrLoop;
import knobscape.compile.ir.IrInstruction;
import knobscape.hls.evaluate.estimator.BlockEstimator.Block;
import knobscape.hls.evaluate.estimator.IrLevels.Item;
import knobscape.hls.evaluate.estimator.IrOrders.FunctionOrder;
import knobscape.hls.evaluate.estimator.IrOrders.LoopOrder;

/// Schedules a compiled kernel whose loops were written out as its directives say: loops from the outside in, straight
/// code between them as blocks. One object per design.
final class IrEstimator {
    private static final int MOST_INSTANCES = 1024;

    private final IrModules.ReadModule module;
    private final IrOrders orders;
    private final EstimatorSettings settings;
    private final OperatorLibrary library;
    private final IrOperators operators;
    private final Map<String, FunctionFacts> facts = new LinkedHashMap<>();
    private final Map<String, Integer> numbers = new HashMap<>();
    private final IrObjects objects;
    private final IrTransfer transfers;
    private final IrNesting nesting;
    private final FilledTables tables;
    private final Layout[] layouts;
    private final Map<String, Region> functions = new HashMap<>();
    private final IrArguments arguments = new IrArguments(facts);
    /// Arguments of the function that is being estimated, as far as they are known.
    private List<OptionalLong> given = List.of();
    /// Functions that are being estimated.
    private final Set<String> open = new HashSet<>();
    private final Set<String> notes = new LinkedHashSet<>();
    /// Memories that overlapping tasks hand over in two copies.
    private final BitSet doubled = new BitSet();
    private final Map<String, Integer> instances = new HashMap<>();
    private final LoopCosts costs = new LoopCosts();
    private final IrTrips iterations;
    private final IrDivision division;
    private final BlockEstimator straight;
    private final Map<String, LoopSchedule> schedules = new LinkedHashMap<>();

    /// @param divisions decisions of the tool about memories, by number
    /// @param keeps whether the schedules of loops are asked for later
    IrEstimator(
            IrModules.ReadModule module,
            IrOrders orders,
            EstimatorSettings settings,
            Map<Integer, OwnMemory> divisions,
            boolean keeps) {
        this.module = module;
        this.orders = orders;
        this.settings = settings;
        this.iterations = new IrTrips(orders, settings.trips(), notes::add);
        this.library = new OperatorLibrary(settings);
        this.operators = new IrOperators(library, orders.bindings());
        reach(orders.top());
        facts.values().forEach(operators::prepare);
        objects = new IrObjects(module.module(), orders, facts, settings, divisions);
        division = new IrDivision(objects);
        transfers = new IrTransfer(objects, library, settings);
        nesting = new IrNesting(orders, objects, this::isItem);
        tables = new FilledTables(facts, objects);
        layouts = objects.layouts();
        boolean divides = divisions.isEmpty() && settings.unasked().partitions();
        straight = new BlockEstimator(
                objects,
                layouts,
                orders,
                operators,
                library,
                settings,
                divides ? Optional.of(division) : Optional.empty(),
                keeps);
        notes.addAll(division.notes(divisions));
        for (Layout l : layouts) {
            operators.prepare(l);
        }
    }

    private void reach(String name) {
        Optional<FunctionFacts> found = module.facts(name);
        if (found.isPresent() && !facts.containsKey(name)) {
            facts.put(name, found.get());
            numbers.put(name, numbers.size());
            found.get().forms().code().forEach(i -> i.callee().ifPresent(this::reach));
        }
    }

    /// AXI ports of the top.
    Buses buses() {
        return objects.buses();
    }

    OperatorLibrary library() {
        return library;
    }

    Layout[] layouts() {
        return layouts;
    }

    IrObjects objects() {
        return objects;
    }

    /// How often a function stands in the hardware, by its number: once in every function that calls it, once for every
    /// call where tasks overlap.
    int instances(int function) {
        return numbers.entrySet().stream()
                .filter(e -> e.getValue() == function)
                .mapToInt(e -> instances(e.getKey()))
                .findFirst()
                .orElse(1);
    }

    /// How often a memory stands in the hardware: with the function to which it belongs, of a table of constants with
    /// every function that reads it, each with the copies that are read at once.
    int holders(Layout.Store memory) {
        var copies = straight.copies(memory.id());
        int home = memory.home().map(this::instances).orElse(1);
        int all = memory.rom() && !copies.isEmpty()
                ? copies.entrySet().stream()
                        .mapToInt(e -> e.getValue() * instances(e.getKey()))
                        .sum()
                : home * copies.values().stream().mapToInt(c -> c).max().orElse(1);
        return Math.min(all, MOST_INSTANCES);
    }

    private int instances(String function) {
        if (function.equals(orders.top()) || !facts.containsKey(function)) {
            return 1;
        }
        Integer known = instances.putIfAbsent(function, 1);
        if (known != null) {
            return known;
        }
        int all = 0;
        for (FunctionFacts caller : facts.values()) {
            int calls = 0;
            boolean apart = orders.function(caller.function().name()).dataflow();
            for (IrInstruction i : caller.forms().code()) {
                calls += i.callee().filter(function::equals).isPresent() ? 1 : 0;
            }
            if (calls > 0) {
                all += instances(caller.function().name()) * (apart ? calls : 1);
            }
        }
        instances.put(function, Math.clamp(all, 1, MOST_INSTANCES));
        return instances.getOrDefault(function, 1);
    }

    /// True if overlapping tasks hand a memory over in two copies.
    boolean isDoubled(int memory) {
        return doubled.get(memory);
    }

    /// Decisions of the tool about memories, by number.
    Map<Integer, OwnMemory> divisions() {
        return division.found();
    }

    /// The assumptions, a sentence each.
    List<String> notes() {
        return List.copyOf(notes);
    }

    /// The whole kernel.
    Region top() {
        if (!facts.containsKey(orders.top())) {
            throw new IllegalArgumentException("the compiled source has no function " + orders.top());
        }
        return function(new IrArguments.Call(orders.top(), List.of()));
    }

    private Region function(IrArguments.Call call) {
        Region known = functions.get(call.name());
        if (known != null) {
            return known;
        }
        String name = call.function();
        FunctionFacts f = requireNonNull(facts.get(name));
        FunctionOrder order = orders.function(name);
        open.add(name);
        costs.enter(call.name());
        List<OptionalLong> around = given;
        given = call.numbers();
        Region made = order.pipeline() >= 0 && f.loops().all().isEmpty()
                ? pipelinedFunction(f, order)
                : new Walk(f, Optional.empty(), order.dataflow()).region();
        made = new Region(
                Math.max(0, made.cycles() - 1),
                false,
                Math.max(1, made.interval()),
                made.usage(),
                made.loops(),
                made.callees(),
                made.queues());
        functions.put(call.name(), made);
        given = around;
        open.remove(name);
        costs.leave();
        return made;
    }

    /// Schedules of the loops that are left, where they were kept.
    List<LoopSchedule> schedules() {
        return List.copyOf(schedules.values());
    }

    /// The cost of every loop in one run, the dearest first.
    List<LoopCost> costs() {
        return costs.of(orders.top());
    }

    private Region pipelinedFunction(FunctionFacts f, FunctionOrder order) {
        Block b = straight.estimate(f, blocks(f, Optional.empty()), all(f), List.of(), Pipelining.of(order.pipeline()));
        var row = new LoopEstimate(
                f.function().sourceName(),
                f.function().sourceName(),
                LoopEstimate.State.PIPELINED,
                1,
                1,
                b.interval(),
                b.depth(),
                b.depth(),
                b.limit().words());
        costs.add(
                f.function().sourceName(),
                b.depth(),
                b.limit().cause(),
                b.limit().through());
        keep(f.function().sourceName(), b);
        return new Region(b.depth(), true, b.interval(), b.usage(), List.of(row), Map.of(), b.queues());
    }

    private static BitSet all(FunctionFacts f) {
        var all = new BitSet();
        all.set(0, f.forms().code().size());
        return all;
    }

    private static List<Integer> blocks(FunctionFacts f, Optional<IrLoop> within) {
        var blocks = new ArrayList<Integer>();
        for (int b : f.flow().order()) {
            if (within.isEmpty() || within.get().contains(b)) {
                blocks.add(b);
            }
        }
        return blocks;
    }

    private boolean isItem(IrInstruction i) {
        return i.callee().map(facts::containsKey).orElse(false) || objects.isTransfer(i);
    }

    /// A loop.
    ///
    /// @param merged loops around it that were merged with it, outer first
    private Region loop(FunctionFacts f, IrLoop loop, List<IrLoop> merged, double outerTrips) {
        LoopOrder order = iterations.order(loop);
        Optional<Pipelining> wanted = IrNesting.pipeline(loop);
        var over = new ArrayList<>(merged);
        over.add(loop);
        if (merged.isEmpty() && tables.fills(f, loop)) {
            notes.add("loop " + iterations.name(loop, order) + " fills a table with constants: it is taken for a ROM");
            return new Region(0, false, 0, new Usage(library.shared().size(), layouts.length), List.of(), Map.of());
        }
        if (loop.children().isEmpty() && !nesting.calls(f, loop)) {
            return leaf(f, loop, over, outerTrips, wanted, order);
        }
        double trips = iterations.of(f, loop, given);
        boolean perfect = nesting.isPerfect(f, loop);
        if (perfect || nesting.isSemiPerfect(f, loop)) {
            IrLoop inner = loop.children().getFirst();
            Region r = loop(f, inner, over, outerTrips * trips);
            if (!perfect) {
                // What stands around the inner loop is done in its first and last iteration.
                r.usage()
                        .add(
                                straight.estimate(
                                                f,
                                                blocks(f, Optional.of(loop)),
                                                HyperBlock.own(f, loop),
                                                over,
                                                Pipelining.NONE)
                                        .usage(),
                                true);
            }
            var rows = new ArrayList<LoopEstimate>();
            rows.add(new LoopEstimate(
                    iterations.name(loop, order),
                    f.function().sourceName(),
                    LoopEstimate.State.FLATTENED,
                    trips,
                    1,
                    0,
                    0,
                    r.cycles(),
                    "merged with " + iterations.name(inner, iterations.order(inner))));
            rows.addAll(r.loops());
            return new Region(r.cycles(), r.pipelined(), r.cycles(), r.usage(), rows, r.callees(), r.queues());
        }
        double all = trips * outerTrips;
        var walk = new Walk(f, Optional.of(loop), order.dataflow());
        Region body = costs.repeated(all, () -> {
            Region r = walk.region();
            costs.add(
                    iterations.name(loop, order), order.dataflow() ? 0 : walk.straightCycles, LoopCost.Cause.NONE, "");
            return r;
        });
        body.usage().control(all);
        double cycles = order.dataflow() ? body.cycles() + Math.max(0, all - 1) * body.interval() : all * body.cycles();
        var rows = new ArrayList<LoopEstimate>();
        rows.add(new LoopEstimate(
                iterations.name(loop, order),
                f.function().sourceName(),
                LoopEstimate.State.SEQUENTIAL,
                all,
                1,
                0,
                (int) Math.min(Integer.MAX_VALUE, Math.round(body.cycles())),
                cycles,
                order.pipeline() == 1
                        ? "cannot be pipelined: a loop inside has no constant number of iterations"
                        : ""));
        rows.addAll(body.loops());
        double apart = order.dataflow() ? body.interval() : body.cycles();
        return new Region(
                cycles,
                false,
                cycles,
                body.usage(),
                rows,
                body.callees(),
                body.queues().stream().map(u -> u.repeated(all, apart)).toList());
    }

    private Region leaf(
            FunctionFacts f,
            IrLoop loop,
            List<IrLoop> over,
            double outerTrips,
            Optional<Pipelining> wanted,
            LoopOrder order) {
        double own = iterations.of(f, loop, given);
        double trips = own * outerTrips;
        boolean pipelined = wanted.isPresent();
        BitSet instructions = new BitSet();
        loop.blocks().stream().forEach(b -> f.block(b).forEach(i -> instructions.set(i.id())));
        Block b =
                straight.estimate(f, blocks(f, Optional.of(loop)), instructions, over, wanted.orElse(Pipelining.NONE));
        boolean insideLoop = over.getFirst().parent().isPresent();
        double cycles = pipelined
                ? b.depth()
                        + Math.max(0, trips - 1) * b.interval()
                        + settings.profile().pipelineEntry(insideLoop)
                : trips * b.depth();
        cycles += b.hoisted() > 0 ? b.hoisted() + 1 : 0;
        cycles += b.bursts().cycles * b.bursts().starts;
        cycles = trips == 0 ? 1 : cycles;
        b.usage().control(trips);
        costs.add(
                iterations.name(loop, order),
                cycles,
                b.limit().cause(),
                b.limit().through());
        keep(iterations.name(loop, order), b);
        var row = new LoopEstimate(
                iterations.name(loop, order),
                f.function().sourceName(),
                pipelined ? LoopEstimate.State.PIPELINED : LoopEstimate.State.SEQUENTIAL,
                trips,
                1,
                b.interval(),
                b.depth(),
                cycles,
                b.limit().words());
        double entry = 1 + b.hoisted() + b.bursts().cycles;
        double apart = pipelined ? b.interval() : b.depth();
        return new Region(
                cycles,
                pipelined,
                cycles,
                b.usage(),
                List.of(row),
                Map.of(),
                b.queues().stream()
                        .map(u -> u.later(entry).repeated(trips, apart))
                        .toList());
    }

    private void keep(String loop, Block made) {
        made.schedule()
                .ifPresent(s ->
                        schedules.put(loop, new LoopSchedule(loop, s.interval(), s.depth(), s.limit(), s.steps())));
    }

    /// Number of a queue: one of an array of queues has one of its own.
    private int queue(int memory, long piece) {
        return QueueUse.number(memory, piece, layouts.length);
    }

    /// A body with loops or calls: straight code in blocks, everything else between them, level by level.
    private final class Walk {
        private final FunctionFacts f;
        private final Optional<IrLoop> around;
        private final boolean dataflow;
        private final List<Integer> blocks;
        private final IrLevels levels;
        private final Usage usage = new Usage(library.shared().size(), layouts.length);
        private final List<LoopEstimate> rows = new ArrayList<>();
        private final Map<Integer, Region> callees = new LinkedHashMap<>();
        /// Cycles of one run that are in no loop and no call.
        private double straightCycles;
        private final List<QueueUse> queues = new ArrayList<>();

        Walk(FunctionFacts f, Optional<IrLoop> around, boolean dataflow) {
            this.f = f;
            this.around = around;
            this.dataflow = dataflow;
            this.blocks = blocks(f, around);
            this.levels = new IrLevels(f, around, blocks, IrEstimator.this::isItem);
        }

        Region region() {
            double first = -1;
            double between = 0;
            double all = 0;
            double pending = 0;
            double waits = 0;
            var tasks = new ArrayList<IrTasks.Task>();
            boolean modules = settings.profile() != ToolProfile.VIVADO_HLS_2018;
            var side = new SideBySide(f, layouts, dataflow || levels.last() == 0 || levels.branches());
            for (int level = 0; level <= levels.last(); level++) {
                side.pass(levels.straight(level));
                pending += block(levels.straight(level), Math.max(0, first) + all + between + pending);
                List<Item> here = levels.items(level);
                if (here.isEmpty()) {
                    continue;
                }
                double longest = 0;
                boolean joins = false;
                double elapsed = Math.max(0, first) + all + between + Math.max(1, pending);
                for (Item i : here) {
                    Region r = item(i);
                    if (dataflow) {
                        tasks.add(task(i, r));
                        longest = Math.max(longest, r.cycles());
                    } else {
                        SideBySide.Turn turn = side.turn(
                                r.cycles(),
                                i,
                                () -> task(i, r),
                                i.call()
                                        .map(c -> objects.isTransfer(c) && !modules)
                                        .orElse(!r.pipelined() || !modules),
                                elapsed);
                        r.queues().forEach(u -> queues.add(u.later(turn.start())));
                        joins = turn.joins();
                        longest = Math.max(longest, turn.more());
                    }
                }
                if (joins) {
                    all += longest;
                    continue;
                }
                double segment = Math.max(1, pending);
                waits += Math.max(0, pending - 1);
                pending = 0;
                if (first < 0) {
                    first = segment;
                } else {
                    between += segment;
                }
                all += longest;
            }
            pending += block(levels.tail(), Math.max(0, first) + all + between + pending);
            waits += Math.max(0, pending - 1);
            double end = Math.max(1, pending);
            straightCycles = Math.max(0, first) + between + end;
            if (first < 0) {
                return new Region(end, false, end, usage, rows, callees, queues);
            }
            double cycles = first + all + between + end;
            double interval = cycles;
            if (dataflow) {
                var flow = new IrOverlap(tasks, layouts, f.function().name(), doubled);
                cycles = flow.latency() + 1 + waits;
                interval = Math.max(flow.interval(), waits);
                notes.addAll(flow.notes());
                queues.addAll(flow.outside());
            }
            return new Region(cycles, false, interval, usage, rows, callees, queues);
        }

        private IrTasks.Task task(Item i, Region r) {
            var touched = new IrTasks(facts, objects);
            i.instructions(f).forEach(x -> touched.touch(f, x));
            return touched.task(r, fill(i, r));
        }

        /// States until a task has put its first word into a queue.
        private double fill(Item i, Region r) {
            List<LoopEstimate> loops = i.call()
                    .filter(c -> !objects.isTransfer(c))
                    .map(c -> functions.get(arguments.of(f, c, given).name()))
                    .map(Region::loops)
                    .orElse(r.loops());
            return 2
                    + loops.stream()
                            .filter(l -> l.depth() > 0)
                            .mapToInt(LoopEstimate::depth)
                            .findFirst()
                            .orElse(1);
        }

        /// @param from cycle at which it begins
        private double block(BitSet instructions, double from) {
            if (instructions.isEmpty()) {
                return 0;
            }
            Block b = straight.estimate(
                    f, blocks, instructions, around.map(List::of).orElse(List.of()), Pipelining.NONE);
            usage.add(b.usage(), !dataflow);
            boolean any = b.usage().written > 0;
            b.queues().forEach(u -> queues.add(u.later(from)));
            return any ? b.depth() : 0;
        }

        private Region item(Item i) {
            Region r;
            if (i.loop().isPresent()) {
                r = loop(f, i.loop().get(), List.of(), 1);
            } else if (objects.isTransfer(i.call().orElseThrow())) {
                division.moved(transfers.ends(f, i.call().get()));
                r = transfers.of(f, i.call().get());
            } else if (open.contains(i.call().flatMap(IrInstruction::callee).orElseThrow())) {
                // A function that calls itself: no hardware does, so the call is taken for a small operation.
                r = new Region(1, false, 1, new Usage(library.shared().size(), layouts.length), List.of(), Map.of());
            } else {
                IrArguments.Call call = arguments.of(f, i.call().get(), given);
                Region c = function(call);
                costs.call(call.name());
                put(requireNonNull(numbers.get(call.function())), c);
                r = new Region(
                        c.cycles() + 1,
                        false,
                        c.interval(),
                        new Usage(library.shared().size(), layouts.length),
                        List.of(),
                        c.callees(),
                        handed(i.call().get(), c.queues()));
            }
            usage.add(r.usage(), !dataflow);
            rows.addAll(r.loops());
            r.callees().forEach(this::put);
            return r;
        }

        /// A function's accesses of queues that a call hands over.
        private List<QueueUse> handed(IrInstruction call, List<QueueUse> uses) {
            if (uses.isEmpty()) {
                return uses;
            }
            var touched = new IrTasks(facts, objects);
            Map<Integer, IrTasks.Part> parts = touched.parts(f, call);
            return uses.stream()
                    .map(u -> {
                        IrTasks.Part p = parts.get(u.queue());
                        return (p == null ? u : u.of(queue(p.memory(), p.piece()))).later(1);
                    })
                    .toList();
        }

        private void put(int number, Region r) {
            callees.merge(number, r, (x, y) -> x.usage().reportedLut >= y.usage().reportedLut ? x : y);
        }
    }
}
