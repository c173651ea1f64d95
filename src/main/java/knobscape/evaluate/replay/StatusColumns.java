package knobscape.evaluate.replay;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import knobscape.evaluate.FailureKind;
import knobscape.evaluate.Outcome;
import knobscape.evaluate.StatusWords;
import knobscape.evaluate.StatusWords.Meaning;
import knobscape.evaluate.StatusWords.Standing;

/// The columns of a table that say which rows have a result: by their names (`valid`, `error`, `hls outcome`) or by
/// their cells alone (`ok`, `failed`). A column that the mapping uses is none.
final class StatusColumns {
    /// Distinct cells of a status are few; those of free text are not counted further.
    private static final int MOST = 1000;
    /// A failure that a table tells of is shown up to here.
    private static final int LONGEST = 200;

    /// @param stage that it speaks of; empty for all
    /// @param strict whether a text that is no known status is no result
    private record Status(int column, String name, Meaning meaning, String stage, boolean strict) {}

    private final CsvTable table;
    private final List<Status> all;
    private final List<Integer> explaining;

    private StatusColumns(CsvTable table, List<Status> all, List<Integer> explaining) {
        this.table = table;
        this.all = all;
        this.explaining = explaining;
    }

    /// @param rows those that count
    /// @param used columns that are knobs or in a formula
    /// @param stages their names, for columns that speak of one
    static StatusColumns of(CsvTable table, Collection<Integer> rows, Set<String> used, List<String> stages) {
        var all = new ArrayList<Status>();
        var explaining = new ArrayList<Integer>();
        for (int i = 0; i < table.header().size(); i++) {
            String name = table.header().get(i);
            if (name.isEmpty() || used.contains(name)) {
                continue;
            }
            String stage = stages.stream()
                    .filter(s -> name.length() > s.length() + 1
                            && name.startsWith(s)
                            && " _.-".indexOf(name.charAt(s.length())) >= 0)
                    .findFirst()
                    .orElse("");
            String own = stage.isEmpty() ? name : name.substring(stage.length() + 1);
            Optional<Status> status = status(table, rows, i, name, own, stage);
            status.ifPresent(all::add);
            if (status.isEmpty() && StatusWords.isExplanation(own)) {
                explaining.add(i);
            }
        }
        return new StatusColumns(table, all, explaining);
    }

    private static Optional<Status> status(
            CsvTable table, Collection<Integer> rows, int column, String name, String own, String stage) {
        Optional<Meaning> named = StatusWords.meaning(own);
        Set<String> texts = new LinkedHashSet<>();
        for (int row : rows) {
            String text = table.cell(row, column).strip();
            if (text.isEmpty()) {
                continue;
            }
            if (named.isEmpty() && !StatusWords.isTelling(text)) {
                return Optional.empty();
            }
            if (texts.size() < MOST) {
                texts.add(text);
            }
        }
        if (texts.isEmpty()) {
            return Optional.empty();
        }
        Meaning meaning = named.orElse(Meaning.STATUS);
        return meaning == Meaning.BAD_IF_TRUE
                ? bad(texts, own, rows.size(), table, column)
                        .map(strict -> new Status(column, name, meaning, stage, strict))
                : good(texts, meaning).map(strict -> new Status(column, name, meaning, stage, strict));
    }

    /// True if cells are a status where the good ones are said: empty where they are none.
    private static Optional<Boolean> good(Set<String> texts, Meaning meaning) {
        boolean number = texts.stream()
                .anyMatch(t -> !Double.isNaN(CsvTable.number(t))
                        && (meaning == Meaning.STATUS || StatusWords.standing(meaning, t) == Standing.UNKNOWN));
        boolean known = texts.stream().anyMatch(t -> StatusWords.standing(meaning, t) != Standing.UNKNOWN);
        return number || !known
                ? Optional.empty()
                : Optional.of(texts.stream().anyMatch(t -> StatusWords.standing(meaning, t) == Standing.GOOD));
    }

    /// The same where the bad ones are said. An error may be a figure, or a choice that every row makes.
    private static Optional<Boolean> bad(Set<String> texts, String own, int rows, CsvTable table, int column) {
        List<Double> numbers = texts.stream()
                .map(CsvTable::number)
                .filter(v -> !Double.isNaN(v))
                .toList();
        boolean counts = own.matches("(?i).*(s|code|rc|status|value)");
        if (numbers.stream().anyMatch(v -> v != Math.rint(v) || (!counts && v != 0 && v != 1))) {
            return Optional.empty();
        }
        boolean gaps = java.util.stream.IntStream.range(0, table.rowCount())
                .anyMatch(r -> table.cell(r, column).isBlank());
        boolean known = texts.stream()
                .anyMatch(t -> StatusWords.standing(Meaning.BAD_IF_TRUE, t) == Standing.GOOD
                        || StatusWords.isTelling(t)
                        || !numbers.isEmpty());
        return rows > 0 && (known || gaps) ? Optional.of(true) : Optional.empty();
    }

    /// Their names.
    Set<String> names() {
        var names = new LinkedHashSet<String>();
        all.forEach(s -> names.add(s.name));
        return names;
    }

    /// Names of the columns that explain a failure.
    Stream<String> explaining() {
        return explaining.stream().map(i -> table.header().get(i));
    }

    /// Why a row has no result at a stage; empty where no column says so.
    Optional<Outcome.Failure> failure(int row, String stage) {
        for (Status s : all) {
            String text = table.cell(row, s.column).strip();
            boolean mine = s.stage.isEmpty() || s.stage.equals(stage);
            if (!mine || (text.isEmpty() && s.meaning != Meaning.BAD_IF_TRUE)) {
                continue;
            }
            Standing standing = StatusWords.standing(s.meaning, text);
            if (standing == Standing.BAD || (standing == Standing.UNKNOWN && s.strict && !CsvTable.isMissing(text))) {
                boolean word = !StatusWords.isTelling(text) && text.length() <= 5;
                FailureKind kind = StatusWords.kind(word ? s.name : text);
                return Optional.of(new Outcome.Failure(kind, reason(row, s.name, text)));
            }
        }
        return Optional.empty();
    }

    private String reason(int row, String name, String text) {
        String why = explaining.stream()
                .map(i -> table.cell(row, i).strip())
                .filter(t -> !CsvTable.isMissing(t))
                .findFirst()
                .map(t -> " (" + t + ")")
                .orElse("");
        String all = name + " says '" + text + "'" + why;
        return all.length() <= LONGEST ? all : all.substring(0, LONGEST) + "...";
    }
}
