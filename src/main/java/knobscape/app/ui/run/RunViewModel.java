package knobscape.app.ui.run;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import javafx.beans.property.BooleanProperty;
import javafx.beans.property.ReadOnlyObjectProperty;
import javafx.beans.property.ReadOnlyObjectWrapper;
import javafx.beans.property.SimpleBooleanProperty;
import javafx.collections.FXCollections;
import javafx.collections.ObservableList;
import knobscape.app.ui.designs.DesignFold;
import knobscape.app.ui.designs.DesignSet;
import knobscape.app.ui.designs.Quantity;
import knobscape.app.ui.designs.Results;
import knobscape.app.ui.message.Message;
import knobscape.app.ui.message.Messages;
import knobscape.app.ui.plot.Curves;
import knobscape.app.ui.task.Background;
import knobscape.app.ui.undo.UndoStack;
import knobscape.evaluate.UserError;
import knobscape.explore.Objectives;
import knobscape.explore.RunEvent;
import knobscape.project.Opened;
import knobscape.project.RunRecord;
import knobscape.project.RunSession;
import knobscape.project.Runner;
import knobscape.work.Area;
import knobscape.work.RunSettings;
import knobscape.work.WorkSettings;
import knobscape.work.Workbench;

/// The runs of the open project: which one is selected, what it is doing, and the verbs. Used from the JavaFX
/// thread; starting, reading and evaluating happen away from it.
public final class RunViewModel {
    private static final int MOST_LINES = 2_000;

    /// What the bar at the bottom says.
    ///
    /// @param state what the run is doing
    /// @param words a sentence on the state; while running, what is in flight
    /// @param figures step, tool hours, algorithm time, one text each
    /// @param share of the run that is done, 0 to 1; NaN where unknown
    public record Status(RunState state, String words, List<String> figures, double share) {}

    private final Background background;
    private final Runner runner;
    private final Messages messages;
    private final UndoStack undo;
    private final Results results;
    private final RunForm form;
    private final ReadOnlyObjectWrapper<Status> status = new ReadOnlyObjectWrapper<>(idle(""));
    private final ReadOnlyObjectWrapper<Optional<RunRecord>> current = new ReadOnlyObjectWrapper<>(Optional.empty());
    private final ReadOnlyObjectWrapper<Curves> curves = new ReadOnlyObjectWrapper<>(Curves.none());
    private final ObservableList<RunRecord> runs = FXCollections.observableArrayList();
    private final ObservableList<String> log = FXCollections.observableArrayList();
    private final BooleanProperty askingStop = new SimpleBooleanProperty();
    private final Map<Long, Live> live = new HashMap<>();
    private Optional<Opened<?>> workbench = Optional.empty();
    private List<Curves.Curve> otherCurves = List.of();
    private int generation;

    /// A run this process works on. News may come before the screen has heard that it began, so it is gathered
    /// here.
    private static final class Live {
        private RunSession session;
        private RunNews newest;
        private RunState state = RunState.RUNNING;
        private final List<String> unread = new ArrayList<>();

        Live(DesignSet set) {
            this.newest = new RunNews(set, Optional.empty(), "", List.of(), false, Optional.empty());
        }
    }

    /// @param background where work is done
    /// @param runner starts runs
    /// @param messages takes what goes wrong
    /// @param undo takes deletions back
    /// @param results shows the designs of the selected run
    /// @param fields what the area adds to the form
    public RunViewModel(
            Background background,
            Runner runner,
            Messages messages,
            UndoStack undo,
            Results results,
            WorkFields fields) {
        this.background = background;
        this.runner = runner;
        this.messages = messages;
        this.undo = undo;
        this.results = results;
        this.form = new RunForm(fields);
    }

    /// Shows the runs of a workbench just opened, the newest one first.
    public void open(Opened<?> opened) {
        generation++;
        workbench = Optional.of(opened);
        live.clear();
        runs.clear();
        log.clear();
        askingStop.set(false);
        current.set(Optional.empty());
        curves.set(Curves.none());
        otherCurves = List.of();
        results.open(DesignSet.none());
        status.set(idle(""));
        fill(opened, opened.project().file().run(), opened.bench().settings());
        compute("Reading the runs failed", () -> StoredRuns.list(opened), all -> {
            runs.setAll(all);
            if (all.isEmpty()) {
                showBaseline();
            } else {
                show(all.getLast().id());
            }
        });
    }

    private void fill(Opened<?> opened, RunSettings settings, WorkSettings work) {
        form.fill(settings, work, opened.bench().methods(), opened.bench().evaluators());
    }

