package knobscape.app.ui.plot;

import java.awt.Graphics2D;
import java.awt.RenderingHints;
import java.awt.geom.Rectangle2D;
import java.awt.image.BufferedImage;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import knobscape.app.ui.plot.Figure.Tip;
import knobscape.app.ui.task.ScreenThread;
import org.jfree.chart.ChartRenderingInfo;
import org.jfree.chart.JFreeChart;

/// A drawn [Figure]: its pixels, and where the panels lie, so that what is under the mouse can be found. Made
/// away from the screen.
///
/// @param plot what the figure was made of
/// @param figure what was drawn
/// @param paper what it was drawn on, until that is drawn on again
/// @param width size across in the window's units
/// @param height size down in the window's units
/// @param areas the data area of every panel in the window's units
record FigureFrame(Plot plot, Figure figure, Paper paper, double width, double height, List<Rectangle2D> areas) {
    private static final double STEP = 3;
    private static final double REACH = 12;
    private static final double CLOUD_REACH = 9;
    private static final double BUNDLE_REACH = 8;

    FigureFrame {
        areas = List.copyOf(areas);
    }

    /// The mark under the mouse.
    ///
    /// @param tip words about it
    /// @param key what a click chooses, or [Figure#NO_KEY]
    record Hit(Tip tip, int key) {}

    /// Draws a plot.
    ///
    /// @param window the part of it that is shown, as of [Figure#zoomed]; everything where empty
    /// @param scale pixels per unit of the window
    /// @param spare what to draw on
    static FigureFrame draw(
            Plot plot,
            Optional<double[]> window,
            ChartStyle style,
            double width,
            double height,
            double scale,
            Paper.Spare spare) {
        ScreenThread.mustNotBe("drawing a figure");
        Figure whole = plot.figure(width, height);
        Figure figure = window.map(whole::zoomed).orElse(whole);
        JFreeChart chart = FigureChart.of(figure, style);
        Paper paper = spare.take(pixels(width, scale), pixels(height, scale));
        Graphics2D g = graphics(paper.picture(), scale);
        var info = new ChartRenderingInfo(null);
        chart.draw(g, new Rectangle2D.Double(0, 0, width, height), info);
        g.dispose();
        int panels = figure.panels().size();
        var areas = IntStream.range(0, panels)
                .mapToObj(i -> panels == 1
                        ? info.getPlotInfo().getDataArea()
                        : info.getPlotInfo().getSubplotInfo(i).getDataArea())
                .toList();
        return new FigureFrame(plot, figure, paper, width, height, areas);
    }

    static BufferedImage blank(double width, double height, double scale) {
        return new BufferedImage(pixels(width, scale), pixels(height, scale), BufferedImage.TYPE_INT_ARGB_PRE);
    }

    private static int pixels(double length, double scale) {
        return Math.max(1, (int) Math.ceil(length * scale));
    }

    static Graphics2D graphics(BufferedImage image, double scale) {
        Graphics2D g = image.createGraphics();
        g.setRenderingHint(RenderingHints.KEY_ANTIALIASING, RenderingHints.VALUE_ANTIALIAS_ON);
        g.setRenderingHint(RenderingHints.KEY_TEXT_ANTIALIASING, RenderingHints.VALUE_TEXT_ANTIALIAS_ON);
        g.setRenderingHint(RenderingHints.KEY_STROKE_CONTROL, RenderingHints.VALUE_STROKE_PURE);
        g.setRenderingHint(RenderingHints.KEY_FRACTIONALMETRICS, RenderingHints.VALUE_FRACTIONALMETRICS_ON);
        g.scale(scale, scale);
        return g;
    }

    /// The pixels: ARGB, premultiplied, row by row.
    int[] pixels() {
        return paper.pixels();
    }

    /// The pixels as a picture.
    BufferedImage picture() {
        return paper.picture();
    }

    /// Which share of a rectangle, in the window's units, something is drawn in: of its pixels every third in either
    /// direction that has another colour than the figure's upper left corner.
    double covered(Rectangle2D part) {
        double scale = picture().getWidth() / width;
        int[] all = pixels();
        int ground = pixel(all, 0, 0, scale);
        int drawn = 0;
        int seen = 0;
        for (double y = part.getMinY(); y < part.getMaxY(); y += STEP) {
            for (double x = part.getMinX(); x < part.getMaxX(); x += STEP) {
                seen++;
                drawn += pixel(all, x, y, scale) == ground ? 0 : 1;
            }
        }
        return seen == 0 ? 0 : (double) drawn / seen;
    }

    private int pixel(int[] all, double x, double y, double scale) {
        int px = Math.clamp((long) (x * scale), 0, picture().getWidth() - 1);
        int py = Math.clamp((long) (y * scale), 0, picture().getHeight() - 1);
        return all[py * picture().getWidth() + px];
    }

    /// The horizontal axis in the window's units.
    AxisMap across() {
        return map(figure.panels().getFirst().across(), areas.getFirst(), true);
    }

    /// The first panel's vertical axis in the window's units.
    AxisMap upwards() {
        return map(figure.panels().getFirst().upwards(), areas.getFirst(), false);
    }

    private static AxisMap map(Figure.Axis a, Rectangle2D area, boolean across) {
        return across
                ? new AxisMap(a.low(), a.high(), a.log(), area.getMinX(), area.getMaxX())
                : new AxisMap(a.low(), a.high(), a.log(), area.getMaxY(), area.getMinY());
    }

