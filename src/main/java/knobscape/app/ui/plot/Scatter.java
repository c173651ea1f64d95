package knobscape.app.ui.plot;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import knobscape.app.ui.designs.DesignFilter.Axis;
import knobscape.app.ui.designs.DesignFilter.Range;
import knobscape.app.ui.designs.DesignSet;
import knobscape.app.ui.designs.DesignStanding;
import knobscape.app.ui.designs.DesignSummary;
import knobscape.app.ui.designs.FilterWords;
import knobscape.app.ui.designs.Quantity;
import knobscape.app.ui.designs.Results;
import knobscape.app.ui.designs.Results.VisibleDesigns;
import knobscape.app.ui.theme.Hue;
import knobscape.evaluate.Metric;

/// The points of one scatter plot: every design that has a value of both metrics, in the units shown. Built
/// away from the screen.
///
/// @param shown the designs
/// @param x across
/// @param y upwards
/// @param log whether both scales are logarithmic
/// @param points by standing; designs the filter leaves out are in `faded`
/// @param faded designs the filter leaves out
/// @param baseline values of the baseline, where it has both
/// @param count designs drawn and not
record Scatter(
        VisibleDesigns shown,
        Scale x,
        Scale y,
        boolean log,
        Map<DesignStanding, Points> points,
        Points faded,
        Optional<double[]> baseline,
        Count count)
        implements Plot {
    /// How many designs there are.
    ///
    /// @param drawn those that have a mark, equal ones the same
    /// @param total those that could be drawn
    /// @param unplaced those evaluated without a value of both metrics (invalid before anything was measured)
    record Count(int drawn, int total, int unplaced) {}

    /// The quantity along one axis.
    ///
    /// @param metric the values
    /// @param quantity their unit
    record Scale(Metric metric, Quantity quantity) {}

    private static final double FADED = 0.22;
    private static final double SHADE = 0.12;
    /// Back to front.
    private static final DesignStanding[] ORDER = {
        DesignStanding.PENDING,
        DesignStanding.LOWER,
        DesignStanding.DOMINATED,
        DesignStanding.INVALID,
        DesignStanding.PREDICTED,
        DesignStanding.FRONT
    };

    /// Most points drawn of one plot; of more, every k-th in order of arrival, and all of the front.
    static final int MAX_POINTS = 100_000;

    /// Beside the ordinals of [DesignStanding]: what the filter leaves out, and what is not drawn.
    private static final byte FADED_KIND = (byte) DesignStanding.values().length;
    private static final byte NO_KIND = -1;

    /// Points of one kind, in shown units.
    ///
    /// @param number design numbers
    /// @param across values of all designs by index
    /// @param upwards values of all designs by index
    /// @param xUnit what the shown unit across is of theirs
    /// @param yUnit what the shown unit upwards is of theirs
    record Points(int[] number, double[] across, double[] upwards, double xUnit, double yUnit)
            implements Figure.Places {
        @Override
        public int size() {
            return number.length;
        }

        @Override
        public double x(int i) {
            return across[number[i] - 1] / xUnit;
        }

        @Override
        public double y(int i) {
            return upwards[number[i] - 1] / yUnit;
        }

        Points of(int[] numbers) {
            return new Points(numbers, across, upwards, xUnit, yUnit);
        }
    }

    /// Gathers the points of `shown`, leaving out the kinds in `hidden`.
    static Scatter of(VisibleDesigns shown, Metric x, Metric y, boolean log, Set<DesignStanding> hidden) {
        DesignSet set = shown.set();
        double[] vx = set.column(x);
        double[] vy = set.column(y);
        Optional<double[]> base = set.baseline()
                .flatMap(b -> b.value(x.name()).isPresent() && b.value(y.name()).isPresent()
                        ? Optional.of(new double[] {
                            b.value(x.name()).getAsDouble(), b.value(y.name()).getAsDouble()
                        })
                        : Optional.empty());
        double[] bounds = {
            Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY
        };
        base.ifPresent(b -> include(bounds, b[0], b[1]));
        int total = 0;
        int unplaced = 0;
        for (int i = 0; i < vx.length; i++) {
            if (Double.isNaN(vx[i]) || Double.isNaN(vy[i])) {
                unplaced += set.standing(i) == DesignStanding.PENDING ? 0 : 1;
            } else {
                include(bounds, vx[i], vy[i]);
                total += hidden.contains(set.standing(i)) ? 0 : 1;
            }
        }
        int stride = Math.max(1, Math.ceilDiv(total, MAX_POINTS));
        // Counted before they are gathered: 100 000 points are made at every picture.
        int[] size = new int[FADED_KIND + 1];
        int same = 0;
        byte[] kinds = new byte[vx.length];
        for (int i = 0; i < vx.length; i++) {
            DesignStanding s = set.standing(i);
            kinds[i] = NO_KIND;
            if (Double.isNaN(vx[i])
                    || Double.isNaN(vy[i])
                    || hidden.contains(s)
                    || (i % stride != 0 && s != DesignStanding.FRONT)) {
                continue;
            }
            // Equal designs are one mark; the square of the baseline covers its own.
            if ((s == DesignStanding.FRONT && set.repeats().containsKey(i))
                    || (base.isPresent() && i + 1 == set.twin() && s != DesignStanding.FRONT)) {
                same++;
                continue;
            }
            kinds[i] = (byte) (shown.matches(i) ? s.ordinal() : FADED_KIND);
            size[kinds[i]]++;
        }
        int[][] numbers = new int[size.length][];
        Arrays.setAll(numbers, k -> new int[size[k]]);
        for (int i = vx.length - 1; i >= 0; i--) {
            if (kinds[i] != NO_KIND) {
                numbers[kinds[i]][--size[kinds[i]]] = i + 1;
            }
        }
        Quantity qx = Results.quantity(set, x, bounds[1]);
        Quantity qy = Results.quantity(set, y, bounds[3]);
        var none = new Points(new int[0], vx, vy, qx.divisor(), qy.divisor());
        var points = new EnumMap<DesignStanding, Points>(DesignStanding.class);
        for (DesignStanding s : DesignStanding.values()) {
            points.put(s, none.of(numbers[s.ordinal()]));
        }
        return new Scatter(
                shown,
                new Scale(x, qx),
                new Scale(y, qy),
                log,
                points,
                none.of(numbers[FADED_KIND]),
                base.map(b -> new double[] {b[0] / qx.divisor(), b[1] / qy.divisor()}),
                new Count(Stream.of(numbers).mapToInt(k -> k.length).sum() + same, total, unplaced));
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
                include(b, p.x(i), p.y(i));
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
        Points front = requireNonNull(points.get(DesignStanding.FRONT));
        return best(
                x.metric().equals(DesignSet.NUMBER)
                        ? front.of(IntStream.concat(
                                        IntStream.of(front.number()),
                                        IntStream.of(requireNonNull(points.get(DesignStanding.DOMINATED))
                                                .number()))
                                .toArray())
                        : front);
    }

    private Points best(Points front) {
        double sx = x.metric().direction() == Metric.Direction.MAXIMISE ? -1 : 1;
        double sy = y.metric().direction() == Metric.Direction.MAXIMISE ? -1 : 1;
        Integer[] order = IntStream.range(0, front.size()).boxed().toArray(Integer[]::new);
        Arrays.sort(
                order,
                Comparator.comparingDouble((Integer i) -> sx * front.x(i)).thenComparingDouble(i -> sy * front.y(i)));
        var kept = IntStream.builder();
        double best = Double.POSITIVE_INFINITY;
        for (int i : order) {
            if (sy * front.y(i) < best) {
                best = sy * front.y(i);
                kept.add(front.number()[i]);
            }
        }
        return front.of(kept.build().toArray());
    }

    @Override
    public Figure figure(double width, double height) {
        double[] b = bounds();
        var across = Figure.Axis.around(
                x.quantity().heading(x.metric().label()), log && !x.metric().equals(DesignSet.NUMBER), b[0], b[1]);
        var upwards = Figure.Axis.around(y.quantity().heading(y.metric().label()), log, b[2], b[3]);
        var items = new ArrayList<Figure.Item>();
        shade(items, across, upwards, x, true);
        shade(items, across, upwards, y, false);
        items.add(
                new Figure.Cloud(faded, new int[0], Figure.Shape.DOT, Hue.DOMINATED, FADED, n -> tip(shown.set(), n)));
        items.add(stairsLine());
        for (DesignStanding s : ORDER) {
            Points p = requireNonNull(points.get(s));
            items.add(new Figure.Cloud(p, p.number(), shape(s), hue(s), 1, n -> tip(shown.set(), n)));
        }
        baseline.ifPresent(v -> items.add(new Figure.Cloud(
                Figure.Places.of(new double[] {v[0]}, new double[] {v[1]}),
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

    /// True if the baseline keeps the bounds of metrics.
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
    private void shade(List<Figure.Item> items, Figure.Axis across, Figure.Axis upwards, Scale scale, boolean upright) {
        Axis bounded = Axis.metric(scale.metric().name());
        Range range = shown.filter().ranges().get(bounded);
        if (range == null) {
            return;
        }
        Figure.Axis axis = upright ? across : upwards;
        double low = Math.max(axis.low(), range.low() / scale.quantity().divisor());
        double high = Math.min(axis.high(), range.high() / scale.quantity().divisor());
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
                items.add(new Figure.Rule(upright, edge, Hue.MUTED, true, FilterWords.of(bounded, range, shown.set())));
            }
        }
    }

    private Figure.Line stairsLine() {
        Points p = stairs();
        int n = p.size() < 2 ? 0 : p.size();
        // A step goes sideways first from the end at which the metric across is worse.
        boolean turned = x.metric().direction() == Metric.Direction.MAXIMISE;
        double[] sx = new double[n];
        double[] sy = new double[n];
        for (int i = 0; i < n; i++) {
            sx[i] = p.x(turned ? n - 1 - i : i);
            sy[i] = p.y(turned ? n - 1 - i : i);
        }
        return new Figure.Line("", sx, sy, Hue.FRONT, true, 0, 1.2, 0.45);
    }

    private List<Figure.Key> legend() {
        var keys = new ArrayList<Figure.Key>();
        for (DesignStanding s : DesignStanding.values()) {
            if (requireNonNull(points.get(s)).size() > 0 && s != DesignStanding.PENDING) {
                keys.add(new Figure.Key(s.words(), hue(s), shape(s)));
            }
        }
        if (shown.set().baseline().isPresent()) {
            keys.add(new Figure.Key("baseline", Hue.BASELINE, Figure.Shape.SQUARE));
        }
        if (faded.size() > 0) {
            // As strong as in the window's legend: a single mark is fainter than many.
            keys.add(new Figure.Key(shown.missed(), Hue.DOMINATED, Figure.Shape.DOT, 0, Legend.FADED));
        }
        return keys;
    }

    private String note() {
        var parts = new ArrayList<String>();
        if (count.drawn < count.total) {
            parts.add(Quantity.count(count.drawn) + " of " + Quantity.count(count.total) + " drawn");
        }
        if (all().stream().anyMatch(p -> p.size() > Density.DENSE)) {
            parts.add("stronger where more designs lie");
        }
        if (count.unplaced > 0) {
            parts.add(
                    count.unplaced == 1
                            ? "1 design without values"
                            : Quantity.count(count.unplaced) + " designs without values");
        }
        return String.join(", ", parts);
    }

    /// The mark of a kind of design, the same everywhere.
    static Figure.Shape shape(DesignStanding standing) {
        return switch (standing) {
            case FRONT -> Figure.Shape.DISC;
            case DOMINATED -> Figure.Shape.DOT;
            case LOWER, PENDING -> Figure.Shape.CIRCLE;
            case INVALID -> Figure.Shape.CROSS;
            case PREDICTED -> Figure.Shape.DIAMOND;
        };
    }

    /// The colour of a kind of design.
    static Hue hue(DesignStanding standing) {
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
}
