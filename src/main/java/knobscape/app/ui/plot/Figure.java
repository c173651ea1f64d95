package knobscape.app.ui.plot;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import knobscape.app.ui.theme.Hue;

/// A picture as data: panels one below the other on a common horizontal axis. Views and exports draw it alike.
///
/// @param panels from top to bottom, at least one; all have the horizontal axis of the first
/// @param legend what the marks mean
/// @param caption where the numbers come from, one line; may be empty
/// @param note what is not drawn, in a corner of the view; may be empty
public record Figure(List<Panel> panels, List<Key> legend, String caption, String note) {
    /// Copies the lists.
    public Figure {
        panels = List.copyOf(panels);
        legend = List.copyOf(legend);
        if (panels.isEmpty()) {
            throw new IllegalArgumentException("a figure has at least one panel");
        }
    }

    /// A figure of which everything is drawn.
    public Figure(List<Panel> panels, List<Key> legend, String caption) {
        this(panels, legend, caption, "");
    }

    /// Number of items that a click does not choose.
    public static final int NO_KEY = Integer.MIN_VALUE;

    /// A part of the first panel, between other ends of its axes.
    ///
    /// @param window `{left, right, bottom, top}`
    Figure zoomed(double[] window) {
        var all = new ArrayList<>(panels);
        Panel p = all.getFirst();
        all.set(
                0,
                new Panel(
                        p.across().between(window[0], window[1]),
                        p.upwards().between(window[2], window[3]),
                        p.share(),
                        p.items()));
        return new Figure(all, legend, caption, note);
    }

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
    public record Axis(String label, boolean log, double low, double high, boolean whole, List<AxisLabel> named) {
        private static final double MARGIN = 0.06;

        /// Copies the list.
        public Axis {
            named = List.copyOf(named);
            if (!(high > low) || (log && !(low > 0))) {
                throw new IllegalArgumentException("the axis '" + label + "' cannot go from " + low + " to " + high);
            }
        }

        /// The same axis between other ends; linear where a logarithmic one would not reach.
        Axis between(double from, double to) {
            return new Axis(label, log && from > 0, from, to, whole, named);
        }

        /// An axis around data with some room at both ends, which does not leave the positive side; a single
        /// value gets room around it.
        public static Axis around(String label, boolean log, double least, double most) {
            if (!(most >= least)) {
                return linear(label, 1, 10);
            }
            if (log && least > 0) {
                double factor = most > least ? Math.pow(most / least, MARGIN) : 1.5;
                return log(label, least / factor, most * factor);
            }
            double margin = most > least ? (most - least) * MARGIN : Math.max(Math.abs(most) * 0.2, 1e-9);
            return linear(label, least >= 0 && least - margin < 0 ? 0 : least - margin, most + margin);
        }

        /// An axis that is not seen.
        public static Axis hidden(double low, double high) {
            return new Axis("", false, low, high, false, List.of(new AxisLabel(Double.NaN, "")));
        }

        boolean isHidden() {
            return label.isEmpty()
                    && named.size() == 1
                    && named.getFirst().words().isEmpty();
        }

        /// A linear axis from `low` to at least a little above.
        public static Axis linear(String label, double low, double high) {
            return new Axis(label, false, low, high > low ? high : low + 1, false, List.of());
        }

        /// A logarithmic axis around two positive values.
        public static Axis log(String label, double low, double high) {
            return new Axis(label, true, low, high > low ? high : low * 2, false, List.of());
        }

        /// A linear axis from 0 for how many there are of something, to 2 at least: a single one does not stand
        /// at the edge.
        public static Axis amount(String label, double high) {
            return new Axis(label, false, 0, Math.max(high, 2), true, List.of());
        }

        /// An axis with words instead of numbers.
        public static Axis words(String label, double low, double high, List<AxisLabel> named) {
            return new Axis(label, false, low, high, false, named);
        }

        /// An axis for things numbered from `first` to `last`, each as wide as 1.
        public static Axis count(String label, int first, int last) {
            return new Axis(label, false, first - 0.5, last + 0.5, true, List.of());
        }
    }

    /// A word on an axis.
    public record AxisLabel(double at, String words) {}

    /// A word of the legend.
    ///
    /// @param dash of a line: 0 for a continuous one, else which pattern
    /// @param strength 1 for the whole colour, 0 for the background
    public record Key(String words, Hue hue, Shape shape, int dash, double strength) {
        /// In its whole colour.
        public Key(String words, Hue hue, Shape shape, int dash) {
            this(words, hue, shape, dash, 1);
        }

        /// A mark, or a continuous line.
        public Key(String words, Hue hue, Shape shape) {
            this(words, hue, shape, 0);
        }
    }

