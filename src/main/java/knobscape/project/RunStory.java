package knobscape.project;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import knobscape.evaluate.Evaluation;
import knobscape.evaluate.EvaluatorInfo;
import knobscape.explore.Objectives;
import knobscape.explore.Proposal;
import knobscape.explore.RunEvent;

/// Stores what was evaluated elsewhere as one step of a run, as if it had just arrived.
final class RunStory {
    private final RunStore store;
    private final long run;
    private final EvaluatorInfo info;
    private final Instant at;
    private long sequence;
    private double toolSeconds;

    /// @param run number of the run, which is stored and empty
    /// @param info of what evaluated
    RunStory(RunStore store, long run, EvaluatorInfo info, Instant at) {
        this.store = store;
        this.run = run;
        this.info = info;
        this.at = at;
    }

    /// Stores the evaluations of each subject, in order.
    void write(List<List<Evaluation>> evaluations) {
        for (int subject = 0; subject < evaluations.size(); subject++) {
            step(subject, evaluations.get(subject));
        }
    }

    private void step(int subject, List<Evaluation> evaluations) {
        List<Proposal> proposals = evaluations.stream()
                .map(e -> Proposal.of(e.configuration(), info.top(), "initial design"))
                .toList();
        store.asked(run, ++sequence, new RunEvent.Asked(subject, 0, proposals, "", Map.of(), 0));
        for (int i = 0; i < proposals.size(); i++) {
            Evaluation e = evaluations.get(i);
            toolSeconds += e.costSeconds();
            store.sent(run, ++sequence, new RunEvent.Proposed(subject, 0, i, proposals.get(i)));
            store.stage(run, ++sequence, new RunEvent.StageDone(subject, 0, i, proposals.get(i), e), at);
        }
        store.objectives(
                run,
                subject,
                Objectives.calibrate(
                        info.objectives().stream().map(info::metric).toList(),
                        evaluations.stream().filter(Evaluation::isMeasured).toList()));
        var progress = new RunEvent.Progress(0, Integer.MAX_VALUE, 0, Double.NaN, 0, toolSeconds, 0, 0, Double.NaN);
        store.stepDone(run, ++sequence, new RunEvent.StepDone(subject, 0, progress, Map.of()), at);
    }
}
