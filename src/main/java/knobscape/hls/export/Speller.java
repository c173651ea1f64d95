package knobscape.hls.export;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import knobscape.evaluate.UserError;
import knobscape.hls.export.Spelling.Option;
import knobscape.hls.export.Spelling.Place;
import knobscape.hls.source.ArrayVariable;
import knobscape.hls.source.Function;
import knobscape.hls.source.Kernel;
import knobscape.hls.source.Loop;
import knobscape.hls.source.Multiplication;
import knobscape.hls.source.SourceNote;
import knobscape.hls.space.Directive;
import knobscape.hls.space.Directive.Core;
import knobscape.hls.space.Directive.PartitionType;
import knobscape.hls.space.Directive.Storage;
import knobscape.hls.space.KnobNames;

/// Spells directives in one tool's dialect. Sources: UG902 (v2018.2) chapter 4, command reference; UG1399
/// (2020.2 to 2024.1), HLS pragmas and optimisation directives.
final class Speller {
    private final Kernel kernel;
    private final Dialect dialect;
    private final Consumer<SourceNote> notes;

    /// @param notes told about directives that the tool has no words for
    Speller(Kernel kernel, Dialect dialect, Consumer<SourceNote> notes) {
        this.kernel = kernel;
        this.dialect = dialect;
        this.notes = notes;
    }

    /// One spelling in most cases; several for a binding of many operations, none where the tool cannot be
    /// told. Throws [UserError] where the directive names a loop, array or function that the kernel lacks.
    List<Spelling> spell(Directive directive) {
        return switch (directive) {
            case Directive.Pipeline d ->
                List.of(inLoop(
                        "PIPELINE",
                        d.loop(),
                        KnobNames.pipeline(d.loop()),
                        !d.enabled()
                                ? List.of(Option.flag("off"))
                                : d.interval() > 0 ? List.of(number("II", d.interval())) : List.of()));
            case Directive.Unroll d ->
                List.of(inLoop(
                        "UNROLL",
                        d.loop(),
                        KnobNames.unroll(d.loop()),
                        d.factor() > 0 ? List.of(number("factor", d.factor())) : List.of()));
            case Directive.Flatten d ->
                List.of(inLoop("LOOP_FLATTEN", d.loop(), KnobNames.flatten(d.loop()), offUnless(d.enabled())));
            case Directive.Inline d -> {
                function(d.function());
                yield List.of(new Spelling(
                        "INLINE",
                        offUnless(d.enabled()),
                        d.function(),
                        ToolNames.unqualified(d.function()),
                        Optional.empty(),
                        new Place.InFunction(d.function()),
                        List.of(KnobNames.inline(d.function()))));
            }
            case Directive.PipelineFunction d ->
                List.of(new Spelling(
                        "PIPELINE",
                        d.interval() > 0 ? List.of(number("II", d.interval())) : List.of(),
                        function(d.function()).name(),
                        ToolNames.unqualified(d.function()),
                        Optional.empty(),
                        new Place.InFunction(d.function()),
                        List.of(KnobNames.functionPipeline(d.function()))));
            case Directive.MasterPort d -> List.of(port(d));
            case Directive.Fifo d ->
                List.of(onArray("STREAM", d.array(), List.of(number("depth", d.words())), KnobNames.fifo(d.array())));
            case Directive.Allocation d -> allocation(d);
            case Directive.Dataflow d -> List.of(dataflow(d));
            case Directive.Partition d ->
                List.of(onArray(
                        "ARRAY_PARTITION",
                        d.array(),
                        divided(d.type(), d.factor(), d.dimension()),
                        KnobNames.partitionType(d.array(), d.dimension()),
                        KnobNames.partitionFactor(d.array(), d.dimension())));
            case Directive.Reshape d ->
                List.of(onArray(
                        "ARRAY_RESHAPE",
                        d.array(),
                        divided(d.type(), d.factor(), d.dimension()),
                        KnobNames.reshape(d.array(), d.dimension())));
            case Directive.BindStorage d -> storage(d);
            case Directive.BindMultiplier d -> multipliers(d);
            case Directive.BindOperation d ->
                throw new IllegalArgumentException("no knob binds the operations of " + d.variable());
        };
    }

    private static Option number(String key, int value) {
        return new Option(key, Integer.toString(value));
    }

    private static List<Option> offUnless(boolean enabled) {
        return enabled ? List.of() : List.of(Option.flag("off"));
    }

