package knobscape.app.ui.plot;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Graphics2D;
import java.awt.geom.Ellipse2D;
import java.awt.geom.Path2D;
import java.awt.geom.Rectangle2D;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import knobscape.project.RunResults.TracePoint;
import org.jfree.chart.JFreeChart;
import org.jfree.chart.axis.ValueAxis;
import org.jfree.chart.plot.CrosshairState;
import org.jfree.chart.plot.PlotRenderingInfo;
import org.jfree.chart.plot.XYPlot;
import org.jfree.data.xy.DefaultXYDataset;

/// Makes the chart of hypervolume against tool hours: stairs, since the front does not change between two results. The run looked at is thick; the others
/// differ in dash as well as colour and carry their name at the end.
final class CurvesChart {
    private static final double SECONDS_PER_HOUR = 3600;
    private static final float[][] DASHES = {{6, 4}, {2, 3}, {8, 3, 2, 3}, {12, 4}};

    private CurvesChart() {
    }

    static JFreeChart of(Curves curves, ChartStyle style) {
        double right = 0;
        double low = Double.POSITIVE_INFINITY;
        double high = Double.NEGATIVE_INFINITY;
        for (Curves.Curve c : curves.curves()) {
            for (TracePoint p : c.points()) {
                right = Math.max(right, p.toolSeconds() / SECONDS_PER_HOUR);
                if (Double.isFinite(p.hypervolume())) {
                    low = Math.min(low, p.hypervolume());
                    high = Math.max(high, p.hypervolume());
                }
            }
        }
        double margin = high > low ? (high - low) * 0.08 : Math.max(Math.abs(high) * 0.1, 1e-6);
        ValueAxis x = RoundAxis.of("Tool hours", false, 0, right > 0 ? right * 1.04 : 1);
        ValueAxis y = RoundAxis.of("Hypervolume", false, Double.isFinite(low) ? Math.max(0, low - margin) : 0, Double.isFinite(high) ? high + margin : 1);
        return style.dress(new Stairs(curves, style, x, y));
    }

    /// Where a title of a size stands that belongs to a point: left above it, else under what is taken there; empty where that is outside.
    static Optional<Rectangle2D> place(Rectangle2D area, List<Rectangle2D> taken, double x, double y, double width, double height) {
        double left = Math.max(area.getMinX(), Math.min(x, area.getMaxX()) - width);
        for (double top = Math.max(area.getMinY(), y - height); top + height <= area.getMaxY(); top += height) {
            var box = new Rectangle2D.Double(left, top, width, height);
            if (taken.stream().noneMatch(box::intersects)) {
                return Optional.of(box);
            }
        }
        return Optional.empty();
    }

    private static final class Stairs extends XYPlot {
        private static final long serialVersionUID = 1L;
        private final transient Curves curves;
        private final transient ChartStyle style;

        Stairs(Curves curves, ChartStyle style, ValueAxis x, ValueAxis y) {
            super(new DefaultXYDataset(), x, y, null);
            this.curves = curves;
            this.style = style;
        }

        @Override
        public boolean render(Graphics2D g, Rectangle2D area, int index, PlotRenderingInfo info, CrosshairState crosshair) {
            var across = new AxisMap(getDomainAxis().getLowerBound(), getDomainAxis().getUpperBound(), false, area.getMinX(), area.getMaxX());
            var upwards = new AxisMap(getRangeAxis().getLowerBound(), getRangeAxis().getUpperBound(), false, area.getMaxY(), area.getMinY());
            List<Curves.Curve> all = curves.curves();
            int other = 0;
            for (int i = all.size() - 1; i >= 0; i--) {
                Curves.Curve c = all.get(i);
                if (c.current()) {
                    continue;
                }
                draw(g, c, style.palette().muted(), new BasicStroke(1.2f, BasicStroke.CAP_BUTT, BasicStroke.JOIN_ROUND, 1f, DASHES[other % DASHES.length], 0),
                        across, upwards, area, false);
                other++;
            }
            all.stream().filter(Curves.Curve::current)
                    .forEach(c -> draw(g, c, style.palette().front(), new BasicStroke(2f), across, upwards, area, true));
            if (all.size() > 1) {
                g.setFont(style.font());
                var taken = new ArrayList<Rectangle2D>();
                all.stream().sorted(java.util.Comparator.comparing(c -> !c.current())).forEach(c -> name(g, c, across, upwards, area, taken));
            }
            return true;
        }

        /// Writes a curve's title at its end, within the plot and beside no other: equal curves end at one point. One that finds no room is left out.
        private void name(Graphics2D g, Curves.Curve curve, AxisMap across, AxisMap upwards, Rectangle2D area, List<Rectangle2D> taken) {
            curve.points().stream().filter(p -> Double.isFinite(p.hypervolume())).reduce((a, b) -> b).ifPresent(last -> {
                var metrics = g.getFontMetrics();
                double x = across.pixel(last.toolSeconds() / SECONDS_PER_HOUR);
                double y = upwards.pixel(last.hypervolume());
                place(area, taken, x, y, metrics.stringWidth(curve.title()), metrics.getHeight()).ifPresent(box -> {
                    taken.add(box);
                    g.setPaint(curve.current() ? style.palette().front() : style.palette().muted());
                    g.drawString(curve.title(), (float) box.getX(), (float) (box.getMaxY() - metrics.getDescent()));
                });
            });
        }

        private void draw(Graphics2D g, Curves.Curve curve, Color colour, BasicStroke stroke, AxisMap across, AxisMap upwards, Rectangle2D area, boolean dots) {
            var path = new Path2D.Double();
            double lastX = Double.NaN;
            double lastY = Double.NaN;
            for (TracePoint p : curve.points()) {
                if (!Double.isFinite(p.hypervolume())) {
                    continue;
                }
                double x = across.pixel(p.toolSeconds() / SECONDS_PER_HOUR);
                double y = upwards.pixel(p.hypervolume());
                if (Double.isNaN(lastX)) {
                    path.moveTo(x, y);
                } else {
                    path.lineTo(x, lastY);
                    path.lineTo(x, y);
                }
                lastX = x;
                lastY = y;
            }
            if (Double.isNaN(lastX)) {
                return;
            }
            var clip = g.getClip();
            g.clip(area);
            g.setPaint(colour);
            g.setStroke(stroke);
            g.draw(path);
            if (dots) {
                for (TracePoint p : curve.points()) {
                    if (Double.isFinite(p.hypervolume()) && curve.points().size() <= 200) {
                        double x = across.pixel(p.toolSeconds() / SECONDS_PER_HOUR);
                        double y = upwards.pixel(p.hypervolume());
                        g.fill(new Ellipse2D.Double(x - 2.2, y - 2.2, 4.4, 4.4));
                    }
                }
            }
            g.setClip(clip);
        }
    }
}
