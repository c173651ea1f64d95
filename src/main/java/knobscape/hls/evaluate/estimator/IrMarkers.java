package knobscape.hls.evaluate.estimator;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import knobscape.compile.analysis.AffineForms;
import knobscape.compile.analysis.IrLoop;
import knobscape.compile.analysis.IrLoops;
import knobscape.compile.ir.IrFunction;
import knobscape.compile.ir.IrInstruction;
import knobscape.compile.ir.IrLocation;
import knobscape.compile.ir.IrLoopMark;
import knobscape.compile.ir.IrModule;
import knobscape.hls.evaluate.estimator.IrOrders.Cut;
import knobscape.hls.evaluate.estimator.IrOrders.FunctionOrder;
import knobscape.hls.evaluate.estimator.IrOrders.LoopOrder;
import knobscape.hls.evaluate.estimator.IrOrders.MemoryName;
import knobscape.hls.evaluate.estimator.IrOrders.MemoryOrder;
import knobscape.hls.source.CompiledSource;
import knobscape.hls.source.CompiledSource.Placed;
import knobscape.hls.space.Directive;
import knobscape.hls.space.Directive.PartitionType;
import knobscape.hls.space.Directive.Storage;
import org.jspecify.annotations.Nullable;

/// The statements of a compiled source's pragmas, by the compiler's names; those that are not modelled, by line.
final class IrMarkers {
    /// The call that tells a parameter's size.
    private static final String SIZE = "__kn_pragma";

    private static final int SIZE_NUMBER = -1;
    private static final String TASK = "kn_task";
    /// Option of ours: the dimensions that are left of all.
    private static final String DIMENSIONS = "dimensions left";

    private final boolean assertsDependence;
    private final List<Placed> placed;
    private final Map<String, IrLoops> loops = new HashMap<>();
    private final Map<Long, LoopOrder> loopOrders = new HashMap<>();
    private final Map<String, FunctionOrder> functionOrders = new HashMap<>();
    private final Map<MemoryName, MemoryOrder> memoryOrders = new HashMap<>();
    private final Map<MemoryName, Map<String, Integer>> taken = new HashMap<>();
    private final Set<String> unmodelled = new LinkedHashSet<>();
    private final Set<Integer> seen = new HashSet<>();
    private final Set<String> slaves = new HashSet<>();
    private final Map<String, String> names = new HashMap<>();
    private final List<Directive> bindings = new ArrayList<>();

    /// @param compiled the module without any pass
    /// @param assertsDependence as of [ToolDefaults]
    IrMarkers(CompiledSource source, IrModule compiled, String top, boolean assertsDependence) {
        this.assertsDependence = assertsDependence;
        this.placed = source.placed(compiled);
        for (IrFunction f : compiled.functions()) {
            if (!f.isDeclaration()) {
                IrLoops of = IrLoops.of(f);
                loops.put(f.name(), of);
                names.put(f.name(), f.sourceName());
                functionOrders.put(f.name(), FunctionOrder.NOTHING);
                of.all().forEach(l -> l.id().ifPresent(id -> loopOrders.put(id, plain(f, l))));
            }
        }
        var declared = new IrDeclarations(compiled, top);
        memoryOrders.putAll(declared.shapes());
        memoryOrders.forEach((name, m) -> {
            if (!m.members().isEmpty()) {
                taken.put(name, declared.taken(name));
            }
        });
        compiled.functions().forEach(f -> f.instructions().forEach(i -> size(f, i, declared)));
        placed.forEach(p -> apply(p, declared));
        compiled.functions().forEach(f -> f.instructions().forEach(this::task));
        placed.stream()
                .map(Placed::directive)
                .filter(d -> d.name().equals("INTERFACE")
                        && d.options().getOrDefault("mode", "").equals("s_axilite"))
                .forEach(d -> slaves.add(d.options().getOrDefault("port", "")));
        var owners = new HashMap<Long, String>();
        loops.forEach((name, of) -> of.all().forEach(l -> l.id().ifPresent(id -> owners.put(id, name))));
        spread(loopOrders, owners, functionOrders);
        source.directives().stream()
                .filter(d -> !seen.contains(d.number()) && !d.name().equals("INTERFACE"))
                .forEach(d -> unmodelled.add(said(d) + " stands where no code comes from it: not modelled"));
    }

