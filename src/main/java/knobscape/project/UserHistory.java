package knobscape.project;

import java.nio.file.Path;
import java.util.Optional;
import knobscape.evaluate.UserError;
import knobscape.work.history.TuningHistory;
import org.slf4j.LoggerFactory;

/// Where this user's tuning history is.
public final class UserHistory {
    /// System property that names another file, or `none`.
    public static final String PROPERTY = "knobscape.history";
    private static final String NONE = "none";

    private UserHistory() {}

    /// The file; empty where the property says `none`.
    public static Optional<Path> file() {
        String given = System.getProperty(PROPERTY, "");
        return given.equals(NONE)
                ? Optional.empty()
                : Optional.of(given.isEmpty() ? Folders.user().resolve("history.db") : Path.of(given));
    }

    /// Opens it for a run; a history that cannot be used is named in the log and left alone, and the run goes without.
    public static Optional<TuningHistory> open() {
        try {
            return file().map(TuningHistory::open);
        } catch (UserError e) {
            LoggerFactory.getLogger(UserHistory.class).warn("{} This run does not fill it.", e.getMessage());
            return Optional.empty();
        }
    }
}
