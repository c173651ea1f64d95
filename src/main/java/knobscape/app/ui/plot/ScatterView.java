package knobscape.app.ui.plot;

import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import javafx.beans.property.BooleanProperty;
import javafx.beans.property.SimpleBooleanProperty;
import javafx.geometry.Point2D;
import javafx.scene.AccessibleRole;
import javafx.scene.canvas.GraphicsContext;
import javafx.scene.control.Button;
import javafx.scene.control.Label;
import javafx.scene.input.KeyEvent;
import javafx.scene.input.MouseButton;
import javafx.scene.input.MouseEvent;
import javafx.scene.input.ScrollEvent;
import javafx.scene.layout.StackPane;
import javafx.scene.paint.Color;
import javafx.scene.text.Font;
import knobscape.app.ui.designs.Quantity;
import knobscape.app.ui.designs.Results;
import knobscape.app.ui.designs.Results.Shown;
import knobscape.app.ui.designs.Standing;
import knobscape.evaluate.Metric;
import knobscape.explore.Prediction;
import knobscape.project.Design;

/// One scatter plot of two metrics. Click selects, wheel zooms about the mouse, a dragged box zooms into it, double click shows everything again; left and
/// right walk the front.
final class ScatterView extends StackPane {
    private static final double REACH = 9;
    private static final double SMALLEST_BOX = 8;
    private static final double WHEEL = 1.2;

    /// A painted plot.
    private record Painted(Scatter scatter, ChartFrame frame) { }

    private final PlotContext context;
    private final Results results;
    private final Metric x;
    private final Metric y;
    private final BooleanProperty log = new SimpleBooleanProperty();
    private final ImagePane<Painted> pane;
    private final PlotTooltip tooltip;
    private final Label empty = new Label();
    private final Label note = new Label();
    private final Button reset = new Button("Show all");
    private Set<Standing> hidden = EnumSet.noneOf(Standing.class);
    private Optional<double[]> window = Optional.empty();
    private Optional<Point2D> boxFrom = Optional.empty();
    private Point2D boxTo = Point2D.ZERO;
    private int hovered = Results.NOTHING;

    ScatterView(PlotContext context, Results results, Metric x, Metric y) {
        this.context = context;
        this.results = results;
        this.x = x;
        this.y = y;
        this.tooltip = new PlotTooltip(results);
        this.pane = new ImagePane<>(context.background(), this::prepare, Painted::frame, this::paintOverlay, context.failed());
        empty.getStyleClass().addAll("empty-note");
        note.getStyleClass().addAll("plot-note");
        reset.getStyleClass().addAll("small", "plot-reset");
        reset.setAccessibleText("Show all of " + title());
        reset.setOnAction(e -> zoom(Optional.empty()));
        reset.visibleProperty().set(false);
        StackPane.setAlignment(note, javafx.geometry.Pos.BOTTOM_RIGHT);
        StackPane.setAlignment(reset, javafx.geometry.Pos.TOP_RIGHT);
        note.setMouseTransparent(true);
        empty.setMouseTransparent(true);
        getChildren().addAll(pane, empty, note, reset, tooltip);
        setMinSize(0, 0);
        setFocusTraversable(true);
        setAccessibleRole(AccessibleRole.IMAGE_VIEW);
        getStyleClass().add("plot");

        context.palette().addListener((o, was, is) -> pane.repaint());
        log.addListener((o, was, is) -> zoom(Optional.empty()));
        results.shown().addListener((o, was, is) -> refresh(is));
        results.selected().addListener((o, was, is) -> pane.repaintOverlay());
        results.pins().addListener((javafx.collections.ListChangeListener<Integer>) c -> pane.repaintOverlay());
        listen();
        refresh(results.shown().get());
    }

    /// Metric across.
    Metric x() {
        return x;
    }

    /// Metric upwards.
    Metric y() {
        return y;
    }

    /// What it plots, in words.
    String title() {
        return x.label() + "\u2013" + (y.label().equals(y.label().toUpperCase(java.util.Locale.ROOT)) ? y.label() : y.label().toLowerCase(java.util.Locale.ROOT));
    }

    /// Whether both scales are logarithmic.
    BooleanProperty log() {
        return log;
    }

    /// Leaves kinds of design out.
    void hide(Set<Standing> kinds) {
        hidden = EnumSet.noneOf(Standing.class);
        hidden.addAll(kinds);
        pane.repaint();
    }

    private void refresh(Shown shown) {
        boolean nothing = shown.set().size() == 0 && shown.set().baseline().isEmpty();
        empty.setText(nothing ? "Nothing has been evaluated yet" : "");
        setAccessibleText(title() + ": " + shown.set().count(Standing.FRONT) + " designs on the front, " + shown.set().count(Standing.DOMINATED)
                + " dominated, " + shown.set().count(Standing.INVALID) + " invalid; " + shown.count() + " of " + shown.set().size() + " pass the filter");
        pane.repaint();
    }

