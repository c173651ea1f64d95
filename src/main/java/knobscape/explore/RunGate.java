package knobscape.explore;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import knobscape.evaluate.CancellationSignal;

/// Where a run waits and how it is stopped from other threads.
final class RunGate {
    private final CancellationSignal stop = new CancellationSignal();
    private final LongSupplier nanoClock;
    private final Object lock = new Object();
    private boolean pauseAsked;

    /// @param nanoClock in nanoseconds
    RunGate(LongSupplier nanoClock) {
        this.nanoClock = nanoClock;
    }

    /// Given to evaluators.
    CancellationSignal stopSignal() {
        return stop;
    }

    void pause() {
        synchronized (lock) {
            pauseAsked = true;
        }
    }

    void resume() {
        synchronized (lock) {
            pauseAsked = false;
            lock.notifyAll();
        }
    }

    void stop() {
        stop.cancel();
        resume();
    }

    boolean isPauseAsked() {
        synchronized (lock) {
            return pauseAsked;
        }
    }

    /// An interrupt of the run's thread is a stop.
    void throwIfStopped() {
        if (Thread.currentThread().isInterrupted()) {
            stop.cancel();
        }
        stop.throwIfCancelled();
    }

    /// Waits for the end of a pause; gives the nanoseconds it took.
    long awaitEndOfPause() {
        long before = nanoClock.getAsLong();
        synchronized (lock) {
            while (pauseAsked && !stop.isCancelled()) {
                await(0);
            }
        }
        return nanoClock.getAsLong() - before;
    }

    /// Waits so many seconds, or until a stop.
    void awaitSeconds(double seconds) {
        long end = nanoClock.getAsLong() + (long) (seconds * TimeUnit.SECONDS.toNanos(1));
        synchronized (lock) {
            for (long left = end - nanoClock.getAsLong();
                    left > 0 && !stop.isCancelled();
                    left = end - nanoClock.getAsLong()) {
                await(TimeUnit.NANOSECONDS.toMillis(left) + 1);
            }
        }
    }

    @SuppressWarnings("WaitNotInLoop") // callers loop
    private void await(long milliseconds) {
        try {
            lock.wait(milliseconds);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            stop.cancel();
        }
    }
}
