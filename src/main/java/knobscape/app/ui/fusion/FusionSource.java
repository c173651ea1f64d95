package knobscape.app.ui.fusion;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import knobscape.app.ui.area.WorkKind;
import knobscape.app.ui.task.ExtentsQuestion;
import knobscape.evaluate.UserError;
import knobscape.fusion.FusionArea;
import knobscape.fusion.FusionSettings;
import knobscape.fusion.FusionWorkbench;
import knobscape.fusion.StripWork;
import knobscape.fusion.StripWorkbench;
import knobscape.fusion.search.FusionMethod;
import knobscape.network.ImportOptions;
import knobscape.project.Project;
import knobscape.project.RunRecord;
import knobscape.project.RunStore;
import knobscape.project.Session;
import knobscape.work.Area;
import knobscape.work.Choices;
import knobscape.work.Workbench;

/// The network that a person opened for fusion.
///
/// @param opened the network in its project, which whoever takes it closes
/// @param bench the network under the paper's model
/// @param rows the same for strips
/// @param earlier the newest runs, the oldest of them first
/// @param kept strategies that a person kept
record FusionSource(
        Session<Workbench> opened,
        FusionWorkbench bench,
        Rows rows,
        List<FusionSearchRun> earlier,
        List<SavedStrategies.SavedStrategy> kept) {
    /// The network for strips.
    ///
    /// @param why strips cannot read it; empty where they can
    record Rows(Optional<StripWork> work, String why) {
        private static Rows of(Project project, FusionSettings settings) {
            try {
                return new Rows(Optional.of(StripWork.open(project, settings)), "");
            } catch (UserError e) {
                return new Rows(Optional.empty(), e.getMessage());
            }
        }
    }

    private static final long DEFAULT_BUFFER = 20_000_000;

    /// Reads a project, whose settings are taken over, or a network. Away from the screen.
    ///
    /// @param given what a person gave where the file leaves it open
    static FusionSource read(String source, Choices<FusionMethod> methods, Path own, ImportOptions given) {
        boolean isProject = !source.startsWith(FusionSettings.ZOO) && WorkKind.isProject(Path.of(source));
        Project project = isProject
                ? Project.open(
                        Path.of(source), Optional.of(own.resolve(Path.of(source).getFileName())))
                : Project.scratch(firstSeen(FusionArea.bare(source, own), given), Optional.empty());
        boolean done = false;
        try {
            var settings = given(project.file().work(FusionSettings.class), given);
            FusionWorkbench bench = FusionWorkbench.open(project, paper(settings), methods);
            if (String.valueOf(project.runsFolder().getFileName()).endsWith(".knobscape")) {
                bench = asLastSearched(project, bench);
            }
            FusionWorkbench base = bench;
            var opened = session(project, base);
            var read = new FusionSource(
                    opened,
                    base,
                    Rows.of(project, base.settings()),
                    FusionSearchRun.all(opened),
                    SavedStrategies.read(project.runsFolder(), base.model()));
            done = true;
            return read;
        } finally {
            if (!done) {
                project.close();
            }
        }
    }

    /// Runs go in strips or under the paper's model, as their settings say.
    private static Session<Workbench> session(Project project, FusionWorkbench base) {
        return new Session<>(project, base, s -> {
            var own = (FusionSettings) s;
            return own.isStrips() ? StripWorkbench.open(project, own) : base.with(project, own);
        });
    }

    private static FusionSettings given(FusionSettings s, ImportOptions given) {
        return new FusionSettings(ExtentsQuestion.taken(s.values(), given, FusionSettings.DIMS, FusionSettings.BATCH));
    }

    private static Area.BareProject firstSeen(Area.BareProject bare, ImportOptions given) {
        var settings = (FusionSettings) bare.work().settings();
        return bare.with(given(settings.with(FusionSettings.BUFFER, DEFAULT_BUFFER), given));
    }

    /// A workbench made for a network without a project keeps the settings of its first run; accelerator, buffer and
    /// batch are those of the newest.
    private static FusionWorkbench asLastSearched(Project project, FusionWorkbench bench) {
        return project.runs()
                .flatMap(RunStore::newest)
                .flatMap(r -> newest(project, bench, r))
                .orElse(bench);
    }

    private static Optional<FusionWorkbench> newest(Project project, FusionWorkbench bench, RunRecord run) {
        var opened = new Session<>(project, bench, s -> bench.with(project, (FusionSettings) s));
        if (!(run.work() instanceof FusionSettings s) || !s.isStrips()) {
            return FusionSearchRun.bench(opened, run);
        }
        try {
            return Optional.of(bench.with(
                    project,
                    paper(s.with(FusionSettings.NETWORK, bench.settings().source()))));
        } catch (UserError e) {
            // Its accelerator file is gone.
            return Optional.empty();
        }
    }

    /// Settings of the paper's model: what a run is of follows from its method, where nothing is said.
    private static FusionSettings paper(FusionSettings s) {
        return s.isStrips() ? s.of(s.values().without(FusionSettings.COST_MODEL)) : s;
    }
}
