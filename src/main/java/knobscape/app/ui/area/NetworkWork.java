package knobscape.app.ui.area;

import java.util.Optional;
import javafx.beans.value.ObservableValue;
import knobscape.app.ui.run.RunViewModel;
import knobscape.app.ui.task.Opener;
import knobscape.app.ui.undo.UndoStack;

/// What an area that works on networks does with one. Used from the JavaFX thread.
public interface NetworkWork {
    /// Opens a file, a project or `zoo:NAME`.
    void open(String source);

    /// Closes what is open; what runs is stopped and can be resumed.
    ///
    /// @param then done away from the screen once the project was given back
    void close(Runnable then);

    /// Closes what is open.
    default void close() {
        close(() -> {});
    }

    /// Its runs.
    RunViewModel runs();

    /// Name of what is open.
    ObservableValue<Optional<String>> name();

    /// What is being opened.
    Opener opener();

    /// What can be taken back.
    UndoStack undo();

    /// Stops what runs.
    void shutDown();
}
