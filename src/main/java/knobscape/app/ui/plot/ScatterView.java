package knobscape.app.ui.plot;

import java.util.EnumSet;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import javafx.beans.property.BooleanProperty;
import javafx.beans.property.SimpleBooleanProperty;
import javafx.collections.ListChangeListener;
import javafx.geometry.Point2D;
import javafx.scene.canvas.GraphicsContext;
import javafx.scene.input.ContextMenuEvent;
import javafx.scene.input.KeyEvent;
import javafx.scene.input.MouseEvent;
import javafx.scene.paint.Color;
import javafx.scene.text.Font;
import knobscape.app.ui.designs.DesignStanding;
import knobscape.app.ui.designs.Results;
import knobscape.app.ui.designs.Results.VisibleDesigns;
import knobscape.app.ui.designs.WhatIf;
import knobscape.app.ui.theme.Hue;
import knobscape.app.ui.theme.ThemeService;
import knobscape.evaluate.Metric;
import knobscape.explore.Prediction;
import knobscape.project.Design;

/// One scatter plot of two metrics. Click selects; left and right walk the front.
final class ScatterView extends FigureView {
    private final Results results;
    private final Metric x;
    private final Metric y;
    private final BooleanProperty log = new SimpleBooleanProperty();
    private Set<DesignStanding> hidden = EnumSet.noneOf(DesignStanding.class);

