package knobscape.hls.export;

import static java.util.Objects.requireNonNull;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Function;
import knobscape.evaluate.UserError;
import knobscape.evaluate.report.FileGuard;
import knobscape.evaluate.report.FilePlan;
import knobscape.hls.source.Kernel;
import knobscape.hls.source.Location;
import knobscape.hls.source.SourceNote;
import knobscape.hls.space.DirectiveSpace;
import knobscape.space.Configuration;

/// Writes a design as files for the vendor's tool: a folder with the sources, the directives (as Tcl or inside
/// the sources) and a script that synthesises it. Files that it wrote before are replaced; others are left
/// alone, and where one of them is in the way nothing is written.
public final class HlsExporter {
    /// Name of the configuration file.
    public static final String CONFIG = "hls_config.cfg";
    /// Name of the file that says how a rewritten source differs.
    public static final String REWRITTEN = "rewritten.diff";

    private final Dialect dialect;
    private final Settings settings;
    private final FileGuard guard;

    /// The settings of the tool besides the design.
    ///
    /// @param part ordering name of the part (`xc7vx485tffg1761-2`)
    /// @param clockNs target clock period in nanoseconds
    /// @param implement whether the script runs implementation after C synthesis
    /// @param includeDirs folders that were searched for headers
    /// @param defines macros that were given from outside
    /// @param options what the tool is told else; the testbench by absolute paths
    /// @param project folder of the project; headers outside it and outside `includeDirs` are not copied
    public record Settings(
            String part,
            double clockNs,
            boolean implement,
            List<Path> includeDirs,
            Map<String, String> defines,
            Optional<Path> project,
            ToolOptions options) {
        /// Without options.
        public Settings(
                String part,
                double clockNs,
                boolean implement,
                List<Path> includeDirs,
                Map<String, String> defines,
                Optional<Path> project) {
            this(part, clockNs, implement, includeDirs, defines, project, ToolOptions.NONE);
        }

        /// For a source without a project.
        public Settings(
                String part, double clockNs, boolean implement, List<Path> includeDirs, Map<String, String> defines) {
            this(part, clockNs, implement, includeDirs, defines, Optional.empty());
        }

        public Settings {
            includeDirs = List.copyOf(includeDirs);
            defines = Map.copyOf(defines);
        }
    }

    /// The result of an export.
    ///
    /// @param files in the order written
    /// @param notes what a person should know: labels inserted, pragmas left, directives the tool has no words
    /// for
    public record ExportResult(List<Path> files, List<SourceNote> notes) {
        public ExportResult {
            files = List.copyOf(files);
            notes = List.copyOf(notes);
        }
    }

    /// The plan of an export.
    ///
    /// @param files with the sources that annotated copies were made from
    /// @param notes as of [Written]
    public record Plan(FilePlan files, List<SourceNote> notes) {
        /// Writes it.
        public ExportResult write() {
            return new ExportResult(files.write(), notes);
        }
    }

    /// Replaces nothing but what it wrote.
    public HlsExporter(Dialect dialect, Settings settings) {
        this(dialect, settings, FileGuard.standard());
    }

    public HlsExporter(Dialect dialect, Settings settings, FileGuard guard) {
        this.dialect = dialect;
        this.settings = settings;
        this.guard = guard;
    }

    /// Writes `directives.tcl`, `run_hls.tcl` and `src/`. Throws [knobscape.evaluate.UserError] where the
    /// folder cannot be written or a source has changed since it was read.
    public ExportResult tcl(DirectiveSpace space, Configuration configuration, Path folder) {
        return planTcl(space, configuration, folder).write();
    }

    /// The files that [#tcl] would write.
    public Plan planTcl(DirectiveSpace space, Configuration configuration, Path folder) {
        TclDirectives directives = new TclWriter(dialect, settings.options()).write(space, configuration);
        return plan(Sources.of(space, configuration), directives.source(), Optional.of(directives.text()), folder);
    }

    /// Writes `src/` with the directives as pragmas, and `run_hls.tcl`; errors as in [#tcl].
    public ExportResult pragmas(DirectiveSpace space, Configuration configuration, Path folder) {
        return planPragmas(space, configuration, folder).write();
    }

    /// The files that [#pragmas] would write.
    public Plan planPragmas(DirectiveSpace space, Configuration configuration, Path folder) {
        return plan(
                Sources.of(space, configuration),
                new PragmaWriter(dialect).write(space, configuration),
                Optional.empty(),
                folder);
    }

    /// The files written for the unified tools since 2024.2: `hls_config.cfg` and `src/`.
    public Plan planConfig(DirectiveSpace space, Configuration configuration, Path folder) {
        TclDirectives directives =
                new TclWriter(Dialect.VITIS_HLS, settings.options(), true).write(space, configuration);
        return plan(
                Sources.of(space, configuration),
                directives.source(),
                run -> Map.of(CONFIG, run.config(directives.text())),
                false,
                folder);
    }

