package knobscape.app.ui.task;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.LongSupplier;

/// Gathers events that arrive at any rate from any thread, folds them in order away from the screen, and shows
/// what came of it at most 30 times a second. A batch follows only when the screen has taken the one before,
/// and the longer the screen was busy with it, the longer the next one waits: however fast events come, most of
/// the screen's time stays with the person.
///
/// @param <E> the events
public final class EventBatch<E> {
    /// Least time between two batches, in milliseconds.
    public static final long INTERVAL_MILLIS = 34;
    /// Most time between two batches, in milliseconds.
    public static final long MOST_MILLIS = 1_000;
    private static final long REST = 4;

    private final Background background;
    private final Function<List<E>, Runnable> fold;
    private final LongSupplier nanoClock;
    private final Object lock = new Object();
    private List<E> gathered = new ArrayList<>();
    private boolean scheduled;

    /// @param background gives the time and the threads
    /// @param fold takes the batches, one at a time, never empty, away from the screen; what it returns is then
    /// run on the screen
    public EventBatch(Background background, Function<List<E>, Runnable> fold) {
        this(background, fold, System::nanoTime);
    }

    EventBatch(Background background, Function<List<E>, Runnable> fold, LongSupplier nanoClock) {
        this.background = background;
        this.fold = fold;
        this.nanoClock = nanoClock;
    }

    /// Takes one event; returns at once.
    public void add(E event) {
        synchronized (lock) {
            gathered.add(event);
            if (scheduled) {
                return;
            }
            scheduled = true;
        }
        background.later(INTERVAL_MILLIS, this::flush);
    }

    private void flush() {
        List<E> batch;
        synchronized (lock) {
            batch = gathered;
            gathered = new ArrayList<>();
        }
        boolean handedOn = false;
        try {
            Runnable show = fold.apply(batch);
            long before = nanoClock.getAsLong();
            handedOn = true;
            background.onScreen(() -> {
                try {
                    show.run();
                } finally {
                    // Layout and drawing come after the action: the screen is through with it when it gets
                    // round to something posted later.
                    background.away(() -> background.onScreen(() -> next(nanoClock.getAsLong() - before)));
                }
            });
        } finally {
            if (!handedOn) {
                next(0);
            }
        }
    }

    private void next(long busyNanos) {
        synchronized (lock) {
            scheduled = !gathered.isEmpty();
            if (!scheduled) {
                return;
            }
        }
        background.later(Math.clamp(REST * busyNanos / 1_000_000, INTERVAL_MILLIS, MOST_MILLIS), this::flush);
    }
}
