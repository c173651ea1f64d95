package knobscape.app.ui.run;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import java.util.function.Supplier;
import javafx.beans.InvalidationListener;
import javafx.beans.property.BooleanProperty;
import javafx.beans.property.ReadOnlyBooleanProperty;
import javafx.beans.property.ReadOnlyBooleanWrapper;
import javafx.beans.property.ReadOnlyObjectProperty;
import javafx.beans.property.ReadOnlyObjectWrapper;
import javafx.beans.property.SimpleBooleanProperty;
import javafx.collections.FXCollections;
import javafx.collections.ObservableList;
import knobscape.app.ui.designs.RunMemory;
import knobscape.app.ui.message.Message;
import knobscape.app.ui.message.Messages;
import knobscape.app.ui.settings.Settings;
import knobscape.app.ui.task.Background;
import knobscape.app.ui.undo.UndoStack;
import knobscape.explore.RunEvent;
import knobscape.project.Project;
import knobscape.project.RunControl;
import knobscape.project.RunRecord;
import knobscape.project.RunResults;
import knobscape.project.Runner;
import knobscape.project.Session;
import knobscape.work.Area;
import knobscape.work.RunSettings;

/// The runs of the open project: which one is selected, what it is doing, and the verbs. Used from the JavaFX
/// thread; starting, reading and evaluating happen away from it.
public final class RunViewModel {
    private final Background background;
    private final Runner runner;
    private final RunQueue queue;
    private final Messages messages;
    private final UndoStack undo;
    private final RunPictures pictures;
    private final RunForm form;
    private final ReadOnlyObjectWrapper<Status> status = new ReadOnlyObjectWrapper<>(Status.idle(""));
    private final ReadOnlyObjectWrapper<Optional<RunRecord>> current = new ReadOnlyObjectWrapper<>(Optional.empty());
    private final RunNotes notes;
    private final ReadOnlyBooleanWrapper reading = new ReadOnlyBooleanWrapper();
    private final ReadOnlyBooleanWrapper best = new ReadOnlyBooleanWrapper();
    private final ObservableList<RunRecord> runs = FXCollections.observableArrayList();
    private final RunLog log = new RunLog();
    private final BooleanProperty askingStop = new SimpleBooleanProperty();
    private final Map<Long, LiveRun> live = new HashMap<>();
    private Optional<Session<?>> workbench = Optional.empty();
    private int generation;
    private final RunWatch watch;
    private Consumer<RunRecord> ending = r -> {};

    /// @param pictures shows the selected run
    /// @param form what the next run is to be
    public RunViewModel(
            Background background,
            Runner runner,
            Messages messages,
            UndoStack undo,
            RunPictures pictures,
            RunForm form) {
        this.background = background;
        this.runner = runner;
        this.messages = messages;
        this.undo = undo;
        this.pictures = pictures;
        this.form = form;
        this.queue = new RunQueue(
                background, runner, pictures, messages, this::take, status::set, this::begun, this::notBegun);
        this.watch = new RunWatch(background, pictures, this::watched);
        this.notes = new RunNotes(background);
        InvalidationListener turned = o -> shownNumber().ifPresent(notes::keepShown);
        current.addListener(turned);
        best.addListener(turned);
    }

    /// Shows the runs of a workbench just opened: the one shown when it was closed, else the best of all or the newest.
    public void open(Session<?> opened) {
        open(opened, () -> Settings.load(opened.project().runsFolder().resolve(RunMemory.FILE)));
    }

    /// The same where what the person did with the project was read already.
    public void open(Session<?> opened, Settings memory) {
        open(opened, () -> memory);
    }

    private void open(Session<?> opened, Supplier<Settings> memory) {
        if (workbench.isPresent()) {
            close();
        } else {
            // What was read of the project's runs before the project itself stays in sight until they are read.
            forget();
        }
        workbench = Optional.of(opened);
        reading.set(true);
        form.fill(opened);
        compute("Reading the runs failed", () -> Map.entry(memory.get(), StoredRuns.list(opened, pictures)), read -> {
            notes.open(read.getKey());
            runs.setAll(read.getValue());
            if (read.getValue().isEmpty()) {
                showBaseline();
            } else {
                StoredRuns.first(read.getValue(), notes.shown()).ifPresentOrElse(this::show, this::showBest);
            }
        });
    }

    /// Shows the best of all runs, where they can be taken together; else the newest.
    public void showBest() {
        if (!anyActive()) {
            status.set(Status.idle(""));
            showBest(() -> {});
        }
    }