    /// Shows nothing.
    public void close() {
        generation++;
        workbench = Optional.empty();
        live.clear();
        runs.clear();
        log.clear();
        current.set(Optional.empty());
        curves.set(Curves.none());
        results.open(DesignSet.none());
        status.set(idle(""));
    }

    /// Explores another space of the same project from the next run on; what is shown stays.
    public void use(Opened<?> edited) {
        workbench = Optional.of(edited);
        if (current.get().isEmpty()) {
            showBaseline();
        }
    }

    /// Before the first run the baseline alone is shown.
    private void showBaseline() {
        workbench.ifPresent(w -> {
            RunSettings settings = form.check(w.bench().settings())
                    .map(Area.Work::run)
                    .orElse(w.project().file().run());
            compute(
                    "The baseline cannot be evaluated",
                    () -> {
                        StoredRuns.Baseline b = StoredRuns.baseline(w.bench(), settings);
                        var fold = new DesignFold(w.bench().space().knobs(), b.design());
                        fold.begin(b.info(), settings.objectives());
                        return fold.set();
                    },
                    set -> {
                        if (current.get().isEmpty()) {
                            results.open(set);
                            publishCurves(set);
                        }
                    });
        });
    }

    /// The workbench with the part, clock and knobs of the selected run; called away from the screen. Throws
    /// [UserError] where the source has changed since.
    public static <W extends Workbench> Opened<W> workbench(Opened<W> open, Optional<RunRecord> run) {
        return run.isEmpty()
                ? open
                : StoredRuns.workbench(open, run.get())
                        .orElseThrow(
                                () -> new UserError(
                                        "The source or its directive file has changed since this run, so its designs cannot be exported as directives; CSV and JSON can."));
    }

    /// Settings of the next run.
    public RunForm form() {
        return form;
    }

    /// What the bar at the bottom says.
    public ReadOnlyObjectProperty<Status> status() {
        return status.getReadOnlyProperty();
    }

    /// The run examined.
    public ReadOnlyObjectProperty<Optional<RunRecord>> current() {
        return current.getReadOnlyProperty();
    }

    /// Hypervolume curves.
    public ReadOnlyObjectProperty<Curves> curves() {
        return curves.getReadOnlyProperty();
    }

    /// The project's runs, oldest first.
    public ObservableList<RunRecord> runs() {
        return runs;
    }

    /// Lines of the log of the selected run, oldest first.
    public ObservableList<String> log() {
        return log;
    }

    /// Whether the bar asks if the run shall really stop.
    public BooleanProperty askingStop() {
        return askingStop;
    }

    /// Whether some run of this process is active.
    public boolean anyActive() {
        return live.values().stream().anyMatch(l -> l.state.isActive());
    }

    /// Starts a run with the form's settings. Says what is wrong with the form where something is.
    public void start() {
        if (workbench.isEmpty() || anyActive()) {
            return;
        }
        Opened<?> now = workbench.get();
        Optional<Area.Work> checked = form.check(now.bench().settings());
        if (checked.isEmpty()) {
            messages.show(Message.error(
                    form.errors().get().values().stream().findFirst().orElse("Choose a method and a toolchain.")));
            return;
        }
        start(checked.get());
    }

    /// Starts a run of the open project.
    ///
    /// @param work what is explored, and how
    public void start(Area.Work work) {
        if (workbench.isEmpty() || anyActive()) {
            return;
        }
        Opened<?> now = workbench.get();
        status.set(new Status(RunState.STARTING, "Setting up the run", List.of(), Double.NaN));
        launch("The run cannot start", () -> {
            Opened<?> bench = now.with(work.settings());
            StoredRuns.Baseline baseline = StoredRuns.baseline(bench.bench(), work.run());
            var fold = new DesignFold(bench.bench().space().knobs(), baseline.design());
            fold.begin(baseline.info(), work.run().objectives());
            return begin(bench, fold, monitor -> runner.start(bench, work.run(), List.of(monitor)));
        });
    }

    /// Continues: ends a pause, or continues a stored run from where it stands.
    public void resume() {
        Optional<Live> here = currentLive();
        if (here.isPresent() && here.get().state.isActive()) {
            set(here.get(), RunState.RUNNING);
            here.get().session.resume();
            return;
        }
        if (workbench.isEmpty() || current.get().isEmpty() || anyActive()) {
            return;
        }
        Opened<?> now = workbench.get();
        RunRecord run = current.get().get();
        status.set(new Status(RunState.STARTING, "Setting up the run", List.of(), Double.NaN));
        launch("The run cannot be resumed", () -> {
            Opened<?> bench = now.with(run.work());
            StoredRuns.Loaded loaded = StoredRuns.load(bench, run.id());
            return begin(bench, loaded.fold(), monitor -> runner.resume(bench, run.id(), List.of(monitor)));
        });
    }

