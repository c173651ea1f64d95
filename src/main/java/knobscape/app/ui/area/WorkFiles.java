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

/// Where the work of areas whose runs are designs of one space lies on disk.
public final class WorkFiles {
    private WorkFiles() {}

    /// Opens a project. A file in a folder that cannot be written has its runs among the program's own, under a name
    /// that no other file gives.
    public static Project project(Path path) {
        Path absolute = path.toAbsolutePath().normalize();
        String name = String.valueOf(absolute.getFileName());
        return Project.open(
                path,
                Files.isDirectory(absolute)
                        ? Optional.of(Folders.userRuns().resolve(name))
                        : Files.isRegularFile(absolute) && !Folders.isWritable(requireNonNull(absolute.getParent()))
                                ? Optional.of(Folders.userRuns()
                                        .resolve(name + "-"
                                                + Integer.toHexString(
                                                        absolute.toString().hashCode())))
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
