package knobscape.app.ui.plot;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.Set;
import knobscape.app.ui.designs.DesignSet;
import knobscape.app.ui.designs.Quantity;
import knobscape.app.ui.designs.Results.Shown;
import knobscape.app.ui.designs.Standing;
import knobscape.evaluate.Metric;

/// The points of one scatter plot: every design that has a value of both metrics, in the units shown. Built away from the screen.
///
/// @param x metric across
/// @param y metric upwards
/// @param xQuantity units across
/// @param yQuantity units upwards
/// @param points by standing; designs the filter leaves out are in `faded`
/// @param faded designs the filter leaves out
/// @param baseline values of the baseline, where it has both
/// @param drawn points in `points` and `faded` together
/// @param total designs that could be drawn
/// @param unplaced designs judged without a value of both metrics (invalid before anything was measured)
/// @param source words for where the numbers come from
record Scatter(Metric x, Metric y, Quantity xQuantity, Quantity yQuantity, Map<Standing, Points> points, Points faded, Optional<double[]> baseline,
        int drawn, int total, int unplaced, String source) {

    /// Most points drawn of one plot; of more, every k-th in order of arrival, and all of the front.
    static final int MOST_POINTS = 100_000;

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
    static Scatter of(Shown shown, Metric x, Metric y, Set<Standing> hidden) {
        DesignSet set = shown.set();
        int n = set.size();
        double[] xs = new double[n];
        double[] ys = new double[n];
        int total = 0;
        int unplaced = 0;
        double[] bounds = {Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY};
        for (int i = 0; i < n; i++) {
            OptionalDouble vx = set.shownValue(i, x.name());
            OptionalDouble vy = set.shownValue(i, y.name());
            if (vx.isEmpty() || vy.isEmpty()) {
                xs[i] = Double.NaN;
                unplaced += set.standing(i) == Standing.PENDING ? 0 : 1;
                continue;
            }
            xs[i] = vx.getAsDouble();
            ys[i] = vy.getAsDouble();
            include(bounds, xs[i], ys[i]);
            total += hidden.contains(set.standing(i)) ? 0 : 1;
        }
        Optional<double[]> base = set.baseline().flatMap(b -> b.value(x.name()).isPresent() && b.value(y.name()).isPresent()
                ? Optional.of(new double[] {b.value(x.name()).getAsDouble(), b.value(y.name()).getAsDouble()}) : Optional.empty());
        base.ifPresent(b -> include(bounds, b[0], b[1]));
        Quantity qx = Quantity.of(x, bounds[0], bounds[1]);
        Quantity qy = Quantity.of(y, bounds[2], bounds[3]);
        int stride = Math.max(1, (total + MOST_POINTS - 1) / MOST_POINTS);
        var kinds = new EnumMap<Standing, Collector>(Standing.class);
        for (Standing s : Standing.values()) {
            kinds.put(s, new Collector());
        }
        var faded = new Collector();
        for (int i = 0; i < n; i++) {
            Standing s = set.standing(i);
            if (Double.isNaN(xs[i]) || hidden.contains(s) || i % stride != 0 && s != Standing.FRONT) {
                continue;
            }
            (shown.matches(i) ? kinds.get(s) : faded).add(i + 1, xs[i] / qx.divisor(), ys[i] / qy.divisor());
        }
        var points = new EnumMap<Standing, Points>(Standing.class);
        kinds.forEach((s, c) -> points.put(s, c.points()));
        int drawn = points.values().stream().mapToInt(Points::size).sum() + faded.size;
        return new Scatter(x, y, qx, qy, points, faded.points(), base.map(b -> new double[] {b[0] / qx.divisor(), b[1] / qy.divisor()}), drawn, total,
                unplaced, set.sourceWords());
    }

    private static void include(double[] bounds, double x, double y) {
        bounds[0] = Math.min(bounds[0], x);
        bounds[1] = Math.max(bounds[1], x);
        bounds[2] = Math.min(bounds[2], y);
        bounds[3] = Math.max(bounds[3], y);
    }

    /// Whether there is anything to draw.
    boolean isEmpty() {
        return drawn == 0 && baseline.isEmpty();
    }

    /// Smallest and largest values `{xLow, xHigh, yLow, yHigh}` of what is drawn, in shown units.
    double[] bounds() {
        double[] b = {Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY};
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

    /// The front's members that are also best in this projection, from left to right: the stairs drawn through them.
    Points stairs() {
        Points front = points.getOrDefault(Standing.FRONT, new Points(new int[0], new double[0], new double[0]));
        Integer[] order = java.util.stream.IntStream.range(0, front.size()).boxed().toArray(Integer[]::new);
        double sx = x.direction() == Metric.Direction.MAXIMISE ? -1 : 1;
        double sy = y.direction() == Metric.Direction.MAXIMISE ? -1 : 1;
        Arrays.sort(order, java.util.Comparator.comparingDouble((Integer i) -> sx * front.x()[i]).thenComparingDouble(i -> sy * front.y()[i]));
        var kept = new Collector();
        double best = Double.POSITIVE_INFINITY;
        for (int i : order) {
            if (sy * front.y()[i] < best) {
                best = sy * front.y()[i];
                kept.add(front.number()[i], front.x()[i], front.y()[i]);
            }
        }
        return kept.points();
    }

    /// Number of the design nearest to a place, within `reach` pixels; the front wins ties.
    OptionalInt nearest(AxisMap across, AxisMap upwards, double px, double py, double reach) {
        double best = reach * reach;
        int found = -1;
        for (Standing s : Standing.values()) {
            Points p = points.get(s);
            for (int i = 0; i < p.size(); i++) {
                double dx = across.pixel(p.x()[i]) - px;
                double dy = upwards.pixel(p.y()[i]) - py;
                double d = dx * dx + dy * dy;
                if (d < best) {
                    best = d;
                    found = p.number()[i];
                }
            }
        }
        if (baseline.isPresent()) {
            double dx = across.pixel(baseline.get()[0]) - px;
            double dy = upwards.pixel(baseline.get()[1]) - py;
            if (dx * dx + dy * dy < best) {
                found = 0;
            }
        }
        return found < 0 ? OptionalInt.empty() : OptionalInt.of(found);
    }

    private static final class Collector {
        private int[] number = new int[16];
        private double[] x = new double[16];
        private double[] y = new double[16];
        private int size;

        void add(int n, double vx, double vy) {
            if (size == number.length) {
                number = Arrays.copyOf(number, 2 * size);
                x = Arrays.copyOf(x, 2 * size);
                y = Arrays.copyOf(y, 2 * size);
            }
            number[size] = n;
            x[size] = vx;
            y[size++] = vy;
        }

        Points points() {
            return new Points(Arrays.copyOf(number, size), Arrays.copyOf(x, size), Arrays.copyOf(y, size));
        }
    }
}
