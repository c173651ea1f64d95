package knobscape.hls.evaluate.estimator;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import knobscape.compile.analysis.IrLoop;
import knobscape.compile.analysis.IrLoops;
import knobscape.compile.ir.IrFunction;
import knobscape.compile.ir.IrFunction.IrVariable;
import knobscape.compile.ir.IrLocation;
import knobscape.compile.ir.IrLoopMark;
import knobscape.compile.ir.IrModule;
import knobscape.compile.ir.IrValue;
import knobscape.hls.evaluate.estimator.IrOrders.Cut;
import knobscape.hls.evaluate.estimator.IrOrders.FunctionOrder;
import knobscape.hls.evaluate.estimator.IrOrders.LoopOrder;
import knobscape.hls.evaluate.estimator.IrOrders.MemoryName;
import knobscape.hls.evaluate.estimator.IrOrders.MemoryOrder;
import knobscape.hls.source.ArrayVariable;
import knobscape.hls.source.CompiledSource;
import knobscape.hls.source.Kernel;
import knobscape.hls.source.Location;
import knobscape.hls.source.Loop;
import knobscape.hls.source.Multiplication;
import knobscape.hls.source.TripCount;
import knobscape.hls.space.Directive;

/// Puts a design's directives over what the source's pragmas say. A place of the kernel may stand for several of the
/// compiled code: the instances of a template.
final class IrDesign {
    private final IrOrders stated;
    /// Functions around the loops.
    private final Map<Long, String> owners = new HashMap<>();
    private final Map<String, Set<Long>> loops = new HashMap<>();
    private final Map<String, Set<String>> functions = new HashMap<>();
    private final Map<String, Set<MemoryName>> memories = new HashMap<>();
    private final Map<String, Integer> dimensions = new HashMap<>();
    /// Kinds of multiplication by function.
    private final Map<String, List<String>> multiplications = new HashMap<>();

    /// @param compiled the module without any pass
    IrDesign(Kernel kernel, CompiledSource source, IrModule compiled, IrOrders stated) {
        var declared = new IrDeclarations(compiled, stated.top());
        var byPlace = new HashMap<String, Set<Long>>();
        for (IrFunction f : compiled.functions()) {
            if (f.isDeclaration()) {
                continue;
            }
            functions
                    .computeIfAbsent(plain(f.sourceName()), _ -> new HashSet<>())
                    .add(f.name());
            for (IrLoop l : IrLoops.of(f).all()) {
                l.id().ifPresent(id -> owners.put(id, f.name()));
                Optional<IrLocation> at = l.mark().flatMap(IrLoopMark::start);
                if (at.isPresent() && l.id().isPresent()) {
                    byPlace.computeIfAbsent(place(at.get(), source), _ -> new HashSet<>())
                            .add(l.id().getAsLong());
                }
            }
        }
        kernel.loops().forEach(l -> loops.put(l.id(), byPlace.getOrDefault(place(l), Set.of())));
        var named = new HashMap<>(stated.loops());
        kernel.loops()
                .forEach(l -> loops.getOrDefault(l.id(), Set.of())
                        .forEach(m -> named.computeIfPresent(m, (_, o) -> averaging(o.called(l.id()), l.trip()))));
        kernel.functions()
                .forEach(f -> multiplications.put(
                        f.name(),
                        f.multiplications().stream()
                                .map(Multiplication::operation)
                                .distinct()
                                .toList()));
        kernel.arrays().forEach(a -> {
            memories.put(a.id(), memories(a, compiled, declared));
            dimensions.put(a.id(), a.dims().size());
        });
        var called = new HashMap<>(stated.memories());
        kernel.arrays().stream()
                .filter(a -> a.scope() != ArrayVariable.Scope.PARAMETER
                        || a.function().equals(kernel.top()))
                .forEach(a -> memories.getOrDefault(a.id(), Set.of())
                        .forEach(m ->
                                called.compute(m, (_, o) -> (o == null ? MemoryOrder.NOTHING : o).called(a.id()))));
        this.stated = new IrOrders(
                stated.top(), named, stated.functions(), called, stated.bindings(), stated.taken(), stated.slaves());
    }

