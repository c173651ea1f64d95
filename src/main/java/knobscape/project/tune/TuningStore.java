package knobscape.project.tune;

import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import knobscape.evaluate.Evaluation;
import knobscape.evaluate.Fidelity;
import knobscape.evaluate.Provenance;
import knobscape.evaluate.UserError;
import knobscape.gpu.search.TaskSearch;
import knobscape.project.RunStatus;
import knobscape.project.StoreProblem;
import knobscape.project.StoredForms;
import knobscape.space.Configuration;
import knobscape.space.KnobSet;
import tools.jackson.core.JacksonException;

/// The tuning runs of a folder: one SQLite file in write-ahead mode. Every measurement is committed when it arrives, so that a process killed at any moment loses what was in
/// flight and no more. The same file is the history that transfer learns from. Thread-safe; calls wait for one another.
public final class TuningStore implements AutoCloseable {
    /// Name of the file in the folder.
    public static final String FILE_NAME = "tuning.db";
    private static final int VERSION = 2;
    private static final int OLD_ROUND = 64;

    private final Path file;
    private final Connection connection;

    /// A stored run.
    ///
    /// @param id number in its store, from 1
    /// @param settings how
    /// @param hash of what is tuned
    /// @param status how it stands
    /// @param reason why it ended, empty while it has not
    /// @param algorithmSeconds time of the searches themselves
    public record Tuning(long id, TuneSettings settings, String hash, RunStatus status, String reason, double algorithmSeconds) { }

    /// A measurement with its place.
    ///
    /// @param kernel index of the kernel
    /// @param step of its search, [TaskSearch#KNOWN] where it is none of the run's own
    /// @param number of the measurement in its kernel, from 1
    /// @param evaluation what came back
    public record Row(int kernel, int step, int number, Evaluation evaluation) { }

    /// A measurement of a best schedule with another tail than that of the search.
    ///
    /// @param tail [knobscape.gpu.space.template.Epilogue#id()]
    /// @param best the best configuration of the search at that time; the one measured unless that one failed
    /// @param evaluation what came back
    public record TailRow(String tail, Configuration best, Evaluation evaluation) { }

    /// Opens or makes the store of a folder; one of an earlier version is brought up to date. Throws [UserError] where that cannot be done.
    public TuningStore(Path folder) {
        this.file = folder.resolve(FILE_NAME);
        try {
            connection = DriverManager.getConnection("jdbc:sqlite:" + file);
            run("PRAGMA busy_timeout=10000");
            run("PRAGMA journal_mode=WAL");
            run("PRAGMA synchronous=NORMAL");
            int version = query("PRAGMA user_version", r -> r.getInt(1)).getFirst();
            if (version > VERSION) {
                connection.close();
                throw new UserError(file + " was written by a newer program; use that one, or name another folder with --out.");
            }
            if (version == 0) {
                schema();
            } else if (version < VERSION) {
                guarded(() -> {
                    upgrade();
                    return true;
                });
            }
        } catch (SQLException e) {
            throw StoreProblem.of("Cannot open the tuning runs in", file, e);
        }
    }

    private void schema() throws SQLException {
        run("""
            CREATE TABLE tunings(id INTEGER PRIMARY KEY AUTOINCREMENT, settings TEXT NOT NULL, hash TEXT NOT NULL, status TEXT NOT NULL, reason TEXT NOT NULL, created TEXT NOT NULL,
              updated TEXT NOT NULL, algorithm_seconds REAL NOT NULL DEFAULT 0)""");
        run("""
            CREATE TABLE kernels(tuning INTEGER NOT NULL REFERENCES tunings, kernel INTEGER NOT NULL, task TEXT NOT NULL, id TEXT NOT NULL, count INTEGER NOT NULL,
              flops INTEGER NOT NULL, knobs TEXT NOT NULL, step INTEGER NOT NULL DEFAULT -1, state TEXT NOT NULL DEFAULT '',
              rounds TEXT NOT NULL DEFAULT '', PRIMARY KEY(tuning, kernel))""");
        run("""
            CREATE TABLE measurements(id INTEGER PRIMARY KEY AUTOINCREMENT, tuning INTEGER NOT NULL REFERENCES tunings, kernel INTEGER NOT NULL, step INTEGER NOT NULL,
              number INTEGER NOT NULL, configuration TEXT NOT NULL, kind TEXT NOT NULL, metrics TEXT NOT NULL, reason TEXT NOT NULL, cost REAL NOT NULL, toolchain TEXT NOT NULL,
              version TEXT NOT NULL, seed INTEGER NOT NULL, source TEXT NOT NULL, arrived TEXT NOT NULL)""");
        run("CREATE INDEX measurements_of ON measurements(tuning, kernel, id)");
        tailsTable();
        run("PRAGMA user_version=" + VERSION);
    }

