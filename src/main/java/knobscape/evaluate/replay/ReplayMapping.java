package knobscape.evaluate.replay;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import knobscape.evaluate.InputFile;
import knobscape.evaluate.Metric;
import knobscape.evaluate.Units;
import knobscape.evaluate.UserError;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.exc.StreamConstraintsException;
import tools.jackson.databind.DatabindException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.exc.UnrecognizedPropertyException;
import tools.jackson.dataformat.yaml.YAMLFactory;
import tools.jackson.dataformat.yaml.YAMLMapper;
import tools.jackson.dataformat.yaml.YAMLWriteFeature;

/// How the columns of a file of measured designs map to knobs, fidelities, metrics and costs; a small YAML
/// file.
///
/// @param replay format version, 1
/// @param name name of the set
/// @param description one sentence
/// @param rows where the rows are; its keys stand beside the others
/// @param knobs which columns are knobs
/// @param metrics metric name to its words, unit, limit and direction
/// @param fidelities stages, lowest first
/// @param seconds file stem to fidelity to its own tool time in seconds, for files whose times are known better
/// @param objectives metric names; `delay | clock` takes the first that any row has at the top fidelity
record ReplayMapping(
        int replay,
        String name,
        @JsonProperty(defaultValue = "") String description,
        @JsonUnwrapped Rows rows,
        Knobs knobs,
        LinkedHashMap<String, MetricEntry> metrics,
        List<Stage> fidelities,
        Map<String, Map<String, Double>> seconds,
        List<String> objectives) {

    /// The rows that a mapping is for.
    ///
    /// @param data data file, relative to the mapping; optional where the mapping was found beside the data
    /// @param recognise columns by which a bundled mapping is chosen for a file without one of its own
    /// @param where column to accepted texts; other rows are left out
    record Rows(@Nullable String data, List<String> recognise, Map<String, List<String>> where) {
        /// Every row of the file that a mapping lies beside.
        static final Rows ALL = new Rows(null, List.of(), Map.of());

        Rows {
            recognise = orEmpty(recognise);
            where = where == null ? Map.of() : where;
        }
    }

    /// Columns that are knobs.
    ///
    /// @param columns names or patterns with `*`
    /// @param exclude names or patterns taken out again
    /// @param categories names or patterns of columns that are categories although all their texts are numbers
    /// @param scales `log` or `linear` by column, for ranges of real numbers; of others it is guessed
    record Knobs(List<String> columns, List<String> exclude, List<String> categories, Map<String, String> scales) {
        Knobs {
            columns = orEmpty(columns);
            exclude = orEmpty(exclude);
            categories = orEmpty(categories);
            scales = scales == null ? Map.of() : scales;
            scales.values().stream()
                    .filter(s -> !List.of("log", "linear").contains(s))
                    .findFirst()
                    .ifPresent(s -> {
                        throw new IllegalArgumentException("scales: write log or linear, not '" + s + "'");
                    });
        }
    }

    /// Words for a metric; a unit that is only in its label (`Time (ms)`, `time_ms`) is its unit.
    record MetricEntry(
            String label,
            String unit,
            @Nullable Double limit,
            @Nullable String direction) {
        Metric toMetric(String name) {
            var way = switch (direction == null ? "minimise" : direction) {
                case "minimise" -> Metric.Direction.MINIMISE;
                case "maximise" -> Metric.Direction.MAXIMISE;
                case "neutral" -> Metric.Direction.NEUTRAL;
                default ->
                    throw new IllegalArgumentException("metric '" + name
                            + "': direction must be minimise, maximise or neutral, was '" + direction + "'");
            };
            return Units.unitFromLabel(new Metric(
                    name,
                    label == null ? name : label,
                    unit == null ? "" : unit,
                    way,
                    limit == null ? Double.NaN : limit));
        }
    }

    /// One fidelity.
    ///
    /// @param name its name
    /// @param seconds formula (or number) of the stage's own tool time
    /// @param valid formula that is not 0 where the design is valid; always valid where absent
    /// @param metrics metric name to formula
    record Stage(
            String name, @Nullable String seconds, @Nullable String valid, LinkedHashMap<String, String> metrics) {}

    ReplayMapping {
        rows = rows == null ? Rows.ALL : rows;
        name = name == null ? "measured" : name;
        seconds = seconds == null ? Map.of() : seconds;
        metrics = metrics == null ? new LinkedHashMap<>() : metrics;
        fidelities = orEmpty(fidelities);
        objectives = orEmpty(objectives);
        description = description == null ? "" : description;
    }

    private static <T> List<T> orEmpty(List<T> list) {
        return list == null ? List.of() : list.stream().filter(Objects::nonNull).toList();
    }

    /// Refuses what YAML allows and a mapping cannot mean: entries without a value, stages of one name.
    private void check(String file) {
        var names = new HashSet<String>();
        for (Stage s : fidelities) {
            if (s.name == null || s.name.isBlank()) {
                throw new UserError(file + ":1: every fidelity needs a name.");
            }
            if (!names.add(s.name)) {
                throw new UserError(file + ":1: two fidelities are named '" + s.name + "'; rename one.");
            }
            if (s.metrics == null
                    || s.metrics.isEmpty()
                    || s.metrics.values().stream().anyMatch(Objects::isNull)) {
                throw new UserError(
                        file + ":1: fidelity '" + s.name + "' needs a formula for each of its metrics, at least one.");
            }
        }
        metrics.replaceAll((name, entry) -> entry == null ? new MetricEntry(name, "", null, null) : entry);
        rows.where.forEach((column, accepted) -> {
            if (accepted == null || accepted.isEmpty()) {
                throw new UserError(file + ":1: 'where: " + column + "' needs a list of accepted texts.");
            }
        });
        if (seconds.values().stream().anyMatch(Objects::isNull)) {
            throw new UserError(file + ":1: every entry of 'seconds' needs the seconds of its fidelities.");
        }
    }

    /// A mapping with its text, so that what is wrong in it can be told with its line.
    ///
    /// @param name file, or words for a bundled one
    /// @param text as it stands in the file
    /// @param mapping what it says
    record Text(String name, String text, ReplayMapping mapping) {
        /// A mapping that was put together by the program.
        static Text of(String name, ReplayMapping mapping) {
            return new Text(
                    name,
                    YAMLMapper.builder(YAMLFactory.builder()
                                    .disable(YAMLWriteFeature.WRITE_DOC_START_MARKER)
                                    .build())
                            .changeDefaultPropertyInclusion(i -> i.withValueInclusion(JsonInclude.Include.NON_EMPTY))
                            .build()
                            .writeValueAsString(mapping),
                    mapping);
        }

        /// An error about the first place where `word` stands: `file:line: message`.
        UserError wrong(String word, String message) {
            int line = 1
                    + (int) text.lines()
                            .takeWhile(l -> !l.contains(word) || l.strip().startsWith("#"))
                            .count();
            return new UserError(name + (line <= text.lines().count() ? ":" + line : "") + ": " + message);
        }
    }

    /// A mapping from a file; throws [UserError] naming file and line.
    static Text read(Path file) {
        try {
            InputFile.requireRegular(file);
            if (!Files.isRegularFile(file)) {
                throw new UserError(file + " does not exist; check the path of the mapping.");
            }
            String text = InputFile.text(file, 1 << 20);
            return new Text(file.toString(), text, parse(file.toString(), text));
        } catch (CharacterCodingException e) {
            throw new UserError(file + " is not a text file in UTF-8; a mapping of columns is YAML.", e);
        } catch (IOException e) {
            throw new UserError(file + " cannot be read: " + e.getMessage() + ".", e);
        }
    }

    /// A mapping from its text.
    static Text text(String name, String text) {
        return new Text(name, text, parse(name, text));
    }

    /// The mapping for a table without one of its own: a bundled one that knows its columns, else what the columns
    /// say themselves.
    static Optional<Text> known(List<String> header) {
        return bundledFor(header).or(() -> GuessedMapping.of(header));
    }

    /// The same of a table that was read, whose cells are asked too.
    static Optional<Text> known(CsvTable table) {
        return bundledFor(table.header()).or(() -> GuessedMapping.of(table));
    }

    /// The bundled mapping whose columns all stand in `header`, if any; that with the most columns of several.
    static Optional<Text> bundledFor(List<String> header) {
        return BundledFiles.texts("/knobscape/replay", "dahlia").entrySet().stream()
                .map(e -> new Text(
                        "the bundled mapping " + e.getKey(), e.getValue(), parse(e.getKey() + ".yaml", e.getValue())))
                .filter(t -> t.mapping.rows.recognise.stream()
                        .allMatch(c -> header.stream().anyMatch(h -> Patterns.matches(c, h))))
                .max(java.util.Comparator.comparingInt(t -> t.mapping.rows.recognise.size()));
    }

    /// Where it is wrong; an unknown key has no place of its own, so it is looked for.
    private static int line(JacksonException e, String text) {
        if (e.getLocation() != null && e.getLocation().getLineNr() > 0) {
            return e.getLocation().getLineNr();
        }
        String key = e instanceof UnrecognizedPropertyException u ? u.getPropertyName() + ":" : "";
        List<String> lines = text.lines().toList();
        return 1
                + java.util.stream.IntStream.range(0, lines.size())
                        .filter(i -> !key.isEmpty() && lines.get(i).contains(key))
                        .findFirst()
                        .orElse(0);
    }

    /// The problem, in words about the file rather than about this program's classes.
    private static String problem(JacksonException e) {
        String path = e instanceof DatabindException d
                ? d.getPath().stream()
                        .map(r -> r.getPropertyName() == null ? "" : r.getPropertyName())
                        .filter(n -> !n.isEmpty())
                        .collect(Collectors.joining(": "))
                : "";
        return switch (e) {
            case UnrecognizedPropertyException u ->
                "'" + path + "' is not a key of a mapping; known there: "
                        + u.getKnownPropertyIds().stream()
                                .map(String::valueOf)
                                .sorted()
                                .collect(Collectors.joining(", "));
            case StreamConstraintsException s ->
                "this nests deeper or holds a longer text or number than any mapping needs; check the brackets and the"
                        + " indentation";
            case DatabindException d ->
                "'" + (path.isEmpty() ? "the mapping" : path)
                        + "' is not written as a mapping expects (a text, a number, a list or keys with values)";
            default ->
                "this is not YAML, "
                        + e.getOriginalMessage()
                                .lines()
                                .findFirst()
                                .orElse("not understood")
                                .replaceAll("\\s*\\(.*", "");
        };
    }

    private static ReplayMapping parse(String file, String text) {
        var factory = YAMLFactory.builder()
                .streamReadConstraints(
                        StreamReadConstraints.builder().maxNestingDepth(20).build())
                .build();
        var mapper = YAMLMapper.builder(factory)
                .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
                .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
                .build();
        ReplayMapping m;
        try {
            m = mapper.readValue(text, ReplayMapping.class);
        } catch (JacksonException e) {
            throw new UserError(
                    file + ":" + line(e, text) + ": " + problem(e)
                            + "; src/docs/measured.md in the sources of the program describes the format.",
                    e);
        }
        if (m == null || m.replay != 1) {
            throw new UserError(file + ":1: 'replay: 1' is expected"
                    + (m == null ? "." : ", was " + m.replay + "; a newer program may have written it."));
        }
        if (m.knobs == null || m.fidelities.isEmpty() || m.objectives.isEmpty()) {
            throw new UserError(file + ":1: a mapping needs knobs, fidelities and objectives.");
        }
        m.check(file);
        return m;
    }
}
