package knobscape.app.cli;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import knobscape.explore.RunEvent;
import knobscape.project.RunSession;

/// Runs that Ctrl-C or a polite kill stops in good order.
final class Stoppable {
    private static final int PATIENCE_SECONDS = 30;

    private Stoppable() {
    }

    /// Waits for a run and reports on it. A signal stops the run, lets `report` say how to go on, and then ends the program.
    static <T> T follow(RunSession session, Function<RunEvent.Finished, T> report) throws InterruptedException {
        var said = new CountDownLatch(1);
        var hook = Thread.ofPlatform().unstarted(() -> {
            session.stop();
            try {
                said.await(PATIENCE_SECONDS, TimeUnit.SECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        Runtime.getRuntime().addShutdownHook(hook);
        try {
            return report.apply(session.await());
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
