package knobscape.app.ui;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeoutException;
import javafx.geometry.Bounds;
import javafx.geometry.Point2D;
import javafx.scene.Node;
import javafx.scene.control.Button;
import javafx.scene.control.Label;
import javafx.scene.control.TextField;
import javafx.scene.control.ToggleButton;
import javafx.scene.input.KeyCode;
import knobscape.app.ui.gpu.GpuViewModel;
import knobscape.app.ui.theme.Theme;
import knobscape.evaluate.Outcome;
import knobscape.gpu.export.KernelState;
import knobscape.network.subgraph.Subgraph;
import knobscape.project.UserHistory;
import knobscape.space.Domain;
import knobscape.space.Knob;
import knobscape.space.KnobSet;
import knobscape.work.history.HistoryRow;
import knobscape.work.history.HistoryTask;
import knobscape.work.history.TuningHistory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// GPU schedules as a person tunes them, by a robot with mouse and keys in the real window on the headless
/// platform.
@Tag("slow")
class GpuWindowTest {
    @TempDir
    private Path folder;

    private Hand hand;

    @BeforeEach
    void open() {
        hand = new Hand(Theme.LIGHT);
    }

    @AfterEach
    void close() {
        hand.close();
    }

    private GpuViewModel model() {
        return hand.window().gpu().model();
    }

    @Test
    void chooseATaskByMouseAndKeysAndFindALayer() throws Exception {
        hand.openNetwork("zoo:resnet18", "gpu");
        Hand.until(
                () -> hand.robot().lookup("#tasks").queryTableView().getItems().size() == 12);
        hand.sitting().act(w -> {});
        assertThat(hand.robot().lookup("At the roofline").tryQuery()).isPresent();
        FusionWindowTest.allFiguresAreExplained(hand);
        hand.clickRow("#tasks", 1);
        Hand.until(() -> model().selected().get() == 1);
        hand.chord(KeyCode.ALT, KeyCode.DOWN);
        Hand.until(() -> model().selected().get() == 2);
        // A click on a box of the graph shows what the file says of the layer.
        assertThat(model().layer().get()).isEmpty();
        Bounds graph = hand.robot()
                .lookup("#place")
                .query()
                .localToScreen(hand.robot().lookup("#place").query().getLayoutBounds());
        for (int y = 4; y < 200 && model().layer().get().isEmpty(); y += 4) {
            hand.robot().clickOn(new Point2D(graph.getCenterX(), graph.getMinY() + y));
        }
        Subgraph looked = model().layer().get().orElseThrow();
        String title = looked.nodes().getFirst().name() + ": "
                + looked.nodes().getFirst().operator().label();
        // In a narrow window the design stands behind a tab.
        turnTo("Design");
        assertThat(hand.robot()
                        .lookup(n -> n instanceof Label l && l.getText().equals(title))
                        .tryQuery())
                .isPresent();
        hand.chord(KeyCode.ALT, KeyCode.DOWN);
        Hand.until(() -> model().layer().get().isEmpty());
        // Searching brings the graph to the front again, also where the left panel is folded away.
        hand.chord(KeyCode.CONTROL, KeyCode.B);
        Hand.until(() -> hand.robot().lookup("#findNode").tryQuery().isEmpty());
        hand.chord(KeyCode.CONTROL, KeyCode.F);
        hand.robot().write("downsample");
        Hand.until(() -> hand.robot()
                .lookup("#findNode")
                .queryTextInputControl()
                .getText()
                .equals("downsample"));
        assertThat(hand.window().messages().shown()).isEmpty();
        // The other area of networks keeps what it has; nothing is open there.
        hand.chord(KeyCode.CONTROL, KeyCode.DIGIT3);
        Hand.until(() -> hand.robot().lookup("#tasks").tryQuery().isEmpty());
    }

