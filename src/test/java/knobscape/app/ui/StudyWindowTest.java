package knobscape.app.ui;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.concurrent.TimeoutException;
import javafx.scene.input.KeyCode;
import knobscape.app.ui.run.RunState;
import knobscape.app.ui.study.StudyViewModel;
import knobscape.app.ui.theme.Theme;
import knobscape.evaluate.UserError;
import knobscape.work.device.OpenClDevice;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/// A study as a person does it: open the file, press Run, look at the best, read why; and a wrong file.
@Tag("slow")
@DisabledOnOs(value = OS.WINDOWS, disabledReason = "the program is a shell script")
class StudyWindowTest {
    @TempDir
    private Path dir;

    private Hand hand;

    @BeforeEach
    void open() throws Exception {
        Files.writeString(dir.resolve("run.sh"), "echo $((1 + ($1 - 6) * ($1 - 6) + $2))\n");
        Files.writeString(dir.resolve("k.study.yaml"), """
                study: 1
                parameters:
                  n: {from: 1, to: 12, default: 1}
                  mode: [0, 5, 9]
                constraints: ['n + mode < 16']
                objectives: {time: {goal: minimise, unit: ms}}
                measure: {command: [sh, run.sh, "{n}", "{mode}"]}
                run: {trials: 2, initial: 2, seed: 3}
                """);
        hand = new Hand(Theme.DARK);
    }

    @AfterEach
    void close() {
        hand.close();
    }

    private StudyViewModel model() {
        return hand.window().study().model();
    }

    @Test
    void fileRunBestAndWhatIsWrong() throws TimeoutException {
        hand.sitting().act(w -> hand.window().open(dir.resolve("k.study.yaml")));
        Hand.until(() -> hand.window().openName().filter("k"::equals).isPresent());
        Hand.until(() -> hand.robot().lookup("n + mode < 16").tryQuery().isPresent());
        Hand.until(() -> model().runs().status().get().state() == RunState.NONE
                && model().runs().form().isRight());
        hand.chord(KeyCode.CONTROL, KeyCode.R);
        // The file may be somebody else's: its program is shown, and started after a yes.
        Hand.until(() -> hand.robot().lookup("Start it").tryQuery().isPresent());
        hand.robot().clickOn("Start it");
        Hand.until(() -> model().runs().status().get().state() == RunState.COMPLETED);
        Hand.until(() -> hand.robot().lookup("Least time").tryQuery().isPresent());
        assertThat(hand.window().messages().shown()).isEmpty();
        hand.sitting().act(w -> hand.window().open(dir.resolve("bad.study.yaml")));
        Hand.until(() -> !hand.window().messages().shown().isEmpty());
        assertThat(hand.window().openName()).as("what was open stays").contains("k");
    }

    /// A kernel of one's own in three actions: open its source, press Run, agree.
    @Test
    void aKernelIsTunedInThreeActions() throws Exception {
        try {
            Assumptions.assumeFalse(OpenClDevice.names().isEmpty(), "there is no OpenCL device");
        } catch (UserError e) {
            Assumptions.abort(e.getMessage());
        }
        Files.writeString(dir.resolve("twice.cl"), """
                #define PER_ITEM 1 // 1, 2
                __kernel void twice(__global const float* a, __global float* b, int n) {
                    for (int k = 0; k < PER_ITEM; k++) {
                        int i = get_global_id(0) * PER_ITEM + k;
                        if (i < n) b[i] = 2 * a[i];
                    }
                }
                """);
        hand.sitting().act(w -> hand.window().open(dir.resolve("twice.cl")));
        Hand.until(() -> hand.window().openName().filter("twice"::equals).isPresent());
        Hand.until(() -> model().runs().status().get().state() == RunState.NONE
                && model().runs().form().isRight());
        hand.chord(KeyCode.CONTROL, KeyCode.R);
        Hand.until(() -> hand.robot().lookup("Start it").tryQuery().isPresent());
        hand.robot().clickOn("Start it");
        Instant end = Instant.now().plusSeconds(240);
        while (model().runs().status().get().state() != RunState.COMPLETED
                && Instant.now().isBefore(end)) {
            Thread.sleep(200);
        }
        assertThat(model().runs().status().get().state()).isEqualTo(RunState.COMPLETED);
        Hand.until(() -> hand.robot().lookup("Least time").tryQuery().isPresent());
        assertThat(dir.resolve("twice.study.yaml")).doesNotExist();
    }
}
