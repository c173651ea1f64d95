package knobscape.evaluate.replay;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeSet;
import knobscape.evaluate.CancellationSignal;
import knobscape.evaluate.Evaluation;
import knobscape.evaluate.Evaluator;
import knobscape.evaluate.EvaluatorInfo;
import knobscape.evaluate.Fidelity;
import knobscape.evaluate.Metric;
import knobscape.evaluate.Outcome;
import knobscape.evaluate.Provenance;
import knobscape.evaluate.UserError;
import knobscape.space.Configuration;
import knobscape.space.Domain;
import knobscape.space.FiniteSpace;
import knobscape.space.Knob;
import knobscape.space.KnobSet;

/// A file of measured designs: the finite space of its rows and an evaluator that answers from them. Rows with equal knobs are one design (the
/// first row that reaches the highest stage counts); a metric whose cell is empty is absent from the outcome.
public final class ReplaySet {
    private final String name;
    private final String description;
    private final FiniteSpace space;
    private final EvaluatorInfo info;
    private final Map<Configuration, List<Evaluation>> stages;
    private final List<String> notes;

    private ReplaySet(String name, String description, FiniteSpace space, EvaluatorInfo info, Map<Configuration, List<Evaluation>> stages, List<String> notes) {
        this.name = name;
        this.description = description;
        this.space = space;
        this.info = info;
        this.stages = stages;
        this.notes = List.copyOf(notes);
    }

    /// Opens measured designs. `file` is the CSV (a mapping is looked for as `<stem>.yaml`, `<stem>.replay.yaml`, `replay.yaml` beside it, then among the
    /// bundled ones) or the mapping itself. Throws [UserError] with file and line.
    public static ReplaySet open(Path file) {
        String fileName = file.getFileName() == null ? "" : file.getFileName().toString();
        if (fileName.endsWith(".yaml") || fileName.endsWith(".yml")) {
            if (!Files.isRegularFile(file)) {
                throw new UserError(file + " does not exist; check the path of the mapping.");
            }
            var mapping = ReplayMapping.read(file);
            if (mapping.data() == null) {
                throw new UserError(file + ": 'data' must name the CSV file that this mapping is for.");
            }
            return build(CsvTable.read(file.resolveSibling(mapping.data())), mapping, file.toString());
        }
        var table = CsvTable.read(file);
        String stem = stem(file);
        for (String candidate : List.of(stem + ".yaml", stem + ".replay.yaml", "replay.yaml")) {
            Path beside = file.resolveSibling(candidate);
            if (Files.isRegularFile(beside)) {
                return build(table, ReplayMapping.read(beside), beside.toString());
            }
        }
        var bundled = ReplayMapping.bundledFor(table.header());
        if (bundled.isEmpty()) {
            throw new UserError(file + " has no mapping: put " + stem + ".yaml beside it, which says which columns are knobs, fidelities and objectives.");
        }
        return build(table, bundled.get(), "the bundled mapping " + bundled.get().name());
    }

    private static String stem(Path file) {
        return file.getFileName().toString().replaceFirst("\\.csv(\\.gz)?$", "");
    }

    private static ReplaySet build(CsvTable table, ReplayMapping mapping, String mappingName) {
        var rows = acceptedRows(table, mapping, mappingName);
        var knobColumns = table.header().stream()
                .filter(c -> Patterns.any(mapping.knobs().columns(), c) && !Patterns.any(mapping.knobs().exclude(), c)).toList();
        if (knobColumns.isEmpty()) {
            throw new UserError(mappingName + ": no column of " + table.file() + " is a knob; check 'knobs: columns'.");
        }
        var knobs = knobs(table, rows, knobColumns, mapping);
        var stageReaders = readers(table, mapping, mappingName);
        Provenance provenance = new Provenance("replay:" + Path.of(table.file()).getFileName(), mapping.name(), 0, Provenance.Source.REPLAYED);
        List<Fidelity> fidelities = new ArrayList<>();
        for (int i = 0; i < mapping.fidelities().size(); i++) {
            fidelities.add(new Fidelity(mapping.fidelities().get(i).name(), i));
        }
        var stages = new LinkedHashMap<Configuration, List<Evaluation>>();
        var costSums = new HashMap<String, double[]>();
        int conflicts = 0;
        for (int row : rows) {
            Configuration configuration = configuration(table, row, knobs, knobColumns);
            List<Evaluation> evaluations = new ArrayList<>();
            for (int i = 0; i < stageReaders.size(); i++) {
                Evaluation e = stageReaders.get(i).read(table, row, configuration, fidelities.get(i), provenance);
                evaluations.add(e);
                double[] sum = costSums.computeIfAbsent(e.fidelity().name(), k -> new double[2]);
                sum[0] += e.costSeconds();
                sum[1]++;
                if (!e.isMeasured()) {
                    break;
                }
            }
            List<Evaluation> before = stages.get(configuration);
            if (before == null || evaluations.size() > before.size()) {
                stages.put(configuration, List.copyOf(evaluations));
            }
            if (before != null && before.size() == evaluations.size() && !sameOutcomes(before, evaluations)) {
                conflicts++;
            }
        }
        var notes = new ArrayList<String>();
        if (conflicts > 0) {
            notes.add(conflicts + " rows repeat the knobs of an earlier row with other results; the first row counts.");
        }
        return new ReplaySet(mapping.name() + "/" + stem(Path.of(table.file())), mapping.description(),
                new FiniteSpace(knobs, new ArrayList<>(stages.keySet())), info(table, mapping, mappingName, fidelities, stages, costSums), stages, notes);
    }

