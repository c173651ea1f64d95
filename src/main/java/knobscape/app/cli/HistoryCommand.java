package knobscape.app.cli;

import static java.util.Objects.requireNonNull;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import knobscape.evaluate.UserError;
import knobscape.gpu.history.HistoryExport;
import knobscape.gpu.history.HistoryImport;
import knobscape.gpu.history.HistoryTasks;
import knobscape.project.NumberFormats;
import knobscape.project.UserHistory;
import knobscape.study.StudyArea;
import knobscape.work.history.HistoryRow;
import knobscape.work.history.HistoryTask;
import knobscape.work.history.TuningHistory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// `knobscape history`: what was measured in earlier runs, by device, layer group and task.
@Command(
        name = "history",
        description = "List the tuning history, add other programs' files to it, or export tasks of it.")
final class HistoryCommand extends Verb {
    /// The export forms of a task.
    enum Form {
        CACHE,
        T4,
        AUTOTVM,
        DB
    }

    @Parameters(
            arity = "0..*",
            paramLabel = "FILE",
            description =
                    "With --import: AutoTVM and TopHub logs, Kernel Tuner's caches and T4 files, Triton's *.autotune.json, CSV files of measured kernels, other histories (.db).")
    private List<Path> files = List.of();

    @Option(names = "--import", description = "Add the files to the history; what it has already is not added again.")
    private boolean adds;

    @Option(
            names = "--export",
            paramLabel = "FORM",
            description =
                    "Write what is selected: cache, t4 (both of Kernel Tuner) or autotvm, one task each; db, a history.")
    private Optional<Form> export = Optional.empty();

    @Option(names = "--out", paramLabel = "FILE", description = "File that --export writes.")
    private Optional<Path> out = Optional.empty();

    @Option(names = "--history", paramLabel = "DB", description = "Use this history instead of the user's own.")
    private Optional<Path> history = Optional.empty();

    @Option(names = "--device", paramLabel = "NAME", description = "Only this device.")
    private Optional<String> device = Optional.empty();

    @Option(names = "--group", paramLabel = "NAME", description = "Only this group of layers or kernels.")
    private Optional<String> group = Optional.empty();

    @Option(names = "--task", paramLabel = "ID", description = "Only the task of this number.")
    private Optional<Long> task = Optional.empty();

    @Mixin
    private ForceOption overwriting;

    HistoryCommand(CommandContext context) {
        super(context);
    }

    @Override
    public Integer call() {
        Path file = history.map(
                        h -> context().here().resolve(h).toAbsolutePath().normalize())
                .or(UserHistory::file)
                .orElseThrow(() -> new UserError("There is no tuning history; name one with --history."));
        if (adds) {
            return add(file);
        }
        if (!files.isEmpty()) {
            throw new UserError("Say what to do with " + files.getFirst() + ": --import adds it.");
        }
        if (!Files.isRegularFile(file) && history.isEmpty()) {
            if (isJson()) {
                print(json(file, List.of()));
            } else {
                out().println("No history yet in " + file + "; every run of explore and tune fills it.");
                out().flush();
            }
            return 0;
        }
        try (TuningHistory h = TuningHistory.existing(file)) {
            List<TuningHistory.StoredTuning> tasks =
                    h.tasks().stream().filter(this::isSelected).toList();
            if (export.isPresent()) {
                return export(h, tasks);
            }
            if (isJson()) {
                print(json(file, tasks));
            } else {
                list(file, tasks);
            }
            return 0;
        }
    }

    private boolean isSelected(TuningHistory.StoredTuning t) {
        return device.map(d -> d.equalsIgnoreCase(t.task().device())
                                || HistoryTasks.device(d).equals(t.task().device()))
                        .orElse(true)
                && group.map(g -> g.equals(t.task().group())).orElse(true)
                && task.map(n -> n == t.id()).orElse(true);
    }

