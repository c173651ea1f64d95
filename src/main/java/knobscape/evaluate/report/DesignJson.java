package knobscape.evaluate.report;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import knobscape.evaluate.Metric;
import knobscape.evaluate.Outcome;
import knobscape.evaluate.Provenance;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Designs as JSON.
///
/// `{"format": "knobscape-designs", "formatVersion": 1, "subject", "origin": {..}, "objectives": [..],
/// "fidelities": [..], "metrics": [{"name", "label", "unit", "direction", "limit"?}], "designs": [{"number",
/// "design", "front", "knobs": {..}, "results": [{"fidelity", "outcome": "measured" | "invalid" | "failed" |
/// "timed out", "values"? : {..}, "reason"?, "seconds"?, "costSeconds", "provenance": {"toolchain", "version",
/// "seed", "source"}}], "note"?}]}`. Values carry the units of `metrics`.
public final class DesignJson {
    /// The value of `format`.
    public static final String FORMAT = "knobscape-designs";
    /// The version that is written.
    public static final int VERSION = 1;

    private final JsonMapper mapper = JsonMapper.builder().build();

    /// The whole document, indented.
    public String write(DesignTable table) {
        return mapper.writerWithDefaultPrettyPrinter().writeValueAsString(tree(table)) + "\n";
    }

    /// The document as a tree, to be put into a larger one.
    public ObjectNode tree(DesignTable table) {
        ObjectNode root = mapper.createObjectNode();
        root.put("format", FORMAT).put("formatVersion", VERSION).put("subject", table.subject());
        ObjectNode origin = root.putObject("origin");
        table.origin().forEach(origin::put);
        strings(root.putArray("objectives"), table.objectives());
        strings(root.putArray("fidelities"), table.fidelities());
        ArrayNode metrics = root.putArray("metrics");
        for (Metric m : table.metrics()) {
            ObjectNode n = metrics.addObject()
                    .put("name", m.name())
                    .put("label", m.label())
                    .put("unit", m.unit())
                    .put("direction", m.direction().name().toLowerCase(Locale.ROOT));
            if (Double.isFinite(m.limit())) {
                n.put("limit", m.limit());
            }
        }
        ArrayNode designs = root.putArray("designs");
        table.designs().forEach(d -> {
            ObjectNode n = designs.addObject();
            design(n, d);
            Optional.ofNullable(table.notes().get(d.number())).ifPresent(note -> n.put("note", note));
        });
        return root;
    }

    private static void strings(ArrayNode array, List<String> values) {
        values.forEach(array::add);
    }

    private static void design(ObjectNode n, DesignTable.Row row) {
        n.put("number", row.number()).put("design", row.id()).put("front", row.front());
        ObjectNode knobs = n.putObject("knobs");
        row.knobs().forEach(knobs::put);
        ArrayNode results = n.putArray("results");
        for (DesignTable.Stage s : row.results()) {
            ObjectNode r = results.addObject().put("fidelity", s.fidelity());
            switch (s.outcome()) {
                case Outcome.Measured m -> {
                    r.put("outcome", "measured");
                    ObjectNode values = r.putObject("values");
                    m.values().forEach(values::put);
                }
                case Outcome.Failure f ->
                    r.put("outcome", f.kind().status())
                            .put("kind", f.kind().words())
                            .put("reason", f.reason());
            }
            Provenance p = s.provenance();
            r.put("costSeconds", s.costSeconds())
                    .putObject("provenance")
                    .put("toolchain", p.toolchain())
                    .put("version", p.version())
                    .put("seed", p.seed())
                    .put("source", p.source().words());
        }
    }
}
