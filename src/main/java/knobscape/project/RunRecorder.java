package knobscape.project;

import java.time.Clock;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import knobscape.explore.RunEvent;
import knobscape.explore.RunListener;

/// Writes what a run tells into the store, as it is told.
final class RunRecorder implements RunListener {
    private final RunStore store;
    private final long run;
    private final Clock clock;
    private long sequence;
    /// Numbers given to designs, for those who show them; asked from other threads.
    private final Map<String, Integer> numbers = new HashMap<>();

    RunRecorder(RunStore store, long run, Clock clock) {
        this.store = store;
        this.run = run;
        this.clock = clock;
        this.sequence = store.lastSequence(run);
    }

    @Override
    public void onEvent(RunEvent event) {
        Instant now = clock.instant();
        switch (event) {
            case RunEvent.Started s ->
                store.log(
                        run,
                        s.replayed() == 0 ? "Started." : "Resumed after " + s.replayed() + " stored evaluations.",
                        now);
            case RunEvent.Known k -> {
                store.known(run, sequence + 1, k, now);
                sequence += k.evaluations().size();
            }
            case RunEvent.ObjectivesFixed o -> store.objectives(run, o.subject(), o.objectives());
            case RunEvent.Asked a -> asked(a);
            case RunEvent.Proposed p -> store.sent(run, ++sequence, p);
            case RunEvent.StageDone d -> store.stage(run, ++sequence, d, now);
            case RunEvent.Evaluated e -> {}
            case RunEvent.StepDone d -> store.stepDone(run, ++sequence, d, now);
            case RunEvent.Batch b -> store.batch(run, ++sequence, b, now);
            case RunEvent.Note n -> store.log(run, n.text(), now);
            case RunEvent.Paused p -> store.log(run, "Paused.", now);
            case RunEvent.Resumed r -> store.log(run, "Running again.", now);
            case RunEvent.Finished f -> {
                store.status(
                        run,
                        switch (f.ending()) {
                            case COMPLETED -> RunStatus.COMPLETED;
                            case STOPPED -> RunStatus.STOPPED;
                            case FAILED -> RunStatus.FAILED;
                        },
                        f.reason(),
                        now);
                store.log(run, "Ended: " + f.reason() + ".", now);
            }
        }
    }

    private void asked(RunEvent.Asked a) {
        List<Integer> given = store.asked(run, ++sequence, a);
        synchronized (numbers) {
            for (int i = 0; i < given.size(); i++) {
                numbers.put(a.proposals().get(i).configuration().text(), given.get(i));
            }
        }
    }

    /// Number of a design proposed since this start, 0 where it is not known.
    int number(String configuration) {
        synchronized (numbers) {
            return numbers.getOrDefault(configuration, 0);
        }
    }
}
