package knobscape.hls.evaluate.estimator;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;
import knobscape.compile.Transformation;
import knobscape.compile.ir.IrModule;
import knobscape.evaluate.CancellationSignal;
import knobscape.evaluate.UserError;
import knobscape.hls.evaluate.estimator.EstimateReport.ArrayEstimate;
import knobscape.hls.evaluate.estimator.EstimateReport.OperatorEstimate;
import knobscape.hls.source.CompiledSource;
import knobscape.hls.source.Kernel;
import knobscape.hls.source.Location;
import knobscape.hls.source.Loop;
import knobscape.hls.space.Directive;
import knobscape.hls.space.KnobNames;
import knobscape.hls.space.PragmaKnobs;

/// A source through clang and LLVM, ready to be estimated: its directives are applied as the vendor's tool applies
/// them,
/// LLVM writes out what they say, and the blocks that are left are scheduled.
public final class CompiledKernel {
    private final CompiledSource source;
    private final IrModule compiled;
    private final IrModules modules;
    private final IrOrders orders;
    private final List<String> unmodelled;

    /// Reads the orders out of a compiled source. Throws [UserError] where it has no such top.
    ///
    /// @param top of the source, guessed where empty
    public CompiledKernel(CompiledSource source, Optional<String> top, CancellationSignal cancel) {
        this(source, top, true, cancel);
    }

    /// The same for a version of the tool.
    ///
    /// @param assertsDependence as of [ToolDefaults]
    public CompiledKernel(
            CompiledSource source, Optional<String> top, boolean assertsDependence, CancellationSignal cancel) {
        this.source = source;
        compiled = source.read(Transformation.passes(), cancel);
        modules = new IrModules(source, compiled);
        String name = top.map(t -> IrMarkers.named(compiled, t).stream()
                        .findFirst()
                        .orElseThrow(() -> new UserError("The source has no function named " + t + ".")))
                .or(() -> IrMarkers.top(compiled))
                .orElseThrow(() -> new UserError("The source has no function that could be the top."));
        var markers = new IrMarkers(source, compiled, name, assertsDependence);
        orders = markers.orders(name);
        unmodelled = markers.notes();
    }

    /// A kernel for designs of a space. Throws `IllegalArgumentException` where it was not read by the compiler.
    ///
    /// @param controlled whether a design decides over a knob of that name: pragmas about it give way
    public static CompiledKernel of(Kernel kernel, Predicate<String> controlled, CancellationSignal cancel) {
        return of(kernel, controlled, ToolDefaults.NOTHING, cancel);
    }

    /// The same for a version of the tool.
    static CompiledKernel of(
            Kernel kernel, Predicate<String> controlled, ToolDefaults unasked, CancellationSignal cancel) {
        CompiledSource whole = kernel.compiled()
                .orElseThrow(() -> new IllegalArgumentException("kernel " + kernel.top() + " was not compiled"));
        Map<Location, Set<Integer>> away = new PragmaKnobs(kernel)
                // A design says something of a port, and the rest is the source's.
                .givingWay(n -> controlled.test(n) && !KnobNames.isOfMasterPort(n));
        CompiledSource source = away.isEmpty() ? whole : whole.with(d -> left(d, away));
        return new CompiledKernel(source, Optional.of(kernel.top()), unasked.assertsDependence(), cancel);
    }

    /// The rest of a directive where others decide.
    private static Optional<CompiledSource.Directive> left(
            CompiledSource.Directive d, Map<Location, Set<Integer>> away) {
        Set<Integer> dimensions = away.get(d.location());
        return dimensions == null
                ? Optional.of(d)
                : dimensions.isEmpty() ? Optional.empty() : Optional.of(IrMarkers.onlyOf(d, dimensions));
    }

    /// Pragmas that are not modelled, a sentence each, with its line.
    public List<String> unmodelled() {
        return unmodelled;
    }

