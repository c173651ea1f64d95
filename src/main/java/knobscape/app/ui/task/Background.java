package knobscape.app.ui.task;

import java.util.concurrent.Callable;
import java.util.function.Consumer;

/// Runs work away from the screen and brings its result back to it. The program uses [FxBackground]; tests of
/// view models use [#direct()], in which everything happens in order on the calling thread.
public interface Background extends AutoCloseable {

    /// Runs `work` away from the screen, then `then` or `failed` on it.
    default <T> void compute(Callable<T> work, Consumer<? super T> then, Consumer<? super Exception> failed) {
        away(() -> {
            T result;
            try {
                result = work.call();
            } catch (Exception e) {
                onScreen(() -> failed.accept(e));
                return;
            }
            onScreen(() -> then.accept(result));
        });
    }

    /// Runs `action` away from the screen. An exception is logged.
    void away(Runnable action);

    /// Runs `action` on the screen's thread, now if this is it.
    void onScreen(Runnable action);

    /// Runs `action` away from the screen after `millis` milliseconds.
    void later(long millis, Runnable action);

    /// Looks again after `millis` milliseconds; nobody waits for it.
    default void again(long millis, Runnable action) {
        later(millis, action);
    }

    @Override
    default void close() {}

    /// Everything at once on the calling thread.
    static Background direct() {
        return new Background() {
            @Override
            public void away(Runnable action) {
                action.run();
            }

            @Override
            public void onScreen(Runnable action) {
                action.run();
            }

            @Override
            public void later(long millis, Runnable action) {
                action.run();
            }

            @Override
            public void again(long millis, Runnable action) {
                // What is looked at would never change.
            }
        };
    }
}
