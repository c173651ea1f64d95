package knobscape.app.cli;

import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiFunction;
import knobscape.app.system.Notifications;
import knobscape.app.ui.settings.Settings;
import knobscape.evaluate.UserError;
import knobscape.project.BackgroundRuns;
import knobscape.project.BackgroundRuns.Entry;
import knobscape.project.Project;
import knobscape.project.RunRecord;
import knobscape.project.RunStatus;
import knobscape.project.ThisProgram;
import picocli.CommandLine.Command;

/// `knobscape background`: works on the runs that a window handed over when it was closed, until all have ended. One
/// for each user.
@Command(
        name = "background",
        description =
                "Continue the runs that the window handed over when it was closed. The window starts this by itself; one process works for each user, and ends with the last run.")
final class BackgroundCommand extends Verb {
    private static final long LOOK_MILLIS = 500;
    /// An earlier process may be about to end.
    private static final int TRIES = 8;

    BackgroundCommand(CommandContext context) {
        super(context);
    }

    @Override
    public Integer call() throws Exception {
        BackgroundRuns runs = BackgroundRuns.ofThisUser();
        Optional<AutoCloseable> right = runs.take();
        for (int i = 0; i < TRIES && right.isEmpty(); i++) {
            Thread.sleep(LOOK_MILLIS);
            right = runs.take();
        }
        if (right.isEmpty()) {
            err().println("Another process works on the runs in the background; it takes these too.");
            err().flush();
            return 0;
        }
        try (AutoCloseable _ = right.get()) {
            work(runs);
        }
        return 0;
    }

    private void work(BackgroundRuns runs) throws InterruptedException {
        // A system that shuts down stops the runs; they are found again at the next start.
        var ending = new AtomicBoolean();
        var hook = Thread.ofPlatform().unstarted(() -> ending.set(true));
        Runtime.getRuntime().addShutdownHook(hook);
        Set<Entry> active = ConcurrentHashMap.newKeySet();
        Set<Entry> begun = ConcurrentHashMap.newKeySet();
        while (true) {
            for (Entry e : runs.list()) {
                if (e.state() == BackgroundRuns.State.GOES_ON && !active.contains(e) && begun.add(e)) {
                    active.add(e);
                    Thread.ofPlatform().name("background-" + e.id()).start(() -> {
                        try {
                            int code = resume(e);
                            if (!ending.get()) {
                                // One that could not be resumed is offered to the person again.
                                if (code == 0
                                        || status(e)
                                                .filter(s -> s == RunStatus.FAILED)
                                                .isPresent()) {
                                    runs.remove(e);
                                } else {
                                    runs.put(new Entry(BackgroundRuns.State.PAUSED, e.verb(), e.id(), e.project()));
                                }
                                begun.remove(e);
                                tell(e);
                            }
                        } finally {
                            active.remove(e);
                        }
                    });
                }
            }
            if (active.isEmpty()) {
                return;
            }
            Thread.sleep(LOOK_MILLIS);
        }
    }

    private int resume(Entry e) {
        err().println("Resuming " + e.reference());
        err().flush();
        return Main.execute(
                new CommandContext(
                        context().tools(), context().runners(), context().here(), false),
                out(),
                err(),
                e.verb(),
                "--resume",
                e.reference());
    }

    private static Optional<RunStatus> status(Entry e) {
        return read(e, (_, run) -> run.status());
    }

    private static void tell(Entry e) {
        if (Settings.load(Settings.defaultFile())
                .get(Notifications.KEY)
                .orElse("")
                .equals("false")) {
            return;
        }
        read(
                e,
                (project, run) -> run.status() != RunStatus.STOPPED
                        && Notifications.show(
                                Notifications.ended(project.name(), run), run.reason(), ThisProgram::onPath));
    }

    /// Empty where the run cannot be read, which it has said itself.
    private static <T> Optional<T> read(Entry e, BiFunction<Project, RunRecord, T> reader) {
        try (Project project = Project.open(e.project())) {
            return project.runs().flatMap(r -> r.find(e.id())).map(run -> reader.apply(project, run));
        } catch (UserError problem) {
            return Optional.empty();
        }
    }
}
