package knobscape.evaluate.replay;

import static java.util.Objects.requireNonNull;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.DoubleSummaryStatistics;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import knobscape.evaluate.CancellationSignal;
import knobscape.evaluate.Evaluation;
import knobscape.evaluate.Evaluator;
import knobscape.evaluate.EvaluatorInfo;
import knobscape.evaluate.EvaluatorKind;
import knobscape.evaluate.Fidelity;
import knobscape.evaluate.Metric;
import knobscape.evaluate.Outcome;
import knobscape.evaluate.Provenance;
import knobscape.evaluate.Request;
import knobscape.evaluate.UserError;
import knobscape.space.Configuration;
import knobscape.space.Domain;
import knobscape.space.FiniteSpace;
import knobscape.space.Knob;
import knobscape.space.KnobSet;

/// A file of measured designs: the finite space of its rows and an evaluator that answers from them. Rows with
/// equal knobs are one design (the first row that reaches the highest stage counts). A metric whose cell is
/// empty is absent from the outcome. A design that stops below the highest stage for no reason given was not
/// measured there: it is counted, but not offered.
public final class ReplaySet {
    /// Rows that are named one by one.
    private static final int MOST_NAMED = 5;

    private final CsvTable table;
    private final Path file;
    private final ReplayMapping.Text mapping;
    private final Optional<Path> mappingFile;
    private final FiniteSpace space;
    private final EvaluatorInfo info;
    private final ReplayStages stages;
    private final Map<Configuration, Integer> rows;
    private final List<String> notes;
    private final ColumnRoles roles;

    private ReplaySet(
            CsvTable table,
            Path file,
            ReplayMapping.Text mapping,
            Optional<Path> mappingFile,
            FiniteSpace space,
            EvaluatorInfo info,
            ReplayStages stages,
            Map<Configuration, Integer> rows,
            List<String> notes,
            ColumnRoles roles) {
        this.roles = roles;
        this.table = table;
        this.file = file;
        this.mapping = mapping;
        this.mappingFile = mappingFile;
        this.space = space;
        this.info = info;
        this.stages = stages;
        this.rows = rows;
        this.notes = List.copyOf(notes);
    }

    /// True if a file is one of measured designs by its name: a CSV file, packed or not, a storage of Optuna, a cache
    /// of Kernel Tuner, or a mapping.
    public static boolean isNamed(String fileName) {
        return fileName.toLowerCase(Locale.ROOT).matches(".*\\.((csv|json)(\\.gz)?|yaml|yml|db|sqlite3?)");
    }

    /// True if a file looks like measured designs: a CSV file with a mapping beside it or columns that a
    /// bundled one knows or that say themselves what they are, a storage of Optuna, a cache of Kernel Tuner, or a
    /// mapping. Reads no more than its beginning.
    public static boolean recognises(Path file) {
        String name = String.valueOf(file.getFileName());
        if (!isNamed(name) || !Files.isRegularFile(file)) {
            return false;
        }
        try {
            String ending = name.toLowerCase(Locale.ROOT);
            if (ending.matches(".*\\.ya?ml")) {
                return ReplayMapping.read(file).mapping().replay() == 1;
            }
            if (!ending.matches(".*\\.csv(\\.gz)?")) {
                return ResultFile.recognises(file);
            }
            return beside(file).isPresent()
                    || ReplayMapping.known(CsvTable.readHeader(file)).isPresent();
        } catch (UserError e) {
            return false;
        }
    }

    private static Optional<Path> beside(Path file) {
        return Stream.of(stem(file) + ".yaml", stem(file) + ".replay.yaml", "replay.yaml")
                .map(file::resolveSibling)
                .filter(Files::isRegularFile)
                .findFirst();
    }

    /// Opens measured designs. `file` is the table (a mapping is looked for as `<stem>.yaml`, `<stem>.replay.yaml`,
    /// `replay.yaml` beside it, then in the file itself, then among the bundled ones, then in the names of the
    /// columns) or the mapping itself. Throws [UserError] with file and line.
    public static ReplaySet open(Path file) {
        return open(file, Optional.empty());
    }

