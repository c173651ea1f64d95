package knobscape.app.ui.task;

import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import javafx.application.Platform;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The program's [Background]: a small pool of daemon threads that give way to the JavaFX thread, and that thread for
/// results.
public final class FxBackground implements Background {
    private static final Logger LOG = LoggerFactory.getLogger(FxBackground.class);
    private final ScheduledExecutorService pool;

    /// A pool of half the processors, at least two.
    @SuppressWarnings("ThreadPriorityCheck") // of who goes first, not of what is right
    public FxBackground() {
        int threads = Math.max(2, Runtime.getRuntime().availableProcessors() / 2);
        pool = Executors.newScheduledThreadPool(
                threads,
                Thread.ofPlatform()
                        .daemon()
                        .priority(Thread.MIN_PRIORITY)
                        .name("knobscape-view-", 1)
                        .factory());
    }

    @Override
    public void away(Runnable action) {
        try {
            pool.execute(logged(action));
        } catch (RejectedExecutionException e) {
            LOG.debug("the window is closing; work for it is dropped");
        }
    }

    @Override
    public void onScreen(Runnable action) {
        if (Platform.isFxApplicationThread()) {
            action.run();
        } else {
            Platform.runLater(action);
        }
    }

    @Override
    public void later(long millis, Runnable action) {
        try {
            var _ = pool.schedule(logged(action), millis, TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException e) {
            LOG.debug("the window is closing; work for it is dropped");
        }
    }

    @Override
    public void close() {
        pool.shutdownNow();
    }

    private static Runnable logged(Runnable action) {
        return () -> {
            try {
                action.run();
            } catch (RuntimeException | Error e) {
                LOG.error("work for the window failed", e);
            }
        };
    }
}
