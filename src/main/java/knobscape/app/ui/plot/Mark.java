package knobscape.app.ui.plot;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Graphics2D;
import java.awt.Shape;
import java.awt.geom.Ellipse2D;
import java.awt.geom.Path2D;
import java.awt.geom.Rectangle2D;
import knobscape.app.ui.designs.Standing;
import knobscape.app.ui.theme.Palette;

/// The mark of each kind of design: told apart by shape as well as colour, the same in plots, legends and tables.
///
/// @param shape centred on the origin
/// @param filled whether it is filled, else outlined
/// @param colour its colour
record Mark(Shape shape, boolean filled, Color colour) {
    private static final BasicStroke OUTLINE = new BasicStroke(1.6f, BasicStroke.CAP_ROUND, BasicStroke.JOIN_ROUND);

    /// The mark of a standing.
    static Mark of(Standing standing, Palette palette) {
        return switch (standing) {
            case FRONT -> new Mark(circle(4.5), true, palette.front());
            case DOMINATED -> new Mark(circle(2.6), true, palette.dominated());
            case LOWER, PENDING -> new Mark(circle(2.6), false, palette.lower());
            case INVALID -> new Mark(cross(3.2), false, palette.invalid());
            case PREDICTED -> new Mark(diamond(4.2), false, palette.predicted());
        };
    }

    /// The mark of the baseline.
    static Mark baseline(Palette palette) {
        return new Mark(new Rectangle2D.Double(-4.2, -4.2, 8.4, 8.4), true, palette.baseline());
    }

    /// Draws it around (x, y).
    void draw(Graphics2D g, double x, double y) {
        g.translate(x, y);
        g.setPaint(colour);
        if (filled) {
            g.fill(shape);
        } else {
            g.setStroke(OUTLINE);
            g.draw(shape);
        }
        g.translate(-x, -y);
    }

    private static Shape circle(double r) {
        return new Ellipse2D.Double(-r, -r, 2 * r, 2 * r);
    }

    private static Shape cross(double r) {
        var path = new Path2D.Double();
        path.moveTo(-r, -r);
        path.lineTo(r, r);
        path.moveTo(-r, r);
        path.lineTo(r, -r);
        return path;
    }

    private static Shape diamond(double r) {
        var path = new Path2D.Double();
        path.moveTo(0, -r);
        path.lineTo(r, 0);
        path.lineTo(0, r);
        path.lineTo(-r, 0);
        path.closePath();
        return path;
    }
}
