package knobscape.project;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import knobscape.evaluate.UserError;
import knobscape.work.store.Database;
import knobscape.work.store.StoreProblem;

/// Tables of [RunStore] and how older ones are brought up to date; the version stands in `user_version`.
///
/// A run has subjects; designs, proposals, evaluations and steps belong to one of them. `sequence`, `asked`,
/// `sent` and `done` are drawn from one counter of the run, so that everything that happened has its place in
/// one order. A step of -1 holds what was known before the search began; the one proposal of a step of a
/// population search stands for one of its evaluations.
final class RunSchema {
    private RunSchema() {}

    private static final List<String> FIRST =
            List.of("""
            CREATE TABLE runs(
              id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL, kernel TEXT NOT NULL, settings TEXT NOT NULL, knobs TEXT NOT NULL,
              space_size TEXT NOT NULL, source_hash TEXT NOT NULL, info TEXT NOT NULL, objectives TEXT, status TEXT NOT NULL, reason TEXT NOT NULL,
              created TEXT NOT NULL, updated TEXT NOT NULL, command TEXT NOT NULL, program TEXT NOT NULL, step INTEGER NOT NULL DEFAULT -1,
              tool_seconds REAL NOT NULL DEFAULT 0, algorithm_seconds REAL NOT NULL DEFAULT 0, hypervolume REAL, deleted INTEGER NOT NULL DEFAULT 0)""", """
            CREATE TABLE designs(
              run INTEGER NOT NULL REFERENCES runs(id), number INTEGER NOT NULL, configuration TEXT NOT NULL,
              PRIMARY KEY(run, number), UNIQUE(run, configuration))""", """
            CREATE TABLE proposals(
              run INTEGER NOT NULL REFERENCES runs(id), step INTEGER NOT NULL, position INTEGER NOT NULL, design INTEGER NOT NULL, up_to TEXT NOT NULL,
              acquisition REAL, prediction TEXT NOT NULL, reason TEXT NOT NULL, PRIMARY KEY(run, step, position))""", """
            CREATE TABLE evaluations(
              id INTEGER PRIMARY KEY, run INTEGER NOT NULL REFERENCES runs(id), step INTEGER NOT NULL, position INTEGER NOT NULL, design INTEGER NOT NULL,
              fidelity TEXT NOT NULL, rank INTEGER NOT NULL, kind TEXT NOT NULL, metrics TEXT NOT NULL, reason TEXT NOT NULL, cost REAL NOT NULL,
              toolchain TEXT NOT NULL, version TEXT NOT NULL, seed INTEGER NOT NULL, source TEXT NOT NULL, arrived TEXT NOT NULL)""", """
            CREATE TABLE steps(
              run INTEGER NOT NULL REFERENCES runs(id), step INTEGER NOT NULL, state TEXT NOT NULL, hypervolume REAL, front_size INTEGER NOT NULL,
              tool_seconds REAL NOT NULL, algorithm_seconds REAL NOT NULL, PRIMARY KEY(run, step))""", """
            CREATE TABLE events(
              id INTEGER PRIMARY KEY, run INTEGER NOT NULL REFERENCES runs(id), at TEXT NOT NULL, text TEXT NOT NULL)""", "CREATE INDEX events_of_run ON events(run)");

    private static final List<String> SECOND =
            List.of("ALTER TABLE steps ADD COLUMN diagnostics TEXT NOT NULL DEFAULT ''");

