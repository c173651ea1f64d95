package knobscape.app.ui.hls;

import java.math.BigInteger;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import javafx.beans.property.ReadOnlyBooleanProperty;
import javafx.beans.property.ReadOnlyBooleanWrapper;
import javafx.beans.property.ReadOnlyObjectProperty;
import javafx.beans.property.ReadOnlyObjectWrapper;
import javafx.beans.property.ReadOnlyStringProperty;
import javafx.beans.property.ReadOnlyStringWrapper;
import knobscape.app.ui.area.DesignModels;
import knobscape.app.ui.designs.DesignSet;
import knobscape.app.ui.designs.KnobLabels;
import knobscape.app.ui.designs.Results;
import knobscape.app.ui.designs.RunMemory;
import knobscape.app.ui.export.FileExport;
import knobscape.app.ui.file.FileChoices;
import knobscape.app.ui.hls.report.ToolReportViewModel;
import knobscape.app.ui.hls.source.SourceOverlay;
import knobscape.app.ui.hls.source.SourceViewModel;
import knobscape.app.ui.hls.space.KnobEdits;
import knobscape.app.ui.hls.space.SpaceViewModel;
import knobscape.app.ui.message.Message;
import knobscape.app.ui.message.Messages;
import knobscape.app.ui.run.DesignPictures;
import knobscape.app.ui.run.LogViewModel;
import knobscape.app.ui.run.LogViewModel.Note;
import knobscape.app.ui.run.ManualEvaluation;
import knobscape.app.ui.run.RunForm;
import knobscape.app.ui.run.RunViewModel;
import knobscape.app.ui.settings.Settings;
import knobscape.app.ui.task.Background;
import knobscape.app.ui.undo.UndoStack;
import knobscape.evaluate.report.FileGuard;
import knobscape.hls.HlsArea;
import knobscape.hls.HlsSettings;
import knobscape.hls.HlsTools;
import knobscape.hls.HlsWorkbench;
import knobscape.hls.evaluate.estimator.KnownAccuracy;
import knobscape.hls.evaluate.vendor.ReportReader;
import knobscape.hls.source.SourceNote;
import knobscape.hls.space.DirectiveSpace;
import knobscape.project.Design;
import knobscape.project.Project;
import knobscape.project.RunRecord;
import knobscape.project.Runner;
import knobscape.project.Session;
import knobscape.space.Configuration;

/// The open HLS project and the view models of its parts. Used from the JavaFX thread; reading and pruning
/// happen away from it.
public final class HlsViewModel {
    /// Under this key the settings remember what was opened, newest first.
    public static final String RECENT_KEY = "recent";
    private static final int MAX_RECENT = 10;

    private final Background background;
    private final HlsTools tools;
    private final Messages messages;
    private final UndoStack undo;
    private final Settings settings;
    private final DesignModels models;
    private final Results results;
    private final SourceViewModel source;
    private final SpaceViewModel space;
    private final DesignPictures pictures;
    private final RunViewModel run;
    private final ManualEvaluation tried;
    private final LogViewModel logs;
    private final ToolReportViewModel reports;
    private final ExportViewModel export;
    private final ImportedDirectives imports;
    private final AddedValues added;
    private final ReadOnlyObjectWrapper<Optional<Session<HlsWorkbench>>> workbench =
            new ReadOnlyObjectWrapper<>(Optional.empty());
    private final ReadOnlyStringWrapper opening = new ReadOnlyStringWrapper("");
    private final ReadOnlyBooleanWrapper open = new ReadOnlyBooleanWrapper();
    private Optional<Session<HlsWorkbench>> base = Optional.empty();
    private KnobEdits edits = KnobEdits.none();
    /// What the person did with the open project, in a file beside its runs.
    private Settings memory = Settings.inMemory();
    private int asked;

