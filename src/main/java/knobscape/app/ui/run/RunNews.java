package knobscape.app.ui.run;

import java.util.List;
import java.util.Optional;
import knobscape.explore.RunEvent;
import knobscape.project.RunResults;

/// The changes of a batch of events, for the screen.
///
/// @param picture how the run stands now
/// @param evaluated evaluations so far, where they are what the budget limits
/// @param best what it has reached (`speedup 3.21`); empty for nothing
/// @param progress numbers for the status line, once there are any
/// @param left seconds left, once enough steps were measured
/// @param inFlight what is being evaluated: `#28 up to impl`, `#28 and 3 others`; empty where nothing is
/// @param lines new lines of the log
/// @param paused whether the run waits
/// @param end the last event, once it came
record RunNews(
        RunPictures.Picture picture,
        int evaluated,
        String best,
        Optional<RunEvent.Progress> progress,
        Optional<RunForecast.Range> left,
        String inFlight,
        List<RunResults.LogLine> lines,
        boolean paused,
        Optional<RunEvent.Finished> end) {
    /// Before the first event.
    static RunNews first(RunPictures.Fold fold) {
        return new RunNews(
                fold.picture(),
                fold.evaluated(),
                fold.best(),
                Optional.empty(),
                Optional.empty(),
                "",
                List.of(),
                false,
                Optional.empty());
    }
}
