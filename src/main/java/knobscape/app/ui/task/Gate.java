package knobscape.app.ui.task;

import java.util.concurrent.CancellationException;
import knobscape.evaluate.CancellationSignal;

/// Where work waits while a person has paused it. A request to stop opens it.
public final class Gate {
    private final CancellationSignal cancel;
    private boolean closed;

    /// @param cancel opens the gate
    public Gate(CancellationSignal cancel) {
        this.cancel = cancel;
        cancel.onCancel(this::wake);
    }

    /// Closes or opens it.
    public synchronized void close(boolean on) {
        closed = on;
        notifyAll();
    }

    private synchronized void wake() {
        notifyAll();
    }

    /// Waits while it is closed. Throws `CancellationException` where the thread is interrupted.
    public synchronized void pass() {
        while (closed && !cancel.isCancelled()) {
            try {
                wait();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new CancellationException("interrupted");
            }
        }
    }
}