    private int add(Path file) {
        if (files.isEmpty()) {
            throw new UserError("Name the files to import.");
        }
        ArrayNode done = JsonMapper.shared().createArrayNode();
        try (TuningHistory h = TuningHistory.open(file)) {
            for (Path f : files) {
                HistoryImport.ImportCount a =
                        HistoryImport.add(h, context().here().resolve(f).normalize());
                ObjectNode node = done.addObject()
                        .put("file", f.toString())
                        .put("read", a.read())
                        .put("added", a.added());
                a.left().forEach(node.putArray("left")::add);
                if (!isJson()) {
                    out().println(f + ": " + a.added() + " of " + a.read() + " measurements are new.");
                    a.left().forEach(l -> err().println("Note: " + l));
                }
            }
        }
        if (isJson()) {
            print(JsonMapper.shared().createObjectNode().set("imported", done));
        }
        out().flush();
        err().flush();
        return 0;
    }

    private int export(TuningHistory h, List<TuningHistory.StoredTuning> tasks) {
        Path target = context()
                .here()
                .resolve(out.orElseThrow(() -> new UserError("Name the file with --out.")))
                .toAbsolutePath()
                .normalize();
        if (tasks.isEmpty()) {
            throw new UserError("No task of the history matches; 'knobscape history' lists what there is.");
        }
        if (export.get() == Form.DB) {
            if (Files.exists(target)) {
                throw new UserError(target + " exists already; name a new file.");
            }
            h.copy(tasks, target);
        } else {
            if (tasks.size() > 1) {
                throw new UserError(tasks.size() + " tasks are selected; choose one with --task, for example --task "
                        + tasks.getFirst().id() + ".");
            }
            HistoryTask t = tasks.getFirst().task();
            List<HistoryRow> rows = h.rows(tasks.getFirst().id(), Long.MAX_VALUE);
            String text = switch (export.get()) {
                case CACHE -> HistoryExport.cache(t, rows);
                case T4 -> HistoryExport.t4(t, rows);
                default -> HistoryExport.autoTvm(t, rows);
            };
            overwriting
                    .guard()
                    .write(
                            requireNonNull(target.getParent()),
                            target.getFileName().toString(),
                            text);
            if (t.isModel()) {
                err().println("Note: these times are a model's, not measured.");
            }
        }
        err().println("Wrote " + target + ".");
        err().flush();
        return 0;
    }

    private void list(Path file, List<TuningHistory.StoredTuning> tasks) {
        var table = new TextTable(
                ">task",
                "area",
                "device",
                "group",
                "work",
                "template",
                "fused operators",
                ">rows",
                ">ran",
                ">best ms",
                "last");
        var day = DateTimeFormatter.ofPattern("yyyy-MM-dd", Locale.ROOT).withZone(ZoneId.systemDefault());
        for (TuningHistory.StoredTuning s : tasks) {
            HistoryTask t = s.task();
            table.add(
                    "" + s.id(),
                    t.area(),
                    t.device() + (t.isModel() ? " (model)" : ""),
                    t.group(),
                    t.words(),
                    t.template(),
                    t.tail(),
                    "" + s.rows(),
                    "" + s.ran(),
                    isInMilliseconds(s) ? NumberFormats.shortest(s.best()) : "",
                    s.last() == 0 ? "" : day.format(Instant.ofEpochSecond((long) s.last())));
        }
        out().print(table.text());
        out().println(tasks.stream().mapToLong(TuningHistory.StoredTuning::rows).sum() + " measurements of "
                + tasks.size() + " tasks in " + file);
        out().flush();
    }

    /// True if its best time is known and in milliseconds: studies have units of their own.
    private static boolean isInMilliseconds(TuningHistory.StoredTuning s) {
        return !Double.isNaN(s.best()) && !s.task().area().equals(StudyArea.KIND);
    }

    private static ObjectNode json(Path file, List<TuningHistory.StoredTuning> tasks) {
        ObjectNode root = JsonMapper.shared().createObjectNode().put("history", file.toString());
        ArrayNode list = root.putArray("tasks");
        for (TuningHistory.StoredTuning s : tasks) {
            HistoryTask t = s.task();
            ObjectNode node = list.addObject()
                    .put("task", s.id())
                    .put("area", t.area())
                    .put("device", t.device())
                    .put("driver", t.driver())
                    .put("source", t.isModel() ? "model" : "measured")
                    .put("group", t.group())
                    .put("subject", t.subject())
                    .put("words", t.words())
                    .put("template", t.template())
                    .put("tail", t.tail())
                    .put("rows", s.rows())
                    .put("ran", s.ran());
            if (isInMilliseconds(s)) {
                node.put("bestMs", s.best());
            }
        }
        return root;
    }
}
