package knobscape.app.ui.task;

import java.util.concurrent.Callable;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import javafx.beans.property.ReadOnlyBooleanProperty;
import javafx.beans.property.ReadOnlyBooleanWrapper;
import javafx.beans.property.ReadOnlyStringProperty;
import javafx.beans.property.ReadOnlyStringWrapper;
import knobscape.app.ui.message.Messages;

/// Opens one thing at a time away from the screen; what was asked for before is forgotten when something else
/// is asked for. Used from the JavaFX thread.
public final class Opening {
    private final Background background;
    private final Messages messages;
    private final String failure;
    private final BooleanSupplier stillOpen;
    private final ReadOnlyStringWrapper words = new ReadOnlyStringWrapper("");
    private final ReadOnlyBooleanWrapper open = new ReadOnlyBooleanWrapper();
    private int asked;

    /// @param background where things are read
    /// @param messages takes what goes wrong
    /// @param failure said before the reason
    /// @param stillOpen whether something else is open where a reading fails
    public Opening(Background background, Messages messages, String failure, BooleanSupplier stillOpen) {
        this.background = background;
        this.messages = messages;
        this.failure = failure;
        this.stillOpen = stillOpen;
    }

    /// Reads something.
    ///
    /// @param name what is read
    /// @param work reads it, away from the screen
    /// @param then takes it, where nothing else was asked for meanwhile
    /// @param failed what else is to do where it cannot be read
    public <T> void read(String name, Callable<T> work, Consumer<T> then, Runnable failed) {
        int mine = ++asked;
        open.set(true);
        words.set("Reading " + name.replaceFirst("^zoo:", ""));
        background.compute(
                work,
                read -> {
                    if (mine == asked) {
                        words.set("");
                        then.accept(read);
                    }
                },
                e -> {
                    messages.fail(failure, e);
                    if (mine == asked) {
                        words.set("");
                        open.set(stillOpen.getAsBoolean());
                        failed.run();
                    }
                });
    }

    /// Nothing is open any more.
    public void close() {
        asked++;
        words.set("");
        open.set(false);
    }

    /// What is being read, or empty.
    public ReadOnlyStringProperty words() {
        return words.getReadOnlyProperty();
    }

    /// Whether something is open or being opened.
    public ReadOnlyBooleanProperty isOpen() {
        return open.getReadOnlyProperty();
    }
}
