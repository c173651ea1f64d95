package knobscape.evaluate.replay;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/// Mappings of tables whose columns say themselves what they are, so that nobody has to write one: the tables of
/// designs that this program exports, and the tables of trials of Optuna.
final class GuessedMapping {
    private static final String OUTCOME = " outcome";
    private static final Pattern METRIC = Pattern.compile("(.+?)(?: \\[([^\\]]*)\\])?");
    /// Metrics that are objectives where a table has them; else the first two are.
    private static final List<String> OBJECTIVES =
            List.of("power", "delay", "lut", "gflops", "speedup", "latency", "memory", "time");
    private static final int MAX_OBJECTIVES = 3;
    private static final Set<String> LARGER_IS_BETTER = Set.of("gflops", "speedup", "rate", "accuracy", "throughput");

    private GuessedMapping() {}

    /// The mapping of a table with these columns; empty where they do not say what they are.
    static Optional<ReplayMapping.Text> of(List<String> header) {
        return own(header).or(() -> optuna(header)).map(yaml -> ReplayMapping.text("the columns of the table", yaml));
    }

    /// `number,design,front,KNOBS...,hls outcome,hls power [W],...,hls tool time [s],hls source,syn outcome,...`.
    private static Optional<String> own(List<String> header) {
        int first = header.stream().map(c -> c.endsWith(OUTCOME)).toList().indexOf(true);
        if (first < 3 || !header.subList(0, 3).equals(List.of("number", "design", "front"))) {
            return Optional.empty();
        }
        var units = new LinkedHashMap<String, String>();
        var stages = new LinkedHashMap<String, Map<String, String>>();
        for (String column : header.subList(first, header.size())) {
            if (column.endsWith(OUTCOME)) {
                stages.put(column.substring(0, column.length() - OUTCOME.length()), new LinkedHashMap<>());
                continue;
            }
            String stage = List.copyOf(stages.keySet()).getLast();
            Matcher m = METRIC.matcher(column.startsWith(stage + " ") ? column.substring(stage.length() + 1) : column);
            if (m.matches() && !m.group(1).equals("source") && !m.group(1).equals("tool time")) {
                units.putIfAbsent(m.group(1), m.group(2) == null ? "" : m.group(2));
                stages.computeIfPresent(stage, (s, metrics) -> {
                    metrics.put(m.group(1), column);
                    return metrics;
                });
            }
        }
        var fidelities = new ArrayList<String>();
        stages.forEach((stage, metrics) -> fidelities.add(stage(stage, metrics)));
        return units.isEmpty()
                ? Optional.empty()
                : Optional.of(yaml("Designs exported by Knobscape.", header.subList(3, first), "", units, fidelities));
    }

    /// A stage with a tool time and no values has refused the design; one with neither was not run.
    private static String stage(String stage, Map<String, String> columns) {
        String time = "`" + stage + " tool time [s]`";
        String value = "`" + columns.values().stream().findFirst().orElse(stage + OUTCOME) + "`";
        return "  - name: " + quoted(stage) + "\n    seconds: " + quoted("first(" + time + ", 0)") + "\n    valid: "
                + quoted("first(" + value + " * 0 + 1, 1 - first(" + time + " * 0 + 1, 0))") + "\n    metrics: {"
                + columns.entrySet().stream()
                        .map(e -> quoted(e.getKey()) + ": " + quoted("`" + e.getValue() + "`"))
                        .collect(Collectors.joining(", "))
                + "}\n";
    }

    /// `number,value,...,params_x,...,state`: finished trials count; every value is taken for one to minimise.
    private static Optional<String> optuna(List<String> header) {
        List<String> values =
                header.stream().filter(c -> c.matches("value|values_.+")).toList();
        List<String> knobs =
                header.stream().filter(c -> c.startsWith("params_")).toList();
        if (values.isEmpty() || knobs.isEmpty() || !header.contains("state")) {
            return Optional.empty();
        }
        var units = new LinkedHashMap<String, String>();
        values.forEach(v -> units.put(v, ""));
        String stage = "  - name: trial\n    metrics: {"
                + values.stream()
                        .map(v -> quoted(v) + ": " + quoted("`" + v + "`"))
                        .collect(Collectors.joining(", "))
                + "}\n";
        return Optional.of(yaml(
                "Trials of Optuna; every value is taken for one to minimise.",
                knobs,
                "where: {state: [COMPLETE]}\n",
                units,
                List.of(stage)));
    }

    private static String yaml(
            String description, List<String> knobs, String where, Map<String, String> units, List<String> fidelities) {
        List<String> named = OBJECTIVES.stream().filter(units::containsKey).toList();
        List<String> objectives = (named.isEmpty() ? List.copyOf(units.keySet()) : named)
                .stream().limit(MAX_OBJECTIVES).toList();
        return "replay: 1\nname: table\ndescription: " + quoted(description) + "\n" + where + "knobs:\n  columns: ["
                + knobs.stream().map(GuessedMapping::quoted).collect(Collectors.joining(", ")) + "]\nmetrics:\n"
                + units.entrySet().stream()
                        .map(e -> "  " + quoted(e.getKey()) + ": {label: " + quoted(label(e.getKey())) + ", unit: "
                                + quoted(e.getValue()) + ", direction: "
                                + (!objectives.contains(e.getKey())
                                        ? "neutral"
                                        : LARGER_IS_BETTER.contains(e.getKey()) ? "maximise" : "minimise")
                                + "}\n")
                        .collect(Collectors.joining())
                + "fidelities:\n" + String.join("", fidelities) + "objectives: ["
                + objectives.stream().map(GuessedMapping::quoted).collect(Collectors.joining(", ")) + "]\n";
    }

    private static String label(String metric) {
        return Set.of("lut", "ff", "dsp", "bram", "gflops").contains(metric)
                ? metric.toUpperCase(java.util.Locale.ROOT)
                : Character.toUpperCase(metric.charAt(0)) + metric.substring(1);
    }

    private static String quoted(String text) {
        return "\"" + text.replace("\\", "\\\\").replace("\"", "\\\"") + "\"";
    }
}
