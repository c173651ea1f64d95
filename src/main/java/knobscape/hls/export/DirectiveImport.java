package knobscape.hls.export;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import knobscape.evaluate.InputFile;
import knobscape.evaluate.UserError;
import knobscape.hls.source.Function;
import knobscape.hls.source.Kernel;
import knobscape.hls.source.KernelReader;
import knobscape.hls.source.Location;
import knobscape.hls.source.Loop;
import knobscape.hls.source.Pragma;
import knobscape.hls.source.SourceEndings;
import knobscape.hls.source.ToolProject;
import knobscape.hls.space.DirectiveSpace;
import knobscape.hls.space.StatedDesign;

/// Reads a design that was decided elsewhere: a Tcl directive file, a configuration file (UG1399, v++ --mode hls), or
/// the source with pragmas.
///
/// A file that this program exported says everything: what it does not name is off. Other Tcl and configuration files
/// are taken as a tool takes them, beside the pragmas of the source.
public final class DirectiveImport {
    /// Begins a file that says everything.
    static final String COMPLETE = "# Design ";

    /// Before a knob that the form has no words for.
    static final String UNSAID = "# No words for: ";

    /// Before a directive that stands as a pragma in the copy of the source, with the kernel's names.
    static final String IN_SOURCE = "# Pragma in the source: ";

    private static final Pattern BINDING = Pattern.compile("multiplier@(.+)=(dsp|fabric)");
    private static final long LARGEST = 16L << 20;
    /// Options without a value.
    private static final Set<String> FLAGS = Set.of(
            "off",
            "rewind",
            "region",
            "recursive",
            "skip_exit_check",
            "enable_flush",
            "force",
            "object",
            "register",
            "disable_start_propagation",
            "port",
            "uram");
    /// Commands around directives that say nothing about the design.
    private static final Pattern FRAME = Pattern.compile(
            "open_project|open_solution|open_component|set_top|set_part|add_files|create_clock|set_clock_uncertainty|csynth_design|csim_design|cosim_design|export_design|exit|cd|source|puts|close_project|close_solution");

    /// Blanks between the words of a directive: not the one inside `operator ()`, which is one name.
    private static final String BETWEEN_WORDS = "(?<!\\boperator)\\s+";

    private final Kernel kernel;
    /// True if places are named as the kernel names them, not as a tool takes them.
    private boolean own;

    private final List<Pragma> stated = new ArrayList<>();
    private final List<StatedDesign.SkippedDirective> left = new ArrayList<>();

    private DirectiveImport(Kernel kernel) {
        this.kernel = kernel;
    }

    /// Reads a file as a design of a space. Throws [UserError] where it cannot be read or is none of the forms.
    ///
    /// @param reader reads sources
    /// @param options as the kernel of the space was read
    public static StatedDesign read(
            Path file, DirectiveSpace space, KernelReader reader, KernelReader.Options options) {
        var read = new DirectiveImport(space.kernel());
        String name = file.getFileName().toString().toLowerCase(Locale.ROOT);
        boolean complete;
        if (SourceEndings.isSource(file)) {
            read.source(reader.read(
                    file,
                    new KernelReader.Options(
                            Optional.of(space.kernel().top()),
                            options.includeDirs(),
                            options.defines(),
                            options.sources(),
                            List.of())));
            complete = true;
        } else {
            String text = text(file);
            complete = text.startsWith(COMPLETE);
            // The kernel's own names follow, which are no names to the tool.
            read.own = complete;
            String all = complete ? text.replace(IN_SOURCE, "") : text;
            if (name.endsWith(".tcl")) {
                read.tcl(file, all);
            } else if (name.endsWith(".cfg") || name.endsWith(".ini")) {
                read.config(all);
            } else {
                throw new UserError(file
                        + " is none of the files that designs are imported from: name a Tcl directive file (.tcl), a"
                        + " configuration file (.cfg), or the source with pragmas (.c, .cpp).");
            }
            if (complete) {
                read.unsaid(text);
            }
        }
        StatedDesign design = StatedDesign.of(space, read.stated, complete);
        var all = new ArrayList<>(read.left);
        all.addAll(design.left());
        return new StatedDesign(design.configuration(), all, design.candidates(), design.directives());
    }

