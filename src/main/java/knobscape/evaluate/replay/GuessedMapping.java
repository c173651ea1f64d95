package knobscape.evaluate.replay;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import knobscape.evaluate.StatusWords;

/// Mappings of tables whose columns say themselves what they are, so that nobody has to write one: the tables of
/// designs that this program exports, the tables of trials of Optuna, and tables (of HiPlot, Weights & Biases, or of
/// one's own) in which a column is called by what is measured.
final class GuessedMapping {
    private static final String OUTCOME = " outcome";
    private static final Pattern METRIC = Pattern.compile("(.+?)(?: \\[([^\\]]*)\\])?");
    /// The time of a stage, as it is called now and was called before.
    private static final Set<String> STAGE_TIMES = Set.of("measured time", "simulated time", "tool time");

    /// Metrics that are objectives where a table has them, by their whole names.
    private static final List<String> OBJECTIVES =
            List.of("power", "delay", "lut", "gflops", "speedup", "latency", "memory", "time");
    /// Of each of these a metric with one of the words is an objective too, where none of it is one by its whole name.
    private static final List<Set<String>> FAMILIES = List.of(
            Set.of("power"),
            Set.of("delay", "latency", "time", "runtime", "duration", "cycles"),
            Set.of("lut", "luts", "area"),
            Set.of("gflops", "speedup", "throughput"),
            Set.of("memory"));
    private static final int MAX_OBJECTIVES = 3;
    private static final Set<String> LARGER_IS_BETTER = Set.of(
            "gflops",
            "speedup",
            "rate",
            "accuracy",
            "acc",
            "throughput",
            "score",
            "f1",
            "auc",
            "reward",
            "fps",
            "frequency");
    /// A column with one of these words is a metric.
    private static final Set<String> MEASURED = Set.of(
            "accuracy",
            "acc",
            "area",
            "auc",
            "bram",
            "cost",
            "cycles",
            "delay",
            "dsp",
            "duration",
            "energy",
            "err",
            "error",
            "f1",
            "ff",
            "fps",
            "frequency",
            "gflops",
            "latency",
            "loss",
            "lut",
            "luts",
            "mae",
            "memory",
            "mse",
            "objective",
            "power",
            "reward",
            "rmse",
            "runtime",
            "score",
            "speedup",
            "throughput",
            "time",
            "value");
    /// Columns that name a row, or say when and where it came about.
    private static final Pattern ABOUT = Pattern.compile(
            "(?i)|_.*|unnamed.*|uid|from_uid|id|index|number|trial|name|state|status|notes|user|tags|created|updated|"
                    + "runs|repeats|repetitions|sweep|hostname|group|job_?type|commit|seed|.*timestamp.*|datetime.*|date");
    private static final String WANDB_RUNTIME = "Runtime";
    /// A column that tells how much there is in a second, which is measured and the better the larger.
    private static final Pattern RATE = Pattern.compile(
            "(?i).*([kmgt]?i?b|[kmgt]?(fl)?ops?|images|img|samples|tokens|items)(/s|_per_s|ps)(ec)?\\b.*");
    /// A column of times by its unit.
    private static final Pattern TIMES = Pattern.compile("(?i).+[_ (\\[](ns|us|ms)[)\\]]?");
    /// A column that tells how long it took to come to a result, which is no property of the result.
    private static final Pattern SPENT = Pattern.compile(
            "(?i)(compile|compilation|build|bench|benchmark|wall|elapsed|tuning)([_ ]?time)?[_ (\\[]+(ns|us|ms|s|sec|seconds|min|minutes|h|hours)[)\\]]?");

    private GuessedMapping() {}

    /// The cells of a table, as far as a guess asks for them.
    private record Cells(
            Predicate<String> numeric, Predicate<String> gaps, Predicate<String> empty, Set<String> beside) {}

    /// The mapping of a table with these columns; empty where they do not say what they are.
    static Optional<ReplayMapping.Text> of(List<String> header) {
        Set<String> beside = header.stream()
                .filter(c -> StatusWords.meaning(c)
                        .filter(m -> m != StatusWords.Meaning.BAD_IF_TRUE)
                        .isPresent())
                .collect(Collectors.toSet());
        return of(header, new Cells(c -> true, c -> false, c -> false, beside));
    }

