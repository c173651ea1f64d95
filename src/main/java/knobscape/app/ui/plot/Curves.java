package knobscape.app.ui.plot;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import knobscape.app.ui.designs.Quantity;
import knobscape.app.ui.theme.Hue;
import knobscape.project.RunResults.TracePoint;

/// Hypervolume curves of several runs.
///
/// @param curves the runs, the selected one first
/// @param reference the reference point in words, or why there is none
/// @param known hypervolume of the designs of all runs together; NaN where unknown
public record Curves(List<Curve> curves, String reference, double known) implements Plot {
    /// Points of the selected run are marked up to this many.
    private static final int MAX_MARKED = 200;
    private static final List<Unit> UNITS =
            List.of(new Unit("Hours", 3600, 5400), new Unit("Minutes", 60, 120), new Unit("Seconds", 1, 0));
    /// Height from which the upwards axis has room for its whole label, pixels.
    private static final double ROOM_FOR_LABEL = 260;

    public Curves {
        curves = List.copyOf(curves);
    }

    /// One run.
    ///
    /// @param title as shown in the legend
    /// @param points one per completed step
    /// @param current whether it is the selected run
    public record Curve(String title, List<TracePoint> points, boolean current) {
        public Curve {
            points = List.copyOf(points);
        }
    }

    /// Nothing to draw.
    public static Curves none() {
        return new Curves(List.of(), "", Double.NaN);
    }

    /// The 100 % of the axis: the best of all curves and of all designs together.
    double best() {
        return curves.stream()
                .flatMap(c -> c.points().stream())
                .mapToDouble(TracePoint::hypervolume)
                .filter(Double::isFinite)
                .reduce(Double.isFinite(known) ? known : 0, Math::max);
    }

    /// The height of a point in per cent of the best known.
    double percent(TracePoint p) {
        double best = best();
        return best > 0 ? 100 * p.hypervolume() / best : 0;
    }

    /// True if there is a point to draw.
    boolean isEmpty() {
        return curves.stream().flatMap(c -> c.points().stream()).noneMatch(p -> Double.isFinite(p.hypervolume()));
    }

    /// A unit of the time axis.
    ///
    /// @param least seconds from which it is used
    private record Unit(String name, double seconds, double least) {}

    private Unit unit() {
        double most = curves.stream()
                .flatMap(c -> c.points().stream())
                .mapToDouble(TracePoint::toolSeconds)
                .max()
                .orElse(0);
        return UNITS.stream().filter(u -> most >= u.least()).findFirst().orElseThrow();
    }

    /// The place of a point on the time axis.
    double across(TracePoint p) {
        return p.toolSeconds() / unit().seconds();
    }

    /// The steps of a curve that have a hypervolume.
    static List<TracePoint> steps(Curve c) {
        return c.points().stream().filter(p -> Double.isFinite(p.hypervolume())).toList();
    }

    /// Hypervolume against time spent: stairs, since the front does not change between two results. The
    /// selected run is thick; the others differ in dash as well as colour. The keys of its points are positions in
    /// [#steps].
    @Override
    public Figure figure(double width, double height) {
        double best = best();
        double unit = best > 0 ? 100 / best : 1;
        Unit time = unit();
        var ys = curves.stream()
                .flatMap(c -> steps(c).stream())
                .mapToDouble(p -> p.hypervolume() * unit)
                .summaryStatistics();
        double right = curves.stream()
                .flatMap(c -> c.points().stream())
                .mapToDouble(p -> p.toolSeconds() / time.seconds())
                .max()
                .orElse(0);
        double low = ys.getCount() == 0 ? 0 : Math.max(0, ys.getMin() - Math.max(1, 0.08 * (100 - ys.getMin())));
        var upwards = Figure.Axis.linear(
                height < ROOM_FOR_LABEL ? "% of best known" : "Hypervolume (% of best known)",
                low,
                ys.getCount() == 0 ? 100 : 100 + Math.max(0.5, 0.08 * (100 - ys.getMin())));
        var items = new ArrayList<Figure.Item>();
        var legend = new ArrayList<Figure.Key>();
        int other = 0;
        for (Curve c : curves.reversed().stream()
                .sorted(Comparator.comparing(Curve::current))
                .toList()) {
            List<TracePoint> steps = steps(c);
            double[] x = steps.stream()
                    .mapToDouble(p -> p.toolSeconds() / time.seconds())
                    .toArray();
            double[] y = steps.stream().mapToDouble(p -> p.hypervolume() * unit).toArray();
            if (x.length == 0) {
                continue;
            }
            int dash = c.current() ? 0 : ++other;
            Hue hue = Lines.HUES.get(dash % Lines.HUES.size());
            items.add(new Figure.Line(
                    c.current() ? "" : c.title(), x, y, hue, true, dash % Lines.DASHES, c.current() ? 2 : 1.4));
            if (c.current()) {
                items.add(new Figure.Cloud(
                        Figure.Places.of(x, y),
                        IntStream.range(0, x.length).toArray(),
                        Figure.Shape.DOT,
                        hue,
                        x.length <= MAX_MARKED ? 1 : 0,
                        k -> Figure.Tip.of(words(steps.get(k), best))));
            }
            if (curves.size() > 1) {
                legend.addFirst(new Figure.Key(c.title(), hue, Figure.Shape.LINE, dash % Lines.DASHES));
            }
        }
        return new Figure(
                List.of(new Figure.Panel(
                        Figure.Axis.linear(time.name() + " spent", 0, right > 0 ? right * 1.04 : 1),
                        upwards,
                        1,
                        items)),
                legend,
                reference);
    }

    /// A step in words.
    ///
    /// @param best hypervolume that is 100 %
    static String words(TracePoint p, double best) {
        return (p.step() == 0 ? "initial designs" : "step " + p.step()) + ": "
                + String.format(Locale.ROOT, "%.4f", p.hypervolume())
                + (best > 0 ? String.format(Locale.ROOT, " (%.1f %% of best known)", 100 * p.hypervolume() / best) : "")
                + " after " + Quantity.spent(p.toolSeconds()) + ", " + p.frontSize() + " on the front";
    }
}
