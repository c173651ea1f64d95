package knobscape.project;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import knobscape.evaluate.UserError;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/// Typed look-ups in one JSON object, with errors that name file and key.
record Fields(Path file, JsonNode node, String prefix) {
    void onlyKnown(Set<String> known) {
        for (String key : node.propertyNames()) {
            if (!known.contains(key)) {
                throw new UserError(file + ": '" + prefix + key + "' is not a known key" + Names.didYouMean(key, known) + ".");
            }
        }
    }

    Optional<JsonNode> get(String key) {
        JsonNode v = node.get(key);
        return v == null || v.isNull() ? Optional.empty() : Optional.of(v);
    }

    Optional<String> text(String key) {
        return get(key).map(v -> {
            if (!v.isString()) {
                throw wrong(key, "a string");
            }
            return v.stringValue();
        });
    }

    boolean flag(String key, boolean otherwise) {
        return get(key).map(v -> {
            if (!v.isBoolean()) {
                throw wrong(key, "true or false");
            }
            return v.booleanValue();
        }).orElse(otherwise);
    }

    Optional<Double> number(String key) {
        return get(key).map(v -> {
            if (!v.isNumber()) {
                throw wrong(key, "a number");
            }
            return v.doubleValue();
        });
    }

    Optional<Long> whole(String key) {
        return get(key).map(v -> {
            if (!v.isIntegralNumber() || !v.canConvertToLong()) {
                throw wrong(key, "a whole number");
            }
            return v.longValue();
        });
    }

    int count(String key, int otherwise) {
        long v = whole(key).orElse((long) otherwise);
        if (v < 0 || v > Integer.MAX_VALUE) {
            throw wrong(key, "a count");
        }
        return (int) v;
    }

    List<String> texts(String key) {
        return get(key).map(v -> {
            if (!v.isArray()) {
                throw wrong(key, "a list of strings");
            }
            var all = new ArrayList<String>();
            for (JsonNode each : v) {
                if (!each.isString()) {
                    throw wrong(key, "a list of strings");
                }
                all.add(each.stringValue());
            }
            return List.copyOf(all);
        }).orElse(List.of());
    }

    Map<String, String> map(String key) {
        return get(key).map(v -> {
            if (!v.isObject()) {
                throw wrong(key, "an object of strings");
            }
            var all = new LinkedHashMap<String, String>();
            for (var e : v.properties()) {
                if (!e.getValue().isValueNode()) {
                    throw wrong(key, "an object of strings");
                }
                all.put(e.getKey(), e.getValue().asString());
            }
            return (Map<String, String>) all;
        }).orElse(Map.of());
    }

    /// Whole numbers from 1 by name.
    Map<String, Long> counts(String key) {
        var all = new LinkedHashMap<String, Long>();
        JsonNode v = get(key).orElseGet(JsonNodeFactory.instance::objectNode);
        if (!v.isObject()) {
            throw wrong(key, "an object of numbers");
        }
        var inner = new Fields(file, v, prefix + key + ".");
        for (String name : v.propertyNames()) {
            long value = inner.whole(name).orElseThrow(() -> inner.wrong(name, "a count from 1"));
            if (value < 1) {
                throw inner.wrong(name, "a count from 1");
            }
            all.put(name, value);
        }
        return all;
    }

    UserError wrong(String key, String what) {
        return new UserError(file + ": " + prefix + key + " must be " + what + ".");
    }
}