    /// @param tools the parts HLS work is put together from
    /// @param settings what is remembered
    public HlsViewModel(
            Background background,
            HlsTools tools,
            Runner runner,
            Messages messages,
            UndoStack undo,
            Settings settings,
            FileChoices choices) {
        this.background = background;
        this.tools = tools;
        this.messages = messages;
        this.undo = undo;
        this.settings = settings;
        this.models = DesignModels.of(
                background, undo, () -> workbench.get().map(w -> w.bench().space()), this::evaluate);
        this.results = models.results();
        this.source = new SourceViewModel(background);
        this.space = new SpaceViewModel(background, source);
        space.onToggle(this::toggleValue);
        this.pictures = new DesignPictures(results, HlsFiles::shows);
        this.run = new RunViewModel(background, runner, messages, undo, pictures, new RunForm(new HlsArea(tools)));
        results.reading().bind(opening().isNotEmpty().or(run.reading()));
        this.tried = new ManualEvaluation(background, runner, messages);
        SourceOverlay.follow(
                background, results, source.design(), () -> workbench.get().map(Session::bench));
        this.reports = new ToolReportViewModel(
                background,
                messages,
                results,
                () -> workbench
                        .get()
                        .map(Session::bench)
                        .filter(w -> w.measured().isEmpty()));
        this.logs = new LogViewModel(run.log(), n -> run.withLogged(() -> results.select(n)));
        this.export =
                new ExportViewModel(new FileExport(background, choices, messages, this::guard), results, this::origin);
        this.added = new AddedValues(background, messages, undo, this);
        space.onAdd(added::add);
        this.imports = new ImportedDirectives(background, choices, messages, models.insight(), results, this);
    }

    private void evaluate(Configuration c) {
        workbench
                .get()
                .ifPresent(w -> tried.evaluate(
                        w,
                        () -> workbench.get().filter(now -> now == w).isPresent(),
                        0,
                        c,
                        form -> run.form().check(form),
                        x -> run.refresh(() -> results.select(x))));
    }

    private FileGuard guard() {
        return workbench
                .get()
                .map(w -> w.project().guard(true, w.bench().settings()))
                .orElse(FileGuard.standard());
    }

    /// Takes values out of what the next runs explore, as the selected design says; can be undone.
    void restrict(String name, BiFunction<DirectiveSpace, Configuration, KnobEdits> maker) {
        edited(maker).ifPresent(next -> {
            KnobEdits before = edits;
            undo.perform(new UndoStack.Edit(name, () -> apply(next), () -> apply(before)));
        });
    }

    /// Finds how large the space is, and as [#restrict] would make it: it is pruned again, not only cut.
    void restricted(
            BiFunction<DirectiveSpace, Configuration, KnobEdits> maker, BiConsumer<BigInteger, BigInteger> then) {
        edited(maker).ifPresent(next -> {
            Session<HlsWorkbench> from = base.orElseThrow();
            background.compute(
                    () -> HlsFiles.edited(from, next).bench().space().size(),
                    left -> then.accept(from.bench().space().size(), left),
                    e -> messages.fail("The space cannot be pruned", e));
        });
    }

    private Optional<KnobEdits> edited(BiFunction<DirectiveSpace, Configuration, KnobEdits> maker) {
        Optional<Design> keep = results.selectedDesign();
        if (keep.isEmpty() || directives().isEmpty()) {
            messages.show(Message.warning("Select a design of a kernel first: the knobs keep its values."));
        }
        return directives()
                .filter(d -> keep.isPresent() && !run.anyActive())
                .map(d -> maker.apply(d, keep.orElseThrow().configuration()));
    }

    /// What can be edited: the space with all its values.
    private Optional<DirectiveSpace> directives() {
        return base.map(Session::bench).filter(b -> b.measured().isEmpty()).map(HlsWorkbench::directives);
    }

