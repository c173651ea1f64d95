package knobscape.hls.evaluate.vendor;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.CancellationException;
import knobscape.evaluate.CancellationSignal;
import knobscape.evaluate.InputFile;
import knobscape.evaluate.UserError;
import knobscape.hls.evaluate.vendor.ToolProcess.Ended;
import knobscape.hls.evaluate.vendor.ToolProcess.Job;
import knobscape.space.Sha256;

/// Runs tools as jobs of a Slurm cluster. The number of each job is kept in the design's folder, so that a restart of
/// this program finds it again; the job's script keeps the exit status, because finished jobs leave the queue and
/// accounting may be off. A controller that does not answer is asked again; a job that it has lost, or whose node
/// failed, ends without a status, which the evaluator takes for a crash of the tool and asks again.
class SlurmEngine implements Engine {
    private static final Set<String> UNDER_WAY = Set.of(
            "PENDING",
            "RUNNING",
            "CONFIGURING",
            "COMPLETING",
            "SUSPENDED",
            "REQUEUED",
            "REQUEUE_HOLD",
            "RESIZING",
            "SIGNALING",
            "STAGE_OUT",
            "STOPPED");
    private static final Duration ANSWER = Duration.ofSeconds(60);
    private static final Duration NO_CONTROLLER = Duration.ofMinutes(30);
    private static final long MAX_ANSWER = 1 << 20;
    private static final long FILE_MILLIS = 100;

    private final List<String> options;
    private final long pollMillis;

    /// @param options of `sbatch`, checked
    /// @param pollMillis time between two questions
    SlurmEngine(List<String> options, long pollMillis) {
        this.options = List.copyOf(options);
        this.pollMillis = pollMillis;
    }

    /// Names of a job's files in the design's folder.
    private record JobFiles(Path id, Path status, Path script) {
        static JobFiles of(Job job) {
            String name = "slurm-" + Sha256.of(job.mark()).substring(0, 12);
            Path f = job.folder();
            return new JobFiles(f.resolve(name + ".id"), f.resolve(name + ".status"), f.resolve(name + ".sh"));
        }
    }

    @Override
    public boolean isRunning(Job job) {
        // A job that ended while nobody watched has a result to be read, too.
        return id(job).isPresent()
                && (Files.exists(JobFiles.of(job).status())
                        || UNDER_WAY.contains(state(id(job).get(), new CancellationSignal())));
    }

    @Override
    public void end(Job job) {
        id(job).ifPresent(id -> {
            ask(List.of("scancel", id), job.folder());
            forget(job);
        });
    }

    @Override
    public Ended await(Job job, CancellationSignal cancel) {
        return follow(job, id(job).orElseThrow(), System.nanoTime(), cancel);
    }

    @Override
    public Ended run(Job job, CancellationSignal cancel) {
        cancel.throwIfCancelled();
        JobFiles files = JobFiles.of(job);
        forget(job);
        try {
            Files.writeString(files.script(), script(job, files.status()));
        } catch (IOException e) {
            throw new UserError("The folder " + job.folder() + " cannot be used: " + e.getMessage() + ".", e);
        }
        var command = new ArrayList<>(List.of(
                "sbatch",
                "--parsable",
                "--job-name=knobscape-" + job.folder().getFileName(),
                "--chdir=" + job.folder(),
                "--output=" + job.log(),
                "--open-mode=append",
                "--time=" + Math.max(1, job.limit().plusSeconds(59).toMinutes())));
        command.addAll(options);
        command.add(files.script().toString());
        long begun = System.nanoTime();
        String id = submit(command, job, cancel);
        try {
            Files.writeString(files.id(), id);
        } catch (IOException e) {
            ask(List.of("scancel", id), job.folder());
            throw new UserError("The folder " + job.folder() + " cannot be used: " + e.getMessage() + ".", e);
        }
        return follow(job, id, begun, cancel);
    }

    private String submit(List<String> command, Job job, CancellationSignal cancel) {
        long begun = System.nanoTime();
        while (true) {
            Answer a = ask(command, job.folder());
            String id = a.text()
                    .lines()
                    .reduce((_, b) -> b)
                    .orElse("")
                    .split(";")[0]
                    .strip();
            if (a.status() == 0 && id.matches("\\d+")) {
                return id;
            }
            if (!isOutage(a) || System.nanoTime() - begun > NO_CONTROLLER.toNanos()) {
                throw new UserError(
                        "sbatch did not take a job: " + a.text().strip().replace('\n', ' ')
                                + "; see knobscape doctor, or run on this machine (--engine local).");
            }
            pause(cancel);
        }
    }

    private static boolean isOutage(Answer a) {
        return a.text().contains("Unable to contact")
                || a.text().contains("Connection refused")
                || a.text().contains("Socket timed out")
                || a.text().contains("Communication connection failure");
    }

