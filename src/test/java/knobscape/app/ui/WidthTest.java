package knobscape.app.ui;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeoutException;
import javafx.scene.Node;
import javafx.scene.control.Label;
import javafx.scene.control.MenuButton;
import javafx.scene.layout.GridPane;
import javafx.scene.layout.Region;
import javafx.scene.text.Text;
import knobscape.app.ui.run.RunState;
import knobscape.app.ui.theme.Theme;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Values are never cut, from 1000 to 1920 pixels: long latencies, large areas, designs that do not fit.
@Tag("slow")
class WidthTest {
    private static final int[] WIDTHS = {1000, 1100, 1280, 1366, 1440, 1600, 1920};

    @TempDir
    private Path folder;

    private Hand hand;
    private int seen;

    @BeforeEach
    void open() {
        hand = new Hand(Theme.LIGHT);
    }

    @AfterEach
    void close() {
        hand.close();
    }

    /// The labels of values in the right panel whose text is not shown whole at some width.
    private List<String> cut(String panel) {
        var cut = new ArrayList<String>();
        for (int width : WIDTHS) {
            hand.sitting().act(w -> w.root().resizeRelocate(0, 0, width, 800));
            hand.sitting().act(w -> {
                w.root().applyCss();
                w.root().layout();
                for (Node n : w.root().lookupAll(panel + " .label")) {
                    if (n instanceof Label l && isValue(l) && isShown(l) && l.lookup(".text") instanceof Text shown) {
                        seen++;
                        if (!plain(shown.getText()).equals(plain(l.getText()))) {
                            cut.add(width + ": '" + l.getText() + "' is shown as '" + shown.getText() + "'");
                        }
                    }
                }
            });
        }
        assertThat(seen).isPositive();
        return cut;
    }

    private static String plain(String text) {
        return text.replaceAll("\\s", "");
    }

    /// Names may be shortened, values may not.
    private static boolean isValue(Label label) {
        Integer column = GridPane.getColumnIndex(label);
        return (column != null && column > 0)
                || label.getStyleClass().stream().anyMatch(List.of("figure", "emphasis", "better", "worse")::contains);
    }

    private static boolean isShown(Node node) {
        for (Node n = node; n != null; n = n.getParent()) {
            if (!n.isVisible()) {
                return false;
            }
        }
        return true;
    }

    @Test
    void longLatenciesAndDesignsThatDoNotFitAreShownWhole() throws IOException, TimeoutException {
        Files.writeString(folder.resolve("big.cpp"), """
                void big(const double a[65536], const double b[65536], double c[65536]) {
                outer:
                  for (int r = 0; r < 40000; r++)
                middle:
                    for (int k = 0; k < 30000; k++)
                inner:
                      for (int i = 0; i < 65536; i++) {
                        c[i] += a[i] / b[i] * r + b[i] / (a[i] + k) + a[i] / (b[i] + r) + b[i] / (a[i] + r)
                            + a[i] / (b[i] + k) + r / (a[i] + 1) + k / (b[i] + 1);
                      }
                }
                """);
        Files.writeString(folder.resolve("knobscape.json"), """
                {"formatVersion": 1, "name": "big", "kind": "hls", "source": "big.cpp", "top": "big", "part": "xc7z020-1",
                 "run": {"method": "random", "steps": 30, "earlyStop": 0}}
                """);
        hand.sitting().open(folder);
        var model = hand.window().hls().model();
        hand.sitting().act(w -> model.run().start());
        Hand.until(() -> model.run().status().get().state() == RunState.COMPLETED);
        hand.sitting().act(w -> {});
        // The bar has the words of a run that has just ended in this window; it gives way at the narrowest.
        hand.sitting().act(w -> w.root().resizeRelocate(0, 0, 1000, 800));
        hand.sitting().act(w -> {
            w.root().layout();
            var bar = (Region) w.root().lookup(".run-bar");
            assertThat(bar.getWidth()).isLessThanOrEqualTo(1000);
            bar.getChildrenUnmodifiable().stream()
                    .filter(Node::isVisible)
                    .forEach(n -> assertThat(n.getBoundsInParent().getMaxX()).isLessThanOrEqualTo(1000));
            var figures = (Label) w.root().lookup(".run-bar .figures");
            assertThat(((Text) figures.lookup(".text")).getText()).isEqualTo(figures.getText());
            assertThat(figures.getText()).startsWith("step 30 of 30");
        });
        int designs = model.results().set().size();
        var shown = new StringBuilder();
        for (int number = 0; number < designs; number++) {
            int selected = number;
            hand.sitting().act(w -> model.results().select(selected));
            String values = String.join(
                    " ",
                    model.models().inspector().sheet().get().orElseThrow().ladder().stream()
                            .flatMap(l -> l.values().stream())
                            .toList());
            boolean first = values.contains("invalid") && shown.indexOf("invalid") < 0;
            if (first || number % Math.max(1, designs / 8) == 0) {
                assertThat(cut(".inspector")).as("design " + number).isEmpty();
                shown.append(values);
            }
        }
        assertThat(shown).contains("invalid");
    }

