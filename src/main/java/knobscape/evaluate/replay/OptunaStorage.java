package knobscape.evaluate.replay;

import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import knobscape.evaluate.UserError;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// A storage of Optuna: the SQLite file that `optuna.create_study(storage="sqlite:///FILE")` makes (its schema since
/// 2.4, documented by `optuna/storages/_rdb/models.py`). A row for each trial, with the parameters of all studies as
/// columns; which study is read is said by its mapping. Finished trials count, and the directions are the study's own.
final class OptunaStorage {
    private static final long LARGEST = 1L << 30;
    private static final String STUDY = "study";
    private static final String NUMBER = "number";
    private static final String STATE = "state";
    private static final String SECONDS = "duration_s";
    private static final String COMPLETE = "COMPLETE";
    private static final JsonMapper JSON = JsonMapper.shared();

    private final Path file;
    private final Connection connection;

    private OptunaStorage(Path file, Connection connection) {
        this.file = file;
        this.connection = connection;
    }

    /// A study.
    ///
    /// @param goals names of its values in their order, with `minimise` or `maximise`
    /// @param knobs names of its parameters
    /// @param attributes numbers that the person kept with trials
    private record Study(
            long id,
            String name,
            LinkedHashMap<String, String> goals,
            Set<String> knobs,
            Set<String> attributes,
            Map<String, String> scales) {}

    /// The known facts of a trial, by column.
    private record Trial(Study study, String number, String state, String seconds, Map<String, String> cells) {}

    /// Reads one row of an answer.
    @FunctionalInterface
    private interface Row {
        void read(ResultSet row) throws SQLException;
    }

    /// True if a SQLite file is such a storage.
    static boolean recognises(Path file) {
        try (Connection c = connect(file)) {
            return new OptunaStorage(file, c).isStorage();
        } catch (SQLException e) {
            return false;
        }
    }

    /// Reads a storage. Throws [UserError] where the file is damaged, holds something else, or no finished trial.
    static ResultFile read(Path file) {
        try {
            if (Files.size(file) > LARGEST) {
                throw new UserError(file + " is larger than " + (LARGEST >> 20) + " MB; export the study as CSV.");
            }
            try (Connection c = connect(file)) {
                return new OptunaStorage(file, c).read();
            }
        } catch (SQLException | java.io.IOException e) {
            throw new UserError(
                    file + " is a SQLite file that cannot be read (" + firstLine(e) + "); it may be damaged.", e);
        } catch (JacksonException e) {
            throw new UserError(file + " is a storage of Optuna with damaged values: " + firstLine(e) + ".", e);
        }
    }

    private static String firstLine(Exception e) {
        return String.valueOf(e.getMessage()).lines().findFirst().orElse("").replaceFirst("\\.$", "");
    }

    /// Nothing is written beside the file of another program.
    private static Connection connect(Path file) throws SQLException {
        return DriverManager.getConnection(
                "jdbc:sqlite:" + file.toAbsolutePath().toUri().toASCIIString() + "?mode=ro");
    }

    private void query(String sql, Row reader) throws SQLException {
        try (Statement s = connection.createStatement();
                ResultSet rows = s.executeQuery(sql)) {
            while (rows.next()) {
                reader.read(rows);
            }
        }
    }

    private Set<String> names(String sql) throws SQLException {
        var names = new LinkedHashSet<String>();
        query(sql, r -> names.add(r.getString(1)));
        return names;
    }

    private boolean isStorage() throws SQLException {
        return names("SELECT name FROM sqlite_master WHERE type = 'table'")
                .containsAll(List.of("studies", "study_directions", "trials", "trial_params", "trial_values"));
    }

