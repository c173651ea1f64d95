package knobscape.app.ui.task;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/// Gathers events that arrive at any rate from any thread and hands them on in order, away from the screen, at most 30 times a second.
///
/// @param <E> the events
public final class EventBatch<E> {
    /// Least time between two batches, in milliseconds.
    public static final long INTERVAL_MILLIS = 34;

    private final Background background;
    private final Consumer<List<E>> sink;
    private final Object lock = new Object();
    private List<E> gathered = new ArrayList<>();
    private boolean scheduled;

    /// @param background gives the time and the thread
    /// @param sink takes the batches, one at a time, never empty, away from the screen
    public EventBatch(Background background, Consumer<List<E>> sink) {
        this.background = background;
        this.sink = sink;
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

    /// Hands on what has gathered. The next batch is scheduled only after the sink returned, so a slow sink makes larger batches, not more.
    private void flush() {
        List<E> batch;
        synchronized (lock) {
            batch = gathered;
            gathered = new ArrayList<>();
        }
        try {
            sink.accept(batch);
        } finally {
            boolean again;
            synchronized (lock) {
                again = !gathered.isEmpty();
                scheduled = again;
            }
            if (again) {
                background.later(INTERVAL_MILLIS, this::flush);
            }
        }
    }
}