    /// The same of a table, where a column is a metric only if its cells are numbers: most of them, for a row that has
    /// none says with a word why.
    static Optional<ReplayMapping.Text> of(CsvTable table) {
        List<Integer> rows = IntStream.range(0, table.rowCount()).boxed().toList();
        return of(
                table.header(),
                new Cells(
                        c -> isMostlyNumbers(texts(table, rows, c).filter(t -> !CsvTable.isMissing(t))),
                        c -> texts(table, rows, c).anyMatch(String::isBlank),
                        c -> texts(table, rows, c).allMatch(CsvTable::isMissing),
                        beside(table, rows)));
    }

    private static boolean isMostlyNumbers(Stream<String> texts) {
        return texts.mapToInt(t -> Double.isNaN(CsvTable.number(t)) ? -1 : 1).sum() >= 0;
    }

    private static Stream<String> texts(CsvTable table, List<Integer> rows, String column) {
        int c = table.column(column).orElseThrow();
        return rows.stream().map(r -> table.cell(r, c));
    }

    /// Columns about whether a row has a result.
    private static Set<String> beside(CsvTable table, List<Integer> rows) {
        StatusColumns statuses = StatusColumns.of(table, rows, Set.of(), List.of());
        Set<String> all = new HashSet<>(statuses.names());
        statuses.explaining().forEach(all::add);
        return all;
    }

    private static Optional<ReplayMapping.Text> of(List<String> header, Cells cells) {
        return own(header, cells)
                .or(() -> optuna(header))
                .or(() -> named(header, cells))
                .map(yaml -> ReplayMapping.text("the columns of the table", yaml));
    }

    /// `number,design,front,KNOBS...,hls outcome,hls power [W],...,hls simulated time [s],hls source,syn outcome,...`,
    /// and
    /// `note` where a person wrote some.
    private static Optional<String> own(List<String> header, Cells cells) {
        int first = header.stream().map(c -> c.endsWith(OUTCOME)).toList().indexOf(true);
        if (first < 3 || !header.subList(0, 3).equals(List.of("number", "design", "front"))) {
            return Optional.empty();
        }
        var units = new LinkedHashMap<String, String>();
        var stages = new LinkedHashMap<String, Map<String, String>>();
        var times = new LinkedHashMap<String, String>();
        for (String column : header.subList(first, header.size())) {
            if (column.equals("note")) {
                continue;
            }
            if (column.endsWith(OUTCOME)) {
                stages.put(column.substring(0, column.length() - OUTCOME.length()), new LinkedHashMap<>());
                continue;
            }
            String stage = List.copyOf(stages.keySet()).getLast();
            Matcher m = METRIC.matcher(column.startsWith(stage + " ") ? column.substring(stage.length() + 1) : column);
            if (m.matches() && STAGE_TIMES.contains(m.group(1))) {
                times.put(stage, column);
            } else if (m.matches() && !m.group(1).equals("source") && !cells.empty.test(column)) {
                units.putIfAbsent(m.group(1), m.group(2) == null ? "" : m.group(2));
                stages.computeIfPresent(stage, (s, metrics) -> {
                    metrics.put(m.group(1), column);
                    return metrics;
                });
            }
        }
        var fidelities = new ArrayList<String>();
        stages.values().removeIf(Map::isEmpty);
        stages.forEach((stage, metrics) ->
                fidelities.add(stage(stage, times.getOrDefault(stage, stage + " tool time [s]"), metrics)));
        return units.isEmpty()
                ? Optional.empty()
                : Optional.of(yaml("Designs exported by Knobscape.", header.subList(3, first), "", units, fidelities));
    }

    /// The column of the outcome says by itself whether the stage has refused the design.
    private static String stage(String stage, String time, Map<String, String> columns) {
        return "  - name: " + quoted(stage) + "\n    seconds: " + quoted("first(`" + time + "`, 0)")
                + "\n    metrics: {"
                + columns.entrySet().stream()
                        .map(e -> quoted(e.getKey()) + ": " + quoted("`" + e.getValue() + "`"))
                        .collect(Collectors.joining(", "))
                + "}\n";
    }

