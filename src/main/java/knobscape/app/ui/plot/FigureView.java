package knobscape.app.ui.plot;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.IntConsumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javafx.beans.property.ObjectProperty;
import javafx.beans.property.SimpleObjectProperty;
import javafx.beans.value.ObservableValue;
import javafx.geometry.Point2D;
import javafx.geometry.Pos;
import javafx.scene.AccessibleRole;
import javafx.scene.Cursor;
import javafx.scene.canvas.GraphicsContext;
import javafx.scene.control.Button;
import javafx.scene.control.Label;
import javafx.scene.input.MouseButton;
import javafx.scene.input.MouseEvent;
import javafx.scene.input.ScrollEvent;
import javafx.scene.layout.FlowPane;
import javafx.scene.layout.Priority;
import javafx.scene.layout.Region;
import javafx.scene.layout.StackPane;
import javafx.scene.layout.VBox;
import javafx.scene.paint.Color;
import knobscape.app.ui.plot.FigureFrame.Hit;
import knobscape.app.ui.theme.Hue;
import knobscape.app.ui.view.Glossary;
import knobscape.app.ui.view.Nodes;

/// Shows a [Plot], drawn away from the screen, with its legend and caption; says what is under the mouse; a
/// click chooses it. Where zooming is allowed the wheel zooms about the mouse, a dragged box zooms into it, and
/// a double click shows everything again. Every picture in the window is one of these.
/// Its subclasses read their own fields only in what the mouse and the painter call later.
@SuppressWarnings("this-escape")
public class FigureView extends VBox {
    private static final double SMALLEST_BOX = 8;
    private static final double WHEEL = 1.2;
    /// For figures in which nothing can be chosen.
    static final IntConsumer NOTHING_TO_CHOOSE = k -> {};

    /// The content to show.
    ///
    /// @param plot makes what is drawn, away from the screen; empty where there is none yet
    /// @param reason why there is none, or empty
    public record Content(Optional<Callable<Plot>> plot, String reason) {
        /// A figure that is the same at every size.
        public static Content of(Callable<Figure> figure) {
            return plot(() -> {
                Figure made = figure.call();
                return (width, height) -> made;
            });
        }

        /// A plot.
        public static Content plot(Callable<Plot> plot) {
            return new Content(Optional.of(plot), "");
        }

        /// Words instead of a plot.
        public static Content empty(String reason) {
            return new Content(Optional.empty(), reason);
        }
    }

    private final PlotContext context;
    private final String name;
    private final IntConsumer choose;
    private final ObjectProperty<Content> content = new SimpleObjectProperty<>(Content.empty(""));
    private final ImagePane pane;
    private final StackPane stack = new StackPane();
    private final FlowPane legend = new FlowPane();
    private final Label empty = new Label();
    private final Label caption = new Label();
    private final PlotTooltip tip = new PlotTooltip();
    private final Button reset = new Button("Show all");
    private boolean worded = true;
    private List<Figure.Key> shownLegend = List.of();
    private Optional<double[]> window = Optional.empty();
    private Point2D pressed = Point2D.ZERO;
    private Optional<Point2D> boxFrom = Optional.empty();
    private Point2D boxTo = Point2D.ZERO;
    private int hovered = Figure.NO_KEY;

    /// @param context what plots need
    /// @param name of the figure, for screen readers
    /// @param content what to show; followed
    /// @param choose takes the key of what is clicked
    public FigureView(PlotContext context, String name, ObservableValue<Content> content, IntConsumer choose) {
        this(context, name, choose);
        this.content.bind(content);
    }

