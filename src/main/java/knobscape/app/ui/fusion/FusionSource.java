package knobscape.app.ui.fusion;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import knobscape.app.ui.area.WorkKind;
import knobscape.fusion.FusionArea;
import knobscape.fusion.FusionSettings;
import knobscape.fusion.FusionWorkbench;
import knobscape.fusion.search.FusionMethod;
import knobscape.fusion.source.Accelerator;
import knobscape.project.Opened;
import knobscape.project.Project;
import knobscape.work.Choices;

/// What a person opened for fusion.
///
/// @param opened the network in its project, which whoever takes it closes
/// @param accelerator what it runs on at first
/// @param earlier the newest runs, the oldest of them first
/// @param kept strategies that a person kept
record FusionSource(
        Opened<FusionWorkbench> opened,
        Accelerator accelerator,
        List<Searched> earlier,
        List<KeptStrategies.Kept> kept) {
    private static final long DEFAULT_BUFFER = 20_000_000;

    /// Reads a project, whose settings are taken over, or a network. Away from the screen.
    static FusionSource read(String source, Choices<FusionMethod> methods, Path own) {
        boolean isProject = !source.startsWith(FusionSettings.ZOO) && WorkKind.isProject(Path.of(source));
        Project project = isProject
                ? Project.open(
                        Path.of(source), Optional.of(own.resolve(Path.of(source).getFileName())))
                : Project.scratch(FusionArea.bare(source, own), Optional.empty());
        boolean done = false;
        try {
            var settings = project.file().work(FusionSettings.class);
            FusionWorkbench bench = FusionWorkbench.open(project, settings, methods);
            var opened = new Opened<>(project, bench, s -> bench.with(project, (FusionSettings) s));
            Accelerator accelerator = bench.model().accelerator();
            var read = new FusionSource(
                    opened,
                    isProject ? accelerator : accelerator.withBuffer(DEFAULT_BUFFER),
                    Searched.all(opened),
                    KeptStrategies.read(project.runsFolder(), bench.model()));
            done = true;
            return read;
        } finally {
            if (!done) {
                project.close();
            }
        }
    }
}
