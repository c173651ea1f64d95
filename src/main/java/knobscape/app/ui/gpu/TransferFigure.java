package knobscape.app.ui.gpu;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import knobscape.app.ui.gpu.SelectionLog.By;
import knobscape.app.ui.gpu.SelectionLog.Pick;
import knobscape.app.ui.plot.Figure;
import knobscape.app.ui.plot.Figure.Axis;
import knobscape.app.ui.plot.Figure.Dot;
import knobscape.app.ui.plot.Figure.Item;
import knobscape.app.ui.plot.Figure.Key;
import knobscape.app.ui.plot.Figure.Line;
import knobscape.app.ui.plot.Figure.Panel;
import knobscape.app.ui.plot.Figure.Shape;
import knobscape.app.ui.theme.Hue;

/// The effect of the history on a kernel: measured against predicted, and which share of the picks it has.
final class TransferFigure {
    /// Measurements over which shares are taken.
    private static final int WINDOW = 8;

    private TransferFigure() {}

    /// True if there is something to draw.
    static boolean hasSomething(List<Pick> picks) {
        return picks.stream().anyMatch(p -> p.by() != By.OWN || p.isPair());
    }

    /// @param task in words
    /// @param unit of speeds
    /// @param picks of the kernel, at least one that [#hasSomething]
    /// @param reached how soon the run was as good as earlier tunings
    static Figure of(String task, String unit, List<Pick> picks, Optional<String> reached) {
        var panels = new ArrayList<Panel>();
        List<Pick> pairs = picks.stream().filter(Pick::isPair).toList();
        if (!pairs.isEmpty()) {
            panels.add(predicted(pairs, unit));
        }
        panels.add(shares(picks));
        return new Figure(
                panels,
                Arrays.stream(By.values())
                        .filter(by -> picks.stream().anyMatch(p -> p.by() == by))
                        .map(by -> new Key(by.words + ": " + told(picks, by, unit), hue(by), Shape.DISC))
                        .toList(),
                task + calibration(pairs) + reached.map(r -> "; " + r).orElse(""));
    }

    private static Hue hue(By by) {
        return switch (by) {
            case HISTORY -> Hue.FRONT;
            case OWN -> Hue.DOMINATED;
            case TUNED -> Hue.PREDICTED;
            case DRAWN -> Hue.BASELINE;
        };
    }

    /// How many, how many of them ran, and how good they were: what the history chose against what was drawn.
    private static String told(List<Pick> picks, By by, String unit) {
        List<Pick> own = picks.stream().filter(p -> p.by() == by).toList();
        double mean = own.stream()
                .mapToDouble(Pick::speed)
                .filter(v -> v > 0)
                .average()
                .orElse(Double.NaN);
        return String.format(
                        Locale.ROOT,
                        "%d, %.0f %% ran",
                        own.size(),
                        100.0 * own.stream().filter(Pick::ran).count() / own.size())
                + (Double.isNaN(mean) ? "" : String.format(Locale.ROOT, ", mean %.4g %s", mean, unit));
    }

    private static String calibration(List<Pick> pairs) {
        return pairs.isEmpty()
                ? ""
                : String.format(
                        Locale.ROOT,
                        ": %d of %d predictions hold within their 90 %% interval",
                        pairs.stream().filter(Pick::isInside).count(),
                        pairs.size());
    }

    private static Panel predicted(List<Pick> pairs, String unit) {
        double[] all = pairs.stream()
                .flatMapToDouble(p -> Arrays.stream(
                        new double[] {p.value(), p.predicted().orElseThrow().median()}))
                .toArray();
        double least = Arrays.stream(all).min().orElse(1);
        double most = Arrays.stream(all).max().orElse(1);
        var items = new ArrayList<Item>();
        items.add(new Line(
                "as predicted", new double[] {least, most}, new double[] {least, most}, Hue.MUTED, false, 1, 1));
        String words = words(pairs.getFirst().metric(), unit);
        for (Pick p : pairs) {
            double expected = p.predicted().orElseThrow().median();
            items.add(new Dot(
                    expected,
                    p.value(),
                    Shape.DISC,
                    hue(p.by()),
                    String.format(
                            Locale.ROOT,
                            "%s%npredicted %.4g (%.4g to %.4g), result %.4g, %s",
                            p.by().words,
                            expected,
                            p.predicted().orElseThrow().low(),
                            p.predicted().orElseThrow().high(),
                            p.value(),
                            words),
                    Figure.NO_KEY));
        }
        return new Panel(
                Axis.around("Predicted " + words, true, least, most),
                Axis.around("Result, " + words, true, least, most),
                2,
                items);
    }

    private static String words(String metric, String unit) {
        return switch (metric) {
            case "time" -> "time (ms)";
            case "gflops" -> unit;
            default -> metric;
        };
    }

    private static Panel shares(List<Pick> picks) {
        int n = picks.size();
        double[] x = new double[n];
        double[] y = new double[n];
        for (int i = 0; i < n; i++) {
            int from = Math.max(0, i + 1 - WINDOW);
            x[i] = i + 1;
            y[i] = 100.0
                    * picks.subList(from, i + 1).stream()
                            .filter(p -> p.by() == By.HISTORY || p.by() == By.TUNED)
                            .count()
                    / (i + 1 - from);
        }
        return new Panel(
                Axis.amount("Trials of the task", n),
                Axis.linear("By the history (%)", 0, 100),
                1,
                List.of(new Line("share of the last " + WINDOW + " picks", x, y, Hue.FRONT, true, 0, 1.8)));
    }
}
