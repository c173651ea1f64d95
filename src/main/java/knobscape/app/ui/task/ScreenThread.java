package knobscape.app.ui.task;

import javafx.application.Platform;

/// Guards the rule that the JavaFX thread does no work.
public final class ScreenThread {
    private ScreenThread() {}

    /// Throws `IllegalStateException` on the JavaFX thread; called by whatever computes, draws in bulk, or
    /// touches files.
    public static void mustNotBe(String work) {
        if (Platform.isFxApplicationThread()) {
            throw new IllegalStateException(work + " must not run on the JavaFX thread");
        }
    }
}
