package knobscape.app.ui.hls.source;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;
import javafx.application.Platform;
import javafx.fxml.FXML;
import javafx.geometry.Bounds;
import javafx.geometry.Insets;
import javafx.geometry.Pos;
import javafx.scene.Node;
import javafx.scene.Parent;
import javafx.scene.control.Button;
import javafx.scene.control.ComboBox;
import javafx.scene.control.Label;
import javafx.scene.control.OverrunStyle;
import javafx.scene.control.TextField;
import javafx.scene.control.Tooltip;
import javafx.scene.input.KeyCode;
import javafx.scene.input.MouseEvent;
import javafx.scene.input.ScrollEvent;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Pane;
import javafx.scene.layout.StackPane;
import javafx.scene.shape.Rectangle;
import knobscape.app.ui.hls.source.SourceViewModel.AnnotatedPage;
import knobscape.app.ui.hls.source.SourceViewModel.Mark;
import knobscape.app.ui.hls.source.SourceViewModel.Page;
import knobscape.app.ui.view.Fxml;
import knobscape.app.ui.view.Nodes;
import org.fxmisc.flowless.VirtualizedScrollPane;
import org.fxmisc.richtext.CodeArea;
import org.fxmisc.richtext.model.StyleSpans;
import org.fxmisc.richtext.model.StyleSpansBuilder;
import org.kordamp.ikonli.javafx.FontIcon;

/// Shows the source with line numbers, colours and marks; a click on a mark, or on a line with one, selects
/// what stands there.
public final class SourceView {
    private static final String LINE_CLASS = "subject-line";
    private static final String BODY_CLASS = "subject-body";
    private static final String GHOST_CLASS = "ghost-line";

    private final SourceViewModel model;
    private final Parent root;
    private final CodeArea code = new CodeArea();
    private final Pane edges = new Pane();
    private boolean edgesAsked;
    /// Measures words in the style of what is known of a loop.
    private final Label ruler = new Label();
    /// Width of the column beside the code that holds the first words on every loop.
    private double column;
    /// Pixels that the wheel was turned beyond whole lines.
    private double turned;
    private Optional<AnnotatedPage> shown = Optional.empty();
    private int[] lit = {0, -1};

    @FXML
    private ComboBox<Page> files;

    @FXML
    private HBox findBar;

    @FXML
    private TextField find;

    @FXML
    private Label found;

    @FXML
    private Button closeFind;

    @FXML
    private StackPane body;

    /// @param model what to show
    public SourceView(SourceViewModel model) {
        this.model = model;
        this.root = Fxml.load("hls/source", this);
    }

    /// The view.
    public Parent root() {
        return root;
    }

    /// Opens the search field.
    public void openFind() {
        Nodes.show(findBar, true);
        find.requestFocus();
        find.selectAll();
    }

    /// True if the keyboard is here.
    public boolean hasFocus() {
        Node focus = root.getScene() == null ? null : root.getScene().getFocusOwner();
        while (focus != null && focus != root) {
            focus = focus.getParent();
        }
        return focus == root;
    }

