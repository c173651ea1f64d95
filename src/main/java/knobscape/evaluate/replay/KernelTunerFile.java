package knobscape.evaluate.replay;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import knobscape.evaluate.InputFile;
import knobscape.evaluate.UserError;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.core.json.JsonReadFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/// Measurements of one kernel as Kernel Tuner keeps them: its cache files (schema 1.0 and 1.1, also one that a
/// killed run left open), T4 files (results of the FAIR auto-tuning schema 1.0), which say neither device nor
/// kernel; and what other tuners of kernels write: Triton's in its cache (`KERNEL.autotune.json`), which does not say
/// the device, KTT, CLBlast, and Helion in its log.
///
/// @param program that measured
/// @param device empty where the file does not say it
/// @param kernel likewise
/// @param table knobs, then `status`, `time_ms`, `compile_ms`, `bench_ms`, then further metrics of a cache, a row per
/// configuration
public record KernelTunerFile(String program, String device, String kernel, CsvTable table) {
    private static final String KERNEL_TUNER = "Kernel Tuner";
    private static final long LARGEST = 1L << 30;
    private static final int LONGEST_KEY = 200;
    private static final String OK = "ok";
    /// Columns behind the knobs.
    static final List<String> RESULTS = List.of("status", "time_ms", "compile_ms", "bench_ms");
    /// Numbers of an entry of a cache that say nothing of the kernel, or are in [#RESULTS].
    private static final Set<String> NO_METRICS = Set.of(
            "time",
            "compile_time",
            "benchmark_time",
            "verification_time",
            "framework_time",
            "strategy_time",
            "timestamp");
    private static final int MOST_METRICS = 50;
    private static final JsonMapper JSON = JsonMapper.builder(JsonFactory.builder()
                    .streamReadConstraints(StreamReadConstraints.builder()
                            .maxDocumentLength(LARGEST)
                            .maxNestingDepth(64)
                            .build())
                    .build())
            // Python writes times that are infinite so.
            .enable(JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS)
            .build();

    /// Reads a file; throws [UserError] that says what a JSON file of another kind is.
    public static KernelTunerFile read(Path file) {
        return of(file, document(file));
    }

    /// The document of a JSON file.
    static JsonNode document(Path file) {
        try {
            return parse(file, InputFile.text(file, LARGEST));
        } catch (IOException e) {
            throw new UserError(file + " cannot be read: " + e.getMessage() + ".", e);
        }
    }

    static KernelTunerFile of(Path file, JsonNode root) {
        if (root.path("cache").isObject() && root.has("tune_params_keys")) {
            return cache(file, root);
        }
        if (root.path("results").isArray() && root.path("results").path(0).has("configuration")) {
            return t4(file, root);
        }
        if (root.path("configs_timings").isArray()) {
            return triton(file, root);
        }
        if (root.path("Results").path(0).has("Configuration")) {
            return ktt(file, root);
        }
        if (root.path("results").path(0).path("parameters").isObject() && root.has("clblast_device_name")) {
            return clblast(file, root);
        }
        throw foreign(file, root);
    }

    private static UserError foreign(Path file, JsonNode root) {
        return new UserError(file + " is no file of measured kernels: it is " + ForeignJson.words(root) + ".");
    }

    /// Pairs of a configuration and its times in milliseconds: the median, then two quantiles; infinite where it did
    /// not run. Tuned for a key: the arguments that the kernel depends on.
    private static KernelTunerFile triton(Path file, JsonNode root) {
        List<String> options = List.of("num_warps", "num_ctas", "num_stages", "maxnreg");
        var knobs = new LinkedHashSet<String>();
        var configurations = new ArrayList<ObjectNode>();
        for (JsonNode pair : root.path("configs_timings")) {
            ObjectNode own = JSON.createObjectNode();
            pair.path(0).path("kwargs").properties().forEach(e -> own.set(e.getKey(), e.getValue()));
            options.stream()
                    .filter(o -> pair.path(0).path(o).isNumber())
                    .forEach(o -> own.set(o, pair.path(0).path(o)));
            knobs.addAll(own.propertyNames());
            configurations.add(own);
        }
        var rows = new ArrayList<String[]>();
        for (int i = 0; i < configurations.size(); i++) {
            JsonNode times = root.path("configs_timings").path(i).path(1);
            double median = (times.isArray() ? times.path(0) : times).asDouble(0);
            boolean ran = median > 0 && Double.isFinite(median);
            rows.add(row(
                    file,
                    List.copyOf(knobs),
                    List.of(),
                    configurations.get(i),
                    ran ? OK : failure("runtime"),
                    median,
                    0,
                    0));
        }
        String kernel = file.getFileName().toString().replaceFirst("(\\.autotune)?\\.json(\\.gz)?$", "");
        String key = root.path("key").valueStream().map(k -> k.asString("")).collect(Collectors.joining(", "));
        return new KernelTunerFile(
                "Triton",
                "unknown",
                kernel + (key.isEmpty() ? "" : " (" + key.substring(0, Math.min(LONGEST_KEY, key.length())) + ")"),
                table(file, List.copyOf(knobs), List.of(), rows));
    }

