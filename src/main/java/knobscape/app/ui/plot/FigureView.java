package knobscape.app.ui.plot;

import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.IntConsumer;
import javafx.beans.value.ObservableValue;
import javafx.scene.AccessibleRole;
import javafx.scene.Cursor;
import javafx.scene.control.Label;
import javafx.scene.input.MouseEvent;
import javafx.scene.layout.FlowPane;
import javafx.scene.layout.Priority;
import javafx.scene.layout.Region;
import javafx.scene.layout.StackPane;
import javafx.scene.layout.VBox;

/// Shows a [Figure], drawn away from the screen, with its legend and caption; says what is under the mouse; a click chooses it.
public final class FigureView extends VBox {
    private static final double OFFSET = 14;

    /// What there is to show.
    ///
    /// @param figure makes the figure, away from the screen; empty where there is none yet
    /// @param reason why there is none, or empty
    public record Content(Optional<Callable<Figure>> figure, String reason) {
        /// A figure.
        public static Content of(Callable<Figure> figure) {
            return new Content(Optional.of(figure), "");
        }

        /// Words instead of a figure.
        public static Content empty(String reason) {
            return new Content(Optional.empty(), reason);
        }
    }

    private final PlotContext context;
    private final String name;
    private final ObservableValue<Content> content;
    private final IntConsumer choose;
    private final ImagePane<FigureFrame> pane;
    private final FlowPane legend = new FlowPane();
    private final Label empty = new Label();
    private final Label caption = new Label();
    private final Label tip = new Label();
    private java.util.List<Figure.Key> shownLegend = java.util.List.of();

    /// @param context what plots need
    /// @param name of the figure, for screen readers
    /// @param content what to show; followed
    /// @param choose takes the key of what is clicked
    public FigureView(PlotContext context, String name, ObservableValue<Content> content, IntConsumer choose) {
        this.context = context;
        this.name = name;
        this.content = content;
        this.choose = choose;
        this.pane = new ImagePane<>(context.background(), this::prepare, FigureFrame::frame, () -> { }, context.failed());
        legend.getStyleClass().add("legend");
        empty.getStyleClass().add("empty-note");
        empty.setWrapText(true);
        empty.setMouseTransparent(true);
        caption.getStyleClass().addAll("secondary", "plot-caption");
        caption.setMinWidth(0);
        caption.setWrapText(true);
        caption.setMinHeight(Region.USE_PREF_SIZE);
        tip.getStyleClass().add("plot-tooltip");
        tip.setManaged(false);
        tip.setVisible(false);
        tip.setMouseTransparent(true);
        var stack = new StackPane(pane, empty, tip);
        stack.setMinSize(0, 0);
        VBox.setVgrow(stack, Priority.ALWAYS);
        getChildren().addAll(legend, stack, caption);
        setMinSize(0, 0);
        getStyleClass().add("plot");
        setAccessibleRole(AccessibleRole.IMAGE_VIEW);
        stack.addEventHandler(MouseEvent.MOUSE_MOVED, e -> hover(stack, e.getX(), e.getY()));
        stack.addEventHandler(MouseEvent.MOUSE_EXITED, e -> tip.setVisible(false));
        stack.addEventHandler(MouseEvent.MOUSE_CLICKED, e -> at(e.getX(), e.getY()).filter(h -> h.key() != Figure.NO_KEY).ifPresent(h -> this.choose.accept(h.key())));
        pane.painted().addListener((o, was, is) -> dress(is.map(FigureFrame::figure)));
        context.palette().addListener((o, was, is) -> {
            shownLegend = java.util.List.of();
            pane.repaint();
        });
        content.addListener((o, was, is) -> refresh());
        refresh();
    }

    private void refresh() {
        empty.setText(content.getValue().reason());
        if (content.getValue().figure().isEmpty()) {
            dress(Optional.empty());
        }
        pane.repaint();
    }

    private void dress(Optional<Figure> figure) {
        java.util.List<Figure.Key> keys = figure.map(Figure::legend).orElse(java.util.List.of());
        if (!keys.equals(shownLegend)) {
            shownLegend = keys;
            legend.getChildren().setAll(keys.stream().map(k -> {
                var words = new Label(k.words(), new KeyGlyph(k, context.palette().getValue()));
                words.getStyleClass().add("legend-fixed");
                return words;
            }).toList());
        }
        show(legend, !keys.isEmpty());
        caption.setText(figure.map(Figure::caption).orElse(""));
        show(caption, !caption.getText().isEmpty());
        setAccessibleText(name + ". " + figure.map(Figure::caption).orElse(content.getValue().reason()));
    }

    private static void show(Region node, boolean on) {
        node.setVisible(on);
        node.setManaged(on);
    }

    private Optional<Callable<FigureFrame>> prepare(double width, double height, double scale) {
        ChartStyle style = context.style();
        return content.getValue().figure().map(f -> () -> FigureFrame.draw(f.call(), style, width, height, scale));
    }

    private Optional<FigureFrame.Hit> at(double x, double y) {
        return pane.painted().get().flatMap(f -> f.at(x, y));
    }

    private void hover(StackPane stack, double x, double y) {
        Optional<FigureFrame.Hit> hit = at(x, y).filter(h -> !h.tip().isEmpty());
        stack.setCursor(hit.filter(h -> h.key() != Figure.NO_KEY).isPresent() ? Cursor.HAND : Cursor.DEFAULT);
        tip.setVisible(hit.isPresent());
        hit.ifPresent(h -> {
            tip.setText(h.tip());
            tip.applyCss();
            tip.autosize();
            double left = x + OFFSET + tip.getWidth() > stack.getWidth() ? x - OFFSET - tip.getWidth() : x + OFFSET;
            double top = y + OFFSET + tip.getHeight() > stack.getHeight() ? y - OFFSET - tip.getHeight() : y + OFFSET;
            tip.relocate(Math.max(0, left), Math.max(Math.min(0, stack.getHeight() - tip.getHeight()), top));
        });
    }
}
