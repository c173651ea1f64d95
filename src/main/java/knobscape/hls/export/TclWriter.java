package knobscape.hls.export;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import knobscape.hls.source.Kernel;
import knobscape.hls.source.Loop;
import knobscape.hls.space.Directive;
import knobscape.hls.space.DirectiveSpace;
import knobscape.hls.space.KnobNames;
import knobscape.space.Configuration;

/// Writes a design as `set_directive_*` commands, the form in which designs are tried out.
///
/// A loop can only be named by its label, and a pragma in the source would speak beside the directive; so the
/// result carries the changed source too, where the original will not do.
public final class TclWriter {
    private final Dialect dialect;
    private final ToolOptions options;
    private final boolean config;

    /// For a tool that does nothing by itself.
    ///
    /// @param dialect tool to write for
    public TclWriter(Dialect dialect) {
        this(dialect, ToolOptions.NONE);
    }

    /// @param options say what the tool may do by itself
    public TclWriter(Dialect dialect, ToolOptions options) {
        this(dialect, options, false);
    }

    /// @param config whether lines of a configuration file are written in the place of commands
    TclWriter(Dialect dialect, ToolOptions options, boolean config) {
        this.dialect = dialect;
        this.options = options;
        this.config = config;
    }

    /// The directives of `configuration`. Throws [knobscape.evaluate.UserError] where the space does not fit
    /// the source.
    public TclDirectives write(DirectiveSpace space, Configuration configuration) {
        DirectiveSpace.Placed built = space.at(configuration);
        return write(
                ExportPlan.of(built.space(), built.configuration(), options.leavesPipelining(dialect)),
                "Design " + configuration.id() + " of " + space.kernel().top());
    }

    /// Commands of single directives, as they are typed, whatever the source has.
    public List<String> commands(Kernel kernel, List<Directive> directives) {
        var speller = new Speller(kernel, dialect, _ -> {});
        return directives.stream()
                .flatMap(d -> speller.spell(d).stream())
                .map(Spelling::tcl)
                .toList();
    }

    /// Exactly these directives.
    ///
    /// @param controlled whether pragmas about the knob of that name ([knobscape.hls.space.KnobNames]) must
    /// leave the source
    TclDirectives write(Kernel kernel, List<Directive> directives, Predicate<String> controlled) {
        return write(new ExportPlan(kernel, directives, controlled), "Directives of " + kernel.top());
    }

