package knobscape.app.ui;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import javafx.scene.control.TableView;
import javafx.scene.control.TextField;
import javafx.scene.input.KeyCode;
import knobscape.app.ui.run.RunState;
import knobscape.app.ui.theme.Theme;
import knobscape.project.HlsTools;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.testfx.api.FxRobot;
import org.testfx.util.WaitForAsyncUtils;

/// What a person does, done by a robot with mouse and keys in the real window on the headless platform.
@Tag("slow")
class WindowTest {
    @TempDir
    private Path folder;
    private final FxRobot robot = new FxRobot();
    private WindowSnapshot.Sitting sitting;

    @BeforeEach
    void openSample() throws IOException {
        Files.writeString(folder.resolve("scale.cpp"), """
                void scale(const int a[64], int b[64], int factor) {
                walk:
                    for (int i = 0; i < 64; i++) {
                        b[i] = a[i] * factor;
                    }
                }
                """);
        Files.writeString(folder.resolve("knobscape.json"), """
                {"formatVersion": 1, "name": "scale", "kind": "hls", "source": "scale.cpp", "top": "scale",
                 "run": {"method": "random", "steps": 12, "earlyStop": 0}}
                """);
        sitting = new WindowSnapshot.Sitting(990, 700, Theme.LIGHT, HlsTools.standard());
        // The stage of a picture is small; a robot reaches only what the stage shows. The headless screen is 1000 x 1000.
        robot.interact(() -> {
            var stage = sitting.window().root().getScene().getWindow();
            stage.setX(0);
            stage.setY(0);
            stage.setWidth(1000);
            stage.setHeight(720);
        });
        sitting.open(folder);
    }

    @AfterEach
    void close() {
        sitting.close();
    }

    private static void until(BooleanSupplier condition) throws TimeoutException {
        WaitForAsyncUtils.waitFor(60, TimeUnit.SECONDS, condition::getAsBoolean);
        WaitForAsyncUtils.waitForFxEvents();
    }

    private RunState state() {
        return sitting.window().hls().model().run().status().get().state();
    }

    private TableView<?> table() {
        return robot.lookup("#table").queryTableView();
    }

    private void runToTheEnd() throws TimeoutException {
        robot.clickOn("#run");
        until(() -> state() == RunState.COMPLETED);
        until(() -> !table().getItems().isEmpty());
    }

    @Test
    void runSelectPinFilterAndUndo() throws TimeoutException {
        runToTheEnd();
        int all = table().getItems().size();
        robot.clickOn(robot.lookup("#table").lookup(".table-row-cell").nth(0).<javafx.scene.Node>query());
        until(() -> sitting.window().hls().model().results().selectedDesign().isPresent());

        robot.type(KeyCode.P);
        WaitForAsyncUtils.waitForFxEvents();
        assertThat(sitting.window().hls().model().results().pins()).hasSize(1);
        robot.press(KeyCode.CONTROL).type(KeyCode.Z).release(KeyCode.CONTROL);
        until(() -> sitting.window().hls().model().results().pins().isEmpty());

        robot.clickOn("#paretoOnly");
        until(() -> table().getItems().size() < all);
        robot.clickOn("#clear");
        until(() -> table().getItems().size() == all);
        robot.clickOn("#text").write("unroll walk=64");
        until(() -> table().getItems().size() < all);
        assertThat(robot.lookup("#text").<TextField>query().getText()).isEqualTo("unroll walk=64");
    }

    @Test
    void aFileThatCannotBeReadIsToldInTheWindowAndNothingIsLost() throws IOException, TimeoutException {
        runToTheEnd();
        Path broken = Files.writeString(folder.resolve("broken.cpp"), "void f(int a[4]) { for (int i = 0; i < 4; i++ { a[i] = 0; } }\n");
        sitting.act(w -> w.open(broken));
        until(() -> !sitting.window().messages().shown().isEmpty());
        assertThat(sitting.window().messages().shown().getFirst().text()).contains("broken.cpp:1").contains("syntax error");
        assertThat(sitting.window().hls().model().workbench().get()).isPresent();
        assertThat(table().getItems()).isNotEmpty();
    }
}
