package knobscape.app.ui;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import javafx.application.Platform;
import javafx.scene.control.Labeled;
import javafx.scene.control.TextArea;
import javafx.scene.control.TextField;
import javafx.scene.input.KeyCode;
import javafx.stage.Stage;
import javafx.stage.Window;
import knobscape.app.ui.file.WritePreview;
import knobscape.app.ui.theme.Theme;
import knobscape.evaluate.report.FileGuard;
import knobscape.evaluate.report.FilePlan;
import knobscape.gpu.GpuSettings;
import knobscape.network.onnx.OpenNetwork;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
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

    /// A network whose file leaves extents open asks for all of them at once, in the area in which it was opened.
    @ParameterizedTest
    @CsvSource({"DIGIT2, gpu", "DIGIT3, fusion", ", gpu"})
    void extentsAreAskedForInTheAreaShown(KeyCode area, String expected) throws Exception {
        if (area != null) {
            hand.chord(KeyCode.CONTROL, area);
        }
        Path file = OpenNetwork.write(folder.resolve("open.onnx"));
        hand.sitting().act(w -> w.open(file));
        if (area == null) {
            robot.clickOn("#answer-" + expected);
        }
        Hand.until(() -> robot.lookup("#answer-open").tryQuery().isPresent());
        List<TextField> fields = robot.lookup(".question .text-field").queryAllAs(TextField.class).stream()
                .toList();
        assertThat(fields).extracting(TextField::getText).containsExactly("1", "224", "224");
        robot.type(KeyCode.ESCAPE);
        assertThat(hand.window().messages().shown())
                .singleElement()
                .satisfies(m -> assertThat(m.text()).contains("leaves open axis 2 of input 'x'"));
        robot.clickOn("Give them");
        robot.press(KeyCode.CONTROL).type(KeyCode.A).release(KeyCode.CONTROL).write("0");
        assertThat(robot.lookup("#answer-open").queryButton().isDisabled()).isTrue();
        robot.press(KeyCode.CONTROL).type(KeyCode.A).release(KeyCode.CONTROL).write("3");
        robot.type(KeyCode.TAB).write("64").type(KeyCode.ENTER);
        Hand.until(() -> hand.window().openName().isPresent());
        assertThat(hand.window().messages().shown()).isEmpty();
        if (expected.equals("gpu")) {
            assertThat(hand.window().gpu().work().name().getValue()).contains("open");
            assertThat(hand.window().gpu().runs().form().text(GpuSettings.BATCH).get())
                    .isEqualTo("3");
        } else {
            assertThat(robot.lookup(".breadcrumb .label").<Labeled>queryAll())
                    .extracting(Labeled::getText)
                    .anyMatch(t -> t.contains("batch 3"));
        }
    }
}
