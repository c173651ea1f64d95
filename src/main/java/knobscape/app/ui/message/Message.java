package knobscape.app.ui.message;

import java.util.Optional;
import java.util.regex.Pattern;
import knobscape.evaluate.report.Printable;

/// One sentence for the person, shown above what is in the window.
///
/// @param kind how it is meant
/// @param text whole sentences
/// @param action what can be done about it, if anything
public record Message(Kind kind, String text, Optional<Action> action) {
    private static final Pattern EXCERPT = Pattern.compile("(?s)\\n +\\d+ \\|.*");

    /// Names of files may hold control characters, which are shown as escapes. What a compiler quotes of a source below
    /// its sentence needs letters of one width and is left out; line and column stand in the sentence.
    public Message {
        text = Printable.line(EXCERPT.matcher(text).replaceFirst(""));
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

    /// A possible action on the message.
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
