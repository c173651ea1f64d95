package knobscape.app.cli;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Optional;
import knobscape.app.ui.WindowSnapshot;
import knobscape.app.ui.theme.Theme;
import knobscape.evaluate.UserError;
import knobscape.project.RunReference;
import picocli.CommandLine;

/// The demonstration where no window can be opened: the exploration that the window would offer, in the
/// terminal, and a picture of the window with it.
final class Demo {
    private static final String FOLDER = "out";
    private static final int WIDTH = 1440;
    private static final int HEIGHT = 900;

    private Demo() {}

    /// Says why there is no window and explores the project with the command line's own verb; results go to
    /// `out/`.
    ///
    /// @param whyNoDisplay one sentence
    /// @param project what to explore; empty where the samples are missing
    /// @param gui the command line of `gui`, of which only the streams are used
    /// @param context what the verbs work with
    /// @return the exit status of the exploration; 1 where there is nothing to explore
    static int run(String whyNoDisplay, Optional<Path> project, CommandLine gui, CommandContext context) {
        PrintWriter out = gui.getOut();
        out.println(whyNoDisplay);
        if (project.isEmpty()) {
            gui.getErr().println("The sample projects were not found; name a project: knobscape gui PROJECT");
            return ErrorReporter.WORK_FAILED;
        }
        out.println("Exploring " + project.get() + " in the terminal instead; results go to " + FOLDER + "/.");
        out.flush();
        int status = new CommandLine(RunVerb.of(context, context.area("hls")))
                .setOut(out)
                .setErr(gui.getErr())
                .setExecutionExceptionHandler(ErrorReporter::failed)
                .execute(project.get().toString(), "--seed", "1", "--out", FOLDER);
        if (status == 0) {
            picture(context.here().resolve(FOLDER), out, gui.getErr());
        }
        return status;
    }

    /// The exploration is done and stored: where the picture cannot be drawn (a machine without fonts), that is
    /// said and no more.
    private static void picture(Path folder, PrintWriter out, PrintWriter err) {
        Path png = folder.resolve("window.png");
        try {
            WindowSnapshot.write(
                    png,
                    Optional.of(RunReference.parse(folder.toString(), folder).project()),
                    WIDTH,
                    HEIGHT,
                    Theme.LIGHT);
            out.println("Picture of the window: " + png);
            out.flush();
        } catch (UserError | IllegalStateException | UnsupportedOperationException | LinkageError e) {
            err.println("No picture of the window could be drawn: " + e.getMessage());
            err.flush();
        }
    }
}
