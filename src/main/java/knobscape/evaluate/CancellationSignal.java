package knobscape.evaluate;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;

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
        }
        toRun.forEach(Runnable::run);
    }

    /// Whether the work should stop.
    public boolean isCancelled() {
        return cancelled;
    }

    /// Throws `CancellationException` where the work should stop.
    public void throwIfCancelled() {
        if (cancelled) {
            throw new CancellationException("stopped on request");
        }
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
