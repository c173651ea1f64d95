package knobscape.app.ui.run;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Function;
import knobscape.app.ui.task.Background;
import knobscape.evaluate.Provenance;
import knobscape.explore.RunEvent;
import knobscape.project.RunRecord;
import knobscape.project.RunResults.LogLine;
import knobscape.project.RunSession;
import knobscape.project.Session;
import knobscape.work.Area;

/// A run of this process; gathers news that come before the screen has heard that it began. Its fields are those of
/// [RunViewModel], on the JavaFX thread.
final class LiveRun {
    final Status.Limit limit;
    final List<LogLine> unread = new ArrayList<>();

    @SuppressWarnings("NullAway.Init") // known as soon as the run has begun
    RunSession session;

    @SuppressWarnings("NullAway.Init") // known with the session
    Provenance.Source source;

    RunNews newest;
    RunState state = RunState.RUNNING;

    private LiveRun(RunPictures.Fold fold, Status.Limit limit) {
        this.limit = limit;
        this.newest = RunNews.first(fold);
    }

    /// A run that was launched, and all runs there are then.
    record LiveStart(LiveRun live, RunRecord record, List<RunRecord> all) {}

    /// Away from the screen: launches, and reads what the screen then shows.
    static LiveStart begin(
            Background background,
            RunPictures pictures,
            Session<?> bench,
            RunPictures.Fold fold,
            Area.Work work,
            BiConsumer<LiveRun, RunNews> screen,
            Function<RunMonitor, RunSession> launcher) {
        var l = new LiveRun(fold, new Status.Limit(work.run(), pictures.budget(bench, work.run()), fold.evaluated()));
        l.session = launcher.apply(new RunMonitor(background, fold, work.run(), news -> screen.accept(l, news)));
        List<RunRecord> all = StoredRuns.list(bench, pictures);
        RunRecord record =
                all.stream().filter(r -> r.id() == l.session.id()).findFirst().orElseThrow();
        l.source = record.info().source();
        return new LiveStart(l, record, all);
    }

    /// The status for the bar.
    Status status() {
        return Status.live(state, newest, limit, source);
    }

    /// Why it could not continue, and what to do.
    String failure(RunEvent.Finished end) {
        return "Run " + session.id() + " could not continue: "
                + end.reason().replaceFirst("\\.?$", ".")
                + " What was evaluated is stored; fix the reason and choose Resume.";
    }

    /// Takes what a batch of events changed.
    void take(RunNews news) {
        newest = news;
        if (news.end().isPresent()) {
            state = switch (news.end().get().ending()) {
                case COMPLETED -> RunState.COMPLETED;
                case STOPPED -> RunState.STOPPED;
                case FAILED -> RunState.FAILED;
            };
        } else if (news.paused() && state == RunState.PAUSING) {
            state = RunState.PAUSED;
        }
    }
}
