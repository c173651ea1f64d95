package knobscape.app.ui.area;

import java.util.Optional;
import javafx.beans.property.ReadOnlyBooleanProperty;
import javafx.beans.value.ObservableValue;
import knobscape.app.ui.run.RunViewModel;
import knobscape.app.ui.undo.UndoStack;

/// The open work of an area. Used from the JavaFX thread.
public interface OpenWork {
    /// Its runs.
    RunViewModel runs();

    /// Name of what is open.
    ObservableValue<Optional<String>> name();

    /// The words for what is being read; empty where nothing is.
    ObservableValue<String> opening();

    /// True if something is open or being opened.
    ReadOnlyBooleanProperty isOpen();

    /// The steps that can be taken back.
    UndoStack undo();

    /// Closes what is open; what runs is stopped and can be resumed.
    ///
    /// @param then done away from the screen once the project was given back
    void close(Runnable then);

    /// Closes what is open.
    default void close() {
        close(() -> {});
    }

    /// Ends background work and gives the project back; called when the window closes, away from the screen.
    void shutDown();
}