    /// Label of the axis beside which a place lies.
    Optional<String> axisAt(double x, double y) {
        for (int i = 0; i < areas.size(); i++) {
            Rectangle2D area = areas.get(i);
            if (x < area.getMinX() && area.getMinY() <= y && y <= area.getMaxY()) {
                return Optional.of(figure.panels().get(i).upwards().label());
            }
        }
        return y > areas.getLast().getMaxY() && x >= areas.getLast().getMinX()
                ? Optional.of(figure.panels().getFirst().across().label())
                : Optional.empty();
    }

    /// The topmost thing near a place: a point before a bar, a bar before a curve.
    Optional<Hit> at(double x, double y) {
        for (int i = 0; i < areas.size(); i++) {
            Rectangle2D area = areas.get(i);
            if (area.getMinX() - REACH <= x
                    && x <= area.getMaxX() + REACH
                    && area.getMinY() - 2 <= y
                    && y <= area.getMaxY() + 2) {
                Figure.Panel p = figure.panels().get(i);
                AxisMap across = across();
                AxisMap upwards = map(p.upwards(), area, false);
                return point(p, across, upwards, x, y)
                        .or(() -> bar(p, across, upwards, x, y))
                        .or(() -> bundle(p, across, upwards, x, y))
                        .or(() -> line(p, across, upwards, x, y));
            }
        }
        return Optional.empty();
    }

    /// The nearest point; of several at one place that of a cloud, the last drawn.
    private static Optional<Hit> point(Figure.Panel p, AxisMap across, AxisMap upwards, double x, double y) {
        Optional<Hit> best = Optional.empty();
        double nearest = CLOUD_REACH;
        for (Figure.Item item : p.items().reversed()) {
            if (item instanceof Figure.Cloud c && c.key().length > 0) {
                int found = -1;
                for (int i = 0; i < c.places().size(); i++) {
                    double distance = Math.hypot(
                            across.pixel(c.places().x(i)) - x,
                            upwards.pixel(c.places().y(i)) - y);
                    if (distance < nearest) {
                        nearest = distance;
                        found = i;
                    }
                }
                if (found >= 0) {
                    best = Optional.of(new Hit(c.tip().apply(c.key()[found]), c.key()[found]));
                }
            }
        }
        nearest = best.isPresent() ? nearest : Math.nextUp(REACH);
        for (Figure.Item item : p.items().reversed()) {
            if (item instanceof Figure.Dot d && !d.tip().isEmpty()) {
                double distance = Math.hypot(across.pixel(d.x()) - x, upwards.pixel(d.y()) - y);
                if (distance < nearest) {
                    nearest = distance;
                    best = Optional.of(new Hit(Tip.of(d.tip()), d.key()));
                }
            }
        }
        return best;
    }

    /// The line of a bundle nearest above or below.
    private static Optional<Hit> bundle(Figure.Panel p, AxisMap across, AxisMap upwards, double x, double y) {
        Optional<Hit> best = Optional.empty();
        double nearest = BUNDLE_REACH;
        double at = across.value(x);
        int left = (int) Math.floor(at);
        for (Figure.Item item : p.items()) {
            if (item instanceof Figure.Bundle b && b.key().length > 0 && left >= 0) {
                for (int i = 0; i < b.y().length; i++) {
                    if (left + 1 < b.y()[i].length) {
                        double distance = Math.abs(
                                upwards.pixel(b.y()[i][left] * (left + 1 - at) + b.y()[i][left + 1] * (at - left)) - y);
                        if (distance < nearest) {
                            nearest = distance;
                            best = Optional.of(new Hit(b.tip().apply(b.key()[i]), b.key()[i]));
                        }
                    }
                }
            }
        }
        return best;
    }

    /// The last bar drawn there; where none is, one that stands in this column.
    private static Optional<Hit> bar(Figure.Panel p, AxisMap across, AxisMap upwards, double x, double y) {
        Optional<Hit> exact = Optional.empty();
        Optional<Hit> column = Optional.empty();
        double vx = across.value(x);
        double vy = upwards.value(y);
        for (Figure.Item item : p.items()) {
            if (item instanceof Figure.Bar b && !b.tip().isEmpty() && b.left() <= vx && vx <= b.right()) {
                column = Optional.of(new Hit(Tip.of(b.tip()), b.key()));
                exact = b.bottom() <= vy && vy <= b.top() ? column : exact;
            }
        }
        return exact.isPresent() ? exact : column;
    }

    private static Optional<Hit> line(Figure.Panel p, AxisMap across, AxisMap upwards, double x, double y) {
        Optional<Hit> best = Optional.empty();
        double nearest = REACH;
        for (Figure.Item item : p.items()) {
            if (item instanceof Figure.Line l && !l.title().isEmpty()) {
                for (int i = 0; i < l.x().length; i++) {
                    double distance = Double.isFinite(l.y()[i])
                            ? Math.hypot(across.pixel(l.x()[i]) - x, upwards.pixel(l.y()[i]) - y)
                            : REACH + 1;
                    if (distance < nearest) {
                        nearest = distance;
                        best = Optional.of(new Hit(
                                Tip.of(l.title() + ": " + AxisTicks.exact(l.y()[i]) + " at "
                                        + AxisTicks.exact(l.x()[i])),
                                Figure.NO_KEY));
                    }
                }
            }
        }
        return best;
    }
}
