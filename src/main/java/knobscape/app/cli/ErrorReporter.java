package knobscape.app.cli;

import static java.util.Objects.requireNonNull;

import java.nio.charset.Charset;
import java.nio.file.InvalidPathException;
import java.util.Collection;
import knobscape.evaluate.NameSuggestions;
import knobscape.evaluate.UserError;
import knobscape.evaluate.report.Printable;
import org.slf4j.LoggerFactory;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/// Error messages for a person: one sentence on standard error, and the exit status 1 (the
/// work failed) or 2 (wrong usage).
final class ErrorReporter {
    static final int WORK_FAILED = 1;
    static final int WRONG_USAGE = 2;

    private static final String UNREADABLE =
            "A file or folder is named with characters that the system's locale (LC_ALL) does not have; start with LC_ALL=C.UTF-8.";

    private ErrorReporter() {}

    /// True if a name lost its characters before it came here.
    private static boolean isUnreadable(String message) {
        Charset names = Charset.forName(System.getProperty("sun.jnu.encoding", "UTF-8"));
        return !names.newEncoder().canEncode('\u00fc')
                && (message.indexOf('\ufffd') >= 0
                        || System.getProperty("user.dir", "").indexOf('\ufffd') >= 0
                        || message.contains("??"));
    }

    /// Wrong usage: what is wrong, and where help is.
    static int wrongUsage(ParameterException problem, String[] arguments) {
        CommandLine command = problem.getCommandLine();
        String message = requireNonNull(problem.getMessage()).strip();
        if (problem instanceof UnmatchedArgumentException u && !u.getUnmatched().isEmpty()) {
            // The rest of what does not match is most often the value of the first.
            String first = u.getUnmatched().getFirst();
            message = (first.startsWith("-") ? "Unknown option '" : "Unexpected argument '") + first + "'"
                    + NameSuggestions.didYouMean(first, known(command, first));
        }
        command.getErr()
                .println(
                        isUnreadable(message)
                                ? UNREADABLE
                                : Printable.text(message) + (message.endsWith(".") ? "" : ".") + " See '"
                                        + command.getCommandSpec().qualifiedName() + " --help'.");
        command.getErr().flush();
        return WRONG_USAGE;
    }

    /// With a capital where it begins with a plain word (not a file's name), and a full stop.
    static String sentence(String message) {
        String begun = message.matches("(?s)[a-z]+ .*")
                ? Character.toUpperCase(message.charAt(0)) + message.substring(1)
                : message;
        // A compiler's message ends with the line of the source and a caret.
        return begun.matches("(?s).*(?:[.?]|\\n[^\\n]*\\^[~^]*)") ? begun : begun + ".";
    }

    private static Collection<String> known(CommandLine command, String word) {
        return word.startsWith("-")
                ? command.getCommandSpec().optionsMap().keySet()
                : command.getSubcommands().keySet();
    }

    /// More was wanted than the machine has been allowed: input that is too large or too deeply nested,
    /// whatever read it.
    static int exhausted(VirtualMachineError problem, CommandLine command) {
        command.getErr()
                .println(
                        problem instanceof OutOfMemoryError
                                ? "There is not enough memory for this, "
                                        + (Runtime.getRuntime().maxMemory() >> 20)
                                        + " MB are allowed; allow Java more (-Xmx) or take a smaller input."
                                : "The input is nested too deeply for this program; use fewer levels of nesting.");
        // Nothing is logged: there may be no memory left to set up a log.
        command.getErr().flush();
        return WORK_FAILED;
    }

    /// Failed work: the sentence of a [UserError], or, for a defect of the program, what it was (its stack goes
    /// to the log).
    static int failed(Exception problem, CommandLine command, ParseResult result) {
        if (problem instanceof UserError u) {
            String message = sentence(u.getMessage());
            command.getErr().println(isUnreadable(message) ? UNREADABLE : Printable.text(message));
        } else if (problem instanceof InvalidPathException p) {
            command.getErr()
                    .println(
                            "'" + Printable.line(p.getInput()) + "' is not the name of a file: " + p.getReason() + ".");
        } else {
            LoggerFactory.getLogger(ErrorReporter.class).error("defect of the program", problem);
            command.getErr().println("Internal error, please report it: " + problem);
        }
        command.getErr().flush();
        return WORK_FAILED;
    }
}