    private interface Launcher {
        RunSession launch(RunMonitor monitor);
    }

    private record Begun(
            Opened<?> bench, Live live, RunRecord record, List<RunRecord> all, List<Curves.Curve> others) {}

    /// Away from the screen: launches, and reads what the screen then shows.
    private Begun begin(Opened<?> bench, DesignFold fold, Launcher launcher) {
        DesignSet first = fold.set();
        var l = new Live(first);
        RunSession session = launcher.launch(new RunMonitor(background, fold, news -> take(l, news)));
        l.session = session;
        List<RunRecord> all = StoredRuns.list(bench);
        RunRecord record =
                all.stream().filter(r -> r.id() == session.id()).findFirst().orElseThrow();
        return new Begun(
                bench,
                l,
                record,
                all,
                StoredRuns.curves(
                        bench,
                        session.id(),
                        first.objectives().stream().map(m -> m.name()).toList()));
    }

    private void launch(String problem, Callable<Begun> work) {
        int asked = generation;
        background.compute(
                work,
                b -> {
                    if (asked != generation) {
                        b.live().session.stop();
                        return;
                    }
                    live.put(b.record().id(), b.live());
                    runs.setAll(b.all());
                    otherCurves = b.others();
                    current.set(Optional.of(b.record()));
                    log.setAll(b.live().unread);
                    b.live().unread.clear();
                    results.open(b.live().newest.set());
                    publishCurves(b.live().newest.set());
                    publish(b.live());
                    b.live().newest.end().ifPresent(end -> ended(b.live(), end));
                },
                e -> {
                    messages.fail(problem, e);
                    if (asked == generation) {
                        current.get().ifPresentOrElse(this::showStored, () -> status.set(idle("")));
                    }
                });
    }

    /// On the screen: takes what a batch of events changed.
    private void take(Live l, RunNews news) {
        l.newest = news;
        if (news.end().isPresent()) {
            l.state = switch (news.end().get().ending()) {
                case COMPLETED -> RunState.COMPLETED;
                case STOPPED -> RunState.STOPPED;
                case FAILED -> RunState.FAILED;
            };
        } else if (news.paused() && l.state == RunState.PAUSING) {
            l.state = RunState.PAUSED;
        }
        if (!live.containsValue(l)) {
            l.unread.addAll(news.lines());
            return;
        }
        if (isCurrent(l)) {
            log.addAll(news.lines());
            if (log.size() > MOST_LINES) {
                log.remove(0, log.size() - MOST_LINES);
            }
            results.update(news.set());
            publishCurves(news.set());
            publish(l);
        }
        news.end().ifPresent(end -> ended(l, end));
    }

    private void ended(Live l, RunEvent.Finished end) {
        if (isCurrent(l)) {
            askingStop.set(false);
        }
        if (end.ending() == RunEvent.Ending.FAILED) {
            messages.show(Message.error("Run " + l.session.id() + " could not continue: " + sentence(end.reason())
                    + " What was evaluated is stored; fix the reason and choose Resume."));
        }
        refreshRuns();
    }

    private void refreshRuns() {
        workbench.ifPresent(w -> compute("Reading the runs failed", () -> StoredRuns.list(w), all -> {
            runs.setAll(all);
            current.get()
                    .flatMap(c -> all.stream().filter(r -> r.id() == c.id()).findFirst())
                    .ifPresent(r -> current.set(Optional.of(r)));
        }));
    }

    /// Asks for a pause.
    public void pause() {
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
        currentLive().filter(l -> l.state.isActive()).ifPresent(l -> {
            set(l, RunState.STOPPING);
            l.session.stop();
        });
    }

    /// Shows what was asked for. Called before the session hears of it: its answer, which may come at once,
    /// must not be overwritten.
    private void set(Live l, RunState state) {
        l.state = state;
        publish(l);
    }

