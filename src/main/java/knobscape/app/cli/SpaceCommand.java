package knobscape.app.cli;

import static java.util.Objects.requireNonNull;

import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Stream;
import knobscape.evaluate.UserError;
import knobscape.evaluate.report.FileGuard;
import knobscape.gpu.source.TunableNetwork;
import knobscape.hls.HlsArea;
import knobscape.hls.HlsSettings;
import knobscape.hls.HlsWorkbench;
import knobscape.hls.space.DirectiveFile;
import knobscape.hls.space.StatedDesign;
import knobscape.project.Project;
import knobscape.study.StudyArea;
import knobscape.study.StudySettings;
import knobscape.study.StudyWorkbench;
import knobscape.work.WorkSettings;
import knobscape.work.parameter.Parameter;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// `knobscape space`: what was found in a kernel, and the space of its directives.
@Command(
        name = "space",
        description =
                "Show what was found in a kernel: functions, loops, arrays, knobs, and the size of the space before and after pruning.")
final class SpaceCommand extends Verb {
    @Parameters(
            paramLabel = "SOURCE",
            description =
                    "A C or C++ source file, a project folder, a file of results (CSV, a storage of Optuna, a cache of Kernel Tuner), a study, or a network (an .onnx, .json or .yaml file, zoo:resnet18).")
    private Path source;

    private static final ParameterOptions KERNEL = new ParameterOptions(HlsSettings.KERNEL);
    private static final ParameterOptions TABLE =
            new ParameterOptions(knobscape.work.parameter.Parameters.of(StudySettings.MAPPING));
    private static final ParameterOptions DIMS =
            new ParameterOptions(knobscape.work.parameter.Parameters.of(WorkSettings.DIMS));

    @Option(
            names = "--write-directives",
            arity = "0..1",
            fallbackValue = "",
            paramLabel = "FILE",
            description =
                    "Write the knobs as a commented YAML file (default: to standard output) that --directives reads.")
    private Optional<String> writeDirectives = Optional.empty();

    @Option(
            names = "--import",
            paramLabel = "FILE",
            description =
                    "Read a design decided elsewhere (a Tcl directive file, a configuration file .cfg, or the source with pragmas) and show it as knobs of this space, with what the space does not hold and the entries of a directive file that would; --write-directives writes the file with them.")
    private Optional<Path> imported = Optional.empty();

    @Option(names = "--out", paramLabel = "DIR", description = "Also write space.json into this folder.")
    private Optional<Path> out = Optional.empty();

    @Mixin
    private ForceOption overwriting;

    private SpaceCommand(CommandContext context) {
        super(context);
    }

    /// The verb with the options of a kernel's settings.
    static CommandSpec of(CommandContext context) {
        CommandSpec spec = CommandSpec.forAnnotatedObject(new SpaceCommand(context));
        KERNEL.addTo(spec, "Kernel");
        DIMS.addTo(spec, "Network");
        TABLE.addTo(spec, "Table");
        return spec;
    }

    /// The settings of a project's kernel, with a verb's options over them.
    static HlsSettings kernel(Verb verb, ParameterOptions options, Project project) {
        // A project of another kind says so.
        project.file().work(HlsSettings.class);
        var area = new HlsArea(verb.context().tools().get());
        return area.settings(verb.value(() -> ParameterOptions.work(
                        area,
                        project.file().both(),
                        project,
                        options.given(verb.spec().commandLine().getParseResult()),
                        verb.context().here()))
                .settings()
                .values());
    }

