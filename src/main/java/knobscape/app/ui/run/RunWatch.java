package knobscape.app.ui.run;

import java.time.Duration;
import java.util.Optional;
import java.util.function.BiConsumer;
import knobscape.app.ui.task.Background;
import knobscape.project.RunControl;
import knobscape.project.RunRecord;
import knobscape.project.RunStore;
import knobscape.project.Session;

/// Watches a run that another process works on, by what it stores; what is asked of it goes by [RunControl]. Used from
/// the JavaFX thread.
final class RunWatch {
    private static final long LOOK_MILLIS = 1_000;
    /// Most of the time is not spent reading.
    private static final long REST = 4;

    private final Background background;
    private final RunPictures pictures;
    private final BiConsumer<StoredRuns.RunContent, Optional<RunForecast.Range>> screen;
    private Optional<WatchedRun> watched = Optional.empty();

    /// @param pace from the steps seen since the last pause; of the thread that draws
    private record WatchedRun(Session<?> opened, RunRecord run, RunForecast pace) {
        /// Takes what is stored now; gives how long is left.
        Optional<RunForecast.Range> left(StoredRuns.RunContent now) {
            if (now.state() != RunState.RUNNING) {
                return Optional.empty();
            }
            // A step is as long ago as it was stored.
            pace.step(
                    now.run().step(),
                    now.run().settings().steps(),
                    Duration.between(run.created(), now.run().updated()).toMillis() / 1e3);
            return pace.left();
        }
    }

    /// @param screen takes the run as it is stored then, and how long it may go on where that can be told, on the
    /// JavaFX thread; the last time when it is over
    RunWatch(
            Background background,
            RunPictures pictures,
            BiConsumer<StoredRuns.RunContent, Optional<RunForecast.Range>> screen) {
        this.background = background;
        this.pictures = pictures;
        this.screen = screen;
    }

    /// True if one is watched.
    boolean isActive() {
        return watched.isPresent();
    }

    /// Watches a run until it is over.
    void follow(Session<?> opened, StoredRuns.RunContent shown) {
        var w = new WatchedRun(opened, shown.run(), new RunForecast());
        watched = Optional.of(w);
        background.again(LOOK_MILLIS, () -> look(w, shown));
    }

    /// Watches no longer.
    void leave() {
        watched = Optional.empty();
    }

    /// Asks it of the run that is watched; gives whether one is.
    boolean ask(RunControl.Wish wish) {
        watched.ifPresent(
                w -> background.away(() -> RunControl.ask(w.opened.project().runsFolder(), w.run.id(), wish)));
        return watched.isPresent();
    }

    /// Away from the screen.
    private void look(WatchedRun w, StoredRuns.RunContent before) {
        long begun = System.nanoTime();
        Optional<StoredRuns.RunContent> news = w.opened
                .project()
                .runs()
                .flatMap((RunStore s) -> s.find(w.run.id()))
                .filter(now -> !now.updated().equals(before.run().updated())
                        || now.status() != before.run().status()
                        || StoredRuns.state(w.opened, now) != before.state())
                .map(now -> StoredRuns.read(w.opened, now.id(), pictures));
        long wait = Math.max(LOOK_MILLIS, REST * (System.nanoTime() - begun) / 1_000_000);
        background.onScreen(() -> {
            if (watched.filter(x -> x == w).isEmpty()) {
                return;
            }
            StoredRuns.RunContent now = news.orElse(before);
            // What a pause took is no step's time.
            WatchedRun next = now.state() == RunState.PAUSED ? new WatchedRun(w.opened, w.run, new RunForecast()) : w;
            watched = Optional.of(next).filter(x -> now.state().isActive());
            if (now.state().isActive()) {
                background.again(wait, () -> look(next, now));
            }
            news.ifPresent(n -> screen.accept(n, next.left(n)));
        });
    }
}
