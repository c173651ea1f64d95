package knobscape.app.ui.plot;

import java.util.Optional;
import java.util.concurrent.Callable;
import javafx.beans.property.BooleanProperty;
import javafx.beans.property.SimpleBooleanProperty;
import javafx.geometry.Pos;
import javafx.scene.AccessibleRole;
import javafx.scene.Cursor;
import javafx.scene.canvas.GraphicsContext;
import javafx.scene.control.Label;
import javafx.scene.input.MouseButton;
import javafx.scene.input.MouseEvent;
import javafx.scene.layout.Priority;
import javafx.scene.layout.StackPane;
import javafx.scene.layout.VBox;
import javafx.scene.paint.Color;
import knobscape.app.ui.designs.DesignFilter.Range;
import knobscape.app.ui.designs.Quantity;
import knobscape.app.ui.designs.Results;
import knobscape.app.ui.designs.Results.Shown;

/// Parallel coordinates. Dragging along an axis filters the whole window; dragging a brush moves it; a double click on an axis clears it; a click selects
/// the nearest design. Brushes lie on their own layer, so dragging one does not wait for the lines.
final class ParallelView extends VBox {
    private static final double AXIS_REACH = 12;
    private static final double LINE_REACH = 8;
    private static final double BRUSH = 14;
    private static final double AXIS_ROOM = 66;

    private final PlotContext context;
    private final Results results;
    private final BooleanProperty log = new SimpleBooleanProperty(true);
    private final ImagePane<ParallelPicture> pane;
    private final PlotTooltip tooltip;
    private final Label empty = new Label();
    private final Label hint = new Label();
    private int brushed = -1;
    private double brushFrom;
    private Optional<Range> moving = Optional.empty();
    private Object gesture = new Object();
    private int hovered = Results.NOTHING;

    ParallelView(PlotContext context, Results results) {
        this.context = context;
        this.results = results;
        this.tooltip = new PlotTooltip(results);
        this.pane = new ImagePane<>(context.background(), this::prepare, ParallelPicture::frame, this::paintOverlay, context.failed());
        empty.getStyleClass().add("empty-note");
        empty.setText("Nothing has been evaluated yet");
        empty.setMouseTransparent(true);
        hint.getStyleClass().addAll("secondary", "plot-caption");
        hint.setMinWidth(0);
        var stack = new StackPane(pane, empty, tooltip);
        StackPane.setAlignment(empty, Pos.CENTER);
        stack.setMinSize(0, 0);
        VBox.setVgrow(stack, Priority.ALWAYS);
        getChildren().addAll(stack, hint);
        setMinSize(0, 0);
        getStyleClass().add("plot");
        setAccessibleRole(AccessibleRole.IMAGE_VIEW);
        context.palette().addListener((o, was, is) -> pane.repaint());
        log.addListener((o, was, is) -> pane.repaint());
        results.shown().addListener((o, was, is) -> refresh(is));
        results.filter().addListener((o, was, is) -> pane.repaintOverlay());
        results.selected().addListener((o, was, is) -> pane.repaintOverlay());
        listen(stack);
        refresh(results.shown().get());
    }

    /// Whether metrics that span more than a decade have a logarithmic scale.
    BooleanProperty log() {
        return log;
    }

    private void refresh(Shown shown) {
        setAccessibleText("Parallel coordinates of " + shown.set().size() + " designs; " + shown.count() + " pass the filter");
        pane.repaint();
    }

    private Optional<Callable<ParallelPicture>> prepare(double width, double height, double scale) {
        Shown shown = results.shown().get();
        if (shown.set().size() == 0) {
            return Optional.empty();
        }
        ChartStyle style = context.style();
        boolean logarithmic = log.get();
        int most = Math.max(4, (int) (width / AXIS_ROOM));
        return Optional.of(() -> ParallelPicture.draw(Parallel.of(shown, most, logarithmic), style, width, height, scale));
    }

