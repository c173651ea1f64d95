package knobscape.app.ui.task;

import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/// The thread that made this is the screen: work it asks for is done at once, and what other threads (a run's)
/// bring to the screen waits until this thread takes it in [#await]. View models meet the same order of
/// things as on the JavaFX thread, without JavaFX.
public final class OwnScreen implements Background {
    private final Thread owner = Thread.currentThread();
    private final LinkedBlockingQueue<Runnable> brought = new LinkedBlockingQueue<>();

    @Override
    public void away(Runnable action) {
        action.run();
    }

    @Override
    public void onScreen(Runnable action) {
        if (Thread.currentThread() == owner) {
            action.run();
        } else {
            brought.add(action);
        }
    }

    @Override
    public void later(long millis, Runnable action) {
        action.run();
    }

    /// Takes what is brought to the screen until `condition` holds. Throws [AssertionError] where it does not
    /// within a minute.
    public void await(BooleanSupplier condition) throws InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (!condition.getAsBoolean()) {
            Runnable next = brought.poll(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
            if (next == null) {
                throw new AssertionError("time is up");
            }
            next.run();
        }
    }
}
