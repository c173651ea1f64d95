package knobscape.app.ui.inspector;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import knobscape.app.ui.designs.DesignSet;
import knobscape.app.ui.designs.KnobLabels;
import knobscape.app.ui.designs.OtherEvaluators;
import knobscape.app.ui.designs.Quantity;
import knobscape.app.ui.designs.Results;
import knobscape.evaluate.Metric;
import knobscape.project.Design;

/// Designs side by side: the metrics, each at the highest stage it was evaluated at, and the knobs in which they
/// differ. Behind them what other evaluators say of the selected design.
///
/// @param heads of the columns: the baseline, the pins in their order, the selected design, other evaluators
/// @param own columns that are the run's own
/// @param rows only lines whose values are not all the same
record Comparison(List<String> heads, int own, List<Line> rows) {

    /// A line.
    ///
    /// @param name of the metric with its unit, or of the knob
    /// @param values one per column
    /// @param best of the run's own columns those with the best value; none of a knob or a metric that has no
    /// better and worse
    record Line(String name, List<String> values, List<Integer> best) {}

    static final Comparison NONE = new Comparison(List.of(), 0, List.of());

    /// The baseline, every pinned design, the selected one and what other evaluators say of it; nothing where fewer
    /// than two columns are known.
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
                                LinkedHashMap::new),
                        m -> List.copyOf(m.values())));
        List<OtherEvaluators.Told> told = results.selectedDesign().isPresent()
                ? results.others().told().get().stream()
                        .filter(t -> results.selectedDesign()
                                .get()
                                .configuration()
                                .equals(t.design().configuration()))
                        .toList()
                : List.of();
        if (columns.size() + told.size() < 2 || set.info().isEmpty()) {
            return NONE;
        }
        var all = new ArrayList<>(columns);
        told.forEach(t -> all.add(t.design()));
        var metrics = new LinkedHashMap<String, Metric>();
        Stream.concat(Stream.of(set.info().get()), told.stream().map(OtherEvaluators.Told::info))
                .flatMap(i -> i.metrics().stream())
                .forEach(m -> metrics.putIfAbsent(m.name(), m));
        var rows = new ArrayList<Line>();
        metrics.values().forEach(m -> metric(set, m, all, columns.size()).ifPresent(rows::add));
        List<String> labels = KnobLabels.of(set.knobs());
        for (int k = 0; k < set.knobs().size(); k++) {
            int knob = k;
            List<String> values = all.stream()
                    .map(d -> KnobLabels.value(d.configuration().value(knob)))
                    .toList();
            if (values.stream().distinct().count() > 1) {
                rows.add(new Line(labels.get(k), values, List.of()));
            }
        }
        var heads = new ArrayList<String>();
        columns.forEach(d -> heads.add(set.isBaseline(d.number()) ? "baseline" : "#" + d.number()));
        if (!told.isEmpty()) {
            String own = results.others().own();
            heads.replaceAll(h -> h.equals(heads.getLast()) && !own.isEmpty() ? h + ", " + own : h);
            told.forEach(t -> heads.add(t.label()));
        }
        return new Comparison(heads, columns.size(), rows);
    }

    private static Optional<Line> metric(DesignSet set, Metric m, List<Design> columns, int own) {
        double[] values = columns.stream()
                .mapToDouble(d -> d.value(m.name()).orElse(Double.NaN))
                .toArray();
        var range = Arrays.stream(values).filter(Double::isFinite).summaryStatistics();
        if (range.getCount() == 0 || (range.getMin() == range.getMax() && range.getCount() == values.length)) {
            return Optional.empty();
        }
        Quantity q = Results.quantity(set, m, range.getMin());
        var ours = Arrays.stream(values, 0, own).filter(Double::isFinite).summaryStatistics();
        double best = own < 2
                ? Double.NaN
                : switch (m.direction()) {
                    case MINIMISE -> ours.getMin();
                    case MAXIMISE -> ours.getMax();
                    case NEUTRAL -> Double.NaN;
                };
        return Optional.of(new Line(
                q.heading(m.label()),
                Arrays.stream(values).mapToObj(q::format).toList(),
                IntStream.range(0, own).filter(i -> values[i] == best).boxed().toList()));
    }
}
