package knobscape.evaluate.replay;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// The kind of a JSON document that something else was expected of.
public final class ForeignJson {
    /// Fields that only files of a kind have together.
    private static final List<Map.Entry<List<String>, String>> KINDS = List.of(
            Map.entry(List.of("tune_params_keys", "cache"), "a cache of Kernel Tuner"),
            Map.entry(List.of("results", "schema_version"), "a T4 file of tuning results"),
            Map.entry(List.of("metadata", "schema_version"), "the metadata of a T4 file, without results"),
            Map.entry(
                    List.of("ConfigurationSpace"), "a T1 file, which describes a tuning problem and measures nothing"),
            Map.entry(List.of("input", "config", "result"), "an AutoTVM log (one record per line)"),
            Map.entry(List.of("i", "r", "v"), "an AutoTVM or Ansor log (one record per line)"),
            Map.entry(List.of("Metadata", "Results"), "output of KTT"),
            Map.entry(List.of("sections", "device_core_clock"), "a tuning database of CLBlast"),
            Map.entry(List.of("front", "network"), "the results of a tuning by Knobscape (tuning.json)"),
            Map.entry(List.of("formatVersion", "kind"), "a project of Knobscape"),
            Map.entry(List.of("format", "knobs", "template"), "a schedule of Knobscape"),
            Map.entry(List.of("nodes", "inputs"), "a network"),
            Map.entry(List.of("layers"), "a network"));

    private ForeignJson() {}

    /// The first document of a text that has one on every line; empty of another text.
    public static Optional<JsonNode> firstLine(String text) {
        try {
            return text.lines()
                    .findFirst()
                    .map(JsonMapper.shared()::readTree)
                    .filter(_ -> text.lines().skip(1).anyMatch(l -> !l.isBlank()));
        } catch (JacksonException e) {
            return Optional.empty();
        }
    }

    /// As a clause: `a cache of Kernel Tuner`, or its fields where it is not known.
    public static String words(JsonNode root) {
        if (root.isArray()) {
            return root.path(0).path("i").path(0).isArray()
                    ? "an Ansor log"
                    : root.path(0).isInt() && root.path(1).path(0).path(0).isArray()
                            ? "a record of TVM's MetaSchedule, whose traces belong to one version of TVM and to no template"
                            : root.size() == 2
                                            && root.path(0).isString()
                                            && root.path(1).isString()
                                    ? "a list of the workloads of TVM's MetaSchedule, which measures nothing"
                                    : "a JSON list";
        }
        if (!root.isObject()) {
            return "a JSON value, no object";
        }
        if (root.path("i").path(0).isArray()) {
            return "an Ansor log, whose schedules are of no template";
        }
        if (root.propertyStream()
                .anyMatch(e -> e.getKey().matches("\\d+") && e.getValue().has("BLOCK_SIZE_M"))) {
            return "the best configurations of vLLM for a mixture of experts, which say no times (a study of the kernel takes one by --suggest)";
        }
        return KINDS.stream()
                .filter(k -> k.getKey().stream().allMatch(root::has))
                .map(Map.Entry::getValue)
                .findFirst()
                .orElseGet(() -> "JSON of another program, with the fields "
                        + root.propertyNames().stream().limit(5).collect(Collectors.joining(", ")));
    }
}