    /// The estimate of the source as it stands.
    public EstimateReport asItStands(EstimatorSettings settings, CancellationSignal cancel) {
        return estimate(orders, settings, cancel);
    }

    /// Arguments of the top by the AXI master port that the source puts them behind.
    public Map<String, List<String>> bundles() {
        var all = new TreeMap<String, List<String>>();
        orders.memories().entrySet().stream()
                .filter(m -> m.getKey().function().equals(orders.top())
                        && !m.getValue().master().isEmpty())
                .sorted(Comparator.comparing(m -> m.getKey().name()))
                .forEach(m -> all.computeIfAbsent(Buses.bundle(m.getValue().master()), _ -> new ArrayList<>())
                        .add(m.getKey().name()));
        return all;
    }

    /// Estimates of designs of this source.
    ///
    /// @param kernel the same source, whose names the directives use
    public Function<List<Directive>, EstimateReport> designs(
            Kernel kernel, EstimatorSettings settings, CancellationSignal cancel) {
        BiFunction<List<Directive>, Map<String, String>, EstimateReport> all =
                designsAndPorts(kernel, settings, cancel);
        return directives -> all.apply(directives, Map.of());
    }

    /// The same of directives and of AXI master ports of arguments, by name, in the place of the source's.
    public BiFunction<List<Directive>, Map<String, String>, EstimateReport> designsAndPorts(
            Kernel kernel, EstimatorSettings settings, CancellationSignal cancel) {
        var design = new IrDesign(kernel, source, compiled, orders);
        return (directives, ports) -> {
            var unplaced = new ArrayList<String>();
            IrOrders of = design.of(directives, unplaced);
            try {
                return withWrittenOut(estimate(of.behind(ports), settings, cancel), kernel, unplaced);
            } catch (TooLarge e) {
                return EstimateReport.refused(e.getMessage(), unmodelled());
            }
        };
    }

    /// Schedules of the loops that designs of this source leave; none of a design that the tool would not build.
    ///
    /// @param kernel the same source, whose names the directives use
    public Function<List<Directive>, List<LoopSchedule>> schedules(
            Kernel kernel, EstimatorSettings settings, CancellationSignal cancel) {
        var design = new IrDesign(kernel, source, compiled, orders);
        return directives -> {
            IrOrders of = design.of(directives, new ArrayList<>());
            try {
                IrModules.ReadModule module = modules.of(policy(of, settings), cancel);
                synchronized (module) {
                    var first = new IrEstimator(module, of, settings, Map.of(), true);
                    first.top();
                    if (first.divisions().isEmpty()) {
                        return first.schedules();
                    }
                    var again = new IrEstimator(module, of, settings, first.divisions(), true);
                    again.top();
                    return again.schedules();
                }
            } catch (TooLarge e) {
                return List.of();
            }
        };
    }

    /// Designs of this source as one function each, for hardware. Throws [TooLarge] where too much is written out.
    ///
    /// @param kernel the same source, whose names the directives use
    public Function<List<Directive>, WrittenOutDesign> writtenOut(Kernel kernel, CancellationSignal cancel) {
        var design = new IrDesign(kernel, source, compiled, orders);
        return directives -> {
            IrOrders of = design.of(directives, new ArrayList<>());
            return new WrittenOutDesign(modules.hardware(new IrPolicy(of, 0, Integer.MAX_VALUE), cancel), of);
        };
    }

