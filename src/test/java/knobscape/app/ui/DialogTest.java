package knobscape.app.ui;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import javafx.application.Platform;
import javafx.scene.control.TextArea;
import javafx.scene.control.TextField;
import javafx.scene.input.KeyCode;
import javafx.stage.Stage;
import javafx.stage.Window;
import knobscape.app.ui.file.SystemFileChoices;
import knobscape.app.ui.file.WritePreview;
import knobscape.app.ui.settings.Settings;
import knobscape.app.ui.theme.Theme;
import knobscape.evaluate.report.FileGuard;
import knobscape.evaluate.report.FilePlan;
import knobscape.network.MissingExtents;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.testfx.api.FxRobot;

/// Dialogs of the program, opened over the real window.
@Tag("slow")
class DialogTest {
    @TempDir
    private Path folder;

    private Hand hand;
    private FxRobot robot;

    @BeforeEach
    void open() {
        hand = new Hand(Theme.LIGHT);
        robot = hand.robot();
    }

    @AfterEach
    void close() {
        hand.close();
    }

    private static boolean isOpen(String title) {
        return Window.getWindows().stream().anyMatch(w -> w instanceof Stage s && title.equals(s.getTitle()));
    }

    @Test
    void licencesAreShownAndClosed() throws TimeoutException {
        robot.press(KeyCode.CONTROL).type(KeyCode.K).release(KeyCode.CONTROL);
        robot.write("licences").type(KeyCode.ENTER);
        Hand.until(() -> isOpen("Licences"));
        TextArea text = robot.targetWindow("Licences").lookup(".text-area").query();
        assertThat(text.getText()).isEqualTo(Licences.text());
        robot.targetWindow("Licences").clickOn("Close");
        Hand.until(() -> !isOpen("Licences"));
    }

    @Test
    void theSetUpIsChecked() throws TimeoutException {
        robot.press(KeyCode.CONTROL).type(KeyCode.K).release(KeyCode.CONTROL);
        robot.write("check set").type(KeyCode.ENTER);
        Hand.until(() -> isOpen("Check set-up"));
        TextArea text = robot.targetWindow("Check set-up").lookup(".text-area").query();
        Hand.until(() -> text.getText().contains("Java ("));
        assertThat(text.getText()).contains("Slurm (", "GPU (", "Vitis HLS (");
        robot.targetWindow("Check set-up").clickOn("Close");
        Hand.until(() -> !isOpen("Check set-up"));
    }

    @Test
    void anExportIsShownBeforeItIsWritten() throws Exception {
        FileGuard.standard().write(folder, "directives.tcl", "set_directive_pipeline f/l\n");
        var plan = new FilePlan(
                FileGuard.standard(),
                folder,
                FileGuard.bytes(Map.of("directives.tcl", "set_directive_unroll f/l\n")),
                Map.of());
        for (String answer : List.of("Cancel", "Write")) {
            var agreed = new AtomicReference<Boolean>();
            Platform.runLater(() -> agreed.set(WritePreview.agrees(
                    "The directives",
                    List.of(plan),
                    hand.window().root().getScene().getWindow())));
            Hand.until(() -> isOpen("Export: The directives"));
            var dialog = robot.targetWindow("Export: The directives");
            assertThat(dialog.lookup("#files").<TextArea>query().getText()).contains("replaced   directives.tcl");
            assertThat(dialog.lookup("#differences").<TextArea>query().getText())
                    .contains("-set_directive_pipeline f/l", "+set_directive_unroll f/l");
            dialog.clickOn(answer);
            Hand.until(() -> agreed.get() != null);
            assertThat(agreed.get()).isEqualTo(answer.equals("Write"));
        }
        assertThat(Files.readString(folder.resolve("directives.tcl"))).contains("pipeline");
    }

    /// A network whose file leaves extents open.
    @Test
    void extentsAreAskedFor() throws Exception {
        var missing = List.of(
                new MissingExtents.Extent("height", "axis 2 of input 'x'", "--dim height=N", 2, 4),
                new MissingExtents.Extent("x:1", "axis 1 of input 'x'", "--dim x:1=N", 1, 2));
        for (String answer : List.of("Cancel", "Open")) {
            var given = new AtomicReference<Optional<Map<String, Long>>>();
            var choices =
                    new SystemFileChoices(() -> hand.window().root().getScene().getWindow(), Settings.inMemory());
            Platform.runLater(() -> given.set(choices.extents("open.onnx", missing)));
            Hand.until(() -> isOpen("Extents of open.onnx"));
            var dialog = robot.targetWindow("Extents of open.onnx");
            List<TextField> fields = dialog.lookup(".text-field").queryAllAs(TextField.class).stream()
                    .toList();
            assertThat(fields).extracting(TextField::getText).containsExactly("224", "128");
            dialog.clickOn(fields.getFirst());
            robot.press(KeyCode.CONTROL)
                    .type(KeyCode.A)
                    .release(KeyCode.CONTROL)
                    .write("0");
            assertThat(dialog.lookup("Open").queryButton().isDisabled()).isTrue();
            robot.press(KeyCode.CONTROL)
                    .type(KeyCode.A)
                    .release(KeyCode.CONTROL)
                    .write("64");
            assertThat(dialog.lookup("Open").queryButton().isDisabled()).isFalse();
            dialog.clickOn(answer);
            Hand.until(() -> given.get() != null);
            assertThat(given.get())
                    .isEqualTo(
                            answer.equals("Open") ? Optional.of(Map.of("height", 64L, "x:1", 128L)) : Optional.empty());
        }
    }
}