    private void paintOverlay() {
        Optional<ParallelPicture> picture = pane.painted().get();
        hint.setText("");
        empty.setVisible(picture.isEmpty() || picture.get().parallel().lines().length == 0);
        if (empty.isVisible()) {
            return;
        }
        ParallelPicture p = picture.get();
        boolean brushes = p.parallel().axes().stream().anyMatch(a -> results.filter().get().ranges().containsKey(a.axis()));
        String drawn = p.parallel().lines().length < p.parallel().total()
                ? Quantity.count(p.parallel().lines().length) + " of " + Quantity.count(p.parallel().total()) + " lines drawn. " : "";
        hint.setText(drawn + (brushes ? "Drag a brush to move it, double-click its axis to clear it." : "Drag along an axis to filter."));
        GraphicsContext g = pane.overlay().getGraphicsContext2D();
        for (int a = 0; a < p.x().length; a++) {
            Range range = results.filter().get().ranges().get(p.parallel().axes().get(a).axis());
            if (range != null) {
                brush(g, p, a, range);
            }
        }
        if (hovered != Results.NOTHING) {
            line(g, p, hovered, 1.5);
        }
        results.selectedDesign().filter(d -> d.number() != Results.BASELINE).ifPresent(d -> line(g, p, d.number(), 2.5));
    }

    private void brush(GraphicsContext g, ParallelPicture p, int a, Range range) {
        Parallel.Scale s = p.parallel().axes().get(a);
        AxisMap upwards = p.frame().upwards();
        double high = upwards.pixel(Math.min(1, s.share(Math.min(range.high(), s.high())))) - 3;
        double low = upwards.pixel(Math.max(0, s.share(Math.max(range.low(), s.low())))) + 3;
        Color ink = PlotContext.fx(context.palette().getValue().front());
        g.setFill(ink.deriveColor(0, 1, 1, 0.22));
        g.fillRoundRect(p.x()[a] - BRUSH / 2, high, BRUSH, Math.max(2, low - high), 4, 4);
        g.setStroke(ink);
        g.setLineWidth(1.2);
        g.strokeRoundRect(p.x()[a] - BRUSH / 2, high, BRUSH, Math.max(2, low - high), 4, 4);
    }

    private void line(GraphicsContext g, ParallelPicture p, int number, double width) {
        var index = results.set().indexOf(number);
        if (index.isEmpty()) {
            return;
        }
        g.setStroke(PlotContext.fx(context.palette().getValue().selected()));
        g.setLineWidth(width);
        g.beginPath();
        boolean down = false;
        for (int a = 0; a < p.x().length; a++) {
            Parallel.Scale s = p.parallel().axes().get(a);
            double v = Parallel.value(results.set(), index.getAsInt(), s.axis());
            if (Double.isNaN(v)) {
                down = false;
                continue;
            }
            double y = p.frame().upwards().pixel(s.share(v));
            if (down) {
                g.lineTo(p.x()[a], y);
            } else {
                g.moveTo(p.x()[a], y);
            }
            down = true;
        }
        g.stroke();
    }

    private void listen(StackPane stack) {
        stack.addEventHandler(MouseEvent.MOUSE_MOVED, e -> hover(e.getX(), e.getY()));
        stack.addEventHandler(MouseEvent.MOUSE_EXITED, e -> hover(-100, -100));
        stack.addEventHandler(MouseEvent.MOUSE_PRESSED, e -> {
            if (e.getButton() == MouseButton.PRIMARY) {
                pressed(e.getX(), e.getY());
            }
        });
        stack.addEventHandler(MouseEvent.MOUSE_DRAGGED, e -> dragged(e.getY()));
        stack.addEventHandler(MouseEvent.MOUSE_RELEASED, e -> brushed = -1);
        stack.addEventHandler(MouseEvent.MOUSE_CLICKED, e -> {
            int axis = axisAt(e.getX());
            if (axis >= 0 && e.getClickCount() == 2) {
                results.setFilter(results.filter().get().withoutRange(pane.painted().get().orElseThrow().parallel().axes().get(axis).axis()));
            } else if (axis < 0 && e.isStillSincePress()) {
                results.select(nearest(e.getX(), e.getY()));
            }
        });
    }