    private void showBest(Runnable then) {
        workbench.ifPresent(w -> compute("The runs cannot be compared", () -> pictures.best(w), picture -> {
            if (anyActive() || runs.isEmpty() || picture.isEmpty()) {
                runs.stream().filter(r -> !anyActive()).reduce((a, b) -> b).ifPresent(r -> show(r.id()));
                return;
            }
            reading.set(false);
            current.set(Optional.empty());
            best.set(true);
            // Beside what has just happened to one of them.
            status.set(status.get().after("The best of " + runs.size() + " runs"));
            form.skipSeeds(runs);
            picture.get().show(Optional.empty(), true);
            then.run();
        }));
    }

    /// Reads the runs again and shows the best of all, then does something.
    public void reread(Runnable then) {
        workbench.ifPresent(w -> compute("Reading the runs failed", () -> StoredRuns.list(w, pictures), all -> {
            runs.setAll(all);
            current.set(Optional.empty());
            if (all.size() > 1) {
                showBest(then);
            } else {
                all.forEach(r -> show(r.id()));
            }
        }));
    }

    /// Reads the runs again; what is shown stays, with what was evaluated beside it since. Then does something.
    public void refresh(Runnable then) {
        if (current.get().isEmpty()) {
            reread(then);
        }
        Session<?> opened = workbench.orElseThrow();
        current.get()
                .map(RunRecord::id)
                .ifPresent(id -> compute(
                        "Reading the runs failed",
                        () -> Map.entry(StoredRuns.list(opened, pictures), StoredRuns.read(opened, id, pictures)),
                        read -> {
                            runs.setAll(read.getKey());
                            if (isCurrent(id) && !anyActive()) {
                                present(read.getValue(), false, Optional.empty());
                                then.run();
                            }
                        }));
    }

    /// True if the best of all runs is shown, not a single one.
    public ReadOnlyBooleanProperty best() {
        return best.getReadOnlyProperty();
    }

    /// Shows nothing. What runs is to be stopped by whoever closes the project.
    public void close() {
        forget();
        pictures.clear();
    }

    private void forget() {
        generation++;
        watch.leave();
        workbench = Optional.empty();
        reading.set(false);
        best.set(false);
        queue.forget();
        live.clear();
        runs.clear();
        log.clear();
        askingStop.set(false);
        current.set(Optional.empty());
        status.set(Status.idle(""));
    }

    /// Shows nothing, stops what runs, and gives the project back once that is stored.
    ///
    /// @param then done away from the screen after that
    public void leave(Runnable then) {
        Optional<Project> left = project();
        background.away(() -> {
            left.ifPresent(runner::stop);
            left.ifPresent(Project::close);
            then.run();
        });
        close();
    }

    /// Explores another space of the same project from the next run on; what is shown stays.
    public void use(Session<?> edited) {
        workbench = Optional.of(edited);
        if (shownNumber().isEmpty() && !reading.get()) {
            showBaseline();
        }
    }

    /// Before the first run the baseline alone is shown.
    private void showBaseline() {
        workbench.ifPresent(w -> {
            reading.set(false);
            Area.Work work = form.check(w.bench().settings()).stream()
                    .findFirst()
                    .orElseGet(() -> new Area.Work(
                            w.bench().settings(), w.project().file().run()));
            compute("The baseline cannot be evaluated", () -> pictures.before(w, work.run()), picture -> {
                if (shownNumber().isEmpty()) {
                    picture.show(Optional.empty(), true);
                }
            });
        });
    }

    /// Tells `listener` of every run that has ended, in this process or one that is watched.
    public void onEnd(Consumer<RunRecord> listener) {
        ending = listener;
    }

    /// The open project.
    public Optional<Project> project() {
        return workbench.map(Session::project);
    }

    /// Settings of the next run.
    public RunForm form() {
        return form;
    }

    /// The status in the bar at the bottom.
    public ReadOnlyObjectProperty<Status> status() {
        return status.getReadOnlyProperty();
    }

    /// The run examined.
    public ReadOnlyObjectProperty<Optional<RunRecord>> current() {
        return current.getReadOnlyProperty();
    }

    /// True if stored runs are being read, so that nothing can be said of them yet.
    public ReadOnlyBooleanProperty reading() {
        return reading.getReadOnlyProperty();
    }

    /// The person's notes on the runs.
    public RunNotes notes() {
        return notes;
    }

    /// The project's runs, oldest first.
    public ObservableList<RunRecord> runs() {
        return runs;
    }

    /// Lines of the log of the selected run, oldest first.
    public ObservableList<RunResults.LogLine> log() {
        return log.lines();
    }

    /// Number of the run shown, [RunMemory#ALL_RUNS] for the best of all; empty where none is.
    public OptionalLong shownNumber() {
        return best.get()
                ? OptionalLong.of(RunMemory.ALL_RUNS)
                : current.get().stream().mapToLong(RunRecord::id).findFirst();
    }

