package knobscape.app.ui.run;

import java.util.List;
import java.util.Optional;
import knobscape.explore.RunEvent;
import knobscape.project.RunRecord;
import knobscape.project.RunResults;
import knobscape.project.Session;
import knobscape.space.Configuration;
import knobscape.work.Area;
import knobscape.work.RunSettings;
import knobscape.work.WorkSettings;

/// An area's pictures of its runs: their events are folded away from the screen, and pictures of what came of
/// them are shown on it. Everything but [Picture#show] and [#clear] works away from the JavaFX thread.
public interface RunPictures {
    /// The state at a moment, ready for the screen.
    interface Picture {
        /// Shows it.
        ///
        /// @param run whose it is; empty before the first
        /// @param anew whether another run, or none, was shown before
        void show(Optional<RunRecord> run, boolean anew);
    }

    /// Takes the events of one run, in order, on one thread at a time.
    interface Fold {
        /// Takes events.
        void apply(List<RunEvent> events);

        /// How it stands.
        Picture picture();

        /// Evaluations so far, where they are what a budget limits.
        default int evaluated() {
            return 0;
        }

        /// The best value reached, for the bar (`speedup 3.21`); empty for nothing.
        default String best() {
            return "";
        }

        /// A person's name for what is being evaluated (`#28`).
        String title(int subject, Configuration configuration);
    }

    /// Before the first run.
    Picture before(Session<?> opened, RunSettings settings);

    /// A run that begins.
    Fold begin(Session<?> opened, RunSettings settings);

    /// A stored run, also one that is resumed.
    Fold stored(Session<?> opened, RunResults run);

    /// A stored run that is looked at, with what a person tried out beside it.
    default Fold looked(Session<?> opened, RunResults run) {
        return stored(opened, run);
    }

    /// The settings of the next run's work, with what is set outside the form. Away from the screen.
    default WorkSettings settings(Session<?> opened, Area.Work form) {
        return form.settings();
    }

    /// Shows that nothing is open.
    void clear();

    /// True if a stored run is of what is open, so that it can be shown.
    default boolean shows(Session<?> opened, RunRecord run) {
        return true;
    }

    /// The best of several runs taken together, where they can be compared; empty where they cannot.
    default Optional<Picture> best(Session<?> opened) {
        return Optional.empty();
    }

    /// Steps by which a finished run can be continued; 0 where it cannot.
    default int more() {
        return 0;
    }

    /// True if a run is one of a search that can continue.
    default boolean canContinue(RunRecord run) {
        return more() > 0;
    }

    /// Most evaluations of a run; 0 where steps are what is limited.
    default int budget(Session<?> opened, RunSettings settings) {
        return 0;
    }

    /// Does what is to be done when a run has ended, and gives what is then to be done on the screen.
    default Runnable ended(Session<?> opened, RunRecord run) {
        return () -> {};
    }
}