    private Optional<Callable<Painted>> prepare(double width, double height, double scale) {
        Shown shown = results.shown().get();
        if (shown.set().size() == 0 && shown.set().baseline().isEmpty()) {
            return Optional.empty();
        }
        Set<Standing> leaveOut = EnumSet.noneOf(Standing.class);
        leaveOut.addAll(hidden);
        var look = new ScatterChart.Look(log.get(), log.get(), window);
        ChartStyle style = context.style();
        return Optional.of(() -> {
            Scatter scatter = Scatter.of(shown, x, y, leaveOut);
            return new Painted(scatter, ChartFrame.draw(ScatterChart.of(scatter, look, style), width, height, scale));
        });
    }

    private void paintOverlay() {
        GraphicsContext g = pane.overlay().getGraphicsContext2D();
        Optional<Painted> painted = pane.painted().get();
        empty.setVisible(painted.isEmpty() || painted.get().scatter().isEmpty());
        note.setText(painted.map(p -> noteFor(p.scatter())).orElse(""));
        if (painted.isEmpty()) {
            return;
        }
        Painted p = painted.get();
        for (int slot = 1; slot <= results.pins().size(); slot++) {
            int number = results.pins().get(slot - 1);
            String label = Integer.toString(slot);
            place(p, number).ifPresent(at -> paintPin(g, at, label));
        }
        results.selectedDesign().ifPresent(d -> paintSelected(g, p, d));
        if (hovered != Results.NOTHING && hovered != results.selected().get()) {
            place(p, hovered).ifPresent(at -> ring(g, at, 7, 1));
        }
        if (boxFrom.isPresent()) {
            Color ink = PlotContext.fx(context.palette().getValue().selected());
            g.setStroke(ink);
            g.setLineWidth(1);
            g.strokeRect(Math.min(boxFrom.get().getX(), boxTo.getX()) + 0.5, Math.min(boxFrom.get().getY(), boxTo.getY()) + 0.5,
                    Math.abs(boxTo.getX() - boxFrom.get().getX()), Math.abs(boxTo.getY() - boxFrom.get().getY()));
        }
    }

    private static String noteFor(Scatter s) {
        var parts = new java.util.ArrayList<String>();
        if (s.drawn() < s.total()) {
            parts.add(Quantity.count(s.drawn()) + " of " + Quantity.count(s.total()) + " drawn");
        }
        if (s.unplaced() > 0) {
            parts.add(s.unplaced() == 1 ? "1 design without values" : Quantity.count(s.unplaced()) + " designs without values");
        }
        return String.join(", ", parts);
    }

    private Optional<Point2D> place(Painted p, int number) {
        return number == Results.BASELINE ? p.scatter().baseline().map(b -> point(p, b[0], b[1])) : results.set().indexOf(number).stream().boxed().findFirst()
                .flatMap(i -> {
                    var vx = results.set().shownValue(i, x.name());
                    var vy = results.set().shownValue(i, y.name());
                    return vx.isPresent() && vy.isPresent()
                            ? Optional.of(raw(p, vx.getAsDouble(), vy.getAsDouble())) : Optional.empty();
                });
    }

    private static Point2D raw(Painted p, double vx, double vy) {
        return point(p, vx / p.scatter().xQuantity().divisor(), vy / p.scatter().yQuantity().divisor());
    }

    private static Point2D point(Painted p, double vx, double vy) {
        return new Point2D(p.frame().across().pixel(vx), p.frame().upwards().pixel(vy));
    }

    private boolean inside(Painted p, Point2D at) {
        return p.frame().across().holds(at.getX()) && p.frame().upwards().holds(at.getY());
    }

    private void paintPin(GraphicsContext g, Point2D at, String label) {
        Color pin = PlotContext.fx(context.palette().getValue().pinned());
        g.setStroke(pin);
        g.setLineWidth(2);
        g.strokeOval(at.getX() - 6, at.getY() - 6, 12, 12);
        g.setFill(pin);
        g.fillRoundRect(at.getX() + 5, at.getY() - 17, 13, 13, 4, 4);
        g.setFill(Color.WHITE);
        g.setFont(Font.font(10));
        g.fillText(label, at.getX() + 8.5, at.getY() - 7);
    }

    /// The selected design with a ring, and what was predicted of it: interval bars and a dashed line to what was measured.
    private void paintSelected(GraphicsContext g, Painted p, Design d) {
        Optional<Point2D> at = place(p, d.number());
        Optional<Prediction.Interval> px = d.prediction().map(q -> q.metrics().get(x.name()));
        Optional<Prediction.Interval> py = d.prediction().map(q -> q.metrics().get(y.name()));
        if (px.isPresent() && py.isPresent()) {
            Color ink = PlotContext.fx(context.palette().getValue().predicted());
            Point2D middle = raw(p, px.get().median(), py.get().median());
            Point2D low = raw(p, px.get().low(), py.get().low());
            Point2D high = raw(p, px.get().high(), py.get().high());
            g.save();
            g.beginPath();
            g.rect(p.frame().across().from(), p.frame().upwards().to(), p.frame().across().to() - p.frame().across().from(),
                    p.frame().upwards().from() - p.frame().upwards().to());
            g.clip();
            g.setStroke(ink);
            g.setLineWidth(1.2);
            g.strokeLine(clip(low.getX()), middle.getY(), clip(high.getX()), middle.getY());
            g.strokeLine(middle.getX(), clip(low.getY()), middle.getX(), clip(high.getY()));
            at.ifPresent(m -> {
                g.setLineDashes(3, 3);
                g.strokeLine(middle.getX(), middle.getY(), m.getX(), m.getY());
                g.setLineDashes();
            });
            g.strokePolygon(new double[] {middle.getX(), middle.getX() + 5, middle.getX(), middle.getX() - 5},
                    new double[] {middle.getY() - 5, middle.getY(), middle.getY() + 5, middle.getY()}, 4);
            g.restore();
        }
        at.filter(a -> inside(p, a)).ifPresent(a -> ring(g, a, 8, 2));
    }