    /// Does something with the run that the log is of, once it is shown by itself.
    public void withLogged(Runnable then) {
        log.run().stream().filter(id -> best.get()).findFirst().ifPresentOrElse(id -> show(id, then), then);
    }

    /// True if the bar asks if the run shall really stop.
    public BooleanProperty askingStop() {
        return askingStop;
    }

    /// True if a run is being set up, of which the store does not know yet.
    public boolean isStarting() {
        return status.get().state() == RunState.STARTING;
    }

    /// Does something once the run that is being set up has begun; nothing where it cannot begin, which is said.
    public void afterStart(Runnable then) {
        if (isStarting()) {
            queue.afterStart(then);
        } else {
            then.run();
        }
    }

    /// True if some run of this process is active, or is about to be.
    public boolean anyActive() {
        return isStarting()
                || !queue.isEmpty()
                || watch.isActive()
                || live.values().stream().anyMatch(l -> l.state.isActive());
    }

    /// Starts what the form says, or shows the form where something in it is wrong.
    public void start() {
        workbench
                .filter(w -> !anyActive())
                .ifPresent(now -> start(form.check(now.bench().settings())));
    }

    /// Starts runs of the open project, one after the other; stopping one of them stops them all.
    public void start(List<Area.Work> works) {
        workbench.filter(w -> !anyActive()).ifPresent(w -> queue.start(w, works));
    }

    /// Continues: ends a pause, or continues a stored run from where it stands.
    public void resume() {
        if (watch.ask(RunControl.Wish.RESUME)) {
            return;
        }
        Optional<LiveRun> here = currentLive();
        if (here.isPresent() && here.get().state.isActive()) {
            set(here.get(), RunState.RUNNING);
            here.get().session.resume();
            return;
        }
        current.get()
                .filter(run -> workbench.isPresent() && !anyActive())
                .ifPresent(run -> resume(run, run.settings()));
    }

    void resume(RunRecord run, RunSettings settings) {
        queue.resume(workbench.orElseThrow(), run, settings);
    }

    /// Pictures of the selected run.
    RunPictures pictures() {
        return pictures;
    }

    private void begun(LiveRun.LiveStart b) {
        live.put(b.record().id(), b.live());
        runs.setAll(b.all());
        best.set(false);
        current.set(Optional.of(b.record()));
        log.show(b.record().id(), b.live().unread);
        b.live().unread.clear();
        b.live().newest.picture().show(current.get(), true);
        publish(b.live());
        b.live().newest.end().ifPresent(end -> ended(b.live(), end));
    }

    private boolean notBegun(Exception why) {
        status.set(Status.idle(""));
        current.get().map(RunRecord::id).ifPresent(id -> {
            current.set(Optional.empty());
            show(id);
        });
        return form.blames(why);
    }

    /// On the screen: takes what a batch of events changed.
    private void take(LiveRun l, RunNews news) {
        l.take(news);
        if (!live.containsValue(l)) {
            l.unread.addAll(news.lines());
            return;
        }
        if (isCurrent(l.session.id())) {
            log.add(news.lines());
            news.picture().show(current.get(), false);
            publish(l);
        }
        news.end().ifPresent(end -> ended(l, end));
    }

    private void ended(LiveRun l, RunEvent.Finished end) {
        if (isCurrent(l.session.id())) {
            askingStop.set(false);
        }
        if (end.ending() == RunEvent.Ending.STOPPED) {
            queue.clear();
        } else if (end.ending() == RunEvent.Ending.FAILED) {
            // Another seed would fail in the same way.
            queue.drop(l.session.settings().method());
            messages.show(Message.error(l.failure(end)));
        }
        compute(
                "Reading the runs failed",
                () -> StoredRuns.ended(l.session.opened(), l.session.id(), pictures),
                after -> {
                    runs.setAll(after.all());
                    after.run().filter(r -> isCurrent(r.id())).ifPresent(r -> current.set(Optional.of(r)));
                    after.problem().ifPresent(e -> messages.fail("The results of the run cannot be written", e));
                    after.show().run();
                    after.run().ifPresent(ending);
                    if (live.values().stream().anyMatch(x -> x.state.isActive())) {
                        return;
                    }
                    if (!queue.isEmpty()) {
                        workbench.ifPresent(queue::next);
                    } else if (l.state == RunState.COMPLETED && isCurrent(l.session.id())) {
                        form.skipSeeds(runs);
                        if (runs.size() > 1) {
                            showBest(() -> {});
                        }
                    }
                });
    }

    /// Asks for a pause.
    public void pause() {
        watch.ask(RunControl.Wish.PAUSE);
        currentLive().filter(l -> l.state == RunState.RUNNING).ifPresent(l -> {
            set(l, RunState.PAUSING);
            l.session.pause();
        });
    }

