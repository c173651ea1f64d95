package knobscape.app.ui.plot;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import javafx.scene.Parent;
import knobscape.app.ui.designs.DesignSet;
import knobscape.app.ui.designs.DesignStanding;
import knobscape.app.ui.designs.Quantity;
import knobscape.app.ui.designs.Results;
import knobscape.app.ui.task.ScreenThread;
import knobscape.evaluate.Evaluation;
import knobscape.evaluate.Metric;
import knobscape.evaluate.replay.ReplaySet;
import knobscape.pareto.Adrs;
import knobscape.pareto.ParetoFront;
import knobscape.project.NumberFormats;

/// The front a run has learned beside the real one (Fig. 3.15 of the thesis). The real front is known where the
/// designs were all measured beforehand.
final class FrontsView {
    private static final double DECADES_FOR_LOG = 20;
    private static final String UNKNOWN = "The real front is known only where measured designs are explored.";

    private final Results results;
    private final Supplier<Optional<ReplaySet>> measured;
    private final ChosenFigure<Pair> figure;
    /// Of the table and the objectives drawn last; set away from the screen.
    private volatile Optional<Real> real = Optional.empty();

    /// Two objectives, by position.
    private record Pair(int x, int y) {}

    /// The front of all measured designs, which does not change while designs arrive.
    private record Real(ReplaySet set, List<Metric> metrics, int count, double[][] front) {
        static Real of(ReplaySet set, List<Metric> metrics) {
            double[][] all = set.space()
                    .enumerate()
                    .map(c -> set.stages(c).getLast())
                    .filter(e -> e.fidelity().rank() == set.info().top().rank())
                    .map(e -> vector(e, metrics))
                    .flatMap(Optional::stream)
                    .toArray(double[][]::new);
            return new Real(set, metrics, all.length, all.length == 0 ? all : ParetoFront.of(all));
        }
    }

    FrontsView(PlotContext context, Results results, Supplier<Optional<ReplaySet>> measured) {
        this.results = results;
        this.measured = measured;
        this.figure = new ChosenFigure<>(
                context, "Learned and real front", "frontPair", "Objectives of the fronts", this::words, this::draw);
        results.shown().addListener((o, was, is) -> update());
        update();
    }

    Parent root() {
        return figure.root();
    }

    private String words(Pair p) {
        List<Metric> m = results.set().objectives();
        return Math.max(p.x(), p.y()) >= m.size()
                ? ""
                : m.get(p.x()).label() + "\u2013" + m.get(p.y()).label();
    }

    private void update() {
        int m = results.set().objectives().size();
        figure.offer(IntStream.range(0, m)
                .boxed()
                .flatMap(a -> IntStream.range(a + 1, m).mapToObj(b -> new Pair(a, b)))
                .toList());
        draw(figure);
    }

    private void draw(ChosenFigure<Pair> on) {
        DesignSet designs = results.set();
        Optional<ReplaySet> set = measured.get();
        Optional<Pair> pair = on.chosen()
                .filter(p -> Math.max(p.x(), p.y()) < designs.objectives().size());
        on.show(() -> set.isEmpty() || pair.isEmpty()
                ? FigureView.Content.empty(UNKNOWN)
                : compare(real(set.get(), designs.objectives()), designs, pair.get()));
    }

    private Real real(ReplaySet set, List<Metric> metrics) {
        ScreenThread.mustNotBe("comparing fronts");
        Optional<Real> known = real.filter(r -> r.set() == set && r.metrics().equals(metrics));
        if (known.isEmpty()) {
            known = Optional.of(Real.of(set, metrics));
            real = known;
        }
        return known.get();
    }

    private static FigureView.Content compare(Real measured, DesignSet designs, Pair pair) {
        List<Metric> metrics = measured.metrics();
        double[][] real = measured.front();
        double[][] learned = IntStream.range(0, designs.size())
                .filter(i -> designs.standing(i) == DesignStanding.FRONT)
                .mapToObj(i -> designs.get(i).highest().flatMap(e -> vector(e, metrics)))
                .flatMap(Optional::stream)
                .toArray(double[][]::new);
        if (real.length == 0) {
            return FigureView.Content.empty("No design of the file has all objectives of this run.");
        }
        var lines = new ArrayList<Lines.Line>();
        Quantity x = quantity(metrics.get(pair.x()), real, pair.x());
        Quantity y = quantity(metrics.get(pair.y()), real, pair.y());
        lines.add(new Lines.Line(
                "learned",
                values(learned, metrics, pair.x(), x),
                values(learned, metrics, pair.y(), y),
                Lines.Form.DOTS));
        lines.add(new Lines.Line(
                "real, of all " + measured.count() + " measured designs",
                values(real, metrics, pair.x(), x),
                values(real, metrics, pair.y(), y),
                Lines.Form.RINGS));
        long found = Arrays.stream(real)
                .filter(r -> Arrays.stream(learned).anyMatch(l -> Arrays.equals(l, r)))
                .count();
        boolean distance =
                learned.length > 0 && metrics.stream().noneMatch(m -> m.direction() == Metric.Direction.MAXIMISE);
        String words = found + " of " + real.length + " points of the real front found"
                + (distance
                        ? "; ADRS " + NumberFormats.shortest(Adrs.of(real, learned, Adrs.Distance.RELATIVE_WORST))
                                + " (mean relative excess of the nearest learned design in its worst objective)"
                        : "")
                + ".";
        return new Lines(
                        x.heading(metrics.get(pair.x()).label()),
                        y.heading(metrics.get(pair.y()).label()),
                        isWide(real, pair.x()),
                        isWide(real, pair.y()),
                        lines)
                .content(words, words);
    }

    /// Minimised values.
    private static Optional<double[]> vector(Evaluation e, List<Metric> metrics) {
        double[] y = new double[metrics.size()];
        for (int j = 0; j < y.length; j++) {
            var v = e.value(metrics.get(j).name());
            if (v.isEmpty()) {
                return Optional.empty();
            }
            y[j] = metrics.get(j).direction() == Metric.Direction.MAXIMISE ? -v.getAsDouble() : v.getAsDouble();
        }
        return Optional.of(y);
    }

    private static double raw(Metric m, double minimised) {
        return m.direction() == Metric.Direction.MAXIMISE ? -minimised : minimised;
    }

    private static Quantity quantity(Metric m, double[][] points, int j) {
        double[] v = Arrays.stream(points).mapToDouble(p -> raw(m, p[j])).toArray();
        return Quantity.of(
                m, Arrays.stream(v).min().orElse(1), Arrays.stream(v).max().orElse(1));
    }

    private static boolean isWide(double[][] points, int j) {
        double low = Arrays.stream(points).mapToDouble(p -> p[j]).min().orElse(1);
        return low > 0 && Arrays.stream(points).mapToDouble(p -> p[j]).max().orElse(1) / low > DECADES_FOR_LOG;
    }

    private static double[] values(double[][] points, List<Metric> metrics, int j, Quantity unit) {
        return Arrays.stream(points)
                .mapToDouble(p -> raw(metrics.get(j), p[j]) / unit.divisor())
                .toArray();
    }
}