    @FXML
    private void initialize() {
        code.setEditable(false);
        code.getStyleClass().add("source-code");
        code.setAccessibleText("Source of the kernel");
        code.setParagraphGraphicFactory(this::gutter);
        code.addEventHandler(MouseEvent.MOUSE_CLICKED, e -> {
            if (e.isStillSincePress() && code.getSelection().getLength() == 0) {
                model.selectLine(line(code.getCurrentParagraph()));
            }
        });
        code.setOnKeyPressed(e -> {
            if (e.getCode() == KeyCode.ENTER) {
                model.selectLine(line(code.getCurrentParagraph()));
                e.consume();
            }
        });
        code.addEventFilter(ScrollEvent.SCROLL, this::scroll);
        edges.setMouseTransparent(true);
        var clip = new Rectangle();
        clip.widthProperty().bind(edges.widthProperty());
        clip.heightProperty().bind(edges.heightProperty());
        edges.setClip(clip);
        code.viewportDirtyEvents().subscribe(e -> askEdges());
        edges.widthProperty().addListener((o, was, is) -> askEdges());
        ruler.getStyleClass().add("source-edge");
        ruler.setManaged(false);
        ruler.setOpacity(0);
        body.getChildren().addAll(new VirtualizedScrollPane<>(code), edges, ruler);
        Nodes.words(files, p -> SourceViewModel.fileName(p.name()));
        files.setOnAction(e -> {
            if (files.getValue() != null) {
                model.page().set(Optional.of(files.getValue()));
            }
        });
        model.pages().addListener((o, was, is) -> showFiles(is));
        model.page().addListener((o, was, is) -> is.ifPresent(files::setValue));
        model.woven().addListener((o, was, is) -> show(is));
        model.selected().addListener((o, was, is) -> light(true));
        Nodes.show(findBar, false);
        find.textProperty().addListener((o, was, is) -> search(0, 1));
        find.setOnKeyPressed(e -> {
            if (e.getCode() == KeyCode.ESCAPE) {
                close();
                e.consume();
            } else if (e.getCode() == KeyCode.ENTER) {
                search(
                        e.isShiftDown()
                                ? code.getSelection().getStart() - 1
                                : code.getSelection().getEnd(),
                        e.isShiftDown() ? -1 : 1);
                e.consume();
            }
        });
        closeFind.setOnAction(e -> close());
        showFiles(model.pages().get());
        show(model.woven().get());
    }

    /// The line of the file that a paragraph shows, 0 for a pragma of the design.
    private int line(int paragraph) {
        return shown.filter(w -> paragraph < w.lineOf().length)
                .map(w -> w.lineOf()[paragraph])
                .orElse(paragraph + 1);
    }

    /// The first line of the file in sight, whatever stands above it.
    private int topLine() {
        int last = code.lastVisibleParToAllParIndex();
        for (int p = code.firstVisibleParToAllParIndex(); p <= last; p++) {
            if (line(p) > 0) {
                return line(p);
            }
        }
        return 1;
    }

    /// Height of a line; all have the same. 0 where none is shown.
    private double lineHeight() {
        boolean seen = code.getScene() != null && code.getScene().getWindow() != null;
        return !seen || code.getVisibleParagraphs().isEmpty()
                ? 0
                : code.getVisibleParagraphBoundsOnScreen(0).getHeight();
    }

    /// Lets whole lines stand in the view: what room is left goes below the last one, and the first one is never cut.
    private void align() {
        double line = lineHeight();
        if (line <= 0) {
            return;
        }
        double rest = Math.floor(code.getHeight() % line);
        if (Math.abs(code.getPadding().getBottom() - rest) >= 1
                || code.getPadding().getRight() != column) {
            code.setPadding(new Insets(0, column, rest, 0));
        }
        double off =
                code.screenToLocal(code.getVisibleParagraphBoundsOnScreen(0)).getMinY() % line;
        if (Math.abs(off) >= 1 && line - Math.abs(off) >= 1) {
            code.scrollYBy(Math.abs(off) < line / 2 ? off : off + Math.copySign(line, -off));
        }
    }

    /// Scrolls by whole lines.
    private void scroll(ScrollEvent e) {
        double line = lineHeight();
        if (line > 0 && e.getDeltaY() != 0 && !e.isControlDown()) {
            turned -= e.getDeltaY();
            double lines = Math.copySign(Math.floor(Math.abs(turned) / line), turned);
            turned -= lines * line;
            code.scrollYBy(lines * line);
            e.consume();
        }
    }

    /// Places the edges once what changes now has changed: a text that is shown makes the viewport dirty many times.
    private void askEdges() {
        if (!edgesAsked) {
            edgesAsked = true;
            Platform.runLater(() -> {
                edgesAsked = false;
                column = firstWords();
                align();
                placeEdges();
            });
        }
    }