    @Test
    void valuesOfAScheduleAreShownWhole() throws IOException, TimeoutException {
        Files.writeString(folder.resolve("knobscape.json"), """
                {"formatVersion": 1, "kind": "gpu", "source": "zoo:vgg16", "batch": 64, "device": "model:t4", "run": {"method": "random", "trials": 20, "seed": 9}}
                """);
        hand.sitting().open(folder);
        var model = hand.window().gpu().model();
        Hand.until(
                () -> !hand.robot().lookup("#tasks").queryTableView().getItems().isEmpty());
        hand.sitting().act(w -> model.tune());
        Hand.until(() -> model.runs().status().get().state() == RunState.COMPLETED);
        assertThat(cut(".inspector-body")).isEmpty();
        // The header says whole parts of the run's name, the number in any case.
        for (int width : WIDTHS) {
            hand.sitting().act(w -> w.root().resizeRelocate(0, 0, width, 800));
            hand.sitting().act(w -> {
                var runs = (MenuButton) w.root().lookup("#runs");
                assertThat(((Text) runs.lookup(".text")).getText())
                        .as("at " + width)
                        .isEqualTo(runs.getText())
                        .isIn("Run 1", "Run 1, Random search", "Run 1, Random search, seed 9");
            });
        }
    }

    @Test
    void thePlacesKeepTheirWidthsWhenTheWindowIsMadeNarrowAndWideAgain() throws TimeoutException {
        hand.openNetwork("zoo:alexnet", "gpu");
        Hand.until(
                () -> !hand.robot().lookup("#tasks").queryTableView().getItems().isEmpty());
        for (int width : new int[] {1280, 1000, 1920, 1000, 1280}) {
            hand.sitting().act(w -> w.root().resizeRelocate(0, 0, width, 800));
            hand.sitting().act(w -> {
                w.root().layout();
                assertThat(((Region) w.root().lookup(".place-left")).getWidth())
                        .as("left at " + width)
                        .isBetween(315.0, 325.0);
                if (width > 1000) {
                    assertThat(((Region) w.root().lookup(".place-right")).getWidth())
                            .as("right at " + width)
                            .isBetween(305.0, 320.0);
                }
            });
        }
    }

    @Test
    void theSourceHasItsShareOfTheWidthAgainWhenANarrowWindowIsWidened() throws IOException {
        hand.sitting()
                .open(Files.writeString(
                        folder.resolve("k.cpp"), "void k(int a[8]) { for (int i = 0; i < 8; i++) a[i] += i; }\n"));
        for (int width : new int[] {1280, 1000, 1920, 1280}) {
            hand.sitting().act(w -> w.root().resizeRelocate(0, 0, width, 800));
            hand.sitting().act(w -> {
                w.root().layout();
                assertThat(((Region) w.root().lookup(".place-left")).getWidth())
                        .as("left at " + width)
                        .isCloseTo(Math.clamp(width * 0.28, 320, 480), Offset.offset(8.0));
            });
        }
    }

    @Test
    void everyFigureOfAScheduleCanBeReached() throws TimeoutException {
        hand.openNetwork("zoo:vgg16", "gpu");
        Hand.until(
                () -> !hand.robot().lookup("#tasks").queryTableView().getItems().isEmpty());
        var outside = new ArrayList<String>();
        for (int width : WIDTHS) {
            hand.sitting().act(w -> w.root().resizeRelocate(0, 0, width, 800));
            hand.sitting().act(w -> {
                w.root().applyCss();
                w.root().layout();
                for (Node strip : w.root().lookupAll(".tab-strip")) {
                    double room = strip.localToScene(strip.getLayoutBounds()).getMaxX();
                    for (Node tab : strip.lookupAll(".tab-button")) {
                        seen++;
                        if (isShown(tab)
                                && tab.localToScene(tab.getLayoutBounds()).getMaxX() > room + 0.5) {
                            outside.add(width + ": " + tab);
                        }
                    }
                }
            });
        }
        assertThat(seen).isPositive();
        assertThat(outside).isEmpty();
    }

    @Test
    void valuesOfAStrategyAreShownWhole() throws TimeoutException {
        hand.openNetwork("zoo:vgg16", "fusion");
        var model = hand.window().fusion().model();
        Hand.until(() -> model.report().get().isPresent());
        hand.sitting()
                .act(w -> model.setStrategy(
                        "64^" + (model.report().get().orElseThrow().strategy().layers() + 1)));
        assertThat(cut(".knob-grid")).isEmpty();
    }
}
