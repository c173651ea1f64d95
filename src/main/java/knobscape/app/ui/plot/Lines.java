package knobscape.app.ui.plot;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import knobscape.app.ui.theme.Hue;

/// Curves or clouds of points over two plain axes, ready to draw.
///
/// @param xLabel words along the horizontal axis, with the unit
/// @param yLabel words along the vertical axis, with the unit; empty where they stand elsewhere
/// @param xLog logarithmic scale across, where all values are positive
/// @param yLog logarithmic scale upwards, where all values are positive
/// @param lines what to draw, the first on top
public record Lines(String xLabel, String yLabel, boolean xLog, boolean yLog, List<Line> lines) implements Plot {
    private static final int MAX_NAMED = 12;
    static final List<Hue> HUES =
            List.of(Hue.FRONT, Hue.INVALID, Hue.PINNED, Hue.PREDICTED, Hue.BASELINE, Hue.DOMINATED);
    static final int DASHES = 5;

    public Lines {
        lines = List.copyOf(lines);
    }

    /// How a line is drawn.
    public enum Form {
        /// From point to point.
        LINE,
        /// Level until the next point.
        STAIRS,
        /// The points alone, filled.
        DOTS,
        /// The points alone, as rings.
        RINGS
    }

    /// One curve.
    ///
    /// @param title in the legend
    /// @param x values across
    /// @param y values upwards, as many; NaN leaves a gap
    /// @param form how it is drawn
    public record Line(String title, double[] x, double[] y, Form form) {
        public Line {
            if (x.length != y.length) {
                throw new IllegalArgumentException(
                        "a line has " + x.length + " values across and " + y.length + " upwards");
            }
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Line l
                    && l.title.equals(title)
                    && Arrays.equals(l.x, x)
                    && Arrays.equals(l.y, y)
                    && l.form == form;
        }

        @Override
        public int hashCode() {
            return title.hashCode() * 31 + Arrays.hashCode(y);
        }
    }

    /// Nothing to draw.
    public static Lines none() {
        return new Lines("", "", false, false, List.of());
    }

    /// True if there is no point to draw.
    boolean isEmpty() {
        return lines.stream().flatMapToDouble(l -> Arrays.stream(l.y)).noneMatch(Double::isFinite);
    }

    /// `{xLow, xHigh, yLow, yHigh}` of all finite points.
    double[] bounds() {
        double[] b = {
            Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY
        };
        for (Line l : lines) {
            for (int i = 0; i < l.x.length; i++) {
                if (Double.isFinite(l.x[i]) && Double.isFinite(l.y[i])) {
                    b[0] = Math.min(b[0], l.x[i]);
                    b[1] = Math.max(b[1], l.x[i]);
                    b[2] = Math.min(b[2], l.y[i]);
                    b[3] = Math.max(b[3], l.y[i]);
                }
            }
        }
        return b;
    }

    /// The content of a view.
    ///
    /// @param caption beneath
    /// @param ifEmpty a sentence for where there is nothing
    FigureView.Content content(String caption, String ifEmpty) {
        return isEmpty() ? FigureView.Content.empty(ifEmpty) : FigureView.Content.of(() -> figure(caption));
    }

    /// The content of a view; a sentence where there is nothing.
    public FigureView.Content content(String ifEmpty) {
        return content("", ifEmpty);
    }

    @Override
    public Figure figure(double width, double height) {
        return figure("");
    }

    /// Lines differ in dash as well as colour.
    private Figure figure(String caption) {
        double[] b = bounds();
        var items = new ArrayList<Figure.Item>();
        var legend = new ArrayList<Figure.Key>();
        for (int i = 0; i < lines.size(); i++) {
            Line line = lines.get(i);
            Hue hue = HUES.get(i % HUES.size());
            boolean cloud = line.form == Form.DOTS || line.form == Form.RINGS;
            Figure.Shape shape = line.form == Form.DOTS
                    ? Figure.Shape.DOT
                    : line.form == Form.RINGS ? Figure.Shape.RING : Figure.Shape.LINE;
            items.addFirst(
                    cloud
                            ? new Figure.Cloud(
                                    Figure.Places.of(line.x, line.y),
                                    IntStream.range(0, line.x.length).toArray(),
                                    shape,
                                    hue,
                                    1,
                                    k -> Figure.Tip.of(line.title + ": " + yLabel + " " + AxisTicks.exact(line.y[k])
                                            + ", " + xLabel + " " + AxisTicks.exact(line.x[k])))
                            : new Figure.Line(
                                    line.title, line.x, line.y, hue, line.form == Form.STAIRS, i % DASHES, 1.6));
            if (i < MAX_NAMED) {
                legend.add(new Figure.Key(line.title, hue, shape, cloud ? 0 : i % DASHES));
            }
        }
        if (lines.size() > MAX_NAMED) {
            legend.add(new Figure.Key("and " + (lines.size() - MAX_NAMED) + " more", Hue.MUTED, Figure.Shape.NONE));
        }
        return new Figure(
                List.of(new Figure.Panel(
                        Figure.Axis.around(xLabel, xLog, b[0], b[1]),
                        Figure.Axis.around(yLabel, yLog, b[2], b[3]),
                        1,
                        items)),
                legend,
                caption);
    }
}
