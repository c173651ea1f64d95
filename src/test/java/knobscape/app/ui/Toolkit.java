package knobscape.app.ui;

import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import javafx.application.Platform;

/// Starts JavaFX without a display, once for all tests of a process.
public final class Toolkit {
    private Toolkit() {}

    public static void start() {
        WindowSnapshot.startToolkit();
    }

    /// Does something on the thread of the window and waits for its end, however long a busy machine takes; what it
    /// throws is thrown here.
    public static <T> T call(Callable<T> work) throws Exception {
        var task = new FutureTask<>(work);
        Platform.runLater(task);
        try {
            return task.get();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof Error error) {
                throw error;
            }
            throw e.getCause() instanceof Exception cause ? cause : e;
        }
    }

    /// As [#call], without an answer.
    public static void run(Runnable work) throws Exception {
        call(() -> {
            work.run();
            return true;
        });
    }
}
