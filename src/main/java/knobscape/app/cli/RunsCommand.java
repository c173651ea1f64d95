package knobscape.app.cli;

import java.nio.file.Path;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import knobscape.app.ui.designs.RunMemory;
import knobscape.app.ui.settings.Settings;
import knobscape.evaluate.UserError;
import knobscape.fusion.FusionSettings;
import knobscape.gpu.GpuSettings;
import knobscape.gpu.GpuWorkbench;
import knobscape.project.BackgroundRuns;
import knobscape.project.NumberFormats;
import knobscape.project.Project;
import knobscape.project.RunRecord;
import knobscape.project.RunReference;
import knobscape.project.RunStatus;
import knobscape.project.RunStore;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.json.JsonMapper;

/// `knobscape runs`: the stored runs of a project.
@Command(name = "runs", description = "List the stored runs of a project, or name, note or delete one.")
final class RunsCommand extends Verb {
    /// How a run stands that one process has left and the next has not begun with: a store that no process works on
    /// says of a running one that it was interrupted.
    private static final Set<RunStatus> BETWEEN =
            EnumSet.of(RunStatus.RUNNING, RunStatus.STOPPED, RunStatus.INTERRUPTED);
    /// So long may a run be between two processes: stopped in one, not yet noted for the other.
    private static final long HAND_OVER_NANOS = 5_000_000_000L;
    /// So long may the background process take to begin with a run that was noted for it.
    private static final long START_NANOS = 60_000_000_000L;

    @Parameters(
            arity = "0..1",
            paramLabel = "PROJECT",
            description = "A project folder or source file (default: the current folder).")
    private Path source = Path.of("");

    @Option(names = "--delete", paramLabel = "NUMBER", description = "Delete this run.")
    private Optional<Long> delete = Optional.empty();

    @Option(names = "--rename", paramLabel = "NUMBER=NAME", description = "Give this run a name.")
    private java.util.Map<Long, String> rename = new java.util.LinkedHashMap<>();

    @Option(
            names = "--note",
            paramLabel = "NUMBER=TEXT",
            description =
                    "Write a note about this run, which the window shows too; leave it empty after = to delete it.")
    private java.util.Map<Long, String> note = new java.util.LinkedHashMap<>();

    @Option(
            names = "--follow",
            description =
                    "Print a line whenever the newest run of the project makes progress, in this or any other process,"
                            + " until it ends.")
    private boolean follow;

    @Option(
            names = "--every",
            paramLabel = "SECONDS",
            defaultValue = "2",
            description = "How often --follow looks (default: ${DEFAULT-VALUE}).")
    private double every;

    RunsCommand(CommandContext context) {
        super(context);
    }

    @Override
    public Integer call() throws InterruptedException {
        Path folder = context().here().resolve(source).normalize();
        try (Project project = Project.open(folder)) {
            Settings memory = Settings.load(project.runsFolder().resolve(RunMemory.FILE));
            if (delete.isPresent() || !rename.isEmpty() || !note.isEmpty()) {
                RunStore store = project.lock();
                rename.forEach((id, name) -> store.rename(existing(project, id), name));
                note.forEach((id, words) -> new RunMemory(memory, existing(project, id)).keepAbout(words));
                memory.save();
                delete.ifPresent(id -> store.delete(existing(project, id)));
            }
            if (follow) {
                usage(() -> {
                    if (!(every >= 0.1 && every <= 3600)) {
                        throw new IllegalArgumentException("--every must be from 0.1 to 3600 seconds");
                    }
                    return every;
                });
                return follow(folder);
            }
            int damaged = 0;
            if (isJson()) {
                damaged = json(project, memory);
            } else {
                var listed = new AtomicInteger();
                damaged = pages(project, runs -> {
                    listed.addAndGet(runs.size());
                    if (runs.stream().allMatch(r -> r.work() instanceof GpuSettings)) {
                        tunings(project, runs, memory);
                    } else {
                        table(runs, memory);
                    }
                });
                if (listed.get() == 0) {
                    out().println("No runs yet in " + project.runsFolder() + ".");
                }
            }
            if (damaged > 0) {
                err().println("Note: " + damaged + (damaged == 1 ? " run is" : " runs are")
                        + " damaged and cannot be read; 'knobscape export' still exports the others.");
                err().flush();
            }
            out().flush();
            return 0;
        }
    }

    /// Every run of a project, some hundreds at a time; gives how many cannot be read.
    private static int pages(Project project, Consumer<List<RunRecord>> page) {
        return project.runs().map(store -> store.pages(page)).orElse(0);
    }

    /// Watches the active run, else the newest, from its store, which the process that runs it writes.
    /// A run that a window hands to the background is stopped and begins again there: that is not its end.
    private int follow(Path folder) throws InterruptedException {
        String before = "";
        boolean seen = false;
        long last = System.nanoTime();
        while (true) {
            RunRecord run;
            boolean active;
            try (Project project = Project.open(folder)) {
                List<RunRecord> runs = project.runs().map(RunStore::list).orElse(List.of());
                if (runs.isEmpty()) {
                    throw new UserError("There is no run to follow in " + project.runsFolder() + " yet.");
                }
                run = runs.reversed().stream()
                        .filter(r -> r.status() == RunStatus.RUNNING)
                        .findFirst()
                        .orElse(runs.getLast());
                active = run.status() == RunStatus.RUNNING && project.lockedBy().isPresent();
                boolean handed = isHandedOver(project, run);
                if (active) {
                    seen = true;
                    last = System.nanoTime();
                } else if (BETWEEN.contains(run.status()) && (seen || handed)) {
                    active = System.nanoTime() - last < (handed ? START_NANOS : HAND_OVER_NANOS);
                }
                String line = line(project, run);
                if (!line.equals(before)) {
                    out().println(line);
                    out().flush();
                    before = line;
                }
            }
            if (!active) {
                out().println(
                                run.status() == RunStatus.RUNNING || run.status() == RunStatus.INTERRUPTED
                                        ? "Interrupted: the process that ran it has ended; 'knobscape explore"
                                                + " --resume' continues."
                                        : "Ended, " + run.status().words()
                                                + (run.reason().isEmpty() ? "." : ": " + run.reason() + "."));
                out().flush();
                return run.status() == RunStatus.COMPLETED ? 0 : 1;
            }
            Thread.sleep(Math.round(1000 * every));
        }
    }

