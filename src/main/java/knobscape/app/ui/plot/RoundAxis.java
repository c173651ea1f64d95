package knobscape.app.ui.plot;

import java.awt.Graphics2D;
import java.awt.geom.Rectangle2D;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jfree.chart.axis.AxisState;
import org.jfree.chart.axis.LogAxis;
import org.jfree.chart.axis.NumberAxis;
import org.jfree.chart.axis.NumberTick;
import org.jfree.chart.axis.ValueAxis;
import org.jfree.chart.axis.ValueTick;
import org.jfree.chart.ui.RectangleEdge;
import org.jfree.chart.ui.TextAnchor;

/// JFreeChart axes with round ticks whose number suits the room: labels every 44 pixels upright and every 56
/// along.
final class RoundAxis {
    private static final double ROOM_ALONG = 56;
    private static final double ROOM_UPRIGHT = 44;

    private static final int MIN_TICKS = 3;

    private RoundAxis() {}

    /// The axis of a figure.
    static ValueAxis of(Figure.Axis a) {
        ValueAxis axis = a.log() ? new Logarithmic(a) : new Linear(a);
        axis.setRange(a.low(), a.high());
        axis.setLowerMargin(0);
        axis.setUpperMargin(0);
        axis.setAxisLineVisible(false);
        axis.setTickMarksVisible(false);
        axis.setMinorTickMarksVisible(false);
        axis.setVisible(!a.isHidden());
        return axis;
    }

    private static List<ValueTick> words(
            Graphics2D g, List<Figure.AxisLabel> named, ValueAxis axis, Rectangle2D area, RectangleEdge edge) {
        boolean upright = RectangleEdge.isLeftOrRight(edge);
        var ticks = new ArrayList<ValueTick>();
        double end = Double.NEGATIVE_INFINITY;
        var metrics = g.getFontMetrics(axis.getTickLabelFont());
        for (Figure.AxisLabel n : named.stream()
                .sorted(Comparator.comparingDouble(Figure.AxisLabel::at))
                .toList()) {
            double at = upright
                    ? area.getMaxY() - axis.valueToJava2D(n.at(), area, edge)
                    : axis.valueToJava2D(n.at(), area, edge);
            double half = (upright ? metrics.getHeight() : metrics.stringWidth(n.words()) + 6.0) / 2;
            if (at - half >= end) {
                ticks.add(new NumberTick(
                        n.at(),
                        n.words(),
                        upright ? TextAnchor.CENTER_RIGHT : TextAnchor.TOP_CENTER,
                        TextAnchor.CENTER,
                        0));
                end = at + half;
            }
        }
        return ticks;
    }

    private static List<ValueTick> ticks(
            Graphics2D g, Figure.Axis a, ValueAxis axis, Rectangle2D area, RectangleEdge edge) {
        if (!a.named().isEmpty()) {
            return words(g, a.named(), axis, area, edge);
        }
        boolean upright = RectangleEdge.isLeftOrRight(edge);
        int count =
                (int) Math.max(MIN_TICKS, (upright ? area.getHeight() / ROOM_UPRIGHT : area.getWidth() / ROOM_ALONG));
        double low = axis.getRange().getLowerBound();
        double high = axis.getRange().getUpperBound();
        List<Double> values = a.log()
                ? AxisTicks.logarithmic(low, high, count)
                : a.whole() ? AxisTicks.whole(low, high, count) : AxisTicks.linear(low, high, count);
        double spacing =
                values.size() > 1 && (!a.log() || Math.log10(high / low) < 0.6) ? values.get(1) - values.get(0) : 0;
        var ticks = new ArrayList<ValueTick>();
        for (double v : values) {
            TextAnchor anchor = upright ? TextAnchor.CENTER_RIGHT : TextAnchor.TOP_CENTER;
            ticks.add(new NumberTick(v, AxisTicks.label(v, spacing), anchor, TextAnchor.CENTER, 0));
        }
        return ticks;
    }

    private static final class Linear extends NumberAxis {
        private static final long serialVersionUID = 1L;
        private final transient Figure.Axis axis;

        Linear(Figure.Axis axis) {
            super(axis.label());
            this.axis = axis;
            setAutoRangeIncludesZero(false);
        }

        @Override
        @SuppressWarnings("rawtypes")
        public List refreshTicks(Graphics2D g2, AxisState state, Rectangle2D dataArea, RectangleEdge edge) {
            return ticks(g2, axis, this, dataArea, edge);
        }
    }

    private static final class Logarithmic extends LogAxis {
        private static final long serialVersionUID = 1L;
        private final transient Figure.Axis axis;

        Logarithmic(Figure.Axis axis) {
            super(axis.label());
            this.axis = axis;
        }

        @Override
        @SuppressWarnings("rawtypes")
        public List refreshTicks(Graphics2D g2, AxisState state, Rectangle2D dataArea, RectangleEdge edge) {
            return ticks(g2, axis, this, dataArea, edge);
        }
    }
}
