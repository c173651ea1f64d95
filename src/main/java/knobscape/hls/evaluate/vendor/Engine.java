package knobscape.hls.evaluate.vendor;

import knobscape.evaluate.CancellationSignal;
import knobscape.hls.evaluate.vendor.ToolProcess.Ended;
import knobscape.hls.evaluate.vendor.ToolProcess.Job;

/// Where tools run. May be asked from several threads at once.
public interface Engine {
    /// Whether this work was begun by an earlier start of the program and is still under way.
    boolean isRunning(Job job);

    /// Waits for work that an earlier start of the program began. Throws `CancellationException` where stopped.
    Ended await(Job job, CancellationSignal cancel);

    /// Ends what is left of a job of an earlier start.
    void end(Job job);

    /// Runs a job to its end. Throws [knobscape.evaluate.UserError] where it cannot be started,
    /// `CancellationException` where stopped; nothing of it runs then any more.
    Ended run(Job job, CancellationSignal cancel);

    /// The engine that settings name.
    static Engine of(ToolSettings settings) {
        return switch (settings.engine()) {
            case LOCAL -> local();
            case SLURM -> new SlurmEngine(settings.sbatch(), 2000);
        };
    }

    /// This machine.
    static Engine local() {
        return new Engine() {
            @Override
            public boolean isRunning(Job job) {
                return ToolProcess.isRunning(job.mark());
            }

            @Override
            public Ended await(Job job, CancellationSignal cancel) {
                return ToolProcess.await(job.mark(), job.limit(), cancel);
            }

            @Override
            public void end(Job job) {
                ToolProcess.end(job.mark());
            }

            @Override
            public Ended run(Job job, CancellationSignal cancel) {
                return ToolProcess.run(job, cancel);
            }
        };
    }
}