    /// Version 2 had one subject, stored a question when all its answers were there, and gave explorers the
    /// answers of a step in the order of its proposals.
    private static final List<String> THIRD = List.of(
            """
            CREATE TEMP TABLE happened AS SELECT run, kind, step, position, id, row_number() OVER (PARTITION BY run ORDER BY step, kind, position, id) AS sequence FROM (
              SELECT run, 0 AS kind, step, -1 AS position, 0 AS id FROM steps UNION ALL SELECT run, 1, step, position, 0 FROM proposals
              UNION ALL SELECT run, 2, step, position, id FROM evaluations UNION ALL SELECT run, 3, step, 0, 0 FROM steps)""",
            "CREATE INDEX temp.happened_at ON happened(run, kind, step, position, id)",
            """
            CREATE TABLE subjects(
              run INTEGER NOT NULL REFERENCES runs(id), number INTEGER NOT NULL, name TEXT NOT NULL, weight REAL NOT NULL, knobs TEXT NOT NULL,
              space_size TEXT NOT NULL, info TEXT NOT NULL, objectives TEXT, PRIMARY KEY(run, number))""",
            "ALTER TABLE runs ADD COLUMN results TEXT NOT NULL DEFAULT ''",
            "INSERT INTO subjects SELECT id, 0, '', 1, knobs, space_size, info, objectives FROM runs",
            "ALTER TABLE runs DROP COLUMN knobs",
            "ALTER TABLE runs DROP COLUMN space_size",
            "ALTER TABLE runs DROP COLUMN info",
            "ALTER TABLE runs DROP COLUMN objectives",
            "ALTER TABLE designs RENAME TO designs2",
            "ALTER TABLE proposals RENAME TO proposals2",
            "ALTER TABLE evaluations RENAME TO evaluations2",
            "ALTER TABLE steps RENAME TO steps2",
            """
            CREATE TABLE designs(
              run INTEGER NOT NULL REFERENCES runs(id), number INTEGER NOT NULL, subject INTEGER NOT NULL, configuration TEXT NOT NULL,
              PRIMARY KEY(run, number))""",
            "INSERT INTO designs SELECT run, number, 0, configuration FROM designs2",
            """
            CREATE TABLE proposals(
              run INTEGER NOT NULL REFERENCES runs(id), subject INTEGER NOT NULL, step INTEGER NOT NULL, position INTEGER NOT NULL, design INTEGER NOT NULL,
              up_to TEXT NOT NULL, acquisition REAL, prediction TEXT NOT NULL, reason TEXT NOT NULL, sent INTEGER, PRIMARY KEY(run, subject, step, position))""",
            """
            INSERT INTO proposals SELECT p.run, 0, p.step, p.position, design, up_to, acquisition, prediction, reason, sequence FROM proposals2 p
              JOIN temp.happened h ON h.run=p.run AND h.kind=1 AND h.step=p.step AND h.position=p.position""",
            """
            CREATE TABLE evaluations(
              id INTEGER PRIMARY KEY, run INTEGER NOT NULL REFERENCES runs(id), subject INTEGER NOT NULL, step INTEGER NOT NULL, position INTEGER NOT NULL,
              design INTEGER NOT NULL, attempt INTEGER NOT NULL, sequence INTEGER NOT NULL, fidelity TEXT NOT NULL, rank INTEGER NOT NULL, kind TEXT NOT NULL,
              metrics TEXT NOT NULL, reason TEXT NOT NULL, cost REAL NOT NULL, toolchain TEXT NOT NULL, version TEXT NOT NULL, seed INTEGER NOT NULL, source TEXT NOT NULL,
              arrived TEXT NOT NULL)""",
            """
            INSERT INTO evaluations SELECT e.id, e.run, 0, e.step, e.position, design, row_number() OVER (PARTITION BY e.run, design, rank ORDER BY e.id), sequence,
              fidelity, rank, e.kind, metrics, reason, cost, toolchain, version, seed, source, arrived FROM evaluations2 e
              JOIN temp.happened h ON h.run=e.run AND h.kind=2 AND h.step=e.step AND h.position=e.position AND h.id=e.id""",
            "CREATE INDEX evaluations_of_design ON evaluations(run, design, rank)",
            """
            CREATE TABLE steps(
              run INTEGER NOT NULL REFERENCES runs(id), subject INTEGER NOT NULL, step INTEGER NOT NULL, asked INTEGER NOT NULL, state TEXT NOT NULL,
              diagnostics TEXT NOT NULL, algorithm_seconds REAL NOT NULL, done INTEGER, hypervolume REAL, front_size INTEGER NOT NULL DEFAULT 0,
              tool_seconds REAL NOT NULL DEFAULT 0, PRIMARY KEY(run, subject, step))""",
            """
            INSERT INTO steps SELECT s.run, 0, s.step, a.sequence, state, diagnostics, algorithm_seconds, d.sequence, hypervolume, front_size, tool_seconds FROM steps2 s
              JOIN temp.happened a ON a.run=s.run AND a.kind=0 AND a.step=s.step JOIN temp.happened d ON d.run=s.run AND d.kind=3 AND d.step=s.step""",
            "DROP TABLE designs2",
            "DROP TABLE proposals2",
            "DROP TABLE evaluations2",
            "DROP TABLE steps2",
            "DROP TABLE temp.happened");

    /// One entry per version: the statements that lead to it from the one before. Entries are only ever added.
    private static final List<List<String>> VERSIONS = List.of(FIRST, SECOND, THIRD);

    /// Brings the tables to the newest version, all or nothing; what was there before is kept in a file beside
    /// it, `runs.db.v2`. Throws [UserError] where the tables are newer than this program.
    static void upgrade(Database db) {
        db.refuseNewerThan(VERSIONS.size());
        int version = db.version();
        if (version == VERSIONS.size()) {
            return;
        }
        if (version > 0) {
            keep(db, db.file().resolveSibling(db.file().getFileName() + ".v" + version));
        }
        db.transaction(() -> raise(db));
    }

    /// The tables in their newest version for reading: those of the file, or a copy of older ones in memory.
    /// The file is not changed.
    static Database readable(Database db) {
        db.refuseNewerThan(VERSIONS.size());
        int version = db.version();
        if (version == VERSIONS.size()) {
            return db;
        }
        if (version == 0) {
            throw StoreProblem.damaged(db.file(), new SQLException("it has no tables"));
        }
        return copy(db);
    }

    /// A copy in memory with the tables in their newest version. The database is closed.
    static Database copy(Database db) {
        try (db) {
            db.refuseNewerThan(VERSIONS.size());
            Database copy = db.inMemory();
            raise(copy);
            return copy;
        }
    }

    private static int raise(Database db) {
        var version = new AtomicInteger(db.version());
        while (version.get() < VERSIONS.size()) {
            VERSIONS.get(version.getAndIncrement()).forEach(db::run);
        }
        db.run("PRAGMA user_version=" + version.get());
        return version.get();
    }

    private static void keep(Database db, Path backup) {
        Path fresh = backup.resolveSibling(backup.getFileName() + ".new");
        try {
            Files.deleteIfExists(fresh);
            db.change("VACUUM INTO ?", fresh.toUri().toASCIIString());
            Files.move(fresh, backup, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            throw new UserError(
                    "Cannot keep a copy of " + db.file() + " as " + backup.getFileName()
                            + " before it is brought up to date; make room or allow writing there.",
                    e);
        }
    }
}
