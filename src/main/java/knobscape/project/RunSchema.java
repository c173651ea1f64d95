package knobscape.project;

import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.regex.Pattern;
import knobscape.evaluate.UserError;
import knobscape.work.store.Database;
import knobscape.work.store.StoreProblem;

/// Tables of [RunStore]; their version stands in `user_version`.
///
/// A run has subjects; designs, proposals, evaluations and steps belong to one of them. `sequence`, `asked`,
/// `sent` and `done` are drawn from one counter of the run, so that everything that happened has its place in
/// one order. A step of -1 holds what was known before the search began; the one proposal of a step of a
/// population search stands for one of its evaluations.
final class RunSchema {
    private static final int VERSION = 3;
    private static final List<String> TABLES = List.of("""
            CREATE TABLE runs(
              id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL, kernel TEXT NOT NULL, settings TEXT NOT NULL, source_hash TEXT NOT NULL, status TEXT NOT NULL,
              reason TEXT NOT NULL, created TEXT NOT NULL, updated TEXT NOT NULL, command TEXT NOT NULL, program TEXT NOT NULL, step INTEGER NOT NULL DEFAULT -1,
              tool_seconds REAL NOT NULL DEFAULT 0, algorithm_seconds REAL NOT NULL DEFAULT 0, hypervolume REAL, deleted INTEGER NOT NULL DEFAULT 0,
              results TEXT NOT NULL DEFAULT '')""", """
            CREATE TABLE subjects(
              run INTEGER NOT NULL REFERENCES runs(id), number INTEGER NOT NULL, name TEXT NOT NULL, weight REAL NOT NULL, knobs TEXT NOT NULL,
              space_size TEXT NOT NULL, info TEXT NOT NULL, objectives TEXT, PRIMARY KEY(run, number))""", """
            CREATE TABLE designs(
              run INTEGER NOT NULL REFERENCES runs(id), number INTEGER NOT NULL, subject INTEGER NOT NULL, configuration TEXT NOT NULL,
              PRIMARY KEY(run, number))""", """
            CREATE TABLE proposals(
              run INTEGER NOT NULL REFERENCES runs(id), subject INTEGER NOT NULL, step INTEGER NOT NULL, position INTEGER NOT NULL, design INTEGER NOT NULL,
              up_to TEXT NOT NULL, acquisition REAL, prediction TEXT NOT NULL, reason TEXT NOT NULL, sent INTEGER, PRIMARY KEY(run, subject, step, position))""", """
            CREATE TABLE evaluations(
              id INTEGER PRIMARY KEY, run INTEGER NOT NULL REFERENCES runs(id), subject INTEGER NOT NULL, step INTEGER NOT NULL, position INTEGER NOT NULL,
              design INTEGER NOT NULL, attempt INTEGER NOT NULL, sequence INTEGER NOT NULL, fidelity TEXT NOT NULL, rank INTEGER NOT NULL, kind TEXT NOT NULL,
              metrics TEXT NOT NULL, reason TEXT NOT NULL, cost REAL NOT NULL, toolchain TEXT NOT NULL, version TEXT NOT NULL, seed INTEGER NOT NULL, source TEXT NOT NULL,
              arrived TEXT NOT NULL)""", """
            CREATE TABLE steps(
              run INTEGER NOT NULL REFERENCES runs(id), subject INTEGER NOT NULL, step INTEGER NOT NULL, asked INTEGER NOT NULL, state TEXT NOT NULL,
              diagnostics TEXT NOT NULL, algorithm_seconds REAL NOT NULL, done INTEGER, hypervolume REAL, front_size INTEGER NOT NULL DEFAULT 0,
              tool_seconds REAL NOT NULL DEFAULT 0, PRIMARY KEY(run, subject, step))""", """
            CREATE TABLE events(
              id INTEGER PRIMARY KEY, run INTEGER NOT NULL REFERENCES runs(id), at TEXT NOT NULL, text TEXT NOT NULL)""");
    private static final List<String> INDICES = List.of(
            "CREATE INDEX events_of_run ON events(run)",
            "CREATE INDEX evaluations_of_design ON evaluations(run, design, rank)");
    /// Name of the table and the columns of its statement; what follows the columns begins with a word in capitals.
    private static final Pattern TABLE = Pattern.compile("CREATE TABLE (\\w+)\\((.*)\\)", Pattern.DOTALL);

    private RunSchema() {}

    /// Makes the tables in an empty file. Throws [UserError] where they are of another version or are not the program's
    /// own.
    static void prepare(Database db) {
        boolean empty =
                db.query("SELECT count(*) FROM sqlite_master", r -> r.getInt(1)).getFirst() == 0;
        if (empty && db.version() == 0) {
            db.transaction(() -> {
                TABLES.forEach(db::run);
                INDICES.forEach(db::run);
                db.run("PRAGMA user_version=" + VERSION);
                return VERSION;
            });
        }
        check(db);
    }

    /// Throws [UserError] where the tables are of another version or are not the program's own.
    static void check(Database db) {
        int version = db.version();
        db.refuseNewerThan(VERSION);
        if (version == 0) {
            throw StoreProblem.damaged(db.file(), new SQLException("it has no tables"));
        }
        if (version < VERSION) {
            throw before(db.file() + " was made by a Knobscape before 0.1 (format " + version + ")");
        }
        for (String statement : TABLES) {
            var table = TABLE.matcher(statement);
            if (!table.matches()) {
                throw new IllegalStateException(statement);
            }
            db.requireTable(table.group(1), columns(table.group(2)));
        }
        db.refuseForeignParts();
    }

    /// Throws [UserError] for a folder with a store that only versions before the first could read.
    static void refuseEarlier(Path folder) {
        Path old = folder.resolve("tuning.db");
        if (Files.exists(old)) {
            throw before(old + " was made by a Knobscape before 0.1");
        }
    }

    private static UserError before(String what) {
        return new UserError(
                what + ", which this one does not read; move the file away, or begin anew in another folder (--out).");
    }

    private static List<String> columns(String text) {
        return Pattern.compile(",\\s*")
                .splitAsStream(text.strip().replaceFirst(",\\s*PRIMARY KEY\\(.*", ""))
                .map(c -> c.split(" ", 2)[0])
                .toList();
    }
}
