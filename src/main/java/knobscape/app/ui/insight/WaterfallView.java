package knobscape.app.ui.insight;

import java.util.ArrayList;
import java.util.List;
import javafx.scene.control.Label;
import javafx.scene.control.Tooltip;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Priority;
import javafx.scene.layout.Region;
import javafx.scene.layout.VBox;
import knobscape.app.ui.designs.Quantity;
import knobscape.app.ui.insight.Waterfall.Step;
import knobscape.app.ui.view.NodePool;
import knobscape.evaluate.Metric;

/// A [Waterfall] as bars on a logarithmic scale (a linear one where a value is not positive), one below the other.
public final class WaterfallView extends VBox {
    private static final double NAME_WIDTH = 96;

    private final NodePool<Line> lines = new NodePool<>(Line::new);

    public WaterfallView() {
        getStyleClass().add("why");
    }

    /// Shows the way to a design.
    ///
    /// @return what it says, as a heading
    public String show(Waterfall w) {
        List<Step> steps = w.steps();
        var rows = new ArrayList<Row>();
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
            rows.add(row(w, s, before, first, log, from, span));
            if (last) {
                rows.add(total(w, s, log, from, span));
            }
        }
        lines.show(this, rows, Line::show);
        setAccessibleText(heading(w));
        return heading(w);
    }

    private static String heading(Waterfall w) {
        double base = w.steps().getFirst().value();
        double end = w.steps().getLast().value();
        String change = Quantity.change(w.metric(), base, end);
        // `45× faster` says of what; `3.2× less` and `−12 %` do not.
        return "Why " + change + (change.endsWith("er") ? "" : " " + ImportanceView.word(w.metric()));
    }

    private static Row row(Waterfall w, Step s, double before, boolean first, boolean log, double from, double span) {
        Metric m = w.metric();
        String change =
                first ? w.quantity().suited(m, s.value()).withUnit(s.value()) : Quantity.change(m, before, s.value());
        boolean better = (s.value() <= before) == (m.direction() != Metric.Direction.MAXIMISE);
        return new Row(
                s.words(),
                change + (s.measured() ? "" : " ~"),
                tip(w, s),
                new Extent(
                        first ? 0 : (at(log, before) - from) / span,
                        (at(log, s.value()) - from) / span,
                        (at(log, s.low()) - from) / span,
                        (at(log, s.high()) - from) / span),
                first ? "why-baseline" : better ? "why-bar" : "why-worse",
                s.measured());
    }

    private static Row total(Waterfall w, Step end, boolean log, double from, double span) {
        double at = (at(log, end.value()) - from) / span;
        return new Row(
                w.measured() == w.steps().size()
                        ? w.verb()
                        : w.measured() + " of " + w.steps().size() + " " + w.verb(),
                w.quantity().suited(w.metric(), end.value()).withUnit(end.value()),
                "~ is expected by the surrogate, with its 90 % interval; the rest was " + w.verb(),
                new Extent(0, at, at, at),
                "why-end",
                true);
    }

    private static String tip(Waterfall w, Step s) {
        Quantity q = w.quantity().suited(w.metric(), s.value());
        return s.measured()
                ? q.withUnit(s.value()) + ", " + w.verb()
                : q.withUnit(s.value()) + ", expected (" + q.format(s.low()) + " to " + q.format(s.high()) + ")";
    }

    private static double at(boolean log, double v) {
        return log ? Math.log(v) : v;
    }

    /// Where a bar and its interval stand, as shares of the width.
    private record Extent(double before, double value, double low, double high) {}

    /// The content of a line.
    private record Row(String name, String words, String tip, Extent extent, String style, boolean measured) {}

    private static final class Line extends HBox {
        private final Label label = new Label();
        private final Bar bar = new Bar();
        private final Label value = new Label();
        private final Tooltip tooltip = new Tooltip();

        Line() {
            label.setMinWidth(NAME_WIDTH);
            label.setPrefWidth(NAME_WIDTH);
            label.getStyleClass().add("source-word");
            value.getStyleClass().addAll("figure", "source-word");
            value.setMinWidth(Region.USE_PREF_SIZE);
            HBox.setHgrow(bar, Priority.ALWAYS);
            getChildren().addAll(label, bar, value);
            getStyleClass().add("why-row");
            Tooltip.install(this, tooltip);
        }

        void show(Row row) {
            label.setText(row.name());
            value.setText(row.words());
            bar.show(row.extent(), row.style(), row.measured());
            tooltip.setText(row.name() + ": " + row.tip());
            setAccessibleText(row.name() + " " + row.words());
        }
    }

    /// From one value to the next; from the left edge where there is none before.
    private static final class Bar extends Region {
        private static final double HEIGHT = 12;
        private final Region bar = new Region();
        private final Region whisker = new Region();
        private Extent extent = new Extent(0, 0, 0, 0);

        Bar() {
            whisker.getStyleClass().add("why-whisker");
            getChildren().addAll(bar, whisker);
            setMinHeight(HEIGHT);
            setPrefHeight(HEIGHT);
            setMinWidth(50);
        }

        void show(Extent shown, String style, boolean measured) {
            extent = shown;
            List<String> classes = measured ? List.of(style) : List.of(style, "why-guess");
            if (!bar.getStyleClass().equals(classes)) {
                bar.getStyleClass().setAll(classes);
            }
            whisker.setVisible(!measured);
            requestLayout();
        }

        @Override
        protected void layoutChildren() {
            double w = getWidth();
            double a = extent.before();
            bar.resizeRelocate(
                    Math.min(a, extent.value()) * w, 1, Math.max(2, Math.abs(extent.value() - a) * w), HEIGHT - 2);
            whisker.resizeRelocate(
                    extent.low() * w, HEIGHT / 2 - 1, Math.max(2, (extent.high() - extent.low()) * w), 2);
        }
    }
}
