package knobscape.app.ui;

/// Starts JavaFX without a display, once for all tests of a process.
public final class Toolkit {
    private Toolkit() {}

    public static void start() {
        WindowSnapshot.startToolkit();
    }
}
