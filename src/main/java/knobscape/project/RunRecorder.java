package knobscape.project;

import java.time.Clock;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Set;
import knobscape.explore.Proposal;
import knobscape.explore.RunEvent;
import knobscape.explore.RunListener;

/// Writes what a run tells into the store, as it is told.
final class RunRecorder implements RunListener {
    private record Place(int position, int design) { }

    private final RunStore store;
    private final long run;
    private final Clock clock;
    private final Map<Proposal, Place> inFlight = new IdentityHashMap<>();
    private final Set<Integer> taken = new HashSet<>();
    private int step = -1;
    /// Numbers given to designs, for those who show them; asked from other threads.
    private final Map<String, Integer> numbers = new HashMap<>();

    RunRecorder(RunStore store, long run, Clock clock) {
        this.store = store;
        this.run = run;
        this.clock = clock;
    }

    @Override
    public void onEvent(RunEvent event) {
        switch (event) {
            case RunEvent.Started s -> store.log(run, s.replayed() == 0 ? "Started." : "Went on after " + s.replayed() + " stored evaluations.", clock.instant());
            case RunEvent.ObjectivesFixed o -> store.objectives(run, o.objectives());
            case RunEvent.Proposed p -> proposed(p);
            case RunEvent.Evaluated e -> {
                Place place = inFlight.remove(e.proposal());
                store.evaluated(run, e.step(), place.position(), place.design(), e.evaluations(), e.progress().toolSeconds(), clock.instant());
            }
            case RunEvent.StepDone d -> {
                RunEvent.Progress p = d.progress();
                store.stepDone(run, new RunResults.TracePoint(d.step(), p.hypervolume(), p.frontSize(), p.toolSeconds(), p.algorithmSeconds(), d.diagnostics()), d.explorerState(),
                        clock.instant());
            }
            case RunEvent.Note n -> store.log(run, n.text(), clock.instant());
            case RunEvent.Paused p -> store.log(run, "Paused.", clock.instant());
            case RunEvent.Resumed r -> store.log(run, "Going on.", clock.instant());
            case RunEvent.Finished f -> {
                store.status(run, switch (f.ending()) {
                    case COMPLETED -> RunStatus.COMPLETED;
                    case STOPPED -> RunStatus.STOPPED;
                    case FAILED -> RunStatus.FAILED;
                }, f.reason(), clock.instant());
                store.log(run, "Ended: " + f.reason() + ".", clock.instant());
            }
        }
    }

    /// Proposals of a step come in the order of their positions, those already answered before an interruption left out.
    private void proposed(RunEvent.Proposed p) {
        if (p.step() != step) {
            step = p.step();
            taken.clear();
            taken.addAll(store.places(run, step));
        }
        int position = 0;
        while (!taken.add(position)) {
            position++;
        }
        int design = store.proposed(run, step, position, p.proposal());
        inFlight.put(p.proposal(), new Place(position, design));
        synchronized (numbers) {
            numbers.put(p.proposal().configuration().text(), design);
        }
    }

    /// Number of a design proposed since this start, 0 where it is not known.
    int number(String configuration) {
        synchronized (numbers) {
            return numbers.getOrDefault(configuration, 0);
        }
    }
}
