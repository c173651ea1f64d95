package knobscape.app.ui;

import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import javafx.scene.Node;
import javafx.scene.control.TableRow;
import javafx.scene.input.KeyCode;
import knobscape.app.ui.file.FileChoices;
import knobscape.app.ui.plot.FigureTabs;
import knobscape.app.ui.theme.Theme;
import knobscape.hls.HlsTools;
import org.testfx.api.FxRobot;
import org.testfx.util.WaitForAsyncUtils;

/// A person at the window, on the headless platform.
final class Hand implements AutoCloseable {
    private static final long PATIENCE_SECONDS = 90;

    static {
        // What a window under test stores for its user lies apart from what a real one does.
        if (System.getProperty("knobscape.config") == null) {
            System.setProperty(
                    "knobscape.config",
                    Path.of(
                                    System.getProperty("java.io.tmpdir"),
                                    "knobscape-test-" + ProcessHandle.current().pid())
                            .toString());
        }
    }

    private final FxRobot robot = new FxRobot();
    private final WindowSnapshot.Sitting sitting;

    Hand(Theme theme) {
        this(theme, new WindowSnapshot.NoFiles());
    }

    /// @param choices answers where the window asks for a file
    Hand(Theme theme, FileChoices choices) {
        sitting = new WindowSnapshot.Sitting(990, 700, theme, HlsTools.standard(), choices);
        // The stage of a picture is small; a robot reaches only what the stage shows. The headless screen is
        // 1000 x 1000.
        robot.interact(() -> {
            var stage = window().root().getScene().getWindow();
            stage.setX(0);
            stage.setY(0);
            stage.setWidth(1000);
            stage.setHeight(720);
        });
    }

    FxRobot robot() {
        return robot;
    }

    WindowSnapshot.Sitting sitting() {
        return sitting;
    }

    KnobscapeWindow window() {
        return sitting.window();
    }

    /// Opens a network in an area; several take networks, so the window asks.
    void openNetwork(String source, String area) {
        sitting.act(w -> w.openNetwork(source));
        robot.clickOn("#answer-" + area);
        WindowSnapshot.onScreen(() -> window());
    }

    /// Types a key while another is held.
    void chord(KeyCode held, KeyCode key) {
        robot.press(held).type(key).release(held);
    }

    /// Turns to a figure of the network's area shown, whatever tab it stands behind.
    void turn(String figure) {
        sitting.act(w -> ((FigureTabs) w.root().lookup(".figure-tabs")).turnTo(figure));
    }

    /// Clicks a row of a table.
    void clickRow(String table, int row) {
        // Cells are reused, so their order says nothing.
        robot.clickOn(robot.lookup(table)
                .lookup(".table-row-cell")
                .<TableRow<?>>match(r -> r.getIndex() == row && r.isVisible() && !r.isEmpty())
                .<Node>query());
    }

    /// Opens a menu of the menu bar with the mouse and clicks an entry.
    ///
    /// @param menu as it stands there
    /// @param entry its first words
    void clickMenu(String menu, String entry) throws TimeoutException {
        robot.clickOn(robot.lookup(".menu-bar > * > .menu-button")
                .<javafx.scene.control.MenuButton>match(
                        b -> b.getText().replace("_", "").equals(menu))
                .<Node>query());
        var item = robot.lookup(".context-menu .menu-item .label")
                .<javafx.scene.control.Label>match(l -> l.getText().startsWith(entry));
        until(() -> item.tryQuery().isPresent());
        robot.clickOn(item.<Node>query());
    }

    /// Waits. The condition is asked on the screen's thread, which alone may look at what it changes.
    static void until(BooleanSupplier condition) throws TimeoutException {
        WaitForAsyncUtils.waitFor(
                PATIENCE_SECONDS,
                TimeUnit.SECONDS,
                () -> WaitForAsyncUtils.asyncFx(condition::getAsBoolean).get());
        WaitForAsyncUtils.waitForFxEvents();
    }

    @Override
    public void close() {
        sitting.close();
    }
}
