package knobscape.evaluate.replay;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.stream.Stream;
import knobscape.evaluate.Evaluation;
import knobscape.evaluate.EvaluatorKind;
import knobscape.evaluate.FailureKind;
import knobscape.evaluate.Fidelity;
import knobscape.evaluate.Formula;
import knobscape.evaluate.Metric;
import knobscape.evaluate.Outcome;
import knobscape.evaluate.Provenance;
import knobscape.evaluate.ResultRule;
import knobscape.space.Configuration;

/// Reads the stages of a row of a table by the formulas of a mapping.
final class ReplayStages {
    private record Stage(Fidelity fidelity, Formula seconds, Formula valid, Map<String, Formula> metrics) {
        private Stream<String> columns() {
            return Stream.concat(metrics.values().stream(), Stream.of(valid, seconds))
                    .flatMap(f -> f.columns().stream());
        }
    }

    private final CsvTable table;
    private final Provenance provenance;
    private final List<Stage> stages = new ArrayList<>();
    private final StatusColumns statuses;
    private final ResultRule rule;

    /// @param rows of the table that count
    /// @param metrics what is read
    ///
    /// Throws [knobscape.evaluate.UserError] with the line of the mapping where a formula cannot be read or names
    /// a column that is not there.
    ReplayStages(
            CsvTable table, ReplayMapping.Text source, String stem, Collection<Integer> rows, List<Metric> metrics) {
        this.table = table;
        this.rule = ResultRule.of(metrics);
        ReplayMapping mapping = source.mapping();
        this.provenance = new Provenance(
                EvaluatorKind.REPLAY.with(String.valueOf(Path.of(table.file()).getFileName())),
                mapping.name(),
                0,
                Provenance.Source.REPLAYED);
        for (int i = 0; i < mapping.fidelities().size(); i++) {
            ReplayMapping.Stage s = mapping.fidelities().get(i);
            var formulas = new LinkedHashMap<String, Formula>();
            s.metrics().forEach((metric, text) -> formulas.put(metric, formula(text, source)));
            Double known = mapping.seconds().getOrDefault(stem, Map.of()).get(s.name());
            String seconds = known != null ? known.toString() : s.seconds() == null ? "0" : s.seconds();
            stages.add(new Stage(
                    new Fidelity(s.name(), i),
                    formula(seconds, source),
                    formula(s.valid() == null ? "1" : s.valid(), source),
                    formulas));
        }
        Set<String> used = ColumnRoles.used(mapping);
        used.addAll(ColumnRoles.knobs(table, mapping));
        this.statuses = StatusColumns.of(
                table,
                rows,
                used,
                mapping.fidelities().stream().map(ReplayMapping.Stage::name).toList());
    }

    /// Columns that say which rows have a result.
    Set<String> statuses() {
        return statuses.names();
    }

    /// Why a row is no result, as a clause; empty where it is one, or says that its design is invalid.
    Optional<String> doubt(int row, List<Evaluation> evaluations) {
        for (Evaluation e : evaluations) {
            Optional<String> why = Optional.empty();
            switch (e.outcome()) {
                case Outcome.Failure f -> {
                    return Optional.of(f.reason()).filter(_ -> f.kind().mayRetry());
                }
                case Outcome.Measured m -> why = rule.objection(m.values());
            }
            if (why.isPresent()) {
                return why;
            }
        }
        return stages.stream()
                .flatMap(Stage::columns)
                .map(name -> table.column(name).orElseThrow())
                .filter(column -> !isNumberOrMissing(row, column))
                .findFirst()
                .map(column -> table.header().get(column) + " is '"
                        + table.cell(row, column).strip() + "', which is no number");
    }

    private boolean isNumberOrMissing(int row, int column) {
        String text = table.cell(row, column).strip();
        return CsvTable.isMissing(text) || !Double.isNaN(CsvTable.number(text));
    }

    /// Lets the rule know all values of the table, before doubts are final.
    void fit(Collection<Integer> rows) {
        Formula.Row[] cells = rows.stream()
                .map(row ->
                        (Formula.Row) column -> number(row, table.column(column).orElseThrow()))
                .toArray(Formula.Row[]::new);
        for (Stage s : stages) {
            s.metrics.forEach((metric, formula) -> rule.fit(
                    metric,
                    Arrays.stream(cells)
                            .map(formula::value)
                            .filter(OptionalDouble::isPresent)
                            .mapToDouble(OptionalDouble::getAsDouble)
                            .toArray()));
        }
    }

    private Formula formula(String text, ReplayMapping.Text source) {
        Formula formula;
        try {
            formula = Formula.parse(text);
        } catch (IllegalArgumentException e) {
            throw source.wrong(text, e.getMessage() + ".");
        }
        for (String column : formula.columns()) {
            if (table.column(column).isEmpty()) {
                throw source.wrong(
                        text,
                        "'" + text + "' names the column '" + column + "', which " + table.file() + " does not have.");
            }
        }
        return formula;
    }

    /// Lowest first.
    List<Fidelity> fidelities() {
        return stages.stream().map(Stage::fidelity).toList();
    }

    /// True if evaluations end as a design of the space must: at the top, or at the stage that refused it.
    boolean isComplete(List<Evaluation> evaluations) {
        return evaluations.size() == stages.size()
                || (!evaluations.isEmpty() && !evaluations.getLast().isMeasured());
    }

    /// The stages of a row that are in the file, lowest first: up to the one that refused the design, else up
    /// to the last with a value. A stage without any value below one that has some was run, but reports
    /// nothing.
    List<Evaluation> read(int row, Configuration configuration) {
        Formula.Row cells = column -> number(row, table.column(column).orElseThrow());
        var found = new ArrayList<Evaluation>();
        int last = -1;
        for (Stage s : stages) {
            double cost = Math.max(0, s.seconds.value(cells).orElse(0));
            Optional<Outcome.Failure> failure = failure(row, s, cells);
            if (failure.isPresent()) {
                found.add(new Evaluation(configuration, s.fidelity, failure.get(), cost, provenance));
                return List.copyOf(found);
            }
            var values = new LinkedHashMap<String, Double>();
            s.metrics.forEach((metric, formula) -> formula.value(cells).ifPresent(v -> values.put(metric, v)));
            found.add(new Evaluation(configuration, s.fidelity, new Outcome.Measured(values), cost, provenance));
            last = values.isEmpty() ? last : found.size() - 1;
        }
        return List.copyOf(found.subList(0, last + 1));
    }

    /// A stage that its formula refuses says that the design is invalid, with the words of a status where there are
    /// some.
    private Optional<Outcome.Failure> failure(int row, Stage s, Formula.Row cells) {
        Optional<Outcome.Failure> said = statuses.failure(row, s.fidelity.name());
        return s.valid.value(cells).orElse(0) != 0
                ? said
                : Optional.of(new Outcome.Failure(
                        said.map(Outcome.Failure::kind)
                                .filter(FailureKind::isInvalid)
                                .orElse(FailureKind.REJECTED),
                        said.map(Outcome.Failure::reason)
                                .orElse("the " + s.fidelity.name()
                                        + " stage of this design was refused or exceeded a limit")));
    }

    private OptionalDouble number(int row, int column) {
        String text = table.cell(row, column).strip();
        double v = CsvTable.isMissing(text) ? Double.NaN : CsvTable.number(text);
        return Double.isNaN(v) ? OptionalDouble.empty() : OptionalDouble.of(v);
    }
}
