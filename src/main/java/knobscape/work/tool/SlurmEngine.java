package knobscape.work.tool;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CancellationException;
import java.util.regex.Pattern;
import knobscape.evaluate.CancellationSignal;
import knobscape.evaluate.FailureKind;
import knobscape.evaluate.Outcome;
import knobscape.evaluate.UserError;
import knobscape.work.tool.ToolProcess.Job;
import knobscape.work.tool.ToolProcess.ProcessExit;

/// Runs tools as jobs of a Slurm cluster; several of one stage that are ready at once are one array. The number of
/// each job is kept in the design's folder, so that a restart of this program finds it again. A controller that does
/// not answer is asked again; a job that it has lost, or whose node failed, ends with a line in the log, which the
/// evaluator takes for a crash and not for a fault of the design, and asks again.
final class SlurmEngine implements Engine {
    private static final long FILE_MILLIS = 100;
    /// Status of a job that could tell none: what it left is not to be believed.
    private static final int LOST = 1;

    private static final Pattern LOST_LINE = Pattern.compile("(?m)^Slurm: job \\d.{0,300}");

    /// Answers in a row that a job has ended before it counts: shared file systems show its status somewhat late, and
    /// of a node that failed Slurm may start it again.
    private static final int GONE_POLLS = 5;

    private final SlurmCommands commands;
    private final SlurmQueue queue;
    private final SlurmSubmission submission;
    private final long pauseMillis;

    /// How often Slurm is asked.
    ///
    /// @param pauseMillis time between two questions for the queue
    /// @param gatherMillis how long a job waits for others of its stage
    record Pace(long pauseMillis, long gatherMillis) {
        private static final long GATHERING = 400;

        /// Usual gathering.
        static Pace of(double queueSeconds) {
            return new Pace((long) (1000 * queueSeconds), GATHERING);
        }
    }

    /// @param options of `sbatch`, checked
    /// @param atOnce most jobs of an array that run at once, 0 for no limit
    /// @param environment set for Slurm's commands
    SlurmEngine(List<String> options, int atOnce, Pace pace, Map<String, String> environment) {
        this.commands = new SlurmCommands(environment);
        this.queue = new SlurmQueue(commands, pace.pauseMillis());
        this.submission = new SlurmSubmission(commands, options, atOnce, pace.gatherMillis(), pace.pauseMillis());
        this.pauseMillis = pace.pauseMillis();
    }

    @Override
    public boolean isRunning(Job job) {
        SlurmFiles files = SlurmFiles.of(job);
        Optional<String> id = files.readId(queue);
        if (id.isEmpty() || files.readStatus().isPresent()) {
            // A job that ended while nobody watched has a result to be read, too.
            return id.isPresent();
        }
        queue.follow(id.get());
        try {
            var silence = new Silence();
            while (true) {
                Optional<String> state = silence.heard(queue.state(id.get()));
                if (state.isPresent()) {
                    return SlurmQueue.isUnderWay(state.get());
                }
                new CancellationSignal().sleep(Duration.ofMillis(Math.min(pauseMillis, FILE_MILLIS)));
            }
        } finally {
            queue.leave(id.get());
        }
    }

    /// How long the controller has not answered.
    private static final class Silence {
        private long since = System.nanoTime();

        /// The state; where none was heard for too long, the job counts as lost.
        Optional<String> heard(Optional<String> state) {
            if (state.isPresent()) {
                since = System.nanoTime();
                return state;
            }
            return System.nanoTime() - since > SlurmCommands.NO_CONTROLLER.toNanos()
                    ? Optional.of(SlurmQueue.UNKNOWN)
                    : state;
        }
    }

    @Override
    public void end(Job job) {
        SlurmFiles files = SlurmFiles.of(job);
        files.readId(queue).ifPresent(id -> {
            commands.cancel(id);
            files.forget();
        });
    }

    @Override
    public ProcessExit await(Job job, CancellationSignal cancel) {
        SlurmFiles files = SlurmFiles.of(job);
        return follow(job, files, files.readId(queue).orElseThrow(), System.nanoTime(), cancel);
    }

    @Override
    public ProcessExit run(Job job, CancellationSignal cancel) {
        cancel.throwIfCancelled();
        SlurmFiles files = SlurmFiles.of(job);
        files.forget();
        files.writeScript(job);
        long begun = System.nanoTime();
        String id;
        try {
            id = submission.submit(job, files, cancel);
        } catch (CancellationException | UserError e) {
            files.forget();
            throw e;
        }
        return follow(job, files, id, begun, cancel);
    }

    private ProcessExit follow(Job job, SlurmFiles files, String id, long begun, CancellationSignal cancel) {
        long running = Long.MAX_VALUE;
        int gone = 0;
        var silence = new Silence();
        queue.follow(id);
        try {
            while (true) {
                // The file tells soon, the queue seldom.
                Optional<ProcessExit> ended = ended(files, begun);
                if (ended.isPresent()) {
                    return ended.get();
                }
                String state = silence.heard(queue.state(id)).orElse("");
                if (state.equals("RUNNING")) {
                    running = Math.min(running, System.nanoTime());
                    // Slurm counts whole minutes.
                    if (System.nanoTime() - running > job.limit().toNanos()) {
                        commands.cancel(id);
                        return new ProcessExit(OptionalInt.empty(), true, seconds(running));
                    }
                }
                if (!state.isEmpty() && !SlurmQueue.isUnderWay(state)) {
                    if (++gone > GONE_POLLS) {
                        return lost(job, id, state, begun);
                    }
                    cancel.sleep(Duration.ofMillis(pauseMillis));
                    continue;
                }
                gone = 0;
                cancel.sleep(Duration.ofMillis(Math.min(pauseMillis, FILE_MILLIS)));
            }
        } catch (CancellationException e) {
            commands.cancel(id);
            throw e;
        } finally {
            queue.leave(id);
            files.forget();
        }
    }

    private static Optional<ProcessExit> ended(SlurmFiles files, long begun) {
        return files.readStatus()
                .map(s -> new ProcessExit(
                        OptionalInt.of(s.code()), false, Double.isNaN(s.seconds()) ? seconds(begun) : s.seconds()));
    }

    /// The log's report of a job that is lost, whatever the tool said before; empty where it is not.
    static Optional<Outcome.Failure> lost(String log) {
        return LOST_LINE
                .matcher(log)
                .results()
                .findFirst()
                .map(m -> new Outcome.Failure(FailureKind.CRASHED, m.group()));
    }

    /// The end of a job whose script could not tell it.
    private static ProcessExit lost(Job job, String id, String state, long begun) {
        boolean isTime = state.equals("TIMEOUT");
        if (!isTime) {
            String note = "Slurm: job " + id
                    + switch (state) {
                        case SlurmQueue.UNKNOWN -> " is not known any more";
                        case "NODE_FAIL", "BOOT_FAIL" -> ": its node failed (" + state + ")";
                        case "OUT_OF_MEMORY" -> " ran out of memory (OUT_OF_MEMORY): ask for more with --mem";
                        case "FAILED", "COMPLETED" ->
                            " told no exit status (" + state + "): do the nodes see " + job.folder() + "?";
                        default -> " ended as " + state;
                    };
            try {
                Files.writeString(job.log(), "\n" + note + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
            } catch (IOException e) {
                throw new UserError("Cannot write " + job.log() + ": " + UserError.reason(e) + ".", e);
            }
        }
        return new ProcessExit(isTime ? OptionalInt.empty() : OptionalInt.of(LOST), isTime, seconds(begun));
    }

    private static double seconds(long begun) {
        return (System.nanoTime() - begun) * 1e-9;
    }
}