    private static LoopOrder averaging(LoopOrder order, TripCount trip) {
        return trip.isExact() || trip.average().isEmpty()
                ? order
                : order.averaging(trip.average().getAsDouble());
    }

    private static String plain(String name) {
        int angle = name.indexOf('<');
        return angle > 0 ? name.substring(0, angle) : name;
    }

    /// A place of the compiler as a person counts.
    private static String place(IrLocation at, CompiledSource source) {
        return last(at.file()) + ":" + at.line() + ":" + source.column(Path.of(at.file()), at.line(), at.column());
    }

    private static String place(Loop l) {
        Location at = l.keyword();
        return last(at.file()) + ":" + at.line() + ":" + at.column();
    }

    private static String last(String file) {
        return file.substring(Math.max(file.lastIndexOf('/'), file.lastIndexOf('\\')) + 1);
    }

    private Set<MemoryName> memories(ArrayVariable a, IrModule compiled, IrDeclarations declared) {
        var all = new HashSet<MemoryName>();
        if (a.function().isEmpty()) {
            compiled.globals().stream()
                    .filter(g -> g.sourceName().equals(a.name()))
                    .forEach(g -> all.add(new MemoryName("", g.name())));
            return all;
        }
        for (String f : functions.getOrDefault(plain(a.function()), Set.of())) {
            for (IrVariable v : compiled.function(f).map(IrFunction::variables).orElse(List.of())) {
                if (v.name().equals(a.variable()) && v.value() instanceof IrValue.Result) {
                    all.addAll(declared.named(f, v.value()));
                }
            }
            compiled.globals().stream()
                    .filter(g -> g.sourceName().equals(a.name()) && g.name().contains("."))
                    .forEach(g -> all.add(new MemoryName("", g.name())));
        }
        return all;
    }

    /// The orders of a design.
    ///
    /// @param unplaced filled with what has no place in the compiled code
    IrOrders of(List<Directive> directives, List<String> unplaced) {
        var loopOrders = new HashMap<>(stated.loops());
        var functionOrders = new HashMap<>(stated.functions());
        var memoryOrders = new HashMap<>(stated.memories());
        var replaced = new HashSet<MemoryName>();
        var bindings = new ArrayList<>(stated.bindings());
        for (Directive d : directives) {
            check(d);
            boolean placed = switch (d) {
                case Directive.Pipeline p ->
                    loop(p.loop(), loopOrders, o -> o.pipelined(p.enabled() ? 1 : 0, p.interval()));
                case Directive.Unroll u -> loop(u.loop(), loopOrders, o -> o.unrolled(u.factor()));
                case Directive.Flatten f -> loop(f.loop(), loopOrders, o -> f.enabled() ? o : o.apart());
                case Directive.Dataflow f ->
                    loops.containsKey(f.scope())
                            ? loop(f.scope(), loopOrders, LoopOrder::overlapping)
                            : function(f.scope(), functionOrders, FunctionOrder::overlapping);
                case Directive.Inline i -> function(i.function(), functionOrders, o -> o.inlined(i.enabled()));
                case Directive.Partition p ->
                    cut(p.array(), new Cut(p.dimension(), p.type(), p.factor(), false), memoryOrders, replaced);
                case Directive.Reshape r ->
                    cut(r.array(), new Cut(r.dimension(), r.type(), r.factor(), true), memoryOrders, replaced);
                case Directive.PipelineFunction p ->
                    function(p.function(), functionOrders, o -> o.pipelined(p.interval()));
                case Directive.Allocation a ->
                    function(
                            a.function(),
                            functionOrders,
                            o -> o.multiplying(a.units(), multiplications.getOrDefault(a.function(), List.of())));
                case Directive.Fifo q -> memory(q.array(), memoryOrders, m -> m.queue(q.words()));
                case Directive.MasterPort p ->
                    memory(p.array(), memoryOrders, m -> m.behind(over(m.master(), p.options())));
                case Directive.BindStorage s -> memory(s.array(), memoryOrders, m -> m.stored(s.storage()));
                case Directive.BindMultiplier _, Directive.BindOperation _ -> bindings.add(d);
            };
            if (!placed) {
                unplaced.add(d.toString());
            }
        }
        IrMarkers.spread(loopOrders, owners, functionOrders);
        return new IrOrders(
                stated.top(), loopOrders, functionOrders, memoryOrders, bindings, stated.taken(), stated.slaves());
    }

