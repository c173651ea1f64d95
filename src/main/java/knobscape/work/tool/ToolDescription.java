package knobscape.work.tool;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import knobscape.evaluate.EvaluatorInfo;
import knobscape.evaluate.Fidelity;
import knobscape.evaluate.Metric;
import knobscape.evaluate.Provenance;
import knobscape.evaluate.report.JsonFields;
import tools.jackson.databind.JsonNode;

/// The description of someone's own tool in `describe.json`: stages, metrics, objectives.
public final class ToolDescription {
    private static final int MAX_STAGES = 8;
    private static final int MAX_METRICS = 64;
    private static final double TYPICAL_SECONDS = 60;

    private ToolDescription() {}

    /// The offer in `describe.json` in place of the standard. Throws [knobscape.evaluate.UserError] naming the key.
    public static EvaluatorInfo info(EvaluatorInfo standard, JsonFields d) {
        List<String> names = d.texts("stages");
        var stages = new ArrayList<Fidelity>();
        for (String s : names.isEmpty() ? List.of("hls", "syn", "impl") : names) {
            if (!s.matches("[a-z][a-z0-9_]{0,31}") || stages.size() == MAX_STAGES) {
                throw d.wrong(
                        "stages", "at most " + MAX_STAGES + " names of lower-case letters and digits, not '" + s + "'");
            }
            stages.add(new Fidelity(s, stages.size()));
        }
        var metrics = new LinkedHashMap<String, Metric>();
        standard.metrics().forEach(m -> metrics.put(m.name(), m));
        for (JsonNode node :
                d.get("metrics").stream().flatMap(JsonNode::valueStream).toList()) {
            var m = new JsonFields(d.file(), node, "metrics.");
            String name = m.text("name").orElseThrow(() -> d.wrong("metrics", "objects with a name"));
            String better = m.text("better").orElse("smaller");
            metrics.put(
                    name,
                    new Metric(
                            name,
                            m.text("label").orElse(name),
                            m.text("unit").orElse(""),
                            better.equals("larger") ? Metric.Direction.MAXIMISE : Metric.Direction.MINIMISE,
                            m.number("limit").orElse(Double.NaN)));
            if (metrics.size() > MAX_METRICS) {
                throw d.wrong("metrics", "at most " + MAX_METRICS);
            }
        }
        List<String> objectives = d.texts("objectives").isEmpty() ? standard.objectives() : d.texts("objectives");
        for (String o : objectives) {
            if (!metrics.containsKey(o)) {
                throw d.wrong("objectives", "names of metrics; '" + o + "' is none");
            }
        }
        Map<String, Set<String>> reported = new LinkedHashMap<>();
        Map<String, Double> seconds = new LinkedHashMap<>();
        for (Fidelity f : stages) {
            List<String> given =
                    d.object("reported").map(r -> r.texts(f.name())).orElse(List.of());
            reported.put(
                    f.name(),
                    given.isEmpty()
                            ? standard.reported().getOrDefault(f.name(), metrics.keySet())
                            : new LinkedHashSet<>(given));
            seconds.put(f.name(), standard.typicalSeconds().getOrDefault(f.name(), TYPICAL_SECONDS));
        }
        // What is explored must be there at the end.
        var top = new LinkedHashSet<>(reported.get(stages.getLast().name()));
        top.addAll(objectives);
        reported.put(stages.getLast().name(), top);
        return new EvaluatorInfo(
                standard.name(),
                standard.description(),
                Provenance.Source.MEASURED,
                stages,
                List.copyOf(metrics.values()),
                reported,
                objectives,
                seconds);
    }
}
