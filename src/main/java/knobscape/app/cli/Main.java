package knobscape.app.cli;

import java.io.PrintWriter;
import java.util.Set;
import java.util.stream.Stream;
import knobscape.project.Areas;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/// The root of the command line. Each verb is a subcommand in this package.
@Command(
        name = "knobscape",
        versionProvider = VersionProvider.class,
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "VERB",
        description =
                "Explore HLS directives, GPU schedules, layer fusion and the parameters of any program with learning optimisers.")
public final class Main implements Runnable {
    private static final Set<String> OTHERS = Set.of("tune", "explore");

    @Spec
    private CommandSpec spec;

    /// Made by picocli.
    public Main() {}

    /// Without a verb, what there is to choose from is printed.
    @Override
    public void run() {
        spec.commandLine().usage(spec.commandLine().getOut());
    }

    /// The command line with all its verbs, for the streams and the folder of this process.
    public static CommandLine commandLine() {
        return commandLine(CommandContext.ofThisProcess());
    }

    static CommandLine commandLine(CommandContext context) {
        var line = new CommandLine(new Main());
        line.addSubcommand(new GuiCommand(context));
        line.addSubcommand(SpaceCommand.of(context));
        line.addSubcommand(AdviseCommand.of(context));
        Areas.standard().areas().forEach(a -> line.addSubcommand(RunVerb.of(context, a)));
        line.addSubcommand(new FusionTrainCommand(context));
        line.addSubcommand(new GtunerTrainCommand(context));
        line.addSubcommand(new AskCommand(context));
        line.addSubcommand(new TellCommand(context));
        line.addSubcommand(new RunsCommand(context));
        line.addSubcommand(new ExportCommand(context));
        line.addSubcommand(CalibrateCommand.of(context));
        line.addSubcommand(new WhyCommand(context));
        line.addSubcommand(new WhatIfCommand(context));
        line.addSubcommand(new ReportCommand(context));
        line.addSubcommand(new HistoryCommand(context));
        line.addSubcommand(new BackgroundCommand(context));
        line.addSubcommand(new McpCommand(context));
        line.addSubcommand(new DoctorCommand(context));
        return withReports(MethodList.on(line)).setCaseInsensitiveEnumValuesAllowed(true);
    }

    /// A command line that reports what goes wrong as this one does: one sentence on standard error.
    public static CommandLine withReports(CommandLine line) {
        return line.setParameterExceptionHandler(ErrorReporter::wrongUsage)
                .setExecutionExceptionHandler(ErrorReporter::failed);
    }

    /// Runs one command line.
    ///
    /// @param arguments the words after `knobscape`
    /// @return the exit status: 0 done, 1 failed, 2 the command line was wrong
    public static int execute(String... arguments) {
        CommandContext context = CommandContext.ofThisProcess();
        boolean opens = arguments.length > 0
                && arguments[0].equals(GuiCommand.NAME)
                && Stream.of(arguments).noneMatch(a -> a.startsWith("-"));
        return execute(opens ? window(context) : commandLine(context), arguments);
    }

    /// With the window alone: who opens it does not wait until all verbs are made.
    private static CommandLine window(CommandContext context) {
        return withReports(new CommandLine(new Main()).addSubcommand(new GuiCommand(context)));
    }

    /// Runs one command line with other parts and streams.
    static int execute(CommandContext context, PrintWriter out, PrintWriter err, String... arguments) {
        return execute(commandLine(context).setOut(out).setErr(err), arguments);
    }

    /// `tune` and `explore` of a study or a table of results are the verb of studies: who tunes a program need not know
    /// that it is another area.
    private static String[] studies(CommandLine line, String... arguments) {
        if (arguments.length < 2 || !OTHERS.contains(arguments[0]) || !StudyForms.isOne(line, arguments)) {
            return arguments;
        }
        String[] words = arguments.clone();
        words[0] = "study";
        return words;
    }

    /// Runs the words on a command line that may be used again.
    static int execute(CommandLine line, String... arguments) {
        try {
            return line.execute(studies(line, arguments));
        } catch (StackOverflowError | OutOfMemoryError e) {
            return ErrorReporter.exhausted(e, line);
        }
    }
}