    @Override
    public Integer call() {
        Map<Parameter<?>, ParameterOptions.OptionUse> given =
                DIMS.given(spec().commandLine().getParseResult());
        Map<String, Long> dims = usage(() -> ParameterOptions.apply(
                        given, DIMS.parameters().usual(), context().here())
                .get(WorkSettings.DIMS));
        Optional<TunableNetwork> network =
                NetworkSpace.of(source, dims, context().here());
        if (network.isPresent()) {
            return network(network.get());
        }
        if (!dims.isEmpty()) {
            throw new UserError("--dim is for networks; " + source + " is none: leave it out.");
        }
        try (Project project = Project.open(context().here().resolve(source).normalize())) {
            if (project.file().work() instanceof StudySettings study) {
                return study(project, study);
            }
            columns().ifPresent(mapping -> {
                throw new UserError("--mapping is for tables of results; " + source + " is none: leave it out.");
            });
            HlsWorkbench bench = HlsWorkbench.open(
                    project, kernel(this, KERNEL, project), context().tools().get());
            FileGuard guard = guard(project, bench);
            Optional<StatedDesign> design = imported.map(
                    f -> bench.kernelWork().imported(context().here().resolve(f).normalize()));
            if (writeDirectives.isPresent()) {
                String plain = DirectiveFile.write(
                        bench.directives(),
                        bench.settings().part(),
                        OptionalDouble.of(bench.settings().clockNs()));
                String yaml = design.map(d -> d.widening().of(plain)).orElse(plain);
                if (writeDirectives.get().isEmpty()) {
                    out().print(yaml);
                    out().flush();
                    return 0;
                }
                Path file = context()
                        .here()
                        .resolve(writeDirectives.get())
                        .toAbsolutePath()
                        .normalize();
                guard.write(requireNonNull(file.getParent()), file.getFileName().toString(), yaml);
                err().println("Wrote " + file + ".");
            }
            if (design.isPresent()) {
                print(design.get());
                return 0;
            }
            var document = SpaceJson.of(bench);
            write(document, guard);
            if (isJson()) {
                print(document);
            } else {
                KernelSpace.print(bench, out(), err());
            }
            return 0;
        }
    }

    private void write(JsonNode document, FileGuard guard) {
        out.ifPresent(folder -> guard.write(
                context().here().resolve(folder).normalize(), "space.json", document.toPrettyString() + "\n"));
    }

    private int network(TunableNetwork network) {
        if (isJson()) {
            print(NetworkSpace.json(network));
        } else {
            NetworkSpace.print(network, out());
        }
        return 0;
    }

    /// Keeps the headers of the kernel too.
    private FileGuard guard(Project project, HlsWorkbench bench) {
        Path main = project.resolve(bench.settings().source());
        return overwriting
                .guard(project, bench.settings())
                .keeping(bench.kernel().sources().keySet().stream()
                        .flatMap(name -> Stream.of(Path.of(name), main.resolveSibling(name)))
                        .toList());
    }

    private void print(StatedDesign d) {
        if (isJson()) {
            var root = JsonMapper.shared().createObjectNode();
            root.put("design", d.configuration().id());
            var knobs = root.putObject("knobs");
            d.configuration().toMap().forEach(knobs::put);
            var left = root.putArray("left");
            d.left()
                    .forEach(l ->
                            left.addObject().put("directive", l.directive()).put("why", l.why()));
            var candidates = root.putArray("candidates");
            d.candidates().forEach(candidates::add);
            print(root);
            return;
        }
        var table = new TextTable("knob", "value");
        d.configuration().toMap().forEach(table::add);
        out().print(table.text());
        if (!d.left().isEmpty()) {
            out().println();
            out().println("Not in this design:");
            d.left().forEach(l -> out().println("  " + l.directive() + ": " + l.why()));
        }
        if (!d.candidates().isEmpty()) {
            out().println();
            out().println("Entries of a directive file that would hold it (--write-directives FILE writes them):");
            d.candidates().forEach(c -> out().println("  - " + c));
        }
        out().flush();
    }

    /// The mapping of a table's columns that was given.
    private Optional<Path> columns() {
        return TABLE.given(spec().commandLine().getParseResult()).values().stream()
                .map(v -> Path.of(v.values().getLast()))
                .findFirst();
    }

    private int study(Project project, StudySettings settings) {
        if (imported.isPresent() || writeDirectives.isPresent()) {
            throw new UserError(
                    project.name() + " is a study without a source of directives, so there are no directives to "
                            + (imported.isPresent() ? "read." : "write."));
        }
        StudySettings with = columns()
                .map(m -> settings.of(settings.values()
                        .with(StudySettings.MAPPING, context().here().resolve(m).toString())))
                .orElse(settings);
        StudyWorkbench bench = new StudyArea().open(with, project);
        var document = StudyForms.json(bench);
        write(document, overwriting.guard(project, with));
        if (isJson()) {
            print(document);
        } else {
            out().print(StudyForms.text(bench));
            out().flush();
            bench.warnings().forEach(w -> err().println("Note: " + w));
            err().flush();
        }
        return 0;
    }
}