    /// `number,value,...,params_x,...,state`: finished trials count; the table does not say which way is better.
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
        String stage = "  - name: trial\n"
                + (header.contains("duration") ? "    seconds: " + quoted("first(`duration`, 0)") + "\n" : "")
                + "    metrics: {"
                + values.stream()
                        .map(v -> quoted(v) + ": " + quoted("`" + v + "`"))
                        .collect(Collectors.joining(", "))
                + "}\n";
        return Optional.of(yaml(
                "Trials of Optuna. The table does not say which way is better; that is guessed from the names.",
                knobs,
                "where: {state: [COMPLETE]}\n",
                units,
                List.of(stage)));
    }

    /// Columns with a word for something measured, and times and rates by their units, are metrics if they
    /// hold numbers, the others knobs (`loss` may name a function), but for words in some rows only, which
    /// say what went wrong. Rows of Weights & Biases count where the run has finished. What it took to come
    /// to a result is what the answer costs.
    private static Optional<String> named(List<String> header, Cells cells) {
        boolean runs = header.containsAll(List.of("Name", "State", WANDB_RUNTIME));
        List<String> told = header.stream()
                .filter(c -> !ABOUT.matcher(c).matches() && !cells.beside.contains(c) && !cells.empty.test(c))
                .distinct()
                .toList();
        List<String> spent = told.stream()
                .filter(c -> (SPENT.matcher(c).matches() || (runs && c.equals(WANDB_RUNTIME))) && cells.numeric.test(c))
                .filter(c -> told.stream().anyMatch(o -> !SPENT.matcher(o).matches() && isMeasured(o)))
                .toList();
        List<String> telling = told.stream().filter(c -> !spent.contains(c)).toList();
        List<String> measured =
                telling.stream().filter(GuessedMapping::isMeasured).toList();
        List<String> metrics = measured.stream().filter(cells.numeric).toList();
        List<String> knobs = telling.stream()
                .filter(c -> !metrics.contains(c) && !(measured.contains(c) && cells.gaps.test(c)))
                .toList();
        if (metrics.isEmpty() || knobs.isEmpty()) {
            return Optional.empty();
        }
        var units = new LinkedHashMap<String, String>();
        metrics.forEach(m -> units.put(m, ""));
        return Optional.of(yaml(
                // A run on the table knows the mapping by its text; words that changed would end what is stored.
                "Roles of the columns are guessed from their names: metrics "
                        + String.join(", ", metrics) + "; the others are knobs. Those that are larger when better: "
                        + metrics.stream()
                                .filter(GuessedMapping::isLargerBetter)
                                .collect(Collectors.joining(", ")),
                knobs,
                runs ? "where: {State: [finished]}\n" : "",
                units,
                List.of("  - name: measured\n"
                        + (spent.isEmpty() ? "" : "    seconds: " + quoted(seconds(spent)) + "\n")
                        + "    metrics: {"
                        + metrics.stream()
                                .map(m -> quoted(m) + ": " + quoted("`" + m + "`"))
                                .collect(Collectors.joining(", "))
                        + "}\n")));
    }

    /// Where no name says what was measured: the last column that holds only numbers, as results stand last in most
    /// tables. Empty where there is none, or nothing besides.
    static Optional<ReplayMapping.Text> byLastColumn(CsvTable table) {
        List<Integer> rows = IntStream.range(0, table.rowCount()).boxed().toList();
        Set<String> beside = beside(table, rows);
        List<String> telling = table.header().stream()
                .filter(c -> !ABOUT.matcher(c).matches() && !beside.contains(c))
                .toList();
        return telling.reversed().stream()
                .filter(c -> ColumnRoles.isNumeric(table, table.column(c).orElseThrow(), rows))
                .findFirst()
                .filter(c -> telling.size() > 1)
                .map(last -> ReplayMapping.text(
                        "the columns of the table",
                        yaml(
                                "No column is called by what is measured: the last one with numbers, " + last
                                        + ", is taken for the objective.",
                                telling.stream().filter(c -> !c.equals(last)).toList(),
                                "",
                                new LinkedHashMap<>(Map.of(last, "")),
                                List.of("  - name: measured\n    metrics: {" + quoted(last) + ": "
                                        + quoted("`" + last + "`") + "}\n"))));
    }

    private static boolean isMeasured(String column) {
        return isOf(MEASURED, column)
                || RATE.matcher(column).matches()
                || TIMES.matcher(column).matches();
    }

    private static String seconds(List<String> spent) {
        return spent.stream()
                .map(c -> {
                    Matcher unit = SPENT.matcher(c);
                    String factor = switch (unit.matches() ? unit.group(3).toLowerCase(Locale.ROOT) : "s") {
                        case "ns" -> " * 1e-9";
                        case "us" -> " * 1e-6";
                        case "ms" -> " / 1000";
                        case "min", "minutes" -> " * 60";
                        case "h", "hours" -> " * 3600";
                        default -> "";
                    };
                    return "first(`" + c + "`, 0)" + factor;
                })
                .collect(Collectors.joining(" + "));
    }

    private static boolean isLargerBetter(String metric) {
        return isOf(LARGER_IS_BETTER, metric) || RATE.matcher(metric).matches();
    }

    private static String yaml(
            String description, List<String> knobs, String where, Map<String, String> units, List<String> fidelities) {
        // With one objective there is no front, so that a second one is taken where the table has any.
        List<String> named = namedObjectives(units.keySet());
        // Times known by their unit alone (least, deviation) stand beside the one that is called so.
        List<String> called = units.keySet().stream()
                .filter(m -> isOf(MEASURED, m)
                        || RATE.matcher(m).matches()
                        || !TIMES.matcher(m).matches())
                .toList();
        List<String> objectives = Stream.concat(
                        named.stream(),
                        (called.isEmpty() ? List.copyOf(units.keySet()) : called)
                                .stream().filter(m -> !named.contains(m)))
                .limit(named.isEmpty() ? MAX_OBJECTIVES : Math.clamp(named.size(), 2, MAX_OBJECTIVES))
                .toList();
        return "replay: 1\nname: table\ndescription: " + quoted(description) + "\n" + where + "knobs:\n  columns: ["
                + knobs.stream().map(GuessedMapping::quoted).collect(Collectors.joining(", ")) + "]\nmetrics:\n"
                + units.entrySet().stream()
                        .map(e -> "  " + quoted(e.getKey()) + ": {label: " + quoted(label(e.getKey())) + ", unit: "
                                + quoted(e.getValue()) + ", direction: "
                                + (!objectives.contains(e.getKey())
                                        ? "neutral"
                                        : isLargerBetter(e.getKey()) ? "maximise" : "minimise")
                                + "}\n")
                        .collect(Collectors.joining())
                + "fidelities:\n" + String.join("", fidelities) + "objectives: ["
                + objectives.stream().map(GuessedMapping::quoted).collect(Collectors.joining(", ")) + "]\n";
    }

    private static List<String> namedObjectives(Set<String> metrics) {
        List<String> whole = OBJECTIVES.stream().filter(metrics::contains).toList();
        var named = new ArrayList<>(whole);
        for (Set<String> family : FAMILIES) {
            if (named.stream().noneMatch(m -> isOf(family, m))) {
                metrics.stream().filter(m -> isOf(family, m)).findFirst().ifPresent(named::add);
            }
        }
        return whole.isEmpty() && named.size() < 2 ? List.of() : named;
    }

    private static boolean isOf(Set<String> family, String metric) {
        return StatusWords.words(metric).stream().anyMatch(family::contains);
    }

    private static String label(String metric) {
        return Set.of("lut", "ff", "dsp", "bram", "gflops").contains(metric)
                ? metric.toUpperCase(Locale.ROOT)
                : Character.toUpperCase(metric.charAt(0)) + metric.substring(1);
    }

    private static String quoted(String text) {
        return "\"" + text.replace("\\", "\\\\").replace("\"", "\\\"") + "\"";
    }
}
