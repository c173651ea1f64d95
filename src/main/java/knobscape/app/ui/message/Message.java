package knobscape.app.ui.message;

import java.util.Optional;
import knobscape.evaluate.report.Printable;

/// One sentence for the person, shown above what is in the window.
///
/// @param kind how it is meant
/// @param text whole sentences
/// @param action what can be done about it, if anything
public record Message(Kind kind, String text, Optional<Action> action) {
    /// Names of files may hold control characters, which are shown as escapes.
    public Message {
        text = Printable.line(text);
    }

    /// How a message is meant.
    public enum Kind {
        /// Something could not be done.
        ERROR,
        /// Something was done, but needs attention.
        WARNING,
        /// Something was done.
        DONE
    }

    /// What can be done about it.
    ///
    /// @param label words on the button
    /// @param run does it
    public record Action(String label, Runnable run) {}

    /// An error without an action.
    public static Message error(String text) {
        return new Message(Kind.ERROR, text, Optional.empty());
    }

    /// A warning without an action.
    public static Message warning(String text) {
        return new Message(Kind.WARNING, text, Optional.empty());
    }

    /// News without an action.
    public static Message done(String text) {
        return new Message(Kind.DONE, text, Optional.empty());
    }
}
