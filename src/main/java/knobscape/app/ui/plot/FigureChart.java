package knobscape.app.ui.plot;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.FontMetrics;
import java.awt.Graphics2D;
import java.awt.RenderingHints;
import java.awt.geom.Line2D;
import java.awt.geom.Path2D;
import java.awt.geom.Rectangle2D;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import knobscape.app.ui.plot.Figure.Band;
import knobscape.app.ui.plot.Figure.Bar;
import knobscape.app.ui.plot.Figure.Bundle;
import knobscape.app.ui.plot.Figure.Cloud;
import knobscape.app.ui.plot.Figure.Dot;
import knobscape.app.ui.plot.Figure.Item;
import knobscape.app.ui.plot.Figure.Label;
import knobscape.app.ui.plot.Figure.Line;
import knobscape.app.ui.plot.Figure.Panel;
import knobscape.app.ui.plot.Figure.Rule;
import knobscape.app.ui.plot.Figure.Words;
import knobscape.app.ui.theme.Hue;
import org.jfree.chart.JFreeChart;
import org.jfree.chart.axis.AxisLocation;
import org.jfree.chart.plot.CombinedDomainXYPlot;
import org.jfree.chart.plot.CrosshairState;
import org.jfree.chart.plot.PlotRenderingInfo;
import org.jfree.chart.plot.XYPlot;
import org.jfree.chart.ui.RectangleInsets;
import org.jfree.data.xy.DefaultXYDataset;

/// Makes the chart of a [Figure].
final class FigureChart {
    static final float[][] DASHES = {{6, 4}, {2, 3}, {8, 3, 2, 3}, {12, 4}};
    private static final double GAP = 10;
    private static final int MIN_TEXT_ROOM = 3;
    /// Above this many points or lines they are drawn without smoothing, small marks as squares.
    private static final int MANY = 4_000;
    private static final double SMALL = 6;

    private FigureChart() {}

    static JFreeChart of(Figure figure, ChartStyle style) {
        if (figure.panels().size() == 1) {
            return style.dress(new PanelPlot(figure.panels().getFirst(), style));
        }
        // One axis below all panels, unless they do not mean the same.
        Figure.Axis across = figure.panels().getFirst().across();
        boolean isShared = figure.panels().stream().allMatch(p -> p.across().equals(across));
        var combined = new CombinedDomainXYPlot(RoundAxis.of(across));
        combined.getDomainAxis().setVisible(isShared);
        combined.setGap(GAP);
        for (Panel p : figure.panels()) {
            var plot = new PanelPlot(p, style);
            plot.setRangeAxisLocation(AxisLocation.BOTTOM_OR_LEFT);
            // Takes the panel's own axis away.
            combined.add(plot, p.share());
            if (!isShared) {
                plot.setDomainAxis(RoundAxis.of(p.across()));
            }
            style.dressPlot(plot);
        }
        style.dress(combined.getDomainAxis());
        combined.setBackgroundPaint(null);
        combined.setOutlineVisible(false);
        combined.setInsets(new RectangleInsets(0, 0, 0, 0));
        return style.chart(combined);
    }

    /// One panel.
    private static final class PanelPlot extends XYPlot {
        private static final long serialVersionUID = 1L;
        private final transient Panel panel;
        private final transient ChartStyle style;

        PanelPlot(Panel panel, ChartStyle style) {
            super(new DefaultXYDataset(), RoundAxis.of(panel.across()), RoundAxis.of(panel.upwards()), null);
            this.panel = panel;
            this.style = style;
        }

        @Override
        public boolean render(
                Graphics2D g, Rectangle2D area, int index, PlotRenderingInfo info, CrosshairState crosshair) {
            Figure.Axis a = panel.across();
            Figure.Axis u = panel.upwards();
            int points = panel.items().stream()
                    .mapToInt(i -> i instanceof Cloud c ? c.places().size() : 0)
                    .sum();
            var pen = new Pen(
                    g,
                    style,
                    area,
                    new AxisMap(a.low(), a.high(), a.log(), area.getMinX(), area.getMaxX()),
                    new AxisMap(u.low(), u.high(), u.log(), area.getMaxY(), area.getMinY()),
                    points > MANY,
                    new ArrayList<>());
            var clip = g.getClip();
            g.clip(area);
            panel.items().forEach(pen::draw);
            g.setClip(clip);
            panel.items().forEach(pen::label);
            return true;
        }
    }