    private void tailsTable() throws SQLException {
        run("""
            CREATE TABLE tails(id INTEGER PRIMARY KEY AUTOINCREMENT, tuning INTEGER NOT NULL REFERENCES tunings, kernel INTEGER NOT NULL, tail TEXT NOT NULL, best TEXT NOT NULL,
              configuration TEXT NOT NULL, kind TEXT NOT NULL, metrics TEXT NOT NULL, reason TEXT NOT NULL, cost REAL NOT NULL, toolchain TEXT NOT NULL, version TEXT NOT NULL,
              seed INTEGER NOT NULL, source TEXT NOT NULL, arrived TEXT NOT NULL)""");
    }

    /// Stores of version 1 have no tails, and the oldest of them did not note where the scheduler's rounds ended; rounds were of 64 measurements then.
    private void upgrade() throws SQLException {
        if (query("SELECT count(*) FROM pragma_table_info('kernels') WHERE name='rounds'", r -> r.getInt(1)).getFirst() == 0) {
            run("ALTER TABLE kernels ADD COLUMN rounds TEXT NOT NULL DEFAULT ''");
            record Count(long tuning, int kernel, int measurements) { }
            for (Count c : query("SELECT tuning, kernel, count(*) FROM measurements GROUP BY tuning, kernel", r -> new Count(r.getLong(1), r.getInt(2), r.getInt(3)))) {
                String ends = IntStream.rangeClosed(1, c.measurements / OLD_ROUND).mapToObj(i -> Integer.toString(OLD_ROUND * i)).collect(Collectors.joining(","));
                change("UPDATE kernels SET rounds=? WHERE tuning=? AND kernel=?", ends, c.tuning, c.kernel);
            }
        }
        tailsTable();
        run("PRAGMA user_version=" + VERSION);
    }

    /// Makes a run and gives its number.
    public synchronized long create(TuneSettings settings, TuningTarget target, Instant now) {
        return guarded(() -> {
            change("INSERT INTO tunings(settings, hash, status, reason, created, updated) VALUES (?,?,?,'',?,?)", StoredForms.write(settings), target.hash(),
                    RunStatus.RUNNING.name(), now.toString(), now.toString());
            long id = query("SELECT last_insert_rowid()", r -> r.getLong(1)).getFirst();
            for (int k = 0; k < target.kernels().size(); k++) {
                var kernel = target.kernels().get(k);
                change("INSERT INTO kernels(tuning, kernel, task, id, count, flops, knobs) VALUES (?,?,?,?,?,?,?)", id, k, kernel.task(), kernel.id(), kernel.count(), kernel.flops(),
                        StoredForms.knobs(kernel.space().knobs()));
            }
            return id;
        });
    }

    /// Commits a measurement.
    public synchronized void add(long tuning, int kernel, TaskSearch.Answer answer, Instant now) {
        Evaluation e = answer.evaluation();
        Provenance p = e.provenance();
        guarded(() -> change("INSERT INTO measurements(tuning, kernel, step, number, configuration, kind, metrics, reason, cost, toolchain, version, seed, source, arrived) "
                + "VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?)", tuning, kernel, answer.step(), answer.number(), e.configuration().text(), StoredForms.kind(e.outcome()),
                StoredForms.metrics(e.outcome()), StoredForms.reason(e.outcome()), e.costSeconds(), p.toolchain(), p.version(), p.seed(), p.source().name(), now.toString()));
    }

