package knobscape.app.ui.plot;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Graphics2D;
import java.awt.geom.Ellipse2D;
import java.awt.geom.Path2D;
import java.awt.geom.Rectangle2D;
import java.util.List;
import knobscape.app.ui.theme.Palette;
import org.jfree.chart.JFreeChart;
import org.jfree.chart.axis.LogAxis;
import org.jfree.chart.axis.ValueAxis;
import org.jfree.chart.plot.CrosshairState;
import org.jfree.chart.plot.PlotRenderingInfo;
import org.jfree.chart.plot.XYPlot;
import org.jfree.data.xy.DefaultXYDataset;

/// Makes the chart of [Lines]. Lines differ in dash as well as colour.
final class LinesChart {
    private static final double MARGIN = 0.06;
    private static final float[][] DASHES = {{}, {6, 4}, {2, 3}, {8, 3, 2, 3}, {12, 4}};

    private LinesChart() {
    }

    /// Colour of the line at a position.
    static Color colour(int position, Palette p) {
        List<Color> colours = List.of(p.front(), p.invalid(), p.pinned(), p.predicted(), p.baseline(), p.dominated());
        return colours.get(position % colours.size());
    }

    /// Dash of the line at a position; empty for an unbroken one.
    static float[] dash(int position) {
        return DASHES[position % DASHES.length].clone();
    }

    static JFreeChart of(Lines lines, ChartStyle style) {
        double[] b = lines.bounds();
        ValueAxis x = axis(lines.xLabel(), lines.xLog(), b[0], b[1]);
        ValueAxis y = axis(lines.yLabel(), lines.yLog(), b[2], b[3]);
        return style.dress(new Plot(lines, style, x, y));
    }

    private static ValueAxis axis(String label, boolean log, double low, double high) {
        if (log && low > 0) {
            double factor = high > low ? Math.pow(high / low, MARGIN) : 1.5;
            return RoundAxis.of(label, true, low / factor, high * factor);
        }
        double margin = high > low ? (high - low) * MARGIN : Math.max(Math.abs(high) * 0.2, 1e-9);
        return RoundAxis.of(label, false, low >= 0 && low - margin < 0 ? 0 : low - margin, high + margin);
    }

    private static final class Plot extends XYPlot {
        private static final long serialVersionUID = 1L;
        private final transient Lines lines;
        private final transient ChartStyle style;

        Plot(Lines lines, ChartStyle style, ValueAxis x, ValueAxis y) {
            super(new DefaultXYDataset(), x, y, null);
            this.lines = lines;
            this.style = style;
        }

        @Override
        public boolean render(Graphics2D g, Rectangle2D area, int index, PlotRenderingInfo info, CrosshairState crosshair) {
            AxisMap across = map(getDomainAxis(), area.getMinX(), area.getMaxX());
            AxisMap upwards = map(getRangeAxis(), area.getMaxY(), area.getMinY());
            var clip = g.getClip();
            g.clip(area);
            for (int i = lines.lines().size() - 1; i >= 0; i--) {
                Lines.Line line = lines.lines().get(i);
                g.setPaint(colour(i, style.palette()));
                if (line.form() == Lines.Form.DOTS || line.form() == Lines.Form.RINGS) {
                    marks(g, line, across, upwards);
                } else {
                    stroke(g, line, dash(i), across, upwards);
                }
            }
            g.setClip(clip);
            return true;
        }

        private static AxisMap map(ValueAxis axis, double from, double to) {
            return new AxisMap(axis.getLowerBound(), axis.getUpperBound(), axis instanceof LogAxis, from, to);
        }

        private static void marks(Graphics2D g, Lines.Line line, AxisMap across, AxisMap upwards) {
            boolean ring = line.form() == Lines.Form.RINGS;
            double r = ring ? 4.5 : 3;
            g.setStroke(new BasicStroke(1.4f));
            for (int i = 0; i < line.x().length; i++) {
                if (Double.isFinite(line.x()[i]) && Double.isFinite(line.y()[i])) {
                    var mark = new Ellipse2D.Double(across.pixel(line.x()[i]) - r, upwards.pixel(line.y()[i]) - r, 2 * r, 2 * r);
                    if (ring) {
                        g.draw(mark);
                    } else {
                        g.fill(mark);
                    }
                }
            }
        }

        private static void stroke(Graphics2D g, Lines.Line line, float[] dash, AxisMap across, AxisMap upwards) {
            var path = new Path2D.Double();
            boolean begun = false;
            for (int i = 0; i < line.x().length; i++) {
                if (!Double.isFinite(line.x()[i]) || !Double.isFinite(line.y()[i])) {
                    begun = false;
                    continue;
                }
                double x = across.pixel(line.x()[i]);
                double y = upwards.pixel(line.y()[i]);
                if (!begun) {
                    path.moveTo(x, y);
                } else if (line.form() == Lines.Form.STAIRS) {
                    path.lineTo(x, path.getCurrentPoint().getY());
                    path.lineTo(x, y);
                } else {
                    path.lineTo(x, y);
                }
                begun = true;
            }
            g.setStroke(dash.length == 0 ? new BasicStroke(1.6f) : new BasicStroke(1.6f, BasicStroke.CAP_BUTT, BasicStroke.JOIN_ROUND, 1f, dash, 0));
            g.draw(path);
        }
    }
}
