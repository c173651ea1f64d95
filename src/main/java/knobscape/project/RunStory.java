package knobscape.project;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import knobscape.evaluate.Evaluation;
import knobscape.evaluate.EvaluatorInfo;
import knobscape.explore.Objectives;
import knobscape.explore.Proposal;
import knobscape.explore.RunEvent;

/// Stores what happened in a run that another program made, in its order. Evaluations are of one stage.
final class RunStory {
    private final RunStore store;
    private final long run;
    private final EvaluatorInfo info;
    private final double algorithmSeconds;
    private long sequence;
    private int stepsDone;
    private double toolSeconds;

    /// @param algorithmSeconds time of the searches themselves
    RunStory(RunStore store, long run, EvaluatorInfo info, double algorithmSeconds) {
        this.store = store;
        this.run = run;
        this.info = info;
        this.algorithmSeconds = algorithmSeconds;
    }

    /// What was known before a search began.
    void known(int subject, Evaluation e, Instant at) {
        store.known(run, ++sequence, new RunEvent.Known(subject, List.of(e)), at);
    }

    /// A step that was answered in full.
    ///
    /// @param state of the explorer after it was asked
    void step(int subject, int step, List<Evaluation> answers, String state, Instant at) {
        store.asked(
                run,
                ++sequence,
                new RunEvent.Asked(
                        subject,
                        step,
                        answers.stream().map(e -> proposal(step, e)).toList(),
                        state,
                        Map.of(),
                        algorithmSeconds));
        answered(subject, step, answers, at);
        stepsDone += step > 0 ? 1 : 0;
        if (step == 0) {
            store.objectives(
                    run,
                    subject,
                    Objectives.calibrate(
                            info.objectives().stream().map(info::metric).toList(),
                            answers.stream().filter(Evaluation::isMeasured).toList()));
        }
        var progress = new RunEvent.Progress(
                stepsDone, Integer.MAX_VALUE, 0, Double.NaN, 0, toolSeconds, algorithmSeconds, 0, Double.NaN);
        store.stepDone(run, ++sequence, new RunEvent.StepDone(subject, step, progress, Map.of()), at);
    }

    /// The answers there are of a step that was interrupted. It will be asked again.
    void interrupted(int subject, int step, List<Evaluation> answers, Instant at) {
        for (int i = 0; i < answers.size(); i++) {
            store.propose(run, subject, step, i, proposal(step, answers.get(i)));
        }
        answered(subject, step, answers, at);
    }

    private void answered(int subject, int step, List<Evaluation> answers, Instant at) {
        for (int i = 0; i < answers.size(); i++) {
            Evaluation e = answers.get(i);
            toolSeconds += e.costSeconds();
            store.sent(run, ++sequence, new RunEvent.Proposed(subject, step, i, proposal(step, e)));
            store.stage(run, ++sequence, new RunEvent.StageDone(subject, step, i, proposal(step, e), e), at);
        }
    }

    private Proposal proposal(int step, Evaluation e) {
        return new Proposal(
                e.configuration(), info.top(), Double.NaN, Optional.empty(), step == 0 ? "initial design" : "search");
    }
}
