package knobscape.app.ui.plot;

import java.util.Optional;
import javafx.beans.property.BooleanProperty;
import javafx.beans.property.SimpleBooleanProperty;
import javafx.scene.Cursor;
import javafx.scene.canvas.GraphicsContext;
import javafx.scene.control.Label;
import javafx.scene.input.MouseButton;
import javafx.scene.input.MouseEvent;
import javafx.scene.paint.Color;
import knobscape.app.ui.designs.DesignFilter.Range;
import knobscape.app.ui.designs.Quantity;
import knobscape.app.ui.designs.Results;
import knobscape.app.ui.designs.Results.Shown;
import knobscape.app.ui.plot.FigureFrame.Hit;

/// Parallel coordinates. Dragging along an axis filters the whole window; dragging a brush moves it; a double
/// click on an axis clears it; a click selects the nearest design. Brushes lie on their own layer, so dragging
/// one does not wait for the lines.
final class ParallelView extends FigureView {
    private static final double AXIS_REACH = 12;
    private static final double BRUSH = 14;
    private static final double AXIS_ROOM = 66;
    private static final int MIN_AXES = 4;

    private final Results results;
    private final BooleanProperty log = new SimpleBooleanProperty(true);
    private final Label hint = new Label();
    private int brushed = -1;
    private double brushFrom;
    private Optional<Range> moving = Optional.empty();
    private Object gesture = new Object();

    ParallelView(PlotContext context, Results results) {
        this.results = results;
        super(context, "Parallel coordinates", NOTHING_TO_CHOOSE);
        hint.getStyleClass().addAll("secondary", "plot-caption");
        hint.setMinWidth(0);
        getChildren().add(hint);
        log.addListener((o, was, is) -> refresh());
        widthProperty().addListener((o, was, is) -> {
            if (most(was.doubleValue()) != most(is.doubleValue())) {
                refresh();
            }
        });
        results.shown().addListener((o, was, is) -> refresh());
        results.filter().addListener((o, was, is) -> repaintOverlay());
        results.selected().addListener((o, was, is) -> repaintOverlay());
        listen();
        refresh();
    }

    /// Whether metrics that span more than a decade have a logarithmic scale.
    BooleanProperty log() {
        return log;
    }

    /// Most axes there is room for.
    private static int most(double width) {
        return Math.max(MIN_AXES, (int) (width / AXIS_ROOM));
    }

    private void refresh() {
        Shown shown = results.shown().get();
        boolean logarithmic = log.get();
        int most = most(getWidth());
        show(
                shown.set().size() == 0
                        ? Content.empty(results.nothing("Nothing has been evaluated yet"))
                        : Content.plot(() -> Parallel.of(shown, most, logarithmic)));
    }

    private static Parallel parallel(FigureFrame f) {
        return (Parallel) f.plot();
    }

    @Override
    String words(Optional<Figure> figure) {
        Shown shown = results.shown().get();
        return "Parallel coordinates of " + shown.set().size() + " designs; " + shown.count() + " pass the filter";
    }

    @Override
    void overlay(GraphicsContext g, FigureFrame f) {
        Parallel p = parallel(f);
        boolean brushes =
                p.axes().stream().anyMatch(a -> results.filter().get().ranges().containsKey(a.axis()));
        String drawn = p.lines().length < p.total()
                ? Quantity.count(p.lines().length) + " of " + Quantity.count(p.total()) + " lines drawn. "
                : "";
        hint.setText(
                p.lines().length == 0
                        ? ""
                        : drawn
                                + (brushes
                                        ? "Drag a brush to move it, double-click its axis to clear it."
                                        : "Drag along an axis to filter."));
        for (int a = 0; a < p.axes().size(); a++) {
            Range range = results.filter().get().ranges().get(p.axes().get(a).axis());
            if (range != null) {
                brush(g, f, a, range);
            }
        }
        if (hovered() >= 0) {
            line(g, f, hovered(), 1.5);
        }
        results.selectedDesign()
                .filter(d -> d.number() != Results.BASELINE)
                .ifPresent(d -> line(g, f, d.number(), 2.5));
    }

    @Override
    Optional<Hit> at(double x, double y) {
        return axisAt(x) >= 0 ? Optional.empty() : super.at(x, y);
    }

