package knobscape.work;

import java.util.List;
import knobscape.explore.Exploration;
import knobscape.explore.Scheduler;
import knobscape.explore.Subject;

/// A run made ready: what is searched, in which order, and when it ends. Closing it closes its evaluators.
///
/// @param subjects one, or one per task
/// @param scheduler whose turn it is
/// @param settings limits of the run
/// @param closing closes what the evaluators stand on, after them
public record Plan(List<Subject> subjects, Scheduler scheduler, Exploration.Settings settings, Runnable closing)
        implements AutoCloseable {
    /// Copies the list.
    public Plan {
        subjects = List.copyOf(subjects);
    }

    /// Evaluators that stand on nothing of their own.
    public Plan(List<Subject> subjects, Scheduler scheduler, Exploration.Settings settings) {
        this(subjects, scheduler, settings, () -> {});
    }

    @Override
    public void close() {
        subjects.forEach(s -> s.evaluator().close());
        closing.run();
    }
}
