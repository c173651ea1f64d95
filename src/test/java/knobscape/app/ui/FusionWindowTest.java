package knobscape.app.ui;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.TimeoutException;
import javafx.scene.Node;
import javafx.scene.control.Label;
import javafx.scene.control.TableView;
import javafx.scene.control.ToggleButton;
import javafx.scene.input.KeyCode;
import knobscape.app.ui.fusion.FusionViewModel;
import knobscape.app.ui.theme.Theme;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Layer fusion as a person does it, by a robot with mouse and keys in the real window on the headless
/// platform.
@Tag("slow")
class FusionWindowTest {
    private Hand hand;

    @BeforeEach
    void open() {
        hand = new Hand(Theme.DARK);
        hand.openNetwork("zoo:resnet18", "fusion");
    }

    @AfterEach
    void close() {
        hand.close();
    }

    private FusionViewModel model() {
        return hand.window().fusion().model();
    }

    @Test
    void editByKeysUndoSearchAndComparison() throws TimeoutException {
        // It opens on the best there is, compared with no fusion.
        Hand.until(() -> model().compared().get().isPresent());
        assertThat(model().report().get().orElseThrow().speedup()).isGreaterThan(3);
        hand.sitting().act(w -> {});
        hand.clickRow("#strategies", 0);
        Hand.until(() -> model().report().get().orElseThrow().speedup() == 1);
        TableView<?> chain = hand.robot().lookup("#chain").queryTableView();
        assertThat(chain.getItems()).hasSize(19);
        hand.clickRow("#chain", 3);
        Hand.until(() -> model().layer().get() == 3);
        hand.robot().type(KeyCode.S);
        Hand.until(() -> model().report().get().orElseThrow().strategy().get(3) == 16);
        hand.chord(KeyCode.ALT, KeyCode.DOWN);
        Hand.until(() -> model().report().get().orElseThrow().strategy().get(3) == 8);
        hand.chord(KeyCode.CONTROL, KeyCode.Z);
        Hand.until(() -> model().report().get().orElseThrow().strategy().get(3) != 8);

        hand.robot().type(KeyCode.S);
        Hand.until(() -> model().report().get().orElseThrow().strategy().get(3) == 16);
        hand.robot().type(KeyCode.P);
        Hand.until(() ->
                hand.robot().lookup("#strategies").queryTableView().getItems().size() == 3);
        hand.chord(KeyCode.CONTROL, KeyCode.R);
        Hand.until(() ->
                hand.robot().lookup("#strategies").queryTableView().getItems().size() >= 4);
        Hand.until(() -> model().report().get().orElseThrow().speedup() > 1);
        assertThat(model().report().get().orElseThrow().speedup()).isGreaterThan(3);
        assertThat(hand.window().messages().shown()).isEmpty();
    }

    @Test
    void figuresOfTheStripSelectStrategiesAndOpenPlots() throws TimeoutException {
        Hand.until(() -> model().compared().get().isPresent());
        hand.sitting().act(w -> {});
        System.gc(); // what nobody holds would stop following
        allFiguresAreExplained(hand);
        hand.robot().clickOn("Speedup");
        Hand.until(() -> model().report().get().orElseThrow().speedup() == 1);
        Hand.until(() -> hand.robot().lookup("Selected").tryQuery().isPresent());
        hand.robot().clickOn("Paper's model, proven");
        Hand.until(() -> model().report().get().orElseThrow().speedup() > 3);
        hand.robot()
                .clickOn(hand.robot()
                        .lookup(".headline-figure .secondary")
                        .<Label>match(l -> l.getText().equals("Groups"))
                        .<Node>query());
        Hand.until(() -> hand.robot()
                .lookup(".tab-button")
                .<ToggleButton>match(b -> b.getText().equals("Groups"))
                .<ToggleButton>query()
                .isSelected());
    }

    /// The help has a line for every figure that has a tab.
    static void allFiguresAreExplained(Hand hand) {
        List<String> titles = hand.robot().lookup(".tab-strip > .tab-button").<ToggleButton>queryAll().stream()
                .map(ToggleButton::getText)
                .filter(t -> !List.of("Chain", "Accelerator", "Strategy", "Graph", "History", "Schedule", "Design")
                        .contains(t))
                .toList();
        assertThat(titles).hasSizeGreaterThan(4);
        assertThat(titles).allSatisfy(t -> assertThat(FirstSteps.text()).containsPattern("(?m)^" + t + " {2,}\\S"));
    }
}
