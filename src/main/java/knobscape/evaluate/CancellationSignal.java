package knobscape.evaluate;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.TimeUnit;

/// Asked by work in progress, held by whoever may stop it. Thread-safe; once cancelled it stays so.
public final class CancellationSignal {
    private final Object lock = new Object();
    private final List<Runnable> listeners = new ArrayList<>();
    private volatile boolean cancelled;

    /// Requests that the work stop; runs the registered actions once.
    public void cancel() {
        List<Runnable> toRun;
        synchronized (lock) {
            if (cancelled) {
                return;
            }
            cancelled = true;
            toRun = List.copyOf(listeners);
            listeners.clear();
            lock.notifyAll();
        }
        toRun.forEach(Runnable::run);
    }

    /// True if the work should stop.
    public boolean isCancelled() {
        return cancelled;
    }

    /// Throws `CancellationException` where the work should stop.
    public void throwIfCancelled() {
        if (cancelled) {
            throw new CancellationException("stopped on request");
        }
    }

    /// Waits, unless asked to stop: throws `CancellationException` then, and where the thread is interrupted.
    public void sleep(Duration time) {
        long end = System.nanoTime() + time.toNanos();
        try {
            synchronized (lock) {
                for (long left = end - System.nanoTime(); left > 0 && !cancelled; left = end - System.nanoTime()) {
                    lock.wait(TimeUnit.NANOSECONDS.toMillis(left) + 1);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CancellationException("interrupted");
        }
        throwIfCancelled();
    }

    /// Runs `action` (for example: destroy a child process) when cancelled, at once if that already happened.
    public void onCancel(Runnable action) {
        synchronized (lock) {
            if (!cancelled) {
                listeners.add(action);
                return;
            }
        }
        action.run();
    }
}
