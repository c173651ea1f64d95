package knobscape.work.store;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import knobscape.evaluate.TemporaryFiles;
import knobscape.evaluate.UserError;
import org.sqlite.ProgressHandler;
import org.sqlite.SQLiteConnection;
import org.sqlite.SQLiteLimits;

/// A SQLite file with what its users need of SQL. Its failures are sentences for a person. Not thread-safe: its
/// owner lets one call wait for another.
public final class Database implements AutoCloseable {
    /// How long another process is waited for.
    private static final Duration WAIT = Duration.ofSeconds(10);

    /// Longest value of a column in bytes; states of explorers take a few million.
    private static final int LONGEST_VALUE = 256 << 20;
    /// Steps of SQLite's machine between two looks at how many there were.
    private static final int STEPS = 1_000_000;
    /// Of a statement, most of those: some twenty seconds of computing, ten times what the largest runs ask for.
    private static final int MOST_WORK = 2000;

    private static final String OPENING = "Cannot open the runs in";

    private final Path file;
    private final Connection connection;
    private int work;

    private Database(Path file, Connection connection) {
        this.file = file;
        this.connection = connection;
    }

    /// Opens a file in write-ahead mode, made where it does not exist. (A power failure may lose the last
    /// commits, never the file: `synchronous` is NORMAL.)
    public static Database openForWriting(Path file) {
        Database d = connect(file, "");
        try {
            d.writeAhead();
            return d;
        } catch (RuntimeException e) {
            d.close();
            throw e;
        }
    }

    /// Puts the file into write-ahead mode. The switch needs the file alone, and SQLite does not wait for that by
    /// itself: somebody who just looks at the new file would make it fail.
    public void writeAhead() {
        long end = System.nanoTime() + WAIT.toNanos();
        while (!triesWriteAhead(System.nanoTime() >= end)) {
            LockSupport.parkNanos(WAIT.toNanos() / 1000);
        }
        run("PRAGMA synchronous=NORMAL");
    }

    private boolean triesWriteAhead(boolean last) {
        try (var s = connection.createStatement()) {
            s.execute("PRAGMA journal_mode=WAL");
            return true;
        } catch (SQLException e) {
            if (last || !StoreProblem.isBusy(e)) {
                throw StoreProblem.of(OPENING, file, e);
            }
            return false;
        }
    }

    /// Opens an existing file for reading. A reader of a write-ahead file needs to write its index, so
    /// read-only is its owner's promise, not SQLite's flag. Where the folder cannot be written, the file is taken
    /// as one that nobody changes; what its log still holds is read from a copy.
    public static Database open(Path file) {
        return Files.isWritable(file) && Files.isWritable(file.toAbsolutePath().getParent())
                ? connect(file, "")
                : openUnchanged(file);
    }

    /// Opens an existing file for reading without making or changing any file beside it.
    static Database openUnchanged(Path file) {
        Path log = file.resolveSibling(file.getFileName() + "-wal");
        try {
            return Files.exists(log) && Files.size(log) > 0 ? copied(file, log) : connect(file, "?immutable=1");
        } catch (IOException e) {
            throw StoreProblem.of("Cannot read the runs in", file, new SQLException(e));
        }
    }

    private static Database copied(Path file, Path log) throws IOException {
        Path folder = TemporaryFiles.folder("runs");
        Path copy = folder.resolve("runs.db");
        try {
            Files.copy(file, copy);
            Files.copy(log, folder.resolve("runs.db-wal"));
            try (Database d = connect(copy, "")) {
                return new Database(file, d.inMemory().connection);
            }
        } finally {
            for (String name : List.of("runs.db", "runs.db-wal", "runs.db-shm")) {
                Files.deleteIfExists(folder.resolve(name));
            }
            Files.delete(folder);
        }
    }

    private static Database connect(Path file, String options) {
        try {
            // The path goes in as a URI: plain text would have what follows a question mark read as options.
            Database d = new Database(
                    file,
                    DriverManager.getConnection("jdbc:sqlite:" + file.toUri().toASCIIString() + options));
            d.run("PRAGMA busy_timeout=" + WAIT.toMillis());
            // A file may come from anybody: what it holds is data alone, and bounded.
            d.run("PRAGMA trusted_schema=OFF");
            d.limit(MOST_WORK);
            return d;
        } catch (SQLException e) {
            throw StoreProblem.of(OPENING, file, e);
        }
    }

    /// A copy in memory of all that is committed, which may be changed without changing the file.
    private Database inMemory() {
        try {
            byte[] image = connection.unwrap(SQLiteConnection.class).serialize("main");
            // A database in memory has no write-ahead log: these two bytes of the header say whether a file has
            // one.
            image[18] = 1;
            image[19] = 1;
            Connection memory = DriverManager.getConnection("jdbc:sqlite::memory:");
            memory.unwrap(SQLiteConnection.class).deserialize("main", image);
            return new Database(file, memory);
        } catch (SQLException e) {
            throw StoreProblem.of("Cannot read the runs in", file, e);
        }
    }

    /// Bounds values, and the computing of one statement.
    ///
    /// @param mostWork millions of steps of SQLite's machine
    void limit(int mostWork) throws SQLException {
        SQLiteConnection c = connection.unwrap(SQLiteConnection.class);
        c.setLimit(SQLiteLimits.SQLITE_LIMIT_LENGTH, LONGEST_VALUE);
        ProgressHandler.setHandler(connection, STEPS, new ProgressHandler() {
            @Override
            protected int progress() {
                return ++work > mostWork ? 1 : 0;
            }
        });
    }

