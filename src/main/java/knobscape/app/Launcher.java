package knobscape.app;

import knobscape.app.cli.Main;
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
        System.exit(arguments.length == 0 ? Main.execute("gui") : Main.execute(arguments));
    }
}
