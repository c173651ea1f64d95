package knobscape.app.ui.plot;

import java.awt.Color;
import java.awt.Graphics2D;
import java.awt.geom.Rectangle2D;
import java.util.Arrays;
import java.util.function.DoubleFunction;

/// How many points of a cloud lie where in a panel: drawn instead of the marks where those would cover each other.
///
/// @param columns cells across
/// @param counts points by cell, row by row from the top
record Density(int columns, int[] counts) {
    /// Of more visible points than this the density is drawn.
    static final int DENSE = 10_000;

    private static final int CELL = 4;
    /// A single point can still be seen.
    private static final double LEAST = 0.18;
    /// More than an eye tells apart.
    private static final int STRENGTHS = 255;

    /// Counts the points of a panel's area.
    static Density of(Figure.Cloud cloud, AxisMap across, AxisMap upwards, Rectangle2D area) {
        int columns = Math.max(1, (int) Math.ceil(area.getWidth() / CELL));
        int rows = Math.max(1, (int) Math.ceil(area.getHeight() / CELL));
        var counts = new int[columns * rows];
        for (int i = 0; i < cloud.places().size(); i++) {
            double px = (across.pixel(cloud.places().x(i)) - area.getMinX()) / CELL;
            double py = (upwards.pixel(cloud.places().y(i)) - area.getMinY()) / CELL;
            if (px >= 0 && px < columns && py >= 0 && py < rows) {
                counts[(int) py * columns + (int) px]++;
            }
        }
        return new Density(columns, counts);
    }

    /// Points that lie in the area.
    int total() {
        return Arrays.stream(counts).sum();
    }

    /// Draws the cells with points, stronger by the logarithm of how many there are.
    ///
    /// @param colours by strength, 0 to 1
    void paint(Graphics2D g, Rectangle2D area, DoubleFunction<Color> colours) {
        double most = Math.log1p(Arrays.stream(counts).max().orElse(0));
        var inks = new Color[STRENGTHS + 1];
        Arrays.setAll(inks, i -> colours.apply(LEAST + (1 - LEAST) * i / STRENGTHS));
        var cell = new Rectangle2D.Double();
        for (int i = 0; i < counts.length; i++) {
            if (counts[i] > 0) {
                g.setPaint(inks[(int) Math.round(STRENGTHS * Math.log1p(counts[i]) / most)]);
                cell.setRect(
                        area.getMinX() + CELL * (i % columns),
                        area.getMinY() + CELL * Math.floorDiv(i, columns),
                        CELL,
                        CELL);
                g.fill(cell);
            }
        }
    }
}
