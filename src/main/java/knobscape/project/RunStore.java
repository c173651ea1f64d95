package knobscape.project;

import java.math.BigInteger;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import knobscape.evaluate.Evaluation;
import knobscape.evaluate.EvaluatorInfo;
import knobscape.evaluate.Fidelity;
import knobscape.evaluate.Provenance;
import knobscape.evaluate.UserError;
import knobscape.explore.Answer;
import knobscape.explore.Objectives;
import knobscape.explore.PastAnswers;
import knobscape.explore.Prediction;
import knobscape.explore.Proposal;
import knobscape.space.Configuration;
import knobscape.space.KnobSet;
import tools.jackson.core.JacksonException;

/// The runs of a project: one SQLite file in write-ahead mode. Every evaluation is committed when it arrives; a process killed at any moment loses at most
/// what was in flight. (A power failure may lose the last commits, never the file: `synchronous` is NORMAL.)
///
/// Thread-safe; calls wait for one another. One process writes (see [Project#lock()]), any number may read.
public final class RunStore implements AutoCloseable {
    /// Name of the file in the project folder.
    public static final String FILE_NAME = "runs.db";

    private final Path file;
    private final Connection connection;
    private final boolean writable;

    private RunStore(Path file, Connection connection, boolean writable) {
        this.file = file;
        this.connection = connection;
        this.writable = writable;
    }

    /// Opens the store of a folder, making or upgrading it where needed, and marks runs left behind by a killed process as interrupted. The caller holds
    /// the project's lock.
    static RunStore openForWriting(Path folder) {
        var store = new RunStore(folder.resolve(FILE_NAME), connect(folder.resolve(FILE_NAME), true), true);
        try {
            RunSchema.upgrade(store.connection, store.file);
            store.change("UPDATE runs SET status='INTERRUPTED' WHERE status='RUNNING'");
            store.purge();
            return store;
        } catch (RuntimeException e) {
            store.close();
            throw e;
        }
    }

    /// Opens an existing store for reading.
    static RunStore openReadOnly(Path folder) {
        var store = new RunStore(folder.resolve(FILE_NAME), connect(folder.resolve(FILE_NAME), false), false);
        try {
            RunSchema.check(store.connection, store.file);
            return store;
        } catch (RuntimeException e) {
            store.close();
            throw e;
        }
    }

    private static Connection connect(Path file, boolean write) {
        try {
            // A reader of a write-ahead store needs to write its index, so read-only is our own promise, not SQLite's flag.
            Connection c = DriverManager.getConnection("jdbc:sqlite:" + file);
            try (var s = c.createStatement()) {
                s.execute("PRAGMA busy_timeout=10000");
                if (write) {
                    s.execute("PRAGMA journal_mode=WAL");
                    s.execute("PRAGMA synchronous=NORMAL");
                }
                s.execute("PRAGMA foreign_keys=ON");
            }
            return c;
        } catch (SQLException e) {
            throw StoreProblem.of("Cannot open the runs in", file, e);
        }
    }

    /// All runs, oldest first.
    public synchronized List<RunRecord> list() {
        return query("SELECT * FROM runs WHERE deleted=0 ORDER BY id", List.of(), this::record);
    }

    /// The run numbered `id`, if there is one.
    public synchronized Optional<RunRecord> find(long id) {
        return query("SELECT * FROM runs WHERE deleted=0 AND id=?", List.of(id), this::record).stream().findFirst();
    }

    /// The newest run, if there is one.
    public synchronized Optional<RunRecord> newest() {
        return query("SELECT * FROM runs WHERE deleted=0 ORDER BY id DESC LIMIT 1", List.of(), this::record).stream().findFirst();
    }

