package knobscape.app.ui.fusion;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import knobscape.app.ui.area.WorkKind;
import knobscape.fusion.FusionArea;
import knobscape.fusion.FusionSettings;
import knobscape.fusion.FusionWorkbench;
import knobscape.fusion.search.FusionMethod;
import knobscape.project.Project;
import knobscape.project.RunStore;
import knobscape.project.Session;
import knobscape.work.Area;
import knobscape.work.Choices;

/// What a person opened for fusion.
///
/// @param opened the network in its project, which whoever takes it closes
/// @param earlier the newest runs, the oldest of them first
/// @param kept strategies that a person kept
record FusionSource(
        Session<FusionWorkbench> opened, List<FusionSearchRun> earlier, List<SavedStrategies.SavedStrategy> kept) {
    private static final long DEFAULT_BUFFER = 20_000_000;

    /// Reads a project, whose settings are taken over, or a network. Away from the screen.
    ///
    /// @param dims extents that a person gave where the file leaves them open
    static FusionSource read(String source, Choices<FusionMethod> methods, Path own, Map<String, Long> dims) {
        boolean isProject = !source.startsWith(FusionSettings.ZOO) && WorkKind.isProject(Path.of(source));
        Project project = isProject
                ? Project.open(
                        Path.of(source), Optional.of(own.resolve(Path.of(source).getFileName())))
                : Project.scratch(firstSeen(FusionArea.bare(source, own), dims), Optional.empty());
        boolean done = false;
        try {
            var settings = given(project.file().work(FusionSettings.class), dims);
            FusionWorkbench bench = FusionWorkbench.open(project, settings, methods);
            if (String.valueOf(project.runsFolder().getFileName()).endsWith(".knobscape")) {
                bench = asLastSearched(project, bench);
            }
            FusionWorkbench base = bench;
            var opened = new Session<>(project, bench, s -> base.with(project, (FusionSettings) s));
            var read = new FusionSource(
                    opened, FusionSearchRun.all(opened), SavedStrategies.read(project.runsFolder(), bench.model()));
            done = true;
            return read;
        } finally {
            if (!done) {
                project.close();
            }
        }
    }

    private static FusionSettings given(FusionSettings s, Map<String, Long> dims) {
        return dims.isEmpty() ? s : s.with(FusionSettings.DIMS, dims);
    }

    private static Area.BareProject firstSeen(Area.BareProject bare, Map<String, Long> dims) {
        var settings = (FusionSettings) bare.work().settings();
        return bare.with(given(
                settings.with(FusionSettings.BUFFER, DEFAULT_BUFFER)
                        .with(FusionSettings.COST_MODEL, FusionSettings.CostModelKind.PAPER),
                dims));
    }

    /// What was made for a network without a project keeps the settings of its first run; accelerator, buffer and
    /// batch are those of the newest.
    private static FusionWorkbench asLastSearched(Project project, FusionWorkbench bench) {
        return project.runs()
                .flatMap(RunStore::newest)
                .flatMap(r -> FusionSearchRun.bench(
                        new Session<>(project, bench, s -> bench.with(project, (FusionSettings) s)), r))
                .orElse(bench);
    }
}
