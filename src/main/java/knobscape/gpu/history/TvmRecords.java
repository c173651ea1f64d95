package knobscape.gpu.history;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import knobscape.evaluate.UserError;
import knobscape.evaluate.replay.CsvTable;
import knobscape.gpu.evaluate.replay.MeasuredSet;
import knobscape.space.Sha256;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// Measurements of TVM's schedulers without templates, a record per line: logs of Ansor (`"i"`, `"r"`), and the tuning
/// records of a MetaSchedule database (`database_tuning_record.json`).
///
/// Records of one work whose schedules have the same steps are measured kernels of one space: the numbers that these
/// steps chose (tile sizes, unrolling, places) are its knobs.
///
/// @param sets one for each work and kind of schedule
/// @param left what was left out and why, one sentence each
record TvmRecords(List<MeasuredSet> sets, List<String> left) {
    private static final int LONGEST_LINE = 1 << 20;
    private static final int MOST_RECORDS = 1_000_000;
    private static final int LONGEST_NAME = 120;
    private static final Pattern ANSOR = Pattern.compile("^\\{\\s*\"i\"\\s*:\\s*\\[\\s*\\[");
    private static final Pattern META_SCHEDULE = Pattern.compile("^\\[\\s*\\d+\\s*,\\s*\\[\\s*\\[\\s*\\[");
    /// Seconds that MetaSchedule writes for what did not run.
    private static final double NEVER = 1e9;
    private static final List<String> RESULTS = List.of("status", "time_ms", "all_cost_s");

    /// One record.
    ///
    /// @param work for a person
    /// @param device its name as the target has it
    /// @param steps the schedule without its numbers
    /// @param knobs the numbers by name
    /// @param seconds mean time of a run; 0 where it failed
    private record TvmRecord(
            String work, String device, String steps, Map<String, String> knobs, double seconds, double cost) {}

    /// True if the first line of a file is such a record.
    static boolean recognises(String line) {
        return ANSOR.matcher(line).find() || META_SCHEDULE.matcher(line).find();
    }

    /// Reads a file. Throws [UserError] where none of its lines is a record that says enough.
    static TvmRecords read(Path file) {
        var groups = new LinkedHashMap<List<String>, List<TvmRecord>>();
        var bad = new ArrayList<Integer>();
        int number = 0;
        try (BufferedReader in = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
            for (String line = in.readLine(); line != null && number < MOST_RECORDS; line = in.readLine()) {
                number++;
                if (line.isBlank() || line.startsWith("#")) {
                    continue;
                }
                Optional<TvmRecord> r = record(line);
                if (r.isPresent()) {
                    groups.computeIfAbsent(List.of(r.get().work, r.get().device, r.get().steps), _ -> new ArrayList<>())
                            .add(r.get());
                } else {
                    bad.add(number);
                }
            }
        } catch (IOException e) {
            throw new UserError(file + " cannot be read: " + e.getMessage() + ".", e);
        }
        if (groups.isEmpty()) {
            throw new UserError(file + ": none of its " + number
                    + " lines is a record with a work, a schedule whose numbers can be told, and a time.");
        }
        return new TvmRecords(
                groups.values().stream().map(g -> set(file, g)).toList(),
                bad.isEmpty()
                        ? List.of()
                        : List.of(bad.size() + " lines of " + file.getFileName() + " are left out: line "
                                + bad.getFirst() + " is no whole record, chooses nothing, or was not measured."));
    }

    private static MeasuredSet set(Path file, List<TvmRecord> records) {
        TvmRecord first = records.getFirst();
        List<String> knobs = List.copyOf(first.knobs.keySet());
        List<String[]> rows = records.stream()
                .map(r -> Stream.concat(
                                knobs.stream().map(r.knobs::get),
                                Stream.of(
                                        r.seconds > 0 ? "ok" : "failed",
                                        r.seconds > 0 ? String.valueOf(r.seconds * 1000) : "",
                                        String.valueOf(r.cost)))
                        .toArray(String[]::new))
                .toList();
        String kernel = first.work + ", schedule " + Sha256.of(first.steps).substring(0, 6);
        return MeasuredSet.of(
                file,
                first.device,
                kernel,
                CsvTable.of(
                        file.toString(),
                        Stream.concat(knobs.stream(), RESULTS.stream()).toList(),
                        rows));
    }

    private static Optional<TvmRecord> record(String line) {
        if (line.length() > LONGEST_LINE) {
            return Optional.empty();
        }
        try {
            JsonNode root = JsonMapper.shared().readTree(line);
            return (root.isArray() ? metaSchedule(root.path(1)) : ansor(root))
                    .filter(r -> !r.knobs.isEmpty() && Double.isFinite(r.seconds));
        } catch (JacksonException e) {
            return Optional.empty();
        }
    }

