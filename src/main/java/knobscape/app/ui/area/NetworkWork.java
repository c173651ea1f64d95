package knobscape.app.ui.area;

import javafx.beans.property.ReadOnlyBooleanProperty;
import javafx.beans.value.ObservableValue;
import knobscape.app.ui.task.Opener;

/// What an area that works on networks does with one. Used from the JavaFX thread.
public interface NetworkWork extends OpenWork {
    /// Opens a file, a project or `zoo:NAME`.
    void open(String source);

    /// What is being opened.
    Opener opener();

    @Override
    default ObservableValue<String> opening() {
        return opener().words();
    }

    @Override
    default ReadOnlyBooleanProperty isOpen() {
        return opener().isOpen();
    }
}