    /// The words under the mouse; parts may be empty.
    ///
    /// @param title emphasised
    /// @param text below it
    public record Tip(String title, String text) {
        /// A line by itself, or the first of several lines above the others in one.
        public static Tip of(String words) {
            List<String> lines = words.lines().toList();
            return lines.size() < 2
                    ? new Tip("", words)
                    : new Tip(lines.getFirst(), String.join(" \u00b7 ", lines.subList(1, lines.size())));
        }

        /// True if there is nothing to say.
        public boolean isEmpty() {
            return title.isEmpty() && text.isEmpty();
        }
    }

    /// How something is drawn, so that not colour alone tells it apart.
    public enum Shape {
        /// A filled disc.
        DISC,
        /// A small filled disc.
        DOT,
        /// A small circle.
        CIRCLE,
        /// A circle as wide as a disc.
        RING,
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
        DASHES,
        /// Nothing.
        NONE
    }

    /// Something drawn.
    public sealed interface Item permits Bar, Line, Dot, Rule, Words, Band, Cloud, Bundle, Label {}

    /// A box.
    ///
    /// @param strength 1 for the full colour, towards 0 for the background
    /// @param tip what it says under the mouse; empty for nothing
    /// @param key what a click chooses, or [#NO_KEY]
    public record Bar(
            double left, double right, double bottom, double top, Hue hue, double strength, String tip, int key)
            implements Item {}

    /// A line through points; a single one is drawn as a disc.
    ///
    /// @param title what it says under the mouse; the legend names it for the eye; may be empty
    /// @param stairs whether a value holds until the next
    /// @param dash 0 for a continuous line, else which pattern
    /// @param width in points
    /// @param strength 1 for the full colour, towards 0 for the background
    public record Line(
            String title, double[] x, double[] y, Hue hue, boolean stairs, int dash, double width, double strength)
            implements Item {
        /// A line of full colour.
        public Line(String title, double[] x, double[] y, Hue hue, boolean stairs, int dash, double width) {
            this(title, x, y, hue, stairs, dash, width, 1);
        }

        /// Throws [IllegalArgumentException] where the arrays differ in length. They are not copied: curves are
        /// long, and nobody changes them.
        public Line {
            if (x.length != y.length) {
                throw new IllegalArgumentException("a line has as many x as y");
            }
        }
    }

    /// A point.
    public record Dot(double x, double y, Shape shape, Hue hue, String tip, int key) implements Item {}

    /// A line across the whole panel.
    ///
    /// @param upright whether it stands at a place of the horizontal axis
    /// @param words written beside it; may be empty
    public record Rule(boolean upright, double at, Hue hue, boolean broken, String words) implements Item {}

    /// Words at a place.
    public record Words(double x, double y, String text, Hue hue, boolean centred) implements Item {}

    /// Where points lie, by index; not to be changed.
    public interface Places {
        /// How many.
        int size();

        /// Across.
        double x(int index);

        /// Upwards.
        double y(int index);

        /// Those of two arrays of one length, which are not copied.
        static Places of(double[] x, double[] y) {
            return new Places() {
                @Override
                public int size() {
                    return x.length;
                }

                @Override
                public double x(int index) {
                    return x[index];
                }

                @Override
                public double y(int index) {
                    return y[index];
                }
            };
        }
    }

    /// Many points of one kind.
    ///
    /// @param key what a click on each chooses; empty where the mouse passes over them; not copied
    /// @param strength 1 for the full colour, towards 0 for the background; with 0 they are found but not drawn
    /// @param tip says something about a key
    public record Cloud(Places places, int[] key, Shape shape, Hue hue, double strength, IntFunction<Tip> tip)
            implements Item {}

    /// Many lines through the places 0, 1, 2, ... of the horizontal axis. The arrays are not copied.
    ///
    /// @param y heights of each line; NaN leaves a gap
    /// @param key what a click on each chooses; empty where the mouse passes over them
    /// @param strength how much of the colour is seen
    /// @param through whether lines shine through each other, else they are mixed with the background
    /// @param width in points
    /// @param tip says something about a key
    public record Bundle(
            double[][] y, int[] key, Hue hue, double strength, boolean through, double width, IntFunction<Tip> tip)
            implements Item {}

    /// Words with a halo that belong to a point.
    ///
    /// @param text lines of text
    /// @param room most points across; what is longer is shortened
    public record Label(double x, double y, String text, Hue hue, Spot spot, double room) implements Item {}

    /// Where a [Label] stands.
    public enum Spot {
        /// Right of its point; left out where another one above or below leaves no room.
        BESIDE,
        /// Centred above it.
        ABOVE,
        /// Left above it, as the title at the end of a curve; under others where they are in the way, left out
        /// where no room is left.
        END
    }

    /// The area between two curves.
    public record Band(double[] x, double[] low, double[] high, Hue hue) implements Item {}
}
