package knobscape.app.ui.fusion;

import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;
import javafx.beans.property.IntegerProperty;
import javafx.beans.property.LongProperty;
import javafx.beans.property.ObjectProperty;
import javafx.beans.property.ReadOnlyBooleanProperty;
import javafx.beans.property.ReadOnlyBooleanWrapper;
import javafx.beans.property.ReadOnlyObjectProperty;
import javafx.beans.property.ReadOnlyObjectWrapper;
import javafx.beans.property.SimpleIntegerProperty;
import javafx.beans.property.SimpleLongProperty;
import javafx.beans.property.SimpleObjectProperty;
import javafx.collections.FXCollections;
import javafx.collections.ObservableSet;
import knobscape.app.ui.designs.DesignSet;
import knobscape.app.ui.designs.Quantity;
import knobscape.app.ui.designs.Results;
import knobscape.app.ui.message.Message;
import knobscape.app.ui.message.Messages;
import knobscape.app.ui.run.RunState;
import knobscape.app.ui.run.RunViewModel;
import knobscape.app.ui.run.WorkFields;
import knobscape.app.ui.run.WorkStatus;
import knobscape.app.ui.task.Background;
import knobscape.app.ui.task.Latest;
import knobscape.app.ui.undo.UndoStack;
import knobscape.evaluate.report.FileOutput;
import knobscape.fusion.FusionSettings;
import knobscape.fusion.FusionWorkbench;
import knobscape.fusion.evaluate.CostModel;
import knobscape.fusion.search.Constraint;
import knobscape.fusion.search.FusionMethod;
import knobscape.fusion.search.Mapping;
import knobscape.fusion.source.Accelerator;
import knobscape.fusion.source.AcceleratorFile;
import knobscape.fusion.space.Strategy;
import knobscape.project.Opened;
import knobscape.project.RunRecord;
import knobscape.project.Runner;
import knobscape.work.Area;
import knobscape.work.RunSettings;

/// The searches of the open network: runs of its project, one after the other. Used from the JavaFX thread.
final class FusionRuns {
    static final String NOTHING = "Nothing has been searched yet";

    private static final int MOST_CURVES = 12;

    private final Background background;
    private final List<FusionMethod> methods;
    private final Messages messages;
    private final RunViewModel runs;
    private final Results results;
    private final Consumer<Searched> found;
    private final ObservableSet<String> chosen = FXCollections.observableSet("gsampler");
    private final IntegerProperty evaluations = new SimpleIntegerProperty(Mapping.EVALUATIONS);
    private final LongProperty seed = new SimpleLongProperty(1);
    private final ObjectProperty<Constraint> constraint = new SimpleObjectProperty<>(Constraint.LEXI);
    private final ReadOnlyObjectWrapper<WorkStatus> status = new ReadOnlyObjectWrapper<>(WorkStatus.idle(NOTHING));
    private final ReadOnlyBooleanWrapper resumable = new ReadOnlyBooleanWrapper();
    private final ReadOnlyObjectWrapper<List<Curve>> curves = new ReadOnlyObjectWrapper<>(List.of());
    private final ReadOnlyObjectWrapper<Explored> explored = new ReadOnlyObjectWrapper<>(Explored.none());
    private final Latest<Picture> pictures;
    private final Deque<RunSettings> queue = new ArrayDeque<>();
    private Optional<Opened<FusionWorkbench>> opened = Optional.empty();
    /// Costs as things are set.
    private Optional<CostModel> model = Optional.empty();
    private List<Strategy> made = List.of();
    private List<Searched> ended = List.of();
    /// The search at work: what it searches, and with which settings.
    private Optional<FusionWorkbench> searching = Optional.empty();
    private FusionSettings work = FusionSettings.of("");
    private int begun;
    private boolean active;

    private record Picture(Opened<FusionWorkbench> of, List<Curve> curves, Explored explored) {}

    /// @param found told what a run found when it ends
    FusionRuns(
            Background background,
            Runner runner,
            List<FusionMethod> methods,
            Messages messages,
            UndoStack undo,
            Consumer<Searched> found) {
        this.background = background;
        this.methods = methods;
        this.messages = messages;
        this.found = found;
        this.results = new Results(background, undo);
        this.runs = new RunViewModel(background, runner, messages, undo, results, WorkFields.NONE);
        this.pictures = new Latest<>(
                background,
                p -> {
                    if (opened.filter(o -> o == p.of()).isPresent()) {
                        curves.set(p.curves());
                        explored.set(p.explored());
                        say();
                    }
                },
                e -> messages.fail("The searches cannot be shown", e));
        runs.status().addListener((o, was, is) -> follow());
        results.shown().addListener((o, was, is) -> draw());
    }

