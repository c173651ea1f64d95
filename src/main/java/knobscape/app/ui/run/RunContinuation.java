package knobscape.app.ui.run;

import java.util.Optional;
import knobscape.project.RunRecord;
import knobscape.project.RunStatus;
import knobscape.work.RunSettings;

/// Finished runs that continue for some steps more.
///
/// @param model the runs
/// @param pictures knows which of them can continue, and for how long
public record RunContinuation(RunViewModel model, RunPictures pictures) {
    /// Continues runs of a model.
    public static RunContinuation of(RunViewModel model) {
        return new RunContinuation(model, model.pictures());
    }

    /// The finished run that [#more()] continues: the selected one, or the newest of those taken together.
    public Optional<RunRecord> run() {
        return model.current()
                .get()
                .or(() -> model.best().get()
                        ? model.runs().stream().filter(pictures::canContinue).reduce((a, b) -> b)
                        : Optional.empty())
                .filter(this::isPossible);
    }

    /// True if a run is one.
    public boolean isPossible(RunRecord run) {
        return pictures.canContinue(run) && run.status() == RunStatus.COMPLETED && !model.anyActive();
    }

    /// How many steps [#more()] adds.
    public int steps() {
        return pictures.more();
    }

    /// Continues it to the end of those steps.
    public void more() {
        run().ifPresent(this::more);
    }

    /// Continues a finished run.
    public void more(RunRecord run) {
        more(run, steps());
    }

    /// Continues a finished run for so many steps.
    public void more(RunRecord run, int steps) {
        if (isPossible(run)) {
            RunSettings s = run.settings();
            model.resume(
                    run,
                    s.with(RunSettings.STEPS, Math.max(0, run.step()) + steps)
                            .with(RunSettings.EARLY_STOP, 0)
                            .with(RunSettings.LEAST_GAIN, 0.0));
        }
    }
}
