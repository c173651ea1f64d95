package knobscape.app.ui.gpu;

import static java.util.Objects.requireNonNull;

import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Function;
import knobscape.app.ui.area.WorkKind;
import knobscape.app.ui.designs.RunMemory;
import knobscape.app.ui.settings.Settings;
import knobscape.app.ui.task.ExtentsQuestion;
import knobscape.evaluate.EvaluatorKind;
import knobscape.gpu.GpuArea;
import knobscape.gpu.GpuSettings;
import knobscape.gpu.GpuWorkbench;
import knobscape.gpu.source.TunableNetwork;
import knobscape.network.ImportOptions;
import knobscape.network.source.NetworkNames;
import knobscape.project.Folders;
import knobscape.project.Project;
import knobscape.project.RunRecord;
import knobscape.project.RunStore;
import knobscape.project.Session;
import knobscape.space.Sha256;
import knobscape.work.Area;

/// The network that a person opened for tuning.
///
/// @param opened the network in the project that holds its runs
/// @param network as it is drawn
/// @param memory what the person did with it
record GpuSource(Session<GpuWorkbench> opened, GpuNetwork network, Settings memory) {
    /// A network (a file or `zoo:NAME`), a project, or measured kernels (`replay:FILE`), as its newest run saw
    /// it. Away from the screen.
    ///
    /// @param folders the folder of the runs of what is no project
    /// @param given what a person gave where the file leaves it open
    private static GpuSource open(String name, Function<String, Path> folders, ImportOptions given) {
        Path file = isFile(name) ? Path.of(name).toAbsolutePath().normalize() : Path.of("");
        boolean isProject = isFile(name) && WorkKind.isProject(file);
        Optional<Area.BareProject> bare = Optional.of(name)
                .filter(n -> !isProject)
                .map(n -> GpuArea.bare(
                        isFile(n) ? file.toString() : n, Path.of("").toAbsolutePath()));
        // Networks of one name share a folder.
        Project project = bare.map(b ->
                        Project.shared(new Area.BareProject(b.name(), folders.apply(name), b.work()), Optional.empty()))
                .orElseGet(() -> Project.open(file, Optional.of(folders.apply(name))));
        Optional<String> source = bare.map(b -> b.work().settings().source());
        boolean done = false;
        try {
            GpuSettings what = newest(project)
                    .filter(w -> source.isEmpty() || w.source().equals(source.get()))
                    .or(() -> source.map(GpuSettings::of))
                    .orElseGet(() -> project.file().work(GpuSettings.class));
            GpuSource read = of(
                    project,
                    given(what, given),
                    Settings.load(project.runsFolder().resolve(RunMemory.FILE)));
            done = true;
            return read;
        } finally {
            if (!done) {
                project.close();
            }
        }
    }

    private static GpuSettings given(GpuSettings s, ImportOptions given) {
        return new GpuSettings(ExtentsQuestion.taken(s.values(), given, GpuSettings.EXTENTS, GpuSettings.BATCH));
    }

    /// Opens it as [#open] does.
    static Function<ImportOptions, GpuSource> opener(String name, Function<String, Path> folders) {
        return given -> open(name, folders, given);
    }

    /// The folder of the runs of a source: beside a file, as the command line has it, else among the program's
    /// own.
    ///
    /// @param own the program's own folder of runs
    static Path usualFolder(String source, Path own) {
        String name = TunableNetwork.stem(source) + ".knobscape";
        if (!source.startsWith(NetworkNames.ZOO)) {
            Path parent =
                    requireNonNull(Path.of(EvaluatorKind.REPLAY.argument(source).orElse(source))
                            .toAbsolutePath()
                            .normalize()
                            .getParent());
            return Folders.isWritable(parent)
                    ? parent.resolve(name)
                    : own.resolve(TunableNetwork.stem(source) + "-" + Sha256.name(parent.toString()) + ".knobscape");
        }
        return own.resolve(name);
    }

    /// The settings of the newest run.
    private static Optional<GpuSettings> newest(Project project) {
        return project.runs()
                .flatMap(RunStore::newest)
                .map(RunRecord::work)
                .filter(GpuSettings.class::isInstance)
                .map(GpuSettings.class::cast);
    }

    private static GpuSource of(Project project, GpuSettings what, Settings memory) {
        GpuWorkbench bench = GpuWorkbench.open(project, what);
        return new GpuSource(
                new Session<>(project, bench, s -> with(project, bench, s.as(GpuSettings.class))),
                GpuNetwork.of(bench),
                memory);
    }

    /// The network is read again only where it is seen in another way.
    private static GpuWorkbench with(Project project, GpuWorkbench bench, GpuSettings other) {
        GpuSettings now = bench.settings();
        return project.resolve(now.source()).equals(project.resolve(other.source())) && !isSeenOtherwise(now, other)
                ? bench.with(other)
                : GpuWorkbench.open(project, other);
    }

    /// True if other settings change the kernels.
    static boolean isSeenOtherwise(GpuSettings now, GpuSettings other) {
        return now.batch() != other.batch()
                || now.templates() != other.templates()
                || now.isBare() != other.isBare()
                || !now.dims().equals(other.dims());
    }

    /// True if a name is one of a file or folder to come back to.
    static boolean isFile(String name) {
        return !name.startsWith(NetworkNames.ZOO) && !EvaluatorKind.REPLAY.hasArgument(name);
    }

    /// The same seen in another way. Away from the screen.
    GpuSource as(GpuSettings other) {
        return of(opened.project(), other, memory);
    }
}
