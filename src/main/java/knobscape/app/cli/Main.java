package knobscape.app.cli;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/// The root of the command line. Each verb is a subcommand in this package.
@Command(
        name = "knobscape",
        versionProvider = VersionProvider.class,
        subcommands = GuiCommand.class,
        mixinStandardHelpOptions = true,
        description = "Explore HLS directives, GPU schedules and layer fusion with learning optimisers.")
public final class Main implements Runnable {
    @Spec
    private CommandSpec spec;

    /// Made by picocli.
    public Main() {}

    /// Without a verb, what there is to choose from is printed.
    @Override
    public void run() {
        spec.commandLine().usage(spec.commandLine().getOut());
    }

    /// Runs one command line.
    ///
    /// @param arguments the words after `knobscape`
    /// @return the exit status: 0 done, 1 failed, 2 the command line was wrong
    public static int execute(String... arguments) {
        return new CommandLine(new Main()).execute(arguments);
    }
}
