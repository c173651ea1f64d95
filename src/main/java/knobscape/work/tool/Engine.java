package knobscape.work.tool;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import knobscape.evaluate.CancellationSignal;
import knobscape.work.tool.ToolProcess.Job;
import knobscape.work.tool.ToolProcess.ProcessExit;

/// Where tools run. May be asked from several threads at once.
public interface Engine {
    /// True if this work was begun by an earlier start of the program and is still under way.
    boolean isRunning(Job job);

    /// Waits for work that an earlier start of the program began. Throws `CancellationException` where stopped.
    ProcessExit await(Job job, CancellationSignal cancel);

    /// Ends what is left of a job of an earlier start.
    void end(Job job);

    /// Runs a job to its end. Throws [knobscape.evaluate.UserError] where it cannot be started,
    /// `CancellationException` where stopped; nothing of it runs then any more.
    ProcessExit run(Job job, CancellationSignal cancel);

    /// The engine that settings name.
    static Engine of(ToolSettings settings) {
        return switch (settings.engine()) {
            case LOCAL -> local(settings.jobs());
            case SLURM ->
                new SlurmEngine(
                        slurm(settings),
                        settings.budget().licences(),
                        SlurmEngine.Pace.of(settings.queueSeconds()),
                        Map.of());
        };
    }

    /// Options of `sbatch`, with the memory of a job where they do not say it.
    private static List<String> slurm(ToolSettings settings) {
        return settings.sbatch().stream().anyMatch(o -> o.startsWith("--mem"))
                        || settings.budget().equals(JobBudget.DEFAULT)
                ? settings.sbatch()
                : Stream.concat(
                                Stream.of("--mem="
                                        + (long) Math.ceil(settings.budget().jobGb() * 1024) + "M"),
                                settings.sbatch().stream())
                        .toList();
    }

    /// This machine.
    ///
    /// @param jobs most that run at once; the others wait for their turn
    static Engine local(int jobs) {
        var slots = new Semaphore(jobs, true);
        return new Engine() {
            @Override
            public boolean isRunning(Job job) {
                return ToolProcess.isRunning(job.mark());
            }

            @Override
            public ProcessExit await(Job job, CancellationSignal cancel) {
                return ToolProcess.await(job.mark(), job.limit(), cancel);
            }

            @Override
            public void end(Job job) {
                ToolProcess.end(job.mark());
            }

            @Override
            public ProcessExit run(Job job, CancellationSignal cancel) {
                try {
                    while (!slots.tryAcquire(100, TimeUnit.MILLISECONDS)) {
                        cancel.throwIfCancelled();
                    }
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                    throw new CancellationException("interrupted");
                }
                try {
                    return ToolProcess.run(job, cancel);
                } finally {
                    slots.release();
                }
            }
        };
    }
}