    /// True if the background process is to go on with a run.
    private static boolean isHandedOver(Project project, RunRecord run) {
        return BackgroundRuns.ofThisUser().list().stream()
                .anyMatch(e -> e.state() == BackgroundRuns.State.GOES_ON
                        && e.id() == run.id()
                        && e.project().equals(project.runsFolder()));
    }

    private static String line(Project project, RunRecord run) {
        long evaluated = project.runs().orElseThrow().results(run.id()).designs().stream()
                .filter(d -> !d.evaluations().isEmpty())
                .count();
        return run.title() + "  step " + run.settings().stepsDone(run.step(), "/") + "  " + evaluated + " designs"
                + (Double.isNaN(run.hypervolume())
                        ? ""
                        : String.format(Locale.ROOT, "  hypervolume %.4f", run.hypervolume()))
                + String.format(
                        Locale.ROOT,
                        "  %.2f %s",
                        run.toolSeconds() / 3600,
                        run.info().source().hours());
    }

    /// Runs that tune networks: what they reached is told by kernel, not by a hypervolume.
    private void tunings(Project project, List<RunRecord> runs, Settings memory) {
        var table = new TextTable(
                ">run", "name", "network", "method", ">seed", "device", "state", ">trials", "reason", "note");
        runs.forEach(r -> table.add(
                "" + r.id(),
                r.name(),
                r.work().source().replaceFirst("^zoo:", ""),
                r.settings().method(),
                "" + r.settings().seed(),
                r.settings().toolchain(),
                r.status().words(),
                "" + measurements(project, r),
                r.reason(),
                new RunMemory(memory, r.id()).about()));
        out().print(table.text());
    }

    /// How many measurements a run has, without what it knew before and without other tails.
    private static long measurements(Project project, RunRecord run) {
        return project.runs().orElseThrow().evaluations(run.id()).entrySet().stream()
                .filter(e -> e.getKey() < run.subjects().size()
                        && !run.subjects().get(e.getKey()).name().contains(GpuWorkbench.OTHER_TAIL))
                .mapToLong(Map.Entry::getValue)
                .sum();
    }

    private static long existing(Project project, long id) {
        return new RunReference(project.runsFolder(), Optional.of(id))
                .run(project)
                .id();
    }

    private void table(List<RunRecord> runs, Settings memory) {
        var time = DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm", Locale.ROOT).withZone(ZoneId.systemDefault());
        var table = new TextTable(
                ">run", "name", "method", ">seed", "state", ">steps", ">hypervolume", ">hours", "begun", "note");
        for (RunRecord r : runs) {
            table.add(
                    "" + r.id(),
                    r.title(),
                    r.settings().method(),
                    "" + r.settings().seed(),
                    r.status().words(),
                    isExact(r) ? "exact" : r.settings().stepsDone(r.step(), "/"),
                    isExact(r) ? "-" : NumberFormats.shortest(r.hypervolume()),
                    String.format(
                            Locale.ROOT,
                            r.info().source().isMeasured() ? "%.2f" : "%.2f simulated",
                            r.toolSeconds() / 3600),
                    time.format(r.created()),
                    new RunMemory(memory, r.id()).about());
        }
        out().print(table.text());
    }

    /// True if a run computed its answer without a search.
    private static boolean isExact(RunRecord r) {
        return r.work() instanceof FusionSettings f && f.isStrips();
    }

    private int json(Project project, Settings memory) {
        var root = JsonMapper.builder().build().createObjectNode();
        root.put("project", project.name());
        var list = root.putArray("runs");
        int damaged = pages(
                project,
                runs -> runs.forEach(r -> {
                    var node = list.addObject();
                    node.put("run", project.text(r.id()));
                    node.put("number", r.id());
                    node.put("name", r.name());
                    node.put("note", new RunMemory(memory, r.id()).about());
                    node.put("method", r.settings().method());
                    node.put("toolchain", r.settings().toolchain());
                    node.put("seed", r.settings().seed());
                    node.put("status", r.status().words());
                    node.put("reason", r.reason());
                    node.put("steps", Math.max(0, r.step()));
                    if (r.settings().hasSteps()) {
                        node.put("maxSteps", r.settings().steps());
                    } else {
                        node.putNull("maxSteps");
                    }
                    if (Double.isNaN(r.hypervolume())) {
                        node.putNull("hypervolume");
                    } else {
                        node.put("hypervolume", r.hypervolume());
                    }
                    if (r.work() instanceof GpuSettings g) {
                        node.put("network", g.source())
                                .put("device", r.settings().toolchain())
                                .put("measurements", measurements(project, r));
                    }
                    node.put("hours", r.toolSeconds() / 3600);
                    node.put("begun", r.created().toString());
                    node.put("command", r.command());
                }));
        print(root);
        return damaged;
    }
}
