package knobscape.app.ui.gpu;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import knobscape.evaluate.UserError;
import knobscape.gpu.export.KernelState;
import knobscape.gpu.search.TaskSearch;
import knobscape.project.RunStatus;
import knobscape.project.tune.TuneSettings;
import knobscape.project.tune.TuningStore;
import knobscape.project.tune.TuningTarget;

/// The tuning runs of a folder as the window shows them. Away from the screen.
final class StoredTunings {
    private StoredTunings() {
    }

    /// A stored run.
    ///
    /// @param id number in its store
    /// @param settings how it tuned
    /// @param status how it stands
    /// @param kernels as they ended
    record Tuned(long id, TuneSettings settings, RunStatus status, List<KernelState> kernels) {
        /// `BTED+BAO, seed 1, model:gtx1080ti`.
        String title() {
            return TuneRuns.title(settings);
        }
    }

    /// Settings of the newest run, where there is one.
    static Optional<TuneSettings> newest(Path folder) {
        if (!TuningStore.isIn(folder)) {
            return Optional.empty();
        }
        try (TuningStore store = new TuningStore(folder)) {
            return store.list().reversed().stream().findFirst().map(TuningStore.Tuning::settings);
        }
    }

    /// The newest runs of the same kernels, oldest first. No device is needed.
    ///
    /// @param network as runs name it
    /// @param here where relative paths of it start
    /// @param most how many
    static List<Tuned> runs(GpuNetwork n, String network, Path folder, Path here, int most) {
        if (!TuningStore.isIn(folder)) {
            return List.of();
        }
        try (TuningStore store = new TuningStore(folder); TuningTarget target = target(n, network, here)) {
            var found = new ArrayList<Tuned>();
            for (TuningStore.Tuning t : store.list().reversed()) {
                if (found.size() < most && t.hash().equals(target.hash())) {
                    found.addFirst(new Tuned(t.id(), t.settings(), t.status(), states(n, store, t.id(), target)));
                }
            }
            return List.copyOf(found);
        }
    }

    /// What is tuned, without a device that measures: reading back needs none.
    static TuningTarget target(GpuNetwork n, String network, Path here) {
        GpuNetwork.Subject s = n.subject();
        TuningTarget target = TuningTarget.open(new TuneSettings(network, "random", s.isReplay() ? s.source() : TuneForm.USUAL_DEVICE, 0, 0, 0, s.batch(), s.allTemplates(), "knob", 1,
                s.fused(), Map.of()), here);
        if (target.kernels().size() != n.kernels().size()) {
            target.close();
            throw new UserError("The network has changed while it was read; open it again.");
        }
        return target;
    }

    /// How the kernels of a run stand.
    static List<KernelState> states(GpuNetwork n, TuningStore store, long run, TuningTarget target) {
        return tracks(n, store, run, target).stream().map(KernelState.Track::picture).toList();
    }

    /// The same, to go on with.
    static List<KernelState.Track> tracks(GpuNetwork n, TuningStore store, long run, TuningTarget target) {
        var all = new ArrayList<KernelState.Track>();
        for (int k = 0; k < n.kernels().size(); k++) {
            var track = new KernelState.Track(n.kernels().get(k));
            store.rows(run, k, target).forEach(r -> {
                if (r.step() == TaskSearch.KNOWN) {
                    track.know(r.evaluation());
                } else {
                    track.add(r.evaluation());
                }
            });
            store.tails(run, k, target).forEach(r -> track.add(r.tail(), r.evaluation()));
            all.add(track);
        }
        return List.copyOf(all);
    }
}
