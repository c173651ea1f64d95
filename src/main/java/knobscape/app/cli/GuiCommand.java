package knobscape.app.cli;

import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import knobscape.app.system.Display;
import knobscape.app.system.Installation;
import knobscape.app.ui.KnobscapeApplication;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// `knobscape gui [PROJECT]`: the window, or, without a display, the same work in the terminal.
@Command(name = GuiCommand.NAME, description = "Open the window (this is also what happens without any verb).")
final class GuiCommand implements Callable<Integer> {
    static final String NAME = "gui";

    @Spec
    private CommandSpec spec;

    @Parameters(
            arity = "0..1",
            paramLabel = "PROJECT",
            description = "A project folder, a source file or a CSV file of measured designs; default: the start page.")
    private Path project;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Print this help.")
    @SuppressWarnings("UnusedVariable") // picocli reads it
    private boolean help;

    private final CommandContext context;

    GuiCommand(CommandContext context) {
        this.context = context;
    }

    @Override
    public Integer call() {
        Optional<Path> toOpen =
                Optional.ofNullable(project).map(p -> context.here().resolve(p).normalize());
        Optional<String> whyNoDisplay = Display.whyNone();
        if (whyNoDisplay.isPresent()) {
            return Demo.run(whyNoDisplay.get(), toOpen.or(Installation::firstSample), spec.commandLine(), context);
        }
        KnobscapeApplication.open(toOpen);
        return 0;
    }
}