    private ResultFile read() throws SQLException {
        if (!isStorage()) {
            throw new UserError(file + " is a SQLite file, but no storage of Optuna (tables 'studies', 'trials' and "
                    + "'trial_params' are expected)"
                    + (names("SELECT name FROM sqlite_master").contains("runs")
                            ? "; it looks like runs of Knobscape, which open with their project's folder."
                            : "; export its results as CSV."));
        }
        Map<Long, Study> studies = studies();
        Map<Long, Trial> trials = trials(studies);
        List<Study> finished = studies.values().stream()
                .filter(s -> count(trials, s) > 0 && !s.knobs().isEmpty())
                .sorted(java.util.Comparator.comparingLong(s -> -count(trials, s)))
                .toList();
        if (finished.isEmpty()) {
            throw new UserError(
                    file + " is a storage of Optuna without a finished trial; there is nothing to show yet.");
        }
        var columns = new LinkedHashSet<>(List.of(STUDY, NUMBER, STATE, SECONDS));
        finished.forEach(s -> columns.addAll(s.goals().keySet()));
        finished.forEach(s -> columns.addAll(s.knobs()));
        finished.forEach(s -> columns.addAll(s.attributes()));
        if (columns.size() > CsvTable.MAX_COLUMNS) {
            throw new UserError(
                    file + " has more than " + CsvTable.MAX_COLUMNS + " parameters; export one study as CSV.");
        }
        List<String> header = List.copyOf(columns);
        List<String[]> rows = trials.values().stream()
                .filter(t -> finished.contains(t.study()))
                .map(t -> row(t, header))
                .toList();
        return new ResultFile(
                CsvTable.of(file.toString(), header, rows),
                finished.stream().map(s -> reading(s, finished.size())).toList());
    }

    private static long count(Map<Long, Trial> trials, Study study) {
        return trials.values().stream()
                .filter(t -> t.study() == study && t.state().equals(COMPLETE))
                .count();
    }

    private static String[] row(Trial t, List<String> header) {
        String[] cells = new String[header.size()];
        Arrays.setAll(cells, i -> t.cells().getOrDefault(header.get(i), ""));
        cells[0] = t.study().name();
        cells[1] = t.number();
        cells[2] = t.state();
        cells[3] = t.seconds();
        return cells;
    }

    private Map<Long, Study> studies() throws SQLException {
        var studies = new TreeMap<Long, Study>();
        query(
                "SELECT study_id, study_name FROM studies ORDER BY study_id",
                r -> studies.put(
                        r.getLong(1),
                        new Study(
                                r.getLong(1),
                                r.getString(2),
                                new LinkedHashMap<>(),
                                new LinkedHashSet<>(),
                                new LinkedHashSet<>(),
                                new HashMap<>())));
        var named = new HashMap<Long, JsonNode>();
        if (tables().contains("study_system_attributes")) {
            query(
                    "SELECT study_id, value_json FROM study_system_attributes WHERE key = 'study:metric_names'",
                    r -> named.put(r.getLong(1), JSON.readTree(r.getString(2))));
        }
        var directions = new HashMap<Long, List<String>>();
        query(
                "SELECT study_id, direction FROM study_directions ORDER BY study_id, objective",
                r -> directions
                        .computeIfAbsent(r.getLong(1), k -> new ArrayList<>())
                        .add(r.getString(2)));
        directions.forEach((id, all) -> {
            Study s = studies.get(id);
            for (int i = 0; s != null && i < all.size(); i++) {
                JsonNode own = named.getOrDefault(id, JSON.nullNode()).path(i);
                String name = own.isString() ? own.asString() : all.size() == 1 ? "value" : "values_" + i;
                s.goals().put(name, "MAXIMIZE".equals(all.get(i)) ? "maximise" : "minimise");
            }
        });
        return studies;
    }

    private Set<String> tables() throws SQLException {
        return names("SELECT name FROM sqlite_master WHERE type = 'table'");
    }

    private Map<Long, Trial> trials(Map<Long, Study> studies) throws SQLException {
        var trials = new LinkedHashMap<Long, Trial>();
        query(
                "SELECT trial_id, study_id, number, state, "
                        + "round((julianday(datetime_complete) - julianday(datetime_start)) * 86400, 3) "
                        + "FROM trials ORDER BY study_id, number LIMIT " + CsvTable.MAX_ROWS,
                r -> {
                    Study s = studies.get(r.getLong(2));
                    if (s != null) {
                        double seconds = r.getDouble(5);
                        trials.put(
                                r.getLong(1),
                                new Trial(
                                        s,
                                        Long.toString(r.getLong(3)),
                                        String.valueOf(r.getString(4)),
                                        r.wasNull() ? "" : number(Math.max(0, seconds)),
                                        new HashMap<>()));
                    }
                });
        values(trials);
        parameters(trials);
        attributes(trials);
        return trials;
    }

    private void values(Map<Long, Trial> trials) throws SQLException {
        query("SELECT trial_id, objective, value FROM trial_values", r -> {
            Trial t = trials.get(r.getLong(1));
            int objective = r.getInt(2);
            double value = r.getDouble(3);
            // Infinite values have none in this column.
            if (t != null
                    && !r.wasNull()
                    && objective >= 0
                    && objective < t.study().goals().size()) {
                t.cells().put(List.copyOf(t.study().goals().keySet()).get(objective), number(value));
            }
        });
    }