    @Test
    void theHistoryListsWhatOtherAreasMeasuredWhereItIsAskedFor() throws Exception {
        Path file = folder.resolve("h.db");
        try (TuningHistory history = TuningHistory.open(file)) {
            history.add(
                    task("gpu", "model:t4", "Pool", "MaxPool of 1×64×112×112"),
                    List.of(new HistoryRow("k=1", new Outcome.Measured(Map.of("time", 2.5)), 1, 1, "a")));
            history.add(
                    task("hls", "vitis_hls", "fir", "fir, 10.0 ns"),
                    List.of(new HistoryRow("k=1", new Outcome.Measured(Map.of("lut", 300.0)), 60, 1, "b")));
        }
        String before = System.getProperty(UserHistory.PROPERTY, "none");
        System.setProperty(UserHistory.PROPERTY, file.toString());
        try {
            hand.openNetwork("zoo:alexnet", "gpu");
            turnTo("History");
            Hand.until(() ->
                    hand.robot().lookup("#history").queryTableView().getItems().size() == 1);
            hand.robot().clickOn("Also 1 task of other areas");
            assertThat(hand.robot().lookup("#history").queryTableView().getItems())
                    .hasSize(2);
            hand.clickRow("#history", 1);
            assertThat(hand.robot()
                            .lookup(n -> n instanceof Label l
                                    && l.getText().equals("fir, 10.0 ns, fir, directives, vitis_hls: 1 row."))
                            .tryQuery())
                    .isPresent();
            hand.robot().clickOn("Also 1 task of other areas");
            assertThat(hand.robot().lookup("#history").queryTableView().getItems())
                    .hasSize(1);
        } finally {
            System.setProperty(UserHistory.PROPERTY, before);
        }
    }

    private static HistoryTask task(String area, String device, String group, String words) {
        return new HistoryTask(
                area,
                new HistoryTask.Measurer(device, "", area.equals("gpu")),
                group,
                words,
                words,
                "",
                area.equals("gpu") ? "sketch@1" : "directives@1",
                "bare",
                Optional.of(new KnobSet(List.of(new Knob("k", new Domain.Toggle())))));
    }

    private void turnTo(String page) {
        hand.robot()
                .clickOn(hand.robot()
                        .lookup(n -> n instanceof ToggleButton t && t.getText().equals(page))
                        .<ToggleButton>query());
    }

    @Test
    void aProjectOpensInItsAreaIsSetByMouseAndKeysAndTuned() throws IOException, TimeoutException {
        Files.writeString(folder.resolve("knobscape.json"), """
                {"formatVersion": 1, "kind": "gpu", "source": "zoo:alexnet", "device": "model:t4", "run": {"method": "random", "trials": 40, "seed": 9}}
                """);
        hand.sitting().open(folder);
        Hand.until(
                () -> hand.robot().lookup("#tasks").queryTableView().getItems().size() == 8);
        assertThat(settings()).isEqualTo("Random search, Tesla T4 (model), 40 trials, seed 9");

        hand.robot().clickOn("#settings");
        enter("Batch", "0");
        assertThat(problems()).containsExactly("Must be a whole number from 1 to 65536.");
        enter("Batch", "2");
        Hand.until(() ->
                settings().contains("batch 2") && model().opener().words().get().isEmpty());
        assertThat(problems()).isEmpty();
        hand.robot().type(KeyCode.ESCAPE);
        Hand.until(() -> !sheet().isVisible());
        hand.chord(KeyCode.CONTROL, KeyCode.COMMA);
        Hand.until(() -> sheet().isVisible());
        hand.robot().clickOn(hand.robot().from(sheet()).lookup("Run").queryButton());
        Hand.until(() -> Files.isRegularFile(folder.resolve("tuning.json")));
        assertThat(sheet().isVisible()).isFalse();
        Hand.until(() -> hand.robot().lookup("#run").query().isVisible());
        Hand.until(() -> hand.robot().lookup("Of the roofline").tryQuery().isPresent());
        hand.robot().clickOn("Takes longest");
        Hand.until(() -> model().states().get().stream()
                .max(Comparator.comparingDouble(KernelState::placesMilliseconds))
                .equals(Optional.of(
                        model().states().get().get(model().selected().get()))));
        assertThat(Files.readString(folder.resolve("tuning.json"))).contains("conv2d_2x3x224x224");
        // What was set is taken back by the key.
        hand.chord(KeyCode.CONTROL, KeyCode.Z);
        Hand.until(() -> !settings().contains("batch"));
    }

    private Node sheet() {
        return hand.robot().lookup("#runSheet").query();
    }

    private String settings() {
        return hand.robot().lookup("#settings").<Button>query().getAccessibleHelp();
    }

    /// What stands under the fields of the open menu that are wrong.
    private List<String> problems() {
        return hand.robot().from(sheet()).lookup(".worse").<Label>queryAll().stream()
                .filter(Node::isVisible)
                .map(Label::getText)
                .toList();
    }

    /// Writes a number into a field of the open menu and confirms it.
    private void enter(String name, String text) {
        var field = hand.robot()
                .lookup(n -> n instanceof TextField
                        && String.valueOf(n.getAccessibleText()).startsWith(name + ":"))
                .<TextField>query();
        hand.robot().clickOn(field);
        hand.chord(KeyCode.CONTROL, KeyCode.A);
        hand.robot().write(text).type(KeyCode.ENTER);
    }
}
