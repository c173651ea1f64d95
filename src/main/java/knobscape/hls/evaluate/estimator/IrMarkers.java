package knobscape.hls.evaluate.estimator;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import knobscape.compile.analysis.AffineForms;
import knobscape.compile.analysis.IrLoop;
import knobscape.compile.analysis.IrLoops;
import knobscape.compile.ir.IrConstant;
import knobscape.compile.ir.IrDebugType;
import knobscape.compile.ir.IrFunction;
import knobscape.compile.ir.IrInstruction;
import knobscape.compile.ir.IrLoopMark;
import knobscape.compile.ir.IrModule;
import knobscape.compile.ir.IrOpcode;
import knobscape.compile.ir.IrValue;
import knobscape.hls.evaluate.estimator.IrOrders.Cut;
import knobscape.hls.evaluate.estimator.IrOrders.FunctionOrder;
import knobscape.hls.evaluate.estimator.IrOrders.LoopOrder;
import knobscape.hls.evaluate.estimator.IrOrders.MemoryName;
import knobscape.hls.evaluate.estimator.IrOrders.MemoryOrder;
import knobscape.hls.space.Directive.PartitionType;
import knobscape.hls.space.Directive.Storage;

/// Reads the calls into which the pragmas of a source were turned: loops and functions from the module as it was
/// compiled, memories from the module after inlining, where every address has an object behind it.
final class IrMarkers {
    private static final int RESHAPE = 16;

    private IrMarkers() {}

    /// What pragmas say about loops.
    static Map<Long, LoopOrder> loops(IrModule compiled) {
        var all = new HashMap<Long, LoopOrder>();
        Map<String, FunctionOrder> functions = functions(compiled);
        for (IrFunction f : compiled.functions()) {
            if (!f.isDeclaration()) {
                IrLoops loops = IrLoops.of(f);
                FunctionOrder around = functions.getOrDefault(f.name(), FunctionOrder.NOTHING);
                for (IrLoop l : loops.all()) {
                    l.id().ifPresent(id -> all.put(id, under(around, loop(f, loops, l))));
                }
            }
        }
        return all;
    }

    /// What a pragma on the function says about its loops, wherever they are inlined.
    private static LoopOrder under(FunctionOrder function, LoopOrder l) {
        return new LoopOrder(
                l.name(),
                function.pipelineOff() && l.pipeline() < 0 ? 0 : l.pipeline(),
                l.interval(),
                function.pipeline() >= 0 ? 0 : l.unroll(),
                l.flatten(),
                l.dataflow(),
                l.least(),
                l.most());
    }

    private static LoopOrder loop(IrFunction f, IrLoops loops, IrLoop l) {
        int pipeline = -1;
        int interval = 0;
        int unroll = 1;
        boolean flatten = true;
        boolean dataflow = false;
        long least = -1;
        long most = -1;
        Map<String, Long> own = l.mark().map(IrLoopMark::properties).orElse(Map.of());
        if (own.containsKey("llvm.loop.unroll.count")) {
            unroll = own.getOrDefault("llvm.loop.unroll.count", 1L).intValue();
        } else if (own.containsKey("llvm.loop.unroll.enable") || own.containsKey("llvm.loop.unroll.full")) {
            unroll = 0;
        }
        for (int b : l.blocks().stream()
                .filter(b -> loops.around(b).filter(x -> x == l).isPresent())
                .toArray()) {
            for (IrInstruction i : f.blocks().get(b).instructions()) {
                switch (marker(i)) {
                    case "unroll" -> unroll = (int) number(i, 0);
                    case "pipeline" -> {
                        pipeline = number(i, 0) < 0 ? 0 : 1;
                        interval = (int) Math.max(0, number(i, 0));
                    }
                    case "flatten_off" -> flatten = false;
                    case "dataflow" -> dataflow = true;
                    case "trip" -> {
                        least = number(i, 0);
                        most = number(i, 1);
                    }
                    default -> {}
                }
            }
        }
        return new LoopOrder(name(f, l), pipeline, interval, unroll, flatten, dataflow, least, most);
    }