    private static boolean sameOutcomes(List<Evaluation> a, List<Evaluation> b) {
        for (int i = 0; i < a.size(); i++) {
            if (!a.get(i).outcome().equals(b.get(i).outcome())) {
                return false;
            }
        }
        return true;
    }

    private static List<Integer> acceptedRows(CsvTable table, ReplayMapping mapping, String mappingName) {
        var rows = new ArrayList<Integer>();
        for (int r = 0; r < table.rowCount(); r++) {
            boolean accepted = true;
            for (var condition : mapping.where().entrySet()) {
                int column = table.column(condition.getKey()).orElseThrow(
                        () -> new UserError(mappingName + ": 'where' names the column '" + condition.getKey() + "', which " + table.file() + " does not have."));
                accepted &= condition.getValue().contains(table.cell(r, column));
            }
            if (accepted) {
                rows.add(r);
            }
        }
        if (rows.isEmpty()) {
            throw new UserError(table.file() + " has no row that " + mappingName + " accepts; check 'where'.");
        }
        return rows;
    }

    private static KnobSet knobs(CsvTable table, List<Integer> rows, List<String> columns, ReplayMapping mapping) {
        var knobs = new ArrayList<Knob>();
        for (String column : columns) {
            int c = table.column(column).orElseThrow();
            Set<String> texts = new LinkedHashSet<>();
            rows.forEach(r -> texts.add(table.cell(r, c)));
            knobs.add(new Knob(column.replace(';', ' ').replace('=', ' '), domain(texts, Patterns.any(mapping.knobs().categories(), column))));
        }
        return new KnobSet(knobs);
    }

    private static Domain domain(Set<String> texts, boolean category) {
        if (!category && texts.stream().allMatch(t -> t.matches("-?\\d{1,9}"))) {
            var values = new TreeSet<Integer>();
            texts.forEach(t -> values.add(Integer.parseInt(t)));
            if (values.size() == texts.size()) {
                return new Domain.Factors(List.copyOf(values));
            }
        }
        if (texts.equals(Set.of("on", "off"))) {
            return new Domain.Toggle();
        }
        List<String> first = List.of("none", "off", "auto");
        return new Domain.Categories(texts.stream().map(t -> t.isEmpty() ? "(empty)" : t)
                .sorted(Comparator.<String>comparingInt(t -> first.contains(t) ? first.indexOf(t) : first.size()).thenComparing(Comparator.naturalOrder())).toList());
    }

    private static Configuration configuration(CsvTable table, int row, KnobSet knobs, List<String> columns) {
        int[] levels = new int[columns.size()];
        for (int i = 0; i < levels.length; i++) {
            String text = table.cell(row, table.column(columns.get(i)).orElseThrow());
            levels[i] = knobs.get(i).domain().levelOf(text.isEmpty() ? "(empty)" : text);
        }
        return Configuration.of(knobs, levels);
    }

    /// Reads one stage of one row.
    private record StageReader(String name, Formula seconds, Formula valid, Map<String, Formula> metrics) {
        Evaluation read(CsvTable table, int row, Configuration configuration, Fidelity fidelity, Provenance provenance) {
            Formula.Row cells = column -> number(table, row, table.column(column).orElseThrow());
            double cost = seconds.value(cells).orElse(0);
            if (valid.value(cells).orElse(0) == 0) {
                return new Evaluation(configuration, fidelity, new Outcome.Invalid("the " + name + " stage of this design was refused or exceeded a limit"),
                        cost, provenance);
            }
            var values = new LinkedHashMap<String, Double>();
            metrics.forEach((metric, formula) -> formula.value(cells).ifPresent(v -> values.put(metric, v)));
            Outcome outcome = values.isEmpty() ? new Outcome.Failed("the file has no result of the " + name + " stage for this design") : new Outcome.Measured(values);
            return new Evaluation(configuration, fidelity, outcome, cost, provenance);
        }

        private static OptionalDouble number(CsvTable table, int row, int column) {
            String text = table.cell(row, column);
            if (text.isEmpty()) {
                return OptionalDouble.empty();
            }
            try {
                return OptionalDouble.of(Double.parseDouble(text));
            } catch (NumberFormatException e) {
                throw new UserError(table.file() + ":" + table.line(row) + ": '" + text + "' in column '" + table.header().get(column) + "' is not a number.", e);
            }
        }
    }

