package knobscape.app.ui.hls;

import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.UnaryOperator;
import javafx.beans.property.ReadOnlyBooleanProperty;
import javafx.beans.property.ReadOnlyBooleanWrapper;
import javafx.beans.property.ReadOnlyObjectProperty;
import javafx.beans.property.ReadOnlyStringProperty;
import javafx.beans.property.ReadOnlyStringWrapper;
import knobscape.app.ui.area.DesignWork;
import knobscape.app.ui.area.DesignedWork;
import knobscape.app.ui.area.WorkFiles;
import knobscape.app.ui.designs.DesignSet;
import knobscape.app.ui.designs.Results;
import knobscape.app.ui.file.FileChoices;
import knobscape.app.ui.hls.report.ToolReportViewModel;
import knobscape.app.ui.hls.source.SourceOverlay;
import knobscape.app.ui.hls.source.SourceViewModel;
import knobscape.app.ui.hls.space.SpaceViewModel;
import knobscape.app.ui.message.Message;
import knobscape.app.ui.message.Messages;
import knobscape.app.ui.run.DesignPictures;
import knobscape.app.ui.run.RunViewModel;
import knobscape.app.ui.settings.Settings;
import knobscape.app.ui.task.Background;
import knobscape.app.ui.undo.UndoStack;
import knobscape.hls.HlsArea;
import knobscape.hls.HlsSettings;
import knobscape.hls.HlsTools;
import knobscape.hls.HlsWorkbench;
import knobscape.hls.evaluate.vendor.ReportReader;
import knobscape.project.Project;
import knobscape.project.Runner;
import knobscape.project.Session;