    /// The work that is exported.
    ///
    /// @param disk the kernel as it lies on disk
    /// @param built the same, or rewritten
    /// @param clockNs the period of the design, where that is a knob
    private record Sources(Kernel disk, Kernel built, OptionalDouble clockNs) {
        static Sources of(DirectiveSpace space, Configuration configuration) {
            DirectiveSpace.Placed p = space.at(configuration);
            return new Sources(space.kernel(), p.space().kernel(), p.clockNs());
        }

        /// The rewriting, as a file beside the sources.
        Map<String, byte[]> diff() {
            return disk.text().equals(built.text())
                    ? Map.of()
                    : Map.of(
                            REWRITTEN,
                            SourceRewrites.diff(Path.of(disk.file()), disk.text(), built.text())
                                    .getBytes(StandardCharsets.UTF_8));
        }
    }

    private Plan plan(Sources kernel, AnnotatedSource source, Optional<String> directives, Path folder) {
        return plan(
                kernel,
                source,
                run -> {
                    var texts = new LinkedHashMap<String, String>();
                    directives.ifPresent(d -> texts.put("directives.tcl", d));
                    texts.put("run_hls.tcl", run.text());
                    return texts;
                },
                directives.isPresent(),
                folder);
    }

    private Plan plan(
            Sources sources,
            AnnotatedSource source,
            Function<ToolScript, Map<String, String>> texts,
            boolean directives,
            Path folder) {
        Kernel kernel = sources.built();
        SourceBundle bundle = SourceBundle.of(kernel, settings.includeDirs(), settings.project());
        Map<Path, byte[]> changed = changed(sources, source, bundle);
        ToolScript run = script(kernel, sources.clockNs(), bundle, directives);
        var files = new LinkedHashMap<String, byte[]>();
        var origins = new HashMap<String, String>();
        bundle.files().forEach((place, file) -> {
            files.put("src/" + slashes(place), changed.getOrDefault(place, file.encode(file.text())));
            if (changed.containsKey(place)) {
                origins.put("src/" + slashes(place), file.text());
            }
        });
        texts.apply(run).forEach((name, text) -> files.put(name, text.getBytes(StandardCharsets.UTF_8)));
        files.putAll(sources.diff());
        List<Path> read = bundle.files().values().stream().map(SourceFile::path).toList();
        var notes = new ArrayList<>(source.notes());
        bundle.left()
                .forEach(f -> notes.add(new SourceNote(
                        SourceNote.Severity.WARNING,
                        new Location(kernel.file(), 1, 1, 0, 0),
                        "'" + f
                                + "' is included but lies outside the project and was not copied; give"
                                + " its folder with -I")));
        return new Plan(new FilePlan(guard.keeping(read), folder, files, origins), notes);
    }

    private static Map<Path, byte[]> changed(Sources sources, AnnotatedSource source, SourceBundle bundle) {
        Kernel kernel = sources.built();
        Path main = Path.of(kernel.file()).toAbsolutePath().normalize();
        var bytes = new HashMap<Path, byte[]>();
        kernel.sources().forEach((name, text) -> {
            Optional<Path> place = (text.equals(kernel.text()) && name.equals(kernel.file())
                            ? Optional.of(main)
                            : SourceBundle.resolve(name, main))
                    .flatMap(bundle::placeOf);
            if (place.isEmpty()) {
                throw new UserError("The source '" + name
                        + "' is not where it was when it was read; open the project again before exporting.");
            }
            SourceFile file = requireNonNull(bundle.files().get(place.get()));
            String onDisk = sources.disk().sources().getOrDefault(name, text);
            file.mustBe(onDisk);
            String now = source.files().getOrDefault(name, text);
            if (!now.equals(onDisk)) {
                bytes.put(place.get(), file.encode(now));
            }
        });
        return bytes;
    }

    private ToolScript script(Kernel kernel, OptionalDouble clockNs, SourceBundle bundle, boolean directives) {
        var flags = new ArrayList<String>();
        bundle.includeFolders()
                .forEach(f -> flags.add("-I" + slashes(Path.of("src").resolve(f))));
        settings.defines().entrySet().stream()
                .sorted(Map.Entry.comparingByKey())
                .forEach(d -> flags.add("-D" + d.getKey() + (d.getValue().isEmpty() ? "" : "=" + d.getValue())));
        // The tool hands the flags on to make and a shell, whose rules for quotes differ by version and system.
        flags.addAll(settings.options().cFlags());
        flags.stream()
                .filter(f -> !ToolOptions.SAFE_FLAG.matcher(f).matches())
                .findFirst()
                .ifPresent(f -> {
                    throw new UserError("The compiler flag '" + f
                            + "' holds a character that the tool's shell could split or run; "
                            + (f.startsWith("-I") ? "rename the folder." : "define the macro in the source instead."));
                });
        return new ToolScript(
                dialect,
                kernel.top() + "_" + dialect.command(),
                kernel.top(),
                settings.part(),
                clockNs.orElse(settings.clockNs()),
                new ToolScript.Files(
                        bundle.compiled().stream()
                                .map(p -> slashes(Path.of("src").resolve(p)))
                                .toList(),
                        flags,
                        directives ? Optional.of("directives.tcl") : Optional.empty()),
                settings.implement(),
                settings.options());
    }

    private static String slashes(Path p) {
        return p.toString().replace('\\', '/');
    }
}
