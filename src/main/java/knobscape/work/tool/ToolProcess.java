package knobscape.work.tool;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.CancellationException;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import knobscape.evaluate.CancellationSignal;
import knobscape.evaluate.InputFile;
import knobscape.evaluate.UserError;

/// A program of someone else's with everything that it starts. The whole tree is told by a variable of the
/// environment, which children inherit also where they leave their parent (wrappers, loaders), so that it is ended
/// whole, and found again by another start of this program.
public final class ToolProcess {
    private static final Pattern SYSTEM_ERROR = Pattern.compile("error[=:] ?\\d+,? \\(?([^()]+)");
    private static final String MARK = "KNOBSCAPE_JOB";
    private static final Path PROC = Path.of("/proc");
    private static final long POLL_MILLIS = 50;
    private static final int MAX_ROUNDS = 20;
    /// Most that one start may print.
    private static final long MOST_LOG = 256L << 20;

    private static final long KEPT_OF_FLOOD = 1 << 20;
    /// Status of a program that a signal ended because its file grew too large.
    private static final int TOO_LARGE = 128 + 25;

    private static final long MAX_ANSWER = 1 << 20;

    private ToolProcess() {}

    /// The job to run.
    ///
    /// @param mark names the tree; the same for the same work, so that what an earlier start left is found
    /// @param command program and arguments, never a shell's line
    /// @param folder it runs in
    /// @param environment set beside this process's own
    /// @param log standard output and error go there, after what it holds
    /// @param limit longest time
    public record Job(
            String mark, List<String> command, Path folder, Map<String, String> environment, Path log, Duration limit) {
        public Job {
            command = List.copyOf(command);
            environment = Map.copyOf(environment);
        }
    }

    /// How it ended.
    ///
    /// @param status exit status; empty where another start of this program began it, or it was stopped
    /// @param timedOut whether it was stopped because its time was over
    /// @param seconds wall-clock time
    public record ProcessExit(OptionalInt status, boolean timedOut, double seconds) {}

    /// Runs it to its end. Throws [UserError] where it cannot be started, `CancellationException` where it was
    /// stopped on request.
    public static ProcessExit run(Job job, CancellationSignal cancel) {
        cancel.throwIfCancelled();
        long begun = System.nanoTime();
        Process process;
        try {
            var builder = new ProcessBuilder(job.command())
                    .directory(job.folder().toFile())
                    .redirectErrorStream(true)
                    .redirectInput(ProcessBuilder.Redirect.from(nothing()))
                    .redirectOutput(ProcessBuilder.Redirect.appendTo(job.log().toFile()));
            builder.environment().putAll(job.environment());
            builder.environment().put(MARK, job.mark());
            process = builder.start();
        } catch (IOException e) {
            throw new UserError(
                    "'" + job.command().getFirst() + "' cannot be started (" + reason(e)
                            + "); name a program that may be run.",
                    e);
        }
        try {
            long most = job.log().toFile().length() + MOST_LOG;
            while (!process.waitFor(POLL_MILLIS, TimeUnit.MILLISECONDS)) {
                if (job.log().toFile().length() > most) {
                    return flooded(process, job, most, begun);
                }
                if (cancel.isCancelled()) {
                    throw new CancellationException("stopped on request");
                }
                if (System.nanoTime() - begun > job.limit().toNanos()) {
                    return new ProcessExit(OptionalInt.empty(), true, seconds(begun));
                }
            }
            return new ProcessExit(OptionalInt.of(process.exitValue()), false, seconds(begun));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CancellationException("interrupted");
        } finally {
            // Also where the program itself has ended: what it left behind would hold licence and memory.
            end(process, job.mark());
        }
    }

