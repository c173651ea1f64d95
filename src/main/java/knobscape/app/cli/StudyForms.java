package knobscape.app.cli;

import static java.util.Objects.requireNonNull;

import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import knobscape.evaluate.EvaluatorKind;
import knobscape.evaluate.Metric;
import knobscape.evaluate.Outcome;
import knobscape.evaluate.UserError;
import knobscape.gpu.history.HistoryExport;
import knobscape.project.Design;
import knobscape.project.Project;
import knobscape.project.ProjectFile;
import knobscape.project.RunResults;
import knobscape.space.Configuration;
import knobscape.space.Domain;
import knobscape.space.Knob;
import knobscape.study.StudyArea;
import knobscape.study.StudySettings;
import knobscape.study.StudyWorkbench;
import knobscape.study.evaluate.StudyTools;
import knobscape.study.export.StudyExporter;
import knobscape.study.source.Study;
import knobscape.study.source.StudyReader;
import knobscape.study.space.StudySpace;
import knobscape.work.history.HistoryRow;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/// The forms of `space` and `export` for studies alone.
final class StudyForms {
    private StudyForms() {}

    /// True if the words of another verb name a study, a table of results, a project of one, or the table as evaluator.
    static boolean isOne(CommandLine line, String... arguments) {
        Verb verb = requireNonNull(line.getSubcommands().get(arguments[0])).getCommand();
        CommandSpec study = requireNonNull(line.getSubcommands().get("study")).getCommandSpec();
        Optional<String> replayed = Optional.empty();
        for (int i = 1; i < arguments.length; i++) {
            String[] sides = arguments[i].split("=", 2);
            if (!arguments[i].startsWith("-")) {
                return names(verb.context().here(), arguments[i]);
            }
            OptionSpec option =
                    Optional.ofNullable(verb.spec().findOption(sides[0])).orElseGet(() -> study.findOption(sides[0]));
            String value = sides.length > 1
                    ? sides[1]
                    : option != null && option.arity().max() > 0 && i + 1 < arguments.length ? arguments[++i] : "";
            if (sides[0].equals("--resume")) {
                return names(verb.context().here(), value.replaceFirst(":\\d+$", ""));
            }
            replayed = sides[0].equals("--toolchain") ? EvaluatorKind.REPLAY.argument(value) : replayed;
        }
        return replayed.isPresent();
    }

    private static boolean names(Path here, String text) {
        if (StudyReader.isNamed(text)) {
            return true;
        }
        try {
            Path path = here.resolve(text).normalize();
            Path project = Files.isDirectory(path) ? path.resolve(ProjectFile.FILE_NAME) : path;
            return project.endsWith(ProjectFile.FILE_NAME)
                    ? Files.isRegularFile(project) && ProjectFile.read(project).work() instanceof StudySettings
                    : Files.isRegularFile(path) && new StudyArea().accepts(path);
        } catch (InvalidPathException | UserError e) {
            // The verb says what is wrong with it.
            return false;
        }
    }

    /// The file name of a study's form in a folder.
    static String fileName(ExportForm form) {
        return switch (form) {
            case HEADER -> "best.h";
            case COMMAND -> "best.sh";
            case TRITON -> "best.py";
            case VLLM -> "best.json";
            case CACHE -> "cache.json";
            case T4 -> "t4.json";
            default -> throw new IllegalArgumentException(form + " is no form of studies");
        };
    }

    /// A study in one of its forms: a configuration, by default the best, or everything measured.
    static String text(ExportForm form, Project project, RunResults results, Optional<Design> chosen) {
        if (!(results.run().work() instanceof StudySettings settings)) {
            throw new UserError("Run " + results.run().id()
                    + " is of no study; header, command, triton, vllm, cache and t4 are for studies.");
        }
        if (form == ExportForm.CACHE || form == ExportForm.T4) {
            return measurements(form, project, settings, results);
        }
        if (form == ExportForm.VLLM) {
            Study study = new StudyArea().open(settings, project).study();
            return StudyExporter.vllm(
                    study, chosen.map(d -> List.of(d.configuration())).orElseGet(() -> ranked(study, results)));
        }
        Design design = chosen.or(() -> results.front().stream().findFirst())
                .orElseThrow(() -> new UserError(
                        "Run " + results.run().id() + " measured nothing yet; name a configuration with --design."));
        String title =
                "Configuration #" + design.number() + " of run " + results.run().id() + " of " + project.name();
        if (form == ExportForm.HEADER) {
            return StudyExporter.header(title, design.configuration());
        }
        if (form == ExportForm.TRITON) {
            return "# " + title + "\n" + StudyExporter.triton(design.configuration());
        }
        Path file = project.resolve(settings.source());
        return "# " + title + "\n"
                + StudyExporter.commands(
                        new StudyArea().open(settings, project).study(),
                        file.resolveSibling(""),
                        design.configuration());
    }

