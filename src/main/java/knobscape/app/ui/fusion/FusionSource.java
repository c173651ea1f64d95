package knobscape.app.ui.fusion;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import knobscape.app.ui.WorkKind;
import knobscape.fusion.cost.Accelerator;
import knobscape.fusion.cost.CostModel;
import knobscape.fusion.cost.FusionNetwork;
import knobscape.fusion.mapper.Constraint;
import knobscape.project.FusionSettings;
import knobscape.project.FusionWorkbench;
import knobscape.project.Project;

/// What a person opened for fusion.
///
/// @param network the chain of layers
/// @param notes what was noticed
/// @param accelerator what it runs on at first
/// @param batch samples at first
/// @param constraint how a project sees strategies that do not fit
record FusionSource(FusionNetwork network, List<String> notes, Accelerator accelerator, int batch, Optional<Constraint> constraint) {
    private static final long USUAL_BUFFER = 20_000_000;

    /// Reads a project, whose settings are taken over, or a network. Away from the screen.
    static FusionSource read(String source) {
        if (!source.startsWith(FusionSettings.ZOO) && WorkKind.isProject(Path.of(source))) {
            try (Project project = Project.open(Path.of(source))) {
                FusionWorkbench bench = FusionWorkbench.open(project);
                return new FusionSource(bench.model().network(), bench.warnings(), bench.model().accelerator(), bench.model().batch(), Optional.of(bench.settings().constraint()));
            }
        }
        FusionWorkbench.Opened opened = FusionWorkbench.read(source, Map.of());
        FusionNetwork n = opened.network();
        Accelerator a = Accelerator.calibrated().withBuffer(USUAL_BUFFER);
        // Proves that the bytes of this network can be counted before anything on the screen changes.
        new CostModel(n, a, FusionViewModel.USUAL_BATCH);
        return new FusionSource(n, opened.notes(), a, FusionViewModel.USUAL_BATCH, Optional.empty());
    }
}
