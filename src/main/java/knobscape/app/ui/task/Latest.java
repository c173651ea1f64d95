package knobscape.app.ui.task;

import java.util.concurrent.Callable;
import java.util.function.Consumer;

/// Work of which only the newest request matters (drawing a plot, filtering while someone types). At most one request runs and one waits;
/// a newer one replaces the waiting one, and results never arrive out of order.
///
/// @param <T> the result
public final class Latest<T> {
    private final Background background;
    private final Consumer<? super T> then;
    private final Consumer<? super Exception> failed;
    private final Object lock = new Object();
    private Callable<? extends T> waiting;
    private boolean busy;

    /// @param background where to work
    /// @param then takes each result, on the screen's thread
    /// @param failed takes each failure, on the screen's thread
    public Latest(Background background, Consumer<? super T> then, Consumer<? super Exception> failed) {
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
            } catch (Exception e) {
                background.onScreen(() -> failed.accept(e));
            }
        }
    }
}