    @Override
    Cursor cursor(double x, Optional<Hit> hit) {
        return axisAt(x) >= 0 ? Cursor.V_RESIZE : Cursor.DEFAULT;
    }

    @Override
    void clicked(Optional<Hit> hit) {
        if (brushed < 0) {
            results.select(hit.map(Hit::key).orElse(Results.NOTHING));
        }
    }

    private void brush(GraphicsContext g, FigureFrame f, int a, Range range) {
        Parallel.Scale s = parallel(f).axes().get(a);
        AxisMap upwards = f.upwards();
        double high = upwards.pixel(Math.min(1, s.share(Math.min(range.high(), s.high())))) - 3;
        double low = upwards.pixel(Math.max(0, s.share(Math.max(range.low(), s.low())))) + 3;
        Color ink = ink(Hue.FRONT);
        g.setFill(ink.deriveColor(0, 1, 1, 0.22));
        g.fillRoundRect(f.across().pixel(a) - BRUSH / 2, high, BRUSH, Math.max(2, low - high), 4, 4);
        g.setStroke(ink);
        g.setLineWidth(1.2);
        g.strokeRoundRect(f.across().pixel(a) - BRUSH / 2, high, BRUSH, Math.max(2, low - high), 4, 4);
    }

    private void line(GraphicsContext g, FigureFrame f, int number, double width) {
        var index = results.set().indexOf(number);
        if (index.isEmpty()) {
            return;
        }
        g.setStroke(ink(Hue.SELECTED));
        g.setLineWidth(width);
        g.beginPath();
        boolean down = false;
        for (int a = 0; a < parallel(f).axes().size(); a++) {
            Parallel.Scale s = parallel(f).axes().get(a);
            double v = Parallel.value(results.set(), index.getAsInt(), s.axis());
            if (Double.isNaN(v)) {
                down = false;
                continue;
            }
            double y = f.upwards().pixel(s.share(v));
            if (down) {
                g.lineTo(f.across().pixel(a), y);
            } else {
                g.moveTo(f.across().pixel(a), y);
            }
            down = true;
        }
        g.stroke();
    }

    private void listen() {
        surface().addEventHandler(MouseEvent.MOUSE_PRESSED, e -> {
            if (e.getButton() == MouseButton.PRIMARY) {
                pressed(e.getX(), e.getY());
            }
        });
        surface().addEventHandler(MouseEvent.MOUSE_DRAGGED, e -> dragged(e.getY()));
        surface().addEventHandler(MouseEvent.MOUSE_CLICKED, e -> {
            int axis = axisAt(e.getX());
            if (axis >= 0 && e.getClickCount() == 2) {
                results.setFilter(results.filter()
                        .get()
                        .withoutRange(
                                parallel(drawn().orElseThrow()).axes().get(axis).axis()));
            }
        });
    }

    private int axisAt(double x) {
        return drawn().map(f -> {
                    int a = (int) Math.rint(f.across().value(x));
                    return a >= 0
                                    && a < parallel(f).axes().size()
                                    && Math.abs(f.across().pixel(a) - x) <= AXIS_REACH
                            ? a
                            : -1;
                })
                .orElse(-1);
    }

    private void pressed(double x, double y) {
        brushed = axisAt(x);
        gesture = new Object();
        if (brushed < 0) {
            return;
        }
        FigureFrame f = drawn().orElseThrow();
        Parallel.Scale s = parallel(f).axes().get(brushed);
        brushFrom = Math.clamp(f.upwards().value(y), 0, 1);
        moving = Optional.ofNullable(results.filter().get().ranges().get(s.axis()))
                .filter(r -> s.share(r.low()) - 0.01 <= brushFrom && brushFrom <= s.share(r.high()) + 0.01);
    }

    private void dragged(double y) {
        Optional<FigureFrame> frame = drawn();
        if (brushed < 0
                || frame.isEmpty()
                || brushed >= parallel(frame.get()).axes().size()) {
            return;
        }
        Parallel.Scale s = parallel(frame.get()).axes().get(brushed);
        double to = Math.clamp(frame.get().upwards().value(y), 0, 1);
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
}
