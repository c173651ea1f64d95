package knobscape.app.ui.area;

import java.util.Optional;
import javafx.beans.value.ObservableValue;
import knobscape.app.ui.designs.Results;
import knobscape.app.ui.run.LogViewModel;
import knobscape.app.ui.run.RunViewModel;
import knobscape.app.ui.undo.UndoStack;

/// Open work that is designs and runs of one kind.
public interface DesignedWork extends OpenWork {
    /// The open work with its designs and runs.
    DesignWork<?> work();

    /// The designs and what is known of them.
    default DesignModels models() {
        return work().models();
    }

    /// The designs shared by all views.
    default Results results() {
        return models().results();
    }

    /// Log and warnings.
    default LogViewModel logs() {
        return work().logs();
    }

    @Override
    default RunViewModel runs() {
        return work().runs();
    }

    @Override
    default ObservableValue<Optional<String>> name() {
        return work().name();
    }

    @Override
    default UndoStack undo() {
        return work().undo();
    }

    @Override
    default void shutDown() {
        work().shutDown();
    }
}