    private Optional<ExportViewModel.Origin> origin(boolean runNeeded) {
        Optional<RunRecord> shown = run.current()
                .get()
                .or(() -> run.best().get() ? run.runs().stream().reduce((a, b) -> b) : Optional.empty());
        return workbench
                .get()
                .filter(w -> !runNeeded || shown.isPresent())
                .map(w -> new ExportViewModel.Origin(
                        w, shown, run.best().get(), pictures.curves().get()));
    }

    /// Opens a project folder, its file, or a source; a report of a vendor's tool is set beside the selected design.
    /// Where a run is active, the person is asked to stop it first.
    public void open(Path path) {
        if (ReportReader.isReport(path)) {
            reports.open(path);
        } else if (run.anyActive()) {
            messages.show(new Message(
                    Message.Kind.WARNING,
                    "A run is active in "
                            + workbench.get().map(w -> w.project().name()).orElse("this project")
                            + ". Stop it before opening something else; it can be resumed.",
                    Optional.of(new Message.Action("Stop and open", () -> read(path)))));
        } else {
            read(path);
        }
    }

    /// Reads a file; a run that is active is stopped when that has worked out.
    private void read(Path path) {
        messages.clear();
        Path absolute = path.toAbsolutePath().normalize();
        String name = String.valueOf(absolute.getFileName());
        String words = "Reading " + name + (HlsSettings.of(name).isMeasured() ? "" : " and pruning its space");
        Callable<Project> open = () -> HlsFiles.project(path);
        Runnable whole = () -> load(
                words,
                () -> {
                    Project project = open.call();
                    return AddedValues.remembered(HlsFiles.read(
                            project,
                            project.file()
                                    .work(HlsSettings.class)
                                    .effective(project.file().run().toolchain(), project),
                            tools,
                            false));
                },
                () -> {
                    settings.remember(RECENT_KEY, absolute.toString(), MAX_RECENT);
                    background.away(settings::save);
                });
        if (workbench.get().isPresent()) {
            whole.run();
            return;
        }
        // Text and stored designs first: parsing and pruning take longer than a person likes to wait for them.
        int mine = ++asked;
        this.open.set(true);
        opening.set(words);
        Runnable rest = () -> {
            if (mine == asked) {
                whole.run();
            }
        };
        background.compute(
                () -> {
                    try (Project project = open.call()) {
                        return Preview.read(project);
                    }
                },
                p -> {
                    if (mine == asked) {
                        show(p);
                        // The picture of the front has the processors to itself first.
                        if (p.designs().size() > 0) {
                            results.whenDrawn(rest);
                        } else {
                            rest.run();
                        }
                    }
                },
                e -> rest.run());
    }

    private void show(Preview p) {
        if (!p.text().isEmpty()) {
            source.preview(p.file(), p.text());
        }
        if (p.designs().size() > 0) {
            results.open(p.designs());
        }
    }

    private void whenStopped(Runnable then) {
        if (run.anyActive()) {
            run.stop();
            background.later(100, () -> background.onScreen(() -> whenStopped(then)));
        } else {
            then.run();
        }
    }

    /// Opens the same project with another top function.
    public void openTop(String function) {
        change(
                "Reading " + function,
                now -> HlsFiles.read(
                        now.project(), now.bench().settings().with(HlsSettings.TOP, function), tools, true),
                () -> {});
    }

    /// Shows the same project read with other settings of the kernel.
    ///
    /// @param then follows when it is shown
    void use(String words, Session<HlsWorkbench> other, Runnable then) {
        change(words, now -> other, then);
    }

    /// Reads the open table with another mapping of its columns, which is kept with the project.
    void readColumns(String mapping) {
        change("Reading the columns", now -> HlsFiles.withColumns(now, mapping), () -> {});
    }

    private void change(String words, UnaryOperator<Session<HlsWorkbench>> how, Runnable then) {
        Optional<Session<HlsWorkbench>> now = workbench.get();
        if (now.isEmpty()) {
            return;
        }
        if (run.anyActive()) {
            messages.show(Message.warning("Stop the run before changing what is explored; it can be resumed."));
            return;
        }
        load(words, () -> how.apply(now.get()), then);
    }

