package knobscape.app.ui;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import knobscape.app.system.Notifications;
import knobscape.app.ui.area.WindowArea;
import knobscape.app.ui.message.Message;
import knobscape.app.ui.message.Messages;
import knobscape.app.ui.run.RunViewModel;
import knobscape.app.ui.settings.Settings;
import knobscape.app.ui.task.Background;
import knobscape.evaluate.UserError;
import knobscape.project.BackgroundRuns;
import knobscape.project.BackgroundRuns.Entry;
import knobscape.project.Project;
import knobscape.project.RunRecord;
import knobscape.project.RunSession;
import knobscape.project.RunStatus;
import knobscape.project.Runner;
import knobscape.project.ThisProgram;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The fate of runs when the window closes, and of those of the last time; says when one has ended.
final class ShutdownHandler {
    private static final Logger LOG = LoggerFactory.getLogger(ShutdownHandler.class);

    private final Runner runner;
    private final BackgroundRuns runs;
    private final Background background;
    private final Messages messages;
    private final Settings settings;
    private Optional<BackgroundRuns.State> chosen = Optional.empty();
    private List<Entry> handed = List.of();

    ShutdownHandler(Runner runner, BackgroundRuns runs, Background background, Messages messages, Settings settings) {
        this.runner = runner;
        this.runs = runs;
        this.background = background;
        this.messages = messages;
        this.settings = settings;
    }

    /// Asks what shall become of what runs or is being set up, then closes the window; closes at once where nothing
    /// does.
    ///
    /// @param areas the runs of every area
    void ask(MainWindow main, List<RunViewModel> areas, Runnable close) {
        List<RunViewModel> starting =
                areas.stream().filter(RunViewModel::isStarting).toList();
        // A run may be known to the runner before the window hears that it has begun.
        int counted = starting.stream().mapToInt(r -> active(r).size()).sum();
        int active = runner.active().size() - counted + starting.size();
        if (active == 0) {
            close.run();
            return;
        }
        ask(
                main,
                active,
                "In the background it continues without the window, is found again at the next start,",
                state -> afterStart(state, starting, () -> {
                    chosen = state;
                    close.run();
                }));
    }

    private List<RunSession> active(RunViewModel runs) {
        return runs.project().map(runner::active).orElse(List.of());
    }

    /// Runs that are to go on must have begun; those that are to stop need not.
    private static void afterStart(Optional<BackgroundRuns.State> state, List<RunViewModel> starting, Runnable then) {
        if (state.isEmpty() || starting.isEmpty()) {
            then.run();
        } else {
            starting.getFirst().afterStart(() -> afterStart(state, starting.subList(1, starting.size()), then));
        }
    }

    /// Asks what shall become of the runs of an area, then closes what is open in it; closes at once where nothing
    /// runs or is being set up.
    ///
    /// @param open opens a project again
    void ask(MainWindow main, WindowArea area, Consumer<Path> open) {
        RunViewModel runs = area.runs();
        List<RunViewModel> starting = runs.isStarting() ? List.of(runs) : List.of();
        int active = Math.max(active(runs).size(), starting.size());
        if (active == 0) {
            area.close(() -> {});
            return;
        }
        ask(
                main,
                active,
                "In the background it continues while the project is closed,",
                state -> afterStart(state, starting, () -> {
                    List<Entry> entries = entries(active(runs), state);
                    area.close(() -> {
                        Optional<String> problem = give(entries);
                        background.onScreen(() -> problem.ifPresentOrElse(
                                p -> messages.show(Message.error(p)), () -> entries.forEach(e -> said(e, open))));
                    });
                }));
    }

    private void ask(MainWindow main, int active, String where, Consumer<Optional<BackgroundRuns.State>> then) {
        boolean one = active == 1;
        main.ask(
                one
                        ? "A run is active. What should happen to it?"
                        : active + " runs are active. What should happen to them?",
                where + " and 'knobscape runs --follow' shows it. "
                        + "What is being evaluated begins again there, or when it is continued; everything else is stored. Esc leaves everything as it is.",
                List.of(
                        new Question.Answer(
                                "background",
                                "Keep running in the background",
                                () -> then.accept(Optional.of(BackgroundRuns.State.GOES_ON))),
                        new Question.Answer(
                                "pause",
                                "Pause until the next start",
                                () -> then.accept(Optional.of(BackgroundRuns.State.PAUSED))),
                        new Question.Answer("stop", "Stop", () -> then.accept(Optional.empty()))));
    }

    private static List<Entry> entries(List<RunSession> active, Optional<BackgroundRuns.State> state) {
        return state.map(now -> active.stream()
                        .map(s -> Entry.of(now, s.opened(), s.id()))
                        .toList())
                .orElse(List.of());
    }

    /// Notes what is active, before it is stopped. Away from the screen.
    void note() {
        handed = entries(runner.active(), chosen);
    }