    /// Looks at another run.
    public void show(long id) {
        if (workbench.isEmpty() || isCurrent(id)) {
            return;
        }
        Opened<?> now = workbench.get();
        askingStop.set(false);
        Live here = live.get(id);
        Optional<RunRecord> record = runs.stream().filter(r -> r.id() == id).findFirst();
        if (here != null && here.state.isActive() && record.isPresent()) {
            current.set(record);
            log.setAll("The log shows what arrived since the run was selected.");
            results.open(here.newest.set());
            publishCurves(here.newest.set());
            publish(here);
            return;
        }
        compute(
                "The run cannot be read",
                () -> {
                    StoredRuns.Loaded loaded = StoredRuns.load(now, id);
                    DesignSet set = loaded.fold().set();
                    return new Shown(
                            loaded,
                            set,
                            StoredRuns.curves(
                                    now,
                                    id,
                                    set.objectives().stream().map(m -> m.name()).toList()));
                },
                shown -> {
                    current.set(Optional.of(shown.loaded().run()));
                    otherCurves = shown.others();
                    log.setAll(shown.loaded().log().stream()
                            .skip(Math.max(0, shown.loaded().log().size() - (long) MOST_LINES))
                            .toList());
                    results.open(shown.set());
                    publishCurves(shown.set());
                    showStored(shown.loaded().run());
                    workbench.ifPresent(w -> fill(
                            w,
                            shown.loaded().run().settings(),
                            shown.loaded().run().work()));
                });
    }

    private record Shown(StoredRuns.Loaded loaded, DesignSet set, List<Curves.Curve> others) {}

    /// Deletes a stored run; can be undone.
    public void delete(long id) {
        if (workbench.isEmpty() || (live.containsKey(id) && live.get(id).state.isActive())) {
            messages.show(Message.warning("A running run cannot be deleted; stop it first."));
            return;
        }
        Opened<?> now = workbench.get();
        undo.perform(new UndoStack.Edit("delete run " + id, () -> change(now, id, true), () -> change(now, id, false)));
    }

    private void change(Opened<?> now, long id, boolean delete) {
        compute(
                delete ? "The run cannot be deleted" : "The run cannot be brought back",
                () -> {
                    if (delete) {
                        now.project().lock().delete(id);
                    } else {
                        now.project().lock().undelete(id);
                    }
                    return StoredRuns.list(now);
                },
                all -> {
                    runs.setAll(all);
                    if (delete && isCurrent(id)) {
                        current.set(Optional.empty());
                        if (all.isEmpty()) {
                            status.set(idle(""));
                            log.clear();
                            results.open(DesignSet.none());
                            showBaseline();
                        } else {
                            show(all.getLast().id());
                        }
                    } else if (!delete) {
                        show(id);
                    }
                });
    }

    private void showStored(RunRecord run) {
        var figures = List.of(
                "step " + Math.max(0, run.step()) + " of " + run.settings().steps(),
                Quantity.hours(run.toolSeconds()) + " tool hours",
                "algorithm " + Quantity.duration(run.algorithmSeconds()));
        RunState state = live.containsKey(run.id()) ? live.get(run.id()).state : RunState.of(run.status());
        status.set(new Status(
                state,
                StatusWords.stored(state, run),
                figures,
                StatusWords.share(state, run.step(), run.settings().steps())));
    }

    private void publish(Live l) {
        if (isCurrent(l)) {
            status.set(StatusWords.live(l.state, l.newest, l.session.settings()));
        }
    }

    private void publishCurves(DesignSet set) {
        var all = new ArrayList<Curves.Curve>();
        all.add(new Curves.Curve(current.get().map(RunRecord::title).orElse("this run"), set.trace(), true));
        all.addAll(otherCurves);
        curves.set(new Curves(
                all,
                set.scales()
                        .map(RunViewModel::reference)
                        .orElse(set.size() == 0 ? "" : "The reference point is fixed after the initial designs.")));
    }

    private static String reference(Objectives o) {
        return "Reference point: "
                + java.util.stream.IntStream.range(0, o.count())
                        .mapToObj(j -> {
                            double raw = o.raw(j, o.reference().get(j));
                            return o.metrics().get(j).label() + " "
                                    + Quantity.of(o.metrics().get(j), raw, raw).withUnit(raw);
                        })
                        .collect(Collectors.joining(", "));
    }

    private Optional<Live> currentLive() {
        return current.get().map(r -> live.get(r.id()));
    }

    private boolean isCurrent(Live l) {
        return currentLive().filter(c -> c == l).isPresent();
    }

    private boolean isCurrent(long id) {
        return current.get().isPresent() && current.get().get().id() == id;
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
                e -> messages.fail(problem, e));
    }

    private static Status idle(String words) {
        return new Status(RunState.NONE, words, List.of(), Double.NaN);
    }

    private static String sentence(String reason) {
        return reason.endsWith(".") ? reason : reason + ".";
    }
}
