package knobscape.app.ui;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import javafx.scene.control.TableView;
import javafx.scene.input.KeyCode;
import knobscape.app.ui.fusion.FusionViewModel;
import knobscape.app.ui.theme.Theme;
import knobscape.project.HlsTools;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.testfx.api.FxRobot;
import org.testfx.util.WaitForAsyncUtils;

/// Layer fusion as a person does it, by a robot with mouse and keys in the real window on the headless platform.
@Tag("slow")
class FusionWindowTest {
    private final FxRobot robot = new FxRobot();
    private WindowSnapshot.Sitting sitting;

    @BeforeEach
    void open() {
        sitting = new WindowSnapshot.Sitting(990, 700, Theme.DARK, HlsTools.standard());
        robot.interact(() -> {
            var stage = sitting.window().root().getScene().getWindow();
            stage.setX(0);
            stage.setY(0);
            stage.setWidth(1000);
            stage.setHeight(720);
        });
        sitting.act(w -> w.openNetwork("zoo:resnet18"));
        // Two areas take networks, so the window asks.
        robot.clickOn("#answer-fusion");
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

    private FusionViewModel model() {
        return sitting.window().fusion().model();
    }

    @Test
    void editByKeysUndoSearchAndComparison() throws TimeoutException {
        until(() -> model().report().get().isPresent());
        TableView<?> chain = robot.lookup("#chain").queryTableView();
        assertThat(chain.getItems()).hasSize(19);
        robot.clickOn(robot.lookup("#chain").lookup(".table-row-cell").nth(3).<javafx.scene.Node>query());
        until(() -> model().layer().get() == 3);
        robot.type(KeyCode.S);
        until(() -> model().report().get().orElseThrow().strategy().get(3) == 16);
        robot.press(KeyCode.ALT).type(KeyCode.DOWN).release(KeyCode.ALT);
        until(() -> model().report().get().orElseThrow().strategy().get(3) == 8);
        robot.press(KeyCode.CONTROL).type(KeyCode.Z).release(KeyCode.CONTROL);
        until(() -> model().report().get().orElseThrow().strategy().get(3) != 8);

        robot.type(KeyCode.P);
        until(() -> model().compared().get().isPresent());
        robot.press(KeyCode.CONTROL).type(KeyCode.R).release(KeyCode.CONTROL);
        until(() -> robot.lookup("#strategies").queryTableView().getItems().size() >= 2);
        until(() -> model().report().get().orElseThrow().speedup() > 1);
        assertThat(model().report().get().orElseThrow().speedup()).isGreaterThan(3);
        assertThat(sitting.window().messages().shown()).isEmpty();
    }
}
