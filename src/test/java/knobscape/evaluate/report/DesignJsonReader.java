package knobscape.evaluate.report;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import knobscape.evaluate.FailureKind;
import knobscape.evaluate.Metric;
import knobscape.evaluate.Outcome;
import knobscape.evaluate.Provenance;
import knobscape.evaluate.UserError;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// Reads what [DesignJson] writes, naming the place of whatever is missing: the proof that the document is
/// complete.
///
/// @param name what errors call the document
public record DesignJsonReader(String name) {

    /// Reads a document; `name` is what errors call it.
    public static DesignTable read(String text, String name) {
        JsonNode root;
        try {
            root = JsonMapper.shared().readTree(text);
        } catch (JacksonException e) {
            throw JsonFields.invalid(name, e);
        }
        return new DesignJsonReader(name).table(root);
    }

    DesignTable table(JsonNode root) {
        if (!root.path("format").asString("").equals(DesignJson.FORMAT)) {
            throw new UserError(
                    name + " is not a file of designs: it has no \"format\": \"" + DesignJson.FORMAT + "\".");
        }
        int version = (int) number(root, "formatVersion", "/");
        if (version > DesignJson.VERSION) {
            throw new UserError(name + " was written by a newer version of Knobscape (format " + version
                    + ", understood is " + DesignJson.VERSION + "); update it.");
        }
        return new DesignTable(
                string(root, "subject", "/"),
                strings(root, "origin", "/"),
                metrics(root),
                list(root, "objectives"),
                list(root, "fidelities"),
                designs(root));
    }

    private List<Metric> metrics(JsonNode root) {
        var found = new ArrayList<Metric>();
        int i = 0;
        for (JsonNode m : array(root, "metrics", "/")) {
            String at = "/metrics/" + i++;
            found.add(new Metric(
                    string(m, "name", at),
                    string(m, "label", at),
                    string(m, "unit", at),
                    direction(m, at),
                    m.path("limit").asDouble(Double.NaN)));
        }
        return found;
    }

    private Metric.Direction direction(JsonNode m, String at) {
        String word = string(m, "direction", at);
        for (Metric.Direction d : Metric.Direction.values()) {
            if (d.name().toLowerCase(Locale.ROOT).equals(word)) {
                return d;
            }
        }
        throw wrong(at, "\"direction\" cannot be '" + word + "'");
    }

    private List<DesignTable.Row> designs(JsonNode root) {
        var found = new ArrayList<DesignTable.Row>();
        int i = 0;
        for (JsonNode d : array(root, "designs", "/")) {
            String at = "/designs/" + i++;
            var stages = new ArrayList<DesignTable.Stage>();
            int j = 0;
            for (JsonNode r : array(d, "results", at)) {
                stages.add(stage(r, at + "/results/" + j++));
            }
            found.add(new DesignTable.Row(
                    d.path("number").asInt(0),
                    string(d, "design", at),
                    d.path("front").asBoolean(false),
                    strings(d, "knobs", at),
                    stages));
        }
        return found;
    }

    private DesignTable.Stage stage(JsonNode r, String at) {
        JsonNode p = object(r, "provenance", at);
        String words = string(p, "source", at + "/provenance");
        Provenance.Source source = null;
        for (Provenance.Source s : Provenance.Source.values()) {
            source = s.words().equals(words) ? s : source;
        }
        if (source == null) {
            throw wrong(at + "/provenance", "\"source\" cannot be '" + words + "'");
        }
        return new DesignTable.Stage(
                string(r, "fidelity", at),
                outcome(r, at),
                number(r, "costSeconds", at),
                new Provenance(
                        string(p, "toolchain", at),
                        string(p, "version", at),
                        p.path("seed").asLong(0),
                        source));
    }

    private Outcome outcome(JsonNode r, String at) {
        String word = string(r, "outcome", at);
        return switch (word) {
            case "measured" -> {
                var values = new LinkedHashMap<String, Double>();
                JsonNode v = object(r, "values", at);
                v.propertyNames().forEach(k -> values.put(k, number(v, k, at + "/values")));
                yield new Outcome.Measured(values);
            }
            // Files of earlier versions tell no kind, and of a time-out only the seconds.
            case "invalid", "failed", "timed out" ->
                r.has("seconds")
                        ? Outcome.Failure.timedOut(number(r, "seconds", at))
                        : new Outcome.Failure(
                                Arrays.stream(FailureKind.values())
                                        .filter(k ->
                                                k.words().equals(r.path("kind").asString("")))
                                        .findFirst()
                                        .orElse(word.equals("invalid") ? FailureKind.REJECTED : FailureKind.CRASHED),
                                string(r, "reason", at));
            default -> throw wrong(at, "\"outcome\" cannot be '" + word + "'");
        };
    }

    private Map<String, String> strings(JsonNode parent, String key, String at) {
        var map = new LinkedHashMap<String, String>();
        JsonNode o = object(parent, key, at);
        o.propertyNames().forEach(k -> map.put(k, string(o, k, at + "/" + key)));
        return map;
    }

    private List<String> list(JsonNode parent, String key) {
        var found = new ArrayList<String>();
        for (JsonNode n : array(parent, key, "/")) {
            if (!n.isString()) {
                throw wrong("/" + key, "a text is wanted");
            }
            found.add(n.asString());
        }
        return found;
    }

    private JsonNode object(JsonNode parent, String key, String at) {
        JsonNode n = parent.path(key);
        if (!n.isObject()) {
            throw wrong(at, "\"" + key + "\" must be an object");
        }
        return n;
    }

    private JsonNode array(JsonNode parent, String key, String at) {
        JsonNode n = parent.path(key);
        if (!n.isArray()) {
            throw wrong(at, "\"" + key + "\" must be a list");
        }
        return n;
    }

    private String string(JsonNode parent, String key, String at) {
        JsonNode n = parent.path(key);
        if (!n.isString()) {
            throw wrong(at, "\"" + key + "\" must be a text");
        }
        return n.asString();
    }

    private double number(JsonNode parent, String key, String at) {
        JsonNode n = parent.path(key);
        if (!n.isNumber() || !Double.isFinite(n.asDouble())) {
            throw wrong(at, "\"" + key + "\" must be a number");
        }
        return n.asDouble();
    }

    private UserError wrong(String at, String what) {
        return new UserError(name + " is not a valid file of designs: at " + at + ", " + what + ".");
    }
}