    /// Draws items into one panel.
    ///
    /// @param many whether there are too many points to smooth each
    /// @param taken where labels stand already
    private record Pen(
            Graphics2D g,
            ChartStyle style,
            Rectangle2D area,
            AxisMap across,
            AxisMap upwards,
            boolean many,
            List<Rectangle2D> taken) {

        private Color colour(Hue hue) {
            return style.palette().of(hue);
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
                case Dot d -> Mark.of(d.shape(), colour(d.hue())).draw(g, x(d.x()), y(d.y()));
                case Rule r -> rule(r);
                case Words w -> words(w);
                case Band b -> band(b);
                case Cloud c -> cloud(c);
                case Bundle b -> bundle(b);
                case Label l -> {}
            }
        }

        /// Points in bulk: a renderer asked for one item at a time spends most of its time being asked.
        private void cloud(Cloud c) {
            if (c.strength() <= 0) {
                return;
            }
            if (c.places().size() > Density.DENSE && c.shape() != Figure.Shape.DISC) {
                Density density = Density.of(c, across, upwards, area);
                if (density.total() > Density.DENSE) {
                    density.paint(g, area, s -> style.faded(colour(c.hue()), s * c.strength()));
                    return;
                }
            }
            Mark mark = Mark.of(c.shape(), style.faded(colour(c.hue()), c.strength()));
            boolean rough = many && mark.shape().getBounds2D().getWidth() < SMALL;
            var before = g.getRenderingHints();
            if (rough) {
                g.setRenderingHint(RenderingHints.KEY_ANTIALIASING, RenderingHints.VALUE_ANTIALIAS_OFF);
                g.setPaint(mark.colour());
            }
            for (int i = 0; i < c.places().size(); i++) {
                double px = across.pixel(c.places().x(i));
                double py = upwards.pixel(c.places().y(i));
                if (px < area.getMinX() - SMALL
                        || px > area.getMaxX() + SMALL
                        || py < area.getMinY() - SMALL
                        || py > area.getMaxY() + SMALL) {
                    continue;
                }
                if (rough) {
                    g.fillRect((int) px - 1, (int) py - 1, 3, 3);
                } else if (Double.isFinite(px) && Double.isFinite(py)) {
                    mark.draw(g, px, py);
                }
            }
            g.setRenderingHints(before);
        }

        private void bundle(Bundle b) {
            var before = g.getRenderingHints();
            if (b.y().length > MANY) {
                g.setRenderingHint(RenderingHints.KEY_ANTIALIASING, RenderingHints.VALUE_ANTIALIAS_OFF);
            }
            g.setStroke(new BasicStroke((float) b.width()));
            g.setPaint(
                    b.through()
                            ? seeThrough(colour(b.hue()), b.strength())
                            : style.faded(colour(b.hue()), b.strength()));
            for (double[] line : b.y()) {
                var path = new Path2D.Double();
                for (int a = 0; a < line.length; a++) {
                    if (!Double.isNaN(line[a])) {
                        if (a > 0 && !Double.isNaN(line[a - 1])) {
                            path.lineTo(x(a), y(line[a]));
                        } else {
                            path.moveTo(x(a), y(line[a]));
                        }
                    }
                }
                g.draw(path);
            }
            g.setRenderingHints(before);
        }

        private static Color seeThrough(Color c, double share) {
            return new Color(c.getRed(), c.getGreen(), c.getBlue(), (int) Math.round(share * 255));
        }

        private void bar(Bar b) {
            double left = x(b.left());
            double right = x(b.right());
            double top = y(b.top());
            double bottom = y(b.bottom());
            g.setPaint(style.faded(colour(b.hue()), b.strength()));
            g.fill(new Rectangle2D.Double(
                    left, top, Math.max(right - left, 0.5), Math.max(bottom - top, b.top() > b.bottom() ? 0.75 : 0)));
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
            g.setPaint(style.faded(colour(l.hue()), l.strength()));
            g.setStroke(
                    l.dash() == 0
                            ? new BasicStroke((float) l.width())
                            : new BasicStroke(
                                    (float) l.width(),
                                    BasicStroke.CAP_BUTT,
                                    BasicStroke.JOIN_ROUND,
                                    1f,
                                    DASHES[(l.dash() - 1) % DASHES.length],
                                    0));
            g.draw(path);
        }

        private void rule(Rule r) {
            g.setPaint(colour(r.hue()));
            g.setStroke(
                    r.broken()
                            ? new BasicStroke(1.4f, BasicStroke.CAP_BUTT, BasicStroke.JOIN_ROUND, 1f, DASHES[0], 0)
                            : new BasicStroke(1.4f));
            g.draw(
                    r.upright()
                            ? new Line2D.Double(x(r.at()), area.getMinY(), x(r.at()), area.getMaxY())
                            : new Line2D.Double(area.getMinX(), y(r.at()), area.getMaxX(), y(r.at())));
        }

