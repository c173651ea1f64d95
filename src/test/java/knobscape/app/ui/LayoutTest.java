package knobscape.app.ui;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.TimeoutException;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;
import javafx.geometry.BoundingBox;
import javafx.geometry.Bounds;
import javafx.scene.Node;
import javafx.scene.Parent;
import javafx.scene.control.Button;
import javafx.scene.control.Labeled;
import javafx.scene.control.MenuButton;
import javafx.scene.control.ScrollPane;
import javafx.scene.control.TextInputControl;
import javafx.scene.control.ToggleButton;
import javafx.scene.input.KeyCode;
import javafx.scene.layout.Pane;
import javafx.scene.layout.Region;
import javafx.scene.layout.StackPane;
import javafx.scene.text.Text;
import knobscape.app.ui.designs.Results;
import knobscape.app.ui.run.RunState;
import knobscape.app.ui.theme.Theme;
import knobscape.evaluate.Outcome;
import knobscape.hls.HlsSettings;
import knobscape.network.onnx.OpenNetwork;
import knobscape.work.RunSettings;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Nothing that a person reads or clicks is cut, covered or pushed out of the window: at every size and size of text,
/// with names as long as real ones are.
@Tag("slow")
class LayoutTest {
    private static final int[][] SIZES = {{1000, 700}, {1280, 800}, {1440, 900}, {1920, 1080}};
    private static final String LARGE = "-fx-font-size: 18px;";

    private static final double SLACK = 1.5;

    @TempDir
    private Path folder;

    private Hand hand;
    /// Where each was seen first.
    private final Map<String, String> faults = new LinkedHashMap<>();
    private int seen;

    @BeforeEach
    void open() {
        hand = new Hand(Theme.LIGHT);
    }

    @AfterEach
    void close() {
        hand.close();
    }

    /// Looks at a state at every size, with usual text and with text of 150 %.
    private void look(String state) {
        look(state, SIZES.length);
    }

    /// Looks at a state of a part of the window at the sizes at which it is narrowest.
    private void glance(String state) {
        look(state, 2);
    }

    /// Turns to a tab by its words, where it is there, and looks at what is behind it.
    private void glanceAtTabs(String... tabs) {
        for (String tab : tabs) {
            hand.sitting()
                    .act(w -> w.root().lookupAll(".toggle-button").stream()
                            .map(ToggleButton.class::cast)
                            .filter(b -> tab.equals(b.getText()))
                            .forEach(b -> b.setSelected(true)));
            glance(tab);
        }
    }

    /// Every figure behind the tabs in the middle.
    private void glanceAtFigures() {
        List<String> tabs =
                WindowSnapshot.onScreen(() -> hand.window().root().lookupAll(".figure-tabs .tab-button").stream()
                        .map(n -> ((ToggleButton) n).getText())
                        .distinct()
                        .toList());
        assertThat(tabs).isNotEmpty();
        for (String tab : tabs) {
            hand.turn(tab);
            List<String> figures =
                    WindowSnapshot.onScreen(() -> hand.window().root().lookupAll(".figure-choice .segment").stream()
                            .filter(n -> n.isManaged() && n.getScene() != null)
                            .map(n -> ((ToggleButton) n).getText())
                            .distinct()
                            .toList());
            glance("figures " + tab);
            for (String figure : figures) {
                hand.turn(figure);
                glance("figure " + figure);
            }
        }
    }

    private void look(String state, int sizes) {
        for (String style : List.of("", LARGE)) {
            for (int[] size : List.of(SIZES).subList(0, sizes)) {
                Parent root = resized(style, size);
                // What is placed once the new size is known is placed by now.
                WindowSnapshot.onScreen(() -> {
                    root.applyCss();
                    root.layout();
                    String where = state + ", " + size[0] + " x " + size[1] + (style.isEmpty() ? ": " : ", large: ");
                    check(root, new BoundingBox(0, 0, size[0], size[1]), where);
                    return root;
                });
            }
        }
        resized("", SIZES[0]);
    }

    private Parent resized(String style, int[] size) {
        return WindowSnapshot.onScreen(() -> {
            Parent root = hand.window().root();
            root.setStyle(style);
            root.resizeRelocate(0, 0, size[0], size[1]);
            for (int pass = 0; pass < 2; pass++) {
                root.applyCss();
                root.layout();
            }
            return root;
        });
    }

