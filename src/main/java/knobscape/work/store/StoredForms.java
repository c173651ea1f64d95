package knobscape.work.store;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import knobscape.evaluate.Evaluation;
import knobscape.evaluate.FailureKind;
import knobscape.evaluate.Fidelity;
import knobscape.evaluate.Outcome;
import knobscape.evaluate.Provenance;
import knobscape.explore.Prediction;
import knobscape.space.Configuration;
import knobscape.space.Domain;
import knobscape.space.Knob;
import knobscape.space.KnobSet;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// Values of the lower floors as JSON text for the store, and back.
public final class StoredForms {
    private static final JsonMapper JSON = JsonMapper.builder()
            .disable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
            .build();

    private StoredForms() {}

    /// A record made of text, numbers, enums, lists, maps and further such records.
    public static String write(Object value) {
        return JSON.writeValueAsString(value);
    }

    /// Reads what [#write] wrote.
    public static <T> T read(String text, Class<T> type) {
        return JSON.readValue(text, type);
    }

    /// An evaluation from the columns of a row.
    public static Evaluation evaluation(Configuration configuration, Fidelity fidelity, ResultSet r)
            throws SQLException {
        return new Evaluation(
                configuration,
                fidelity,
                outcome(r.getString("kind"), r.getString("metrics"), r.getString("reason")),
                r.getDouble("cost"),
                new Provenance(
                        r.getString("toolchain"),
                        r.getString("version"),
                        r.getLong("seed"),
                        Provenance.Source.valueOf(r.getString("source"))));
    }

    /// Knobs with their domains.
    public static String knobs(KnobSet knobs) {
        var all = JSON.createArrayNode();
        for (Knob k : knobs.list()) {
            var node = all.addObject();
            node.put("name", k.name());
            switch (k.domain()) {
                case Domain.Toggle t -> node.put("domain", "toggle");
                case Domain.Factors f -> {
                    node.put("domain", "factors");
                    var values = node.putArray("values");
                    f.values().forEach(values::add);
                }
                case Domain.Numbers n -> {
                    node.put("domain", n.isLogarithmic() ? "logarithmic" : "numbers");
                    var values = node.putArray("values");
                    n.values().forEach(values::add);
                }
                case Domain.Categories c -> {
                    node.put("domain", "categories");
                    var values = node.putArray("values");
                    c.values().forEach(values::add);
                }
            }
        }
        return JSON.writeValueAsString(all);
    }

    /// Reads knobs.
    public static KnobSet knobs(String text) {
        var knobs = new ArrayList<Knob>();
        for (JsonNode node : JSON.readTree(text)) {
            Domain domain = switch (node.get("domain").stringValue()) {
                case "toggle" -> new Domain.Toggle();
                case "factors" ->
                    new Domain.Factors(node.get("values")
                            .valueStream()
                            .map(JsonNode::intValue)
                            .toList());
                case "numbers", "logarithmic" ->
                    new Domain.Numbers(
                            node.get("values")
                                    .valueStream()
                                    .map(JsonNode::doubleValue)
                                    .toList(),
                            node.get("domain").stringValue().equals("logarithmic"));
                case "categories" ->
                    new Domain.Categories(node.get("values")
                            .valueStream()
                            .map(JsonNode::stringValue)
                            .toList());
                default -> throw new IllegalStateException("stored domain '" + node.get("domain") + "' is not known");
            };
            knobs.add(new Knob(node.get("name").stringValue(), domain));
        }
        return new KnobSet(List.copyOf(knobs));
    }

    public static String metrics(Map<String, Double> values) {
        return JSON.writeValueAsString(values);
    }

    private static Map<String, Double> values(String metrics) {
        return JSON.readValue(metrics, new TypeReference<LinkedHashMap<String, Double>>() {});
    }

    /// An outcome from its three columns.
    public static Outcome outcome(String kind, String metrics, String reason) {
        return switch (kind) {
            case "measured" -> new Outcome.Measured(values(metrics));
            default ->
                new Outcome.Failure(FailureKind.valueOf(kind), reason, metrics.isEmpty() ? Map.of() : values(metrics));
        };
    }

    /// First column of an outcome: `measured`, or the kind of failure.
    public static String kind(Outcome outcome) {
        return outcome instanceof Outcome.Failure f ? f.kind().name() : "measured";
    }

    /// Second column: its values.
    public static String metrics(Outcome outcome) {
        return switch (outcome) {
            case Outcome.Measured m -> metrics(m.values());
            case Outcome.Failure f -> f.values().isEmpty() ? "" : metrics(f.values());
        };
    }

    /// Third column: its reason, empty for none.
    public static String reason(Outcome outcome) {
        return outcome instanceof Outcome.Failure f ? f.reason() : "";
    }

    /// Longest list of values kept of one diagnostic; a longer one is thinned, ends kept.
    private static final int MOST_VALUES = 400;

    public static String diagnostics(Map<String, double[]> diagnostics) {
        if (diagnostics.isEmpty()) {
            return "";
        }
        var root = JSON.createObjectNode();
        new TreeMap<>(diagnostics).forEach((name, values) -> {
            var list = root.putArray(name);
            int kept = Math.min(values.length, MOST_VALUES);
            for (int i = 0; i < kept; i++) {
                double v = values[kept == 1 ? 0 : (int) ((long) i * (values.length - 1) / (kept - 1))];
                if (Double.isFinite(v)) {
                    list.add(v);
                } else {
                    list.addNull();
                }
            }
        });
        return JSON.writeValueAsString(root);
    }

    public static Map<String, double[]> diagnostics(String text) {
        var all = new LinkedHashMap<String, double[]>();
        if (!text.isEmpty()) {
            JSON.readTree(text)
                    .properties()
                    .forEach(e -> all.put(
                            e.getKey(),
                            e.getValue()
                                    .valueStream()
                                    .mapToDouble(v -> v.isNumber() ? v.doubleValue() : Double.NaN)
                                    .toArray()));
        }
        return all;
    }

    public static String prediction(Optional<Prediction> prediction) {
        return prediction.map(JSON::writeValueAsString).orElse("");
    }

    public static Optional<Prediction> prediction(String text) {
        return text.isEmpty() ? Optional.empty() : Optional.of(JSON.readValue(text, Prediction.class));
    }
}