        private void words(Words w) {
            g.setFont(style.font());
            g.setPaint(colour(w.hue()));
            double width = g.getFontMetrics().stringWidth(w.text());
            double left = x(w.x()) - (w.centred() ? width / 2 : 0);
            g.drawString(
                    w.text(),
                    (float) Math.clamp(left, area.getMinX(), Math.max(area.getMinX(), area.getMaxX() - width)),
                    (float) y(w.y()) - 3);
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
            g.setFont(style.font());
            if (item instanceof Rule r && !r.words().isEmpty()) {
                g.setPaint(colour(r.hue()));
                int width = g.getFontMetrics().stringWidth(r.words());
                int height = g.getFontMetrics().getAscent();
                double px = r.upright()
                        ? Math.min(x(r.at()) + MIN_TEXT_ROOM, area.getMaxX() - width)
                        : area.getMaxX() - width;
                double py = r.upright() ? area.getMinY() + height : y(r.at()) - MIN_TEXT_ROOM;
                if (area.contains(
                        Math.clamp(px, area.getMinX(), area.getMaxX()),
                        Math.clamp(py, area.getMinY(), area.getMaxY()))) {
                    g.drawString(r.words(), (float) px, (float)
                            (py - height < area.getMinY() ? py + height + 2 * MIN_TEXT_ROOM : py));
                }
            } else if (item instanceof Label l) {
                switch (l.spot()) {
                    case BESIDE -> beside(l);
                    case ABOVE -> above(l);
                    case END -> end(l);
                }
            }
        }

        private void beside(Label l) {
            FontMetrics metrics = g.getFontMetrics();
            var column =
                    new Rectangle2D.Double(x(l.x()) + 4, y(l.y()) - metrics.getHeight() / 2.0, 1, metrics.getHeight());
            if (taken.stream().noneMatch(column::intersects)) {
                taken.add(column);
                g.setPaint(seeThrough(style.palette().of(Hue.BACKGROUND), 0.75));
                g.fill(new Rectangle2D.Double(
                        column.getX(),
                        y(l.y()) - metrics.getAscent() / 2.0,
                        metrics.stringWidth(l.text()) + 2.0,
                        metrics.getAscent()));
                halo(l, l.text(), column.getX(), y(l.y()) + metrics.getAscent() / 2.0 - 1);
            }
        }

        private void above(Label l) {
            FontMetrics metrics = g.getFontMetrics();
            String[] lines = l.text().split("\n", 2);
            for (int i = 0; i < lines.length; i++) {
                String line = fitted(lines[i], metrics, l.room());
                double width = metrics.stringWidth(line);
                double left = Math.clamp(
                        x(l.x()) - width / 2, area.getMinX(), Math.max(area.getMinX(), area.getMaxX() - width));
                halo(l, line, left, y(l.y()) - 8 - (1 - i) * metrics.getHeight());
            }
        }

        private void end(Label l) {
            FontMetrics metrics = g.getFontMetrics();
            place(area, taken, x(l.x()), y(l.y()) - MIN_TEXT_ROOM, metrics.stringWidth(l.text()), metrics.getHeight())
                    .ifPresent(box -> {
                        taken.add(box);
                        g.setPaint(colour(l.hue()));
                        g.drawString(l.text(), (float) box.getX(), (float) (box.getMaxY() - metrics.getDescent()));
                    });
        }

        private void halo(Label l, String text, double x, double y) {
            g.setPaint(seeThrough(style.palette().of(Hue.BACKGROUND), 0.8));
            for (int dx = -1; dx <= 1; dx++) {
                for (int dy = -1; dy <= 1; dy++) {
                    g.drawString(text, (float) x + dx, (float) y + dy);
                }
            }
            g.setPaint(colour(l.hue()));
            g.drawString(text, (float) x, (float) y);
        }

        private static String fitted(String text, FontMetrics metrics, double room) {
            String s = text;
            while (s.length() > 3 && metrics.stringWidth(s) > room) {
                s = s.substring(0, s.length() - 2).stripTrailing() + "\u2026";
            }
            return s;
        }
    }

    /// Where a title of a size stands that belongs to a point: left above it, else under what is taken there;
    /// empty where that is outside.
    static Optional<Rectangle2D> place(
            Rectangle2D area, List<Rectangle2D> taken, double x, double y, double width, double height) {
        double left = Math.max(area.getMinX(), Math.min(x, area.getMaxX()) - width);
        for (double top = Math.max(area.getMinY(), y - height); top + height <= area.getMaxY(); top += height) {
            var box = new Rectangle2D.Double(left, top, width, height);
            if (taken.stream().noneMatch(box::intersects)) {
                return Optional.of(box);
            }
        }
        return Optional.empty();
    }
}
