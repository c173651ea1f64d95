package knobscape.app.ui.plot;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Graphics2D;
import java.awt.Shape;
import java.awt.geom.Ellipse2D;
import java.awt.geom.Line2D;
import java.awt.geom.Path2D;
import java.awt.geom.Rectangle2D;

/// How a [Figure.Shape] is drawn: told apart by shape as well as colour, the same in plots and legends.
///
/// @param shape centred on the origin
/// @param filled whether it is filled, else outlined
/// @param colour its colour
record Mark(Shape shape, boolean filled, Color colour) {
    private static final BasicStroke OUTLINE = new BasicStroke(1.6f, BasicStroke.CAP_ROUND, BasicStroke.JOIN_ROUND);

    /// The mark of a shape.
    static Mark of(Figure.Shape shape, Color colour) {
        return switch (shape) {
            case DISC -> new Mark(circle(4.5), true, colour);
            case DOT -> new Mark(circle(2.6), true, colour);
            case CIRCLE -> new Mark(circle(2.6), false, colour);
            case RING -> new Mark(circle(4.5), false, colour);
            case SQUARE -> new Mark(new Rectangle2D.Double(-4.2, -4.2, 8.4, 8.4), true, colour);
            case BOX -> new Mark(new Rectangle2D.Double(-6, -4, 12, 8), true, colour);
            case LINE -> new Mark(new Line2D.Double(-8, 0, 8, 0), false, colour);
            case DASHES -> new Mark(path(false, -8, 0, -3, 0, 2, 0, 7, 0), false, colour);
            case DIAMOND ->
                new Mark(path(true, 0, -4.6, 4.6, 0, 4.6, 0, 0, 4.6, 0, 4.6, -4.6, 0, -4.6, 0, 0, -4.6), false, colour);
            case CROSS -> new Mark(path(false, -3.2, -3.2, 3.2, 3.2, -3.2, 3.2, 3.2, -3.2), false, colour);
            case NONE -> new Mark(new Path2D.Double(), false, colour);
        };
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

    /// Segments from point to point, two points each; joined to one outline where `closed`.
    private static Shape path(boolean closed, double... xy) {
        var path = new Path2D.Double();
        for (int i = 0; i < xy.length; i += 4) {
            if (i == 0 || !closed) {
                path.moveTo(xy[i], xy[i + 1]);
            }
            path.lineTo(xy[i + 2], xy[i + 3]);
        }
        if (closed) {
            path.closePath();
        }
        return path;
    }
}
