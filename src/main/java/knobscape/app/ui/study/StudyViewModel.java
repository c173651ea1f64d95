package knobscape.app.ui.study;

import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import javafx.beans.property.ReadOnlyObjectProperty;
import javafx.beans.property.ReadOnlyObjectWrapper;
import knobscape.app.ui.area.DesignModels;
import knobscape.app.ui.designs.Results;
import knobscape.app.ui.designs.RunMemory;
import knobscape.app.ui.designs.Sizes;
import knobscape.app.ui.export.FileExport;
import knobscape.app.ui.file.FileChoices;
import knobscape.app.ui.message.Message;
import knobscape.app.ui.message.Messages;
import knobscape.app.ui.run.DesignPictures;
import knobscape.app.ui.run.LogViewModel;
import knobscape.app.ui.run.ManualEvaluation;
import knobscape.app.ui.run.RunForm;
import knobscape.app.ui.run.RunViewModel;
import knobscape.app.ui.settings.Settings;
import knobscape.app.ui.task.Background;
import knobscape.app.ui.task.Opener;
import knobscape.app.ui.undo.UndoStack;
import knobscape.evaluate.report.FileGuard;
import knobscape.project.Project;
import knobscape.project.Runner;
import knobscape.project.Session;
import knobscape.space.Configuration;
import knobscape.space.DesignSpace;
import knobscape.study.StudyArea;
import knobscape.study.StudySettings;
import knobscape.study.StudyWorkbench;

/// The open study and the view models of its parts. Used from the JavaFX thread; reading happens away from it.
public final class StudyViewModel {
    private static final int MAX_RECENT = 10;

    private final Background background;
    private final Messages messages;
    private final Settings settings;
    private final String recentKey;
    private final UndoStack undo = new UndoStack();
    private final DesignModels models;
    private final Results results;
    private final DesignPictures pictures;
    private final RunViewModel run;
    private final LogViewModel logs;
    private final ManualEvaluation tried;
    private final Opener opener;
    private final StudyExport export;
    private final ReadOnlyObjectWrapper<Optional<Session<StudyWorkbench>>> open =
            new ReadOnlyObjectWrapper<>(Optional.empty());
    private Settings memory = Settings.inMemory();

    /// @param background where work is done
    /// @param runner starts runs
    /// @param messages takes what goes wrong
    /// @param settings what is remembered
    /// @param recentKey where the settings keep what was opened
    /// @param choices asks for files
    public StudyViewModel(
            Background background,
            Runner runner,
            Messages messages,
            Settings settings,
            String recentKey,
            FileChoices choices) {
        this.background = background;
        this.messages = messages;
        this.settings = settings;
        this.recentKey = recentKey;
        this.models = DesignModels.of(background, undo, this::space, this::evaluate);
        this.results = models.results();
        this.pictures = new DesignPictures(
                results,
                (session, stored) -> !(session.bench() instanceof StudyWorkbench b)
                        || stored.knobs().equals(b.space().knobs()));
        this.run = new RunViewModel(background, runner, messages, undo, pictures, new RunForm(new StudyArea()));
        this.logs = new LogViewModel(run.log(), n -> run.withLogged(() -> results.select(n)));
        this.tried = new ManualEvaluation(background, runner, messages);
        this.opener = new Opener(
                background,
                messages,
                "The study could not be opened",
                () -> open.get().isPresent());
        this.export = new StudyExport(new FileExport(background, choices, messages, this::guard), results, run, open);
        results.reading().bind(opener.words().isNotEmpty().or(run.reading()));
        results.remember(() -> run.shownNumber().stream()
                .mapToObj(id -> new RunMemory(memory, id))
                .findFirst());
    }

    private Optional<DesignSpace> space() {
        return open.get().map(s -> s.bench().space());
    }

    private void evaluate(Configuration c) {
        open.get()
                .ifPresent(s -> tried.evaluate(
                        s,
                        () -> open.get().filter(now -> now == s).isPresent(),
                        0,
                        c,
                        form -> run.form().check(form),
                        x -> run.refresh(() -> results.select(x))));
    }

    private FileGuard guard() {
        return open.get()
                .map(s -> s.project().guard(true, s.bench().settings()))
                .orElse(FileGuard.standard());
    }

    /// Opens a study file, or a project of one. Where a run is active, the person is asked to stop it first.
    void open(Path path) {
        if (run.anyActive()) {
            messages.show(new Message(
                    Message.Kind.WARNING,
                    "A run is active in "
                            + open.get().map(s -> s.project().name()).orElse("this study")
                            + ". Stop it before opening something else; it can be resumed.",
                    Optional.empty()));
            return;
        }
        Path absolute = path.toAbsolutePath().normalize();
        opener.read(
                String.valueOf(absolute.getFileName()),
                () -> {
                    Session<StudyWorkbench> read = read(absolute);
                    return Map.entry(
                            read, Settings.load(read.project().runsFolder().resolve(RunMemory.FILE)));
                },
                read -> {
                    show(read.getKey(), read.getValue());
                    settings.remember(recentKey, absolute.toString(), MAX_RECENT);
                    background.away(settings::save);
                },
                () -> {});
    }

    private static Session<StudyWorkbench> read(Path path) {
        Project project = Project.open(path);
        try {
            return Session.of(project, project.file().work(StudySettings.class), s -> new StudyArea().open(s, project));
        } catch (RuntimeException e) {
            project.close();
            throw e;
        }
    }

    private void show(Session<StudyWorkbench> read, Settings remembered) {
        Optional<Project> before = open.get().map(Session::project);
        messages.clear();
        undo.clear();
        memory = remembered;
        open.set(Optional.of(read));
        read.bench().warnings().forEach(w -> messages.show(Message.warning(w)));
        run.open(read, memory);
        before.ifPresent(p -> background.away(p::close));
    }

    /// Closes the study; a run in progress is stopped and can be resumed.
    ///
    /// @param then done away from the screen once the project was given back
    void close(Runnable then) {
        undo.clear();
        messages.clear();
        open.set(Optional.empty());
        run.leave(then);
        opener.close();
    }

    /// Ends background work and gives the project back; away from the screen.
    void shutDown() {
        memory.save();
        open.get().ifPresent(s -> s.project().close());
    }

    /// How many parameters there are and how many configurations the constraints leave.
    String size() {
        return open.get()
                .map(s -> {
                    DesignSpace space = s.bench().space();
                    int n = space.knobs().size();
                    return n + (n == 1 ? " parameter, " : " parameters, ") + Sizes.words(space.size())
                            + " configurations"
                            + (s.bench().study().constraints().isEmpty()
                                    ? ""
                                    : " (" + Sizes.share(space.size(), space.fullSize()) + " of "
                                            + Sizes.words(space.fullSize()) + ")");
                })
                .orElse("");
    }

    /// What is open.
    ReadOnlyObjectProperty<Optional<Session<StudyWorkbench>>> study() {
        return open.getReadOnlyProperty();
    }

    /// Reads studies.
    Opener opener() {
        return opener;
    }

    /// The designs and what is known of them.
    DesignModels models() {
        return models;
    }

    /// What is made of the runs.
    DesignPictures pictures() {
        return pictures;
    }

    /// What leaves.
    StudyExport export() {
        return export;
    }

    /// The runs.
    public RunViewModel run() {
        return run;
    }

    /// Log and warnings.
    LogViewModel logs() {
        return logs;
    }

    /// What can be taken back.
    UndoStack undo() {
        return undo;
    }
}
