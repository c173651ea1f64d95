package knobscape.app.ui.insight;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Collectors;
import knobscape.app.ui.designs.DesignSet;
import knobscape.app.ui.designs.KnobLabels;
import knobscape.app.ui.designs.Quantity;
import knobscape.app.ui.designs.Results;
import knobscape.evaluate.EvaluatorInfo;
import knobscape.evaluate.Metric;
import knobscape.evaluate.Provenance;
import knobscape.explore.Prediction;
import knobscape.project.Design;
import knobscape.space.Configuration;

/// The way from the baseline to a design, one place of the source after the other: what an objective becomes with
/// each. Where a design on the way was measured its result counts, else what the surrogate expects.
///
/// @param metric the objective
/// @param quantity how it is written
/// @param steps the baseline first, the design last
/// @param verb how results came about: `measured` or `estimated`
public record Waterfall(Metric metric, Quantity quantity, List<Step> steps, String verb) {
    private static final int MOST_STEPS = 6;

    /// A value on the way, in the metric's unit.
    ///
    /// @param words what was set: `pipeline column`, `b[1] block 16`
    /// @param low where it may lie from, the value itself where it was measured
    /// @param high where it may lie to
    public record Step(String words, double value, double low, double high, boolean measured) {}

    /// The way to a design; empty where there is no baseline, no such objective yet, or nothing
    /// on the way could be predicted.
    public static Optional<Waterfall> of(DesignSet set, Design design, int objective, Optional<Insight> insight) {
        if (objective >= set.objectives().size()) {
            // Of a baseline that stands there before anything is explored.
            return Optional.empty();
        }
        Metric metric = set.objectives().get(objective);
        Optional<Design> base = set.baseline();
        OptionalDouble end = design.value(metric.name());
        if (base.isEmpty()
                || end.isEmpty()
                || base.get().value(metric.name()).isEmpty()
                || base.get().configuration().equals(design.configuration())) {
            return Optional.empty();
        }
        Configuration at = base.get().configuration();
        List<Map.Entry<String, List<Integer>>> places = places(at, design.configuration(), metric, insight);
        double from = base.get().value(metric.name()).getAsDouble();
        // What was set by each shown step, in order.
        var way = new LinkedHashMap<Configuration, String>();
        int others = 0;
        for (int i = 0; i < places.size(); i++) {
            for (int k : places.get(i).getValue()) {
                at = at.with(k, design.configuration().level(k));
            }
            if (i < places.size() - 1 && i >= MOST_STEPS - 1) {
                others++;
            } else {
                way.put(at, others > 0 ? others + 1 + " others" : words(places.get(i), design.configuration()));
            }
        }
        Map<Configuration, Double> measured = Surrogate.measured(set, way.keySet(), metric.name());
        measured.put(design.configuration(), end.getAsDouble());
        var steps = new ArrayList<Step>();
        steps.add(new Step("baseline", from, from, from, true));
        for (Map.Entry<Configuration, String> e : way.entrySet()) {
            Double v = measured.get(e.getKey());
            if (v != null) {
                steps.add(new Step(e.getValue(), v, v, v, true));
                continue;
            }
            Optional<Prediction.Interval> guess = insight.map(s -> s.surrogate().predict(e.getKey()))
                    .map(p -> p.metrics().get(metric.name()));
            if (guess.isEmpty()) {
                return Optional.empty();
            }
            Prediction.Interval g = guess.get();
            steps.add(new Step(e.getValue(), g.median(), g.low(), g.high(), false));
        }
        return Optional.of(new Waterfall(
                metric,
                Results.quantity(set, metric),
                List.copyOf(steps),
                set.info()
                        .map(EvaluatorInfo::source)
                        .orElse(Provenance.Source.MEASURED)
                        .verb()));
    }

    /// Knobs that differ by the place they stand at, those that matter most for the objective first.
    private static List<Map.Entry<String, List<Integer>>> places(
            Configuration from, Configuration to, Metric objective, Optional<Insight> insight) {
        var places = new LinkedHashMap<String, List<Integer>>();
        for (int k = 0; k < from.knobs().size(); k++) {
            if (from.level(k) != to.level(k)) {
                places.computeIfAbsent(place(from.knobs().get(k).name()), p -> new ArrayList<>())
                        .add(k);
            }
        }
        return places.entrySet().stream()
                .sorted(Comparator.comparingDouble(e -> -e.getValue().stream()
                        .mapToDouble(
                                k -> insight.map(i -> i.share(objective, k)).orElse(0.0))
                        .sum()))
                .toList();
    }

    /// A partition's kind and factor stand at one place.
    static String place(String knob) {
        int at = knob.indexOf('@');
        return knob.startsWith("partition_") ? "partition" + knob.substring(at) : knob;
    }

    private static String words(Map.Entry<String, List<Integer>> place, Configuration to) {
        String label = KnobLabels.shortest(place.getKey());
        String values = place.getValue().stream().map(to::value).collect(Collectors.joining(" "));
        return values.equals("on") ? label : label.replaceFirst("^partition ", "") + " " + values;
    }

    /// How many values on the way were measured, the ends among them.
    long measured() {
        return steps.stream().filter(Step::measured).count();
    }
}
