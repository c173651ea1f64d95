package knobscape.app.ui.inspector;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import knobscape.app.ui.designs.DesignSet;
import knobscape.app.ui.designs.KnobLabels;
import knobscape.app.ui.designs.Quantity;
import knobscape.app.ui.designs.Results;
import knobscape.evaluate.Metric;
import knobscape.project.Design;

/// Designs side by side: the metrics, each at the highest stage it was evaluated at, and the knobs in which they
/// differ.
///
/// @param heads of the columns: the baseline, the pins in their order, the selected design
/// @param rows only lines whose values are not all the same
record Comparison(List<String> heads, List<Line> rows) {

    /// A line.
    ///
    /// @param name of the metric with its unit, or of the knob
    /// @param values one per column
    /// @param best columns with the best value; none of a knob or a metric that has no better and worse
    record Line(String name, List<String> values, List<Integer> best) {}

    static final Comparison NONE = new Comparison(List.of(), List.of());

    /// The baseline, every pinned design and the selected one; nothing where fewer than two are known.
    static Comparison of(Results results) {
        DesignSet set = results.set();
        List<Design> columns = Stream.of(
                        set.baseline().stream(),
                        results.pins().stream().filter(n -> !set.isBaseline(n)).flatMap(n -> set.byNumber(n).stream()),
                        results.selectedDesign().stream())
                .flatMap(Function.identity())
                .filter(d -> d.configuration().knobs().equals(set.knobs()))
                .collect(java.util.stream.Collectors.collectingAndThen(
                        java.util.stream.Collectors.toMap(
                                d -> set.isBaseline(d.number()) ? Results.BASELINE : d.number(),
                                Function.identity(),
                                (a, b) -> a,
                                java.util.LinkedHashMap::new),
                        m -> List.copyOf(m.values())));
        if (columns.size() < 2 || set.info().isEmpty()) {
            return NONE;
        }
        var rows = new ArrayList<Line>();
        set.info().get().metrics().forEach(m -> metric(m, columns).ifPresent(rows::add));
        List<String> labels = KnobLabels.of(set.knobs());
        for (int k = 0; k < set.knobs().size(); k++) {
            int knob = k;
            List<String> values =
                    columns.stream().map(d -> d.configuration().value(knob)).toList();
            if (values.stream().distinct().count() > 1) {
                rows.add(new Line(labels.get(k), values, List.of()));
            }
        }
        return new Comparison(
                columns.stream()
                        .map(d -> set.isBaseline(d.number()) ? "baseline" : "#" + d.number())
                        .toList(),
                rows);
    }

    private static Optional<Line> metric(Metric m, List<Design> columns) {
        double[] values = columns.stream()
                .mapToDouble(d -> d.value(m.name()).orElse(Double.NaN))
                .toArray();
        var range = java.util.Arrays.stream(values).filter(Double::isFinite).summaryStatistics();
        if (range.getCount() == 0 || (range.getMin() == range.getMax() && range.getCount() == values.length)) {
            return Optional.empty();
        }
        Quantity q = Quantity.of(m, range.getMin(), range.getMax());
        double best = switch (m.direction()) {
            case MINIMISE -> range.getMin();
            case MAXIMISE -> range.getMax();
            case NEUTRAL -> Double.NaN;
        };
        return Optional.of(new Line(
                q.heading(m.label()),
                java.util.Arrays.stream(values).mapToObj(q::format).toList(),
                IntStream.range(0, values.length)
                        .filter(i -> values[i] == best)
                        .boxed()
                        .toList()));
    }
}
