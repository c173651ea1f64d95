package knobscape.app.ui.task;

import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Work of which only the newest request matters (drawing a plot, filtering while someone types). At most one
/// request runs and one waits; a newer one replaces the waiting one, and results never arrive out of order.
/// Where requests keep coming and each takes long, a pause as long as the work lies between them, so that
/// pictures of a run never take a whole core from the run.
///
/// @param <T> the result
public final class LatestTask<T> {
    private static final System.Logger LOG = System.getLogger(LatestTask.class.getName());
    private static final long SHORT_MILLIS = 30;
    private static final long MOST_REST_MILLIS = 500;

    private final Background background;
    private final Consumer<? super T> then;
    private final Consumer<? super Exception> failed;
    private final Object lock = new Object();
    private @Nullable Callable<? extends T> waiting;
    private boolean busy;

    /// @param background where to work
    /// @param then takes each result, on the screen's thread
    /// @param failed takes each failure, on the screen's thread
    public LatestTask(Background background, Consumer<? super T> then, Consumer<? super Exception> failed) {
        this.background = background;
        this.then = then;
        this.failed = failed;
    }

    /// Asks for `work`, replacing a request that has not begun.
    public void submit(Callable<? extends T> work) {
        synchronized (lock) {
            waiting = work;
            if (busy) {
                return;
            }
            busy = true;
        }
        background.away(this::drain);
    }

    private void drain() {
        while (true) {
            long before = System.nanoTime();
            Callable<? extends T> work;
            synchronized (lock) {
                work = waiting;
                waiting = null;
                if (work == null) {
                    busy = false;
                    return;
                }
            }
            try {
                T result = work.call();
                background.onScreen(() -> then.accept(result));
            } catch (CancellationException e) {
                // The window that asked is being closed; nobody waits for the result.
                LOG.log(System.Logger.Level.DEBUG, "stopped", e);
            } catch (Exception e) {
                background.onScreen(() -> failed.accept(e));
            }
            long millis = (System.nanoTime() - before) / 1_000_000;
            if (millis > SHORT_MILLIS) {
                background.later(Math.min(millis, MOST_REST_MILLIS), this::drain);
                return;
            }
        }
    }
}
