package knobscape.project;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import knobscape.explore.Exploration;
import knobscape.explore.RunEvent;
import knobscape.explore.RunListener;
import knobscape.space.Configuration;
import knobscape.work.RunSettings;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A run in the background. Made by [Runner]; thread-safe.
public final class RunSession {
    private static final Logger LOG = LoggerFactory.getLogger(RunSession.class);

    /// The state of the run.
    public enum State {
        /// Exploring.
        RUNNING,
        /// A pause was asked for; what is in flight is still coming back.
        PAUSING,
        /// Waiting.
        PAUSED,
        /// A stop was asked for.
        STOPPING,
        /// Over; see [RunSession#ending()].
        ENDED
    }

    private final long id;
    private final Session<?> opened;
    private final RunSettings settings;
    private final Exploration exploration;
    private final RunRecorder recorder;
    private final List<RunListener> listeners;
    private final CompletableFuture<RunEvent.Finished> ending = new CompletableFuture<>();
    private State state = State.RUNNING;

    RunSession(
            long id,
            Session<?> opened,
            RunSettings settings,
            Exploration exploration,
            RunRecorder recorder,
            List<RunListener> watchers) {
        this.id = id;
        this.opened = opened;
        this.settings = settings;
        this.exploration = exploration;
        this.recorder = recorder;
        this.listeners = List.copyOf(watchers);
        exploration.addListener(this::follow);
        exploration.addListener(recorder);
        exploration.addListener(this::tell);
    }

    /// Number of the run within its project.
    public long id() {
        return id;
    }

    /// The explored work.
    public Session<?> opened() {
        return opened;
    }

    /// How.
    public RunSettings settings() {
        return settings;
    }

    /// The current state of the run.
    public synchronized State state() {
        return state;
    }

    /// Number of the design with this configuration, 0 where this start has not proposed it (see [RunResults]
    /// for those of earlier starts).
    public int number(Configuration configuration) {
        return recorder.number(configuration.text());
    }

    /// Everything stored so far.
    public RunResults results() {
        return opened.project().runs().orElseThrow().results(id);
    }

    /// Asks for a pause: what is in flight comes back and is stored, then the run waits.
    public synchronized void pause() {
        if (state == State.RUNNING) {
            state = State.PAUSING;
            exploration.pause();
        }
    }

    /// Ends a pause.
    public synchronized void resume() {
        if (state == State.PAUSING || state == State.PAUSED) {
            state = State.RUNNING;
            exploration.resume();
        }
    }

    /// Stops: what is in flight is cancelled and lost, everything else is stored, and the run can be resumed
    /// later.
    public synchronized void stop() {
        if (state != State.ENDED) {
            state = State.STOPPING;
            exploration.stop();
        }
    }

    /// Completes with the last event when the run is over, however it ended.
    public CompletionStage<RunEvent.Finished> ending() {
        return ending.minimalCompletionStage();
    }

    /// Waits for the end. Throws what ended the run where it could not even say so.
    public RunEvent.Finished await() throws InterruptedException {
        try {
            return ending.get();
        } catch (java.util.concurrent.ExecutionException e) {
            Throwable cause = e.getCause();
            if (cause instanceof RuntimeException problem) {
                throw problem;
            }
            if (cause instanceof Error problem) {
                throw problem;
            }
            throw new IllegalStateException("the run's thread ended without a last event", e);
        }
    }

    private synchronized void follow(RunEvent event) {
        switch (event) {
            case RunEvent.Paused p when state == State.PAUSING -> state = State.PAUSED;
            case RunEvent.Finished f -> state = State.ENDED;
            default -> {}
        }
    }

    private void tell(RunEvent event) {
        for (RunListener l : listeners) {
            try {
                l.onEvent(event);
            } catch (RuntimeException e) {
                LOG.error("a watcher of run {} failed", id, e);
            }
        }
    }

    void end(RunEvent.Finished last) {
        ending.complete(last);
    }

    void end(Throwable problem) {
        synchronized (this) {
            state = State.ENDED;
        }
        ending.completeExceptionally(problem);
    }
}