    private Spelling inLoop(String command, String loopId, String knob, List<Option> options) {
        Loop loop = loop(loopId);
        return new Spelling(
                command,
                options,
                loop.function(),
                location(loop),
                Optional.empty(),
                new Place.InLoop(loopId),
                List.of(knob));
    }

    private Spelling dataflow(Directive.Dataflow d) {
        List<String> knobs = List.of(KnobNames.dataflow(d.scope()));
        if (kernel.loop(d.scope()).isPresent()) {
            Loop loop = loop(d.scope());
            return new Spelling(
                    "DATAFLOW",
                    List.of(),
                    loop.function(),
                    location(loop),
                    Optional.empty(),
                    new Place.InLoop(d.scope()),
                    knobs);
        }
        function(d.scope());
        return new Spelling(
                "DATAFLOW",
                List.of(),
                d.scope(),
                ToolNames.unqualified(d.scope()),
                Optional.empty(),
                new Place.InFunction(d.scope()),
                knobs);
    }

    private List<Option> divided(PartitionType type, int factor, int dimension) {
        var options = new ArrayList<Option>();
        options.add(new Option("type", type.name().toLowerCase(Locale.ROOT), dialect == Dialect.VIVADO_HLS));
        if (type != PartitionType.COMPLETE) {
            options.add(number("factor", factor));
        }
        options.add(number("dim", dimension));
        return options;
    }

    private Spelling onArray(String command, String arrayId, List<Option> options, String... knobs) {
        ArrayVariable array = array(arrayId);
        Function home = home(array);
        return new Spelling(
                command,
                options,
                home.name(),
                ToolNames.unqualified(home.name()),
                Optional.of(variable(array)),
                place(array, home),
                List.of(knobs));
    }

    /// The port with everything else that the source says of it.
    private Spelling port(Directive.MasterPort d) {
        var options = new ArrayList<Option>();
        options.add(new Option("mode", "m_axi", dialect == Dialect.VIVADO_HLS));
        kernel.masterPort(array(d.array()))
                .ifPresent(p -> new TreeMap<>(p.options()).forEach((key, value) -> {
                    if (!Set.of("mode", "port").contains(key) && !d.options().containsKey(key)) {
                        options.add(new Option(key, value));
                    }
                }));
        new TreeMap<>(d.options()).forEach((key, value) -> options.add(new Option(key, value)));
        return onArray(
                "INTERFACE",
                d.array(),
                options,
                KnobNames.bundle(d.array()),
                KnobNames.burst(d.array()),
                KnobNames.outstanding(d.array()));
    }

    /// One limit for each kind of multiplication.
    private List<Spelling> allocation(Directive.Allocation d) {
        return function(d.function()).multiplications().stream()
                .map(Multiplication::operation)
                .distinct()
                .map(operation -> new Spelling(
                        "ALLOCATION",
                        List.of(new Option("type", "operation", true), number("limit", d.units())),
                        d.function(),
                        ToolNames.unqualified(d.function()),
                        Optional.of(operation),
                        new Place.InFunction(d.function()),
                        List.of(KnobNames.allocation(d.function()))))
                .toList();
    }

    private List<Spelling> storage(Directive.BindStorage d) {
        if (d.storage() == Storage.AUTO) {
            return List.of();
        }
        String knob = KnobNames.storage(d.array());
        if (dialect == Dialect.VIVADO_HLS) {
            return List.of(onArray(
                    "RESOURCE",
                    d.array(),
                    switch (d.storage()) {
                        case BRAM_1P -> List.of(new Option("core", "RAM_1P_BRAM"));
                        case BRAM_2P, BRAM_1WNR -> List.of(new Option("core", "RAM_2P_BRAM"));
                        case LUTRAM -> List.of(new Option("core", "RAM_2P_LUTRAM"));
                        // the pragma says `core=XPM_MEMORY uram`, the Tcl command `-core XPM_MEMORY
                        // -memory_style uram`
                        case URAM ->
                            List.of(new Option("core", "XPM_MEMORY"), new Option("memory_style", "uram", true));
                        case AUTO -> throw new IllegalStateException("handled above");
                    },
                    knob));
        }
        String type =
                d.storage() == Storage.BRAM_1P ? "ram_1p" : d.storage() == Storage.BRAM_1WNR ? "ram_1wnr" : "ram_2p";
        String implementation = switch (d.storage()) {
            case BRAM_1P, BRAM_2P, BRAM_1WNR -> "bram";
            case LUTRAM -> "lutram";
            case URAM -> "uram";
            case AUTO -> throw new IllegalStateException("handled above");
        };
        ArrayVariable array = array(d.array());
        boolean topArgument = array.scope() == ArrayVariable.Scope.PARAMETER
                && array.function().equals(kernel.top());
        return List.of(
                topArgument
                        ? onArray(
                                "INTERFACE",
                                d.array(),
                                List.of(
                                        new Option("mode", "ap_memory"),
                                        new Option("storage_type", type),
                                        new Option("storage_impl", implementation)),
                                knob)
                        : onArray(
                                "BIND_STORAGE",
                                d.array(),
                                List.of(new Option("type", type), new Option("impl", implementation)),
                                knob));
    }

