package knobscape.explore;

import java.util.List;
import java.util.Map;
import knobscape.evaluate.Evaluation;
import knobscape.evaluate.EvaluatorInfo;

/// What a run tells those who watch it. Published on the run's own thread.
public sealed interface RunEvent {

    /// The run begins, or goes on after `replayed` stored evaluations.
    record Started(String method, long seed, EvaluatorInfo info, int maxSteps, int initialDesigns, int replayed) implements RunEvent { }

    /// Objectives and the reference point of the hypervolume are fixed.
    record ObjectivesFixed(Objectives objectives) implements RunEvent { }

    /// A proposal was sent out. `step` is 0 for initial designs.
    record Proposed(int step, Proposal proposal) implements RunEvent { }

    /// The stages of one proposal came back.
    ///
    /// @param progress the state of the run after it
    record Evaluated(int step, Proposal proposal, List<Evaluation> evaluations, Progress progress) implements RunEvent { }

    /// An optimisation step is complete (all its proposals answered); `explorerState` is what a resumed run needs, `diagnostics` what the explorer tells of how it chose
    /// ([Explorer#diagnostics()]: losses, hyper-parameters, seconds per part).
    record StepDone(int step, Progress progress, String explorerState, Map<String, double[]> diagnostics) implements RunEvent { }

    /// Words for the log.
    record Note(String text) implements RunEvent { }

    /// Waiting; whatever was in flight has been stored.
    record Paused(Progress progress) implements RunEvent { }

    /// Going on after a pause.
    record Resumed() implements RunEvent { }

    /// The end, for whatever reason.
    record Finished(Ending ending, String reason, Progress progress) implements RunEvent { }

    /// How a run ended.
    enum Ending {
        /// All steps done, converged, or the space is exhausted.
        COMPLETED,
        /// Stopped by a person; it can be resumed.
        STOPPED,
        /// Could not go on; the reason says why.
        FAILED
    }

    /// Numbers for the status bar.
    ///
    /// @param step optimisation steps answered
    /// @param maxSteps most steps there can be
    /// @param evaluated configurations judged at any fidelity
    /// @param hypervolume of the top-fidelity front in normalised objectives, NaN before the reference point is fixed
    /// @param frontSize designs on that front
    /// @param toolSeconds tool time spent
    /// @param algorithmSeconds time the explorer itself took
    /// @param elapsedSeconds wall-clock time since this start, pauses excluded
    /// @param secondsLeft estimate from measured steps, NaN before there is something to claim
    record Progress(int step, int maxSteps, int evaluated, double hypervolume, int frontSize, double toolSeconds, double algorithmSeconds,
            double elapsedSeconds, double secondsLeft) { }
}