    /// All orders.
    IrOrders orders(String top) {
        return new IrOrders(top, loopOrders, functionOrders, memoryOrders, bindings, taken, slaves);
    }

    /// Pragmas that have no effect on the estimate, a sentence each.
    List<String> notes() {
        return List.copyOf(unmodelled);
    }

    /// First dimension of an array parameter, which the compiler's type lacks.
    private void size(IrFunction f, IrInstruction call, IrDeclarations declared) {
        if (call.callee().filter(SIZE::equals).isPresent()
                && AffineForms.whole(call.operands().getFirst()).orElse(0) == SIZE_NUMBER) {
            long size = AffineForms.whole(call.operands().get(2)).orElse(0);
            declared.named(f.name(), call.operands().get(1))
                    .forEach(n -> memoryOrders.computeIfPresent(n, (_, m) -> m.sized(size)));
        }
    }

    /// A function that is started to run beside others.
    private void task(IrInstruction call) {
        if (call.callee().filter(TASK::equals).isPresent()) {
            unmodelled.add(
                    call.location().map(l -> l.file() + ":" + l.line() + ": ").orElse("")
                            + "tasks that are started here are not modelled; --top with one of their functions estimates that");
        }
    }

    private static final Pattern CORE = Pattern.compile("([dfh]?)(addsub|mul)(?:_\\w+|ns)?");

    private static String said(CompiledSource.Directive d) {
        return d.location() + ": #pragma " + d.raw().strip();
    }

    private static LoopOrder plain(IrFunction f, IrLoop l) {
        Map<String, Long> own = l.mark().map(IrLoopMark::properties).orElse(Map.of());
        int unroll = own.containsKey("llvm.loop.unroll.count")
                ? own.getOrDefault("llvm.loop.unroll.count", 1L).intValue()
                : own.containsKey("llvm.loop.unroll.enable") || own.containsKey("llvm.loop.unroll.full") ? 0 : 1;
        return new LoopOrder(name(f, l), -1, 0, unroll, true, false, -1, -1, -1);
    }

    /// The label on the loop's line or just before, else the line.
    private static String name(IrFunction f, IrLoop l) {
        Optional<IrLocation> at = l.mark().flatMap(IrLoopMark::start);
        return at.flatMap(s -> f.labels().stream()
                        .filter(x ->
                                x.location().line() == s.line() || x.location().line() == s.line() - 1)
                        .map(IrFunction.IrLabel::name)
                        .reduce((_, b) -> b))
                .orElseGet(() -> at.map(s -> "line " + s.line()).orElse(""));
    }

    private Optional<IrLoop> loop(Placed p) {
        IrLoops of = loops.get(p.function());
        if (of == null) {
            return Optional.empty();
        }
        Optional<IrLoop> around = of.around(p.block());
        if (!p.directive().above()) {
            return around;
        }
        int line = p.directive().location().line();
        return of.all().stream()
                .filter(l -> l.parent().equals(around))
                .filter(l -> start(l) >= line)
                .min(Comparator.comparingInt(IrMarkers::start));
    }

    private static int start(IrLoop l) {
        return l.mark().flatMap(IrLoopMark::start).map(IrLocation::line).orElse(-1);
    }

    private void apply(Placed p, IrDeclarations declared) {
        CompiledSource.Directive d = p.directive();
        seen.add(d.number());
        Optional<Long> loop = loop(p).flatMap(l -> l.id().stream().boxed().findFirst());
        boolean known =
                (loop.isPresent() ? ofLoop(loop.get(), d) : ofFunction(p.function(), d)) || isBinding(p.function(), d);
        if (!known && p.variable().isPresent()) {
            Set<MemoryName> named = declared.named(p.function(), p.variable().get());
            known = !named.isEmpty();
            for (MemoryName n : named) {
                known &= ofMemory(n, d);
            }
        }
        if (!known && !HARMLESS.contains(d.name())) {
            unmodelled.add(said(d) + ": not modelled");
        } else if (known && MODELLED.containsKey(d.name())) {
            List<String> others = d.options().keySet().stream()
                    .filter(o -> !MODELLED.getOrDefault(d.name(), Set.of()).contains(o))
                    .toList();
            if (!others.isEmpty()) {
                unmodelled.add(said(d) + ": " + String.join(", ", others) + (others.size() == 1 ? " is" : " are")
                        + " not modelled");
            }
        }
    }