    /// Everything stored of one run; throws [UserError] where there is none of that number.
    public synchronized RunResults results(long id) {
        RunRecord run = find(id).orElseThrow(() -> new UserError("There is no run " + id + " in " + file.getParent() + "."));
        var configurations = configurations(run);
        var newest = new TreeMap<Integer, TreeMap<Integer, Evaluation>>();
        query("SELECT * FROM evaluations WHERE run=? ORDER BY id", List.of(id), r -> {
            newest.computeIfAbsent(r.getInt("design"), d -> new TreeMap<>()).put(r.getInt("rank"), evaluation(r, configurations.get(r.getInt("design"))));
            return r;
        });
        record Origin(int step, String reason, Optional<Prediction> prediction) { }
        var origins = new LinkedHashMap<Integer, Origin>();
        query("SELECT design, step, reason, prediction FROM proposals WHERE run=? ORDER BY step, position", List.of(id), r -> {
            var fresh = new Origin(r.getInt(2), r.getString(3), StoredForms.prediction(r.getString(4)));
            return origins.merge(r.getInt(1), fresh, (a, b) -> new Origin(a.step(), a.reason(), b.prediction().isPresent() ? b.prediction() : a.prediction()));
        });
        var designs = new ArrayList<Design>();
        configurations.forEach((number, configuration) -> {
            Origin o = origins.getOrDefault(number, new Origin(0, "", Optional.empty()));
            designs.add(new Design(number, configuration, List.copyOf(newest.getOrDefault(number, new TreeMap<>()).values()), o.step(), o.reason(), o.prediction()));
        });
        List<RunResults.TracePoint> trace = query("SELECT * FROM steps WHERE run=? ORDER BY step", List.of(id), r -> new RunResults.TracePoint(r.getInt("step"),
                number(r, "hypervolume"), r.getInt("front_size"), r.getDouble("tool_seconds"), r.getDouble("algorithm_seconds"), StoredForms.diagnostics(optional(r, "diagnostics"))));
        List<RunResults.LogLine> events = query("SELECT at, text FROM events WHERE run=? ORDER BY id", List.of(id),
                r -> new RunResults.LogLine(Instant.parse(r.getString(1)), r.getString(2)));
        return new RunResults(run, designs, trace, events);
    }

    /// What a resumed run needs.
    synchronized PastAnswers past(RunRecord run) {
        var configurations = configurations(run);
        record Place(int step, int position) { }
        var evaluations = new TreeMap<Place, List<Evaluation>>(java.util.Comparator.comparingInt(Place::step).thenComparingInt(Place::position));
        query("SELECT * FROM evaluations WHERE run=? ORDER BY id", List.of(run.id()), r -> evaluations
                .computeIfAbsent(new Place(r.getInt("step"), r.getInt("position")), p -> new ArrayList<>()).add(evaluation(r, configurations.get(r.getInt("design")))));
        var answers = new ArrayList<Answer>();
        query("SELECT * FROM proposals WHERE run=? ORDER BY step, position", List.of(run.id()), r -> {
            var place = new Place(r.getInt("step"), r.getInt("position"));
            if (evaluations.containsKey(place)) {
                var proposal = new Proposal(configurations.get(r.getInt("design")), run.info().fidelity(r.getString("up_to")), number(r, "acquisition"),
                        StoredForms.prediction(r.getString("prediction")), r.getString("reason"));
                answers.add(new Answer(place.step(), place.position(), proposal, evaluations.get(place)));
            }
            return place;
        });
        var last = query("SELECT step, state, algorithm_seconds FROM steps WHERE run=? ORDER BY step DESC LIMIT 1", List.of(run.id()),
                r -> new PastAnswers(answers, r.getInt(1), r.getString(2), r.getDouble(3)));
        return last.isEmpty() ? new PastAnswers(answers, -1, "", 0) : last.getFirst();
    }

    /// Makes a run and gives its number.
    synchronized long create(WorkSettings work, RunSettings settings, KnobSet knobs, BigInteger spaceSize, String sourceHash, EvaluatorInfo info, String command,
            String program, Clock clock) {
        String now = clock.instant().toString();
        change("INSERT INTO runs(name, kernel, settings, knobs, space_size, source_hash, info, status, reason, created, updated, command, program) "
                + "VALUES ('',?,?,?,?,?,?,'RUNNING','',?,?,?,?)", StoredForms.work(work), StoredForms.write(settings), StoredForms.knobs(knobs),
                spaceSize.toString(), sourceHash, StoredForms.write(info), now, now, command, program);
        return query("SELECT last_insert_rowid()", List.of(), r -> r.getLong(1)).getFirst();
    }

    /// Changes the settings of a run that goes on (more steps).
    synchronized void settings(long id, RunSettings settings, String command) {
        change("UPDATE runs SET settings=?, command=? WHERE id=?", StoredForms.write(settings), command, id);
    }

    /// Notes how a run stands.
    synchronized void status(long id, RunStatus status, String reason, Instant now) {
        change("UPDATE runs SET status=?, reason=?, updated=? WHERE id=?", status.name(), reason, now.toString(), id);
    }

    synchronized void objectives(long id, Objectives objectives) {
        change("UPDATE runs SET objectives=? WHERE id=?", StoredForms.write(objectives), id);
    }

