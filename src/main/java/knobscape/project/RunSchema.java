package knobscape.project;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import knobscape.evaluate.UserError;

/// Tables of [RunStore] and how older ones are brought up to date; the version stands in `user_version`.
final class RunSchema {
    private RunSchema() {
    }

    /// One entry per version: the statements that lead to it from the one before. Entries are only ever added.
    private static final List<List<String>> VERSIONS = List.of(List.of(
            """
            CREATE TABLE runs(
              id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL, kernel TEXT NOT NULL, settings TEXT NOT NULL, knobs TEXT NOT NULL,
              space_size TEXT NOT NULL, source_hash TEXT NOT NULL, info TEXT NOT NULL, objectives TEXT, status TEXT NOT NULL, reason TEXT NOT NULL,
              created TEXT NOT NULL, updated TEXT NOT NULL, command TEXT NOT NULL, program TEXT NOT NULL, step INTEGER NOT NULL DEFAULT -1,
              tool_seconds REAL NOT NULL DEFAULT 0, algorithm_seconds REAL NOT NULL DEFAULT 0, hypervolume REAL, deleted INTEGER NOT NULL DEFAULT 0)""",
            """
            CREATE TABLE designs(
              run INTEGER NOT NULL REFERENCES runs(id), number INTEGER NOT NULL, configuration TEXT NOT NULL,
              PRIMARY KEY(run, number), UNIQUE(run, configuration))""",
            """
            CREATE TABLE proposals(
              run INTEGER NOT NULL REFERENCES runs(id), step INTEGER NOT NULL, position INTEGER NOT NULL, design INTEGER NOT NULL, up_to TEXT NOT NULL,
              acquisition REAL, prediction TEXT NOT NULL, reason TEXT NOT NULL, PRIMARY KEY(run, step, position))""",
            """
            CREATE TABLE evaluations(
              id INTEGER PRIMARY KEY, run INTEGER NOT NULL REFERENCES runs(id), step INTEGER NOT NULL, position INTEGER NOT NULL, design INTEGER NOT NULL,
              fidelity TEXT NOT NULL, rank INTEGER NOT NULL, kind TEXT NOT NULL, metrics TEXT NOT NULL, reason TEXT NOT NULL, cost REAL NOT NULL,
              toolchain TEXT NOT NULL, version TEXT NOT NULL, seed INTEGER NOT NULL, source TEXT NOT NULL, arrived TEXT NOT NULL)""",
            "CREATE INDEX evaluations_of_run ON evaluations(run, step, position)",
            """
            CREATE TABLE steps(
              run INTEGER NOT NULL REFERENCES runs(id), step INTEGER NOT NULL, state TEXT NOT NULL, hypervolume REAL, front_size INTEGER NOT NULL,
              tool_seconds REAL NOT NULL, algorithm_seconds REAL NOT NULL, PRIMARY KEY(run, step))""",
            """
            CREATE TABLE events(
              id INTEGER PRIMARY KEY, run INTEGER NOT NULL REFERENCES runs(id), at TEXT NOT NULL, text TEXT NOT NULL)""",
            "CREATE INDEX events_of_run ON events(run)"),
            List.of("ALTER TABLE steps ADD COLUMN diagnostics TEXT NOT NULL DEFAULT ''"));

    /// From this version on, older tables can be read as they are: later versions only added columns that a reader can do without.
    private static final int READABLE = 1;

    /// Brings the tables to the newest version; throws [UserError] where they are newer than this program.
    static void upgrade(Connection connection, Path file) {
        try {
            int version = version(connection);
            refuseNewer(version, file);
            while (version < VERSIONS.size()) {
                connection.setAutoCommit(false);
                try (var s = connection.createStatement()) {
                    for (String sql : VERSIONS.get(version)) {
                        s.execute(sql);
                    }
                    version++;
                    s.execute("PRAGMA user_version=" + version);
                    connection.commit();
                } catch (SQLException e) {
                    connection.rollback();
                    throw e;
                } finally {
                    connection.setAutoCommit(true);
                }
            }
        } catch (SQLException e) {
            throw unreadable(file, e);
        }
    }

    /// Makes sure that the tables can be read as they are.
    static void check(Connection connection, Path file) {
        try {
            int version = version(connection);
            refuseNewer(version, file);
            if (version < READABLE) {
                throw StoreProblem.damaged(file, new SQLException("it has no tables"));
            }
        } catch (SQLException e) {
            throw unreadable(file, e);
        }
    }

    private static UserError unreadable(Path file, SQLException e) {
        return StoreProblem.of("Cannot read the runs in", file, e);
    }

    private static int version(Connection connection) throws SQLException {
        try (var s = connection.createStatement(); var r = s.executeQuery("PRAGMA user_version")) {
            return r.getInt(1);
        }
    }

    private static void refuseNewer(int version, Path file) {
        if (version > VERSIONS.size()) {
            throw new UserError("The runs in " + file + " were made by a newer Knobscape (format " + version + ", this program reads up to " + VERSIONS.size()
                    + "); install a newer Knobscape to open them.");
        }
    }
}
