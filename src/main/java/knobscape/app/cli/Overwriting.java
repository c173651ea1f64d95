package knobscape.app.cli;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import knobscape.evaluate.report.FileGuard;
import knobscape.fusion.FusionSettings;
import knobscape.gpu.GpuSettings;
import knobscape.hls.HlsSettings;
import knobscape.project.Project;
import knobscape.project.ProjectFile;
import knobscape.work.WorkSettings;
import picocli.CommandLine.Option;

/// `--force`, as a mixin of the verbs that write files.
final class Overwriting {
    @Option(
            names = "--force",
            description = "Write also over files that this program did not write; never over a source.")
    private boolean force;

    /// For output that has no project.
    FileGuard guard() {
        return new FileGuard(force, Set.of());
    }

    /// For output of a project's work: keeps the files that the work is made from.
    FileGuard guard(Project project, WorkSettings work) {
        Stream<String> more = switch (work) {
            case HlsSettings s -> s.directives().stream();
            case FusionSettings s -> Stream.of(s.accelerator());
            case GpuSettings s -> s.log().stream();
            default -> Stream.empty();
        };
        var sources = new ArrayList<Path>();
        sources.add(project.folder().resolve(ProjectFile.FILE_NAME));
        Stream.concat(Stream.of(work.source()), more)
                .flatMap(name -> path(project, name).stream())
                .forEach(sources::add);
        return guard().keeping(sources);
    }

    /// The names of built-in networks are not paths everywhere.
    private static Optional<Path> path(Project project, String name) {
        try {
            return Optional.of(project.resolve(name));
        } catch (InvalidPathException e) {
            return Optional.empty();
        }
    }
}