    /// The measured configurations, the best by the first objective first.
    private static List<Configuration> ranked(Study study, RunResults results) {
        String name = study.objectives().getFirst();
        Metric objective = study.metrics().stream()
                .filter(m -> m.name().equals(name))
                .findFirst()
                .orElseThrow();
        return Design.ranked(results.designs(), objective);
    }

    /// Everything measured as a file of Kernel Tuner, whose times are in milliseconds.
    private static String measurements(ExportForm form, Project project, StudySettings settings, RunResults results) {
        StudyWorkbench bench = new StudyArea().open(settings, project);
        double scale = bench.study().metrics().stream()
                .filter(m -> m.name().equals("time"))
                .map(m -> StudyExporter.milliseconds(m.unit()))
                .flatMap(Optional::stream)
                .findFirst()
                .orElseThrow(
                        () -> new UserError(
                                "Files of Kernel Tuner hold times; the study needs a metric 'time' with the unit s, ms, us or ns."));
        List<HistoryRow> rows = results.designs().stream()
                .flatMap(d -> d.highest().stream())
                .map(e -> new HistoryRow(
                        e.configuration().text(),
                        e.outcome() instanceof Outcome.Measured m
                                        && m.value("time").isPresent()
                                ? new Outcome.Measured(
                                        Map.of("time", m.value("time").orElseThrow() * scale))
                                : e.outcome(),
                        e.costSeconds(),
                        0,
                        project.name()))
                .toList();
        if (rows.isEmpty()) {
            throw new UserError("Run " + results.run().id() + " measured nothing yet.");
        }
        String device = StudyTools.hardware(results.run().info()).orElse("unknown");
        return HistoryExport.ofStudy(
                form == ExportForm.CACHE, project.name(), device, bench.space().knobs(), rows);
    }

    /// A parameter with its values, or a range by its ends.
    static void put(Knob k, ObjectNode to) {
        to.put("name", k.name());
        if (k.domain() instanceof Domain.Numbers n) {
            to.put("from", n.values().getFirst())
                    .put("to", n.values().getLast())
                    .put("scale", n.isLogarithmic() ? "log" : "linear");
        } else {
            k.domain().labels().forEach(to.putArray("values")::add);
        }
    }

    /// The space of a study, as a document.
    static ObjectNode json(StudyWorkbench bench) {
        if (bench.table().isPresent()) {
            return MeasuredSpace.json(bench.table().get());
        }
        var root = JsonMapper.shared().createObjectNode();
        var knobs = root.putArray("knobs");
        bench.space().knobs().list().forEach(k -> put(k, knobs.addObject()));
        root.putObject("size")
                .put("full", bench.space().fullSize().toString())
                .put("pruned", bench.space().size().toString());
        bench.warnings().forEach(root.putArray("warnings")::add);
        return root;
    }

    /// The space of a study, for a person.
    static String text(StudyWorkbench bench) {
        if (bench.table().isPresent()) {
            return MeasuredSpace.text(bench.table().get());
        }
        var table = new TextTable("parameter", "values", "default");
        bench.study()
                .parameters()
                .forEach(p -> table.add(
                        p.name(), StudySpace.words(p.domain()), p.usual().orElse("")));
        return table.text() + "Configurations: " + bench.space().size()
                + (bench.study().constraints().isEmpty()
                        ? ""
                        : ", of " + bench.space().fullSize() + " without the constraints")
                + "\n";
    }
}