    private static String text(Path file) {
        try {
            InputFile.requireRegular(file);
            return new String(InputFile.bytes(file, LARGEST), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UserError("Cannot read " + file + ": " + UserError.reason(e) + ".", e);
        }
    }

    // Forms

    private void source(Kernel annotated) {
        for (Pragma p : annotated.pragmas()) {
            boolean known = p.loop().map(l -> kernel.loop(l).isPresent()).orElse(true)
                    && (p.function().isEmpty() || kernel.function(p.function()).isPresent());
            if (known) {
                add(p);
            } else {
                leave(
                        p.raw(),
                        "stands in " + p.loop().orElse(p.function()) + ", which " + kernel.file() + " does not have");
            }
        }
    }

    private void tcl(Path file, String text) {
        var opened = new HashSet<String>();
        for (List<String> words : TclWords.commands(text)) {
            String command = words.getFirst();
            String raw = String.join(" ", words);
            // Directives of several solutions together are nobody's design.
            if (ToolProject.opensDesign(command) && !opened.add(command)) {
                leave(raw, "begins another design of the script, of which the first is read");
                break;
            }
            if (command.startsWith("set_directive_")) {
                tclDirective(command.substring("set_directive_".length()), words.subList(1, words.size()), raw);
            } else if (command.equals("config_op")
                    && words.size() >= 4
                    && words.get(2).equals("-impl")) {
                operation(words.get(1), words.get(3), raw);
            } else if (command.equals("config_compile")) {
                if (words.contains("-unsafe_math_optimizations")) {
                    leave(raw, "reorders floating-point operations, which is not modelled");
                }
                int loops = words.indexOf("-pipeline_loops") + 1;
                compile(loops > 0 && loops < words.size() ? words.get(loops) : "0", raw);
            } else if (!FRAME.matcher(command).matches() && !command.equals("config_array_partition")) {
                leave(raw, "is no directive");
            }
        }
        if (stated.isEmpty() && left.isEmpty() && !text.startsWith(COMPLETE)) {
            throw new UserError(file + " has no directives (set_directive_...).");
        }
    }

    private void tclDirective(String directive, List<String> words, String raw) {
        var options = new LinkedHashMap<String, String>();
        var bare = new ArrayList<String>();
        for (int i = 0; i < words.size(); i++) {
            String w = words.get(i);
            if (w.matches("-[A-Za-z_]\\w*")) {
                String key = w.substring(1).toLowerCase(Locale.ROOT);
                options.put(key, FLAGS.contains(key) || i + 1 == words.size() ? "" : words.get(++i));
            } else {
                bare.add(w);
            }
        }
        directive(directive, options, bare, raw);
    }

    private void config(String text) {
        for (String line : text.lines().map(String::strip).toList()) {
            int eq = line.indexOf('=');
            if (line.startsWith("#") || line.startsWith(";") || eq < 0) {
                continue;
            }
            String key = line.substring(0, eq).strip().toLowerCase(Locale.ROOT);
            String value = line.substring(eq + 1).replaceFirst("\\s+#.*$", "").strip();
            if (key.startsWith("syn.directive.")) {
                configDirective(key.substring("syn.directive.".length()), value, line);
            } else if (key.equals("syn.op")) {
                var parts = new LinkedHashMap<String, String>();
                for (String w : value.split("\\s+")) {
                    int colon = w.indexOf(':');
                    parts.put(colon < 0 ? w : w.substring(0, colon), colon < 0 ? "" : w.substring(colon + 1));
                }
                operation(parts.getOrDefault("op", ""), parts.getOrDefault("impl", ""), line);
            } else if (key.equals("syn.compile.pipeline_loops")) {
                compile(value, line);
            }
        }
    }

    private void configDirective(String directive, String value, String raw) {
        var options = new LinkedHashMap<String, String>();
        var bare = new ArrayList<String>();
        for (String w : value.split(BETWEEN_WORDS)) {
            int eq = w.indexOf('=');
            if (eq > 0) {
                options.put(w.substring(0, eq).toLowerCase(Locale.ROOT), w.substring(eq + 1));
            } else if (FLAGS.contains(w)
                    && !bare.isEmpty()
                    && kernel.array(bare.getFirst() + "/" + w).isEmpty()) {
                options.put(w, "");
            } else if (!w.isEmpty()) {
                bare.add(w);
            }
        }
        for (String named : List.of("variable", "port")) {
            Optional.ofNullable(options.remove(named)).ifPresent(bare::add);
        }
        if (options.getOrDefault("off", "").equals("false")) {
            options.remove("off");
        }
        directive(directive, options, bare, raw);
    }

    private void unsaid(String text) {
        text.lines()
                .filter(l -> l.startsWith(UNSAID))
                .map(l -> BINDING.matcher(l.substring(UNSAID.length())))
                .filter(m -> m.matches() && kernel.function(m.group(1)).isPresent())
                .forEach(m -> add(pragma(
                        "BIND_OP", Map.of("op", "mul", "impl", m.group(2)), Optional.empty(), m.group(1), m.group())));
    }

    // Meaning

    private void compile(String pipelineLoops, String raw) {
        if (!own && !pipelineLoops.equals("0")) {
            leave(raw, "lets the tool pipeline loops by itself; designs here say each loop");
        }
    }

    /// Binds an operation in every function that has it.
    private void operation(String operation, String implementation, String raw) {
        boolean found = false;
        for (Function f : kernel.functions()) {
            if (f.multiplications().stream().anyMatch(p -> p.operation().equals(operation))) {
                found = true;
                add(pragma(
                        "BIND_OP", Map.of("op", operation, "impl", implementation), Optional.empty(), f.name(), raw));
            }
        }
        if (!found) {
            leave(raw, "concerns an operation that is no knob here");
        }
    }

    private void directive(String name, Map<String, String> options, List<String> bare, String raw) {
        String directive = name.toUpperCase(Locale.ROOT);
        if (directive.equals("TOP")) {
            return; // Which function is the top is no directive of a design.
        }
        if (bare.isEmpty()) {
            leave(raw, "names no place");
            return;
        }
        String place = bare.getFirst().replaceFirst("\\boperator\\s*\\(\\s*\\)", "operator ()");
        if (bare.size() > 1) {
            options.put("variable", bare.get(1));
        }
        if (options.getOrDefault("memory_style", "").equals("uram")) {
            options.put("uram", "");
        }
        String function = place.contains("/") ? place.substring(0, place.indexOf('/')) : place;
        String label = place.substring(Math.min(place.length(), function.length() + 1));
        List<Function> functions = kernel.functions().stream()
                .filter(f -> (own ? ToolNames.unqualified(f.name()) : ToolNames.written(f.name())).equals(function))
                .toList();
        List<Loop> loops = functions.stream()
                .flatMap(f -> f.allLoops().stream())
                .filter(l -> l.label().equals(label))
                .toList();
        boolean ofLoop = place.contains("/") && !options.containsKey("variable");
        if (ofLoop ? loops.isEmpty() : functions.isEmpty()) {
            leave(raw, "names " + place + ", which " + kernel.file() + " does not have");
            return;
        }
        if (ofLoop) {
            loops.forEach(l -> add(pragma(directive, options, Optional.of(l.id()), l.function(), raw)));
        } else {
            functions.forEach(f -> add(pragma(directive, options, Optional.empty(), f.name(), raw)));
        }
    }

    private Pragma pragma(
            String directive, Map<String, String> options, Optional<String> loop, String function, String raw) {
        return new Pragma(directive, options, loop, function, new Location(kernel.file(), 1, 1, 0, 0), false, raw);
    }

    /// A memory of a port of the top function is said in its interface.
    private void add(Pragma p) {
        Map<String, String> o = p.options();
        if (o.containsKey("off") && p.directive().startsWith("ARRAY_")) {
            leave(p.raw(), "takes something back that is not there");
        } else if (p.directive().equals("INTERFACE") && o.containsKey("storage_impl")) {
            stated.add(pragma(
                    "BIND_STORAGE",
                    Map.of(
                            "variable",
                            o.getOrDefault("port", o.getOrDefault("variable", "")),
                            "type",
                            o.getOrDefault("storage_type", ""),
                            "impl",
                            o.getOrDefault("storage_impl", "")),
                    p.loop(),
                    p.function(),
                    p.raw()));
        } else {
            stated.add(p);
        }
    }

    private void leave(String directive, String why) {
        left.add(new StatedDesign.SkippedDirective(directive, why));
    }
}