    /// Said at a place where it changes neither cycles nor area of this estimate.
    private static final Set<String> HARMLESS = Set.of("INTERFACE", "TOP", "ACCEL KERNEL", "CATAPULT DESIGN");

    /// A binding of an operation of a variable to DSP blocks or to LUTs.
    private boolean isBinding(String function, CompiledSource.Directive d) {
        String word = d.options()
                .getOrDefault(d.name().equals("BIND_OP") ? "impl" : "core", "")
                .toLowerCase(Locale.ROOT);
        String operation = d.name().equals("BIND_OP")
                ? d.options().getOrDefault("op", "").toLowerCase(Locale.ROOT)
                : d.name().equals("RESOURCE") ? operation(word) : "";
        String variable = d.options().getOrDefault("variable", "");
        if (!operation.matches("[dfh]?(add|sub|mul)") || variable.isEmpty() || word.isEmpty()) {
            return false;
        }
        boolean fabric =
                word.equals("fabric") || word.equals("nodsp") || word.endsWith("_lut") || word.endsWith("_nodsp");
        String scope = names.getOrDefault(function, function);
        bindings.add(new Directive.BindOperation(
                scope, variable, operation, fabric ? Directive.Core.FABRIC : Directive.Core.DSP));
        return true;
    }

    /// The operation of the older tool's core (`FAddSub_nodsp`, `DMul_fulldsp`, `Mul_LUT`, `DSP48`); none for others.
    private static String operation(String core) {
        Matcher m = CORE.matcher(core);
        return core.equals("dsp48")
                ? "mul"
                : m.matches() ? m.group(1) + (m.group(2).equals("addsub") ? "add" : m.group(2)) : "";
    }

    /// The parts of a directive that count here.
    private static final Map<String, Set<String>> MODELLED = Map.ofEntries(
            Map.entry("PIPELINE", Set.of("ii", "off")),
            Map.entry("UNROLL", Set.of("factor", "off")),
            Map.entry("LOOP_FLATTEN", Set.of("off")),
            Map.entry("LOOP_TRIPCOUNT", Set.of("min", "max", "avg")),
            Map.entry("INLINE", Set.of("off")),
            Map.entry("DATAFLOW", Set.of()),
            Map.entry("ARRAY_PARTITION", Set.of("variable", "type", "factor", "dim", "off", DIMENSIONS)),
            Map.entry("ARRAY_RESHAPE", Set.of("variable", "type", "factor", "dim", "off", DIMENSIONS)),
            Map.entry("DEPENDENCE", Set.of("variable", "class", "type", "direction", "dependent")),
            Map.entry("ALLOCATION", Set.of("instances", "limit", "type")),
            Map.entry("AGGREGATE", Set.of("variable")),
            Map.entry("DISAGGREGATE", Set.of("variable")),
            Map.entry("STREAM", Set.of("variable", "depth", "type", "off")),
            Map.entry("BIND_STORAGE", Set.of("variable", "type", "impl")),
            Map.entry("BIND_OP", Set.of("variable", "op", "impl")),
            Map.entry("RESOURCE", Set.of("variable", "core", "uram", "memory_style")));

