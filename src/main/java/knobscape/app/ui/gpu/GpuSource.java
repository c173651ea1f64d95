package knobscape.app.ui.gpu;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import knobscape.app.ui.area.WorkKind;
import knobscape.app.ui.gpu.GpuNetwork.Subject;
import knobscape.app.ui.gpu.StoredTunings.Tuned;
import knobscape.evaluate.UserError;
import knobscape.project.Folders;
import knobscape.network.source.NetworkNames;
import knobscape.project.Project;
import knobscape.project.tune.TuneSettings;

/// What a person opened for tuning.
///
/// @param asked as it was asked for
/// @param subject what it is
/// @param network as runs name it
/// @param folder of the runs
/// @param here where relative paths of runs start
/// @param project its settings, where it is one
record GpuSource(String asked, Subject subject, String network, Path folder, Path here, Optional<TuneSettings> project) {
    static final String REPLAY = "replay:";
    static final String ZOO = "zoo:";

    /// A source with all that is known of it.
    ///
    /// @param runs stored ones of the same kernels, oldest first
    /// @param problem why they cannot be shown
    record Read(GpuSource source, GpuNetwork network, List<Tuned> runs, Optional<String> problem) { }

    /// A network (a file or `zoo:NAME`), a project, or measured kernels (`replay:FILE`). Away from the screen.
    ///
    /// @param folders the folder of the runs of what is no project
    static GpuSource find(String name, Function<String, Path> folders) {
        if (isFile(name) && WorkKind.isProject(Path.of(name))) {
            try (Project project = Project.open(Path.of(name).toAbsolutePath().normalize())) {
                boolean apart = !Folders.isWritable(project.folder());
                TuneSettings s = TuneSettings.of(project, apart);
                String what = s.network().isEmpty() ? REPLAY + project.resolve(s.device().substring(REPLAY.length())) : NetworkNames.source(s.network(), project.folder());
                return new GpuSource(name, Subject.of(what).as(s), s.network(), apart ? folders.apply(name) : project.folder(), project.folder(), Optional.of(s));
            }
        }
        return new GpuSource(name, Subject.of(name), name.startsWith(REPLAY) ? "" : name, folders.apply(name), Path.of("").toAbsolutePath(), Optional.empty());
    }

    /// Whether a name is one of a file or folder to come back to.
    static boolean isFile(String name) {
        return !name.startsWith(ZOO) && !name.startsWith(REPLAY);
    }

    /// The same seen in another way.
    GpuSource as(Subject other) {
        return new GpuSource(asked, other, network, folder, here, project);
    }

    /// As the newest run saw it, else as the project says.
    GpuSource asLast() {
        return as(StoredTunings.newest(folder).or(this::project).map(subject::as).orElse(subject));
    }

    /// Reads it with its newest runs. Away from the screen.
    Read read(int mostRuns) {
        GpuNetwork n = GpuNetwork.read(subject);
        try {
            return new Read(this, n, StoredTunings.runs(n, network, folder, here, mostRuns), Optional.empty());
        } catch (UserError e) {
            return new Read(this, n, List.of(), Optional.of("The earlier tuning runs cannot be shown: " + e.getMessage()));
        }
    }
}