    private List<Spelling> multipliers(Directive.BindMultiplier d) {
        Function function = function(d.function());
        if (d.core() == Core.AUTO) {
            return List.of();
        }
        var spelled = new ArrayList<Spelling>();
        for (Multiplication p : function.multiplications()) {
            if (p.variable().isEmpty()) {
                notes.accept(new SourceNote(
                        SourceNote.Severity.WARNING,
                        p.statement(),
                        "a product in " + d.function() + " cannot be bound to " + words(d.core())
                                + " because it has no variable of its own; assign it to a variable first"));
                continue;
            }
            String variable = p.variable().get();
            List<Option> options = dialect == Dialect.VIVADO_HLS
                    ? List.of(new Option("core", vivadoCore(p.operation(), d.core())))
                    : List.of(
                            new Option("op", p.operation()),
                            new Option("impl", implementation(p.operation(), d.core())));
            var s = new Spelling(
                    dialect == Dialect.VIVADO_HLS ? "RESOURCE" : "BIND_OP",
                    options,
                    d.function(),
                    ToolNames.unqualified(d.function()),
                    Optional.of(variable),
                    new Place.AfterStatement(p.statement()),
                    List.of(KnobNames.multiplier(d.function())));
            if (spelled.stream().noneMatch(o -> o.tcl().equals(s.tcl()))) {
                spelled.add(s);
            }
        }
        return spelled;
    }

    private static String words(Core core) {
        return core == Core.DSP ? "DSP blocks" : "LUTs";
    }

    /// Value of `-impl` for a multiplication: floating-point cores have three uses of DSP blocks, of which the
    /// full one is meant.
    static String implementation(String operation, Core core) {
        return core == Core.FABRIC ? "fabric" : operation.equals("mul") ? "dsp" : "fulldsp";
    }

    private static String vivadoCore(String operation, Core core) {
        if (operation.equals("mul")) {
            return core == Core.FABRIC ? "Mul_LUT" : "DSP48";
        }
        return operation.substring(0, 1).toUpperCase(Locale.ROOT) + "Mul_"
                + (core == Core.FABRIC ? "nodsp" : "fulldsp");
    }

    private Loop loop(String id) {
        return kernel.loop(id).orElseThrow(() -> unknown("loop", id));
    }

    private Function function(String name) {
        return kernel.function(name).orElseThrow(() -> unknown("function", name));
    }

    private ArrayVariable array(String id) {
        return kernel.array(id).orElseThrow(() -> unknown("array", id));
    }

    private UserError unknown(String kind, String name) {
        return new UserError("The design has a directive for the " + kind + " '" + name + "', which " + kernel.file()
                + " does not have; it belongs to another version of the source.");
    }

    static String location(Loop loop) {
        return ToolNames.unqualified(loop.function()) + "/" + loop.label();
    }

    /// The function whose scope the directive names. A global array belongs to none, so the outermost function
    /// that uses it serves.
    private Function home(ArrayVariable array) {
        if (!array.function().isEmpty()) {
            return function(array.function());
        }
        return kernel.functions().reversed().stream()
                .filter(f -> f.body().allAccesses().anyMatch(a -> a.array().equals(array.id())))
                .findFirst()
                .orElseGet(kernel::topFunction);
    }

    /// The array as written in its function: a member keeps its variable's name (`buffer.data`), except `this`.
    static String variable(ArrayVariable array) {
        return array.id().substring(array.id().indexOf('/') + 1).replaceFirst("^this\\.", "");
    }

    private Place place(ArrayVariable array, Function home) {
        boolean inside = array.location().file().equals(home.bodyStart().file())
                && array.location().offset() >= home.bodyStart().offset();
        return switch (array.scope()) {
            case LOCAL, STREAM -> new Place.AfterDeclaration(array.id());
            case MEMBER -> inside ? new Place.AfterDeclaration(array.id()) : new Place.InFunction(home.name());
            case PARAMETER, GLOBAL -> new Place.InFunction(home.name());
        };
    }
}
