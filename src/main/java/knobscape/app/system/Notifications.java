package knobscape.app.system;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import knobscape.project.RunRecord;

/// Notifications of the desktop, where the system has a program for them: `notify-send` of Linux and the BSDs,
/// `osascript` of macOS.
public final class Notifications {
    /// Key of the user's settings; `false` switches them off.
    public static final String KEY = "notifications";

    private Notifications() {}

    /// Shows one; gives whether the system takes them.
    ///
    /// @param finder finds a program of the search path
    public static boolean show(String title, String text, Function<String, Optional<Path>> finder) {
        Optional<List<String>> command = command(title, text, finder);
        try {
            if (command.isPresent()) {
                Process p = new ProcessBuilder(command.get())
                        .redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .start();
                p.getOutputStream().close();
                return true;
            }
        } catch (IOException e) {
            // The message in the window says the same.
            return false;
        }
        return false;
    }

    /// The notice of a run that has ended.
    public static String ended(String project, RunRecord run) {
        return project + ": " + run.title() + " has " + run.status().words();
    }

    /// The command that shows one.
    static Optional<List<String>> command(String title, String text, Function<String, Optional<Path>> finder) {
        return finder.apply("notify-send")
                .map(p -> List.of(p.toString(), "--app-name=Knobscape", "--", title, text))
                .or(() -> finder.apply("osascript")
                        // What is said travels as arguments, never as part of the script.
                        .map(p -> List.of(
                                p.toString(),
                                "-e",
                                "on run argv",
                                "-e",
                                "display notification (item 2 of argv) with title (item 1 of argv)",
                                "-e",
                                "end run",
                                title,
                                text)));
    }
}