    /// Opens measured designs with a mapping of one's own in place of the one found.
    ///
    /// @param file the CSV, or a mapping that names it
    /// @param ownMapping mapping of the columns of the CSV
    public static ReplaySet open(Path file, Optional<Path> ownMapping) {
        String fileName = file.getFileName() == null ? "" : file.getFileName().toString();
        if (fileName.endsWith(".yaml") || fileName.endsWith(".yml")) {
            if (ownMapping.isPresent()) {
                throw new UserError(file
                        + " is a mapping already; name the CSV file with another mapping, or leave the other"
                        + " mapping out.");
            }
            var text = ReplayMapping.read(file);
            if (text.mapping().rows().data() == null) {
                throw new UserError(file + ":1: 'data' must name the CSV file that this mapping is for.");
            }
            Path data = file.resolveSibling(text.mapping().rows().data());
            return build(ResultFile.read(data), data, text, Optional.of(file));
        }
        ResultFile data = ResultFile.read(file);
        Optional<Path> beside = ownMapping.or(() -> beside(file));
        return build(
                data,
                file,
                beside.map(ReplayMapping::read)
                        .or(() -> data.readings().stream().findFirst().map(ResultFile.Reading::mapping))
                        .or(() -> ReplayMapping.known(data.table()))
                        .or(() -> GuessedMapping.byLastColumn(data.table()))
                        .orElseThrow(() -> new UserError(file + " has no mapping: put " + stem(file)
                                + ".yaml beside it or name a mapping, which says which columns are"
                                + " knobs, fidelities and objectives.")),
                beside);
    }

    private static String stem(Path file) {
        return file.getFileName().toString().replaceFirst(ResultFile.ENDING, "");
    }

    private static ReplaySet build(ResultFile data, Path file, ReplayMapping.Text source, Optional<Path> mappingFile) {
        CsvTable table = data.table();
        ReplayMapping mapping = source.mapping();
        var rows = acceptedRows(table, source);
        List<String> knobColumns = ColumnRoles.knobs(table, mapping);
        if (knobColumns.isEmpty()) {
            throw source.wrong("columns:", "no column of " + table.file() + " is a knob; check 'knobs: columns'.");
        }
        var knobs = knobs(table, rows, knobColumns, mapping);
        List<Metric> metrics = metrics(source);
        var reader = new ReplayStages(table, source, stem(file), rows, metrics);
        // A row's evaluations are read when they are asked for: a million of them would fill the memory.
        var rowOf = new LinkedHashMap<Configuration, Integer>();
        int conflicts = 0;
        Map<Integer, String> doubtful = doubtful(reader, table, rows, knobs, knobColumns);
        for (int row : rows) {
            if (doubtful.containsKey(row)) {
                continue;
            }
            Configuration configuration = configuration(table, row, knobs, knobColumns);
            List<Evaluation> evaluations = reader.read(row, configuration);
            Integer earlier = rowOf.get(configuration);
            List<Evaluation> before = earlier == null ? List.of() : reader.read(earlier, configuration);
            if (earlier == null || evaluations.size() > before.size() || isCured(before, evaluations)) {
                rowOf.put(configuration, row);
            } else if (before.size() == evaluations.size() && !sameOutcomes(before, evaluations)) {
                conflicts++;
            }
        }
        var offered = new ArrayList<Configuration>();
        rowOf.forEach((c, row) -> {
            if (reader.isComplete(reader.read(row, c))) {
                offered.add(c);
            }
        });
        String top = reader.fidelities().getLast().name();
        if (offered.isEmpty()) {
            throw new UserError(table.file() + " has no design that was measured at " + top
                    + (doubtful.isEmpty() ? "" : ": " + doubts(table, doubtful))
                    + "; check the formulas of that fidelity in " + source.name() + ".");
        }
        var notes = new ArrayList<String>();
        if (!doubtful.isEmpty()) {
            notes.add(doubtful.size()
                    + (doubtful.size() == 1 ? " row is no result and is" : " rows are no results and are")
                    + " left out: " + doubts(table, doubtful) + ".");
        }
        if (conflicts > 0) {
            notes.add(conflicts + (conflicts == 1 ? " row repeats" : " rows repeat")
                    + " the knobs of an earlier row with other results; the first row counts.");
        }
        int left = rowOf.size() - offered.size();
        if (left > 0) {
            boolean one = left == 1;
            String missing = reader.fidelities().size() == 1
                    ? (one ? " has no figure" : " have no figure")
                    : (one ? " was" : " were") + " not measured up to " + top;
            notes.add(
                    left + (one ? " design" : " designs") + missing + " and " + (one ? "is" : "are") + " not offered.");
        }
        return new ReplaySet(
                table,
                file,
                source,
                mappingFile,
                new FiniteSpace(knobs, offered),
                info(table, source, metrics, reader, rowOf, offered),
                reader,
                rowOf,
                notes,
                ColumnRoles.of(data, source.mapping(), rows, reader.statuses()));
    }

