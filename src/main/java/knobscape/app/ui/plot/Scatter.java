package knobscape.app.ui.plot;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import knobscape.app.ui.designs.DesignFilter.Axis;
import knobscape.app.ui.designs.DesignFilter.Range;
import knobscape.app.ui.designs.DesignSet;
import knobscape.app.ui.designs.DesignSummary;
import knobscape.app.ui.designs.FilterWords;
import knobscape.app.ui.designs.Quantity;
import knobscape.app.ui.designs.Results.Shown;
import knobscape.app.ui.designs.Standing;
import knobscape.evaluate.Metric;

/// The points of one scatter plot: every design that has a value of both metrics, in the units shown. Built
/// away from the screen.
///
/// @param shown the designs
/// @param x metric across
/// @param y metric upwards
/// @param log whether both scales are logarithmic
/// @param xQuantity units across
/// @param yQuantity units upwards
/// @param points by standing; designs the filter leaves out are in `faded`
/// @param faded designs the filter leaves out
/// @param baseline values of the baseline, where it has both
/// @param drawn designs that have a mark, equal ones the same
/// @param total designs that could be drawn
/// @param unplaced designs evaluated without a value of both metrics (invalid before anything was measured)
record Scatter(
        Shown shown,
        Metric x,
        Metric y,
        boolean log,
        Quantity xQuantity,
        Quantity yQuantity,
        Map<Standing, Points> points,
        Points faded,
        Optional<double[]> baseline,
        int drawn,
        int total,
        int unplaced)
        implements Plot {
    private static final double FADED = 0.22;
    private static final double SHADE = 0.12;
    /// Back to front.
    private static final Standing[] ORDER = {
        Standing.PENDING, Standing.LOWER, Standing.DOMINATED, Standing.INVALID, Standing.PREDICTED, Standing.FRONT
    };

    /// Most points drawn of one plot; of more, every k-th in order of arrival, and all of the front.
    static final int MAX_POINTS = 100_000;

    /// Points of one kind, in shown units.
    ///
    /// @param number design numbers
    /// @param x values across
    /// @param y values upwards
    record Points(int[] number, double[] x, double[] y) {
        int size() {
            return number.length;
        }

        Points and(Points more) {
            return new Points(
                    IntStream.concat(IntStream.of(number), IntStream.of(more.number))
                            .toArray(),
                    DoubleStream.concat(DoubleStream.of(x), DoubleStream.of(more.x))
                            .toArray(),
                    DoubleStream.concat(DoubleStream.of(y), DoubleStream.of(more.y))
                            .toArray());
        }
    }

    private static final Points NONE = new Points(new int[0], new double[0], new double[0]);

    /// Gathers the points of `shown`, leaving out the kinds in `hidden`.
    static Scatter of(Shown shown, Metric x, Metric y, boolean log, Set<Standing> hidden) {
        DesignSet set = shown.set();
        int n = set.size();
        // Counted before only where not all can be drawn: memory for 100 000 points is made at every picture.
        int stride = n <= MAX_POINTS
                ? 1
                : (int) Math.max(
                        1,
                        (IntStream.range(0, n)
                                                .filter(i -> !hidden.contains(set.standing(i))
                                                        && !Double.isNaN(set.shownOrNaN(i, x.name()))
                                                        && !Double.isNaN(set.shownOrNaN(i, y.name())))
                                                .count()
                                        + MAX_POINTS
                                        - 1)
                                / MAX_POINTS);
        int total = 0;
        int unplaced = 0;
        double[] bounds = {
            Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY
        };
        Optional<double[]> base = set.baseline()
                .flatMap(b -> b.value(x.name()).isPresent() && b.value(y.name()).isPresent()
                        ? Optional.of(new double[] {
                            b.value(x.name()).getAsDouble(), b.value(y.name()).getAsDouble()
                        })
                        : Optional.empty());
        base.ifPresent(b -> include(bounds, b[0], b[1]));
        var kinds = new EnumMap<Standing, Collector>(Standing.class);
        for (Standing s : Standing.values()) {
            kinds.put(s, new Collector(Math.min(set.count(s), shown.count())));
        }
        var faded = new Collector(n - shown.count());
        int same = 0;
        for (int i = 0; i < n; i++) {
            Standing s = set.standing(i);
            double vx = set.shownOrNaN(i, x.name());
            double vy = set.shownOrNaN(i, y.name());
            if (Double.isNaN(vx) || Double.isNaN(vy)) {
                unplaced += s == Standing.PENDING ? 0 : 1;
                continue;
            }
            include(bounds, vx, vy);
            if (hidden.contains(s)) {
                continue;
            }
            total++;
            if (i % stride != 0 && s != Standing.FRONT) {
                continue;
            }
            // Equal designs are one mark; the square of the baseline covers its own.
            if (set.repeats().containsKey(i) || (base.isPresent() && i + 1 == set.twin() && s != Standing.FRONT)) {
                same++;
                continue;
            }
            requireNonNull(shown.matches(i) ? kinds.get(s) : faded).add(i + 1, vx, vy);
        }
        Quantity qx = Quantity.of(x, bounds[0], bounds[1]);
        Quantity qy = Quantity.of(y, bounds[2], bounds[3]);
        var points = new EnumMap<Standing, Points>(Standing.class);
        kinds.forEach((s, c) -> points.put(s, c.points(qx.divisor(), qy.divisor())));
        int drawn = points.values().stream().mapToInt(Points::size).sum() + faded.size + same;
        return new Scatter(
                shown,
                x,
                y,
                log,
                qx,
                qy,
                points,
                faded.points(qx.divisor(), qy.divisor()),
                base.map(b -> new double[] {b[0] / qx.divisor(), b[1] / qy.divisor()}),
                drawn,
                total,
                unplaced);
    }

    private static void include(double[] bounds, double x, double y) {
        bounds[0] = Math.min(bounds[0], x);
        bounds[1] = Math.max(bounds[1], x);
        bounds[2] = Math.min(bounds[2], y);
        bounds[3] = Math.max(bounds[3], y);
    }

    /// Smallest and largest values `{xLow, xHigh, yLow, yHigh}` of what is drawn, in shown units.
    double[] bounds() {
        double[] b = {
            Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY
        };
        for (Points p : all()) {
            for (int i = 0; i < p.size(); i++) {
                include(b, p.x()[i], p.y()[i]);
            }
        }
        baseline.ifPresent(v -> include(b, v[0], v[1]));
        return b;
    }

    private List<Points> all() {
        var all = new ArrayList<>(points.values());
        all.add(faded);
        return all;
    }

    /// The front's members that are also best in this projection, from left to right: the stairs drawn through
    /// them. Of one objective the designs that were better than all before.
    Points stairs() {
        Points front = points.getOrDefault(Standing.FRONT, NONE);
        if (x.equals(DesignSet.NUMBER)) {
            front = front.and(points.getOrDefault(Standing.DOMINATED, NONE));
        }
        return best(front);
    }

    private Points best(Points front) {
        Integer[] order = IntStream.range(0, front.size()).boxed().toArray(Integer[]::new);
        double sx = x.direction() == Metric.Direction.MAXIMISE ? -1 : 1;
        double sy = y.direction() == Metric.Direction.MAXIMISE ? -1 : 1;
        Arrays.sort(
                order,
                java.util.Comparator.comparingDouble((Integer i) -> sx * front.x()[i])
                        .thenComparingDouble(i -> sy * front.y()[i]));
        var kept = new Collector(front.size());
        double best = Double.POSITIVE_INFINITY;
        for (int i : order) {
            if (sy * front.y()[i] < best) {
                best = sy * front.y()[i];
                kept.add(front.number()[i], front.x()[i], front.y()[i]);
            }
        }
        return kept.points(1, 1);
    }

    @Override
    public Figure figure(double width, double height) {
        double[] b = bounds();
        var across = Figure.Axis.around(xQuantity.heading(x.label()), log && !x.equals(DesignSet.NUMBER), b[0], b[1]);
        var upwards = Figure.Axis.around(yQuantity.heading(y.label()), log, b[2], b[3]);
        var items = new ArrayList<Figure.Item>();
        shade(items, across, upwards, x, xQuantity, true);
        shade(items, across, upwards, y, yQuantity, false);
        items.add(new Figure.Cloud(
                faded.x(), faded.y(), new int[0], Figure.Shape.DOT, Hue.DOMINATED, FADED, n -> tip(shown.set(), n)));
        items.add(stairsLine());
        for (Standing s : ORDER) {
            Points p = requireNonNull(points.get(s));
            items.add(new Figure.Cloud(p.x(), p.y(), p.number(), shape(s), hue(s), 1, n -> tip(shown.set(), n)));
        }
        baseline.ifPresent(v -> items.add(new Figure.Cloud(
                new double[] {v[0]},
                new double[] {v[1]},
                new int[] {shown.set().twin()},
                Figure.Shape.SQUARE,
                Hue.BASELINE,
                baselineMatches() ? 1 : FADED,
                n -> tip(shown.set(), n))));
        DesignSet set = shown.set();
        String source = set.info().map(i -> i.top().name() + ", ").orElse("") + set.sourceWords();
        return new Figure(
                List.of(new Figure.Panel(across, upwards, 1, items)),
                legend(),
                source + "; " + shown.count() + " of " + set.size() + " designs",
                note());
    }

    /// Whether the baseline keeps the bounds of metrics.
    private boolean baselineMatches() {
        return shown.filter().ranges().entrySet().stream()
                .filter(e -> !e.getKey().knob())
                .allMatch(e -> shown.set()
                        .baseline()
                        .map(b -> b.value(e.getKey().name()))
                        .filter(OptionalDouble::isPresent)
                        .filter(v -> e.getValue().holds(v.getAsDouble()))
                        .isPresent());
    }

    /// Shades what misses the bounds of a metric.
    private void shade(
            List<Figure.Item> items, Figure.Axis across, Figure.Axis upwards, Metric m, Quantity q, boolean upright) {
        Range range = shown.filter().ranges().get(Axis.metric(m.name()));
        if (range == null) {
            return;
        }
        Figure.Axis axis = upright ? across : upwards;
        double low = Math.max(axis.low(), range.low() / q.divisor());
        double high = Math.min(axis.high(), range.high() / q.divisor());
        for (double[] part :
                new double[][] {{axis.low(), Math.min(low, axis.high())}, {Math.max(high, axis.low()), axis.high()}}) {
            if (part[1] > part[0]) {
                items.add(new Figure.Bar(
                        upright ? part[0] : across.low(),
                        upright ? part[1] : across.high(),
                        upright ? upwards.low() : part[0],
                        upright ? upwards.high() : part[1],
                        Hue.MUTED,
                        SHADE,
                        "",
                        Figure.NO_KEY));
                double edge = part[0] == axis.low() ? part[1] : part[0];
                items.add(new Figure.Rule(
                        upright, edge, Hue.MUTED, true, FilterWords.of(Axis.metric(m.name()), range, shown.set())));
            }
        }
    }

    private Figure.Line stairsLine() {
        Points p = stairs();
        boolean single = p.size() < 2;
        // A step goes sideways first from the end at which the metric across is worse.
        boolean turned = x.direction() == Metric.Direction.MAXIMISE;
        double[] sx = single ? new double[0] : turned ? reversed(p.x()) : p.x();
        double[] sy = single ? new double[0] : turned ? reversed(p.y()) : p.y();
        return new Figure.Line("", sx, sy, Hue.FRONT, true, 0, 1.2, 0.45);
    }

    private static double[] reversed(double[] v) {
        double[] r = new double[v.length];
        Arrays.setAll(r, i -> v[v.length - 1 - i]);
        return r;
    }

    private List<Figure.Key> legend() {
        var keys = new ArrayList<Figure.Key>();
        for (Standing s : Standing.values()) {
            if (requireNonNull(points.get(s)).size() > 0 && s != Standing.PENDING) {
                keys.add(new Figure.Key(s.words(), hue(s), shape(s)));
            }
        }
        if (shown.set().baseline().isPresent()) {
            keys.add(new Figure.Key("baseline", Hue.BASELINE, Figure.Shape.SQUARE));
        }
        return keys;
    }

    private String note() {
        var parts = new ArrayList<String>();
        if (drawn < total) {
            parts.add(Quantity.count(drawn) + " of " + Quantity.count(total) + " drawn");
        }
        if (all().stream().anyMatch(p -> p.size() > Density.DENSE)) {
            parts.add("stronger where more designs lie");
        }
        if (unplaced > 0) {
            parts.add(unplaced == 1 ? "1 design without values" : Quantity.count(unplaced) + " designs without values");
        }
        return String.join(", ", parts);
    }

    /// The mark of a kind of design, the same everywhere.
    static Figure.Shape shape(Standing standing) {
        return switch (standing) {
            case FRONT -> Figure.Shape.DISC;
            case DOMINATED -> Figure.Shape.DOT;
            case LOWER, PENDING -> Figure.Shape.CIRCLE;
            case INVALID -> Figure.Shape.CROSS;
            case PREDICTED -> Figure.Shape.DIAMOND;
        };
    }

    /// The colour of a kind of design.
    static Hue hue(Standing standing) {
        return switch (standing) {
            case FRONT -> Hue.FRONT;
            case DOMINATED -> Hue.DOMINATED;
            case LOWER, PENDING -> Hue.LOWER;
            case INVALID -> Hue.INVALID;
            case PREDICTED -> Hue.PREDICTED;
        };
    }

    /// Which design it is, and its objectives with units.
    static Figure.Tip tip(DesignSet set, int number) {
        return DesignSummary.of(set, number)
                .map(s -> new Figure.Tip(s.title(), s.text()))
                .orElse(Figure.Tip.of(""));
    }

    private static final class Collector {
        private final int[] number;
        private final double[] x;
        private final double[] y;
        private int size;

        /// @param most points that are added at most
        Collector(int most) {
            number = new int[most];
            x = new double[most];
            y = new double[most];
        }

        void add(int n, double vx, double vy) {
            number[size] = n;
            x[size] = vx;
            y[size++] = vy;
        }

        /// The points in units of these sizes; to be asked once.
        Points points(double across, double upwards) {
            for (int i = 0; i < size; i++) {
                x[i] /= across;
                y[i] /= upwards;
            }
            return size == number.length
                    ? new Points(number, x, y)
                    : new Points(Arrays.copyOf(number, size), Arrays.copyOf(x, size), Arrays.copyOf(y, size));
        }
    }
}