    private Ended follow(Job job, String id, long begun, CancellationSignal cancel) {
        JobFiles files = JobFiles.of(job);
        long asked = Long.MIN_VALUE;
        long running = Long.MAX_VALUE;
        try {
            while (true) {
                Optional<Integer> status = status(files.status());
                if (status.isPresent()) {
                    forget(job);
                    return new Ended(OptionalInt.of(status.get()), false, seconds(begun));
                }
                // The file tells soon, the queue seldom.
                if (asked != Long.MIN_VALUE && System.nanoTime() - asked < pollMillis * 1_000_000) {
                    cancel.sleep(Duration.ofMillis(Math.min(pollMillis, FILE_MILLIS)));
                    continue;
                }
                asked = System.nanoTime();
                String state = state(id, cancel);
                if (state.equals("RUNNING")) {
                    running = Math.min(running, asked);
                    // Slurm counts whole minutes.
                    if (asked - running > job.limit().toNanos()) {
                        ask(List.of("scancel", id), job.folder());
                        forget(job);
                        return new Ended(OptionalInt.empty(), true, seconds(running));
                    }
                }
                if (!UNDER_WAY.contains(state)) {
                    // Shared file systems show a file somewhat late.
                    pause(cancel);
                    status = status(files.status());
                    forget(job);
                    return new Ended(
                            status.isPresent() ? OptionalInt.of(status.get()) : OptionalInt.empty(),
                            state.equals("TIMEOUT"),
                            seconds(begun));
                }
            }
        } catch (CancellationException e) {
            ask(List.of("scancel", id), job.folder());
            forget(job);
            throw e;
        }
    }

    private static Optional<Integer> status(Path file) {
        try {
            String text = Files.exists(file) ? Files.readString(file).strip() : "";
            return text.matches("\\d{1,3}") ? Optional.of(Integer.valueOf(text)) : Optional.empty();
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    /// The state of a job in Slurm's words, `UNKNOWN` where it knows no such job.
    private String state(String id, CancellationSignal cancel) {
        long begun = System.nanoTime();
        while (true) {
            Answer a = ask(List.of("squeue", "--noheader", "--states=all", "--jobs=" + id, "--format=%T"), null);
            String state = a.text().strip();
            if (a.status() == 0 && !state.isEmpty()) {
                return state.lines().reduce((_, b) -> b).orElse("UNKNOWN").strip();
            }
            if (!isOutage(a) || System.nanoTime() - begun > NO_CONTROLLER.toNanos()) {
                return "UNKNOWN";
            }
            pause(cancel);
        }
    }

    private static Optional<String> id(Job job) {
        try {
            Path file = JobFiles.of(job).id();
            String text =
                    Files.exists(file) ? new String(InputFile.bytes(file, 64), StandardCharsets.UTF_8).strip() : "";
            return Optional.of(text).filter(t -> t.matches("\\d{1,12}"));
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    private static void forget(Job job) {
        try {
            Files.deleteIfExists(JobFiles.of(job).id());
            Files.deleteIfExists(JobFiles.of(job).status());
        } catch (IOException e) {
            throw new UserError("The folder " + job.folder() + " cannot be used: " + e.getMessage() + ".", e);
        }
    }

    private void pause(CancellationSignal cancel) {
        cancel.sleep(Duration.ofMillis(pollMillis));
    }

    /// Set for Slurm's commands.
    Map<String, String> environment() {
        return Map.of("LC_ALL", "C");
    }

    private record Answer(int status, String text) {}

    private Answer ask(List<String> command, @org.jspecify.annotations.Nullable Path folder) {
        try {
            Path out = Files.createTempFile("knobscape-slurm", ".txt");
            try {
                Path here = folder == null ? requireNonNull(out.toAbsolutePath().getParent()) : folder;
                Ended e = ToolProcess.run(
                        new Job(out.toString(), command, here, environment(), out, ANSWER), new CancellationSignal());
                String text = new String(InputFile.bytes(out, MAX_ANSWER), StandardCharsets.UTF_8);
                return e.timedOut()
                        ? new Answer(1, "Socket timed out")
                        : new Answer(e.status().orElse(1), text);
            } finally {
                Files.deleteIfExists(out);
            }
        } catch (IOException e) {
            throw new UserError("The temporary folder cannot be used: " + e.getMessage() + ".", e);
        }
    }

    /// The job's script. Every word is quoted for the shell, whatever it holds.
    private static String script(Job job, Path status) {
        var b = new StringBuilder("#!/bin/sh\n");
        job.environment()
                .forEach((k, v) -> b.append("export ")
                        .append(k)
                        .append('=')
                        .append(quoted(v))
                        .append('\n'));
        job.command().forEach(w -> b.append(quoted(w)).append(' '));
        return b.append("\necho $? > ")
                .append(quoted(status + ".tmp"))
                .append("\nmv ")
                .append(quoted(status + ".tmp"))
                .append(' ')
                .append(quoted(status.toString()))
                .append('\n')
                .toString();
    }

    private static String quoted(String word) {
        return "'" + word.replace("'", "'\\''") + "'";
    }

    private static double seconds(long begun) {
        return (System.nanoTime() - begun) * 1e-9;
    }
}