    /// True if a later row has a result where the one before has none.
    private static boolean isCured(List<Evaluation> before, List<Evaluation> now) {
        return before.size() == now.size()
                && !now.isEmpty()
                && now.getLast().isMeasured()
                && !before.getLast().isMeasured();
    }

    /// Rows that are no results, with the reason.
    private static Map<Integer, String> doubtful(
            ReplayStages reader, CsvTable table, List<Integer> rows, KnobSet knobs, List<String> columns) {
        var all = new LinkedHashMap<Integer, String>();
        for (int pass = 0; pass < 2; pass++) {
            all.clear();
            rows.forEach(row -> reader.doubt(row, reader.read(row, configuration(table, row, knobs, columns)))
                    .ifPresent(why -> all.put(row, why)));
            if (all.isEmpty()) {
                break;
            }
            reader.fit(rows);
        }
        return all;
    }

    private static String doubts(CsvTable table, Map<Integer, String> doubtful) {
        return doubtful.entrySet().stream()
                        .limit(MOST_NAMED)
                        .map(e -> "line " + table.line(e.getKey()) + " (" + e.getValue() + ")")
                        .collect(Collectors.joining(", "))
                + (doubtful.size() > MOST_NAMED ? " and others" : "");
    }

    private static boolean sameOutcomes(List<Evaluation> a, List<Evaluation> b) {
        for (int i = 0; i < a.size(); i++) {
            if (!a.get(i).outcome().equals(b.get(i).outcome())) {
                return false;
            }
        }
        return true;
    }

    private static List<Integer> acceptedRows(CsvTable table, ReplayMapping.Text source) {
        var rows = new ArrayList<Integer>();
        for (int r = 0; r < table.rowCount(); r++) {
            boolean accepted = true;
            for (var condition : source.mapping().rows().where().entrySet()) {
                int column = table.column(condition.getKey())
                        .orElseThrow(() -> source.wrong(
                                condition.getKey(),
                                "'where' names the column '" + condition.getKey() + "', which " + table.file()
                                        + " does not have."));
                accepted &= condition.getValue().contains(table.cell(r, column));
            }
            if (accepted) {
                rows.add(r);
            }
        }
        if (rows.isEmpty()) {
            throw source.wrong("where:", table.file() + " has no row that this mapping accepts; check 'where'.");
        }
        return rows;
    }

    private static KnobSet knobs(CsvTable table, List<Integer> rows, List<String> columns, ReplayMapping mapping) {
        var knobs = new ArrayList<Knob>();
        for (String column : columns) {
            int c = table.column(column).orElseThrow();
            Set<String> texts = new LinkedHashSet<>();
            rows.forEach(r -> texts.add(table.cell(r, c)));
            knobs.add(new Knob(
                    column.replace(';', ' ').replace('=', ' '),
                    domain(texts, Patterns.any(mapping.knobs().categories(), column), scale(mapping, column))));
        }
        try {
            return new KnobSet(knobs);
        } catch (IllegalArgumentException e) {
            throw new UserError(table.file() + ":1: " + e.getMessage() + "; rename one of the columns.", e);
        }
    }

    /// How a range is spaced where the mapping says it.
    private static Optional<String> scale(ReplayMapping mapping, String column) {
        return mapping.knobs().scales().entrySet().stream()
                .filter(e -> Patterns.any(List.of(e.getKey()), column))
                .map(Map.Entry::getValue)
                .findFirst();
    }

    private static Domain domain(Set<String> texts, boolean category, Optional<String> scale) {
        // Only as we would write it ourselves: "007" has a level only if it stays a text.
        if (!category && texts.stream().allMatch(t -> t.matches("0|-?[1-9]\\d{0,8}"))) {
            var values = new TreeSet<Integer>();
            texts.forEach(t -> values.add(Integer.parseInt(t)));
            if (values.size() == texts.size()) {
                return new Domain.Factors(List.copyOf(values));
            }
        }
        if (texts.equals(Set.of("on", "off"))) {
            return new Domain.Toggle();
        }
        if (!category && texts.stream().allMatch(t -> t.matches("[-+]?(\\d+\\.?\\d*|\\.\\d+)([eE][-+]?\\d{1,3})?"))) {
            var values = new TreeSet<Double>();
            texts.forEach(t -> values.add(CsvTable.number(t)));
            if (values.size() == texts.size() && values.stream().anyMatch(v -> v != Math.rint(v))) {
                List<Double> all = List.copyOf(values);
                return new Domain.Numbers(
                        all, all.getFirst() > 0 && scale.map("log"::equals).orElseGet(() -> isLogarithmic(all)));
            }
        }
        List<String> first = List.of("none", "off", "auto");
        return new Domain.Categories(texts.stream()
                .map(t -> t.isEmpty() ? "(empty)" : t)
                .sorted(Comparator.<String>comparingInt(t -> first.contains(t) ? first.indexOf(t) : first.size())
                        .thenComparingDouble(CsvTable::number)
                        .thenComparing(Comparator.naturalOrder()))
                .toList());
    }

