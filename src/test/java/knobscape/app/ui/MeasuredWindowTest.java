package knobscape.app.ui;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeoutException;
import knobscape.app.ui.run.RunState;
import knobscape.app.ui.theme.Theme;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.testfx.api.FxRobot;

/// Measured designs in the real window, handled by a robot.
@Tag("slow")
class MeasuredWindowTest {
    @TempDir
    private Path folder;

    private Hand hand;
    private FxRobot robot;
    private WindowSnapshot.Sitting sitting;

    @BeforeEach
    void open() {
        hand = new Hand(Theme.LIGHT);
        robot = hand.robot();
        sitting = hand.sitting();
    }

    @AfterEach
    void close() {
        hand.close();
    }

    private Path designs() throws IOException {
        var csv = new StringBuilder("unroll@f/l,partition_type@f/a,h,d,p\n");
        for (int u = 1; u <= 16; u *= 2) {
            for (String type : new String[] {"none", "cyclic", "block"}) {
                double cost = type.length();
                csv.append(u)
                        .append(',')
                        .append(type)
                        .append(',')
                        .append(100.0 / u + cost)
                        .append(',')
                        .append(130.0 / u + 2 * cost)
                        .append(',')
                        .append(u + 10 / cost)
                        .append('\n');
            }
        }
        Files.writeString(folder.resolve("d.yaml"), """
                replay: 1
                name: own
                knobs: {columns: ["*@*"]}
                fidelities:
                  - {name: hls, seconds: "60", metrics: {delay: h}}
                  - {name: impl, seconds: "600", metrics: {delay: d, power: p}}
                objectives: [power, delay]
                """);
        return Files.writeString(folder.resolve("d.csv"), csv);
    }

    @Test
    void aFileOfMeasuredDesignsIsOpenedExploredAndComparedWithItsRealFront() throws IOException, TimeoutException {
        sitting.open(designs());
        var model = sitting.window().study().model();
        // The designs are drawn at once; searching among them is the button below.
        Hand.until(() -> model.results().set().size() == 15);
        robot.clickOn(robot.lookup(".run-bar").lookup("#run").<javafx.scene.Node>query());
        Hand.until(() -> model.runs().status().get().state() == RunState.COMPLETED);
        Hand.until(() -> !robot.lookup("#table").queryTableView().getItems().isEmpty());
        assertThat(model.results().set().sourceWords()).isEqualTo("measured, replayed");
        robot.clickOn("Progress").clickOn("Surrogate");
        Hand.until(
                () -> !robot.lookup("#traceFamily").queryComboBox().getItems().isEmpty());
        robot.clickOn("Real front");
        Hand.until(() -> robot.lookup(n -> n instanceof javafx.scene.control.Label l
                        && l.getText().contains("points of the real front found"))
                .tryQuery()
                .isPresent());
    }

    @Test
    void aStorageOfOptunaIsDrawnAtOnceAndItsColumnsCorrected() throws IOException, TimeoutException {
        Path file = folder.resolve("toy.db");
        try (var in = new java.util.zip.GZIPInputStream(java.util.Objects.requireNonNull(
                MeasuredWindowTest.class.getResourceAsStream("/knobscape/evaluate/toy-study.db.gz")))) {
            Files.copy(in, file);
        }
        sitting.open(file);
        var results = sitting.window().study().model().results();
        Hand.until(() -> results.set().size() == 28);
        robot.clickOn(chip("area")).clickOn("minimise");
        Hand.until(() -> results.set().objectives().size() == 3);
        robot.clickOn(chip("rate")).clickOn("not used");
        Hand.until(() -> results.set().objectives().size() == 2);
        assertThat(results.set().objectives()).extracting(m -> m.name()).containsExactly("delay", "area");
        // Kept with the project, and read by whoever opens it.
        sitting.act(w -> w.study().model().close());
        Hand.until(() -> sitting.window().openName().isEmpty());
        sitting.open(file);
        Hand.until(() -> results.set().size() == 28);
        assertThat(results.set().objectives()).extracting(m -> m.name()).containsExactly("delay", "area");
        robot.clickOn("Study: front").clickOn("single");
        Hand.until(() -> results.set().objectives().size() == 1);
        assertThat(results.set().size()).isEqualTo(12);
        robot.clickOn("Search this");
        Hand.until(() -> sitting.window().study().model().runs().status().get().state() == RunState.COMPLETED);
    }

    private javafx.scene.Node chip(String column) {
        return robot.lookup(n -> n instanceof javafx.scene.control.MenuButton m
                        && m.getStyleClass().contains("chip")
                        && m.getAccessibleText().startsWith("Column " + column + ":"))
                .query();
    }

    @Test
    void aTableThatTheProgramExportedIsDrawnAtOnce() throws IOException, TimeoutException {
        Path table = Files.writeString(folder.resolve("designs.csv"), """
                number,design,front,unroll@f/l,hls outcome,hls delay [ns],hls lut,hls tool time [s],hls source
                1,aa,yes,1,ok,100,50,5,x
                2,bb,yes,2,ok,60,90,5,x
                3,cc,no,4,ok,70,120,5,x
                """);
        sitting.act(w -> w.open(table));
        var results = sitting.window().study().model().results();
        Hand.until(() -> results.set().size() == 3);
        assertThat(results.set().count(knobscape.app.ui.designs.DesignStanding.FRONT))
                .isEqualTo(2);
        Hand.until(() -> robot.lookup("#table").queryTableView().getItems().size() == 3);
        assertThat(robot.lookup("#table").queryTableView().getParent().isVisible())
                .isTrue();
    }
}