/// The open HLS project and the view models of its parts. Used from the JavaFX thread; reading and pruning
/// happen away from it.
public final class HlsViewModel implements DesignedWork {
    /// Under this key the settings remember what was opened, newest first.
    public static final String RECENT_KEY = "recent";
    private static final int MAX_RECENT = 10;
    private final Background background;
    private final HlsTools tools;
    private final Messages messages;
    private final Settings settings;
    private final DesignWork<HlsWorkbench> work;
    private final Results results;
    private final SourceViewModel source;
    private final SpaceViewModel space;
    private final RunViewModel run;
    private final ToolReportViewModel reports;
    private final ExportViewModel export;
    private final ImportedDirectives imports;
    private final AddedValues added;
    private final SpaceEdits edits;
    private final ReadOnlyStringWrapper opening = new ReadOnlyStringWrapper("");
    private final ReadOnlyBooleanWrapper open = new ReadOnlyBooleanWrapper();
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
        this.settings = settings;
        this.work = new DesignWork<>(background, runner, messages, undo, choices, new HlsArea(tools), HlsFiles::shows);
        this.results = work.models().results();
        this.run = work.runs();
        this.source = new SourceViewModel(background);
        this.space = new SpaceViewModel(background, source);
        results.reading().bind(opening().isNotEmpty().or(run.reading()));
        SourceOverlay.follow(
                background, results, source.design(), () -> workbench().get().map(Session::bench));
        this.reports = new ToolReportViewModel(
                background, messages, results, () -> workbench().get().map(Session::bench));
        this.export = new ExportViewModel(work);
        this.edits = new SpaceEdits(background, messages, undo, work, space);
        this.added = new AddedValues(background, messages, work, edits, space, this::use);
        space.onAdd(added::add);
        edits.follow(this::showKernel);
        this.imports = new ImportedDirectives(background, choices, messages, work, added);
    }

    /// Opens a project folder, its file, or a source; a report of a vendor's tool is set beside the selected design.
    /// Where a run is active, the person is asked to stop it first.
    public void open(Path path) {
        if (ReportReader.isReport(path)) {
            reports.open(path);
        } else if (work.isBusy(Optional.of(new Message.Action("Stop and open", () -> read(path))))) {
            return;
        } else {
            read(path);
        }
    }

    /// Reads a file; a run that is active is stopped when that has worked out.
    private void read(Path path) {
        messages.clear();
        Path absolute = path.toAbsolutePath().normalize();
        String name = String.valueOf(absolute.getFileName());
        String words = "Reading " + name + " and pruning its space";
        Callable<Project> open = () -> WorkFiles.project(path);
        Runnable whole = () -> load(
                words,
                () -> {
                    return HlsFiles.read(open.call(), tools);
                },
                () -> {
                    settings.remember(RECENT_KEY, absolute.toString(), MAX_RECENT);
                    background.away(settings::save);
                });
        if (workbench().get().isPresent()) {
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
    private void use(String words, Session<HlsWorkbench> other, Runnable then) {
        change(words, now -> other, then);
    }

    private void change(String words, UnaryOperator<Session<HlsWorkbench>> how, Runnable then) {
        Optional<Session<HlsWorkbench>> now = workbench().get();
        if (now.isEmpty()) {
            return;
        }
        if (run.anyActive()) {
            messages.show(Message.warning("Stop the run before changing what is explored; it can be resumed."));
            return;
        }
        load(words, () -> how.apply(now.get()), then);
    }

    private void load(String words, Callable<Session<HlsWorkbench>> reading, Runnable opened) {
        int mine = ++asked;
        open.set(true);
        opening.set(words);
        background.compute(
                () -> {
                    Session<HlsWorkbench> read = reading.call();
                    return Map.entry(read, WorkFiles.memory(read));
                },
                read -> {
                    if (mine == asked) {
                        whenStopped(() -> {
                            opening.set("");
                            show(read.getKey(), read.getValue());
                            opened.run();
                        });
                    } else {
                        work.give(read.getKey().project());
                    }
                },
                e -> {
                    messages.fail("It could not be opened", e);
                    if (mine == asked) {
                        opening.set("");
                        open.set(workbench().get().isPresent());
                        if (workbench().get().isEmpty()) {
                            source.close();
                            results.open(DesignSet.none());
                        }
                    }
                });
    }

    private void show(Session<HlsWorkbench> opened, Settings remembered) {
        Optional<Session<HlsWorkbench>> before = workbench().get();
        work.open(opened, remembered);
        showKernel(opened);
        work.showRuns(before);
        edits.remembered();
        WorkFiles.storesElsewhere(opened.project()).ifPresent(where -> messages.show(Message.warning(where)));
    }

    private void showKernel(Session<HlsWorkbench> opened) {
        HlsWorkbench bench = opened.bench();
        edits.open(opened);
        source.open(bench.kernel());
        models().inspector().accuracy(HlsFiles.accuracy(bench));
        space.open(bench.directives(), bench.directives());
        logs().warnings().setAll(source.notes(bench));
    }

    @Override
    public void close(Runnable then) {
        asked++;
        opening.set("");
        work.close(then);
        source.close();
        space.close();
        logs().warnings().clear();
        open.set(false);
    }

    /// The open session.
    public ReadOnlyObjectProperty<Optional<Session<HlsWorkbench>>> workbench() {
        return work.session();
    }

    @Override
    public ReadOnlyStringProperty opening() {
        return opening.getReadOnlyProperty();
    }

    @Override
    public ReadOnlyBooleanProperty isOpen() {
        return open.getReadOnlyProperty();
    }

    @Override
    public DesignWork<HlsWorkbench> work() {
        return work;
    }

    /// The reports of outside tools on the selected design.
    public ToolReportViewModel reports() {
        return reports;
    }

    /// The source.
    public SourceViewModel source() {
        return source;
    }

    /// The knobs.
    public SpaceViewModel space() {
        return space;
    }

    /// The pictures of the runs.
    public DesignPictures pictures() {
        return work.pictures();
    }

    /// The exports.
    public ExportViewModel export() {
        return export;
    }

    /// A person's cuts to the space.
    SpaceEdits edits() {
        return edits;
    }

    /// Asks for directives decided elsewhere, and shows their design.
    void importDirectives() {
        imports.ask();
    }
}