    private static double clip(double v) {
        return Double.isFinite(v) ? Math.clamp(v, -1e4, 1e4) : 0;
    }

    private void ring(GraphicsContext g, Point2D at, double r, double width) {
        g.setStroke(PlotContext.fx(context.palette().getValue().selected()));
        g.setLineWidth(width);
        g.strokeOval(at.getX() - r, at.getY() - r, 2 * r, 2 * r);
    }

    private void zoom(Optional<double[]> to) {
        window = to;
        reset.setVisible(to.isPresent());
        pane.repaint();
    }

    private void listen() {
        addEventHandler(MouseEvent.MOUSE_MOVED, e -> hover(e.getX(), e.getY()));
        addEventHandler(MouseEvent.MOUSE_EXITED, e -> hover(-1, -1));
        addEventHandler(MouseEvent.MOUSE_PRESSED, e -> {
            requestFocus();
            if (e.getButton() == MouseButton.PRIMARY && e.getClickCount() == 1) {
                boxFrom = Optional.of(new Point2D(e.getX(), e.getY()));
                boxTo = boxFrom.get();
            }
        });
        addEventHandler(MouseEvent.MOUSE_DRAGGED, e -> {
            boxTo = new Point2D(e.getX(), e.getY());
            pane.repaintOverlay();
        });
        addEventHandler(MouseEvent.MOUSE_RELEASED, e -> released());
        addEventHandler(MouseEvent.MOUSE_CLICKED, e -> {
            if (e.getButton() == MouseButton.PRIMARY && e.getClickCount() == 2) {
                zoom(Optional.empty());
            }
        });
        addEventHandler(ScrollEvent.SCROLL, e -> {
            if (e.getDeltaY() != 0) {
                wheel(e.getX(), e.getY(), e.getDeltaY() > 0 ? 1 / WHEEL : WHEEL);
                e.consume();
            }
        });
        addEventHandler(KeyEvent.KEY_PRESSED, e -> {
            switch (e.getCode()) {
                case LEFT, DOWN -> results.walkFront(x.name(), -1);
                case RIGHT, UP -> results.walkFront(x.name(), 1);
                default -> {
                    return;
                }
            }
            e.consume();
        });
    }

    private void hover(double mx, double my) {
        Optional<Painted> p = pane.painted().get();
        int now = p.map(q -> q.scatter().nearest(q.frame().across(), q.frame().upwards(), mx, my, REACH).orElse(Results.NOTHING)).orElse(Results.NOTHING);
        if (now != hovered) {
            hovered = now;
            pane.repaintOverlay();
            tooltip.show(now, mx, my, getWidth(), getHeight());
        }
    }

    private void released() {
        if (boxFrom.isEmpty()) {
            return;
        }
        Point2D from = boxFrom.get();
        boxFrom = Optional.empty();
        Optional<Painted> p = pane.painted().get();
        if (p.isEmpty()) {
            return;
        }
        if (from.distance(boxTo) < SMALLEST_BOX) {
            results.select(p.get().scatter().nearest(p.get().frame().across(), p.get().frame().upwards(), boxTo.getX(), boxTo.getY(), REACH)
                    .orElse(Results.NOTHING));
        } else if (Math.abs(from.getX() - boxTo.getX()) >= SMALLEST_BOX && Math.abs(from.getY() - boxTo.getY()) >= SMALLEST_BOX) {
            AxisMap across = p.get().frame().across();
            AxisMap upwards = p.get().frame().upwards();
            zoom(Optional.of(new double[] {across.value(Math.min(from.getX(), boxTo.getX())), across.value(Math.max(from.getX(), boxTo.getX())),
                upwards.value(Math.max(from.getY(), boxTo.getY())), upwards.value(Math.min(from.getY(), boxTo.getY()))}));
        }
        pane.repaintOverlay();
    }

    private void wheel(double mx, double my, double factor) {
        Optional<Painted> p = pane.painted().get();
        if (p.isEmpty() || !p.get().frame().across().holds(mx) || !p.get().frame().upwards().holds(my)) {
            return;
        }
        AxisMap across = p.get().frame().across();
        AxisMap upwards = p.get().frame().upwards();
        zoom(Optional.of(new double[] {across.value(mx + (across.from() - mx) * factor), across.value(mx + (across.to() - mx) * factor),
            upwards.value(my + (upwards.from() - my) * factor), upwards.value(my + (upwards.to() - my) * factor)}));
    }
}
