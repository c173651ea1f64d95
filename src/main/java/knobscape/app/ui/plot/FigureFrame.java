package knobscape.app.ui.plot;

import java.awt.Graphics2D;
import java.awt.geom.Rectangle2D;
import java.awt.image.BufferedImage;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import knobscape.app.ui.task.ScreenThread;
import org.jfree.chart.ChartRenderingInfo;
import org.jfree.chart.JFreeChart;

/// A drawn [Figure]: its pixels, and where the panels lie, so that what is under the mouse can be found.
///
/// @param frame the picture
/// @param figure what was drawn
/// @param areas the data area of every panel in the window's units
record FigureFrame(ChartFrame frame, Figure figure, List<Rectangle2D> areas) {
    private static final double REACH = 12;

    FigureFrame {
        areas = List.copyOf(areas);
    }

    /// What is under the mouse.
    ///
    /// @param tip words about it
    /// @param key what a click chooses, or [Figure#NO_KEY]
    record Hit(String tip, int key) { }

    static FigureFrame draw(Figure figure, ChartStyle style, double width, double height, double scale) {
        ScreenThread.mustNotBe("drawing a figure");
        JFreeChart chart = FigureChart.of(figure, style);
        BufferedImage image = ChartFrame.blank(width, height, scale);
        Graphics2D g = ChartFrame.graphics(image, scale);
        var info = new ChartRenderingInfo(null);
        chart.draw(g, new Rectangle2D.Double(0, 0, width, height), info);
        g.dispose();
        var areas = new ArrayList<Rectangle2D>();
        if (figure.panels().size() == 1) {
            areas.add(info.getPlotInfo().getDataArea());
        } else {
            for (int i = 0; i < figure.panels().size(); i++) {
                areas.add(info.getPlotInfo().getSubplotInfo(i).getDataArea());
            }
        }
        Figure.Panel first = figure.panels().getFirst();
        return new FigureFrame(ChartFrame.of(image, width, height, map(first.across(), areas.getFirst(), true), map(first.upwards(), areas.getFirst(), false)), figure, areas);
    }

    private static AxisMap map(Figure.Axis a, Rectangle2D area, boolean across) {
        return across ? new AxisMap(a.low(), a.high(), a.log(), area.getMinX(), area.getMaxX()) : new AxisMap(a.low(), a.high(), a.log(), area.getMaxY(), area.getMinY());
    }

    /// The topmost thing near a place: a point before a bar, a bar before a curve.
    Optional<Hit> at(double x, double y) {
        for (int i = 0; i < areas.size(); i++) {
            Rectangle2D area = areas.get(i);
            if (area.getMinX() - REACH <= x && x <= area.getMaxX() + REACH && area.getMinY() - 2 <= y && y <= area.getMaxY() + 2) {
                Figure.Panel p = figure.panels().get(i);
                AxisMap across = map(figure.panels().getFirst().across(), area, true);
                AxisMap upwards = map(p.upwards(), area, false);
                return dot(p, across, upwards, x, y).or(() -> bar(p, across, upwards, x, y)).or(() -> line(p, across, upwards, x, y));
            }
        }
        return Optional.empty();
    }

    private static Optional<Hit> dot(Figure.Panel p, AxisMap across, AxisMap upwards, double x, double y) {
        Optional<Hit> best = Optional.empty();
        double nearest = REACH;
        for (Figure.Item item : p.items()) {
            if (item instanceof Figure.Dot d && !d.tip().isEmpty()) {
                double distance = Math.hypot(across.pixel(d.x()) - x, upwards.pixel(d.y()) - y);
                if (distance <= nearest) {
                    nearest = distance;
                    best = Optional.of(new Hit(d.tip(), d.key()));
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
                column = Optional.of(new Hit(b.tip(), b.key()));
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
                    double distance = Double.isFinite(l.y()[i]) ? Math.hypot(across.pixel(l.x()[i]) - x, upwards.pixel(l.y()[i]) - y) : REACH + 1;
                    if (distance < nearest) {
                        nearest = distance;
                        best = Optional.of(new Hit(l.title() + ": " + Ticks.label(l.y()[i], 0) + " at " + Ticks.label(l.x()[i], 0), Figure.NO_KEY));
                    }
                }
            }
        }
        return best;
    }
}
