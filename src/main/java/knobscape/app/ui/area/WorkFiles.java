package knobscape.app.ui.area;

import static java.util.Objects.requireNonNull;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import knobscape.app.ui.designs.RunMemory;
import knobscape.app.ui.settings.Settings;
import knobscape.project.Folders;
import knobscape.project.Project;
import knobscape.project.Session;
import knobscape.space.Sha256;

/// Where the work of areas whose runs are designs of one space lies on disk.
public final class WorkFiles {
    private WorkFiles() {}

    /// Opens a project. One in a folder that cannot be written has its runs among the program's own, under a name
    /// that no other path gives.
    public static Project project(Path path) {
        Path absolute = path.toAbsolutePath().normalize();
        Path folder = Files.isDirectory(absolute) ? absolute : requireNonNull(absolute.getParent());
        return Project.open(
                path,
                Files.exists(absolute) && !Folders.isWritable(folder)
                        ? Optional.of(Folders.userRuns()
                                .resolve(absolute.getFileName() + "-" + Sha256.name(absolute.toString())))
                        : Optional.empty());
    }

    /// Where a project that cannot be written stores its runs, in a sentence.
    public static Optional<String> storesElsewhere(Project project) {
        Path beside = project.source().getParent();
        return project.runsFolder().startsWith(beside) || project.runsFolder().equals(project.folder())
                ? Optional.empty()
                : Optional.of("The folder " + beside + " cannot be written; runs are stored in " + project.runsFolder()
                        + ".");
    }

    /// The earlier work of a person with a project; away from the screen.
    public static Settings memory(Session<?> opened) {
        return Settings.load(opened.project().runsFolder().resolve(RunMemory.FILE));
    }
}
