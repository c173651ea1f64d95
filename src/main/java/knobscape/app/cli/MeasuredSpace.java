package knobscape.app.cli;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import knobscape.evaluate.EvaluatorInfo;
import knobscape.evaluate.Metric;
import knobscape.evaluate.replay.ReplaySet;
import knobscape.project.NumberFormats;
import knobscape.study.space.StudySpace;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/// The summary of a file of measured designs, for `space`: knobs, what every fidelity reports, sizes, and what is
/// missing.
final class MeasuredSpace {
    private MeasuredSpace() {}

    /// The document of a kernel's space as far as it applies, and `"measured": {"file", "mapping", "rows",
    /// "objectives", "fidelities": [{"name", "designs", "refused", "seconds", "metrics": [{"name", "unit",
    /// "values", "missing"}]}]}`.
    static ObjectNode json(ReplaySet set) {
        EvaluatorInfo info = set.info();
        ObjectNode root = JsonMapper.builder().build().createObjectNode();
        root.putNull("top");
        root.put("file", set.file().toString());
        var knobs = root.putArray("knobs");
        set.space().knobs().list().forEach(k -> StudyForms.put(k, knobs.addObject()));
        root.putObject("size")
                .put("full", set.space().fullSize().toString())
                .put("pruned", set.space().size().toString());
        ObjectNode measured = root.putObject("measured");
        measured.put("name", set.name())
                .put("description", set.description())
                .put("mapping", set.mappingName())
                .put("rows", set.rows());
        var objectives = measured.putArray("objectives");
        info.objectives().forEach(objectives::add);
        var fidelities = measured.putArray("fidelities");
        for (ReplaySet.Coverage c : set.coverage()) {
            ObjectNode node = fidelities.addObject();
            node.put("name", c.fidelity().name()).put("designs", c.designs()).put("refused", c.refused());
            set.seconds(c.fidelity()).ifPresent(t -> node.put("seconds", t));
            var metrics = node.putArray("metrics");
            for (Metric m : info.metrics()) {
                if (c.values().containsKey(m.name())) {
                    metrics.addObject()
                            .put("name", m.name())
                            .put("unit", m.unit())
                            .put("values", c.values().get(m.name()))
                            .put("missing", c.missing(m.name()));
                }
            }
        }
        var warnings = root.putArray("warnings");
        set.notes().forEach(warnings::add);
        return root;
    }

    static String text(ReplaySet set) {
        EvaluatorInfo info = set.info();
        var b = new StringBuilder();
        b.append("Measured designs ")
                .append(set.name())
                .append(" in ")
                .append(set.file())
                .append(", read by ")
                .append(set.mappingName())
                .append('\n');
        if (!set.description().isEmpty()) {
            b.append(set.description()).append('\n');
        }
        var knobs = new TextTable("knob", "values");
        set.space().knobs().list().forEach(k -> knobs.add(k.name(), StudySpace.words(k.domain())));
        b.append('\n').append(knobs.text()).append('\n');
        List<ReplaySet.Coverage> coverage = set.coverage();
        var stages = new TextTable(
                "fidelity", ">designs", ">refused", ">mean time", "objectives", "other metrics", "missing cells");
        for (ReplaySet.Coverage c : coverage) {
            Set<String> reported = new LinkedHashSet<>();
            info.metrics().stream()
                    .map(Metric::name)
                    .filter(c.values()::containsKey)
                    .forEach(reported::add);
            List<String> missing = reported.stream()
                    .filter(m -> c.missing(m) > 0)
                    .map(m -> m + " " + c.missing(m))
                    .toList();
            stages.add(
                    c.fidelity().name(),
                    "" + c.designs(),
                    "" + c.refused(),
                    set.seconds(c.fidelity()).isPresent()
                            ? NumberFormats.duration(set.seconds(c.fidelity()).getAsDouble())
                            : "-",
                    words(info.objectives().stream().filter(reported::contains).toList()),
                    words(reported.stream()
                            .filter(m -> !info.objectives().contains(m))
                            .toList()),
                    words(missing));
        }
        b.append(stages.text()).append('\n');
        b.append("Space: ")
                .append(SpaceJson.shown(set.space().size()))
                .append(" measured designs of ")
                .append(set.rows())
                .append(" rows; the values of the ")
                .append(set.space().knobs().size())
                .append(" knobs combine to ")
                .append(SpaceJson.shown(set.space().fullSize()))
                .append(".\n");
        return b.toString();
    }

    private static String words(List<String> names) {
        return names.isEmpty() ? "-" : String.join(", ", names);
    }
}