    /// True if positive numbers lie more evenly by their ratios than by their differences.
    private static boolean isLogarithmic(List<Double> values) {
        return values.size() > 2 && unevenness(values.stream().map(Math::log).toList()) < unevenness(values);
    }

    /// The mean square of how far numbers are from being evenly spaced between the least and the largest.
    private static double unevenness(List<Double> values) {
        double least = values.getFirst();
        int last = values.size() - 1;
        return IntStream.range(0, values.size())
                .mapToDouble(i -> (values.get(i) - least) / (values.get(last) - least) - (double) i / last)
                .map(d -> d * d)
                .average()
                .orElse(0);
    }

    private static Configuration configuration(CsvTable table, int row, KnobSet knobs, List<String> columns) {
        int[] levels = new int[columns.size()];
        for (int i = 0; i < levels.length; i++) {
            String text = table.cell(row, table.column(columns.get(i)).orElseThrow());
            levels[i] = knobs.get(i).domain().levelOf(text.isEmpty() ? "(empty)" : text);
        }
        return Configuration.of(knobs, levels);
    }

    private static List<Metric> metrics(ReplayMapping.Text source) {
        ReplayMapping mapping = source.mapping();
        var names = new LinkedHashSet<String>(mapping.metrics().keySet());
        mapping.fidelities().forEach(s -> names.addAll(s.metrics().keySet()));
        var metrics = new ArrayList<Metric>();
        for (String n : names) {
            try {
                metrics.add(mapping.metrics()
                        .getOrDefault(n, new ReplayMapping.MetricEntry(n, "", null, null))
                        .toMetric(n));
            } catch (IllegalArgumentException e) {
                throw source.wrong(n + ":", e.getMessage() + ".");
            }
        }
        return List.copyOf(metrics);
    }

    private static EvaluatorInfo info(
            CsvTable table,
            ReplayMapping.Text source,
            List<Metric> metrics,
            ReplayStages stages,
            Map<Configuration, Integer> rowOf,
            List<Configuration> offered) {
        List<Fidelity> fidelities = stages.fidelities();
        ReplayMapping mapping = source.mapping();
        var reported = new HashMap<String, Set<String>>();
        var costs = new HashMap<String, DoubleSummaryStatistics>();
        for (Configuration c : offered) {
            for (Evaluation e : stages.read(requireNonNull(rowOf.get(c)), c)) {
                costs.computeIfAbsent(e.fidelity().name(), k -> new DoubleSummaryStatistics())
                        .accept(e.costSeconds());
                if (e.outcome() instanceof Outcome.Measured m) {
                    reported.computeIfAbsent(e.fidelity().name(), k -> new HashSet<>())
                            .addAll(m.values().keySet());
                }
            }
        }
        var top = reported.getOrDefault(fidelities.getLast().name(), Set.of());
        var objectives = new ArrayList<String>();
        for (String choice : mapping.objectives()) {
            List<String> options =
                    Arrays.stream(choice.split("\\|")).map(String::strip).toList();
            for (String o : options) {
                Metric metric = metrics.stream()
                        .filter(m -> m.name().equals(o))
                        .findFirst()
                        .orElseThrow(() -> source.wrong(
                                "objectives:",
                                "objective '" + o + "' is not a metric; known are "
                                        + metrics.stream().map(Metric::name).collect(Collectors.joining(", ")) + "."));
                if (metric.direction() == Metric.Direction.NEUTRAL) {
                    throw source.wrong(
                            "objectives:",
                            "objective '" + o + "' has the direction neutral; say whether to minimise or maximise it.");
                }
            }
            objectives.add(options.stream()
                    .filter(top::contains)
                    .findFirst()
                    .orElseThrow(() -> source.wrong(
                            "objectives:",
                            table.file() + " has no value of '" + choice + "' at "
                                    + fidelities.getLast().name() + "; choose other objectives.")));
        }
        var typical = new HashMap<String, Double>();
        costs.forEach((stage, all) -> typical.put(stage, all.getAverage()));
        return new EvaluatorInfo(
                        EvaluatorKind.REPLAY.with(table.file().toString()),
                        "measured designs of " + mapping.name() + ", replayed",
                        Provenance.Source.REPLAYED,
                        fidelities,
                        metrics,
                        reported,
                        objectives,
                        typical)
                .simulated();
    }