    /// Throws [UserError] where a name is not that of an ordinary table with these columns.
    public void requireTable(String table, List<String> columns) {
        List<String> kinds = query(
                "SELECT type || CASE WHEN upper(sql) LIKE 'CREATE VIRTUAL%' THEN ' (virtual)' ELSE '' END FROM sqlite_master WHERE name=?",
                r -> r.getString(1), table);
        List<String> there = kinds.equals(List.of("table"))
                ? query("SELECT name FROM pragma_table_xinfo(?) WHERE hidden=0", r -> r.getString(1), table)
                : List.of();
        if (there.size() != columns.size() || !there.containsAll(columns)) {
            throw foreign("its table '" + table + "' is "
                    + (kinds.isEmpty() ? "missing" : there.isEmpty() ? "a " + kinds.getFirst() : "of another shape"));
        }
    }

    /// Throws [UserError] for a file with views, triggers or virtual tables, none of which this program makes.
    public void refuseForeignParts() {
        query(
                        "SELECT type || ' ' || substr(name, 1, 40) FROM sqlite_master WHERE type IN ('view', 'trigger')"
                                + " OR upper(sql) LIKE 'CREATE VIRTUAL%' LIMIT 1",
                        r -> r.getString(1))
                .forEach(part -> {
                    throw foreign("it holds the " + part);
                });
    }

    private UserError foreign(String why) {
        return new UserError(file + " was not made by Knobscape as it is (" + why
                + "), so it is not read; move it away, or put the file of the project back.");
    }

    /// The file.
    public Path file() {
        return file;
    }

    /// Reads one row of an answer.
    ///
    /// @param <T> what a row becomes
    @FunctionalInterface
    public interface RowReader<T> {
        /// Reads the row.
        T read(ResultSet row) throws SQLException;
    }

    /// The rows of a query.
    public <T> List<T> query(String sql, RowReader<T> reader, Object... arguments) {
        return query(sql, reader, Optional.empty(), arguments);
    }

    /// The rows of a query that can be read, up to where the file itself is damaged.
    ///
    /// @param damaged counts what is left out
    public <T> List<T> readable(String sql, RowReader<T> reader, AtomicInteger damaged, Object... arguments) {
        return query(sql, reader, Optional.of(damaged), arguments);
    }

    private <T> List<T> query(String sql, RowReader<T> reader, Optional<AtomicInteger> damaged, Object... arguments) {
        var all = new ArrayList<T>();
        try (PreparedStatement s = prepare(sql, arguments);
                ResultSet rows = s.executeQuery()) {
            while (rows.next()) {
                try {
                    all.add(reader.read(rows));
                } catch (UserError e) {
                    throw e;
                } catch (RuntimeException e) {
                    // A damaged row can hold anything, and so break a reader anywhere.
                    damaged.orElseThrow(() -> StoreProblem.damaged(file, e)).incrementAndGet();
                }
            }
        } catch (SQLException e) {
            if (damaged.isEmpty() || !StoreProblem.isDamage(e)) {
                throw StoreProblem.of("Cannot read the runs in", file, e);
            }
            damaged.get().incrementAndGet();
        }
        return all;
    }

    /// Changes rows. A NaN is stored as NULL.
    public void change(String sql, Object... arguments) {
        try (PreparedStatement s = prepare(sql, arguments)) {
            s.executeUpdate();
        } catch (SQLException e) {
            throw StoreProblem.of("Cannot store the run in", file, e);
        }
    }

    /// Runs a statement without arguments.
    public void run(String sql) {
        work = 0;
        try (var s = connection.createStatement()) {
            s.execute(sql);
        } catch (SQLException e) {
            throw StoreProblem.of(OPENING, file, e);
        }
    }

    private PreparedStatement prepare(String sql, Object... arguments) throws SQLException {
        work = 0;
        PreparedStatement s = connection.prepareStatement(sql);
        for (int i = 0; i < arguments.length; i++) {
            if (arguments[i] instanceof Double d && !Double.isFinite(d)) {
                s.setNull(i + 1, java.sql.Types.REAL);
            } else {
                s.setObject(i + 1, arguments[i]);
            }
        }
        return s;
    }

    /// Does all of `work` or nothing of it.
    public <T> T transaction(Supplier<T> work) {
        try {
            if (!connection.getAutoCommit()) {
                // Part of a larger one.
                return work.get();
            }
            connection.setAutoCommit(false);
            boolean done = false;
            try {
                T result = work.get();
                connection.commit();
                done = true;
                return result;
            } finally {
                end(done);
            }
        } catch (SQLException e) {
            throw StoreProblem.of("Cannot store the run in", file, e);
        }
    }

    private void end(boolean done) throws SQLException {
        try {
            if (!done) {
                connection.rollback();
            }
            connection.setAutoCommit(true);
        } catch (SQLException e) {
            // Where the disk is full, SQLite has rolled back by itself; the first failure is the one to report.
            if (done) {
                throw e;
            }
        }
    }

    /// The version of its tables, `user_version`.
    public int version() {
        return query("PRAGMA user_version", r -> r.getInt(1)).getFirst();
    }

    /// The number in a column, NaN for NULL.
    public static double number(ResultSet r, String column) throws SQLException {
        double v = r.getDouble(column);
        return r.wasNull() ? Double.NaN : v;
    }

    @Override
    public void close() {
        try {
            connection.close();
        } catch (SQLException e) {
            throw StoreProblem.of("Cannot close the runs in", file, e);
        }
    }

    /// Throws the sentence for tables that only a newer program knows.
    public void refuseNewerThan(int known) {
        if (version() > known) {
            throw new UserError("The runs in " + file + " were made by a newer Knobscape (format " + version()
                    + ", this program reads up to " + known + "); install a newer Knobscape to open them.");
        }
    }
}