    /// A cache that Kernel Tuner has not closed yet ends behind an entry.
    private static JsonNode parse(Path file, String text) {
        try {
            return JSON.readTree(text);
        } catch (JacksonException e) {
            String open = text.stripTrailing();
            if (open.contains("\"cache\"") && open.matches("(?s).*\\}\\s*,?")) {
                try {
                    return JSON.readTree(open.replaceFirst(",$", "") + "}}");
                } catch (JacksonException again) {
                    throw new UserError(file + " is a cache of Kernel Tuner that is damaged in the middle.", again);
                }
            }
            ForeignJson.firstLine(open).ifPresent(l -> {
                throw foreign(file, l);
            });
            throw new UserError(
                    file + " is no valid JSON: "
                            + String.valueOf(e.getOriginalMessage())
                                    .lines()
                                    .findFirst()
                                    .orElse("") + ".",
                    e);
        }
    }

    private static KernelTunerFile cache(Path file, JsonNode root) {
        List<String> knobs = new ArrayList<>();
        root.path("tune_params_keys").forEach(k -> knobs.add(k.asString("")));
        List<String> metrics = root.path("cache")
                .valueStream()
                .flatMap(e -> e.properties().stream())
                .filter(f -> f.getValue().isNumber() && !NO_METRICS.contains(f.getKey()) && !knobs.contains(f.getKey()))
                .map(Map.Entry::getKey)
                .filter(m -> !RESULTS.contains(m))
                .distinct()
                .limit(MOST_METRICS)
                .toList();
        var rows = new ArrayList<String[]>();
        for (var entry : root.path("cache").properties()) {
            JsonNode e = entry.getValue();
            JsonNode time = e.path("time");
            rows.add(row(
                    file,
                    knobs,
                    metrics,
                    e,
                    time.isNumber() && time.asDouble() < 1e19 ? OK : failure(time.asString("runtime")),
                    time.asDouble(0),
                    e.path("compile_time").asDouble(0),
                    e.path("benchmark_time").asDouble(0)));
        }
        return new KernelTunerFile(
                KERNEL_TUNER,
                root.path("device_name").asString(""),
                root.path("kernel_name").asString(""),
                table(file, knobs, metrics, rows));
    }

    private static KernelTunerFile t4(Path file, JsonNode root) {
        Set<String> knobs = new LinkedHashSet<>();
        root.path("results").forEach(r -> r.path("configuration").properties().forEach(e -> knobs.add(e.getKey())));
        List<String> names = List.copyOf(knobs);
        var rows = new ArrayList<String[]>();
        for (JsonNode r : root.path("results")) {
            String validity = r.path("invalidity").asString("runtime");
            double time = 0;
            for (JsonNode m : r.path("measurements")) {
                if (m.path("name").asString("").equals("time")
                        && m.path("value").isNumber()) {
                    time = m.path("value").asDouble()
                            * milliseconds(m.path("unit").asString("ms"));
                }
            }
            JsonNode times = r.path("times");
            JsonNode runs = times.path("runtimes");
            if (time <= 0 && runs.size() > 0) {
                time = runs.valueStream()
                        .mapToDouble(x -> x.asDouble(0))
                        .average()
                        .orElse(0);
            }
            rows.add(row(
                    file,
                    names,
                    List.of(),
                    r.path("configuration"),
                    validity.equals("correct") && time > 0 ? OK : failure(validity),
                    time,
                    times.path("compilation")
                            .asDouble(times.path("compilation_time").asDouble(0)),
                    times.path("benchmark").asDouble(0)));
        }
        JsonNode own = root.path("metadata");
        return new KernelTunerFile(
                KERNEL_TUNER,
                own.path("device_name").asString(""),
                own.path("kernel_name").asString(""),
                table(file, names, List.of(), rows));
    }