    private TclDirectives write(ExportPlan plan, String title) {
        Kernel kernel = plan.kernel();
        var annotator = new Annotator(kernel);
        var commands = new ArrayList<>(options.unasked(dialect, config));
        Map<String, Directive.Core> everywhere = dialect == Dialect.VITIS_HLS ? coreOfEveryProduct(plan) : Map.of();
        everywhere.forEach((operation, core) -> commands.add(
                config
                        ? "syn.op=op:" + operation + " impl:" + Speller.implementation(operation, core)
                        : "config_op " + operation + " -impl " + Speller.implementation(operation, core)));
        var speller = new Speller(kernel, dialect, annotator::note);
        var unsaid = new ArrayList<String>();
        var spelled = new ArrayList<Spelling>();
        for (Directive d : plan.directives()) {
            if (d instanceof Directive.BindMultiplier b
                    && (operations(kernel, b.function()).isEmpty()
                            || (everywhere.isEmpty() && speller.spell(b).isEmpty()))) {
                unsaid.add(KnobNames.multiplier(b.function()) + "="
                        + b.core().name().toLowerCase(Locale.ROOT));
            } else if (!(d instanceof Directive.BindMultiplier b
                    && everywhere.keySet().containsAll(operations(kernel, b.function())))) {
                spelled.addAll(speller.spell(d));
            }
        }
        var tool = new ToolNames(kernel);
        Map<Boolean, List<Spelling>> byName =
                annotator.sayable(spelled).stream().collect(Collectors.partitioningBy(s -> tool.isKnown(s.function())));
        requireNonNull(byName.get(true)).forEach(s -> commands.add(word(s)));
        List<Spelling> inside = requireNonNull(byName.get(false));
        annotator.label(loopsNamed(plan).stream()
                .filter(l -> tool.isKnown(l.function()))
                .toList());
        annotator.annotate(inside, plan.controlled());
        AnnotatedSource source = annotator.result();
        var text = new StringBuilder();
        text.append("# ")
                .append(title)
                .append(", for ")
                .append(dialect.words())
                .append(config ? ".\n" : ". Source it after set_part and create_clock.\n");
        source.insertedLabels()
                .forEach(id -> text.append("# Needs the label ")
                        .append(oneLine(id))
                        .append(", which the source lacks: use the labelled copy.\n"));
        if (!inside.isEmpty()) {
            text.append("# The tool cannot tell ")
                    .append(oneLine(
                            inside.stream().map(Spelling::function).distinct().collect(Collectors.joining(", "))))
                    .append(
                            " by name (overloads, namespaces or operators): what is said of them stands as pragmas in the copy of the source. Use it.\n");
        }
        List<String> inSource = inside.stream().map(this::word).toList();
        inSource.forEach(
                s -> text.append(DirectiveImport.IN_SOURCE).append(oneLine(s)).append('\n'));
        unsaid.forEach(
                u -> text.append(DirectiveImport.UNSAID).append(oneLine(u)).append('\n'));
        text.append(
                options.version().filter(v -> v.dialect() == dialect).isPresent()
                        ? "# Beyond what is said below, the tool does what version "
                                + options.version().get() + " does by itself.\n"
                        : dialect == Dialect.VITIS_HLS
                                ? "# Loops are pipelined and arrays are split only where it is said below.\n"
                                : "# Arrays are split only where it is said below.\n");
        commands.forEach(c -> text.append(c).append('\n'));
        return new TclDirectives(text.toString(), commands, inSource, source);
    }

    private String word(Spelling s) {
        return config ? s.config() : s.tcl();
    }

    /// A comment must not continue in the next line.
    private static String oneLine(String s) {
        return s.replaceAll("[\\p{Cntrl}\\\\]", "?");
    }

    private static List<Loop> loopsNamed(ExportPlan plan) {
        Set<String> ids = new LinkedHashSet<>();
        for (Directive d : plan.directives()) {
            switch (d) {
                case Directive.Pipeline p -> ids.add(p.loop());
                case Directive.Unroll u -> ids.add(u.loop());
                case Directive.Flatten f -> ids.add(f.loop());
                case Directive.Dataflow f -> ids.add(f.scope());
                default -> {}
            }
        }
        return plan.kernel().loops().stream().filter(l -> ids.contains(l.id())).toList();
    }

    private static Set<String> operations(Kernel kernel, String function) {
        var operations = new LinkedHashSet<String>();
        kernel.function(function).ifPresent(f -> f.multiplications().forEach(p -> operations.add(p.operation())));
        return operations;
    }

    /// Kinds of product that every function of the kernel binds alike: `config_op` sets them for the whole
    /// solution, which reaches products without a variable of their own too.
    private static Map<String, Directive.Core> coreOfEveryProduct(ExportPlan plan) {
        var cores = new LinkedHashMap<String, Set<Directive.Core>>();
        for (var function : plan.kernel().functions()) {
            Directive.Core core = plan.directives().stream()
                    .filter(d -> d instanceof Directive.BindMultiplier b
                            && b.function().equals(function.name()))
                    .map(d -> ((Directive.BindMultiplier) d).core())
                    .findFirst()
                    .orElse(Directive.Core.AUTO);
            operations(plan.kernel(), function.name())
                    .forEach(o ->
                            cores.computeIfAbsent(o, k -> new LinkedHashSet<>()).add(core));
        }
        var uniform = new LinkedHashMap<String, Directive.Core>();
        cores.forEach((operation, found) -> {
            if (found.size() == 1 && !found.contains(Directive.Core.AUTO)) {
                uniform.put(operation, found.iterator().next());
            }
        });
        return uniform;
    }
}
