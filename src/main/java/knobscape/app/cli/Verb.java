package knobscape.app.cli;

import java.io.Console;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import knobscape.evaluate.EvaluatorKind;
import knobscape.evaluate.UserError;
import knobscape.evaluate.report.FileGuard;
import knobscape.evaluate.report.Printable;
import knobscape.explore.RunEvent;
import knobscape.explore.RunListener;
import knobscape.project.AskTellRun;
import knobscape.project.ProgramConsent;
import knobscape.project.Project;
import knobscape.project.RunFiles;
import knobscape.project.RunSession;
import knobscape.project.Runner;
import knobscape.project.Session;
import knobscape.work.RunSettings;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// The base of all verbs: help, `--json`, and where words go. Results go to standard output, everything else to
/// standard error.
abstract class Verb implements Callable<Integer> {
    private static final JsonMapper JSON = JsonMapper.builder().build();

    @Spec
    private CommandSpec spec;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Print this help.")
    @SuppressWarnings("UnusedVariable") // picocli reads it
    private boolean help;

    @Option(names = "--json", description = "Print one JSON document on standard output and nothing else.")
    private boolean json;

    private final CommandContext context;

    Verb(CommandContext context) {
        this.context = context;
    }

    final CommandContext context() {
        return context;
    }

    final CommandSpec spec() {
        return spec;
    }

    final boolean isJson() {
        return json;
    }

    final PrintWriter out() {
        return PlainWriter.over(spec.commandLine().getOut());
    }

    final PrintWriter err() {
        return PlainWriter.over(spec.commandLine().getErr());
    }

    final void print(JsonNode document) {
        out().println(JSON.writerWithDefaultPrettyPrinter().writeValueAsString(document));
        out().flush();
    }

    /// Impossible or unknown values of options are wrong usage.
    final <T> T usage(Supplier<T> check) {
        try {
            return check.get();
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec().commandLine(), UserError.capital(e));
        } catch (UserError e) {
            throw new ParameterException(spec().commandLine(), e.getMessage());
        }
    }

    /// Impossible values of options are wrong usage; what is wrong with files is not.
    final <T> T value(Supplier<T> check) {
        try {
            return check.get();
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec().commandLine(), UserError.capital(e));
        }
    }

    /// Begins a run, or resumes one.
    @FunctionalInterface
    interface Begin {
        RunSession begin(Runner runner, List<RunListener> watchers);
    }

    /// The same run, that notes where its results will be before anything can end it.
    static Begin promised(Begin begin, Optional<Path> folder, FileGuard guard) {
        return (runner, watchers) -> {
            RunSession session = begin.begin(runner, watchers);
            folder.ifPresent(f -> RunFiles.promise(session.opened().project(), session.id(), f, guard));
            return session;
        };
    }

    /// Asks whether a program that a project names as its own tool may be started; once for each project and program.
    /// Throws [UserError] where nobody can answer.
    ///
    /// @param agreed whether the person named it on this command line, or said yes beforehand
    final void consent(Project project, String toolchain, boolean agreed) {
        if (Boolean.getBoolean(ProgramConsent.FORBIDDEN)) {
            ProgramConsent.program(toolchain).ifPresent(p -> {
                throw new UserError("'" + project.name() + "' names the program '" + p
                        + "' to start; the server was started without --programs.");
            });
        }
        Optional<String> program = ProgramConsent.missing(project, toolchain);
        if (program.isEmpty()) {
            return;
        }
        boolean yes = agreed;
        if (!agreed && context().interactive()) {
            Console console = System.console();
            yes = console != null
                    && String.valueOf(console.readLine(
                                    "%s names the program %s as its tool, which would be started now. Start it? [y/N] ",
                                    Printable.line(project.name()), Printable.line(program.get())))
                            .strip()
                            .toLowerCase(Locale.ROOT)
                            .startsWith("y");
        }
        if (!yes) {
            throw new UserError("The project '" + project.name() + "' names the program '" + program.get()
                    + "' as its tool, which was not started; look at it, then say --yes (asked once).");
        }
        ProgramConsent.give(project.runsFolder(), program.get());
    }

    /// Runs to the end, or until a signal stops it; gives the exit code that `report` gives.
    final int follow(Begin begin, List<RunListener> watchers, BiFunction<RunSession, RunEvent.Finished, Integer> report)
            throws InterruptedException {
        try (Runner runner = context().runners().get()) {
            RunSession session = begin.begin(runner, watchers);
            return InterruptibleRun.follow(session, end -> {
                try {
                    return report.apply(session, end);
                } catch (UserError e) {
                    if (end.ending() != RunEvent.Ending.FAILED) {
                        throw e;
                    }
                    // Why it failed was told; on a full disk its results cannot be written either.
                    return ended(end, session.opened().project().text(session.id()));
                }
            });
        }
    }

    /// Stores a run whose designs are evaluated outside and says how to drive it; empty for every other run.
    final Optional<Integer> told(Session<?> opened, RunSettings settings) {
        if (!EvaluatorKind.TOLD.isOf(settings.toolchain())) {
            return Optional.empty();
        }
        String run = opened.project().text(AskTellRun.begin(opened, settings, Clock.systemUTC()));
        if (isJson()) {
            print(JSON.createObjectNode().put("run", run));
        } else {
            out().println("Run: " + run);
            out().flush();
        }
        err().println("Designs: knobscape ask " + run + "; results: knobscape tell " + run
                + " DESIGN METRIC=VALUE ...");
        err().flush();
        return Optional.of(0);
    }

    /// The listener that tells on standard error how a run goes.
    final RunListener progress() {
        return new ProgressPrinter(spec.commandLine().getErr(), context().interactive(), System::nanoTime);
    }

    /// Says how to resume a run that was not completed; gives its exit code.
    final int ended(RunEvent.Finished end, String run) {
        if (end.ending() != RunEvent.Ending.COMPLETED) {
            err().println("To resume: knobscape " + spec().name() + " --resume " + run);
        }
        err().flush();
        return end.ending() == RunEvent.Ending.FAILED ? ErrorReporter.WORK_FAILED : 0;
    }
}
