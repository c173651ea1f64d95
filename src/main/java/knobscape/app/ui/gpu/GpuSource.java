package knobscape.app.ui.gpu;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import knobscape.app.ui.area.WorkKind;
import knobscape.evaluate.UserError;
import knobscape.gpu.GpuArea;
import knobscape.gpu.GpuSettings;
import knobscape.gpu.GpuWorkbench;
import knobscape.gpu.export.TuningResults;
import knobscape.gpu.source.TunableNetwork;
import knobscape.project.Opened;
import knobscape.project.Project;
import knobscape.project.RunRecord;
import knobscape.project.RunStore;
import knobscape.work.Area;

/// What a person opened for tuning.
///
/// @param asked as it was asked for
/// @param project holds its runs
/// @param what is tuned
record GpuSource(String asked, Project project, GpuSettings what) {
    /// A source with all that is known of it.
    ///
    /// @param runs stored ones of the same kernels, oldest first
    /// @param problem why they cannot be shown
    record Read(
            GpuSource source,
            Opened<GpuWorkbench> opened,
            GpuNetwork network,
            List<Tuning> runs,
            Optional<String> problem) {}

    /// A network (a file or `zoo:NAME`), a project, or measured kernels (`replay:FILE`), as its newest run saw
    /// it. Away from the screen.
    ///
    /// @param folders the folder of the runs of what is no project
    static GpuSource find(String name, Function<String, Path> folders) {
        if (isFile(name) && WorkKind.isProject(Path.of(name))) {
            Project project =
                    Project.open(Path.of(name).toAbsolutePath().normalize(), Optional.of(folders.apply(name)));
            try {
                return new GpuSource(
                        name, project, newest(project).orElse(project.file().work(GpuSettings.class)));
            } catch (UserError e) {
                project.close();
                throw e;
            }
        }
        Area.Bare bare = GpuArea.bare(
                isFile(name) ? Path.of(name).toAbsolutePath().normalize().toString() : name,
                Path.of("").toAbsolutePath());
        Project project =
                Project.shared(new Area.Bare(bare.name(), folders.apply(name), bare.work()), Optional.empty());
        var own = (GpuSettings) bare.work().settings();
        return new GpuSource(
                name,
                project,
                newest(project).filter(w -> w.source().equals(own.source())).orElse(own));
    }

    /// What the newest run tunes.
    private static Optional<GpuSettings> newest(Project project) {
        return project.runs()
                .flatMap(RunStore::newest)
                .map(RunRecord::work)
                .filter(GpuSettings.class::isInstance)
                .map(GpuSettings.class::cast);
    }

    /// Whether a name is one of a file or folder to come back to.
    static boolean isFile(String name) {
        return !name.startsWith("zoo:") && !name.startsWith(TunableNetwork.REPLAY);
    }

    /// The same seen in another way.
    GpuSource as(GpuSettings other) {
        return new GpuSource(asked, project, other);
    }

    /// Reads it with its newest runs. Away from the screen.
    Read read(int mostRuns) {
        Opened<GpuWorkbench> opened = Opened.of(project, what, s -> GpuWorkbench.open(project, (GpuSettings) s));
        GpuNetwork n = GpuNetwork.of(opened.bench());
        try {
            return new Read(this, opened, n, runs(opened, mostRuns), Optional.empty());
        } catch (UserError e) {
            return new Read(
                    this,
                    opened,
                    n,
                    List.of(),
                    Optional.of("The earlier tuning runs cannot be shown: " + e.getMessage()));
        }
    }

    private static List<Tuning> runs(Opened<GpuWorkbench> opened, int most) {
        var found = new ArrayList<Tuning>();
        Optional<RunStore> store = opened.project().runs();
        for (RunRecord r : store.map(RunStore::list).orElse(List.of()).reversed()) {
            if (found.size() < most
                    && r.work() instanceof GpuSettings what
                    && r.sourceHash().equals(opened.bench().sourceHash())) {
                found.addFirst(new Tuning(
                        r.id(),
                        what,
                        r.settings(),
                        r.status(),
                        TuningResults.of(
                                        opened.bench().network(),
                                        store.get().results(r.id()).found())
                                .picture()
                                .states()));
            }
        }
        return List.copyOf(found);
    }
}