    private void check(Node node, Bounds viewport, String where) {
        if (!node.isVisible() || (node instanceof Region r && (r.getWidth() <= 0 || r.getHeight() <= 0))) {
            return;
        }
        Bounds own = inWindow(node);
        if (isRead(node)) {
            seen++;
            inside(node, own, viewport, where);
            whole(node, where);
        }
        if (node.getStyleClass().contains("source-code") && node instanceof Parent code) {
            besideTheCode(code, where);
        }
        if (node instanceof ScrollPane s) {
            if (s.getContent() != null) {
                // What lies below can be scrolled to; what lies beside it only with a bar.
                Bounds port = inWindow(s.lookup(".viewport") == null ? s : s.lookup(".viewport"));
                boolean scrolls = s.getHbarPolicy() != ScrollPane.ScrollBarPolicy.NEVER;
                check(s.getContent(), endless(port, scrolls), where);
            }
        } else if (!(node instanceof Labeled)
                && !(node instanceof TextInputControl)
                && !isVirtual(node)
                && node instanceof Parent p) {
            apart(p, where);
            p.getChildrenUnmodifiable().forEach(c -> check(c, viewport, where));
        }
    }

    /// What is known of a loop stands beside the text of its line, or beside what can be seen of it.
    private void besideTheCode(Parent code, String where) {
        double edge = code.lookupAll(".virtual-flow").stream()
                .mapToDouble(f -> inWindow(f).getMaxX())
                .min()
                .orElse(Double.POSITIVE_INFINITY);
        for (Node label : code.getScene().getRoot().lookupAll(".source-edge")) {
            Bounds at = inWindow(label);
            code.lookupAll(".text").stream()
                    .map(this::inWindow)
                    .filter(t -> t.getMinY() < at.getCenterY() && t.getMaxY() > at.getCenterY())
                    .filter(t -> Math.min(edge, t.getMaxX()) > at.getMinX() + SLACK && t.getMinX() < at.getMaxX())
                    .forEach(t -> fault(
                            where, label, " covers code from " + at.getMinX() + ", which ends at " + t.getMaxX()));
        }
    }

    /// Rows of a table or list are cut at its edge, and its columns are dragged by hand.
    private static boolean isVirtual(Node node) {
        return List.of("table-view", "list-view", "tree-view", "tree-table-view", "virtual-flow", "headline-figures")
                .stream()
                .anyMatch(node.getStyleClass()::contains);
    }

    private static Bounds endless(Bounds port, boolean sideways) {
        return new BoundingBox(sideways ? -1e6 : port.getMinX(), -1e6, sideways ? 2e6 : port.getWidth(), 2e6);
    }

    private static boolean isRead(Node node) {
        return (node instanceof Labeled l
                        && (l.getGraphic() != null
                                || (l.getText() != null && !l.getText().isEmpty())))
                || node instanceof TextInputControl;
    }

    private Bounds inWindow(Node node) {
        return hand.window().root().sceneToLocal(node.localToScene(node.getLayoutBounds()));
    }

    private void inside(Node node, Bounds own, Bounds viewport, String where) {
        if (own.getMinX() < viewport.getMinX() - SLACK
                || own.getMaxX() > viewport.getMaxX() + SLACK
                || own.getMinY() < viewport.getMinY() - SLACK
                || own.getMaxY() > viewport.getMaxY() + SLACK) {
            fault(
                    where,
                    node,
                    " is outside, " + own.getMinX() + " to " + own.getMaxX() + " of "
                            + viewport.getMinX() + " to " + viewport.getMaxX() + " across, " + own.getMinY() + " to "
                            + own.getMaxY() + " of " + viewport.getMinY() + " to " + viewport.getMaxY() + " down");
        }
    }

    /// Values and what is clicked are never shortened. Names are, but not beside free room.
    private void whole(Node node, String where) {
        if (!(node instanceof Labeled l) || l.getText() == null || !(l.lookup(".text") instanceof Text shown)) {
            return;
        }
        if (plain(shown.getText()).equals(plain(l.getText()))) {
            return;
        }
        if (isValue(l) || l instanceof Button || l instanceof ToggleButton || l instanceof MenuButton) {
            fault(where, l, " is shown as '" + shown.getText() + "'");
        } else if (free(l) > l.prefWidth(-1) - l.getWidth()) {
            fault(where, l, " is shown as '" + shown.getText() + "' beside " + free(l) + " free pixels");
        }
    }

