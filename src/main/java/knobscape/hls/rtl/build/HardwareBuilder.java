package knobscape.hls.rtl.build;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import knobscape.compile.ir.IrFunction.IrArgument;
import knobscape.compile.ir.IrType;
import knobscape.compile.ir.IrValue;
import knobscape.hls.evaluate.estimator.WrittenOutDesign;
import knobscape.hls.rtl.HostPort;
import knobscape.hls.rtl.RtlModule;
import knobscape.hls.source.ArrayVariable;
import knobscape.hls.source.Kernel;
import knobscape.hls.source.clang.KernelInputs;

/// Makes hardware of written-out designs of one kernel.
public final class HardwareBuilder {
    private static final int MOST_OPERATIONS = 20_000;
    /// Bytes behind a pointer whose extent is found.
    private static final long MOST_BYTES = 1L << 24;

    private final Kernel kernel;
    private final Supplier<WrittenOutDesign> plain;
    private Optional<Map<Integer, Long>> extents = Optional.empty();

    /// @param kernel the source of the designs
    /// @param plain its design without directives, which tells how far pointers are followed
    public HardwareBuilder(Kernel kernel, Supplier<WrittenOutDesign> plain) {
        this.kernel = kernel;
        this.plain = plain;
    }

    /// The hardware of a design. Throws [NotBuildable] with a sentence where it cannot be built.
    ///
    /// @param clockNs period to build for
    public HardwareDesign build(WrittenOutDesign design, double clockNs) {
        int size = design.top().instructions().size();
        if (size > MOST_OPERATIONS) {
            throw new NotBuildable("the design has " + size + " operations after unrolling; at most " + MOST_OPERATIONS
                    + " are built");
        }
        var code = new CodeReader(design);
        endless(code);
        var shapes = new MemoryShapes(design, code, arguments(design));
        var notes = new ArrayList<String>();
        List<CodeRegion> regions = regions(code, notes);
        var whole = new ArrayList<DataOp>();
        for (CodeBlock b : code.blocks) {
            Optional.ofNullable(b.condition).ifPresent(whole::add);
            Optional.ofNullable(b.result).ifPresent(whole::add);
        }
        List<DataOp> all = new ArrayList<>();
        regions.forEach(r -> {
            all.addAll(r.phis);
            all.addAll(r.ops);
        });
        code.facts.demand(all, whole);
        var times = new OperatorTimes(clockNs, code.facts, regions);
        regions.forEach(r -> times.splitAddresses(r, code::nextId));
        new RegionScheduler(times, regions).schedule();
        String name = moduleName(kernel);
        RtlModule module = new HardwareEmitter(regions, code.facts).module(name, shapes.plans(), code.arguments, times);
        var argumentOf = new HashMap<MemoryPlan, Integer>();
        var outside = new ArrayList<String>();
        shapes.plans()
                .forEach(p -> shapes.argument(p).ifPresent(a -> {
                    argumentOf.put(p, a);
                    IntStream.range(0, p.banks).mapToObj(p::bank).forEach(outside::add);
                }));
        return new HardwareDesign(HostPort.added(module, outside), design, shapes.plans(), argumentOf, regions, notes);
    }

    /// Refuses a kernel that never returns.
    private static void endless(CodeReader code) {
        if (code.blocks.stream().noneMatch(b -> b.next.isEmpty())) {
            throw new NotBuildable(
                    "a loop that never ends is not built",
                    code.blocks.stream()
                            .filter(b -> b.loop != null)
                            .flatMap(b -> b.ops.stream())
                            .flatMap(v -> v.location.stream())
                            .findFirst());
        }
    }

    /// Name of the module that a kernel becomes.
    public static String moduleName(Kernel kernel) {
        return kernel.top().replaceAll("\\W", "_");
    }

