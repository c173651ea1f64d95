package knobscape.app.cli;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import knobscape.explore.RunEvent;
import knobscape.project.RunSession;

/// Runs that Ctrl-C or a polite kill stops in good order.
final class InterruptibleRun {
    /// Results that arrived are stored by then whatever still computes; only the report is lost.
    private static final int PATIENCE_SECONDS = 10;

    private InterruptibleRun() {}

    /// Waits for a run and reports on it. A signal stops the run, lets `report` say how to continue, and then
    /// ends the program.
    static <T> T follow(RunSession session, Function<RunEvent.Finished, T> report) throws InterruptedException {
        return guard(session::stop, () -> report.apply(session.await()));
    }

    /// Work that may wait.
    @FunctionalInterface
    interface Work<T> {
        /// Does it.
        T call() throws InterruptedException;
    }

    /// Does work on this thread. A signal calls `stop`, lets the work come to its end, and then ends the
    /// program.
    static <T> T guard(Runnable stop, Work<T> work) throws InterruptedException {
        var said = new CountDownLatch(1);
        var hook = Thread.ofPlatform().unstarted(() -> {
            stop.run();
            try {
                said.await(PATIENCE_SECONDS, TimeUnit.SECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        Runtime.getRuntime().addShutdownHook(hook);
        try {
            return work.call();
        } finally {
            said.countDown();
            removeHook(hook);
        }
    }

    private static void removeHook(Thread hook) {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // The program is ending because of the very signal the hook is for.
            return;
        }
    }
}
