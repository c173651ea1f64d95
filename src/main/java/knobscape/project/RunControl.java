package knobscape.project;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import knobscape.evaluate.UserError;
import knobscape.evaluate.report.FileOutput;

/// One process's requests to a run that another process works on, and the answers: two small files in the
/// folder of the runs. The process that works on the run looks for wishes twice a second.
public final class RunControl {
    private static final String ASKED = ".knobscape.asked";
    private static final String STATE = ".knobscape.state";
    private static final long LONGEST = 64;
    private static final Pattern WISH = Pattern.compile("(\\d{1,18}) (PAUSE|RESUME|STOP)");

    /// The requests that can be made to a run.
    public enum Wish {
        /// To wait when what is in flight has come back.
        PAUSE,
        /// To end the pause.
        RESUME,
        /// To end; what is in flight is cancelled.
        STOP
    }

    private RunControl() {}

    /// Asks it of run `id`; what was asked before and not yet heard is forgotten. Throws
    /// [UserError] where the folder cannot be written.
    public static void ask(Path folder, long id, Wish wish) {
        FileOutput.write(folder.resolve(ASKED), id + " " + wish);
    }

    /// The request to run `id` that is not heard yet.
    public static Optional<Wish> asked(Path folder, long id) {
        Matcher m = WISH.matcher(text(folder.resolve(ASKED)));
        return m.matches() && Long.parseLong(m.group(1)) == id
                ? Optional.of(Wish.valueOf(m.group(2)))
                : Optional.empty();
    }

    /// Takes what is asked of run `id`, so that it is heard once.
    static Optional<Wish> take(Path folder, long id) {
        Optional<Wish> wish = asked(folder, id);
        wish.ifPresent(w -> remove(folder.resolve(ASKED)));
        return wish;
    }

    /// True if the process that works on run `id` waits.
    public static boolean isPaused(Path folder, long id) {
        return text(folder.resolve(STATE)).equals(id + " paused");
    }

    /// Says whether run `id` of this process waits. A folder that cannot be written leaves it unsaid.
    static void tell(Path folder, long id, boolean paused) {
        try {
            if (paused) {
                FileOutput.write(folder.resolve(STATE), id + " paused");
            } else {
                Files.deleteIfExists(folder.resolve(STATE));
            }
        } catch (UserError | IOException e) {
            org.slf4j.LoggerFactory.getLogger(RunControl.class)
                    .info("the pause of run {} is not told: {}", id, e.toString());
        }
    }

    /// Forgets what was asked of run `id` before it began, and what was said of it.
    static void begin(Path folder, long id) {
        take(folder, id);
        tell(folder, id, false);
    }

    private static void remove(Path file) {
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            throw new UserError("Cannot remove " + file + "; remove it by hand.", e);
        }
    }

    private static String text(Path file) {
        try {
            return Files.isRegularFile(file) && Files.size(file) <= LONGEST
                    ? Files.readString(file).strip()
                    : "";
        } catch (IOException e) {
            return "";
        }
    }
}
