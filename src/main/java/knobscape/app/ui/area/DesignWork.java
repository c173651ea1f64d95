package knobscape.app.ui.area;

import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.BiPredicate;
import javafx.beans.property.ReadOnlyObjectProperty;
import javafx.beans.property.ReadOnlyObjectWrapper;
import javafx.beans.value.ObservableValue;
import knobscape.app.ui.designs.Results;
import knobscape.app.ui.designs.RunMemory;
import knobscape.app.ui.export.FileExport;
import knobscape.app.ui.file.FileChoices;
import knobscape.app.ui.insight.InsightViewModel;
import knobscape.app.ui.message.Message;
import knobscape.app.ui.message.Messages;
import knobscape.app.ui.run.DesignPictures;
import knobscape.app.ui.run.LogViewModel;
import knobscape.app.ui.run.ManualEvaluation;
import knobscape.app.ui.run.RunForm;
import knobscape.app.ui.run.RunViewModel;
import knobscape.app.ui.settings.Settings;
import knobscape.app.ui.task.Background;
import knobscape.app.ui.undo.UndoStack;
import knobscape.evaluate.report.FileGuard;
import knobscape.project.Project;
import knobscape.project.RunRecord;
import knobscape.project.Runner;
import knobscape.project.Session;
import knobscape.space.Configuration;
import knobscape.space.DesignSpace;
import knobscape.work.Area;
import knobscape.work.Workbench;

/// The open work whose runs are designs of one space: the designs, the runs, and what a person did with them.
/// Used from the JavaFX thread.
public final class DesignWork<W extends Workbench> {
    private final Background background;
    private final Messages messages;
    private final UndoStack undo;
    private final DesignModels models;
    private final DesignPictures pictures;
    private final RunViewModel runs;
    private final LogViewModel logs;
    private final ManualEvaluation tried;
    private final FileExport files;
    private final ReadOnlyObjectWrapper<Optional<Session<W>>> session = new ReadOnlyObjectWrapper<>(Optional.empty());
    /// The remembered settings of the open project, in a file beside its runs.
    private Settings memory = Settings.inMemory();

    /// @param background where work is done
    /// @param runner starts runs
    /// @param messages takes what goes wrong
    /// @param undo takes changes back
    /// @param choices asks for files
    /// @param area whose work it is
    /// @param shows whether a stored run is of what is open
    public DesignWork(
            Background background,
            Runner runner,
            Messages messages,
            UndoStack undo,
            FileChoices choices,
            Area area,
            BiPredicate<Session<?>, RunRecord> shows) {
        this.background = background;
        this.messages = messages;
        this.undo = undo;
        this.models = DesignModels.of(background, undo, new Spaces(), this::evaluate);
        Results results = models.results();
        this.pictures = new DesignPictures(area, results, shows);
        this.runs = new RunViewModel(background, runner, messages, undo, pictures, new RunForm(area));
        this.logs = new LogViewModel(runs.log(), n -> runs.withLogged(() -> results.select(n)));
        this.tried = new ManualEvaluation(background, runner, messages);
        this.files = new FileExport(background, choices, messages, this::guard);
        results.remember(() -> runs.shownNumber().stream()
                .mapToObj(id -> new RunMemory(memory, id))
                .findFirst());
    }

    private final class Spaces implements InsightViewModel.Spaces {
        @Override
        public Optional<DesignSpace> open() {
            return session.get().map(w -> w.bench().space());
        }

        @Override
        public Callable<DesignSpace> ofRun() {
            Optional<Session<W>> open = session.get();
            Optional<RunRecord> run = runs.current().get();
            return () ->
                    DesignPictures.workbench(open.orElseThrow(), run).bench().space();
        }
    }

    private void evaluate(Configuration c) {
        session.get()
                .ifPresent(w -> tried.evaluate(
                        w,
                        () -> session.get().filter(now -> now == w).isPresent(),
                        0,
                        c,
                        form -> runs.form().check(form),
                        x -> runs.refresh(() -> models.results().select(x))));
    }

    private FileGuard guard() {
        return session.get()
                .map(w -> w.project().guard(true, w.bench().settings()))
                .orElse(FileGuard.standard());
    }

    /// True if a run keeps what is open; the person is told so.
    ///
    /// @param anyway what the person can do all the same
    public boolean isBusy(Optional<Message.Action> anyway) {
        if (runs.anyActive()) {
            messages.show(new Message(
                    Message.Kind.WARNING,
                    "A run is active in "
                            + session.get().map(w -> w.project().name()).orElse("this project")
                            + ". Stop it before opening something else; it can be resumed.",
                    anyway));
        }
        return runs.anyActive();
    }

    /// Makes something the open work; its runs are shown by [#showRuns].
    public void open(Session<W> opened, Settings remembered) {
        memory = remembered;
        messages.clear();
        undo.clear();
        session.set(Optional.of(opened));
    }

    /// Shows the runs of the open work, and gives the project of what was open before back.
    public void showRuns(Optional<Session<W>> before) {
        session.get().ifPresent(w -> {
            runs.open(w, memory);
            before.map(Session::project).filter(p -> p != w.project()).ifPresent(this::give);
        });
    }

    /// Gives a project back.
    public void give(Project project) {
        background.away(project::close);
    }

    /// Explores another space of the same project.
    public void use(Session<W> edited) {
        session.set(Optional.of(edited));
        runs.use(edited);
    }

    /// Closes it; a run in progress is stopped and can be resumed.
    ///
    /// @param then done away from the screen once the project was given back
    public void close(Runnable then) {
        session.set(Optional.empty());
        undo.clear();
        messages.clear();
        runs.leave(then);
    }

    /// Gives the project back; away from the screen.
    public void shutDown() {
        memory.save();
        session.get().ifPresent(w -> w.project().close());
    }

    /// Keeps what the person did with the open project.
    public void keep() {
        Settings now = memory;
        background.away(now::save);
    }

    /// The steps that can be taken back.
    public UndoStack undo() {
        return undo;
    }

    /// The remembered settings of the open work.
    public Settings memory() {
        return memory;
    }

    /// The open session.
    public ReadOnlyObjectProperty<Optional<Session<W>>> session() {
        return session.getReadOnlyProperty();
    }

    /// Name of what is open.
    public ObservableValue<Optional<String>> name() {
        return session.map(s -> s.map(b -> b.project().name()));
    }

    /// The designs and what is known of them.
    public DesignModels models() {
        return models;
    }

    /// The pictures of the runs.
    public DesignPictures pictures() {
        return pictures;
    }

    /// The runs.
    public RunViewModel runs() {
        return runs;
    }

    /// Log and warnings.
    public LogViewModel logs() {
        return logs;
    }

    /// Writes what leaves.
    public FileExport files() {
        return files;
    }
}
