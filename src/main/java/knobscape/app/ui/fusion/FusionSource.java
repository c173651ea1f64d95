package knobscape.app.ui.fusion;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import knobscape.app.ui.area.WorkKind;
import knobscape.fusion.FusionSettings;
import knobscape.fusion.FusionWorkbench;
import knobscape.fusion.evaluate.CostModel;
import knobscape.fusion.search.Constraint;
import knobscape.fusion.source.Accelerator;
import knobscape.fusion.source.FusionNetwork;
import knobscape.project.Project;
import knobscape.project.RunRecord;
import knobscape.project.RunResults;
import knobscape.project.RunStore;

/// What a person opened for fusion.
///
/// @param network the chain of layers
/// @param notes what was noticed
/// @param accelerator what it runs on at first
/// @param batch samples at first
/// @param constraint how a project sees strategies that do not fit
/// @param earlier the best strategies of a project's newest runs, the oldest of them first
record FusionSource(FusionNetwork network, List<String> notes, Accelerator accelerator, int batch, Optional<Constraint> constraint, List<FusionSearches.Found> earlier) {
    private static final int MOST_EARLIER = 20;
    private static final long USUAL_BUFFER = 20_000_000;

    /// Reads a project, whose settings are taken over, or a network. Away from the screen.
    static FusionSource read(String source) {
        if (!source.startsWith(FusionSettings.ZOO) && WorkKind.isProject(Path.of(source))) {
            try (Project project = Project.open(Path.of(source))) {
                FusionWorkbench bench = FusionWorkbench.open(project, project.file().work(FusionSettings.class));
                return new FusionSource(bench.model().network(), bench.warnings(), bench.model().accelerator(), bench.model().batch(), Optional.of(bench.settings().constraint()), earlier(project, bench));
            }
        }
        FusionWorkbench.Opened opened = FusionWorkbench.read(source, Map.of());
        FusionNetwork n = opened.network();
        Accelerator a = Accelerator.calibrated().withBuffer(USUAL_BUFFER);
        // Proves that the bytes of this network can be counted before anything on the screen changes.
        new CostModel(n, a, FusionViewModel.USUAL_BATCH);
        return new FusionSource(n, opened.notes(), a, FusionViewModel.USUAL_BATCH, Optional.empty(), List.of());
    }

    /// Of runs with the costs that the project has now: with another network, accelerator or batch their strategies would mean something else.
    private static List<FusionSearches.Found> earlier(Project project, FusionWorkbench bench) {
        Optional<RunStore> store = project.runs();
        if (store.isEmpty()) {
            return List.of();
        }
        String hash = bench.sourceHash();
        List<RunRecord> runs = store.get().list().stream().filter(r -> r.sourceHash().equals(hash)).toList();
        return runs.subList(Math.max(0, runs.size() - MOST_EARLIER), runs.size()).stream().flatMap(r -> {
            RunResults results = store.get().results(r.id());
            return bench.best(results.designs().stream().flatMap(d -> d.evaluations().stream())).map(s -> new FusionSearches.Found(bench.model().network(), FusionSearches.title(bench.method(r.settings().method()), r.settings().seed()), s,
                    bench.model().budget(), results.designs().size(), results.trace().isEmpty() ? 0 : results.trace().getLast().algorithmSeconds())).stream();
        }).toList();
    }
}
