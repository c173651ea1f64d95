package knobscape.app.ui.plot;

import java.awt.BasicStroke;
import java.awt.Graphics2D;
import java.awt.RenderingHints;
import java.awt.geom.Path2D;
import java.awt.geom.Rectangle2D;
import java.util.Map;
import java.util.Optional;
import knobscape.app.ui.designs.Standing;
import knobscape.app.ui.plot.Scatter.Points;
import org.jfree.chart.JFreeChart;
import org.jfree.chart.axis.ValueAxis;
import org.jfree.chart.plot.PlotRenderingInfo;
import org.jfree.chart.plot.XYPlot;
import org.jfree.data.xy.DefaultXYDataset;

/// Makes the JFreeChart of a [Scatter]. Points are drawn in bulk by the plot itself: a renderer asked for one item at a time spends most of its time being asked.
final class ScatterChart {
    /// Above this many points, small marks are squares without smoothing.
    private static final int MANY = 4_000;
    private static final double MARGIN = 0.06;
    /// Back to front.
    private static final Standing[] ORDER = {Standing.PENDING, Standing.LOWER, Standing.DOMINATED, Standing.INVALID, Standing.PREDICTED, Standing.FRONT};

    private ScatterChart() {
    }

    /// How a scatter plot is looked at.
    ///
    /// @param xLog logarithmic scale across
    /// @param yLog logarithmic scale upwards
    /// @param window zoomed part `{xLow, xHigh, yLow, yHigh}` in shown units; everything where empty
    record Look(boolean xLog, boolean yLog, Optional<double[]> window) { }

    /// The chart, ready to draw.
    static JFreeChart of(Scatter scatter, Look look, ChartStyle style) {
        double[] w = look.window().orElseGet(() -> padded(scatter.bounds(), look));
        ValueAxis x = RoundAxis.of(scatter.xQuantity().heading(scatter.x().label()), look.xLog() && w[0] > 0, w[0], w[1]);
        ValueAxis y = RoundAxis.of(scatter.yQuantity().heading(scatter.y().label()), look.yLog() && w[2] > 0, w[2], w[3]);
        var plot = new Cloud(scatter, style, x, y);
        return style.dress(plot);
    }

    /// Bounds with a margin; a single value gets room around it; logarithmic only where everything is positive.
    private static double[] padded(double[] b, Look look) {
        double[] x = pad(b[0], b[1], look.xLog());
        double[] y = pad(b[2], b[3], look.yLog());
        return new double[] {x[0], x[1], y[0], y[1]};
    }

    private static double[] pad(double low, double high, boolean log) {
        if (!(high >= low)) {
            return new double[] {1, 10};
        }
        if (log && low > 0) {
            double factor = high > low ? Math.pow(high / low, MARGIN) : 1.5;
            return new double[] {low / factor, high * factor};
        }
        double margin = high > low ? (high - low) * MARGIN : Math.max(Math.abs(high) * 0.2, 1e-9);
        double bottom = low - margin;
        return new double[] {low >= 0 && bottom < 0 ? 0 : bottom, high + margin};
    }

    private static final class Cloud extends XYPlot {
        private static final long serialVersionUID = 1L;
        private final transient Scatter scatter;
        private final transient ChartStyle style;

        Cloud(Scatter scatter, ChartStyle style, ValueAxis x, ValueAxis y) {
            super(new DefaultXYDataset(), x, y, null);
            this.scatter = scatter;
            this.style = style;
        }

        @Override
        public boolean render(Graphics2D g, Rectangle2D area, int index, PlotRenderingInfo info, org.jfree.chart.plot.CrosshairState crosshair) {
            AxisMap across = map(getDomainAxis(), area.getMinX(), area.getMaxX());
            AxisMap upwards = map(getRangeAxis(), area.getMaxY(), area.getMinY());
            int many = scatter.drawn();
            drawAll(g, scatter.faded(), new Mark(Mark.of(Standing.DOMINATED, style.palette()).shape(), true,
                    style.faded(style.palette().dominated(), 0.22)), across, upwards, area, many);
            stairs(g, across, upwards, area);
            for (Standing s : ORDER) {
                drawAll(g, scatter.points().get(s), Mark.of(s, style.palette()), across, upwards, area, many);
            }
            scatter.baseline().ifPresent(b -> drawAll(g, new Points(new int[] {0}, new double[] {b[0]}, new double[] {b[1]}),
                    Mark.baseline(style.palette()), across, upwards, area, 1));
            return true;
        }

        private void stairs(Graphics2D g, AxisMap across, AxisMap upwards, Rectangle2D area) {
            Points p = scatter.stairs();
            if (p.size() < 2) {
                return;
            }
            boolean right = scatter.x().direction() != knobscape.evaluate.Metric.Direction.MAXIMISE;
            var path = new Path2D.Double();
            path.moveTo(across.pixel(p.x()[0]), upwards.pixel(p.y()[0]));
            for (int i = 1; i < p.size(); i++) {
                double x = across.pixel(p.x()[i]);
                double y = upwards.pixel(p.y()[i]);
                if (right) {
                    path.lineTo(x, path.getCurrentPoint().getY());
                } else {
                    path.lineTo(path.getCurrentPoint().getX(), y);
                }
                path.lineTo(x, y);
            }
            var clip = g.getClip();
            g.clip(area);
            g.setPaint(style.faded(style.palette().front(), 0.45));
            g.setStroke(new BasicStroke(1.2f));
            g.draw(path);
            g.setClip(clip);
        }

        private static AxisMap map(ValueAxis axis, double from, double to) {
            return new AxisMap(axis.getLowerBound(), axis.getUpperBound(), axis instanceof org.jfree.chart.axis.LogAxis, from, to);
        }

        private static void drawAll(Graphics2D g, Points p, Mark mark, AxisMap across, AxisMap upwards, Rectangle2D area, int many) {
            if (p.size() == 0) {
                return;
            }
            boolean rough = many > MANY && mark.shape().getBounds2D().getWidth() < 6;
            Map<?, ?> before = g.getRenderingHints();
            if (rough) {
                g.setRenderingHint(RenderingHints.KEY_ANTIALIASING, RenderingHints.VALUE_ANTIALIAS_OFF);
                g.setPaint(mark.colour());
            }
            for (int i = 0; i < p.size(); i++) {
                double x = across.pixel(p.x()[i]);
                double y = upwards.pixel(p.y()[i]);
                if (x < area.getMinX() - 1 || x > area.getMaxX() + 1 || y < area.getMinY() - 1 || y > area.getMaxY() + 1) {
                    continue;
                }
                if (rough) {
                    g.fillRect((int) x - 1, (int) y - 1, 3, 3);
                } else {
                    mark.draw(g, x, y);
                }
            }
            g.setRenderingHints(before);
        }
    }
}
