package knobscape.app.ui.task;

import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import javafx.beans.property.ReadOnlyBooleanProperty;
import javafx.beans.property.ReadOnlyBooleanWrapper;
import javafx.beans.property.ReadOnlyObjectProperty;
import javafx.beans.property.ReadOnlyObjectWrapper;
import javafx.beans.property.ReadOnlyStringProperty;
import javafx.beans.property.ReadOnlyStringWrapper;
import knobscape.app.ui.message.Message;
import knobscape.app.ui.message.Messages;
import knobscape.network.ImportOptions;
import knobscape.network.MissingExtents;

/// Opens one thing at a time away from the screen; what was asked for before is forgotten when something else
/// is asked for. Used from the JavaFX thread.
public final class Opener {
    private final Background background;
    private final Messages messages;
    private final String failure;
    private final BooleanSupplier stillOpen;
    private final ReadOnlyStringWrapper words = new ReadOnlyStringWrapper("");
    private final ReadOnlyBooleanWrapper open = new ReadOnlyBooleanWrapper();
    private final ReadOnlyObjectWrapper<Optional<ExtentsQuestion>> question =
            new ReadOnlyObjectWrapper<>(Optional.empty());
    private int asked;

    /// @param background where things are read
    /// @param messages takes what goes wrong
    /// @param failure said before the reason
    /// @param stillOpen whether something else is open where a reading fails
    public Opener(Background background, Messages messages, String failure, BooleanSupplier stillOpen) {
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
        read(name, work, then, failed, e -> messages.fail(failure, e));
    }

    /// Reads a network. Where its file leaves extents open, the person is asked for them ([#question()]) and it is read
    /// again.
    ///
    /// @param name what is read
    /// @param work reads it with the extents given, away from the screen
    /// @param then takes it, where nothing else was asked for meanwhile
    /// @param failed what else is to do where it cannot be read
    public <T> void readNetwork(String name, Function<ImportOptions, T> work, Consumer<T> then, Runnable failed) {
        question.set(Optional.empty());
        read(name, () -> work.apply(ImportOptions.none()), then, failed, e -> {
            if (e instanceof MissingExtents missing) {
                var asks = new AtomicReference<Optional<ExtentsQuestion>>(Optional.empty());
                asks.set(Optional.of(new ExtentsQuestion(
                        name,
                        missing,
                        given -> {
                            question.set(Optional.empty());
                            messages.clear();
                            read(name, () -> work.apply(given), then, failed);
                        },
                        () -> messages.show(new Message(
                                Message.Kind.WARNING,
                                missing.getMessage(),
                                Optional.of(new Message.Action("Give them", () -> {
                                    question.set(Optional.empty());
                                    question.set(asks.get());
                                })))))));
                question.set(asks.get());
            } else {
                messages.fail(failure, e);
            }
        });
    }

    private <T> void read(String name, Callable<T> work, Consumer<T> then, Runnable failed, Consumer<Exception> say) {
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
                    if (mine == asked) {
                        words.set("");
                        open.set(stillOpen.getAsBoolean());
                        failed.run();
                        say.accept(e);
                    } else {
                        messages.fail(failure, e);
                    }
                });
    }

    /// The question to a person about the network that is being opened; whoever shows windows asks it.
    public ReadOnlyObjectProperty<Optional<ExtentsQuestion>> question() {
        return question.getReadOnlyProperty();
    }

    /// Nothing is open any more.
    public void close() {
        asked++;
        question.set(Optional.empty());
        words.set("");
        open.set(false);
    }

    /// The words for what is being read, or empty.
    public ReadOnlyStringProperty words() {
        return words.getReadOnlyProperty();
    }

    /// True if something is open or being opened.
    public ReadOnlyBooleanProperty isOpen() {
        return open.getReadOnlyProperty();
    }
}
