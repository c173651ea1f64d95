package knobscape.gpu.history;

import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import knobscape.evaluate.FailureKind;
import knobscape.evaluate.Outcome;
import knobscape.evaluate.UserError;
import knobscape.gpu.export.AutoTvmLog;
import knobscape.gpu.export.TuningRecord;
import knobscape.gpu.space.template.Template;
import knobscape.space.Configuration;
import knobscape.space.KnobSet;
import knobscape.work.history.HistoryRow;
import knobscape.work.history.HistoryTask;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Tasks of the history as files of other programs: Kernel Tuner's cache (schema 1.1), T4 (1.0), AutoTVM's log.
public final class HistoryExport {
    private static final String SCHEMA = "schema_version";
    private static final String METADATA = "metadata";
    private static final String TIME = "time";

    private HistoryExport() {}

    /// A cache of Kernel Tuner, whose `tune_cache` replays it. Knobs that split an axis are text, as the history has
    /// them; the problem size is not known and 1. Throws [UserError] for what has no time of a kernel.
    public static String cache(HistoryTask task, List<HistoryRow> rows) {
        requireKernel(task);
        List<Map<String, String>> configurations =
                rows.stream().map(r -> values(r.configuration())).toList();
        List<String> knobs = List.copyOf(configurations.getFirst().keySet());
        ObjectNode root = JsonMapper.shared()
                .createObjectNode()
                .put(SCHEMA, "1.1.0")
                .put("device_name", task.device())
                .put("kernel_name", task.subject())
                .put("problem", task.words());
        // Kernel Tuner takes numbers only, and asks for them when it replays; the history does not know the grid.
        root.putArray("problem_size").add(1);
        ArrayNode keys = root.putArray("tune_params_keys");
        knobs.forEach(keys::add);
        ObjectNode domains = root.putObject("tune_params");
        knobs.forEach(k -> {
            ArrayNode list = domains.putArray(k);
            configurations.stream().map(c -> c.get(k)).distinct().forEach(v -> put(list, v));
        });
        root.put("objective", TIME);
        ObjectNode cache = root.putObject("cache");
        for (int i = 0; i < rows.size(); i++) {
            HistoryRow r = rows.get(i);
            ObjectNode entry =
                    cache.putObject(String.join(",", configurations.get(i).values()));
            configurations.get(i).forEach((k, v) -> put(entry, k, v));
            time(r).ifPresentOrElse(
                            ms -> {
                                entry.put(TIME, ms);
                                entry.putArray("times").add(ms);
                            },
                            () -> entry.put(
                                    TIME,
                                    word(
                                            r.outcome(),
                                            "InvalidConfig",
                                            "CompilationFailedConfig",
                                            "RuntimeFailedConfig")));
            entry.put("compile_time", 0)
                    .put("verification_time", 0)
                    .put("benchmark_time", r.costSeconds() * 1000)
                    .put("strategy_time", 0)
                    .put("framework_time", 0)
                    .put("timestamp", at(r));
        }
        return text(root);
    }

    /// A T4 file. The format leaves the device to a second file; here it stands in a field of its own, so that times of
    /// a model are known for what they are. Throws [UserError] for what has no time of a kernel.
    public static String t4(HistoryTask task, List<HistoryRow> rows) {
        requireKernel(task);
        ObjectNode root = JsonMapper.shared().createObjectNode();
        root.putObject(METADATA).put("device_name", task.device()).put("kernel_name", task.subject());
        ArrayNode results = root.putArray("results");
        for (HistoryRow r : rows) {
            ObjectNode entry = results.addObject().put("timestamp", at(r));
            ObjectNode configuration = entry.putObject("configuration");
            values(r.configuration()).forEach((k, v) -> put(configuration, k, v));
            ObjectNode times = entry.putObject("times")
                    .put("compilation", 0)
                    .put("benchmark", r.costSeconds() * 1000)
                    .put("framework", 0)
                    .put("search_algorithm", 0)
                    .put("validation", 0);
            ArrayNode runs = times.putArray("runtimes");
            ArrayNode measurements = JsonMapper.shared().createArrayNode();
            time(r).ifPresent(ms -> {
                runs.add(ms);
                measurements.addObject().put("name", TIME).put("value", ms).put("unit", "ms");
            });
            entry.put(
                            "invalidity",
                            time(r).isPresent() ? "correct" : word(r.outcome(), "constraints", "compile", "runtime"))
                    .put("correctness", 1);
            entry.set("measurements", measurements);
            entry.putArray("objectives").add(TIME);
        }
        return text(root.put(SCHEMA, "1.0.0"));
    }