    /// Shows the runs of a network just opened.
    void open(Opened<FusionWorkbench> network, List<Searched> earlier) {
        queue.clear();
        opened = Optional.of(network);
        ended = earlier;
        searching = Optional.empty();
        active = false;
        constraint.set(network.bench().settings().constraint());
        curves.set(List.of());
        runs.open(network);
        say();
    }

    /// Shows nothing. A search at work is to be stopped by whoever closes the project.
    void close() {
        queue.clear();
        opened = Optional.empty();
        ended = List.of();
        searching = Optional.empty();
        active = false;
        runs.close();
        curves.set(List.of());
        explored.set(Explored.none());
        say();
    }

    /// Takes the costs as they are set now, and what a person made.
    void set(CostModel now, List<Strategy> strategies) {
        model = Optional.of(now);
        made = List.copyOf(strategies);
        draw();
    }

    /// Starts the chosen methods.
    void start(Setup setup) {
        List<FusionMethod> next =
                methods.stream().filter(m -> chosen.contains(m.name())).toList();
        if (next.isEmpty()) {
            messages.show(Message.warning("Choose a method to search with first."));
        } else if (!active && opened.isPresent()) {
            Opened<FusionWorkbench> now = opened.get();
            next.forEach(m -> queue.add(FusionWorkbench.defaultRun()
                    .withMethod(m.name())
                    .withSeed(seed.get())
                    .withBudget(evaluations.get(), 1, 0)));
            begun = 0;
            active = true;
            Constraint how = constraint.get();
            background.compute(
                    () -> {
                        FusionSettings settings = settings(now, setup, how);
                        return now.with(settings).bench();
                    },
                    bench -> {
                        if (opened.filter(o -> o == now).isPresent()) {
                            searching = Optional.of(bench);
                            work = bench.settings();
                            next();
                        }
                    },
                    e -> {
                        queue.clear();
                        active = false;
                        messages.fail("The search cannot begin", e);
                    });
        }
    }

    /// The settings of a run with what a person has set. An accelerator that is neither the project's nor built
    /// in gets a file among the runs, under a name that no other content has.
    private static FusionSettings settings(Opened<FusionWorkbench> of, Setup setup, Constraint how) {
        FusionSettings own = of.bench().settings();
        Accelerator bare = setup.accelerator().withBuffer(1);
        String name = own.accelerator();
        if (!AcceleratorFile.named(name, of.project().folder()).withBuffer(1).equals(bare)) {
            name = Accelerator.presets().stream()
                    .filter(a -> a.withBuffer(1).equals(bare))
                    .findFirst()
                    .map(Accelerator::name)
                    .orElseGet(() -> {
                        Path file = of.project()
                                .runsFolder()
                                .resolve("accelerators")
                                .resolve("accelerator-" + Integer.toHexString(bare.hashCode()) + ".json");
                        FileOutput.write(
                                file, AcceleratorFile.json(setup.accelerator()).toPrettyString() + "\n");
                        return file.toString();
                    });
        }
        return own.withAccelerator(name)
                .withBuffer(setup.accelerator().bufferBytes())
                .withBatch(setup.batch())
                .withConstraint(how);
    }

    private void next() {
        begun++;
        runs.start(new Area.Work(work, queue.remove()));
    }

    /// Resumes the newest search where it was stopped.
    void resume() {
        if (resumable.get() && opened.isPresent()) {
            Opened<FusionWorkbench> now = opened.get();
            RunRecord run = runs.current().get().orElseThrow();
            background.compute(
                    () -> now.with(run.work()).bench(),
                    bench -> {
                        searching = Optional.of(bench);
                        active = true;
                        begun = 1;
                        runs.resume();
                    },
                    e -> messages.fail("The search cannot be resumed", e));
        }
    }

    /// Pauses within one evaluation, or ends the pause.
    void togglePause() {
        runs.togglePause();
    }

    /// Stops; what was found is stored.
    void stop() {
        queue.clear();
        runs.stop();
    }

    /// The run has changed what it does.
    private void follow() {
        RunState state = runs.status().get().state();
        if (active && !state.isActive() && state != RunState.NONE && opened.isPresent()) {
            runs.current().get().ifPresent(run -> ended(run, state));
        }
        say();
    }