    private static List<StageReader> readers(CsvTable table, ReplayMapping mapping, String mappingName) {
        var readers = new ArrayList<StageReader>();
        for (var stage : mapping.fidelities()) {
            var metrics = new LinkedHashMap<String, Formula>();
            if (stage.metrics() == null || stage.metrics().isEmpty()) {
                throw new UserError(mappingName + ": fidelity '" + stage.name() + "' reports no metrics.");
            }
            stage.metrics().forEach((metric, text) -> metrics.put(metric, formula(table, text, mappingName)));
            Double known = mapping.seconds().getOrDefault(stem(Path.of(table.file())), Map.of()).get(stage.name());
            String seconds = known != null ? known.toString() : stage.seconds() == null ? "1" : stage.seconds();
            readers.add(new StageReader(stage.name(), formula(table, seconds, mappingName),
                    formula(table, stage.valid() == null ? "1" : stage.valid(), mappingName), metrics));
        }
        return readers;
    }

    private static Formula formula(CsvTable table, String text, String mappingName) {
        try {
            var formula = Formula.parse(text);
            for (String column : formula.columns()) {
                if (table.column(column).isEmpty()) {
                    throw new UserError(mappingName + ": '" + text + "' names the column '" + column + "', which " + table.file() + " does not have.");
                }
            }
            return formula;
        } catch (IllegalArgumentException e) {
            throw new UserError(mappingName + ": " + e.getMessage() + ".", e);
        }
    }

    private static EvaluatorInfo info(CsvTable table, ReplayMapping mapping, String mappingName, List<Fidelity> fidelities,
            Map<Configuration, List<Evaluation>> stages, Map<String, double[]> costSums) {
        var reported = new HashMap<String, Set<String>>();
        stages.values().forEach(list -> list.forEach(e -> {
            if (e.outcome() instanceof Outcome.Measured m) {
                reported.computeIfAbsent(e.fidelity().name(), k -> new HashSet<>()).addAll(m.values().keySet());
            }
        }));
        var names = new LinkedHashSet<String>(mapping.metrics().keySet());
        mapping.fidelities().forEach(s -> names.addAll(s.metrics().keySet()));
        var metrics = new ArrayList<Metric>();
        var top = reported.getOrDefault(fidelities.getLast().name(), Set.of());
        for (String n : names) {
            var entry = mapping.metrics().getOrDefault(n, new ReplayMapping.MetricEntry(n, "", null, null));
            try {
                metrics.add(entry.toMetric(n));
            } catch (IllegalArgumentException e) {
                throw new UserError(mappingName + ": " + e.getMessage() + ".", e);
            }
        }
        var objectives = new ArrayList<String>();
        for (String choice : mapping.objectives()) {
            List<String> options = java.util.Arrays.stream(choice.split("\\|")).map(String::strip).toList();
            for (String o : options) {
                if (!names.contains(o)) {
                    throw new UserError(mappingName + ": objective '" + o + "' is not a metric; known are " + String.join(", ", names) + ".");
                }
            }
            objectives.add(options.stream().filter(top::contains).findFirst().orElseThrow(() -> new UserError(
                    table.file() + " has no value of '" + choice + "' at " + fidelities.getLast().name() + "; choose other objectives in " + mappingName + ".")));
        }
        var typical = new HashMap<String, Double>();
        costSums.forEach((stage, sum) -> typical.put(stage, sum[0] / sum[1]));
        return new EvaluatorInfo("replay:" + table.file(), "measured designs of " + mapping.name() + ", replayed", Provenance.Source.REPLAYED, fidelities,
                metrics, reported, objectives, typical);
    }

    /// Name of the set and kernel, for example `fudan_machsuite/aes`.
    public String name() {
        return name;
    }

    /// One sentence about the set.
    public String description() {
        return description;
    }

    /// The designs in the file as a space.
    public FiniteSpace space() {
        return space;
    }

    /// What was noticed while reading.
    public List<String> notes() {
        return notes;
    }

    /// Every design's stages, in file order; for reference fronts.
    public Map<Configuration, List<Evaluation>> all() {
        return java.util.Collections.unmodifiableMap(stages);
    }

    /// An evaluator that answers from the file, at once.
    public Evaluator evaluator() {
        return new Evaluator() {
            @Override
            public EvaluatorInfo info() {
                return info;
            }

            @Override
            public List<Evaluation> evaluate(Configuration configuration, Fidelity upTo, CancellationSignal cancel) {
                cancel.throwIfCancelled();
                List<Evaluation> known = stages.get(configuration);
                if (known == null) {
                    throw new IllegalArgumentException("not a design of " + name + ": " + configuration.text());
                }
                return known.subList(0, Math.min(known.size(), upTo.rank() + 1));
            }
        };
    }
}
