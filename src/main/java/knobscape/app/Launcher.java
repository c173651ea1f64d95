package knobscape.app;

import java.io.File;
import java.util.stream.Stream;
import knobscape.app.cli.Main;
import knobscape.app.system.TemporaryFolder;
import knobscape.project.ProgramVersion;

/// Entry point of the program. It does not extend JavaFX's `Application`, which could not be started from the
/// class path, and answers `--version` before anything else is loaded.
public final class Launcher {
    private Launcher() {}

    /// Without arguments the window opens on its start page; else the arguments are a command line.
    ///
    /// @param arguments the words after `knobscape`
    public static void main(String[] arguments) {
        if (arguments.length == 1 && (arguments[0].equals("--version") || arguments[0].equals("-V"))) {
            System.out.println("knobscape " + ProgramVersion.current());
            return;
        }
        TemporaryFolder.use();
        System.exit(Main.execute(arguments.length == 0 || isOpened(arguments) ? words("gui", arguments) : arguments));
    }

    /// A file manager starts the program with nothing but the full path of what was opened.
    private static boolean isOpened(String... arguments) {
        var file = new File(arguments[0]);
        return arguments.length == 1 && file.isAbsolute() && file.exists();
    }

    private static String[] words(String first, String... rest) {
        return Stream.concat(Stream.of(first), Stream.of(rest)).toArray(String[]::new);
    }
}