    private int axisAt(double x) {
        Optional<ParallelPicture> p = pane.painted().get();
        for (int a = 0; p.isPresent() && a < p.get().x().length; a++) {
            if (Math.abs(p.get().x()[a] - x) <= AXIS_REACH) {
                return a;
            }
        }
        return -1;
    }

    private void pressed(double x, double y) {
        brushed = axisAt(x);
        gesture = new Object();
        if (brushed < 0) {
            return;
        }
        ParallelPicture p = pane.painted().get().orElseThrow();
        Parallel.Scale s = p.parallel().axes().get(brushed);
        brushFrom = Math.clamp(p.frame().upwards().value(y), 0, 1);
        moving = Optional.ofNullable(results.filter().get().ranges().get(s.axis()))
                .filter(r -> s.share(r.low()) - 0.01 <= brushFrom && brushFrom <= s.share(r.high()) + 0.01);
    }

    private void dragged(double y) {
        Optional<ParallelPicture> picture = pane.painted().get();
        if (brushed < 0 || picture.isEmpty() || brushed >= picture.get().x().length) {
            return;
        }
        Parallel.Scale s = picture.get().parallel().axes().get(brushed);
        double to = Math.clamp(picture.get().frame().upwards().value(y), 0, 1);
        Range range;
        if (moving.isPresent()) {
            double low = s.share(moving.get().low());
            double high = s.share(moving.get().high());
            double by = Math.clamp(to - brushFrom, -low, Math.max(-low, 1 - high));
            range = new Range(s.value(low + by), s.value(high + by));
        } else {
            range = new Range(s.value(Math.min(brushFrom, to)), s.value(Math.max(brushFrom, to)));
            if (s.axis().knob()) {
                range = new Range(Math.floor(range.low() + 0.5) - 0.25, Math.ceil(range.high() - 0.5) + 0.25);
            }
        }
        results.setFilter(results.filter().get().withRange(s.axis(), range), gesture);
    }

    private void hover(double x, double y) {
        setCursor(axisAt(x) >= 0 ? Cursor.V_RESIZE : Cursor.DEFAULT);
        int now = axisAt(x) >= 0 ? Results.NOTHING : nearest(x, y);
        if (now != hovered) {
            hovered = now;
            pane.repaintOverlay();
            tooltip.show(now, x, y, getWidth(), getHeight());
        }
    }

    /// The line nearest to a place between two axes, among those that pass the filter.
    private int nearest(double x, double y) {
        Optional<ParallelPicture> picture = pane.painted().get();
        if (picture.isEmpty()) {
            return Results.NOTHING;
        }
        ParallelPicture p = picture.get();
        int right = 0;
        while (right < p.x().length && p.x()[right] < x) {
            right++;
        }
        if (right == 0 || right == p.x().length) {
            return Results.NOTHING;
        }
        double t = (x - p.x()[right - 1]) / (p.x()[right] - p.x()[right - 1]);
        Parallel.Scale left = p.parallel().axes().get(right - 1);
        Parallel.Scale next = p.parallel().axes().get(right);
        double best = LINE_REACH;
        int found = Results.NOTHING;
        for (int r = 0; r < p.parallel().lines().length; r++) {
            double a = p.parallel().lines()[r][right - 1];
            double b = p.parallel().lines()[r][right];
            if (!p.parallel().matching()[r] || Double.isNaN(a) || Double.isNaN(b)) {
                continue;
            }
            double at = p.frame().upwards().pixel(left.share(a) * (1 - t) + next.share(b) * t);
            if (Math.abs(at - y) < best) {
                best = Math.abs(at - y);
                found = p.parallel().number()[r];
            }
        }
        return found;
    }
}
