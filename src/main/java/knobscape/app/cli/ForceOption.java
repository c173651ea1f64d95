package knobscape.app.cli;

import java.util.Set;
import knobscape.evaluate.report.FileGuard;
import knobscape.project.Project;
import knobscape.work.WorkSettings;
import picocli.CommandLine.Option;

/// `--force`, as a mixin of the verbs that write files.
final class ForceOption {
    @Option(names = "--force", description = "Also overwrite files that this program did not write; never a source.")
    private boolean force;

    /// For output that has no project.
    FileGuard guard() {
        return new FileGuard(force, Set.of());
    }

    /// For output of a project's work: keeps the files that the work is made from.
    FileGuard guard(Project project, WorkSettings work) {
        return project.guard(force, work);
    }
}