    /// The label on the loop's line or just before, else the line.
    private static String name(IrFunction f, IrLoop l) {
        Optional<knobscape.compile.ir.IrLocation> at = l.mark().flatMap(IrLoopMark::start);
        if (at.isEmpty()) {
            return "";
        }
        return f.labels().stream()
                .filter(x -> x.location().line() == at.get().line()
                        || x.location().line() == at.get().line() - 1)
                .map(IrFunction.IrLabel::name)
                .reduce((_, b) -> b)
                .orElse("line " + at.get().line());
    }

    /// What pragmas say about functions.
    static Map<String, FunctionOrder> functions(IrModule compiled) {
        var all = new HashMap<String, FunctionOrder>();
        for (IrFunction f : compiled.functions()) {
            if (f.isDeclaration()) {
                continue;
            }
            IrLoops loops = IrLoops.of(f);
            int inline = -1;
            int pipeline = -1;
            boolean off = false;
            boolean dataflow = false;
            for (IrInstruction i : f.instructions()) {
                switch (marker(i)) {
                    case "inline" -> inline = (int) number(i, 0);
                    case "pipeline" -> {
                        if (outside(f, loops, i)) {
                            off = number(i, 0) < 0;
                            pipeline = (int) Math.max(-1, number(i, 0));
                        }
                    }
                    case "dataflow" -> dataflow |= outside(f, loops, i);
                    default -> {}
                }
            }
            all.put(f.name(), new FunctionOrder(inline, pipeline, off, dataflow));
        }
        return all;
    }

    private static boolean outside(IrFunction f, IrLoops loops, IrInstruction i) {
        return f.blocks().stream()
                .filter(b -> b.instructions().contains(i))
                .allMatch(b -> loops.around(b.index()).isEmpty());
    }

    /// What pragmas say about memories.
    ///
    /// @param inlined the module after inlining, its markers still in it
    static Map<MemoryName, MemoryOrder> memories(IrModule inlined) {
        var all = new HashMap<MemoryName, MemoryOrder>();
        for (IrFunction f : inlined.functions()) {
            if (f.isDeclaration()) {
                continue;
            }
            var forms = new AffineForms(f, IrLoops.of(f));
            for (IrFunction.IrVariable v : f.variables()) {
                if (v.argument() > 0 && v.argument() <= f.arguments().size()) {
                    shape(v.type())
                            .ifPresent(s -> all.merge(
                                    new MemoryName(
                                            f.name(),
                                            f.arguments().get(v.argument() - 1).name()),
                                    s,
                                    (a, _) -> a));
                }
            }
            for (IrInstruction i : f.instructions()) {
                String m = marker(i);
                if (m.isEmpty() || i.operands().isEmpty()) {
                    continue;
                }
                name(f, forms, i.operands().getFirst())
                        .ifPresent(n -> all.put(n, said(m, i, all.getOrDefault(n, MemoryOrder.NOTHING), inlined)));
            }
        }
        return all;
    }

    private static MemoryOrder said(String marker, IrInstruction i, MemoryOrder m, IrModule module) {
        return switch (marker) {
            case "part" -> {
                int kind = (int) number(i, 1);
                var cuts = new ArrayList<>(m.cuts());
                var cut = new Cut(
                        (int) number(i, 3),
                        switch (kind & (RESHAPE - 1)) {
                            case 0 -> PartitionType.COMPLETE;
                            case 1 -> PartitionType.CYCLIC;
                            default -> PartitionType.BLOCK;
                        },
                        (int) number(i, 2),
                        (kind & RESHAPE) != 0);
                if (!cuts.contains(cut)) {
                    cuts.add(cut);
                }
                yield new MemoryOrder(
                        cuts, m.storage(), m.independent(), m.depth(), m.bus(), m.dims(), m.elementBits());
            }
            case "dep" ->
                new MemoryOrder(
                        m.cuts(),
                        m.storage(),
                        m.independent() || number(i, 1) == 1,
                        m.depth(),
                        m.bus(),
                        m.dims(),
                        m.elementBits());
            case "stream" ->
                new MemoryOrder(
                        m.cuts(),
                        m.storage(),
                        m.independent(),
                        (int) Math.max(1, number(i, 1)),
                        m.bus(),
                        m.dims(),
                        m.elementBits());
            case "dim" -> {
                var dims = new ArrayList<>(m.dims());
                if (dims.isEmpty()) {
                    dims.add(0L);
                }
                dims.set(0, number(i, 1));
                yield new MemoryOrder(
                        m.cuts(), m.storage(), m.independent(), m.depth(), m.bus(), dims, m.elementBits());
            }
            case "iface" ->
                text(module, i.operands().get(1)).equals("m_axi")
                        ? new MemoryOrder(
                                m.cuts(),
                                m.storage(),
                                m.independent(),
                                m.depth(),
                                text(module, i.operands().get(2)),
                                m.dims(),
                                m.elementBits())
                        : m;
            case "storage" ->
                new MemoryOrder(
                        m.cuts(),
                        storage(text(module, i.operands().get(1)) + " "
                                + text(module, i.operands().get(2))),
                        m.independent(),
                        m.depth(),
                        m.bus(),
                        m.dims(),
                        m.elementBits());
            default -> m;
        };
    }