    private boolean ofLoop(long id, CompiledSource.Directive d) {
        LoopOrder l = loopOrders.getOrDefault(id, LoopOrder.NOTHING);
        LoopOrder now = switch (d.name()) {
            case "UNROLL", "INTEL UNROLL", "CATAPULT UNROLL" -> l.unrolled(isOff(d) ? 1 : number(d, "factor", 0));
            case "ACCEL PARALLEL" ->
                d.options().getOrDefault("factor", "1").contains("{") ? null : l.unrolled(number(d, "factor", 0));
            case "PIPELINE", "CATAPULT PIPELINE_INIT_INTERVAL" -> l.pipelined(isOff(d) ? 0 : 1, number(d, "ii", 0));
            case "ACCEL PIPELINE" -> d.raw().contains("{") ? null : l.pipelined(isOff(d) ? 0 : 1, number(d, "ii", 0));
            case "INTEL II" -> l.pipelined(1, number(d, "ii", 0));
            case "LOOP_FLATTEN" -> isOff(d) ? l.apart() : l;
            case "DATAFLOW" -> l.overlapping();
            case "LOOP_TRIPCOUNT" -> {
                int most = number(d, "max", number(d, "avg", number(d, "min", -1)));
                yield l.counted(number(d, "min", most), most);
            }
            default -> null;
        };
        if (now != null) {
            loopOrders.put(id, now);
        }
        return now != null;
    }

    private boolean ofFunction(String function, CompiledSource.Directive d) {
        FunctionOrder f = functionOrders.getOrDefault(function, FunctionOrder.NOTHING);
        FunctionOrder now = switch (d.name()) {
            case "INLINE" -> f.inlined(!isOff(d));
            case "PIPELINE" -> isOff(d) ? f.unpipelined() : f.pipelined(number(d, "ii", 0));
            case "DATAFLOW" -> f.overlapping();
            case "ALLOCATION" -> limited(f, d);
            default -> null;
        };
        if (now != null) {
            functionOrders.put(function, now);
        }
        return now != null;
    }

    /// The limits of an ALLOCATION of operations; null where it is about something else.
    private static @Nullable FunctionOrder limited(FunctionOrder f, CompiledSource.Directive d) {
        FunctionOrder now = f;
        int limit = number(d, "limit", 0);
        for (String o : d.options()
                .getOrDefault("instances", "")
                .toLowerCase(Locale.ROOT)
                .split(",")) {
            if (limit < 1 || !UnitLimits.isKnown(o.strip())) {
                return null;
            }
            now = now.limited(o.strip(), limit);
        }
        return now;
    }

    private boolean ofMemory(MemoryName name, CompiledSource.Directive d) {
        MemoryOrder m = memoryOrders.getOrDefault(name, MemoryOrder.NOTHING);
        MemoryOrder now = switch (d.name()) {
            case "ARRAY_PARTITION", "ARRAY_RESHAPE" -> isOff(d) ? m : divided(m, d);
            case "DEPENDENCE" -> {
                boolean never = d.options()
                        .getOrDefault(
                                "dependent",
                                String.valueOf(assertsDependence || d.options().containsKey("distance")))
                        .equalsIgnoreCase("false");
                boolean flow = d.options().getOrDefault("direction", "raw").equalsIgnoreCase("raw");
                boolean within = d.options().getOrDefault("type", "inter").equals("intra");
                yield never
                        ? flow ? m.without(within ? IrOrders.Apart.WITHIN : IrOrders.Apart.ITERATIONS) : m
                        : d.options().containsKey("distance") ? null : m;
            }
            case "STREAM" ->
                switch (d.options().getOrDefault("type", "fifo")) {
                    case "fifo" -> isOff(d) ? m : m.queue(number(d, "depth", 2));
                    case "pipo" -> m;
                    default -> null;
                };
            case "INTERFACE" -> d.options().getOrDefault("mode", "").equals("m_axi") ? m.behind(d.options()) : m;
            // A struct that the top takes: one word whoever takes a part of it, or its members.
            case "AGGREGATE" -> taken.replace(name, Map.of()) == null ? null : m;
            case "DISAGGREGATE" -> taken.replace(name, Map.of(SIZE, 1)) == null ? null : m;
            case "BIND_STORAGE" -> m.stored(storage(d));
            case "RESOURCE" ->
                d.options().getOrDefault("core", "").matches("(?i)(ram|rom|fifo|xpm_memory).*")
                        ? m.stored(storage(d))
                        : null;
            default -> null;
        };
        if (now != null) {
            memoryOrders.put(name, now);
        }
        return now != null;
    }