    /// Takes a value out of a knob, or puts it back; can be undone. The space is pruned again away from the
    /// screen, and the next run explores it.
    private void toggleValue(String knob, String value) {
        KnobEdits before = edits;
        Optional<KnobEdits> after = directives()
                .flatMap(d -> d.space().knobs().indexOf(knob).stream()
                        .mapToObj(i -> d.space().knobs().get(i).domain().labels())
                        .findFirst())
                .flatMap(values -> before.toggled(knob, value, values));
        if (run.anyActive()) {
            messages.show(Message.warning("Stop the run before changing what is explored; it can be resumed."));
        } else {
            after.ifPresent(next -> undo.perform(new UndoStack.Edit(
                    "change of " + KnobLabels.shortest(knob), () -> apply(next), () -> apply(before))));
        }
    }

    private void apply(KnobEdits next) {
        Optional<Session<HlsWorkbench>> from = base;
        if (from.isEmpty()) {
            return;
        }
        edits = next;
        memory.putLines(editsKey(), next.lines());
        keep();
        int mine = ++asked;
        background.compute(
                () -> HlsFiles.edited(from.get(), next),
                bench -> {
                    if (mine == asked) {
                        workbench.set(Optional.of(bench));
                        space.open(
                                from.get().bench().directives(), bench.bench().directives());
                        run.use(bench);
                    }
                },
                e -> {
                    messages.fail("The space cannot be changed", e);
                    workbench
                            .get()
                            .ifPresent(w -> space.open(
                                    from.get().bench().directives(), w.bench().directives()));
                });
    }

    private void load(String words, Callable<Session<HlsWorkbench>> work, Runnable opened) {
        int mine = ++asked;
        open.set(true);
        opening.set(words);
        background.compute(
                () -> {
                    Session<HlsWorkbench> read = work.call();
                    return Map.entry(read, HlsFiles.memory(read));
                },
                read -> {
                    if (mine == asked) {
                        whenStopped(() -> {
                            opening.set("");
                            memory = read.getValue();
                            show(read.getKey());
                            opened.run();
                        });
                    } else {
                        close(Optional.of(read.getKey().project()));
                    }
                },
                e -> {
                    messages.fail("It could not be opened", e);
                    if (mine == asked) {
                        opening.set("");
                        open.set(workbench.get().isPresent());
                        if (workbench.get().isEmpty()) {
                            source.close();
                            results.open(DesignSet.none());
                        }
                    }
                });
    }

    private void show(Session<HlsWorkbench> opened) {
        HlsWorkbench bench = opened.bench();
        Optional<Project> before = workbench.get().map(Session::project).filter(p -> p != opened.project());
        messages.clear();
        undo.clear();
        workbench.set(Optional.of(opened));
        base = Optional.of(opened);
        edits = KnobEdits.none();
        bench.measured()
                .ifPresentOrElse(
                        set -> {
                            source.open(set);
                            space.open(set);
                            logs.warnings().clear();
                            bench.warnings().forEach(w -> messages.show(Message.warning(w)));
                        },
                        () -> {
                            source.open(bench.kernel());
                            Optional<KnownAccuracy.Nearest> nearest = bench.nearestMeasured();
                            models.inspector()
                                    .accuracy((stage, metric) -> nearest.flatMap(n -> n.words(stage, metric)));
                            space.open(bench.directives(), bench.directives());
                            logs.warnings()
                                    .setAll(bench.kernel().notes().stream()
                                            .map(this::note)
                                            .toList());
                            bench.estimateNotes()
                                    .forEach(a -> logs.warnings()
                                            .add(note(new SourceNote(
                                                    SourceNote.Severity.INFO,
                                                    bench.kernel().topFunction().location(),
                                                    "built-in estimate: " + a))));
                        });
        results.remember(() -> run.shownNumber().stream()
                .mapToObj(id -> new RunMemory(memory, id))
                .findFirst());
        run.open(opened, memory);
        if (bench.measured().isEmpty()) {
            var kept = KnobEdits.of(memory.lines(editsKey()));
            if (!kept.isNone()) {
                apply(kept);
            }
        }
        close(before);
        HlsFiles.storesElsewhere(opened.project()).ifPresent(where -> messages.show(Message.warning(where)));
    }