    private static Storage storage(String said) {
        String s = said.toLowerCase(Locale.ROOT);
        return s.contains("lutram")
                ? Storage.LUTRAM
                : s.contains("uram")
                        ? Storage.URAM
                        : s.contains("_1p")
                                ? Storage.BRAM_1P
                                : s.contains("ram_2p") || s.contains("s2p") ? Storage.BRAM_2P : Storage.AUTO;
    }

    /// The name of a marker's function behind `__kn_`, empty for other instructions.
    private static String marker(IrInstruction i) {
        String c = i.opcode() == IrOpcode.CALL ? i.callee().orElse("") : "";
        return c.startsWith(knobscape.compile.Transformation.MARKER) && !IrCalls.isQueue(i)
                ? c.substring(knobscape.compile.Transformation.MARKER.length())
                : "";
    }

    private static long number(IrInstruction i, int operand) {
        return operand < i.operands().size()
                ? AffineForms.whole(i.operands().get(operand)).orElse(0)
                : 0;
    }

    private static Optional<MemoryName> name(IrFunction f, AffineForms forms, IrValue address) {
        return switch (forms.pointer(address).root()) {
            case IrValue.Symbol s -> Optional.of(new MemoryName("", s.name()));
            case IrValue.Argument a ->
                Optional.of(
                        new MemoryName(f.name(), f.arguments().get(a.index()).name()));
            case IrValue.Result r
            when !forms.code().get(r.instruction()).name().isEmpty() ->
                Optional.of(new MemoryName(
                        f.name(), forms.code().get(r.instruction()).name()));
            default -> Optional.empty();
        };
    }

    private static String text(IrModule module, IrValue value) {
        return value instanceof IrValue.Symbol s
                ? module.global(s.name())
                        .flatMap(g -> g.initialiser())
                        .filter(IrConstant.Table.class::isInstance)
                        .map(IrConstant.Table.class::cast)
                        .map(t -> {
                            var out = new StringBuilder();
                            Arrays.stream(t.bits()).takeWhile(c -> c != 0).forEach(c -> out.append((char) c));
                            return out.toString();
                        })
                        .orElse("")
                : "";
    }

    /// Dimensions and element behind a pointer argument, as the source has them; the first is lost where an array
    /// decays.
    private static Optional<MemoryOrder> shape(IrDebugType type) {
        IrDebugType t = plain(type);
        if (!(t instanceof IrDebugType.Address(IrDebugType target))) {
            return Optional.empty();
        }
        var dims = new ArrayList<Long>();
        boolean decayed =
                !(plain(target) instanceof IrDebugType.Elements) || t.name().endsWith("*");
        IrDebugType e = plain(target);
        if (decayed) {
            dims.add(0L);
        }
        while (e instanceof IrDebugType.Elements a) {
            a.dims().forEach(d -> dims.add(Math.max(0, d)));
            e = plain(a.element());
        }
        long bits = e.bits();
        return bits <= 0 || bits > Integer.MAX_VALUE
                ? Optional.empty()
                : Optional.of(new MemoryOrder(List.of(), Storage.AUTO, false, 0, "", dims, (int) bits));
    }

    private static IrDebugType plain(IrDebugType type) {
        IrDebugType t = type;
        while (t instanceof IrDebugType.Alias(String _, IrDebugType target)) {
            t = target;
        }
        return t;
    }
}