    /// An empty figure; [#show] fills it.
    FigureView(PlotContext context, String name, IntConsumer choose) {
        this.context = context;
        this.name = name;
        this.choose = choose;
        this.pane = new ImagePane(context.background(), this::prepare, this::paintOverlay, context.failed());
        legend.getStyleClass().add("legend");
        empty.getStyleClass().add("empty-note");
        empty.setWrapText(true);
        empty.setMouseTransparent(true);
        caption.getStyleClass().addAll("secondary", "plot-caption");
        caption.setMinWidth(0);
        caption.setWrapText(true);
        caption.setMinHeight(Region.USE_PREF_SIZE);
        reset.getStyleClass().addAll("small", "plot-reset");
        reset.setVisible(false);
        reset.setOnAction(e -> zoom(Optional.empty()));
        StackPane.setAlignment(reset, Pos.TOP_RIGHT);
        stack.getChildren().addAll(pane, empty, reset, tip);
        stack.setMinSize(0, 0);
        VBox.setVgrow(stack, Priority.ALWAYS);
        getChildren().addAll(legend, stack, caption);
        setMinSize(0, 0);
        getStyleClass().add("plot");
        setAccessibleRole(AccessibleRole.IMAGE_VIEW);
        stack.addEventHandler(MouseEvent.MOUSE_MOVED, e -> hover(e.getX(), e.getY()));
        stack.addEventHandler(MouseEvent.MOUSE_EXITED, e -> hover(Double.NEGATIVE_INFINITY, Double.NEGATIVE_INFINITY));
        stack.addEventHandler(MouseEvent.MOUSE_PRESSED, e -> pressed = new Point2D(e.getX(), e.getY()));
        stack.addEventHandler(MouseEvent.MOUSE_CLICKED, e -> {
            if (e.getButton() == MouseButton.PRIMARY
                    && e.getClickCount() == 1
                    && pressed.distance(e.getX(), e.getY()) < SMALLEST_BOX) {
                clicked(at(e.getX(), e.getY()));
            }
        });
        pane.painted().addListener((o, was, is) -> dress(is.map(FigureFrame::figure)));
        context.palette().addListener((o, was, is) -> {
            shownLegend = List.of();
            pane.repaint();
        });
        this.content.addListener((o, was, is) -> refresh());
        refresh();
    }

    /// Shows something else.
    final void show(Content next) {
        content.set(next);
    }

    /// Leaves legend and caption to what stands around it; pictures that are saved have them.
    final void leaveWordsOut() {
        worded = false;
        dress(drawn().map(FigureFrame::figure));
    }

    /// Lets the mouse zoom.
    final void allowZoom() {
        reset.setAccessibleText("Show all of " + name);
        stack.addEventHandler(MouseEvent.MOUSE_PRESSED, e -> {
            if (e.getButton() == MouseButton.PRIMARY && e.getClickCount() == 1) {
                boxFrom = Optional.of(new Point2D(e.getX(), e.getY()));
                boxTo = boxFrom.get();
            }
        });
        stack.addEventHandler(MouseEvent.MOUSE_DRAGGED, e -> {
            boxTo = new Point2D(e.getX(), e.getY());
            repaintOverlay();
        });
        stack.addEventHandler(MouseEvent.MOUSE_RELEASED, e -> released());
        stack.addEventHandler(MouseEvent.MOUSE_CLICKED, e -> {
            if (e.getButton() == MouseButton.PRIMARY && e.getClickCount() == 2) {
                zoom(Optional.empty());
            }
        });
        stack.addEventHandler(ScrollEvent.SCROLL, e -> {
            if (e.getDeltaY() != 0) {
                wheel(e.getX(), e.getY(), e.getDeltaY() > 0 ? 1 / WHEEL : WHEEL);
                e.consume();
            }
        });
    }

    /// Shows a part, as of [Figure#zoomed], or everything.
    final void zoom(Optional<double[]> to) {
        window = to;
        tip.setVisible(false);
        reset.setVisible(to.isPresent());
        pane.repaint();
    }

    /// Where the picture takes the mouse.
    final StackPane surface() {
        return stack;
    }

    /// The frame drawn now.
    final Optional<FigureFrame> drawn() {
        return pane.painted().get();
    }

    /// The figure seen, as data; empty before it is drawn.
    public final Optional<Figure> figure() {
        return drawn().map(FigureFrame::figure);
    }

    /// Key of what is under the mouse, or [Figure#NO_KEY].
    final int hovered() {
        return hovered;
    }

    /// Draws the top layer again.
    final void repaintOverlay() {
        pane.repaintOverlay();
    }

    /// Draws what follows the mouse and the selection, over the picture.
    void overlay(GraphicsContext g, FigureFrame frame) {}

    /// The hit at a place.
    Optional<Hit> at(double x, double y) {
        return drawn().flatMap(f -> f.at(x, y));
    }

    /// Takes a click.
    void clicked(Optional<Hit> hit) {
        hit.filter(h -> h.key() != Figure.NO_KEY).ifPresent(h -> choose.accept(h.key()));
    }

    /// The shape of the mouse over something.
    Cursor cursor(double x, Optional<Hit> hit) {
        return choose != NOTHING_TO_CHOOSE
                        && hit.filter(h -> h.key() != Figure.NO_KEY).isPresent()
                ? Cursor.HAND
                : Cursor.DEFAULT;
    }

