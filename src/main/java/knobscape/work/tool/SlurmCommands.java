package knobscape.work.tool;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import knobscape.evaluate.CancellationSignal;
import knobscape.evaluate.InputFile;
import knobscape.evaluate.TemporaryFiles;
import knobscape.evaluate.UserError;
import knobscape.work.tool.ToolProcess.Job;
import knobscape.work.tool.ToolProcess.ProcessExit;

/// Starts Slurm's commands and hands back what they print.
final class SlurmCommands {
    /// How long a controller may stay silent before jobs count as lost: it restarts, or the network is away.
    static final Duration NO_CONTROLLER = Duration.ofMinutes(30);

    private static final Duration ANSWER = Duration.ofSeconds(60);
    private static final long MAX_ANSWER = 16L << 20;

    private final Map<String, String> environment;

    /// @param environment set for the commands beside this process's own
    SlurmCommands(Map<String, String> environment) {
        var all = new HashMap<>(environment);
        all.put("LC_ALL", "C");
        this.environment = Map.copyOf(all);
    }

    /// @param status exit status
    /// @param text standard output and error
    record Answer(int status, String text) {
        /// True if no controller answered.
        boolean isOutage() {
            return status != 0
                    && Stream.of(
                                    "Unable to contact",
                                    "Connection refused",
                                    "Socket timed out",
                                    "Communication connection failure")
                            .anyMatch(text::contains);
        }
    }

    /// Runs a command to its end, in a folder or else where temporary files are.
    Answer ask(List<String> command, Optional<Path> folder) {
        try {
            Path out = TemporaryFiles.file("knobscape-slurm", ".txt");
            try {
                Path here = folder.orElseGet(
                        () -> requireNonNull(out.toAbsolutePath().getParent()));
                ProcessExit e = ToolProcess.run(
                        new Job(out.toString(), command, here, environment, out, ANSWER), new CancellationSignal());
                return e.timedOut()
                        ? new Answer(1, "Socket timed out")
                        : new Answer(
                                e.status().orElse(1),
                                new String(InputFile.bytes(out, MAX_ANSWER), StandardCharsets.UTF_8));
            } finally {
                Files.deleteIfExists(out);
            }
        } catch (IOException e) {
            throw new UserError("The temporary folder cannot be used: " + UserError.reason(e) + ".", e);
        }
    }

    /// Cancels a job, or one task of an array.
    void cancel(String id) {
        ask(List.of("scancel", id), Optional.empty());
    }

    /// A word for the shell, whatever it holds.
    static String quoted(Object word) {
        return "'" + word.toString().replace("'", "'\\''") + "'";
    }
}