    /// Pauses a running run, ends the pause of a paused one.
    public void togglePause() {
        switch (status.get().state()) {
            case RUNNING -> pause();
            case PAUSING, PAUSED -> resume();
            default -> {}
        }
    }

    /// Asks whether the run shall really stop, or hides the question.
    public void askStop() {
        askingStop.set(!askingStop.get()
                && status.get().state().isActive()
                && status.get().state() != RunState.STOPPING);
    }

    /// Stops.
    public void stop() {
        askingStop.set(false);
        queue.clear();
        watch.ask(RunControl.Wish.STOP);
        currentLive().filter(l -> l.state.isActive()).ifPresent(l -> {
            set(l, RunState.STOPPING);
            l.session.stop();
        });
    }

    /// Shows what was asked for, before the session hears of it: its answer must not be overwritten.
    private void set(LiveRun l, RunState state) {
        l.state = state;
        publish(l);
    }

    /// Selects another run.
    public void show(long id) {
        show(id, () -> {});
    }

    private void show(long id, Runnable then) {
        if (workbench.isEmpty() || isCurrent(id)) {
            return;
        }
        Session<?> now = workbench.get();
        askingStop.set(false);
        LiveRun here = live.get(id);
        Optional<RunRecord> record = runs.stream().filter(r -> r.id() == id).findFirst();
        if (here != null && here.state.isActive() && record.isPresent()) {
            current.set(record);
            log.join(id);
            here.newest.picture().show(record, true);
            publish(here);
            then.run();
            return;
        }
        compute("The run cannot be read", () -> StoredRuns.read(now, id, pictures), shown -> {
            reading.set(false);
            present(shown, true, Optional.empty());
            then.run();
        });
    }

    /// Shows a stored run, which another process may still be working on.
    private void present(StoredRuns.RunContent shown, boolean anew, Optional<RunForecast.Range> left) {
        long id = shown.run().id();
        best.set(false);
        current.set(Optional.of(shown.run()));
        // What is stored is less than what was told while the run went on here.
        if (!anew || !log.run().equals(OptionalLong.of(id))) {
            log.show(id, shown.log());
        }
        shown.picture().show(current.get(), anew);
        LiveRun here = live.get(id);
        RunState state = here != null ? here.state : shown.state();
        status.set(Status.stored(state, shown.run(), shown.evaluated(), shown.limit(), left));
        if (anew) {
            workbench.ifPresent(
                    w -> form.fill(new Area.Work(shown.run().work(), shown.run().settings()), w.bench()));
            if (state == RunState.COMPLETED) {
                form.skipSeeds(runs);
            }
            workbench.filter(w -> here == null && state.isActive()).ifPresent(w -> watch.follow(w, shown));
        }
    }

    /// Another process got on with the run that is shown.
    private void watched(StoredRuns.RunContent shown, Optional<RunForecast.Range> left) {
        if (isCurrent(shown.run().id())) {
            present(shown, false, left);
        }
        if (!shown.state().isActive()) {
            askingStop.set(false);
            ending.accept(shown.run());
            reread(() -> {});
        }
    }

    /// Deletes a stored run; can be undone.
    public void delete(long id) {
        if (workbench.isEmpty() || (live.containsKey(id) && live.get(id).state.isActive())) {
            messages.show(Message.warning("A run in progress cannot be deleted; stop it first."));
            return;
        }
        Session<?> now = workbench.get();
        undo.perform(new UndoStack.Edit("delete run " + id, () -> change(now, id, true), () -> change(now, id, false)));
    }

    private void change(Session<?> now, long id, boolean delete) {
        compute(
                delete ? "The run cannot be deleted" : "The run cannot be brought back",
                () -> StoredRuns.change(now, id, delete, pictures),
                all -> {
                    runs.setAll(all);
                    if (delete && isCurrent(id)) {
                        current.set(Optional.empty());
                        if (all.isEmpty()) {
                            status.set(Status.idle(""));
                            log.clear();
                            pictures.clear();
                            showBaseline();
                        } else {
                            show(all.getLast().id());
                        }
                    } else if (!delete) {
                        show(id);
                    }
                });
    }

    private void publish(LiveRun l) {
        if (isCurrent(l.session.id())) {
            status.set(queue.counted(l.status()));
        }
    }

    private Optional<LiveRun> currentLive() {
        return current.get().map(r -> live.get(r.id()));
    }

    private boolean isCurrent(long id) {
        return current.get().filter(r -> r.id() == id).isPresent();
    }

    private <T> void compute(String problem, Callable<T> work, Consumer<T> then) {
        int asked = generation;
        background.compute(
                work,
                value -> {
                    if (asked == generation) {
                        then.accept(value);
                    }
                },
                e -> {
                    reading.set(false);
                    if (shownNumber().isEmpty()) {
                        pictures.clear();
                    }
                    messages.fail(problem, e);
                });
    }
}