    /// Measurements of somebody's own program as a cache or a T4 file.
    ///
    /// @param rows at least one; times in milliseconds
    public static String ofStudy(boolean isCache, String name, String device, KnobSet knobs, List<HistoryRow> rows) {
        var task = new HistoryTask(
                HistoryTasks.AREA,
                new HistoryTask.Measurer(device, "", false),
                name,
                name,
                name,
                "",
                "study",
                "bare",
                Optional.of(knobs));
        return isCache ? cache(task, rows) : t4(task, rows);
    }

    /// A log of AutoTVM. Throws [UserError] for a task that no template computes, and for times of a model.
    public static String autoTvm(HistoryTask task, List<HistoryRow> rows) {
        requireKernel(task);
        Template t = HistoryTasks.source(task)
                .filter(Template.class::isInstance)
                .map(Template.class::cast)
                .orElseThrow(() -> new UserError("'" + task.subject()
                        + "' is no kernel of AutoTVM's templates; it can be exported as cache or t4."));
        KnobSet knobs = t.space().knobs();
        var origin =
                new TuningRecord.Origin("cuda -model=" + task.device().replace(' ', '_'), task.tail(), task.isModel());
        var records = new ArrayList<TuningRecord>();
        for (HistoryRow r : rows) {
            records.add(TuningRecord.of(
                    t, Configuration.parse(knobs, r.configuration()), r.outcome(), r.costSeconds(), r.seen(), origin));
        }
        return AutoTvmLog.write(records, "cuda");
    }

    /// A design of HLS would stand in such a file as one that failed.
    private static void requireKernel(HistoryTask task) {
        if (!task.area().equals(HistoryTasks.AREA)) {
            throw new UserError(
                    "'" + task.words()
                            + "' is no kernel of a GPU, and files of other programs hold times of these only; it can be exported as db.");
        }
    }

    private static Map<String, String> values(String configuration) {
        var values = new LinkedHashMap<String, String>();
        for (String part : configuration.split(";")) {
            int eq = part.indexOf('=');
            values.put(part.substring(0, eq), part.substring(eq + 1));
        }
        return values;
    }

    private static Optional<Double> time(HistoryRow r) {
        return r.outcome() instanceof Outcome.Measured m && m.values().containsKey(TIME)
                ? Optional.of(m.values().get(TIME))
                : Optional.empty();
    }

    private static String word(Outcome outcome, String invalid, String compile, String run) {
        if (!(outcome instanceof Outcome.Failure f)) {
            return run;
        }
        return f.kind() != FailureKind.REJECTED ? run : f.reason().contains("compil") ? compile : invalid;
    }

    private static String at(HistoryRow r) {
        return Instant.ofEpochMilli((long) (r.seen() * 1000)).toString();
    }

    private static void put(ObjectNode node, String name, String value) {
        if (value.matches("-?\\d{1,15}")) {
            node.put(name, Long.parseLong(value));
        } else {
            node.put(name, value);
        }
    }

    private static void put(ArrayNode list, String value) {
        if (value.matches("-?\\d{1,15}")) {
            list.add(Long.parseLong(value));
        } else {
            list.add(value);
        }
    }

    private static String text(ObjectNode root) {
        return JsonMapper.shared().writerWithDefaultPrettyPrinter().writeValueAsString(root) + "\n";
    }
}
