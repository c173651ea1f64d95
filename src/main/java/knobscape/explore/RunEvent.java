package knobscape.explore;

import java.util.List;
import java.util.Map;
import knobscape.evaluate.Evaluation;
import knobscape.evaluate.EvaluatorInfo;

/// An event of a run, for those who watch it. Published on the run's own thread. [Known], [Asked], [Proposed] and
/// [StageDone], in the order they were told, are all that a run needs to be resumed ([Exploration#run]).
/// `subject` is the index of the subject, 0 where there is one.
public sealed interface RunEvent {

    /// The run begins, or is resumed after `replayed` stored evaluations. `info` is that of the first subject;
    /// `initialDesigns` is 0 where several subjects tell theirs later.
    record Started(String method, long seed, EvaluatorInfo info, int maxSteps, int initialDesigns, int replayed)
            implements RunEvent {}

    /// Evaluations that were known before a search began.
    record Known(int subject, List<Evaluation> evaluations) implements RunEvent {}

    /// Objectives and the reference point of the hypervolume are fixed.
    record ObjectivesFixed(int subject, Objectives objectives) implements RunEvent {}

    /// An explorer was asked. `step` is 0 for initial designs; `explorerState` and `diagnostics` are those
    /// after the question ([Explorer#state()], [Explorer#diagnostics()]).
    record Asked(
            int subject,
            int step,
            List<Proposal> proposals,
            String explorerState,
            Map<String, double[]> diagnostics,
            double algorithmSeconds)
            implements RunEvent {
        public Asked {
            proposals = List.copyOf(proposals);
            diagnostics = Map.copyOf(diagnostics);
        }
    }

    /// A proposal was sent out, or sent again after an interruption. `position` counts the proposals of its
    /// step from 0.
    record Proposed(int subject, int step, int position, Proposal proposal) implements RunEvent {}

    /// One stage of a proposal came back.
    record StageDone(int subject, int step, int position, Proposal proposal, Evaluation evaluation)
            implements RunEvent {}

    /// The last stage of a proposal came back.
    ///
    /// @param evaluations the stages it ran, lowest first; those known before are not among them
    /// @param progress the state of the run after it
    record Evaluated(
            int subject, int step, int position, Proposal proposal, List<Evaluation> evaluations, Progress progress)
            implements RunEvent {}

    /// An optimisation step is complete (all its proposals answered); `diagnostics` is what the explorer tells
    /// of how it chose (losses, hyper-parameters, seconds per part).
    record StepDone(int subject, int step, Progress progress, Map<String, double[]> diagnostics) implements RunEvent {}

    /// A population search has made its first `step` evaluations, each of them a step.
    ///
    /// @param kept those since the last such event that changed the front or are of the even sample
    record Batch(int subject, int step, List<StageDone> kept, Progress progress) implements RunEvent {
        public Batch {
            kept = List.copyOf(kept);
        }
    }

    /// Words for the log.
    record Note(String text) implements RunEvent {}

    /// Waiting; whatever was in flight has been stored.
    record Paused(Progress progress) implements RunEvent {}

    /// Running again after a pause.
    record Resumed() implements RunEvent {}

    /// The end, for whatever reason.
    record Finished(Ending ending, String reason, Progress progress) implements RunEvent {}

    /// How a run ended.
    enum Ending {
        /// All steps done, converged, or the space is exhausted.
        COMPLETED,
        /// Stopped by a person; it can be resumed.
        STOPPED,
        /// Could not continue; the reason says why.
        FAILED
    }

    /// Numbers for the status bar.
    ///
    /// @param step optimisation steps answered
    /// @param maxSteps most steps there can be
    /// @param evaluated configurations evaluated at any fidelity
    /// @param hypervolume of the top-fidelity front in normalised objectives; NaN before the reference point is
    /// fixed, and with several subjects
    /// @param frontSize designs on that front, 0 with several subjects
    /// @param toolSeconds tool time spent
    /// @param algorithmSeconds time the explorers themselves took
    /// @param elapsedSeconds wall-clock time since this start, pauses excluded
    /// @param secondsLeft estimate from measured steps, NaN before there is something to claim
    record Progress(
            int step,
            int maxSteps,
            int evaluated,
            double hypervolume,
            int frontSize,
            double toolSeconds,
            double algorithmSeconds,
            double elapsedSeconds,
            double secondsLeft) {}
}
