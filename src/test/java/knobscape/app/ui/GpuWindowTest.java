package knobscape.app.ui;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import javafx.scene.input.KeyCode;
import knobscape.app.ui.gpu.GpuViewModel;
import knobscape.app.ui.theme.Theme;
import knobscape.project.HlsTools;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.testfx.api.FxRobot;
import org.testfx.util.WaitForAsyncUtils;

/// GPU schedules as a person does it, by a robot with mouse and keys in the real window on the headless platform.
@Tag("slow")
class GpuWindowTest {
    private final FxRobot robot = new FxRobot();
    private WindowSnapshot.Sitting sitting;

    @BeforeEach
    void open() {
        sitting = new WindowSnapshot.Sitting(990, 700, Theme.LIGHT, HlsTools.standard());
        robot.interact(() -> {
            var stage = sitting.window().root().getScene().getWindow();
            stage.setX(0);
            stage.setY(0);
            stage.setWidth(1000);
            stage.setHeight(720);
        });
        sitting.act(w -> w.openNetwork("zoo:resnet18"));
        // Two areas take networks, so the window asks.
        robot.clickOn("#answer-gpu");
        WindowSnapshot.onScreen(() -> sitting.window());
    }

    @AfterEach
    void close() {
        sitting.close();
    }

    private static void until(BooleanSupplier condition) throws TimeoutException {
        WaitForAsyncUtils.waitFor(60, TimeUnit.SECONDS, condition::getAsBoolean);
        WaitForAsyncUtils.waitForFxEvents();
    }

    private GpuViewModel model() {
        return sitting.window().gpu().model();
    }

    @Test
    void chooseATaskByMouseAndKeysAndFindALayer() throws TimeoutException {
        until(() -> robot.lookup("#tasks").queryTableView().getItems().size() == 12);
        robot.clickOn(robot.lookup("#tasks").lookup(".table-row-cell").nth(1).<javafx.scene.Node>query());
        until(() -> model().selected().get() == 1);
        robot.press(KeyCode.ALT).type(KeyCode.DOWN).release(KeyCode.ALT);
        until(() -> model().selected().get() == 2);
        robot.press(KeyCode.CONTROL).type(KeyCode.F).release(KeyCode.CONTROL);
        robot.write("downsample");
        until(() -> robot.lookup("#findNode").queryTextInputControl().getText().equals("downsample"));
        assertThat(sitting.window().messages().shown()).isEmpty();
        // The other area of networks keeps what it has; nothing is open there.
        robot.press(KeyCode.CONTROL).type(KeyCode.DIGIT3).release(KeyCode.CONTROL);
        until(() -> robot.lookup("#tasks").tryQuery().isEmpty());
    }
}