    /// Throws `IllegalArgumentException` where a directive names what the kernel does not have.
    private void check(Directive directive) {
        switch (directive) {
            case Directive.Pipeline p -> known(loops, p.loop(), "loop");
            case Directive.Unroll u -> known(loops, u.loop(), "loop");
            case Directive.Flatten f -> known(loops, f.loop(), "loop");
            case Directive.Partition p -> known(p.array(), p.dimension());
            case Directive.Reshape r -> known(r.array(), r.dimension());
            case Directive.BindStorage s -> known(memories, s.array(), "array");
            case Directive.MasterPort p -> known(memories, p.array(), "array");
            case Directive.Fifo q -> known(memories, q.array(), "array");
            case Directive.PipelineFunction _,
                    Directive.Dataflow _,
                    Directive.Inline _,
                    Directive.Allocation _,
                    Directive.BindMultiplier _,
                    Directive.BindOperation _ -> {}
        }
    }

    private static Map<String, String> over(Map<String, String> stated, Map<String, String> decided) {
        var options = new HashMap<>(stated);
        options.putAll(decided);
        return options;
    }

    private void known(String array, int dimension) {
        known(memories, array, "array");
        Integer dims = dimensions.get(array);
        if (dims != null && (dimension < 0 || dimension > dims)) {
            throw new IllegalArgumentException("array " + array + " has no dimension " + dimension);
        }
    }

    private static void known(Map<String, ?> all, String id, String what) {
        if (!all.containsKey(id)) {
            throw new IllegalArgumentException("the kernel has no " + what + " named " + id);
        }
    }

    private boolean loop(String id, Map<Long, LoopOrder> orders, java.util.function.UnaryOperator<LoopOrder> change) {
        Set<Long> at = loops.getOrDefault(id, Set.of());
        at.forEach(l -> orders.compute(l, (_, o) -> change.apply(o == null ? LoopOrder.NOTHING : o)));
        return !at.isEmpty();
    }

    private boolean function(
            String name, Map<String, FunctionOrder> orders, java.util.function.UnaryOperator<FunctionOrder> change) {
        Set<String> at = functions.getOrDefault(plain(name), Set.of());
        at.forEach(f -> orders.compute(f, (_, o) -> change.apply(o == null ? FunctionOrder.NOTHING : o)));
        return !at.isEmpty();
    }

    private boolean memory(
            String id, Map<MemoryName, MemoryOrder> orders, java.util.function.UnaryOperator<MemoryOrder> change) {
        Set<MemoryName> at = memories.getOrDefault(id, Set.of());
        at.forEach(m -> orders.compute(m, (_, o) -> change.apply(o == null ? MemoryOrder.NOTHING : o)));
        return !at.isEmpty();
    }

    /// A design's divisions of a memory take the place of the source's.
    private boolean cut(String id, Cut cut, Map<MemoryName, MemoryOrder> orders, Set<MemoryName> replaced) {
        return memory(id, orders, m -> m)
                && memories.getOrDefault(id, Set.of()).stream().allMatch(n -> {
                    MemoryOrder m = orders.getOrDefault(n, MemoryOrder.NOTHING);
                    orders.put(n, (replaced.add(n) ? m.uncut() : m).cut(cut));
                    return true;
                });
    }
}
