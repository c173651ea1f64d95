package knobscape.evaluate.replay;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import knobscape.evaluate.Evaluation;
import knobscape.evaluate.FailureKind;
import knobscape.evaluate.Fidelity;
import knobscape.evaluate.Outcome;
import knobscape.evaluate.Provenance;
import knobscape.evaluate.UserError;
import knobscape.space.Configuration;

/// Reads the stages of a row of a table by the formulas of a mapping.
final class ReplayStages {
    private record Stage(Fidelity fidelity, Formula seconds, Formula valid, Map<String, Formula> metrics) {}

    private final CsvTable table;
    private final Provenance provenance;
    private final List<Stage> stages = new ArrayList<>();

    /// Throws [UserError] with the line of the mapping where a formula cannot be read or names a column that is
    /// not there.
    ReplayStages(CsvTable table, ReplayMapping.Text source, String stem) {
        this.table = table;
        ReplayMapping mapping = source.mapping();
        this.provenance = new Provenance(
                "replay:" + Path.of(table.file()).getFileName(), mapping.name(), 0, Provenance.Source.REPLAYED);
        for (int i = 0; i < mapping.fidelities().size(); i++) {
            ReplayMapping.Stage s = mapping.fidelities().get(i);
            var metrics = new LinkedHashMap<String, Formula>();
            s.metrics().forEach((metric, text) -> metrics.put(metric, formula(text, source)));
            Double known = mapping.seconds().getOrDefault(stem, Map.of()).get(s.name());
            String seconds = known != null ? known.toString() : s.seconds() == null ? "1" : s.seconds();
            stages.add(new Stage(
                    new Fidelity(s.name(), i),
                    formula(seconds, source),
                    formula(s.valid() == null ? "1" : s.valid(), source),
                    metrics));
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

    /// Whether evaluations end as a design of the space must: at the top, or at the stage that refused it.
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
            if (s.valid.value(cells).orElse(0) == 0) {
                found.add(new Evaluation(
                        configuration,
                        s.fidelity,
                        new Outcome.Failure(
                                FailureKind.REJECTED,
                                "the " + s.fidelity.name() + " stage of this design was refused or exceeded a limit"),
                        cost,
                        provenance));
                return List.copyOf(found);
            }
            var values = new LinkedHashMap<String, Double>();
            s.metrics.forEach((metric, formula) -> formula.value(cells).ifPresent(v -> values.put(metric, v)));
            found.add(new Evaluation(configuration, s.fidelity, new Outcome.Measured(values), cost, provenance));
            last = values.isEmpty() ? last : found.size() - 1;
        }
        return List.copyOf(found.subList(0, last + 1));
    }

    private OptionalDouble number(int row, int column) {
        String text = table.cell(row, column).strip();
        if (text.isEmpty()) {
            return OptionalDouble.empty();
        }
        try {
            return OptionalDouble.of(Double.parseDouble(text));
        } catch (NumberFormatException e) {
            throw new UserError(
                    table.file() + ":" + table.line(row) + ": '" + text + "' in column '"
                            + table.header().get(column) + "' is not a number; correct the cell or leave it empty.",
                    e);
        }
    }
}
