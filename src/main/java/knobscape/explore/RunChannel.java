package knobscape.explore;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import knobscape.evaluate.CancellationSignal;

/// The link between a loop and those around it: watchers are told, and requests to pause or stop are kept. Requests
/// come from any thread; all else is the run's own.
final class RunChannel {
    private final List<RunListener> listeners = new CopyOnWriteArrayList<>();
    private final RunGate gate;
    private final RunProgress pace;

    /// @param nanoClock a clock that never goes back, in nanoseconds
    RunChannel(LongSupplier nanoClock, RunProgress pace) {
        this.gate = new RunGate(nanoClock);
        this.pace = pace;
    }

    void addListener(RunListener listener) {
        listeners.add(listener);
    }

    void publish(RunEvent event) {
        listeners.forEach(l -> l.onEvent(event));
    }

    void pause() {
        gate.pause();
    }

    void resume() {
        gate.resume();
    }

    void stop() {
        gate.stop();
    }

    CancellationSignal stopSignal() {
        return gate.stopSignal();
    }

    boolean isPauseAsked() {
        return gate.isPauseAsked();
    }

    /// Throws [java.util.concurrent.CancellationException] where a stop was asked for.
    void throwIfStopped() {
        gate.throwIfStopped();
    }

    /// Waits here where a pause was asked for.
    void waitWhilePaused(Supplier<RunEvent.Progress> progress) {
        if (gate.isPauseAsked()) {
            publish(new RunEvent.Paused(progress.get()));
            pace.paused(gate.awaitEndOfPause());
            gate.throwIfStopped();
            publish(new RunEvent.Resumed());
        }
    }

    /// Really waits, unless a stop is asked for.
    void waitSeconds(double seconds) {
        gate.awaitSeconds(seconds);
        gate.throwIfStopped();
    }

    /// Does work that counts as the explorer's.
    <T> T thinking(Supplier<T> work) {
        return pace.thinking(work);
    }

    /// Seconds since the start, pauses left out.
    double elapsed() {
        return pace.elapsed();
    }

    /// The progress of a run.
    ///
    /// @param front of its subject, where it has one
    /// @param secondsLeft NaN where that is not known
    RunEvent.Progress progress(Optional<TopFront> front, int step, int maxSteps, int evaluated, double secondsLeft) {
        return new RunEvent.Progress(
                step,
                maxSteps,
                evaluated,
                front.map(TopFront::hypervolume).orElse(Double.NaN),
                front.map(TopFront::size).orElse(0),
                pace.toolSeconds(),
                pace.algorithmSeconds(),
                pace.elapsed(),
                secondsLeft);
    }
}
