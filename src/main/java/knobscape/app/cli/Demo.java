package knobscape.app.cli;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine;

/// What the program does where no window can be opened: the exploration that the window would offer, in the terminal.
final class Demo {
    private Demo() {}

    /// Says why there is no window and explores the project with the command line's own verb; results go to `out/`.
    ///
    /// @param whyNoDisplay one sentence
    /// @param project what to explore; empty where the samples are missing
    /// @param gui the command line of `gui`, of which only the streams are used
    /// @return the exit status of the exploration; 1 where there is nothing to explore
    static int run(String whyNoDisplay, Optional<Path> project, CommandLine gui) {
        PrintWriter out = gui.getOut();
        out.println(whyNoDisplay);
        if (project.isEmpty()) {
            gui.getErr().println("The sample projects were not found; name a project: knobscape gui PROJECT");
            return 1;
        }
        out.println("Exploring " + project.get() + " in the terminal instead; results go to out/.");
        out.flush();
        return Main.execute("explore", project.get().toString(), "--seed", "1", "--out", "out");
    }
}
