package knobscape.app.ui.task;

import java.util.concurrent.atomic.AtomicInteger;

/// A [Background] that knows whether something is still under way, for whoever has to wait until the window
/// stands still (pictures, tests).
public final class SettlingBackground implements Background {
    private final Background inner;
    private final AtomicInteger open = new AtomicInteger();

    /// @param inner does the work; closed with this
    public SettlingBackground(Background inner) {
        this.inner = inner;
    }

    /// True if nothing is running, waiting, or on its way to the screen.
    public boolean isSettled() {
        return open.get() == 0;
    }

    private Runnable counted(Runnable action) {
        open.incrementAndGet();
        return () -> {
            try {
                action.run();
            } finally {
                open.decrementAndGet();
            }
        };
    }

    @Override
    public void away(Runnable action) {
        inner.away(counted(action));
    }

    @Override
    public void onScreen(Runnable action) {
        inner.onScreen(counted(action));
    }

    @Override
    public void later(long millis, Runnable action) {
        inner.later(millis, counted(action));
    }

    @Override
    public void again(long millis, Runnable action) {
        inner.again(millis, action);
    }

    @Override
    public void close() {
        inner.close();
    }
}
