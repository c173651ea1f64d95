package knobscape.app.ui.insight;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import javafx.scene.control.Label;
import javafx.scene.control.Tooltip;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Priority;
import javafx.scene.layout.Region;
import javafx.scene.layout.VBox;
import knobscape.app.ui.designs.Quantity;
import knobscape.app.ui.insight.Waterfall.Step;
import knobscape.evaluate.Metric;

/// A [Waterfall] as bars on a logarithmic scale (a linear one where a value is not positive), one below the other.
public final class WaterfallView extends VBox {
    private static final double NAME_WIDTH = 96;

    public WaterfallView() {
        getStyleClass().add("why");
    }

    /// Shows the way to a design.
    ///
    /// @return what it says, as a heading
    public String show(Waterfall w) {
        List<Step> steps = w.steps();
        getChildren().clear();
        boolean log = steps.stream().allMatch(s -> s.low() > 0);
        double low = at(log, steps.stream().mapToDouble(Step::low).min().orElseThrow());
        double high = at(log, steps.stream().mapToDouble(Step::high).max().orElseThrow());
        double span = high > low ? (high - low) * 1.12 : 1;
        double from = high - span;
        for (int i = 0; i < steps.size(); i++) {
            Step s = steps.get(i);
            boolean first = i == 0;
            boolean last = i == steps.size() - 1;
            double before = first ? s.value() : steps.get(i - 1).value();
            getChildren().add(row(w.metric(), s, before, first, log, from, span));
            if (last) {
                getChildren().add(total(w, s, log, from, span));
            }
        }
        setAccessibleText(heading(w));
        return heading(w);
    }

    private static String heading(Waterfall w) {
        double base = w.steps().getFirst().value();
        double end = w.steps().getLast().value();
        String word = w.metric().name().equals("delay") || w.metric().name().equals("latency")
                ? (end < base ? "faster" : "slower")
                : (end < base ? "less " : "more ") + ImportanceView.word(w.metric());
        double ratio = Math.max(base, end) / Math.min(base, end);
        boolean known = base > 0 && end > 0;
        return "Why "
                + (known ? String.format(Locale.ROOT, ratio >= 10 ? "%.0f \u00d7 " : "%.2g \u00d7 ", ratio) : "")
                + word;
    }

    private static HBox row(Metric m, Step s, double before, boolean first, boolean log, double from, double span) {
        String change =
                first ? Quantity.of(m, s.value(), s.value()).withUnit(s.value()) : Quantity.change(before, s.value());
        var bar = new Bar(
                first ? Optional.empty() : Optional.of((at(log, before) - from) / span),
                (at(log, s.value()) - from) / span,
                s.measured()
                        ? Optional.empty()
                        : Optional.of(new double[] {(at(log, s.low()) - from) / span, (at(log, s.high()) - from) / span
                        }));
        boolean better = (s.value() <= before) == (m.direction() != Metric.Direction.MAXIMISE);
        bar.dress(first ? "why-baseline" : better ? "why-bar" : "why-worse", s.measured());
        return row(s.words(), bar, change + (s.measured() ? "" : " ~"), tip(m, s));
    }

    private static HBox total(Waterfall w, Step end, boolean log, double from, double span) {
        var bar = new Bar(Optional.empty(), (at(log, end.value()) - from) / span, Optional.empty());
        bar.dress("why-end", true);
        return row(
                w.measured() == w.steps().size()
                        ? "measured"
                        : w.measured() + " of " + w.steps().size() + " measured",
                bar,
                Quantity.of(w.metric(), end.value(), end.value()).withUnit(end.value()),
                "~ is expected by the surrogate, with its 90 % interval; the rest was measured");
    }

    private static HBox row(String name, Bar bar, String words, String tip) {
        var label = new Label(name);
        label.setMinWidth(NAME_WIDTH);
        label.setPrefWidth(NAME_WIDTH);
        label.getStyleClass().add("source-word");
        var value = new Label(words);
        value.getStyleClass().addAll("figure", "source-word");
        value.setMinWidth(Region.USE_PREF_SIZE);
        HBox.setHgrow(bar, Priority.ALWAYS);
        var row = new HBox(label, bar, value);
        row.getStyleClass().add("why-row");
        row.setAccessibleText(name + " " + words);
        Tooltip.install(row, new Tooltip(name + ": " + tip));
        return row;
    }

    private static String tip(Metric m, Step s) {
        Quantity q = Quantity.of(m, s.value(), s.value());
        return s.measured()
                ? q.withUnit(s.value()) + ", measured"
                : q.withUnit(s.value()) + ", expected (" + q.format(s.low()) + " to " + q.format(s.high()) + ")";
    }

    private static double at(boolean log, double v) {
        return log ? Math.log(v) : v;
    }

    /// From one value to the next; from the left edge where there is none before.
    private static final class Bar extends Region {
        private static final double HEIGHT = 12;
        private final Optional<Double> before;
        private final double value;
        private final Optional<double[]> interval;
        private final Region bar = new Region();
        private final Region whisker = new Region();

        Bar(Optional<Double> before, double value, Optional<double[]> interval) {
            this.before = before;
            this.value = value;
            this.interval = interval;
            whisker.getStyleClass().add("why-whisker");
            whisker.setVisible(interval.isPresent());
            getChildren().addAll(bar, whisker);
            setMinHeight(HEIGHT);
            setPrefHeight(HEIGHT);
            setMinWidth(50);
        }

        void dress(String style, boolean measured) {
            bar.getStyleClass().add(style);
            if (!measured) {
                bar.getStyleClass().add("why-guess");
            }
        }

        @Override
        protected void layoutChildren() {
            double w = getWidth();
            double a = before.orElse(0.0);
            bar.resizeRelocate(Math.min(a, value) * w, 1, Math.max(2, Math.abs(value - a) * w), HEIGHT - 2);
            interval.ifPresent(i ->
                    whisker.resizeRelocate(i[0] * w, HEIGHT / 2 - 1, Math.max(2, (i[1] - i[0]) * w), 2));
        }
    }
}