    /// Commits a completed step of a kernel's search.
    public synchronized void stepDone(long tuning, int kernel, int step, String state, double algorithmSeconds) {
        guarded(() -> {
            change("UPDATE kernels SET step=?, state=? WHERE tuning=? AND kernel=?", step, state, tuning, kernel);
            return change("UPDATE tunings SET algorithm_seconds=? WHERE id=?", algorithmSeconds, tuning);
        });
    }

    /// Commits where the scheduler's rounds of a kernel ended.
    ///
    /// @param ends measurements of the kernel at the end of each round
    public synchronized void rounds(long tuning, int kernel, List<Integer> ends) {
        String text = ends.stream().map(String::valueOf).collect(Collectors.joining(","));
        guarded(() -> change("UPDATE kernels SET rounds=? WHERE tuning=? AND kernel=?", text, tuning, kernel));
    }

    /// Where the scheduler's rounds of a kernel ended.
    public synchronized List<Integer> rounds(long tuning, int kernel) {
        String text = guarded(() -> query("SELECT rounds FROM kernels WHERE tuning=? AND kernel=?", r -> r.getString(1), tuning, kernel)).getFirst();
        return text.isEmpty() ? List.of() : Arrays.stream(text.split(",")).map(Integer::valueOf).toList();
    }

    /// Notes how a run stands.
    public synchronized void status(long tuning, RunStatus status, String reason, Instant now) {
        guarded(() -> change("UPDATE tunings SET status=?, reason=?, updated=? WHERE id=?", status.name(), reason, now.toString(), tuning));
    }

    /// Changes the budget of a run that goes on.
    public synchronized void settings(long tuning, TuneSettings settings) {
        guarded(() -> change("UPDATE tunings SET settings=? WHERE id=?", StoredForms.write(settings), tuning));
    }

    /// Whether a folder has tuning runs.
    public static boolean isIn(Path folder) {
        return Files.isRegularFile(folder.resolve(FILE_NAME));
    }

    /// How many measurements a run has, without what it knew before.
    public synchronized long measurements(long tuning) {
        return guarded(() -> query("SELECT count(*) FROM measurements WHERE tuning=? AND step<>?", r -> r.getLong(1), tuning, TaskSearch.KNOWN)).getFirst();
    }

    /// All runs, oldest first.
    public synchronized List<Tuning> list() {
        return guarded(() -> query("SELECT * FROM tunings ORDER BY id", r -> new Tuning(r.getLong("id"), StoredForms.read(r.getString("settings"), TuneSettings.class),
                r.getString("hash"), RunStatus.valueOf(r.getString("status")), r.getString("reason"), r.getDouble("algorithm_seconds"))));
    }

    /// The run numbered `id`, the newest where none is named. Throws [UserError] where there is none.
    public synchronized Tuning find(Optional<Long> id) {
        List<Tuning> all = list();
        return all.reversed().stream().filter(t -> id.isEmpty() || t.id == id.get()).findFirst()
                .orElseThrow(() -> new UserError("There is no tuning run" + id.map(n -> " " + n).orElse("") + " in " + file.toAbsolutePath().getParent() + "."));
    }

    /// Every measurement of one kernel of a run, in order of arrival.
    public synchronized List<Row> rows(long tuning, int kernel, TuningTarget target) {
        var knobs = target.kernels().get(kernel).space().knobs();
        return guarded(() -> query("SELECT * FROM measurements WHERE tuning=? AND kernel=? ORDER BY id",
                r -> new Row(kernel, r.getInt("step"), r.getInt("number"), evaluation(knobs, r)), tuning, kernel));
    }

