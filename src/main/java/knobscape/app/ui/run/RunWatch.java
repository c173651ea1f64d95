package knobscape.app.ui.run;

import java.util.Optional;
import java.util.function.Consumer;
import knobscape.app.ui.task.Background;
import knobscape.project.Opened;
import knobscape.project.RunControl;
import knobscape.project.RunRecord;
import knobscape.project.RunStore;

/// Watches a run that another process works on, by what it stores; what is asked of it goes by [RunControl]. Used from
/// the JavaFX thread.
final class RunWatch {
    private static final long LOOK_MILLIS = 1_000;
    /// Most of the time is not spent reading.
    private static final long REST = 4;

    private final Background background;
    private final RunPictures pictures;
    private final Consumer<StoredRuns.Shown> screen;
    private Optional<Watched> watched = Optional.empty();

    private record Watched(Opened<?> opened, RunRecord run) {}

    /// @param screen takes the run as it is stored then, on the JavaFX thread; the last time when it is over
    RunWatch(Background background, RunPictures pictures, Consumer<StoredRuns.Shown> screen) {
        this.background = background;
        this.pictures = pictures;
        this.screen = screen;
    }

    /// Whether one is watched.
    boolean isActive() {
        return watched.isPresent();
    }

    /// Watches a run until it is over.
    void follow(Opened<?> opened, StoredRuns.Shown shown) {
        var w = new Watched(opened, shown.run());
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
    private void look(Watched w, StoredRuns.Shown before) {
        long begun = System.nanoTime();
        Optional<StoredRuns.Shown> news = w.opened
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
            StoredRuns.Shown now = news.orElse(before);
            if (now.state().isActive()) {
                background.again(wait, () -> look(w, now));
            } else {
                watched = Optional.empty();
            }
            news.ifPresent(screen);
        });
    }
}