    /// A directive about every dimension, for some of them.
    static CompiledSource.Directive onlyOf(CompiledSource.Directive d, Set<Integer> dimensions) {
        var options = new HashMap<>(d.options());
        options.put(DIMENSIONS, dimensions.stream().map(String::valueOf).collect(Collectors.joining(",")));
        return new CompiledSource.Directive(
                d.number(), d.name(), options, d.numbers(), d.above(), d.location(), d.editable(), d.raw());
    }

    private static MemoryOrder divided(MemoryOrder m, CompiledSource.Directive d) {
        String some = d.options().getOrDefault(DIMENSIONS, String.valueOf(number(d, "dim", 1)));
        MemoryOrder now = m;
        for (String dimension : some.split(",")) {
            now = now.cut(new Cut(
                    Integer.parseInt(dimension),
                    kind(d),
                    number(d, "factor", 0),
                    d.name().equals("ARRAY_RESHAPE")));
        }
        return now;
    }

    private static PartitionType kind(CompiledSource.Directive d) {
        return switch (d.options().getOrDefault("type", "complete")) {
            case "cyclic" -> PartitionType.CYCLIC;
            case "block" -> PartitionType.BLOCK;
            default -> PartitionType.COMPLETE;
        };
    }

    private static Storage storage(CompiledSource.Directive d) {
        String s = String.join(" ", d.options().values()).toLowerCase(Locale.ROOT)
                + (d.options().containsKey("uram") ? " uram" : "");
        return s.contains("1wnr") || s.contains("rom_np")
                ? Storage.BRAM_1WNR
                : s.contains("lutram")
                        ? Storage.LUTRAM
                        : s.contains("uram")
                                ? Storage.URAM
                                : s.contains("_1p")
                                        ? Storage.BRAM_1P
                                        : s.contains("ram_2p") || s.contains("s2p") ? Storage.BRAM_2P : Storage.AUTO;
    }

    private static boolean isOff(CompiledSource.Directive d) {
        return d.options().containsKey("off")
                && !d.options().getOrDefault("off", "").equalsIgnoreCase("false");
    }

    private static int number(CompiledSource.Directive d, String key, int otherwise) {
        String v = d.options().getOrDefault(key, "").strip();
        return v.matches("-?\\d{1,9}") ? Integer.parseInt(v) : otherwise;
    }

    /// Orders for a function hold for its loops wherever they are inlined.
    ///
    /// @param owners functions around the loops
    static void spread(Map<Long, LoopOrder> loops, Map<Long, String> owners, Map<String, FunctionOrder> functions) {
        owners.forEach((id, name) -> {
            FunctionOrder f = functions.getOrDefault(name, FunctionOrder.NOTHING);
            loops.computeIfPresent(
                    id,
                    (_, o) -> f.pipeline() >= 0
                            ? o.unrolled(0)
                            : f.pipelineOff() && o.pipeline() < 0 ? o.pipelined(0, 0) : o);
        });
    }

    /// Functions of the source by the name a person gives them.
    static List<String> named(IrModule compiled, String name) {
        var all = new ArrayList<String>();
        for (IrFunction f : compiled.functions()) {
            if (!f.isDeclaration()
                    && (f.sourceName().equals(name)
                            || f.name().equals(name)
                            || f.sourceName().startsWith(name + "<"))) {
                all.add(f.name());
            }
        }
        return all;
    }

    /// The function that nobody calls, the one with most code first: the top where none is named.
    static Optional<String> top(IrModule compiled) {
        Set<String> called = new HashSet<>();
        compiled.functions()
                .forEach(f -> f.instructions().forEach(i -> i.callee().ifPresent(called::add)));
        return compiled.functions().stream()
                .filter(f -> !f.isDeclaration()
                        && !called.contains(f.name())
                        && !f.sourceName().equals("main"))
                .filter(f -> Arrays.stream(new String[] {"_GLOBAL__", "__cxx"}).noneMatch(f.name()::startsWith))
                .max(Comparator.comparingInt(f -> f.instructions().size()))
                .map(IrFunction::name);
    }
}
