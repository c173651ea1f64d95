package knobscape.app.ui.plot;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.FontMetrics;
import java.awt.Graphics2D;
import java.awt.RenderingHints;
import java.awt.geom.Line2D;
import java.awt.geom.Path2D;
import knobscape.app.ui.designs.Standing;
import knobscape.app.ui.task.ScreenThread;

/// Parallel coordinates as a picture, with where the axes lie.
///
/// @param parallel what is drawn
/// @param frame the pixels; its `upwards` axis runs from 0 (bottom) to 1 (top)
/// @param x place of each axis across
record ParallelPicture(Parallel parallel, ChartFrame frame, double[] x) {
    private static final double SIDE = 36;
    private static final double HEAD = 40;
    private static final double FOOT = 12;
    /// Above this many lines they are drawn without smoothing.
    private static final int MANY = 3_000;

    /// Draws the lines: left out ones first and faint, the front last.
    static ParallelPicture draw(Parallel p, ChartStyle style, double width, double height, double scale) {
        ScreenThread.mustNotBe("drawing parallel coordinates");
        var image = ChartFrame.blank(width, height, scale);
        Graphics2D g = ChartFrame.graphics(image, scale);
        g.setPaint(style.palette().background());
        g.fill(new java.awt.geom.Rectangle2D.Double(0, 0, width, height));
        int n = p.axes().size();
        double[] x = new double[n];
        for (int a = 0; a < n; a++) {
            x[a] = n == 1 ? width / 2 : SIDE + a * (width - 2 * SIDE) / (n - 1);
        }
        double top = HEAD;
        double bottom = height - FOOT;
        var upwards = new AxisMap(0, 1, false, bottom, top);
        if (p.lines().length > MANY) {
            g.setRenderingHint(RenderingHints.KEY_ANTIALIASING, RenderingHints.VALUE_ANTIALIAS_OFF);
        }
        g.setStroke(new BasicStroke(1f));
        g.setPaint(style.faded(style.palette().dominated(), 0.16));
        lines(g, p, x, upwards, (s, matching) -> !matching);
        float share = p.lines().length > 300 ? 0.35f : 0.55f;
        g.setPaint(alpha(style.palette().dominated(), share));
        lines(g, p, x, upwards, (s, matching) -> matching && s != Standing.FRONT);
        g.setRenderingHint(RenderingHints.KEY_ANTIALIASING, RenderingHints.VALUE_ANTIALIAS_ON);
        g.setStroke(new BasicStroke(1.5f));
        g.setPaint(alpha(style.palette().front(), 0.85f));
        lines(g, p, x, upwards, (s, matching) -> matching && s == Standing.FRONT);
        axes(g, p, x, upwards, style);
        g.dispose();
        return new ParallelPicture(p, ChartFrame.of(image, width, height, new AxisMap(0, 1, false, 0, width), upwards), x);
    }

    private interface Choice {
        boolean holds(Standing standing, boolean matching);
    }

    private static void lines(Graphics2D g, Parallel p, double[] x, AxisMap upwards, Choice choice) {
        for (int r = 0; r < p.lines().length; r++) {
            if (choice.holds(p.standing()[r], p.matching()[r])) {
                var path = path(p, p.lines()[r], x, upwards);
                g.draw(path);
            }
        }
    }

    /// The line of one design; it has gaps where there is no value.
    static Path2D path(Parallel p, double[] values, double[] x, AxisMap upwards) {
        var path = new Path2D.Double();
        boolean down = false;
        for (int a = 0; a < x.length; a++) {
            if (Double.isNaN(values[a])) {
                down = false;
                continue;
            }
            double y = upwards.pixel(p.axes().get(a).share(values[a]));
            if (down) {
                path.lineTo(x[a], y);
            } else {
                path.moveTo(x[a], y);
            }
            down = true;
        }
        return path;
    }

    private static void axes(Graphics2D g, Parallel p, double[] x, AxisMap upwards, ChartStyle style) {
        g.setFont(style.font());
        FontMetrics metrics = g.getFontMetrics();
        double room = x.length > 1 ? x[1] - x[0] - 8 : 200;
        for (int a = 0; a < x.length; a++) {
            Parallel.Scale s = p.axes().get(a);
            g.setPaint(style.palette().muted());
            g.setStroke(new BasicStroke(1f));
            g.draw(new Line2D.Double(x[a], upwards.to(), x[a], upwards.from()));
            double last = Double.POSITIVE_INFINITY;
            for (Parallel.Tick t : s.ticks()) {
                double y = upwards.pixel(s.share(t.value()));
                if (Math.abs(last - y) < metrics.getHeight() || y > upwards.from() + 1 || y < upwards.to() - 1) {
                    continue;
                }
                last = y;
                halo(g, t.label(), x[a] + 4, y + metrics.getAscent() / 2.0 - 1, style.palette().muted(), style.palette().background());
            }
            // `unroll dot` and `Delay (µs)` on two lines, so that axes may stand close.
            int space = s.label().lastIndexOf(' ');
            heading(g, space < 0 ? s.label() : s.label().substring(0, space), x, a, metrics.getAscent() + 2.0, room, style);
            heading(g, space < 0 ? "" : s.label().substring(space + 1), x, a, metrics.getAscent() + 2.0 + metrics.getHeight(), room, style);
        }
    }

    private static void heading(Graphics2D g, String text, double[] x, int a, double y, double room, ChartStyle style) {
        String label = fitted(text, g.getFontMetrics(), room);
        double w = g.getFontMetrics().stringWidth(label);
        double left = Math.clamp(x[a] - w / 2, 2, Math.max(2, x[x.length - 1] + SIDE - w - 2));
        halo(g, label, left, y, style.palette().text(), style.palette().background());
    }

    private static void halo(Graphics2D g, String text, double x, double y, Color ink, Color paper) {
        g.setPaint(alpha(paper, 0.8f));
        for (int dx = -1; dx <= 1; dx++) {
            for (int dy = -1; dy <= 1; dy++) {
                g.drawString(text, (float) x + dx, (float) y + dy);
            }
        }
        g.setPaint(ink);
        g.drawString(text, (float) x, (float) y);
    }

    private static String fitted(String text, FontMetrics metrics, double room) {
        String s = text;
        while (s.length() > 3 && metrics.stringWidth(s) > room) {
            s = s.substring(0, s.length() - 2).stripTrailing() + "\u2026";
        }
        return s;
    }

    private static Color alpha(Color c, float share) {
        return new Color(c.getRed(), c.getGreen(), c.getBlue(), Math.round(share * 255));
    }
}