    /// Width that the first words on every loop of the page take.
    private double firstWords() {
        return shown.stream()
                .flatMap(w -> w.edges().values().stream())
                .mapToDouble(e -> {
                    ruler.setText(e.words().split(SourceOverlay.BETWEEN, 2)[0]);
                    return Math.ceil(ruler.prefWidth(-1));
                })
                .max()
                .orElse(0);
    }

    /// Puts what is known of each loop in sight at the right edge of its line, beside the code.
    private void placeEdges() {
        if (shown.isEmpty() || shown.get().edges().isEmpty() || code.getScene() == null) {
            edges.getChildren().clear();
            return;
        }
        var kept = new HashMap<SourceOverlay.Edge, Label>();
        edges.getChildren().forEach(n -> kept.put((SourceOverlay.Edge) n.getUserData(), (Label) n));
        var placed = new ArrayList<Label>();
        double right =
                edges.sceneToLocal(code.localToScene(code.getLayoutBounds())).getMaxX();
        int visible = code.getVisibleParagraphs().size();
        for (int v = 0; v < visible; v++) {
            SourceOverlay.Edge edge = shown.get().edges().get(line(code.visibleParToAllParIndex(v)));
            if (edge != null) {
                Bounds at = edges.screenToLocal(code.getVisibleParagraphBoundsOnScreen(v));
                Label words = kept.remove(edge);
                if (words == null) {
                    words = edgeLabel(edge);
                    edges.getChildren().add(words);
                    words.applyCss();
                }
                placed.add(words);
                double width = fit(words, edge, Math.max(column, right - end(code.visibleParToAllParIndex(v))));
                words.resizeRelocate(right - width, at.getMinY(), width, at.getHeight());
            }
        }
        edges.getChildren().retainAll(placed);
    }

    /// Where the text of a line in sight ends, in the coordinates of the edges.
    private double end(int paragraph) {
        int length = code.getParagraphLength(paragraph);
        int at = code.getAbsolutePosition(paragraph, length);
        return length == 0
                ? 0
                : code.getCharacterBoundsOnScreen(at - 1, at)
                        .map(b -> edges.screenToLocal(b).getMaxX())
                        .orElse(Double.POSITIVE_INFINITY);
    }

    /// Says as many parts as there is room for, the first one in any case; gives the width that takes.
    private static double fit(Label words, SourceOverlay.Edge edge, double room) {
        words.setText(edge.words());
        while (words.prefWidth(-1) > room && words.getText().contains(SourceOverlay.BETWEEN)) {
            words.setText(words.getText().substring(0, words.getText().lastIndexOf(SourceOverlay.BETWEEN)));
        }
        return Math.min(Math.ceil(words.prefWidth(-1)), room);
    }

    private static Label edgeLabel(SourceOverlay.Edge edge) {
        var words = new Label(edge.words());
        words.setUserData(edge);
        words.setTextOverrun(OverrunStyle.CENTER_ELLIPSIS);
        words.setAccessibleText(edge.whole());
        words.getStyleClass().add("source-edge");
        if (edge.limited()) {
            words.getStyleClass().add("source-edge-limited");
        }
        return words;
    }

    private void close() {
        Nodes.show(findBar, false);
        code.requestFocus();
    }

    private void search(int from, int direction) {
        String word = find.getText().toLowerCase(java.util.Locale.ROOT);
        String text = code.getText().toLowerCase(java.util.Locale.ROOT);
        if (word.isEmpty()) {
            found.setText("");
            return;
        }
        int at = direction > 0 ? text.indexOf(word, from) : from < 0 ? -1 : text.lastIndexOf(word, from);
        if (at < 0) {
            at = direction > 0 ? text.indexOf(word) : text.lastIndexOf(word);
        }
        found.setText(at < 0 ? "Not found" : "");
        if (at >= 0) {
            code.selectRange(at, at + word.length());
            code.requestFollowCaret();
        }
    }

    private void showFiles(List<Page> pages) {
        files.getItems().setAll(pages);
        Nodes.show(files, pages.size() > 1);
        model.page().get().ifPresent(files::setValue);
    }