    /// Ends a program that prints without end, as a system's limit of file sizes would; the beginning is kept.
    private static ProcessExit flooded(Process process, Job job, long most, long begun) throws InterruptedException {
        end(process, job.mark());
        process.waitFor();
        try (var log = new RandomAccessFile(job.log().toFile(), "rw")) {
            log.setLength(most - MOST_LOG + KEPT_OF_FLOOD);
            log.seek(log.length());
            log.write(("\nended after it had printed " + (MOST_LOG >> 20) + " MiB\n").getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UserError("The file " + job.log() + " cannot be cut: " + UserError.reason(e) + ".", e);
        }
        return new ProcessExit(OptionalInt.of(TOO_LARGE), false, seconds(begun));
    }

    /// The answer of a program that is asked something short. Throws [UserError] where it cannot be started or the
    /// folder not be written.
    ///
    /// @param scratch folder that it runs in, made where it is not there
    /// @param limit after which it is stopped
    public static String answer(List<String> command, Path scratch, Duration limit) {
        try {
            Files.createDirectories(scratch);
            Path log = Files.createTempFile(scratch, "version", ".log");
            try {
                run(
                        new Job(log.toString(), command, scratch, Map.of("LC_ALL", "C"), log, limit),
                        new CancellationSignal());
                return new String(InputFile.bytes(log, MAX_ANSWER), StandardCharsets.UTF_8);
            } finally {
                Files.deleteIfExists(log);
            }
        } catch (IOException e) {
            throw new UserError("The folder " + scratch + " cannot be used: " + e.getMessage() + ".", e);
        }
    }

    /// True if an earlier start of this program left this work running.
    public static boolean isRunning(String mark) {
        return !marked(mark).isEmpty();
    }

    /// Waits for what an earlier start of this program left running. Throws `CancellationException` where stopped,
    /// after which nothing of it runs any more.
    public static ProcessExit await(String mark, Duration limit, CancellationSignal cancel) {
        long begun = System.nanoTime();
        try {
            while (isRunning(mark)) {
                if (cancel.isCancelled()) {
                    throw new CancellationException("stopped on request");
                }
                if (System.nanoTime() - begun > limit.toNanos()) {
                    return new ProcessExit(OptionalInt.empty(), true, seconds(begun));
                }
                Thread.sleep(10 * POLL_MILLIS);
            }
            return new ProcessExit(OptionalInt.empty(), false, seconds(begun));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CancellationException("interrupted");
        } finally {
            end(mark);
        }
    }

    /// Ends everything that carries the mark.
    public static void end(String mark) {
        for (int round = 0; round < MAX_ROUNDS; round++) {
            List<ProcessHandle> left = marked(mark);
            if (left.isEmpty()) {
                return;
            }
            left.forEach(ProcessHandle::destroyForcibly);
            pause();
        }
    }

    private static void end(Process process, String mark) {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
        end(mark);
    }

    private static void pause() {
        try {
            Thread.sleep(POLL_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /// Live processes whose environment holds the mark; of systems without `/proc` none are found.
    private static List<ProcessHandle> marked(String mark) {
        if (!Files.isDirectory(PROC)) {
            return List.of();
        }
        byte[] wanted = (MARK + "=" + mark).getBytes(StandardCharsets.UTF_8);
        try (Stream<Path> all = Files.list(PROC)) {
            return all.filter(p -> p.getFileName().toString().matches("\\d+"))
                    .filter(p -> holds(p.resolve("environ"), wanted))
                    .flatMap(
                            p -> ProcessHandle.of(Long.parseLong(p.getFileName().toString())).stream())
                    .filter(ProcessHandle::isAlive)
                    .toList();
        } catch (IOException e) {
            return List.of();
        }
    }

    /// True if one of the zero-ended words of the file is exactly the wanted one.
    private static boolean holds(Path environment, byte[] wanted) {
        try {
            byte[] b = Files.readAllBytes(environment);
            for (int at = 0; at + wanted.length <= b.length; ) {
                int to = at;
                while (to < b.length && b[to] != 0) {
                    to++;
                }
                if (to - at == wanted.length && java.util.Arrays.equals(b, at, to, wanted, 0, wanted.length)) {
                    return true;
                }
                at = to + 1;
            }
            return false;
        } catch (IOException e) {
            return false; // Another user's, or gone.
        }
    }

    private static java.io.File nothing() {
        return new java.io.File(java.io.File.separatorChar == '\\' ? "NUL" : "/dev/null");
    }

    /// The system's reason, without what the machine puts before it.
    private static String reason(IOException e) {
        Matcher m = SYSTEM_ERROR.matcher(String.valueOf(e.getMessage()));
        return m.find() ? m.group(1).strip() : String.valueOf(e.getMessage());
    }

    private static double seconds(long begun) {
        return (System.nanoTime() - begun) * 1e-9;
    }
}