    /// Stores that a proposal goes out, and gives the number of its design. A proposal asked again after an interruption keeps its place and number.
    synchronized int proposed(long id, int step, int position, Proposal p) {
        return transaction(() -> {
            String text = p.configuration().text();
            var known = query("SELECT number FROM designs WHERE run=? AND configuration=?", List.of(id, text), r -> r.getInt(1));
            int number;
            if (known.isEmpty()) {
                number = query("SELECT coalesce(max(number),0)+1 FROM designs WHERE run=?", List.of(id), r -> r.getInt(1)).getFirst();
                change("INSERT INTO designs(run, number, configuration) VALUES (?,?,?)", id, number, text);
            } else {
                number = known.getFirst();
            }
            change("INSERT OR REPLACE INTO proposals(run, step, position, design, up_to, acquisition, prediction, reason) VALUES (?,?,?,?,?,?,?,?)", id, step, position,
                    number, p.upTo().name(), finite(p.acquisition()), StoredForms.prediction(p.prediction()), p.reason());
            return number;
        });
    }

    /// Where a proposal of a step that was interrupted had been stored, if it had.
    synchronized List<Integer> places(long id, int step) {
        return query("SELECT position FROM evaluations WHERE run=? AND step=? GROUP BY position", List.of(id, step), r -> r.getInt(1));
    }

    /// Commits what came back for one proposal.
    synchronized void evaluated(long id, int step, int position, int design, List<Evaluation> evaluations, double toolSeconds, Instant now) {
        transaction(() -> {
            for (Evaluation e : evaluations) {
                Provenance p = e.provenance();
                change("INSERT INTO evaluations(run, step, position, design, fidelity, rank, kind, metrics, reason, cost, toolchain, version, seed, source, arrived) "
                        + "VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)", id, step, position, design, e.fidelity().name(), e.fidelity().rank(), StoredForms.kind(e.outcome()),
                        StoredForms.metrics(e.outcome()), StoredForms.reason(e.outcome()), e.costSeconds(), p.toolchain(), p.version(), p.seed(), p.source().name(),
                        now.toString());
            }
            change("UPDATE runs SET updated=?, tool_seconds=? WHERE id=?", now.toString(), toolSeconds, id);
            return design;
        });
    }

    /// Commits a completed step.
    synchronized void stepDone(long id, RunResults.TracePoint point, String state, Instant now) {
        transaction(() -> {
            change("INSERT OR REPLACE INTO steps(run, step, state, hypervolume, front_size, tool_seconds, algorithm_seconds, diagnostics) VALUES (?,?,?,?,?,?,?,?)", id,
                    point.step(), state, finite(point.hypervolume()), point.frontSize(), point.toolSeconds(), point.algorithmSeconds(), StoredForms.diagnostics(point.diagnostics()));
            change("UPDATE runs SET step=?, hypervolume=?, algorithm_seconds=?, updated=? WHERE id=?", point.step(), finite(point.hypervolume()), point.algorithmSeconds(),
                    now.toString(), id);
            return id;
        });
    }

    /// Adds a line to a run's log.
    synchronized void log(long id, String text, Instant now) {
        change("INSERT INTO events(run, at, text) VALUES (?,?,?)", id, now.toString(), text);
    }

    /// Gives a run a name; an empty one takes it away.
    public synchronized void rename(long id, String name) {
        change("UPDATE runs SET name=? WHERE id=?", name.strip(), id);
    }

    /// Hides a run; it is really removed when the project is next opened for writing, until then [#undelete] brings it back.
    public synchronized void delete(long id) {
        change("UPDATE runs SET deleted=1 WHERE id=?", id);
    }

    /// Takes a deletion back.
    public synchronized void undelete(long id) {
        change("UPDATE runs SET deleted=0 WHERE id=?", id);
    }

    private void purge() {
        transaction(() -> {
            for (String table : List.of("events", "steps", "evaluations", "proposals", "designs")) {
                change("DELETE FROM " + table + " WHERE run IN (SELECT id FROM runs WHERE deleted=1)");
            }
            change("DELETE FROM runs WHERE deleted=1");
            return 0;
        });
    }

    private Map<Integer, Configuration> configurations(RunRecord run) {
        var all = new LinkedHashMap<Integer, Configuration>();
        query("SELECT number, configuration FROM designs WHERE run=? ORDER BY number", List.of(run.id()),
                r -> all.put(r.getInt(1), Configuration.parse(run.knobs(), r.getString(2))));
        return all;
    }

