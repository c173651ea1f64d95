package knobscape.app.ui.plot;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
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
    }

    /// Gathers the points of `shown`, leaving out the kinds in `hidden`.
    static Scatter of(Shown shown, Metric x, Metric y, boolean log, Set<Standing> hidden) {
        DesignSet set = shown.set();
        int n = set.size();
        double[] xs = new double[n];
        double[] ys = new double[n];
        int total = 0;
        int unplaced = 0;
        double[] bounds = {
            Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY
        };
        for (int i = 0; i < n; i++) {
            xs[i] = set.shownOrNaN(i, x.name());
            ys[i] = set.shownOrNaN(i, y.name());
            if (Double.isNaN(xs[i]) || Double.isNaN(ys[i])) {
                xs[i] = Double.NaN;
                unplaced += set.standing(i) == Standing.PENDING ? 0 : 1;
                continue;
            }
            include(bounds, xs[i], ys[i]);
            total += hidden.contains(set.standing(i)) ? 0 : 1;
        }
        Optional<double[]> base = set.baseline()
                .flatMap(b -> b.value(x.name()).isPresent() && b.value(y.name()).isPresent()
                        ? Optional.of(new double[] {
                            b.value(x.name()).getAsDouble(), b.value(y.name()).getAsDouble()
                        })
                        : Optional.empty());
        base.ifPresent(b -> include(bounds, b[0], b[1]));
        Quantity qx = Quantity.of(x, bounds[0], bounds[1]);
        Quantity qy = Quantity.of(y, bounds[2], bounds[3]);
        int stride = Math.max(1, (total + MAX_POINTS - 1) / MAX_POINTS);
        var kinds = new EnumMap<Standing, Collector>(Standing.class);
        for (Standing s : Standing.values()) {
            kinds.put(s, new Collector(Math.min(set.count(s), shown.count())));
        }
        var faded = new Collector(n - shown.count());
        int same = 0;
        for (int i = 0; i < n; i++) {
            Standing s = set.standing(i);
            // Equal designs are one mark; the square of the baseline covers its own.
            boolean elsewhere =
                    set.repeats().containsKey(i) || (base.isPresent() && i + 1 == set.twin() && s != Standing.FRONT);
            if (Double.isNaN(xs[i]) || hidden.contains(s) || (i % stride != 0 && s != Standing.FRONT)) {
                continue;
            }
            if (elsewhere) {
                same++;
                continue;
            }
            requireNonNull(shown.matches(i) ? kinds.get(s) : faded)
                    .add(i + 1, xs[i] / qx.divisor(), ys[i] / qy.divisor());
        }
        var points = new EnumMap<Standing, Points>(Standing.class);
        kinds.forEach((s, c) -> points.put(s, c.points()));
        int drawn = points.values().stream().mapToInt(Points::size).sum() + faded.size + same;
        return new Scatter(
                shown,
                x,
                y,
                log,
                qx,
                qy,
                points,
                faded.points(),
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
    /// them.
    Points stairs() {
        Points front = points.getOrDefault(Standing.FRONT, new Points(new int[0], new double[0], new double[0]));
        Integer[] order =
                java.util.stream.IntStream.range(0, front.size()).boxed().toArray(Integer[]::new);
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
        return kept.points();
    }

    @Override
    public Figure figure(double width, double height) {
        double[] b = bounds();
        var across = Figure.Axis.around(xQuantity.heading(x.label()), log, b[0], b[1]);
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
                1,
                n -> tip(shown.set(), n))));
        DesignSet set = shown.set();
        String source = set.info().map(i -> i.top().name() + ", ").orElse("") + set.sourceWords();
        return new Figure(
                List.of(new Figure.Panel(across, upwards, 1, items)),
                legend(),
                source + "; " + shown.count() + " of " + set.size() + " designs",
                note());
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
            if (shown.set().count(s) > 0 && s != Standing.PENDING) {
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

        Points points() {
            return size == number.length
                    ? new Points(number, x, y)
                    : new Points(Arrays.copyOf(number, size), Arrays.copyOf(x, size), Arrays.copyOf(y, size));
        }
    }
}
