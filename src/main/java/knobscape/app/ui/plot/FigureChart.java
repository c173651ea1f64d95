package knobscape.app.ui.plot;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Graphics2D;
import java.awt.geom.Ellipse2D;
import java.awt.geom.Line2D;
import java.awt.geom.Path2D;
import java.awt.geom.Rectangle2D;
import knobscape.app.ui.plot.Figure.Band;
import knobscape.app.ui.plot.Figure.Bar;
import knobscape.app.ui.plot.Figure.Dot;
import knobscape.app.ui.plot.Figure.Item;
import knobscape.app.ui.plot.Figure.Line;
import knobscape.app.ui.plot.Figure.Panel;
import knobscape.app.ui.plot.Figure.Rule;
import knobscape.app.ui.plot.Figure.Words;
import org.jfree.chart.JFreeChart;
import org.jfree.chart.axis.AxisLocation;
import org.jfree.chart.axis.ValueAxis;
import org.jfree.chart.plot.CombinedDomainXYPlot;
import org.jfree.chart.plot.CrosshairState;
import org.jfree.chart.plot.PlotRenderingInfo;
import org.jfree.chart.plot.XYPlot;
import org.jfree.chart.ui.RectangleInsets;
import org.jfree.data.xy.DefaultXYDataset;

/// Makes the chart of a [Figure].
final class FigureChart {
    private static final float[][] DASHES = {{6, 4}, {2, 3}, {8, 3, 2, 3}, {12, 4}};
    private static final double GAP = 10;
    private static final int LEAST_TEXT_ROOM = 3;

    private FigureChart() {
    }

    static JFreeChart of(Figure figure, ChartStyle style) {
        if (figure.panels().size() == 1) {
            return style.dress(new PanelPlot(figure.panels().getFirst(), style));
        }
        var combined = new CombinedDomainXYPlot(axis(figure.panels().getFirst().across()));
        combined.setGap(GAP);
        for (Panel p : figure.panels()) {
            var plot = new PanelPlot(p, style);
            plot.setDomainAxis(null);
            style.dressPlot(plot);
            plot.setRangeAxisLocation(AxisLocation.BOTTOM_OR_LEFT);
            combined.add(plot, p.share());
        }
        style.dress(combined.getDomainAxis());
        combined.setBackgroundPaint(null);
        combined.setOutlineVisible(false);
        combined.setInsets(new RectangleInsets(0, 0, 0, 0));
        return style.chart(combined);
    }

    private static ValueAxis axis(Figure.Axis a) {
        return RoundAxis.of(a);
    }

    /// The mark of a shape, centred on the origin.
    static Mark mark(Figure.Shape shape, Color colour) {
        return switch (shape) {
            case DISC -> new Mark(new Ellipse2D.Double(-4.5, -4.5, 9, 9), true, colour);
            case DOT -> new Mark(new Ellipse2D.Double(-2.4, -2.4, 4.8, 4.8), true, colour);
            case SQUARE -> new Mark(new Rectangle2D.Double(-4.2, -4.2, 8.4, 8.4), true, colour);
            case BOX -> new Mark(new Rectangle2D.Double(-6, -4, 12, 8), true, colour);
            case LINE -> new Mark(new Line2D.Double(-8, 0, 8, 0), false, colour);
            case DASHES -> dashes(colour);
            case DIAMOND -> diamond(colour);
            case CROSS -> cross(colour);
        };
    }

    private static Mark dashes(Color colour) {
        var path = new Path2D.Double();
        path.moveTo(-8, 0);
        path.lineTo(-3, 0);
        path.moveTo(2, 0);
        path.lineTo(7, 0);
        return new Mark(path, false, colour);
    }

    private static Mark diamond(Color colour) {
        var path = new Path2D.Double();
        path.moveTo(0, -5);
        path.lineTo(5, 0);
        path.lineTo(0, 5);
        path.lineTo(-5, 0);
        path.closePath();
        return new Mark(path, false, colour);
    }

    private static Mark cross(Color colour) {
        var path = new Path2D.Double();
        path.moveTo(-3.2, -3.2);
        path.lineTo(3.2, 3.2);
        path.moveTo(-3.2, 3.2);
        path.lineTo(3.2, -3.2);
        return new Mark(path, false, colour);
    }

    /// One panel.
    private static final class PanelPlot extends XYPlot {
        private static final long serialVersionUID = 1L;
        private final transient Panel panel;
        private final transient ChartStyle style;

        PanelPlot(Panel panel, ChartStyle style) {
            super(new DefaultXYDataset(), axis(panel.across()), axis(panel.upwards()), null);
            this.panel = panel;
            this.style = style;
        }

        @Override
        public boolean render(Graphics2D g, Rectangle2D area, int index, PlotRenderingInfo info, CrosshairState crosshair) {
            Figure.Axis a = panel.across();
            Figure.Axis u = panel.upwards();
            var pen = new Pen(g, style, area, new AxisMap(a.low(), a.high(), a.log(), area.getMinX(), area.getMaxX()),
                    new AxisMap(u.low(), u.high(), u.log(), area.getMaxY(), area.getMinY()));
            var clip = g.getClip();
            g.clip(area);
            panel.items().forEach(pen::draw);
            g.setClip(clip);
            panel.items().forEach(pen::label);
            return true;
        }
    }