    private void ended(RunRecord run, RunState state) {
        Opened<FusionWorkbench> now = opened.orElseThrow();
        active = false;
        background.compute(
                () -> Searched.all(now),
                all -> {
                    if (opened.filter(o -> o == now).isEmpty()) {
                        return;
                    }
                    ended = all;
                    searching = Optional.empty();
                    all.stream()
                            .filter(s -> s.run().id() == run.id())
                            .findFirst()
                            .ifPresent(s -> {
                                if (s.best().isPresent()) {
                                    found.accept(s);
                                } else if (state == RunState.COMPLETED) {
                                    messages.show(
                                            Message.warning(
                                                    s.title() + " found no strategy that fits the buffer in "
                                                            + Quantity.count(s.evaluations())
                                                            + " evaluations; try more, another way to treat those that do not fit, or a larger buffer."));
                                }
                            });
                    if (!queue.isEmpty()) {
                        active = true;
                        next();
                    }
                    say();
                    draw();
                },
                e -> messages.fail("The results of the search cannot be read", e));
    }

    private void say() {
        RunViewModel.Status s = runs.status().get();
        resumable.set(opened.isPresent() && !active && s.state().isResumable());
        if (!active) {
            int n = ended.size();
            status.set(WorkStatus.idle(
                    resumable.get()
                            ? "The newest search was stopped; Search > Resume continues it"
                            : n == 0
                                    ? NOTHING
                                    : n == 1 ? "The result of one search" : "The results of " + n + " searches"));
            return;
        }
        String label =
                runs.current().get().map(r -> label(r.settings().method())).orElse("");
        int all = begun + queue.size();
        double best = curves.get().stream()
                .filter(Curve::active)
                .flatMap(c -> c.speedups().stream())
                .mapToDouble(v -> v)
                .max()
                .orElse(Double.NaN);
        String figures = s.figures().stream().findFirst().orElse("")
                + (all > 1 ? ", method " + begun + " of " + all : "")
                + (Double.isNaN(best) ? "" : String.format(Locale.ROOT, ", speedup %.2f", best));
        boolean paused = s.state() == RunState.PAUSED || s.state() == RunState.PAUSING;
        double share = (begun - 1 + (Double.isNaN(s.share()) ? 0 : s.share())) / all;
        status.set(new WorkStatus(
                paused ? WorkStatus.State.PAUSED : WorkStatus.State.RUNNING,
                share,
                (paused ? "Paused: " : "") + label,
                figures));
    }

    private String label(String method) {
        return methods.stream()
                .filter(m -> m.name().equals(method))
                .findFirst()
                .map(FusionMethod::label)
                .orElse(method);
    }

    /// Draws curves and front again, away from the screen.
    private void draw() {
        if (opened.isEmpty() || model.isEmpty()) {
            return;
        }
        Opened<FusionWorkbench> of = opened.get();
        CostModel now = model.get();
        List<Searched> past = ended;
        List<Strategy> kept = made;
        DesignSet live = results.set();
        Optional<RunRecord> run = active ? runs.current().get() : Optional.empty();
        Optional<FusionWorkbench> bench = searching;
        pictures.submit(() -> {
            var all = new ArrayList<Searched>(past);
            if (run.isPresent()
                    && bench.isPresent()
                    && bench.get().space().knobs().equals(live.knobs())) {
                all.removeIf(s -> s.run().id() == run.get().id());
                all.add(Searched.of(bench.get(), run.get(), live, true));
            }
            List<Searched> same = all.stream().filter(s -> s.costsAs(now)).toList();
            long uncounted = same.stream()
                    .mapToLong(s -> Math.max(0, s.evaluations() - s.kept().size()))
                    .sum();
            return new Picture(
                    of,
                    same.stream()
                            .skip(Math.max(0, same.size() - MOST_CURVES))
                            .map(Curve::of)
                            .toList(),
                    Explored.of(
                            now,
                            Stream.concat(
                                    kept.stream(),
                                    same.stream().flatMap(s -> s.kept().stream().map(Searched.Kept::strategy))),
                            uncounted));
        });
    }

    /// The methods there are.
    List<FusionMethod> methods() {
        return methods;
    }

    /// Names of the methods that the next press runs.
    ObservableSet<String> chosen() {
        return chosen;
    }

    IntegerProperty evaluations() {
        return evaluations;
    }

    LongProperty seed() {
        return seed;
    }

    ObjectProperty<Constraint> constraint() {
        return constraint;
    }

    ReadOnlyObjectProperty<WorkStatus> status() {
        return status.getReadOnlyProperty();
    }

    /// Whether the newest search was stopped before its end.
    ReadOnlyBooleanProperty resumable() {
        return resumable.getReadOnlyProperty();
    }

    ReadOnlyObjectProperty<List<Curve>> curves() {
        return curves.getReadOnlyProperty();
    }

    ReadOnlyObjectProperty<Explored> explored() {
        return explored.getReadOnlyProperty();
    }
}
