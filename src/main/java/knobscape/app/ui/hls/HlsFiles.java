package knobscape.app.ui.hls;

import static java.util.Objects.requireNonNull;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import knobscape.app.ui.area.WorkKind;
import knobscape.app.ui.hls.space.KnobEdits;
import knobscape.evaluate.replay.ReplaySet;
import knobscape.evaluate.report.FileOutput;
import knobscape.hls.HlsSettings;
import knobscape.hls.HlsWorkbench;
import knobscape.hls.space.DirectiveFile;
import knobscape.hls.space.StatedDesign;
import knobscape.project.Folders;
import knobscape.project.Opened;
import knobscape.project.Project;

/// Where HLS work lies on disk.
public final class HlsFiles {
    private static final List<String> EXTENSIONS = List.of("c", "cc", "cpp", "cxx", "c++", "C");

    private HlsFiles() {}

    /// Opens a project. A file in a folder that cannot be written has its runs among the program's own, under a name
    /// that no other file gives.
    static Project project(Path path) {
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

    /// Whether a file or folder looks like HLS work.
    public static boolean accepts(Path path) {
        if (WorkKind.isProject(path)) {
            return WorkKind.ofProject(path).filter(k -> !k.equals(WorkKind.HLS)).isEmpty();
        }
        if (Files.isDirectory(path)) {
            return false;
        }
        String name = path.getFileName().toString();
        return ReplaySet.recognises(path) || EXTENSIONS.stream().anyMatch(e -> name.endsWith("." + e));
    }

    /// Where a project that cannot be written stores its runs, in a sentence.
    static Optional<String> storesElsewhere(Project project) {
        Path beside = project.source().getParent();
        return project.runsFolder().startsWith(beside) || project.runsFolder().equals(project.folder())
                ? Optional.empty()
                : Optional.of("The folder " + beside + " cannot be written; runs are stored in " + project.runsFolder()
                        + ".");
    }

    /// Away from the screen. Every set of edits has its own file, named by its content, so that runs that used
    /// it can still continue.
    static Opened<HlsWorkbench> edited(Opened<HlsWorkbench> from, KnobEdits next) {
        if (next.isNone()) {
            return from;
        }
        HlsSettings kernel = from.bench().settings();
        return from.with(kernel.withDirectives(
                stored(from, next.yaml(from.bench().directives(), kernel.part(), kernel.clockNs()))
                        .toString()));
    }

    /// A directive file of the space with what an imported design asks for; away from the screen.
    static Path widened(Opened<HlsWorkbench> from, StatedDesign design) {
        HlsSettings kernel = from.bench().settings();
        return stored(
                from,
                design.widened(DirectiveFile.write(
                        from.bench().directives(), kernel.part(), OptionalDouble.of(kernel.clockNs()))));
    }

    private static Path stored(Opened<HlsWorkbench> from, String text) {
        Path file = from.project()
                .runsFolder()
                .resolve("knobs")
                .resolve("knobs-" + Integer.toHexString(text.hashCode()) + ".yaml");
        FileOutput.write(file, text);
        return file;
    }
}