    /// Room in the same row that no other node has.
    private static double free(Labeled l) {
        if (!(l.getParent() instanceof javafx.scene.layout.HBox row) || l.isWrapText()) {
            return 0;
        }
        List<Node> shown = row.getChildren().stream().filter(Node::isManaged).toList();
        double taken =
                shown.stream().mapToDouble(n -> n.getLayoutBounds().getWidth()).sum();
        return row.getWidth()
                - row.getInsets().getLeft()
                - row.getInsets().getRight()
                - row.getSpacing() * (shown.size() - 1)
                - taken;
    }

    private static String plain(String text) {
        return text.replaceAll("[\\s_]", "");
    }

    private static boolean isValue(Labeled label) {
        return label.getStyleClass().stream()
                .filter(c -> !label.getParent().getStyleClass().contains("breadcrumb"))
                .anyMatch(List.of("figure", "emphasis", "better", "worse", "headline-value")::contains);
    }

    /// Siblings of a row, column or grid do not lie on one another.
    private void apart(Parent parent, String where) {
        if (!(parent instanceof Pane) || parent instanceof StackPane || parent.getClass() == Pane.class) {
            return;
        }
        List<Node> shown = parent.getChildrenUnmodifiable().stream()
                .filter(n -> n.isManaged() && n.isVisible() && isRead(n))
                .toList();
        for (int i = 0; i < shown.size(); i++) {
            for (int j = i + 1; j < shown.size(); j++) {
                Bounds a = shown.get(i).getBoundsInParent();
                Bounds b = shown.get(j).getBoundsInParent();
                double across = Math.min(a.getMaxX(), b.getMaxX()) - Math.max(a.getMinX(), b.getMinX());
                double down = Math.min(a.getMaxY(), b.getMaxY()) - Math.max(a.getMinY(), b.getMinY());
                if (across > SLACK && down > SLACK) {
                    fault(where, shown.get(i), " and " + words(shown.get(j)) + " overlap by " + across + " x " + down);
                }
            }
        }
    }

    private void fault(String where, Node node, String what) {
        faults.putIfAbsent(words(node), where + what);
    }

    private static String words(Node node) {
        String kind = node.getClass().getSimpleName() + " " + node.getStyleClass();
        var path = new StringBuilder();
        for (Node n = node.getParent(); n != null && path.length() < 120; n = n.getParent()) {
            path.append(" < ")
                    .append(n.getId() != null ? "#" + n.getId() : n.getClass().getSimpleName() + n.getStyleClass());
        }
        return (node instanceof Labeled l ? "'" + l.getText() + "' " : "") + kind + path;
    }

    private void nothingIsWrong() {
        assertThat(seen).isPositive();
        assertThat(faults.entrySet().stream()
                        .map(f -> "\n" + f.getKey() + ": " + f.getValue())
                        .toList())
                .isEmpty();
    }

    private static final String LONG = "accumulate_weighted_neighbourhood_gradients";

    /// A kernel with long names whose designs are slow and large, and partly do not fit.
    private Path kernel() throws IOException {
        Files.writeString(folder.resolve("long.cpp"), """
            template <typename T, int ROWS> void %1$s(const T a[ROWS], const T b[ROWS], T c[ROWS]) {
            initialise_accumulators_of_every_row:
              for (int r = 0; r < 40000; r++)
            middle:
                for (int k = 0; k < 30000; k++)
            multiply_and_accumulate_neighbourhood:
                  for (int i = 0; i < ROWS; i++) {
                    c[i] += a[i] / b[i] * r + b[i] / (a[i] + k) + a[i] / (b[i] + r) + b[i] / (a[i] + r)
                        + a[i] / (b[i] + k) + r / (a[i] + 1) + k / (b[i] + 1);
                  }
            }
            void top(const double gradients_of_the_neighbourhood[65536], const double b[65536], double c[65536]) {
              %1$s<double, 65536>(gradients_of_the_neighbourhood, b, c);
            }
            """.formatted(LONG));
        Files.writeString(folder.resolve("knobscape.json"), """
            {"formatVersion": 1, "name": "%s", "kind": "hls", "source": "long.cpp", "top": "top",
             "part": "xc7z020-1", "run": {"method": "random", "steps": 30, "earlyStop": 0}}
            """.formatted(LONG));
        return folder;
    }

