package knobscape.app.ui.plot;

import java.util.List;

/// A picture as data: panels one below the other on a common horizontal axis. Views and exports draw it alike.
///
/// @param panels from top to bottom, at least one; all have the horizontal axis of the first
/// @param legend what the marks mean
/// @param caption where the numbers come from, one line; may be empty
public record Figure(List<Panel> panels, List<Key> legend, String caption) {
    /// Copies the lists.
    public Figure {
        panels = List.copyOf(panels);
        legend = List.copyOf(legend);
        if (panels.isEmpty()) {
            throw new IllegalArgumentException("a figure has at least one panel");
        }
    }

    /// Number of items that a click does not choose.
    public static final int NO_KEY = Integer.MIN_VALUE;

    /// One pair of axes.
    ///
    /// @param across horizontal axis
    /// @param upwards vertical axis
    /// @param share of the height, relative to the other panels
    /// @param items drawn in this order
    public record Panel(Axis across, Axis upwards, int share, List<Item> items) {
        /// Copies the list.
        public Panel {
            items = List.copyOf(items);
        }
    }

    /// An axis.
    ///
    /// @param label with unit
    /// @param log whether the scale is logarithmic
    /// @param low where it begins
    /// @param high where it ends, above `low`
    /// @param whole whether only whole numbers mean something
    /// @param named positions with words instead of numbers, those that find room; empty for round numbers
    public record Axis(String label, boolean log, double low, double high, boolean whole, List<Named> named) {
        /// Copies the list.
        public Axis {
            named = List.copyOf(named);
            if (!(high > low) || log && !(low > 0)) {
                throw new IllegalArgumentException("the axis '" + label + "' cannot go from " + low + " to " + high);
            }
        }

        /// A linear axis from `low` to at least a little above.
        public static Axis linear(String label, double low, double high) {
            return new Axis(label, false, low, high > low ? high : low + 1, false, List.of());
        }

        /// A logarithmic axis around two positive values.
        public static Axis log(String label, double low, double high) {
            return new Axis(label, true, low, high > low ? high : low * 2, false, List.of());
        }

        /// A linear axis from 0 for how many there are of something, to 2 at least: a single one does not stand at the edge.
        public static Axis amount(String label, double high) {
            return new Axis(label, false, 0, Math.max(high, 2), true, List.of());
        }

        /// An axis with words instead of numbers.
        public static Axis words(String label, double low, double high, List<Named> named) {
            return new Axis(label, false, low, high, false, named);
        }

        /// An axis for things numbered from `first` to `last`, each as wide as 1.
        public static Axis count(String label, int first, int last) {
            return new Axis(label, false, first - 0.5, last + 0.5, true, List.of());
        }
    }

    /// A word on an axis.
    public record Named(double at, String words) { }

    /// A word of the legend.
    public record Key(String words, Hue hue, Shape shape) { }

    /// How something is drawn, so that not colour alone tells it apart.
    public enum Shape {
        /// A filled disc.
        DISC,
        /// A small filled disc.
        DOT,
        /// A square.
        SQUARE,
        /// An outlined diamond.
        DIAMOND,
        /// A cross.
        CROSS,
        /// A filled box.
        BOX,
        /// A continuous line.
        LINE,
        /// A broken line.
        DASHES
    }

    /// Something drawn.
    public sealed interface Item permits Bar, Line, Dot, Rule, Words, Band { }

    /// A box.
    ///
    /// @param strength 1 for the full colour, towards 0 for the background
    /// @param tip what it says under the mouse; empty for nothing
    /// @param key what a click chooses, or [#NO_KEY]
    public record Bar(double left, double right, double bottom, double top, Hue hue, double strength, String tip, int key) implements Item { }

    /// A line through points; a single one is drawn as a disc.
    ///
    /// @param title what it says under the mouse; the legend names it for the eye; may be empty
    /// @param stairs whether a value holds until the next
    /// @param dash 0 for a continuous line, else which pattern
    /// @param width in points
    public record Line(String title, double[] x, double[] y, Hue hue, boolean stairs, int dash, double width) implements Item {
        /// Throws [IllegalArgumentException] where the arrays differ in length. They are not copied: curves are long, and nobody changes them.
        public Line {
            if (x.length != y.length) {
                throw new IllegalArgumentException("a line has as many x as y");
            }
        }
    }

    /// A point.
    public record Dot(double x, double y, Shape shape, Hue hue, String tip, int key) implements Item { }

    /// A line across the whole panel.
    ///
    /// @param upright whether it stands at a place of the horizontal axis
    /// @param words written beside it; may be empty
    public record Rule(boolean upright, double at, Hue hue, boolean broken, String words) implements Item { }

    /// Words at a place.
    public record Words(double x, double y, String text, Hue hue, boolean centred) implements Item { }

    /// The area between two curves.
    public record Band(double[] x, double[] low, double[] high, Hue hue) implements Item { }
}