    /// Hands what was active to the background, after the projects were given back. Away from the screen.
    void handOver() {
        give(handed).ifPresent(problem -> {
            LOG.error("{}", problem);
            System.err.println(problem);
        });
    }

    /// Hands runs to the background; what went wrong.
    private Optional<String> give(List<Entry> entries) {
        try {
            entries.forEach(runs::put);
            if (entries.stream().anyMatch(e -> e.state() == BackgroundRuns.State.GOES_ON)) {
                runs.start();
            }
            return Optional.empty();
        } catch (UserError e) {
            return Optional.of(String.valueOf(e.getMessage()));
        }
    }

    /// Says what becomes of a run that was just handed over.
    private void said(Entry e, Consumer<Path> open) {
        background.compute(
                () -> found(e),
                found -> found.ifPresent(f -> {
                    if (e.state() == BackgroundRuns.State.GOES_ON) {
                        goesOn(f, open);
                    } else {
                        say(f, open);
                    }
                }),
                problem -> messages.fail("The runs in the background cannot be read", problem));
    }

    private void goesOn(BackgroundRun f, Consumer<Path> open) {
        messages.show(new Message(
                Message.Kind.DONE,
                f.name() + ": " + f.run().title() + " continues in the background.",
                Optional.of(
                        new Message.Action("Watch", () -> open.accept(f.entry().project())))));
    }

    /// Says what continues in the background, and what waits to be continued.
    void welcome(Consumer<Path> open) {
        background.compute(
                () -> runs.list().stream()
                        .map(this::found)
                        .flatMap(Optional::stream)
                        .toList(),
                all -> all.forEach(f -> say(f, open)),
                e -> messages.fail("The runs in the background cannot be read", e));
    }

    private record BackgroundRun(Entry entry, String name, RunRecord run, boolean active) {}

    private Optional<BackgroundRun> found(Entry e) {
        try (Project p = Project.open(e.project())) {
            Optional<RunRecord> run = p.runs().flatMap(r -> r.find(e.id()));
            boolean over = run.filter(r -> r.status() != RunStatus.COMPLETED).isEmpty();
            if (over && p.lockedBy().isEmpty()) {
                runs.remove(e);
                return Optional.empty();
            }
            return run.map(r -> new BackgroundRun(e, p.name(), r, r.status() == RunStatus.RUNNING));
        } catch (UserError problem) {
            // Its folder is gone, or another's now.
            runs.remove(e);
            return Optional.empty();
        }
    }

    private void say(BackgroundRun f, Consumer<Path> open) {
        String what = f.name() + ": " + f.run().title();
        String step = ", step " + f.run().settings().stepsDone(f.run().step(), " of ") + ".";
        Message message = f.active()
                ? new Message(
                        Message.Kind.DONE,
                        what + " continues in the background" + step,
                        Optional.of(new Message.Action(
                                "Watch", () -> open.accept(f.entry().project()))))
                : new Message(
                        Message.Kind.WARNING,
                        what
                                + (f.entry().state() == BackgroundRuns.State.PAUSED
                                        ? " is paused"
                                        : " was interrupted in the background")
                                + step,
                        Optional.of(new Message.Action("Continue in the background", () -> goOn(f, open))));
        messages.show(message);
    }

    private void goOn(BackgroundRun f, Consumer<Path> open) {
        Entry e = f.entry();
        background.compute(
                () -> {
                    runs.put(new Entry(BackgroundRuns.State.GOES_ON, e.verb(), e.id(), e.project()));
                    return runs.start();
                },
                p -> goesOn(f, open),
                problem -> messages.fail("The run cannot continue", problem));
    }

    /// True if a person wants to hear of finished runs.
    boolean notifies() {
        return !settings.get(Notifications.KEY).orElse("").equals("false");
    }

    /// Switches notifications on or off, and says so.
    void toggleNotifications() {
        boolean on = !notifies();
        settings.put(Notifications.KEY, Boolean.toString(on));
        messages.show(Message.done(
                on
                        ? "You will be notified when a run finishes."
                        : "You will no longer be notified when a run finishes."));
    }

    /// Tells a person that a run has ended, where the window is not looked at.
    ///
    /// @param looked whether the window has the keyboard
    void ended(String project, RunRecord run, boolean looked) {
        if (!notifies() || looked || run.status() == RunStatus.STOPPED) {
            return;
        }
        String words = Notifications.ended(project, run);
        background.compute(
                () -> Notifications.show(words, run.reason(), ThisProgram::onPath),
                shown -> {
                    if (!shown) {
                        messages.show(Message.done(words + (run.reason().isEmpty() ? "." : ": " + run.reason() + ".")));
                    }
                },
                e -> messages.fail("The desktop cannot be notified", e));
    }
}