    /// Draws items into one panel.
    private record Pen(Graphics2D g, ChartStyle style, Rectangle2D area, AxisMap across, AxisMap upwards) {

        private Color colour(Hue hue) {
            return hue.in(style.palette());
        }

        /// Pixel of a value; one off a logarithmic axis lies at its low end.
        private double x(double value) {
            return across.pixel(across.log() && value < across.low() ? across.low() : value);
        }

        private double y(double value) {
            return upwards.pixel(upwards.log() && value < upwards.low() ? upwards.low() : value);
        }

        void draw(Item item) {
            switch (item) {
                case Bar b -> bar(b);
                case Line l -> line(l);
                case Dot d -> mark(d.shape(), colour(d.hue())).draw(g, x(d.x()), y(d.y()));
                case Rule r -> rule(r);
                case Words w -> words(w);
                case Band b -> band(b);
            }
        }

        private void bar(Bar b) {
            double left = x(b.left());
            double right = x(b.right());
            double top = y(b.top());
            double bottom = y(b.bottom());
            g.setPaint(style.faded(colour(b.hue()), b.strength()));
            g.fill(new Rectangle2D.Double(left, top, Math.max(right - left, 0.5), Math.max(bottom - top, b.top() > b.bottom() ? 0.75 : 0)));
        }

        private void line(Line l) {
            if (l.x().length == 1) {
                draw(new Dot(l.x()[0], l.y()[0], Figure.Shape.DISC, l.hue(), "", Figure.NO_KEY));
                return;
            }
            var path = new Path2D.Double();
            double lastY = Double.NaN;
            for (int i = 0; i < l.x().length; i++) {
                if (!Double.isFinite(l.y()[i])) {
                    lastY = Double.NaN;
                    continue;
                }
                double px = x(l.x()[i]);
                double py = y(l.y()[i]);
                if (Double.isNaN(lastY)) {
                    path.moveTo(px, py);
                } else {
                    if (l.stairs()) {
                        path.lineTo(px, lastY);
                    }
                    path.lineTo(px, py);
                }
                lastY = py;
            }
            g.setPaint(colour(l.hue()));
            g.setStroke(l.dash() == 0 ? new BasicStroke((float) l.width())
                    : new BasicStroke((float) l.width(), BasicStroke.CAP_BUTT, BasicStroke.JOIN_ROUND, 1f, DASHES[(l.dash() - 1) % DASHES.length], 0));
            g.draw(path);
        }

        private void rule(Rule r) {
            g.setPaint(colour(r.hue()));
            g.setStroke(r.broken() ? new BasicStroke(1.4f, BasicStroke.CAP_BUTT, BasicStroke.JOIN_ROUND, 1f, DASHES[0], 0) : new BasicStroke(1.4f));
            g.draw(r.upright() ? new Line2D.Double(x(r.at()), area.getMinY(), x(r.at()), area.getMaxY())
                    : new Line2D.Double(area.getMinX(), y(r.at()), area.getMaxX(), y(r.at())));
        }

        private void words(Words w) {
            g.setFont(style.font());
            g.setPaint(colour(w.hue()));
            double width = g.getFontMetrics().stringWidth(w.text());
            double left = x(w.x()) - (w.centred() ? width / 2 : 0);
            g.drawString(w.text(), (float) Math.clamp(left, area.getMinX(), Math.max(area.getMinX(), area.getMaxX() - width)), (float) y(w.y()) - 3);
        }

        private void band(Band b) {
            var path = new Path2D.Double();
            for (int i = 0; i < b.x().length; i++) {
                if (i == 0) {
                    path.moveTo(x(b.x()[i]), y(b.high()[i]));
                } else {
                    path.lineTo(x(b.x()[i]), y(b.high()[i]));
                }
            }
            for (int i = b.x().length - 1; i >= 0; i--) {
                path.lineTo(x(b.x()[i]), y(b.low()[i]));
            }
            if (b.x().length > 1) {
                path.closePath();
                g.setPaint(style.faded(colour(b.hue()), 0.25));
                g.fill(path);
            }
        }

        /// Words that may stand over everything else.
        void label(Item item) {
            if (item instanceof Rule r && !r.words().isEmpty()) {
                g.setFont(style.font());
                g.setPaint(colour(r.hue()));
                int width = g.getFontMetrics().stringWidth(r.words());
                int height = g.getFontMetrics().getAscent();
                double px = r.upright() ? Math.min(x(r.at()) + LEAST_TEXT_ROOM, area.getMaxX() - width) : area.getMaxX() - width;
                double py = r.upright() ? area.getMinY() + height : y(r.at()) - LEAST_TEXT_ROOM;
                if (area.contains(Math.clamp(px, area.getMinX(), area.getMaxX()), Math.clamp(py, area.getMinY(), area.getMaxY()))) {
                    g.drawString(r.words(), (float) px, (float) (py - height < area.getMinY() ? py + height + 2 * LEAST_TEXT_ROOM : py));
                }
            }
        }
    }
}
