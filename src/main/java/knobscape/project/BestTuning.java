package knobscape.project;

import java.util.Comparator;
import knobscape.gpu.export.TunedNetwork;
import knobscape.gpu.export.TuningResults;
import knobscape.gpu.source.TunableNetwork;

/// Which of a network's stored tunings is the best: what is exported where a person names none, so that a later
/// run that is worse takes nothing away.
public final class BestTuning {
    private BestTuning() {}

    /// The best of the runs that tuned the same on the same device as `run`; of equals the newest.
    public static RunRecord of(RunStore store, TunableNetwork network, RunRecord run) {
        return store.list().stream()
                .filter(r -> r.sourceHash().equals(run.sourceHash())
                        && r.settings().toolchain().equals(run.settings().toolchain()))
                .max(Comparator.comparing(
                                (RunRecord r) -> results(store, network, r).picture(), TunedNetwork.byResult())
                        .thenComparingLong(RunRecord::id))
                .orElse(run);
    }

    /// The results of a run.
    public static TuningResults results(RunStore store, TunableNetwork network, RunRecord run) {
        return TuningResults.of(network, store.results(run.id()).found());
    }
}
