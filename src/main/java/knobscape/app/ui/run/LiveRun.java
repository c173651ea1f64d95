package knobscape.app.ui.run;

import java.util.ArrayList;
import java.util.List;
import knobscape.project.RunResults.LogLine;
import knobscape.project.RunSession;

/// A run of this process; gathers news that come before the screen has heard that it began. Its fields are those of
/// [RunViewModel], on the JavaFX thread.
final class LiveRun {
    final Status.Limit limit;
    final List<LogLine> unread = new ArrayList<>();

    @SuppressWarnings("NullAway.Init") // known as soon as the run has begun
    RunSession session;

    RunNews newest;
    RunState state = RunState.RUNNING;

    LiveRun(RunPictures.Fold fold, Status.Limit limit) {
        this.limit = limit;
        this.newest = RunNews.first(fold);
    }
}