    private void parameters(Map<Long, Trial> trials) throws SQLException {
        var distributions = new HashMap<String, JsonNode>();
        query("SELECT trial_id, param_name, param_value, distribution_json FROM trial_params ORDER BY param_id", r -> {
            Trial t = trials.get(r.getLong(1));
            if (t != null) {
                String name = column(t.study(), r.getString(2));
                JsonNode drawn = distributions.computeIfAbsent(r.getString(4), JSON::readTree);
                t.study().knobs().add(name);
                t.study()
                        .scales()
                        .put(
                                name,
                                drawn.at("/attributes/log").asBoolean(false)
                                                || drawn.path("name")
                                                        .asString("")
                                                        .contains("LogUniform")
                                        ? "log"
                                        : "linear");
                t.cells().put(name, parameter(r.getDouble(3), drawn));
            }
        });
    }

    /// A parameter may have the name of a value or of a column of every trial.
    private static String column(Study s, String name) {
        return s.goals().containsKey(name)
                        || List.of(STUDY, NUMBER, STATE, SECONDS).contains(name)
                ? "params_" + name
                : name;
    }

    /// Categories are stored as the place among the choices, whole numbers as floating ones.
    private static String parameter(double stored, JsonNode distribution) {
        JsonNode choices = distribution.path("attributes").path("choices");
        if (choices.isArray()) {
            JsonNode choice = choices.path((int) stored);
            return choice.isNull() ? "None" : choice.isNumber() ? number(choice.asDouble()) : choice.asString("");
        }
        return number(stored);
    }

    /// Numbers that a person keeps with trials (`set_user_attr`).
    private void attributes(Map<Long, Trial> trials) throws SQLException {
        if (!tables().contains("trial_user_attributes")) {
            return;
        }
        query("SELECT trial_id, key, value_json FROM trial_user_attributes", r -> {
            Trial t = trials.get(r.getLong(1));
            String text = String.valueOf(r.getString(3)).strip();
            if (t != null && text.matches("-?[0-9.eE+-]{1,30}")) {
                JsonNode value = JSON.readTree(text);
                String name = column(t.study(), r.getString(2));
                if (value.isNumber() && !t.study().knobs().contains(name)) {
                    t.study().attributes().add(name);
                    t.cells().put(name, number(value.asDouble()));
                }
            }
        });
    }

    /// As a person writes it: `16` rather than `16.0`, `0.0001` rather than `1.0E-4`.
    static String number(double value) {
        if (!Double.isFinite(value)) {
            return "";
        }
        BigDecimal exact = new BigDecimal(Double.toString(value)).stripTrailingZeros();
        return Math.abs(exact.precision() - exact.scale()) <= 12 ? exact.toPlainString() : Double.toString(value);
    }

    private ResultFile.Reading reading(Study s, int studies) {
        var metrics = new LinkedHashMap<String, ReplayMapping.MetricEntry>();
        var formulas = new LinkedHashMap<String, String>();
        s.goals().forEach((name, way) -> {
            metrics.put(name, new ReplayMapping.MetricEntry(name, "", null, way));
            formulas.put(name, "`" + name + "`");
        });
        s.attributes().forEach(name -> {
            metrics.put(name, new ReplayMapping.MetricEntry(name, "", null, "neutral"));
            formulas.put(name, "`" + name + "`");
        });
        var where = new LinkedHashMap<String, List<String>>();
        where.put(STUDY, List.of(s.name()));
        where.put(STATE, List.of(COMPLETE));
        return new ResultFile.Reading(
                s.name(),
                ReplayMapping.Text.of(
                        "the storage itself",
                        new ReplayMapping(
                                1,
                                s.name(),
                                "Finished trials of the study '" + s.name() + "' of Optuna"
                                        + (studies > 1 ? ", one of " + studies + " in this storage." : "."),
                                new ReplayMapping.Rows(null, List.of(), where),
                                new ReplayMapping.Knobs(List.copyOf(s.knobs()), List.of(), List.of(), s.scales()),
                                metrics,
                                List.of(new ReplayMapping.Stage(
                                        "trial", "first(`" + SECONDS + "`, 0)", null, formulas)),
                                new LinkedHashMap<>(),
                                List.copyOf(s.goals().keySet()))));
    }
}