    /// The words of a screen reader.
    String words(Optional<Figure> figure) {
        return name + ". " + figure.map(Figure::caption).orElse(content.get().reason());
    }

    private void refresh() {
        empty.setText(content.get().reason());
        if (content.get().plot().isEmpty()) {
            dress(Optional.empty());
        }
        pane.repaint();
    }

    private void dress(Optional<Figure> figure) {
        List<Figure.Key> keys = worded ? figure.map(Figure::legend).orElse(List.of()) : List.of();
        if (!keys.equals(shownLegend)) {
            shownLegend = keys;
            legend.getChildren()
                    .setAll(keys.stream()
                            .map(k -> {
                                var words = new Label(
                                        k.words(),
                                        new KeyGlyph(k, context.palette().getValue()));
                                words.getStyleClass().add("legend-fixed");
                                words.maxWidthProperty()
                                        .bind(legend.widthProperty().subtract(24));
                                return words;
                            })
                            .toList());
        }
        Nodes.show(legend, !keys.isEmpty());
        caption.setText(Stream.of(
                        figure.filter(_ -> worded).map(Figure::caption).orElse(""),
                        figure.map(Figure::note).orElse(""))
                .filter(t -> !t.isEmpty())
                .collect(Collectors.joining("; ")));
        Nodes.show(caption, !caption.getText().isEmpty());
        setAccessibleText(words(figure));
    }

    private Optional<Callable<FigureFrame>> prepare(double width, double height, double scale, Paper.Spare spare) {
        ChartStyle style = context.style();
        Optional<double[]> part = window;
        return content.get()
                .plot()
                .map(p -> () -> FigureFrame.draw(p.call(), part, style, width, height, scale, spare));
    }

    private void paintOverlay() {
        drawn().ifPresent(f -> {
            GraphicsContext g = pane.overlay().getGraphicsContext2D();
            overlay(g, f);
            boxFrom.ifPresent(from -> {
                g.setStroke(ink(Hue.SELECTED));
                g.setLineWidth(1);
                g.strokeRect(
                        Math.min(from.getX(), boxTo.getX()) + 0.5,
                        Math.min(from.getY(), boxTo.getY()) + 0.5,
                        Math.abs(boxTo.getX() - from.getX()),
                        Math.abs(boxTo.getY() - from.getY()));
            });
        });
    }

    /// A colour of the look worn now.
    final Color ink(Hue hue) {
        return PlotContext.fx(context.palette().getValue().of(hue));
    }

    private void hover(double x, double y) {
        Optional<Hit> hit = at(x, y);
        stack.setCursor(cursor(x, hit));
        int now = hit.map(Hit::key).orElse(Figure.NO_KEY);
        if (now != hovered) {
            hovered = now;
            repaintOverlay();
        }
        Optional<Figure.Tip> words = hit.map(Hit::tip)
                .or(() -> drawn().flatMap(f -> f.axisAt(x, y))
                        .flatMap(Glossary::explain)
                        .map(Figure.Tip::of));
        tip.show(
                words,
                x,
                y,
                stack.getWidth(),
                stack.getHeight(),
                card -> drawn().map(f -> f.covered(card)).orElse(0.0));
    }

    private void released() {
        Optional<Point2D> from = boxFrom;
        boxFrom = Optional.empty();
        if (from.isPresent() && drawn().isPresent()) {
            double left = Math.min(from.get().getX(), boxTo.getX());
            double right = Math.max(from.get().getX(), boxTo.getX());
            double top = Math.min(from.get().getY(), boxTo.getY());
            double bottom = Math.max(from.get().getY(), boxTo.getY());
            if (right - left >= SMALLEST_BOX && bottom - top >= SMALLEST_BOX) {
                part(left, right, bottom, top);
            }
            repaintOverlay();
        }
    }

    private void wheel(double mx, double my, double factor) {
        drawn().filter(f -> f.across().holds(mx) && f.upwards().holds(my))
                .ifPresent(f -> part(
                        mx + (f.across().from() - mx) * factor,
                        mx + (f.across().to() - mx) * factor,
                        my + (f.upwards().from() - my) * factor,
                        my + (f.upwards().to() - my) * factor));
    }

    /// Zooms into a part given by its pixels.
    private void part(double left, double right, double bottom, double top) {
        drawn().ifPresent(f -> zoom(Optional.of(new double[] {
            f.across().value(left),
            f.across().value(right),
            f.upwards().value(bottom),
            f.upwards().value(top)
        })));
    }
}