    private void show(Optional<AnnotatedPage> woven) {
        boolean same =
                woven.map(w -> w.page().name()).equals(shown.map(w -> w.page().name()));
        boolean sameText = same
                && woven.map(w -> w.page().text())
                        .equals(shown.map(w -> w.page().text()));
        int top = same && !code.getVisibleParagraphs().isEmpty() ? topLine() : 1;
        shown = woven;
        if (!sameText) {
            lit = new int[] {0, -1};
            code.clear();
            woven.ifPresent(w -> {
                Page p = w.page();
                code.replaceText(p.text());
                if (!p.text().isEmpty()) {
                    code.setStyleSpans(0, spans(p));
                }
                for (int i = 0; i < w.lineOf().length; i++) {
                    if (w.lineOf()[i] == 0) {
                        code.setParagraphStyle(i, List.of(GHOST_CLASS));
                    }
                }
                code.setParagraphGraphicFactory(this::gutter);
                code.moveTo(0);
                code.showParagraphAtTop(top <= 1 ? 0 : paragraph(top));
            });
            light(!same);
        }
        askEdges();
    }

    private static StyleSpans<Collection<String>> spans(Page page) {
        var builder = new StyleSpansBuilder<Collection<String>>();
        int at = 0;
        for (CppHighlighter.Token t : page.tokens()) {
            builder.add(Collections.emptyList(), t.start() - at);
            builder.add(List.of(t.kind().styleClass()), t.length());
            at = t.start() + t.length();
        }
        builder.add(Collections.emptyList(), page.text().length() - at);
        return builder.create();
    }

    private Node gutter(int paragraph) {
        int line = line(paragraph);
        var number = new Label(line == 0 ? "" : Integer.toString(line));
        number.getStyleClass().add("line-number");
        number.setAlignment(Pos.CENTER_RIGHT);
        List<Mark> marks = model.page()
                .get()
                .map(p -> p.marks().getOrDefault(line, List.of()))
                .orElse(List.of());
        var icon = new Label();
        icon.getStyleClass().add("gutter-mark");
        if (!marks.isEmpty()) {
            boolean loop = marks.getFirst().subject().kind() == SourceElement.Kind.LOOP;
            icon.setGraphic(new FontIcon(loop ? "mdi2s-sync" : "mdi2g-grid"));
            icon.getStyleClass().add(loop ? "gutter-loop" : "gutter-array");
            String words = String.join("\n", marks.stream().map(Mark::words).toList());
            icon.setTooltip(new Tooltip(words));
            icon.setAccessibleText(words);
            icon.setOnMouseClicked(e -> {
                model.selectLine(line);
                e.consume();
            });
        }
        var box = new HBox(number, icon);
        box.getStyleClass().add("gutter");
        return box;
    }

    private int paragraph(int line) {
        return shown.map(w -> w.paragraph(line)).orElse(line - 1);
    }

    /// Lights the lines of what is selected.
    private void light(boolean scroll) {
        for (int p = lit[0]; p <= lit[1] && p < code.getParagraphs().size(); p++) {
            code.setParagraphStyle(p, line(p) == 0 ? List.of(GHOST_CLASS) : Collections.emptyList());
        }
        lit = new int[] {0, -1};
        Optional<int[]> lines = model.selected().get().flatMap(model::lines);
        if (lines.isEmpty() || code.getText().isEmpty()) {
            return;
        }
        int most = code.getParagraphs().size() - 1;
        int first = Math.clamp(paragraph(lines.get()[0]), 0, most);
        int last = Math.clamp(paragraph(lines.get()[1]), first, most);
        lit = new int[] {first, last};
        for (int p = first; p <= last; p++) {
            code.setParagraphStyle(
                    p, line(p) == 0 ? List.of(GHOST_CLASS) : List.of(p == first ? LINE_CLASS : BODY_CLASS));
        }
        if (scroll) {
            code.showParagraphRegion(first, new javafx.geometry.BoundingBox(0, 0, 1, 16));
        }
    }
}