    /// Name of the set and kernel, for example `fudan_machsuite/aes`.
    public String name() {
        return mapping.mapping().name() + "/" + stem(file);
    }

    /// One sentence about the set.
    public String description() {
        String text = mapping.mapping().description();
        // Of a guess that lists which metrics are better when larger, and found none.
        return text.endsWith(": ") ? text + "none." : text;
    }

    /// The file they are in.
    public Path file() {
        return file;
    }

    /// The mapping's own file; empty where it came with the program.
    public Optional<Path> mappingFile() {
        return mappingFile;
    }

    /// The mapping in words: its file, or `the bundled mapping X`.
    public String mappingName() {
        return mapping.name();
    }

    /// Text of the mapping, for a person to read.
    public String mappingText() {
        return mapping.text();
    }

    /// The roles of the columns, and mappings that say otherwise.
    public ColumnRoles roles() {
        return roles;
    }

    /// Rows of the table, accepted or not.
    public int rows() {
        return table.rowCount();
    }

    /// The designs in the file as a space.
    public FiniteSpace space() {
        return space;
    }

    /// The offer of the file.
    public EvaluatorInfo info() {
        return info;
    }

    /// Mean time that a stage took by itself; empty where the file does not say.
    public OptionalDouble seconds(Fidelity stage) {
        double mean = info.typicalSeconds().getOrDefault(stage.name(), 0.0);
        return mean > 0 ? OptionalDouble.of(mean) : OptionalDouble.empty();
    }

    /// The design with every knob at its first value (nothing unrolled, pipelined or partitioned), where it was
    /// measured.
    public Optional<Configuration> baseline() {
        return Optional.of(Configuration.of(space.knobs(), new int[space.knobs().size()]))
                .filter(space::contains);
    }

    /// The notes made while reading.
    public List<String> notes() {
        return notes;
    }

    /// The stages of a design, lowest first; none of one that is not in the file.
    public List<Evaluation> stages(Configuration design) {
        Integer row = rows.get(design);
        return row == null ? List.of() : stages.read(row, design);
    }

    /// Every design's stages, in file order, those not measured up to the top too; for reference fronts.
    public Stream<List<Evaluation>> all() {
        return rows.entrySet().stream().map(e -> stages.read(e.getValue(), e.getKey()));
    }

    /// How much of a stage is in the file.
    ///
    /// @param fidelity the stage
    /// @param designs designs measured there, whether offered or not
    /// @param refused designs that the stage refused
    /// @param values by metric how many of the measured designs have a value
    public record Coverage(Fidelity fidelity, int designs, int refused, Map<String, Integer> values) {
        /// Measured designs without a value of `metric`.
        public int missing(String metric) {
            return designs - values.getOrDefault(metric, 0);
        }
    }

    /// How much of each stage is in the file, lowest first.
    public List<Coverage> coverage() {
        int[][] counts = new int[info.fidelities().size()][2];
        List<Map<String, Integer>> values = new ArrayList<>();
        info.fidelities().forEach(f -> values.add(new LinkedHashMap<>()));
        all().flatMap(List::stream).forEach(e -> {
            int f = e.fidelity().rank();
            counts[f][e.isMeasured() ? 0 : 1]++;
            if (e.outcome() instanceof Outcome.Measured m) {
                m.values().keySet().forEach(k -> values.get(f).merge(k, 1, Integer::sum));
            }
        });
        return info.fidelities().stream()
                .map(f -> new Coverage(f, counts[f.rank()][0], counts[f.rank()][1], values.get(f.rank())))
                .toList();
    }

    /// An evaluator that answers from the file, at once.
    public Evaluator evaluator() {
        return new Evaluator() {
            @Override
            public EvaluatorInfo info() {
                return info;
            }

            @Override
            public void evaluate(Request request, Consumer<Evaluation> stageDone, CancellationSignal cancel) {
                cancel.throwIfCancelled();
                if (!space.contains(request.configuration())) {
                    throw new IllegalArgumentException("not a design of " + name() + ": "
                            + request.configuration().text());
                }
                List<Evaluation> known = stages(request.configuration());
                known.subList(
                                request.from().rank(),
                                Math.min(known.size(), request.upTo().rank() + 1))
                        .forEach(stageDone);
            }
        };
    }
}