    private static Evaluation evaluation(ResultSet r, Configuration configuration) throws SQLException {
        return new Evaluation(configuration, new Fidelity(r.getString("fidelity"), r.getInt("rank")),
                StoredForms.outcome(r.getString("kind"), r.getString("metrics"), r.getString("reason")), r.getDouble("cost"), new Provenance(
                        r.getString("toolchain"), r.getString("version"), r.getLong("seed"), Provenance.Source.valueOf(r.getString("source"))));
    }

    private RunRecord record(ResultSet r) throws SQLException {
        String objectives = r.getString("objectives");
        return new RunRecord(r.getLong("id"), r.getString("name"), StoredForms.work(r.getString("kernel")),
                StoredForms.read(r.getString("settings"), RunSettings.class), StoredForms.knobs(r.getString("knobs")), r.getString("space_size"),
                r.getString("source_hash"), StoredForms.read(r.getString("info"), EvaluatorInfo.class),
                objectives == null ? Optional.empty() : Optional.of(StoredForms.read(objectives, Objectives.class)), status(r.getString("status")), r.getString("reason"),
                Instant.parse(r.getString("created")), Instant.parse(r.getString("updated")), r.getString("command"), r.getString("program"), r.getInt("step"),
                r.getDouble("tool_seconds"), r.getDouble("algorithm_seconds"), number(r, "hypervolume"));
    }

    /// A reader sees a run whose process died as interrupted: nobody holds the project any more.
    private RunStatus status(String stored) {
        RunStatus status = RunStatus.valueOf(stored);
        return status == RunStatus.RUNNING && !writable && ProjectLock.holder(file.getParent()).isEmpty() ? RunStatus.INTERRUPTED : status;
    }

    private static Object finite(double value) {
        return Double.isFinite(value) ? (Object) value : Absent.VALUE;
    }

    private static double number(ResultSet r, String column) throws SQLException {
        double v = r.getDouble(column);
        return r.wasNull() ? Double.NaN : v;
    }

    /// The text in a column that tables of an older version do not have.
    private static String optional(ResultSet r, String column) throws SQLException {
        var columns = r.getMetaData();
        for (int i = 1; i <= columns.getColumnCount(); i++) {
            if (columns.getColumnName(i).equals(column)) {
                return r.getString(i);
            }
        }
        return "";
    }

    /// Stands for SQL's NULL.
    private enum Absent { VALUE }

    @FunctionalInterface
    private interface RowReader<T> {
        T read(ResultSet row) throws SQLException;
    }

    private <T> List<T> query(String sql, List<?> arguments, RowReader<T> reader) {
        try (PreparedStatement s = prepare(sql, arguments.toArray()); ResultSet rows = s.executeQuery()) {
            var all = new ArrayList<T>();
            while (rows.next()) {
                all.add(reader.read(rows));
            }
            return all;
        } catch (JacksonException | IllegalArgumentException e) {
            throw StoreProblem.damaged(file, e);
        } catch (SQLException e) {
            throw StoreProblem.of("Cannot read the runs in", file, e);
        }
    }

    private void change(String sql, Object... arguments) {
        if (!writable) {
            throw new IllegalStateException("the store was opened for reading");
        }
        try (PreparedStatement s = prepare(sql, arguments)) {
            s.executeUpdate();
        } catch (SQLException e) {
            throw StoreProblem.of("Cannot store the run in", file, e);
        }
    }

    private PreparedStatement prepare(String sql, Object... arguments) throws SQLException {
        PreparedStatement s = connection.prepareStatement(sql);
        for (int i = 0; i < arguments.length; i++) {
            if (arguments[i] == Absent.VALUE) {
                s.setNull(i + 1, java.sql.Types.REAL);
            } else {
                s.setObject(i + 1, arguments[i]);
            }
        }
        return s;
    }

    private <T> T transaction(java.util.function.Supplier<T> work) {
        try {
            connection.setAutoCommit(false);
            boolean done = false;
            try {
                T result = work.get();
                connection.commit();
                done = true;
                return result;
            } finally {
                if (!done) {
                    connection.rollback();
                }
                connection.setAutoCommit(true);
            }
        } catch (SQLException e) {
            throw StoreProblem.of("Cannot store the run in", file, e);
        }
    }

    @Override
    public synchronized void close() {
        try {
            connection.close();
        } catch (SQLException e) {
            throw StoreProblem.of("Cannot close the runs in", file, e);
        }
    }
}