    /// Loops of the source of which nothing is left have rows too.
    ///
    /// @param unplaced directives whose place is not in the compiled code
    private static EstimateReport withWrittenOut(EstimateReport report, Kernel kernel, List<String> unplaced) {
        var rows = new LinkedHashMap<String, LoopEstimate>();
        report.loops().forEach(l -> rows.putIfAbsent(l.loop(), l));
        var all = new ArrayList<>(report.loops());
        for (Loop l : kernel.loops()) {
            if (!rows.containsKey(l.id())) {
                String why = l.parent().isPresent() ? pipelinedAround(l, kernel, rows) : "";
                int copies = Math.clamp(l.trip().max().orElse(1), 1, Integer.MAX_VALUE);
                all.add(new LoopEstimate(
                        l.id(), l.function(), LoopEstimate.State.UNROLLED, copies, copies, 0, 0, 0, why));
            }
        }
        return new EstimateReport(
                report.stages(),
                all,
                report.arrays(),
                report.operators(),
                Stream.concat(
                                report.notes().stream(),
                                unplaced.stream().map(d -> d + " has no place in the compiled code: not modelled"))
                        .toList(),
                report.costs(),
                report.interval());
    }

    private static String pipelinedAround(Loop loop, Kernel kernel, Map<String, LoopEstimate> rows) {
        Optional<Loop> p = loop.parent().flatMap(kernel::loop);
        while (p.isPresent()) {
            LoopEstimate row = rows.get(p.get().id());
            if (row != null && row.state() == LoopEstimate.State.PIPELINED) {
                return "written out because " + row.loop() + " is pipelined";
            }
            p = p.get().parent().flatMap(kernel::loop);
        }
        return "";
    }

    private EstimateReport estimate(IrOrders of, EstimatorSettings settings, CancellationSignal cancel) {
        IrModules.ReadModule design = modules.of(policy(of, settings), cancel);
        synchronized (design) {
            var first = new IrEstimator(design, of, settings, Map.of(), false);
            Region top = first.top();
            if (first.divisions().isEmpty()) {
                return report(first, top, settings);
            }
            var again = new IrEstimator(design, of, settings, first.divisions(), false);
            return report(again, again.top(), settings);
        }
    }

    private static IrPolicy policy(IrOrders of, EstimatorSettings settings) {
        return new IrPolicy(
                of, settings.unasked().pipelineLoops(), settings.unasked().inlined());
    }

    private EstimateReport report(IrEstimator e, Region top, EstimatorSettings settings) {
        for (Layout l : e.layouts()) {
            if (l.array.source().elements() > 0 && l.banks > Layout.MOST_BANKS) {
                throw new TooLarge("array " + l.array.source().id() + " would be split into " + l.banks
                        + " banks; the tool takes at most " + Layout.MOST_BANKS);
            }
        }
        var arrays = new ArrayList<ArrayEstimate>();
        var operators = new ArrayList<OperatorEstimate>();
        Physics.Structure s = new Totals(e.library(), settings, e.buses())
                .of(
                        e.layouts(),
                        top,
                        l -> e.isDoubled(l.array.id()),
                        e::instances,
                        l -> e.holders(l.array),
                        arrays,
                        operators);
        var loops = new ArrayList<>(top.loops());
        top.callees().values().forEach(c -> loops.addAll(c.loops()));
        var physics = new Physics(settings);
        List<StageFigures> stages = new ArrayList<>(List.of(physics.hls(s)));
        if (stages.getFirst().misfit().isEmpty()) {
            stages.add(physics.syn(s));
        }
        if (stages.size() == 2 && stages.getLast().misfit().isEmpty()) {
            stages.add(physics.impl(s, stages.get(1)));
        }
        for (int i = 0; i < stages.size(); i++) {
            stages.set(i, settings.calibration().apply(i, stages.get(i), settings.part()));
        }
        // What measured designs say about the latency holds for the interval too.
        double interval = Math.max(
                1,
                Math.rint(top.interval() * stages.getFirst().latencyCycles() / Math.max(1, Math.rint(top.cycles()))));
        Set<String> all = new LinkedHashSet<>();
        source.notes().forEach(n -> all.add(n.toString()));
        all.addAll(unmodelled);
        all.addAll(e.objects().notes());
        all.addAll(e.notes());
        return new EstimateReport(stages, loops, arrays, operators, List.copyOf(all), e.costs(), interval);
    }
}
