package knobscape.app.ui;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import javafx.scene.control.Label;
import javafx.scene.control.MenuButton;
import javafx.scene.control.TableView;
import javafx.scene.control.ToggleButton;
import javafx.scene.input.KeyCode;
import knobscape.app.ui.fusion.FusionViewModel;
import knobscape.app.ui.theme.Theme;
import knobscape.fusion.export.StripReport;
import knobscape.fusion.search.strip.Objective;
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
        Hand.until(() -> model().compared().get().isPresent()
                && model().report().get().filter(r -> r.speedup() > 3).isPresent());
        hand.sitting().act(w -> {});
        hand.turn("Found");
        hand.robot().clickOn("Chain");
        hand.sitting().act(w -> {});
        hand.clickRow(".designs-table", 0);
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
        Hand.until(() -> hand.robot()
                        .lookup(".designs-table")
                        .queryTableView()
                        .getItems()
                        .size()
                == 3);
        assertThat(hand.window().messages().shown()).isEmpty();
    }

    @Test
    void anArchitectMovesTheBufferLooksAndStoresTheAnswer() throws TimeoutException {
        // One of its own: it opens with the buffer of its newest run.
        hand.sitting().act(w -> model().open("zoo:squeezenet_v1.1"));
        hand.sitting().act(w -> model().setBuffer(20_000_000));
        Hand.until(() -> model().strips().answer().get().isPresent());
        hand.sitting().act(w -> {});
        System.gc(); // what nobody holds would stop following
        allFiguresAreExplained(hand);
        long before = buffer();
        double speedup = answer().answer().speedup();
        hand.robot().clickOn("#buffer");
        hand.robot().type(KeyCode.HOME);
        hand.robot().type(KeyCode.RIGHT, 20);
        Hand.until(() -> buffer() < before && answer().answer().speedup() < speedup);
        // Headline, panel and table are of one answer.
        hand.sitting().act(w -> {});
        StripReport shown = answer();
        // A narrow window has the page among those on the left.
        hand.robot()
                .lookup(".tab-button")
                .<ToggleButton>match(b -> b.getText().equals("Answer"))
                .<ToggleButton>tryQuery()
                .ifPresent(hand.robot()::clickOn);
        hand.sitting().act(w -> {});
        assertThat(hand.robot().lookup("#answer").queryAs(Label.class).getText())
                .isEqualTo(String.format(
                        Locale.ROOT, "%.2f\u00d7 faster", shown.answer().speedup()));
        assertThat(headline("Speedup"))
                .isEqualTo(
                        String.format(Locale.ROOT, "%.2f\u00d7", shown.answer().speedup()));
        assertThat(hand.robot().lookup("#groups").queryTableView().getItems())
                .hasSize(shown.answer().groups().size());
        // What is made least is chosen beside the slider.
        makeLeast("Room on chip");
        Hand.until(() -> answer().answer().objective() == Objective.ROOM
                && answer().answer().room() < shown.answer().room());
        assertThat(hand.robot().lookup("#least").queryAs(MenuButton.class).getText())
                .isEqualTo("Least room on chip");
        makeLeast("Time");
        Hand.until(() -> answer().answer().equals(shown.answer()));
        clickHeadline("Groups");
        Hand.until(() -> isShown("Groups"));
        clickHeadline("Time, proven");
        Hand.until(() -> isShown("Timeline"));
        hand.chord(KeyCode.CONTROL, KeyCode.R);
        Hand.until(() -> model().runs().runs().stream().anyMatch(r -> r.reason().equals("the exact answer is found")));
        assertThat(hand.window().messages().shown()).isEmpty();
    }

    /// The page has labels of the same words, so that the item is looked for in its menu.
    private void makeLeast(String words) throws TimeoutException {
        hand.robot().clickOn("#least");
        var item = hand.robot()
                .lookup(".context-menu .menu-item .label")
                .<Label>match(l -> l.isVisible() && l.getText().equals(words));
        Hand.until(() -> item.tryQuery().isPresent());
        hand.robot().clickOn(item.<Label>query());
    }

    private StripReport answer() {
        return model().strips().answer().get().orElseThrow();
    }

    private long buffer() {
        return answer().model().machine().buffer();
    }

    private Label caption(String title) {
        return hand.robot()
                .lookup(".headline-figure .secondary")
                .<Label>match(l -> l.getText().equals(title))
                .query();
    }

    private void clickHeadline(String title) {
        hand.robot().clickOn(caption(title));
    }

    private String headline(String title) {
        return caption(title).getParent().lookupAll(".label").stream()
                .map(n -> ((Label) n).getText())
                .filter(t -> t.contains("\u00d7"))
                .findFirst()
                .orElse("");
    }

    private boolean isShown(String tab) {
        return hand.robot()
                .lookup(".figure-choice .toggle-button")
                .<ToggleButton>match(b -> b.getText().equals(tab))
                .<ToggleButton>query()
                .isSelected();
    }

    /// The help has a line for every figure that has a tab.
    static void allFiguresAreExplained(Hand hand) {
        List<String> titles = Stream.of(".tab-strip > .tab-button", ".figure-choice > .toggle-button")
                .flatMap(s -> hand.robot().lookup(s).<ToggleButton>queryAll().stream())
                .map(ToggleButton::getText)
                .filter(t -> !List.of(
                                "Chain",
                                "Accelerator",
                                "Answer",
                                "Paper",
                                "Strategy",
                                "Graph",
                                "History",
                                "Schedule",
                                "Design")
                        .contains(t))
                .toList();
        assertThat(titles).hasSizeGreaterThan(4);
        assertThat(titles).allSatisfy(t -> assertThat(FirstSteps.text()).containsPattern("(?m)^" + t + " {2,}\\S"));
    }
}
