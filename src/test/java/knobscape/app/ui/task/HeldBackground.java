package knobscape.app.ui.task;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.BooleanSupplier;

/// Keeps work until a test takes it, so that what the screen shows meanwhile can be seen.
public final class HeldBackground implements Background {
    private final Deque<Runnable> work = new ArrayDeque<>();

    @Override
    public void away(Runnable action) {
        work.add(action);
    }

    @Override
    public void onScreen(Runnable action) {
        action.run();
    }

    @Override
    public void later(long millis, Runnable action) {
        work.add(action);
    }

    /// Does what waits, in order, until something is so; there has to be enough of it.
    public void until(BooleanSupplier isSo) {
        while (!isSo.getAsBoolean()) {
            work.remove().run();
        }
    }

    /// Does all that waits, and what that leaves.
    public void all() {
        until(work::isEmpty);
    }

    /// Forgets what waits.
    public void forget() {
        work.clear();
    }
}