    private String editsKey() {
        return base.map(b -> "edits." + b.bench().kernel().top()).orElse("edits");
    }

    /// Keeps what the person did with the open project.
    void keep() {
        Settings now = memory;
        background.away(now::save);
    }

    private Note note(SourceNote n) {
        return new Note(
                n.severity() != SourceNote.Severity.INFO,
                n.location().file() + ":" + n.location().line() + "  " + n.message(),
                () -> source.selectLine(n.location().line()));
    }

    private void close(Optional<Project> project) {
        project.ifPresent(p -> background.away(p::close));
    }

    /// Closes the project; a run in progress is stopped and can be resumed.
    public void close() {
        close(() -> {});
    }

    /// Closes the project; a run in progress is stopped and can be resumed.
    ///
    /// @param then done away from the screen once the project was given back
    public void close(Runnable then) {
        asked++;
        opening.set("");
        workbench.set(Optional.empty());
        undo.clear();
        messages.clear();
        run.leave(then);
        source.close();
        space.close();
        logs.warnings().clear();
        open.set(false);
    }

    /// Ends background work and gives the project back; away from the screen, after the runner was closed.
    public void shutDown() {
        memory.save();
        workbench.get().ifPresent(w -> w.project().close());
    }

    /// What is open.
    public ReadOnlyObjectProperty<Optional<Session<HlsWorkbench>>> workbench() {
        return workbench.getReadOnlyProperty();
    }

    /// What is being computed, in words; empty where nothing is.
    public ReadOnlyStringProperty opening() {
        return opening.getReadOnlyProperty();
    }

    /// Whether something is open or being opened.
    public ReadOnlyBooleanProperty isOpen() {
        return open.getReadOnlyProperty();
    }

    /// Functions that could be the top, the present one first.
    public List<String> tops() {
        return workbench
                .get()
                .map(Session::bench)
                .filter(w -> w.measured().isEmpty())
                .map(w -> Stream.concat(
                                w.kernel().functions().reversed().stream().map(f -> f.name()),
                                w.kernel().otherFunctions().stream())
                        .distinct()
                        .toList())
                .orElse(List.of());
    }

    /// The designs and what is known of them.
    public DesignModels models() {
        return models;
    }

    /// The designs shared by all views.
    public Results results() {
        return results;
    }

    /// What tools outside say of the selected design.
    public ToolReportViewModel reports() {
        return reports;
    }

    /// The source.
    public SourceViewModel source() {
        return source;
    }

    /// What can be taken back.
    public UndoStack undo() {
        return undo;
    }

    /// The knobs.
    public SpaceViewModel space() {
        return space;
    }

    /// The runs.
    public RunViewModel run() {
        return run;
    }

    /// What is made of the runs.
    public DesignPictures pictures() {
        return pictures;
    }

    /// Log and warnings.
    public LogViewModel logs() {
        return logs;
    }

    /// What leaves.
    public ExportViewModel export() {
        return export;
    }

    /// Takes more values for knobs.
    AddedValues added() {
        return added;
    }

    /// The open project with all values of its knobs.
    Optional<Session<HlsWorkbench>> base() {
        return base;
    }

    /// What the person did with it.
    Settings memory() {
        return memory;
    }

    /// What comes in.
    ImportedDirectives imports() {
        return imports;
    }
}
