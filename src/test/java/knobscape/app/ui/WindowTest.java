package knobscape.app.ui;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeoutException;
import java.util.stream.IntStream;
import javafx.geometry.Bounds;
import javafx.scene.Node;
import javafx.scene.control.ContextMenu;
import javafx.scene.control.Labeled;
import javafx.scene.control.Menu;
import javafx.scene.control.MenuItem;
import javafx.scene.control.TableView;
import javafx.scene.control.TextField;
import javafx.scene.control.ToggleButton;
import javafx.scene.control.skin.TableColumnHeader;
import javafx.scene.input.KeyCode;
import javafx.scene.input.MouseButton;
import javafx.scene.text.Font;
import javafx.scene.text.FontWeight;
import javafx.scene.text.Text;
import javafx.stage.Window;
import knobscape.app.ui.run.RunState;
import knobscape.app.ui.theme.Theme;
import knobscape.app.ui.theme.ThemeService;
import org.fxmisc.richtext.CodeArea;
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

    private Hand hand;
    private FxRobot robot;
    private WindowSnapshot.Sitting sitting;

    /// Figures below each other stand in columns, whatever fonts the machine has.
    @Test
    void theFontIsTheProgramsOwnAndItsFiguresHaveEqualWidths() {
        var words = (Labeled) robot.lookup(".label").tryQuery().orElseThrow();
        assertThat(words.getFont().getFamily()).isEqualTo(ThemeService.FONT);
        assertThat(List.of("Regular", "Bold")).allSatisfy(style -> {
            var font = Font.font(ThemeService.FONT, style.equals("Bold") ? FontWeight.BOLD : FontWeight.NORMAL, 13);
            assertThat(font.getStyle()).isEqualTo(style);
            assertThat(IntStream.range(0, 10)
                            .mapToDouble(
                                    digit -> width(font, Integer.toString(digit).repeat(8)))
                            .distinct()
                            .count())
                    .isEqualTo(1);
        });
    }

    private static double width(Font font, String words) {
        var text = new Text(words);
        text.setFont(font);
        return text.getLayoutBounds().getWidth();
    }

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
        hand = new Hand(Theme.LIGHT);
        robot = hand.robot();
        sitting = hand.sitting();
        sitting.open(folder);
    }

    @AfterEach
    void close() {
        hand.close();
    }

    private RunState state() {
        return sitting.window().hls().model().runs().status().get().state();
    }

    private TableView<?> table() {
        return robot.lookup("#table").queryTableView();
    }

    private void runToTheEnd() throws TimeoutException {
        robot.clickOn("#run");
        Hand.until(() -> state() == RunState.COMPLETED);
        Hand.until(() -> !table().getItems().isEmpty());
    }

    @Test
    void onlyAWidthThatIsDraggedIsKept() throws Exception {
        runToTheEnd();
        var column = table().getColumns().get(1);
        Toolkit.run(() -> column.setPrefWidth(column.getWidth() + 30));
        WaitForAsyncUtils.waitForFxEvents();
        assertThat(sitting.settings().number("designs.dragged." + column.getId()))
                .isEmpty();

        Node header = robot.lookup((Node n) -> n instanceof TableColumnHeader h && h.getTableColumn() == column)
                .query();
        Bounds place = header.localToScreen(header.getBoundsInLocal());
        double before = column.getWidth();
        robot.drag(place.getMaxX() - 1, place.getCenterY(), MouseButton.PRIMARY)
                .moveBy(25, 0)
                .drop();
        WaitForAsyncUtils.waitForFxEvents();
        assertThat(column.getWidth()).isGreaterThan(before);
        assertThat(sitting.settings().number("designs.dragged." + column.getId()))
                .hasValue(column.getWidth());
    }

    @Test
    void runSelectPinFilterAndUndo() throws TimeoutException {
        runToTheEnd();
        int all = table().getItems().size();
        robot.clickOn(robot.lookup("#table").lookup(".table-row-cell").nth(0).<Node>query());
        Hand.until(
                () -> sitting.window().hls().model().results().selectedDesign().isPresent());

        robot.type(KeyCode.P);
        WaitForAsyncUtils.waitForFxEvents();
        assertThat(sitting.window().hls().model().results().pins()).hasSize(1);
        robot.press(KeyCode.CONTROL).type(KeyCode.Z).release(KeyCode.CONTROL);
        Hand.until(() -> sitting.window().hls().model().results().pins().isEmpty());

        robot.clickOn("#paretoOnly");
        Hand.until(() -> table().getItems().size() < all);
        robot.clickOn("#clear");
        Hand.until(() -> table().getItems().size() == all);
        robot.clickOn("#text").write("unroll walk=64");
        Hand.until(() -> table().getItems().size() < all);
        assertThat(robot.lookup("#text").<TextField>query().getText()).isEqualTo("unroll walk=64");
    }

    private List<MenuItem> designMenu() {
        return Window.getWindows().stream()
                .filter(w -> w instanceof ContextMenu c && "design-menu".equals(c.getId()))
                .flatMap(w -> ((ContextMenu) w).getItems().stream())
                .toList();
    }

    private void choose(String words) {
        hand.chord(KeyCode.SHIFT, KeyCode.F10);
        WaitForAsyncUtils.waitForFxEvents();
        MenuItem item = designMenu().stream()
                .filter(i -> words.equals(i.getText()))
                .map(i -> i instanceof Menu m ? m.getItems().getFirst() : i)
                .findFirst()
                .orElseThrow();
        assertThat(item.isDisable()).isFalse();
        robot.interact(() -> {
            item.fire();
            item.getParentPopup().hide();
        });
    }

    @Test
    void theMenuOfADesignComparesExcludesAndSearchesAndIsTakenBack() throws TimeoutException {
        runToTheEnd();
        var model = sitting.window().hls().model();
        var results = model.results();
        int number = IntStream.range(0, results.set().size())
                        .filter(i -> !results.set()
                                .get(i)
                                .configuration()
                                .equals(results.set().baseline().orElseThrow().configuration()))
                        .findFirst()
                        .orElseThrow()
                + 1;
        robot.interact(() -> results.select(number));
        choose("Compare other designs with this one");
        assertThat(results.pins()).containsExactly(number);
        assertThat(model.models().inspector().against().get()).isEqualTo(number);

        BigInteger all = model.workbench().get().orElseThrow().bench().space().size();
        for (String change : List.of("Exclude a value", "Search only similar designs")) {
            choose(change);
            Hand.until(() ->
                    model.workbench().get().orElseThrow().bench().space().size().compareTo(all) < 0);
            robot.press(KeyCode.CONTROL).type(KeyCode.Z).release(KeyCode.CONTROL);
            Hand.until(() ->
                    model.workbench().get().orElseThrow().bench().space().size().equals(all));
        }
        robot.press(KeyCode.CONTROL).type(KeyCode.Z).release(KeyCode.CONTROL);
        Hand.until(() -> results.pins().isEmpty());
    }

    @Test
    void aFileThatCannotBeReadIsReportedInTheWindowAndNothingIsLost() throws IOException, TimeoutException {
        runToTheEnd();
        Path broken = Files.writeString(
                folder.resolve("broken.cpp"), "void f(int a[4]) { for (int i = 0; i < 4; i++ { a[i] = 0; } }\n");
        sitting.act(w -> w.open(broken));
        Hand.until(() -> !sitting.window().messages().shown().isEmpty());
        assertThat(sitting.window().messages().shown().getFirst().text())
                .contains("broken.cpp:1:47: expected ')'")
                .doesNotContain("\\u000a");
        assertThat(sitting.window().hls().model().workbench().get()).isPresent();
        assertThat(table().getItems()).isNotEmpty();
    }

    @Test
    void commandsAreFoundByNameAFigureIsMaximisedAndAGoalSelects() throws TimeoutException {
        runToTheEnd();
        var results = sitting.window().hls().model().results();
        robot.press(KeyCode.CONTROL).type(KeyCode.K).release(KeyCode.CONTROL);
        robot.write("show the baseline").type(KeyCode.ENTER);
        Hand.until(() -> results.selected().get() == results.set().twin());

        robot.press(KeyCode.CONTROL).type(KeyCode.K).release(KeyCode.CONTROL);
        robot.write("maximise").type(KeyCode.ENTER);
        Hand.until(() -> robot.lookup("#maximised").tryQuery().isPresent());
        robot.type(KeyCode.F);
        Hand.until(() -> robot.lookup("#maximised").tryQuery().isEmpty());

        robot.type(KeyCode.G);
        robot.write("delay min").type(KeyCode.ENTER);
        Hand.until(() -> results.best().isPresent()
                && results.selected().get() == results.best().orElseThrow());
        robot.write("lux<3").type(KeyCode.ENTER);
        Hand.until(() -> robot.lookup("#problem").queryLabeled().getText().contains("'lux' is no metric"));
    }

    @Test
    void theKeyboardMarksTheAreaThatIsShownAndTheTitleIsTrue() throws TimeoutException {
        robot.press(KeyCode.CONTROL).type(KeyCode.DIGIT2).release(KeyCode.CONTROL);
        WaitForAsyncUtils.waitForFxEvents();
        assertThat(marked()).isEqualTo("GPU schedules");
        assertThat(WindowSnapshot.onScreen(() -> sitting.window().title().get()))
                .isEqualTo("Knobscape");
        robot.interact(() -> robot.lookup("#areaSwitch")
                .lookup(".toggle-button")
                .nth(1)
                .query()
                .requestFocus());
        robot.type(KeyCode.LEFT);
        WaitForAsyncUtils.waitForFxEvents();
        assertThat(marked()).isEqualTo("FPGA directives");
        assertThat(WindowSnapshot.onScreen(() -> sitting.window().title().get()))
                .isEqualTo("scale \u2013 Knobscape");
    }

    /// The first line in sight of the source, how far above the view it begins, in pixels.
    private double cut() {
        return WindowSnapshot.onScreen(() -> {
            CodeArea code = robot.lookup(".source-code").queryAs(CodeArea.class);
            return code.screenToLocal(code.getVisibleParagraphBoundsOnScreen(0)).getMinY();
        });
    }

    @Test
    void theFirstLineOfASourceIsWholeHoweverItIsScrolled() throws IOException, TimeoutException {
        var text = new StringBuilder(Files.readString(folder.resolve("scale.cpp")));
        for (int i = 0; i < 80; i++) {
            text.append("// line ").append(i).append('\n');
        }
        Files.writeString(folder.resolve("scale.cpp"), text.toString());
        sitting.open(folder);
        assertThat(cut()).isCloseTo(0, within(1.0));
        robot.moveTo(".source-code");
        for (int turn : new int[] {1, 3, 2, 60}) {
            CodeArea code = robot.lookup(".source-code").queryAs(CodeArea.class);
            int before = WindowSnapshot.onScreen(code::firstVisibleParToAllParIndex);
            robot.scroll(turn, javafx.geometry.VerticalDirection.DOWN);
            Hand.until(() -> code.firstVisibleParToAllParIndex() > before);
            sitting.act(w -> {});
            assertThat(cut()).as("after " + turn + " turns").isCloseTo(0, within(1.0));
        }
        // The end is reached, and its last line is whole as well.
        CodeArea code = robot.lookup(".source-code").queryAs(CodeArea.class);
        assertThat(WindowSnapshot.onScreen(code::lastVisibleParToAllParIndex))
                .isEqualTo(code.getParagraphs().size() - 1);
    }

    @Test
    void closingAsksForARunThatIsOnlyBeingSetUp() throws TimeoutException {
        sitting.act(w -> {
            w.hls().model().runs().start();
            assertThat(w.hls().model().runs().isStarting()).isTrue();
            w.requestClose();
            assertThat(w.root().lookup("#answer-background")).isNotNull();
        });
        robot.type(KeyCode.ESCAPE);
        Hand.until(() -> robot.lookup("#answer-background").tryQuery().isEmpty());
        Hand.until(() -> state() == RunState.COMPLETED);
        sitting.act(w -> {
            w.hls().model().runs().start();
            robot.press(KeyCode.CONTROL).type(KeyCode.W).release(KeyCode.CONTROL);
        });
        assertThat(sitting.window().hls().isOpen().get()).isTrue();
    }

    private String marked() {
        return robot.lookup("#areaSwitch").lookup(".toggle-button").queryAllAs(ToggleButton.class).stream()
                .filter(ToggleButton::isSelected)
                .map(ToggleButton::getAccessibleText)
                .collect(java.util.stream.Collectors.joining());
    }
}