    /// Commits a measurement of a best schedule with another tail.
    synchronized void addTail(long tuning, int kernel, String tail, Configuration best, Evaluation e, Instant now) {
        Provenance p = e.provenance();
        guarded(() -> change("INSERT INTO tails(tuning, kernel, tail, best, configuration, kind, metrics, reason, cost, toolchain, version, seed, source, arrived) "
                + "VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?)", tuning, kernel, tail, best.text(), e.configuration().text(), StoredForms.kind(e.outcome()), StoredForms.metrics(e.outcome()),
                StoredForms.reason(e.outcome()), e.costSeconds(), p.toolchain(), p.version(), p.seed(), p.source().name(), now.toString()));
    }

    /// The measurements of best schedules of one kernel with other tails, in order of arrival.
    public synchronized List<TailRow> tails(long tuning, int kernel, TuningTarget target) {
        var knobs = target.kernels().get(kernel).space().knobs();
        return guarded(() -> query("SELECT * FROM tails WHERE tuning=? AND kernel=? ORDER BY id",
                r -> new TailRow(r.getString("tail"), Configuration.parse(knobs, r.getString("best")), evaluation(knobs, r)), tuning, kernel));
    }

    private static Evaluation evaluation(KnobSet knobs, ResultSet r) throws SQLException {
        return new Evaluation(Configuration.parse(knobs, r.getString("configuration")), new Fidelity("run", 0),
                StoredForms.outcome(r.getString("kind"), r.getString("metrics"), r.getString("reason")), r.getDouble("cost"),
                new Provenance(r.getString("toolchain"), r.getString("version"), r.getLong("seed"), Provenance.Source.valueOf(r.getString("source"))));
    }

    /// What a kernel's search needs to go on.
    public synchronized TaskSearch.Past past(long tuning, int kernel, TuningTarget target) {
        List<TaskSearch.Past.Stored> stored = rows(tuning, kernel, target).stream().map(r -> new TaskSearch.Past.Stored(r.step, r.evaluation)).toList();
        return guarded(() -> query("SELECT step, state FROM kernels WHERE tuning=? AND kernel=?", r -> new TaskSearch.Past(stored, r.getInt(1), r.getString(2)), tuning, kernel)).getFirst();
    }

    @FunctionalInterface
    private interface Work<T> {
        T get() throws SQLException;
    }

    private <T> T guarded(Work<T> work) {
        try {
            boolean outer = connection.getAutoCommit();
            connection.setAutoCommit(false);
            try {
                T result = work.get();
                if (outer) {
                    connection.commit();
                }
                return result;
            } catch (SQLException | RuntimeException e) {
                connection.rollback();
                throw e;
            } finally {
                connection.setAutoCommit(outer);
            }
        } catch (SQLException e) {
            throw StoreProblem.of("Cannot use the tuning runs in", file, e);
        }
    }

    private void run(String sql) throws SQLException {
        try (var s = connection.createStatement()) {
            s.execute(sql);
        }
    }

    private int change(String sql, Object... values) throws SQLException {
        try (PreparedStatement s = connection.prepareStatement(sql)) {
            bind(s, values);
            return s.executeUpdate();
        }
    }

    @FunctionalInterface
    private interface RowReader<T> {
        T read(ResultSet r) throws SQLException;
    }

    private <T> List<T> query(String sql, RowReader<T> reader, Object... values) throws SQLException {
        try (PreparedStatement s = connection.prepareStatement(sql)) {
            bind(s, values);
            var all = new ArrayList<T>();
            try (ResultSet r = s.executeQuery()) {
                while (r.next()) {
                    all.add(reader.read(r));
                }
            } catch (JacksonException | IllegalArgumentException e) {
                throw StoreProblem.damaged(file, e);
            }
            return all;
        }
    }

    private static void bind(PreparedStatement s, Object[] values) throws SQLException {
        for (int i = 0; i < values.length; i++) {
            s.setObject(i + 1, values[i]);
        }
    }

    @Override
    public synchronized void close() {
        try {
            connection.close();
        } catch (SQLException e) {
            throw StoreProblem.of("Cannot close the tuning runs in", file, e);
        }
    }
}