    @Test
    void kernelsWithLongNamesBeforeAndAfterARun() throws IOException, TimeoutException {
        look("start page");
        hand.chord(KeyCode.CONTROL, KeyCode.K);
        hand.robot().write("First steps").type(KeyCode.ENTER);
        Hand.until(() -> hand.robot().lookup("#firstSteps").tryQuery().isPresent());
        look("first steps");
        hand.robot().type(KeyCode.ESCAPE);
        hand.sitting().open(kernel());
        look("own kernel");
        hasWidths(width -> 0.55 * width);
        hand.sitting().act(w -> ((Button) w.root().lookup("#firstSettings")).fire());
        look("settings of the first run");
        hand.sitting().act(w -> ((ToggleButton) w.root().lookup("#further")).fire());
        look("all settings of the first run");
        assertThat(hand.robot().lookup("#methods").lookup(".list-cell").<Labeled>queryAll())
                .as("the methods of papers beside it leave the one chosen")
                .extracting(Labeled::getText)
                .contains("Random search");
        hand.sitting().act(w -> ((Button) w.root().lookup("#firstSettings")).fire());
        var model = hand.window().hls().model();
        hand.sitting().act(w -> model.runs().start());
        Hand.until(() -> model.runs().status().get().state() == RunState.COMPLETED);
        hand.sitting().act(w -> {});
        look("run");
        hasWidths(width -> Math.clamp(width * 0.28, 320, 480));
        OptionalInt unfit = IntStream.range(0, model.results().set().size())
                .filter(i -> model.results().set().get(i).evaluations().stream()
                        .anyMatch(e -> !(e.outcome() instanceof Outcome.Measured)))
                .findFirst();
        hand.sitting().act(w -> model.results().select(unfit.orElseThrow() + 1));
        look("a design that does not fit");
        hand.sitting()
                .act(w -> w.root().lookupAll(".tab-button").stream()
                        .map(ToggleButton.class::cast)
                        .filter(b -> b.getText().equals("Report"))
                        .forEach(b -> b.setSelected(true)));
        Hand.until(() -> hand.robot().lookup(".report-grid").tryQuery().isPresent());
        look("report of a design");
        glanceAtTabs("Source", "Knobs", "Stages", "Why", "Progress", "Parallel coordinates");
        compared(model.results());
        hand.sitting().act(w -> ((Button) w.root().lookup("#settings")).fire());
        hand.sitting().act(w -> {
            model.runs().form().text(RunSettings.STEPS).set("many");
            model.runs().form().text(HlsSettings.PART).set("a_part_that_nobody_makes");
            model.runs().form().isRight();
        });
        look("settings of the next run");
        nothingIsWrong();
    }

    /// What lies over the window, with a network of a long name that leaves its sizes open.
    @Test
    void questionsAndPagesOverTheWindow() throws IOException, TimeoutException {
        for (KeyCode key : new KeyCode[] {KeyCode.K, KeyCode.F1}) {
            if (key == KeyCode.K) {
                hand.chord(KeyCode.CONTROL, key);
            } else {
                hand.robot().type(key);
            }
            glance("page of " + key);
            hand.robot().type(KeyCode.ESCAPE);
        }
        Path network = OpenNetwork.write(folder.resolve(LONG + "_of_a_segmentation_network.onnx"));
        hand.sitting().act(w -> w.open(network));
        look("question");
        hand.robot().clickOn("#answer-fusion");
        Hand.until(() -> hand.robot().lookup("#answer-open").tryQuery().isPresent());
        look("sizes of a network");
        hand.robot().write("none");
        look("wrong sizes of a network");
        hand.robot().type(KeyCode.ESCAPE);
        Hand.until(() -> hand.robot().lookup("Give them").tryQuery().isPresent());
        look("message");
        nothingIsWrong();
    }

    @Test
    void schedulesOfANetwork() throws IOException, TimeoutException {
        Files.writeString(folder.resolve("knobscape.json"), """
            {"formatVersion": 1, "kind": "gpu", "source": "zoo:squeezenet_v1.1", "batch": 64, "device": "model:t4", "run": {"method": "random", "trials": 20, "seed": 9}}
            """);
        hand.sitting().open(folder);
        var model = hand.window().gpu().model();
        Hand.until(
                () -> !hand.robot().lookup("#tasks").queryTableView().getItems().isEmpty());
        hand.sitting().act(w -> model.tune());
        Hand.until(() -> model.runs().status().get().state() == RunState.COMPLETED);
        hand.sitting().act(w -> {});
        look("schedules");
        hasWidths(width -> 320);
        glanceAtTabs("Designs", "History", "Design", "Schedule", "Tasks", "Graph");
        glanceAtFigures();
        hand.sitting().act(w -> ((Button) w.root().lookup("#settings")).fire());
        glance("settings of the next tuning");
        nothingIsWrong();
    }

