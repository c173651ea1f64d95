package knobscape.evaluate.replay;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/// Rows as JSON: a list of objects, as pandas and experiment trackers write, or an experiment of HiPlot. What an object
/// holds in another has both names with a dot between.
final class JsonRows {
    /// The beginning of a file of rows.
    static final String BEGINNING = "(?s)\\s*\\[\\s*\\{.*|.*\"datapoints\"\\s*:.*";

    private JsonRows() {}

    /// The table of a document; empty where it is another.
    static Optional<CsvTable> of(Path file, JsonNode root) {
        JsonNode all = root.isArray() ? root : root.path("datapoints");
        if (!all.isArray() || all.isEmpty() || !all.valueStream().allMatch(JsonNode::isObject)) {
            return Optional.empty();
        }
        var header = new LinkedHashSet<String>();
        List<Map<String, String>> rows = all.valueStream()
                .map(r -> {
                    var cells = new LinkedHashMap<String, String>();
                    put("", root.isArray() ? r : r.path("values"), cells);
                    header.addAll(cells.keySet());
                    return cells;
                })
                .map(c -> (Map<String, String>) c)
                .toList();
        return Optional.of(CsvTable.of(
                file.toString(),
                List.copyOf(header),
                rows.stream()
                        .map(r ->
                                header.stream().map(h -> r.getOrDefault(h, "")).toArray(String[]::new))
                        .toList()));
    }

    private static void put(String prefix, JsonNode object, Map<String, String> to) {
        object.properties().stream().filter(e -> !e.getValue().isArray()).forEach(e -> {
            if (e.getValue().isObject()) {
                put(prefix + e.getKey() + ".", e.getValue(), to);
            } else {
                to.put(
                        prefix + e.getKey(),
                        e.getValue().isNull() ? "" : e.getValue().asString(""));
            }
        });
    }
}
