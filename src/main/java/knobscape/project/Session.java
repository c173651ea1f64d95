package knobscape.project;

import java.util.function.Function;
import knobscape.work.WorkSettings;
import knobscape.work.Workbench;

/// A project with its work opened.
///
/// @param project where runs are stored
/// @param bench the work
/// @param opener opens the same project's work with other settings; not called on a thread that draws
/// @param <W> kind of workbench
public record Session<W extends Workbench>(Project project, W bench, Function<WorkSettings, W> opener) {

    /// Work opened with settings of its area.
    public static <W extends Workbench> Session<W> of(
            Project project, WorkSettings settings, Function<WorkSettings, W> opener) {
        return new Session<>(project, opener.apply(settings), opener);
    }

    /// The work as that of its area. Throws [IllegalArgumentException] where it is another area's, which only a mistake
    /// of the program can bring about.
    public <B extends Workbench> B bench(Class<B> area) {
        if (!area.isInstance(bench)) {
            throw new IllegalArgumentException(bench.getClass().getSimpleName() + " is no " + area.getSimpleName());
        }
        return area.cast(bench);
    }

    /// The same project with other settings; this one where they are the same. Throws
    /// [knobscape.evaluate.UserError] for whatever is wrong with them.
    public Session<W> with(WorkSettings settings) {
        return settings.equals(bench.settings()) ? this : of(project, settings, opener);
    }
}
