package knobscape.app.ui.area;

import javafx.beans.property.ReadOnlyBooleanProperty;
import javafx.beans.value.ObservableValue;
import knobscape.app.ui.task.Opener;

/// The work of an area on networks. Used from the JavaFX thread.
public interface NetworkWork extends OpenWork {
    /// Opens a file, a project or `zoo:NAME`.
    void open(String source);

    /// The opener of networks.
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
