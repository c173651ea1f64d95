package knobscape.project;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import knobscape.evaluate.Evaluation;
import knobscape.explore.Objectives;
import knobscape.explore.Proposal;
import knobscape.explore.RunEvent;
import knobscape.work.PastRun;

/// Stores what happened in a run that something else made, in its order.
final class RunStory {
    private final RunStore store;
    private final long run;
    private final PastRun past;
    private long sequence;
    private int stepsDone;
    private double toolSeconds;

    private RunStory(RunStore store, long run, PastRun past) {
        this.store = store;
        this.run = run;
        this.past = past;
    }

    /// Stores a run.
    ///
    /// @param command that repeats it, empty where none does
    /// @param program that made it
    static void write(RunStore store, PastRun past, String command, String program) {
        List<StoredSubject> subjects = past.subjects().stream()
                .map(s -> new StoredSubject(
                        0,
                        s.name(),
                        s.weight(),
                        s.space().knobs(),
                        s.space().size().toString(),
                        past.info(),
                        Optional.empty()))
                .toList();
        long run = store.create(
                past.work().settings(),
                past.work().run(),
                subjects,
                past.sourceHash(),
                command,
                program,
                past.created());
        var story = new RunStory(store, run, past);
        past.answers().forEach(story::answers);
        store.status(run, RunStatus.valueOf(past.status()), past.reason(), past.updated());
    }

    private void answers(PastRun.Answers a) {
        List<Evaluation> evaluations = a.evaluations();
        List<Proposal> proposals =
                evaluations.stream().map(e -> proposal(a.step(), e)).toList();
        if (a.step() == PastRun.KNOWN) {
            store.known(run, sequence + 1, new RunEvent.Known(a.subject(), evaluations), a.at());
            sequence += evaluations.size();
        } else if (a.complete()) {
            store.asked(
                    run,
                    ++sequence,
                    new RunEvent.Asked(a.subject(), a.step(), proposals, a.state(), Map.of(), past.algorithmSeconds()));
            told(a, proposals);
            done(a);
        } else {
            for (int i = 0; i < proposals.size(); i++) {
                store.propose(run, a.subject(), a.step(), i, proposals.get(i));
            }
            told(a, proposals);
        }
    }

    private void told(PastRun.Answers a, List<Proposal> proposals) {
        for (int i = 0; i < proposals.size(); i++) {
            Evaluation e = a.evaluations().get(i);
            toolSeconds += e.costSeconds();
            store.sent(run, ++sequence, new RunEvent.Proposed(a.subject(), a.step(), i, proposals.get(i)));
            store.stage(run, ++sequence, new RunEvent.StageDone(a.subject(), a.step(), i, proposals.get(i), e), a.at());
        }
    }

    private void done(PastRun.Answers a) {
        stepsDone += a.step() > 0 ? 1 : 0;
        if (a.step() == 0) {
            store.objectives(
                    run,
                    a.subject(),
                    Objectives.calibrate(
                            past.info().objectives().stream()
                                    .map(past.info()::metric)
                                    .toList(),
                            a.evaluations().stream()
                                    .filter(Evaluation::isMeasured)
                                    .toList()));
        }
        var progress = new RunEvent.Progress(
                stepsDone, Integer.MAX_VALUE, 0, Double.NaN, 0, toolSeconds, past.algorithmSeconds(), 0, Double.NaN);
        store.stepDone(run, ++sequence, new RunEvent.StepDone(a.subject(), a.step(), progress, Map.of()), a.at());
    }

    private Proposal proposal(int step, Evaluation e) {
        return new Proposal(
                e.configuration(),
                past.info().top(),
                Double.NaN,
                Optional.empty(),
                step == 0 ? "initial design" : "search");
    }
}