    ScatterView(PlotContext context, Results results, Metric x, Metric y) {
        this.results = results;
        this.x = x;
        this.y = y;
        super(context, title(x, y), NOTHING_TO_CHOOSE);
        leaveWordsOut();
        allowZoom();
        setFocusTraversable(true);
        log.addListener((o, was, is) -> {
            zoom(Optional.empty());
            refresh();
        });
        results.shown().addListener((o, was, is) -> refresh());
        results.selected().addListener((o, was, is) -> repaintOverlay());
        results.whatIf().addListener((o, was, is) -> repaintOverlay());
        results.pins().addListener((ListChangeListener<Integer>) c -> repaintOverlay());
        addEventHandler(MouseEvent.MOUSE_PRESSED, e -> requestFocus());
        // A menu is about what is under the mouse; whoever shows it comes after.
        surface().addEventHandler(ContextMenuEvent.CONTEXT_MENU_REQUESTED, e -> {
            if (!e.isKeyboardTrigger()) {
                at(e.getX(), e.getY()).ifPresent(hit -> clicked(Optional.of(hit)));
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
        refresh();
    }

    /// Metric across.
    Metric x() {
        return x;
    }

    /// Metric upwards.
    Metric y() {
        return y;
    }

    /// The plotted values, in words.
    String title() {
        return title(x, y);
    }

    private static String title(Metric x, Metric y) {
        return x.label() + "\u2013"
                + (y.label().equals(y.label().toUpperCase(Locale.ROOT))
                        ? y.label()
                        : y.label().toLowerCase(Locale.ROOT));
    }

    /// True if both scales are logarithmic.
    BooleanProperty log() {
        return log;
    }

    /// Leaves kinds of design out.
    void hide(Set<DesignStanding> kinds) {
        hidden = EnumSet.noneOf(DesignStanding.class);
        hidden.addAll(kinds);
        refresh();
    }

    private void refresh() {
        VisibleDesigns shown = results.shown().get();
        Set<DesignStanding> leaveOut = EnumSet.copyOf(hidden);
        boolean logarithmic = log.get();
        show(
                shown.set().size() == 0 && shown.set().baseline().isEmpty()
                        ? Content.empty(results.nothing("Nothing has been evaluated yet"))
                        : Content.plot(() -> Scatter.of(shown, x, y, logarithmic, leaveOut)));
    }

    @Override
    String words(Optional<Figure> figure) {
        VisibleDesigns shown = results.shown().get();
        return title() + ": " + shown.set().count(DesignStanding.FRONT) + " designs on the front, "
                + shown.set().count(DesignStanding.DOMINATED) + " dominated, "
                + shown.set().count(DesignStanding.INVALID) + " invalid; " + shown.count() + " of "
                + shown.set().size() + " pass the filter";
    }

    @Override
    void clicked(Optional<FigureFrame.Hit> hit) {
        results.select(hit.map(FigureFrame.Hit::key).orElse(Results.NOTHING));
    }

    @Override
    void overlay(GraphicsContext g, FigureFrame f) {
        for (int slot = 1; slot <= results.pins().size(); slot++) {
            String label = Integer.toString(slot);
            place(f, results.pins().get(slot - 1)).ifPresent(at -> paintPin(g, at, label));
        }
        results.selectedDesign().ifPresent(d -> paintSelected(g, f, d));
        results.whatIf().get().ifPresent(w -> paintWhatIf(g, f, w));
        if (hovered() >= 0 && hovered() != results.selected().get()) {
            place(f, hovered()).ifPresent(at -> ring(g, at, 7, 1));
        }
    }

    private Optional<Point2D> place(FigureFrame f, int number) {
        if (!(f.plot() instanceof Scatter s)) {
            return Optional.empty();
        }
        return number == Results.BASELINE
                ? s.baseline()
                        .map(b ->
                                new Point2D(f.across().pixel(b[0]), f.upwards().pixel(b[1])))
                : results.set().indexOf(number).stream().boxed().findFirst().flatMap(i -> {
                    var vx = results.set().shownValue(i, x.name());
                    var vy = results.set().shownValue(i, y.name());
                    return vx.isPresent() && vy.isPresent()
                            ? Optional.of(raw(f, vx.getAsDouble(), vy.getAsDouble()))
                            : Optional.empty();
                });
    }

    private static Point2D raw(FigureFrame f, double vx, double vy) {
        Scatter s = (Scatter) f.plot();
        return new Point2D(
                f.across().pixel(vx / s.x().quantity().divisor()),
                f.upwards().pixel(vy / s.y().quantity().divisor()));
    }

    private void paintPin(GraphicsContext g, Point2D at, String label) {
        Color pin = ink(Hue.PINNED);
        g.setStroke(pin);
        g.setLineWidth(2);
        g.strokeOval(at.getX() - 6, at.getY() - 6, 12, 12);
        g.setFill(pin);
        g.fillRoundRect(at.getX() + 5, at.getY() - 17, 13, 13, 4, 4);
        g.setFill(Color.WHITE);
        g.setFont(Font.font(ThemeService.FONT, 10));
        g.fillText(label, at.getX() + 8.5, at.getY() - 7);
    }

    /// The selected design with a ring, and what was predicted of it: interval bars and a dashed line to what
    /// was measured.
    private void paintSelected(GraphicsContext g, FigureFrame f, Design d) {
        Optional<Point2D> at = place(f, d.number());
        Optional<Prediction.Interval> px = d.prediction().map(q -> q.metrics().get(x.name()));
        Optional<Prediction.Interval> py = d.prediction().map(q -> q.metrics().get(y.name()));
        if (px.isPresent() && py.isPresent()) {
            Color ink = ink(Hue.PREDICTED);
            Point2D middle = raw(f, px.get().median(), py.get().median());
            Point2D low = raw(f, px.get().low(), py.get().low());
            Point2D high = raw(f, px.get().high(), py.get().high());
            g.save();
            g.beginPath();
            g.rect(
                    f.across().from(),
                    f.upwards().to(),
                    f.across().to() - f.across().from(),
                    f.upwards().from() - f.upwards().to());
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
            g.strokePolygon(
                    new double[] {middle.getX(), middle.getX() + 5, middle.getX(), middle.getX() - 5},
                    new double[] {middle.getY() - 5, middle.getY(), middle.getY() + 5, middle.getY()},
                    4);
            g.restore();
        }
        at.filter(a -> f.across().holds(a.getX()) && f.upwards().holds(a.getY()))
                .ifPresent(a -> ring(g, a, 8, 2));
    }

    /// The design tried out: where it is expected, with its interval, and the way there from the selected design.
    private void paintWhatIf(GraphicsContext g, FigureFrame f, WhatIf w) {
        Prediction.Interval px = w.prediction().metrics().get(x.name());
        Prediction.Interval py = w.prediction().metrics().get(y.name());
        if (px == null || py == null || !(f.plot() instanceof Scatter)) {
            return;
        }
        Point2D middle = raw(f, px.median(), py.median());
        Point2D low = raw(f, px.low(), py.low());
        Point2D high = raw(f, px.high(), py.high());
        double left = f.across().from();
        double right = f.across().to();
        double top = f.upwards().to();
        double bottom = f.upwards().from();
        g.save();
        g.beginPath();
        g.rect(left, top, right - left, bottom - top);
        g.clip();
        g.setStroke(ink(Hue.PREDICTED));
        g.setLineWidth(2);
        g.strokeLine(clip(low.getX()), middle.getY(), clip(high.getX()), middle.getY());
        g.strokeLine(middle.getX(), clip(low.getY()), middle.getX(), clip(high.getY()));
        g.setLineWidth(1.2);
        place(f, results.selected().get()).ifPresent(from -> {
            g.setLineDashes(3, 3);
            g.strokeLine(from.getX(), from.getY(), middle.getX(), middle.getY());
            g.setLineDashes();
        });
        g.restore();
        g.setFill(ink(Hue.PREDICTED));
        g.setFont(Font.font(ThemeService.FONT, 12));
        var text = new javafx.scene.text.Text(w.words());
        text.setFont(g.getFont());
        double width = text.getLayoutBounds().getWidth();
        g.fillText(
                w.words(),
                Math.clamp(middle.getX() + 8, left + 4, Math.max(left + 4, right - width - 4)),
                Math.clamp(middle.getY() - 10, top + 14, Math.max(top + 14, bottom - 6)));
    }

    private static double clip(double v) {
        return Double.isFinite(v) ? Math.clamp(v, -1e4, 1e4) : 0;
    }

    private void ring(GraphicsContext g, Point2D at, double r, double width) {
        g.setStroke(ink(Hue.SELECTED));
        g.setLineWidth(width);
        g.strokeOval(at.getX() - r, at.getY() - r, 2 * r, 2 * r);
    }
}
