package knobscape.app.ui.study;

import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import javafx.beans.property.ReadOnlyBooleanProperty;
import javafx.beans.property.ReadOnlyObjectProperty;
import javafx.beans.value.ObservableValue;
import knobscape.app.ui.area.DesignWork;
import knobscape.app.ui.area.DesignedWork;
import knobscape.app.ui.area.WorkFiles;
import knobscape.app.ui.designs.Sizes;
import knobscape.app.ui.file.FileChoices;
import knobscape.app.ui.message.Message;
import knobscape.app.ui.message.Messages;
import knobscape.app.ui.settings.Settings;
import knobscape.app.ui.task.Background;
import knobscape.app.ui.task.Opener;
import knobscape.app.ui.undo.UndoStack;
import knobscape.project.Runner;
import knobscape.project.Session;
import knobscape.space.DesignSpace;
import knobscape.study.StudyArea;
import knobscape.study.StudyWorkbench;

/// The open study and the view models of its parts. Used from the JavaFX thread; reading happens away from it.
public final class StudyViewModel implements DesignedWork {
    private static final int MAX_RECENT = 10;

    private final Background background;
    private final Messages messages;
    private final Settings settings;
    private final String recentKey;
    private final DesignWork<StudyWorkbench> work;
    private final Opener opener;
    private final StudyExport export;

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
        this.work = new DesignWork<>(
                background, runner, messages, new UndoStack(), choices, new StudyArea(), StudyFiles::shows);
        this.opener = new Opener(
                background,
                messages,
                "The study could not be opened",
                () -> study().get().isPresent());
        this.export = new StudyExport(work);
        work.models()
                .results()
                .reading()
                .bind(opener.words().isNotEmpty().or(work.runs().reading()));
    }

    /// Opens a study file, a table of results, or a project of one. Where a run is active, the person is asked to stop
    /// it first.
    void open(Path path) {
        if (work.isBusy(Optional.empty())) {
            return;
        }
        Path absolute = path.toAbsolutePath().normalize();
        opener.read(
                String.valueOf(absolute.getFileName()),
                () -> {
                    Session<StudyWorkbench> read = StudyFiles.read(absolute);
                    return Map.entry(read, WorkFiles.memory(read));
                },
                read -> {
                    show(read.getKey(), read.getValue());
                    settings.remember(recentKey, absolute.toString(), MAX_RECENT);
                    background.away(settings::save);
                },
                () -> {});
    }

    /// Reads the open table with another mapping of its columns, which is kept with the project.
    void readColumns(String mapping) {
        Optional<Session<StudyWorkbench>> now = study().get();
        if (now.isEmpty()) {
            return;
        }
        if (runs().anyActive()) {
            messages.show(Message.warning("Stop the run before changing what is searched; it can be resumed."));
            return;
        }
        opener.read(
                "the columns",
                () -> Map.entry(StudyFiles.withColumns(now.get(), mapping), WorkFiles.memory(now.get())),
                read -> show(read.getKey(), read.getValue()),
                () -> {});
    }

    private void show(Session<StudyWorkbench> read, Settings remembered) {
        Optional<Session<StudyWorkbench>> before = study().get();
        work.open(read, remembered);
        read.bench().warnings().forEach(w -> messages.show(Message.warning(w)));
        work.showRuns(before);
        WorkFiles.storesElsewhere(read.project()).ifPresent(where -> messages.show(Message.warning(where)));
    }

    @Override
    public void close(Runnable then) {
        work.close(then);
        opener.close();
    }

    /// How many parameters there are and how many configurations the constraints leave.
    String size() {
        return study().get()
                .map(s -> {
                    DesignSpace space = s.bench().space();
                    int n = space.knobs().size();
                    return n + (n == 1 ? " parameter, " : " parameters, ") + Sizes.words(space.size())
                            + (s.bench().table().isPresent() ? " measured" : "") + " configurations"
                            + (space.size().equals(space.fullSize())
                                    ? ""
                                    : " (" + Sizes.share(space.size(), space.fullSize()) + " of "
                                            + Sizes.words(space.fullSize()) + ")");
                })
                .orElse("");
    }

    /// The open study.
    ReadOnlyObjectProperty<Optional<Session<StudyWorkbench>>> study() {
        return work.session();
    }

    @Override
    public ObservableValue<String> opening() {
        return opener.words();
    }

    @Override
    public ReadOnlyBooleanProperty isOpen() {
        return opener.isOpen();
    }

    @Override
    public DesignWork<StudyWorkbench> work() {
        return work;
    }

    /// The exports.
    StudyExport export() {
        return export;
    }
}
