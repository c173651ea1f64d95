package knobscape.app.ui.run;

import java.util.List;
import java.util.Optional;
import knobscape.app.ui.designs.DesignSet;
import knobscape.explore.RunEvent;

/// What a batch of events changed, for the screen.
///
/// @param set the designs now
/// @param progress numbers for the status line, once there are any
/// @param inFlight what is being evaluated: `#28 at impl`, `#28 and 3 others`; empty where nothing is
/// @param lines new lines of the log
/// @param paused whether the run waits
/// @param end the last event, once it came
record RunNews(
        DesignSet set,
        Optional<RunEvent.Progress> progress,
        String inFlight,
        List<String> lines,
        boolean paused,
        Optional<RunEvent.Finished> end) {}
