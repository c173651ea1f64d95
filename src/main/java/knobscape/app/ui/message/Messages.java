package knobscape.app.ui.message;

import java.util.List;
import java.util.Optional;
import javafx.collections.FXCollections;
import javafx.collections.ObservableList;
import knobscape.evaluate.UserError;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The messages that stand in the window, newest first, at most three. Used from the JavaFX thread.
public final class Messages {
    private static final Logger LOG = LoggerFactory.getLogger(Messages.class);
    private static final int MAX = 3;
    private final ObservableList<Message> shown = FXCollections.observableArrayList();
    private final ObservableList<Message> readOnly = FXCollections.unmodifiableObservableList(shown);
    private final Optional<Messages> window;

    /// Those of the whole window.
    public Messages() {
        this(Optional.empty());
    }

    private Messages(Optional<Messages> window) {
        this.window = window;
    }

    /// Messages about one project, which stand among those of the window and can be cleared alone.
    public Messages ofProject() {
        return new Messages(Optional.of(this));
    }

    /// The shown messages.
    public ObservableList<Message> shown() {
        return readOnly;
    }

    /// Shows a message; an equal text that is already there is not repeated, and earlier good news makes way.
    public void show(Message message) {
        shown.removeIf(m -> m.text().equals(message.text()) || m.kind() == Message.Kind.DONE);
        shown.addFirst(message);
        while (shown.size() > MAX) {
            shown.removeLast();
        }
        window.ifPresent(w -> w.show(message));
    }

    /// Shows a failure: the sentence of a [UserError] as it is, anything else as a fault of the program with
    /// its stack in the log.
    public void fail(String whatFailed, Exception e) {
        if (e instanceof UserError u) {
            LOG.info("{}: {}", whatFailed, e.getMessage());
            show(Message.error(u.getMessage()));
        } else {
            LOG.error(whatFailed, e);
            String reason = Optional.ofNullable(e.getMessage())
                    .filter(m -> !m.isBlank())
                    .orElse(e.getClass().getSimpleName());
            show(Message.error(
                    whatFailed + ". This is a fault of the program (" + reason + "); the log has the details."));
        }
    }

    /// Closes a message.
    public void close(Message message) {
        shown.remove(message);
        window.ifPresent(w -> w.close(message));
    }

    /// Closes all: what they are about has gone.
    public void clear() {
        List.copyOf(shown).forEach(this::close);
    }
}