    private static String shortened(String name) {
        return name.substring(0, Math.min(LONGEST_NAME, name.length()));
    }

    /// `i`: the work's key and the target, then the steps of the schedule; `r`: seconds, error, cost.
    private static Optional<TvmRecord> ansor(JsonNode root) {
        JsonNode task = root.path("i").path(0);
        JsonNode result = root.path("r");
        if (!task.path(0).isString() || !result.isArray() || result.size() < 3) {
            return Optional.empty();
        }
        var knobs = new LinkedHashMap<String, String>();
        var steps = new StringBuilder();
        int place = 0;
        for (JsonNode s : root.path("i").path(1).path(1)) {
            String kind = s.path(0).asString("");
            if (kind.equals("SP")) {
                knobs.put(
                        "split" + place + "_stage" + s.path(1).asInt(0) + "_axis"
                                + s.path(2).asInt(0),
                        product(s.path(4)));
                steps.append("SP")
                        .append(s.path(1))
                        .append(s.path(2))
                        .append(s.path(3))
                        .append(s.path(4).size());
            } else if (kind.equals("PR") && s.path(3).asString("").contains("$")) {
                String[] pragma = s.path(3).asString("").split("\\$", 2);
                knobs.put(pragma[0] + place, pragma[1]);
                steps.append("PR").append(s.path(1)).append(s.path(2)).append(pragma[0]);
            } else {
                steps.append(s);
            }
            place++;
        }
        String key = task.path(0).asString("").replaceAll("[\\[\\]\"]", "").replaceAll("\\s*,\\s*", ", ");
        return Optional.of(new TvmRecord(
                shortened(key),
                HistoryTasks.ofTarget(task.path(1).asString("")),
                steps.toString(),
                knobs,
                result.path(1).asInt(1) == 0 ? mean(result.path(0)) : 0,
                Math.max(0, result.path(2).asDouble(0))));
    }

    /// The trace (instructions, then decisions by the number of their instruction), seconds, target, and the types of
    /// the arguments.
    private static Optional<TvmRecord> metaSchedule(JsonNode record) {
        JsonNode instructions = record.path(0).path(0);
        JsonNode seconds = record.path(1);
        if (!instructions.isArray() || !seconds.isArray()) {
            return Optional.empty();
        }
        var knobs = new LinkedHashMap<String, String>();
        for (JsonNode d : record.path(0).path(1)) {
            JsonNode instruction = instructions.path(d.path(0).asInt(-1));
            String name = instruction.path(0).asString("").replaceFirst("^Sample", "");
            JsonNode candidates = instruction.path(2).path(0);
            JsonNode chosen = d.path(1);
            knobs.put(
                    name + d.path(0).asInt(0),
                    chosen.isArray()
                            ? product(chosen)
                            : name.equals("Categorical") && candidates.has(chosen.asInt(-1))
                                    ? candidates.path(chosen.asInt()).asString("")
                                    : chosen.asString(""));
        }
        var blocks = new LinkedHashSet<String>();
        instructions
                .valueStream()
                .filter(i -> i.path(0).asString("").matches("Get(S)?Block"))
                .forEach(i -> blocks.add(i.path(2).path(0).asString("")));
        blocks.remove("root");
        String arguments = record.path(3)
                .valueStream()
                .map(a -> a.path(2).valueStream().map(JsonNode::asString).collect(Collectors.joining("x")) + " "
                        + a.path(1).asString(""))
                .collect(Collectors.joining(", "));
        return Optional.of(new TvmRecord(
                shortened(String.join(" ", blocks) + " (" + arguments + ")"),
                device(record.path(2)),
                instructions.toString(),
                knobs,
                mean(seconds),
                0));
    }

    private static String device(JsonNode target) {
        if (target.isString()) {
            return HistoryTasks.ofTarget(target.asString());
        }
        String tag = target.path("tag").asString("").replaceFirst("^.*/", "").replaceFirst("^nvidia-", "");
        return Stream.of(
                        tag,
                        target.path("model").asString(""),
                        target.path("arch").asString(""))
                .filter(n -> !n.isEmpty() && !n.equals("unknown"))
                .findFirst()
                .map(HistoryTasks::device)
                .orElse(target.path("kind").asString("unknown"));
    }

    private static String product(JsonNode factors) {
        return factors.valueStream().map(JsonNode::asString).collect(Collectors.joining("x"));
    }

    /// Mean of times in seconds; 0 where one says that it did not run.
    private static double mean(JsonNode times) {
        double most = times.valueStream()
                .map(JsonNode::asDouble)
                .max(Comparator.naturalOrder())
                .orElse(NEVER);
        double mean =
                times.valueStream().mapToDouble(JsonNode::asDouble).average().orElse(0);
        return most >= NEVER || !(mean > 0) ? 0 : mean;
    }
}