    /// The output of KTT: a result has the pairs of its configuration and the time of all that ran for it.
    private static KernelTunerFile ktt(Path file, JsonNode root) {
        String unit = root.path("Metadata").path("TimeUnit").asString("");
        if (unit.isEmpty()) {
            throw new UserError(
                    file + " is output of KTT that says no unit of time; add \"TimeUnit\" to \"Metadata\".");
        }
        double scale = milliseconds(unit);
        var knobs = new LinkedHashSet<String>();
        var configurations = new ArrayList<ObjectNode>();
        for (JsonNode r : root.path("Results")) {
            ObjectNode own = JSON.createObjectNode();
            r.path("Configuration").forEach(p -> own.set(p.path("Name").asString(""), p.path("Value")));
            knobs.addAll(own.propertyNames());
            configurations.add(own);
        }
        var rows = new ArrayList<String[]>();
        for (int i = 0; i < configurations.size(); i++) {
            JsonNode r = root.path("Results").path(i);
            double time = r.path("TotalDuration").asDouble(0) * scale;
            String status = r.path("Status").asString("");
            rows.add(row(
                    file,
                    List.copyOf(knobs),
                    List.of(),
                    configurations.get(i),
                    status.equals("Ok") && time > 0 ? OK : failure(status),
                    time,
                    0,
                    0));
        }
        return new KernelTunerFile(
                "KTT",
                root.path("Metadata").path("Device").asString(""),
                root.path("Results").path(0).path("KernelName").asString(""),
                table(file, List.copyOf(knobs), List.of(), rows));
    }

    /// The output of a tuner of CLBlast: results that were right, with their times in milliseconds.
    private static KernelTunerFile clblast(Path file, JsonNode root) {
        List<String> knobs = root.path("results")
                .valueStream()
                .flatMap(r -> r.path("parameters").propertyNames().stream())
                .filter(p -> !p.equals("PRECISION"))
                .distinct()
                .toList();
        var rows = new ArrayList<String[]>();
        for (JsonNode r : root.path("results")) {
            double time = r.path("time").asDouble(0);
            rows.add(row(file, knobs, List.of(), r.path("parameters"), time > 0 ? OK : failure("runtime"), time, 0, 0));
        }
        return new KernelTunerFile(
                "CLBlast",
                root.path("clblast_device_name").asString(""),
                root.path("kernel_family").asString("") + " ("
                        + root.path("precision").asString("") + " bits)",
                table(file, knobs, List.of(), rows));
    }

    private static double milliseconds(String unit) {
        return switch (unit.toLowerCase(Locale.ROOT)) {
            case "s", "seconds" -> 1000;
            case "us", "microseconds" -> 1e-3;
            case "ns", "nanoseconds" -> 1e-6;
            default -> 1;
        };
    }

    /// Words of both formats for a configuration without a time.
    private static String failure(String word) {
        return switch (word) {
            case "CompilationFailedConfig", "compile", "CompilationFailed" -> "compile_failed";
            case "InvalidConfig", "constraints", "DeviceLimitsExceeded" -> "invalid";
            case "timeout" -> "run_timeout";
            case "correctness", "ValidationFailed" -> "wrong_answer";
            default -> "run_failed";
        };
    }

    private static String[] row(
            Path file,
            List<String> knobs,
            List<String> metrics,
            JsonNode values,
            String status,
            double time,
            double compile,
            double bench) {
        String[] cells = new String[knobs.size() + RESULTS.size() + metrics.size()];
        for (int i = 0; i < knobs.size(); i++) {
            JsonNode v = values.path(knobs.get(i));
            if (v.isMissingNode() || v.isContainer()) {
                throw new UserError(file + ": a configuration has no value of '" + knobs.get(i) + "'.");
            }
            cells[i] = v.asString("");
        }
        cells[knobs.size()] = status;
        cells[knobs.size() + 1] = status.equals(OK) ? Double.toString(time) : "";
        cells[knobs.size() + 2] = number(compile);
        cells[knobs.size() + 3] = number(bench);
        for (int i = 0; i < metrics.size(); i++) {
            JsonNode v = values.path(metrics.get(i));
            cells[knobs.size() + RESULTS.size() + i] = status.equals(OK) && v.isNumber() ? v.asString("") : "";
        }
        return cells;
    }

    private static String number(double value) {
        return value > 0 ? String.format(Locale.ROOT, "%.6g", value) : "";
    }

    private static CsvTable table(Path file, List<String> knobs, List<String> metrics, List<String[]> rows) {
        if (knobs.isEmpty() || rows.isEmpty()) {
            throw new UserError(file + " holds no measurement.");
        }
        var header = new ArrayList<>(knobs);
        header.addAll(RESULTS);
        header.addAll(metrics);
        return CsvTable.of(file.toString(), header, rows);
    }
}