    private static List<CodeRegion> regions(CodeReader code, List<String> notes) {
        var regions = new ArrayList<CodeRegion>();
        for (CodeBlock b : code.blocks) {
            CodeLoop l = b.loop;
            boolean pipelined = l != null && l.interval.isPresent() && isStraight(l, code);
            if (l == null || !pipelined) {
                var r = new CodeRegion(regions.size(), List.of(b), b, null);
                r.ops.addAll(b.ops);
                regions.add(r);
            } else if (b == l.header) {
                List<CodeBlock> body = code.blocks.stream().filter(l::contains).toList();
                var r = new CodeRegion(regions.size(), body, l.latches.getFirst(), l);
                PipelineBody.fill(r, code::nextId);
                regions.add(r);
            }
            if (l != null && b == l.header && l.interval.isPresent() && !pipelined) {
                notes.add("a loop that is left in its middle or has loops inside is not pipelined");
            }
        }
        for (CodeRegion r : regions) {
            r.ops.forEach(v -> v.region = r.number);
            r.phis.forEach(v -> v.region = r.number);
        }
        return regions;
    }

    /// True if a loop has no loop inside, one way back and one way out, at its end.
    private static boolean isStraight(CodeLoop l, CodeReader code) {
        if (l.latches.size() != 1) {
            return false;
        }
        return code.blocks.stream()
                .filter(l::contains)
                .allMatch(b -> b.loop == l
                        && (b == l.latches.getFirst()
                                ? b.next.size() == 2
                                : !b.next.isEmpty() && b.next.stream().allMatch(l::contains)));
    }

    /// The types that pointer arguments lead to, by their position.
    private Map<Integer, IrType> arguments(WrittenOutDesign design) {
        var all = new HashMap<Integer, IrType>();
        for (int k = 0; k < design.top().arguments().size(); k++) {
            IrArgument a = design.top().arguments().get(k);
            int index = k;
            a.pointee().ifPresent(t -> all.put(index, t));
        }
        for (KernelInputs.Parameter p : KernelInputs.parameters(design.top())) {
            if (p.address()) {
                elements(p).ifPresent(n -> all.put(p.index(), new IrType.Array(n, MemoryShapes.compiled(p.type()))));
            } else if (design.top().arguments().get(p.index()).type() instanceof IrType.Pointer) {
                // An object that is passed by value through its address, as it has a way of its own to be copied.
                all.putIfAbsent(p.index(), MemoryShapes.compiled(p.type()));
            }
        }
        return all;
    }

    /// How many elements stand behind a parameter: as declared, or as far as accesses are proven to reach. Empty where
    /// that is not known.
    Optional<Long> elements(KernelInputs.Parameter p) {
        Optional<ArrayVariable> array = kernel.topFunction().arrays().stream()
                .filter(v -> (v.name().equals(p.name()) || v.variable().equals(p.name()))
                        && v.scope() == ArrayVariable.Scope.PARAMETER
                        && !v.dims().isEmpty())
                .findFirst();
        if (array.isEmpty()) {
            return Optional.of(1L);
        }
        long element = Math.max(1, MemoryShapes.compiled(p.type()).bytes());
        return array.map(v -> v.dims().getFirst())
                .filter(n -> n > 0)
                .or(() -> Optional.ofNullable(extents().get(p.index())).map(bytes -> Math.ceilDiv(bytes, element)));
    }

    /// Bytes that accesses reach at most, by argument; none where a range is not proven.
    private synchronized Map<Integer, Long> extents() {
        if (extents.isEmpty()) {
            var reached = new HashMap<Integer, Long>();
            var code = new CodeReader(plain.get());
            for (CodeReader.RawAccess a : code.accesses) {
                if (a.root() instanceof IrValue.Argument(int index, IrType _)) {
                    ValueFacts.Range r = code.facts.range(a.bytes());
                    boolean known = r.low() >= 0 && r.high() < MOST_BYTES;
                    reached.merge(index, known ? r.high() + 1 : Long.MAX_VALUE, Math::max);
                }
            }
            reached.values().removeIf(n -> n == Long.MAX_VALUE);
            extents = Optional.of(Map.copyOf(reached));
        }
        return extents.get();
    }
}
