package knobscape.work.parameter;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import knobscape.evaluate.report.JsonFields;
import tools.jackson.databind.node.ObjectNode;

/// Values by name, in the order given or, where they are numbers, by name.
///
/// @param of reads a value
/// @param isCount whether values are whole numbers from 1
public record NamedValues<V>(Function<String, V> of, boolean isCount) implements ValueType<Map<String, V>> {
    /// Whole numbers from 1 by name.
    public static NamedValues<Long> counts() {
        return new NamedValues<>(Long::valueOf, true);
    }

    /// Texts by name; `1` where none is given.
    public static NamedValues<String> texts() {
        return new NamedValues<>(v -> v, false);
    }

    @Override
    public Map<String, V> parse(String text) {
        var all = new LinkedHashMap<String, V>();
        for (String pair : text.isBlank() ? new String[0] : text.strip().split("\\s*,\\s*")) {
            int at = pair.indexOf('=');
            String value = at < 0 ? isCount ? "" : "1" : pair.substring(at + 1).strip();
            if (at == 0 || (isCount && !value.matches("[1-9]\\d{0,8}"))) {
                throw new IllegalArgumentException(must());
            }
            all.put(at < 0 ? pair : pair.substring(0, at).strip(), of.apply(value));
        }
        return ordered(all);
    }

    private Map<String, V> ordered(Map<String, V> all) {
        return Collections.unmodifiableMap(isCount ? new TreeMap<>(all) : all);
    }

    @Override
    public String text(Map<String, V> value) {
        return value.entrySet().stream()
                .map(e -> e.getKey() + "=" + e.getValue())
                .collect(Collectors.joining(", "));
    }

    @Override
    public String must() {
        return isCount ? "written NAME=N" : "written NAME=VALUE";
    }

    @Override
    public void write(ObjectNode to, String key, Map<String, V> value) {
        ObjectNode inner = to.putObject(key);
        value.forEach((name, v) -> {
            if (isCount) {
                inner.put(name, (Long) v);
            } else {
                inner.put(name, v.toString());
            }
        });
    }

    @Override
    public Map<String, V> read(JsonFields in, String key) {
        var all = new LinkedHashMap<String, V>();
        (isCount ? in.counts(key) : in.map(key)).forEach((name, v) -> all.put(name, of.apply(v.toString())));
        return ordered(all);
    }

    @Override
    public boolean isNone(Map<String, V> value) {
        return value.isEmpty();
    }
}