    @Test
    void fusionOfANetwork() throws TimeoutException {
        hand.openNetwork("zoo:mobilenet_v2", "fusion");
        var model = hand.window().fusion().model();
        Hand.until(() -> model.report().get().isPresent());
        hand.sitting()
                .act(w -> model.setStrategy(
                        "64^" + (model.report().get().orElseThrow().strategy().layers() + 1)));
        look("fusion");
        glanceAtTabs("Chain", "Paper", "Accelerator");
        glanceAtFigures();
        hand.sitting().act(w -> ((Button) w.root().lookup("#settings")).fire());
        glance("settings of the next search");
        nothingIsWrong();
    }

    @Test
    void aStudy() {
        hand.sitting().open(Path.of("sample-projects/study_compiler/product.study.yaml"));
        look("study");
        nothingIsWrong();
    }

    /// A program of one's own may call what it measures as it likes.
    @Test
    void aStudyWithLongNamesBeforeAndAfterARun() throws IOException, TimeoutException {
        Files.writeString(folder.resolve("run.sh"), """
            echo "{\\"validation_loss_of_the_last_epoch_averaged_over_all_folds\\": $(($1 + $2)),"\\
              "\\"seconds_from_the_first_request_to_the_last_answer_of_the_run\\": $((100 - $1 * $2)),"\\
              "\\"largest_resident_memory_of_all_worker_processes_together\\": $((5000 + $1))}"
            """);
        Files.writeString(folder.resolve("long.study.yaml"), """
            study: 1
            parameters:
              number_of_threads_that_read_the_training_examples: {from: 1, to: 12, default: 1}
              rows_of_a_chunk_handed_to_one_worker_process: [1, 2, 4, 8, 16]
            objectives:
              validation_loss_of_the_last_epoch_averaged_over_all_folds: {goal: minimise}
              seconds_from_the_first_request_to_the_last_answer_of_the_run: {goal: minimise, unit: s}
              largest_resident_memory_of_all_worker_processes_together: {goal: minimise, unit: MB}
            measure:
              command:
                [sh, run.sh, "{number_of_threads_that_read_the_training_examples}", "{rows_of_a_chunk_handed_to_one_worker_process}"]
            run: {method: random, trials: 20, seed: 3}
            """);
        hand.sitting().open(folder.resolve("long.study.yaml"));
        glance("study with long names");
        var model = hand.window().study().model();
        hand.chord(KeyCode.CONTROL, KeyCode.R);
        Hand.until(() -> hand.robot().lookup("Start it").tryQuery().isPresent());
        hand.robot().clickOn("Start it");
        Hand.until(() -> model.runs().status().get().state() == RunState.COMPLETED);
        hand.sitting().act(w -> model.results().select(3));
        Hand.until(() -> hand.robot().lookup(".importance-bar").tryQuery().isPresent());
        look("measured study with long names");
        glanceAtTabs("Parameters", "File", "Progress", "Runs", "Hypervolume", "Parallel coordinates", "Why", "Knobs");
        compared(model.results());
        hand.sitting().act(w -> ((Button) w.root().lookup("#settings")).fire());
        glance("settings of the next study");
        nothingIsWrong();
    }

    /// The drawer with four designs side by side.
    private void compared(Results results) {
        hand.sitting()
                .act(w -> IntStream.rangeClosed(1, 4)
                        .filter(n -> n <= results.set().size())
                        .forEach(results::togglePin));
        hand.chord(KeyCode.CONTROL, KeyCode.K);
        hand.robot().write("Pinned designs side by side").type(KeyCode.ENTER);
        hand.sitting().act(w -> {});
        glance("four designs side by side");
        hand.robot().type(KeyCode.ESCAPE);
        assertThat(hand.robot().lookup(".compare-drawer").query().isVisible()).isFalse();
    }

    /// The left place has its width again when a narrow window is widened.
    private void hasWidths(IntToDoubleFunction expected) {
        for (int width : new int[] {1280, 1000, 1920, 1280}) {
            WindowSnapshot.onScreen(() -> {
                Parent root = hand.window().root();
                root.resizeRelocate(0, 0, width, 800);
                root.layout();
                assertThat(((Region) root.lookup(".place-left")).getWidth())
                        .as("left at " + width)
                        .isCloseTo(expected.applyAsDouble(width), Offset.offset(8.0));
                return root;
            });
        }
    }
}
