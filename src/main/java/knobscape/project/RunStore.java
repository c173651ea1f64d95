package knobscape.project;

import static java.util.Objects.requireNonNull;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import knobscape.evaluate.Evaluation;
import knobscape.evaluate.Provenance;
import knobscape.evaluate.UserError;
import knobscape.evaluate.report.FileOutput;
import knobscape.explore.Objectives;
import knobscape.explore.Proposal;
import knobscape.explore.RunEvent;
import knobscape.space.Configuration;
import knobscape.work.RunSettings;
import knobscape.work.StoredEvaluation;
import knobscape.work.WorkSettings;
import knobscape.work.store.Database;
import knobscape.work.store.StoreProblem;
import knobscape.work.store.StoredForms;

/// The runs of a project: one SQLite file in write-ahead mode. Every stage of an evaluation is committed when
/// it arrives; a process killed at any moment loses at most what was in flight.
///
/// Thread-safe; calls wait for one another. One process writes (see [Project#lock()]), any number may read.
public final class RunStore implements AutoCloseable {
    /// Name of the file in the project folder.
    public static final String FILE_NAME = "runs.db";

    private final Database db;
    private final RunReader reader;
    private final boolean writable;
    /// Numbers of the designs of runs that are written: an index of the texts in the file would be larger than
    /// all else together.
    private final Map<Long, Map<String, Integer>> numbers = new HashMap<>();

    private RunStore(Database db, boolean writable) {
        this.db = db;
        this.reader = new RunReader(db);
        this.writable = writable;
    }

    /// Opens the store of a folder, making it where needed, and marks runs left behind by a killed
    /// process as interrupted. The caller holds the project's lock.
    static RunStore openForWriting(Path folder) {
        requireInside(folder);
        var store = new RunStore(Database.openForWriting(folder.resolve(FILE_NAME)), true);
        try {
            RunSchema.prepare(store.db);
            store.db.change("UPDATE runs SET status='INTERRUPTED' WHERE status='RUNNING'");
            store.purge();
            return store;
        } catch (RuntimeException e) {
            store.close();
            throw e;
        }
    }

    /// True if a folder has a store: an empty file is one that was begun when its process was killed.
    static boolean isMade(Path folder) {
        Path file = folder.resolve(FILE_NAME);
        return Files.isRegularFile(file) && file.toFile().length() > 0;
    }

    /// Opens an existing store for reading. Throws [UserError] for one of another version, or not made by this program.
    static RunStore openReadOnly(Path folder) {
        requireInside(folder);
        Database db = Database.open(folder.resolve(FILE_NAME));
        try {
            RunSchema.check(db);
            return new RunStore(db, false);
        } catch (RuntimeException e) {
            db.close();
            throw e;
        }
    }

    /// SQLite writes through links, to the file and to those beside it.
    private static void requireInside(Path folder) {
        for (String suffix : List.of("", "-wal", "-shm", "-journal")) {
            FileOutput.requireInside(folder, folder.resolve(FILE_NAME + suffix));
        }
    }

    /// All runs that can be read, oldest first. Throws [UserError] where none can.
    public synchronized List<RunRecord> list() {
        var all = new ArrayList<RunRecord>();
        pages(all::addAll);
        return all;
    }

    /// All runs that can be read, oldest first, some hundreds at a time. Throws [UserError] where none can.
    ///
    /// @return how many cannot be read
    public synchronized int pages(Consumer<List<RunRecord>> page) {
        var damaged = new AtomicInteger();
        boolean some = false;
        long after = Long.MIN_VALUE;
        while (true) {
            RunReader.Page next = reader.page(after, damaged);
            some |= !next.runs().isEmpty();
            if (!next.runs().isEmpty()) {
                page.accept(next.runs().stream().map(this::seen).toList());
            }
            if (next.isLast()) {
                break;
            }
            after = next.last();
        }
        if (!some && damaged.get() > 0) {
            throw StoreProblem.damaged(db.file(), new IllegalStateException("no run can be read"));
        }
        return damaged.get();
    }

    /// How many evaluations each subject of a run has, without what was known before it began, by its index.
    public synchronized Map<Integer, Long> evaluations(long id) {
        var counts = new HashMap<Integer, Long>();
        db.query(
                "SELECT subject, count(*) FROM (SELECT DISTINCT subject, design, rank FROM evaluations WHERE run=? AND step>=0)"
                        + " GROUP BY subject",
                r -> counts.put(r.getInt(1), r.getLong(2)),
                id);
        return counts;
    }

    /// The run numbered `id`, if there is one.
    public synchronized Optional<RunRecord> find(long id) {
        return runs("AND id=?", id).stream().findFirst();
    }

    /// The newest run, if there is one.
    public synchronized Optional<RunRecord> newest() {
        return runs("ORDER BY id DESC LIMIT 1").stream().findFirst();
    }

    private List<RunRecord> runs(String which, Object... arguments) {
        return reader.runs(which, arguments).map(this::seen).toList();
    }

    /// A reader sees a run whose process died as interrupted: nobody holds the project any more.
    private RunRecord seen(RunRecord r) {
        return r.status() == RunStatus.RUNNING
                        && !writable
                        && ProjectLock.holder(requireNonNull(db.file().getParent()))
                                .isEmpty()
                ? r.withStatus(RunStatus.INTERRUPTED)
                : r;
    }

    /// Everything stored of one run; throws [UserError] where there is none of that number.
    public synchronized RunResults results(long id) {
        // One transaction sees one moment, also while another process writes.
        return db.transaction(() -> reader.results(find(id).orElseThrow(() ->
                new UserError("There is no run " + id + " in " + db.file().getParent() + "."))));
    }

    /// The newest evaluations of a run, in the order they came back, without what was known before it began.
    ///
    /// @param most of them
    public synchronized List<RunResults.Arrival> arrivals(long id, int most) {
        return reader.arrivals(id, most);
    }

    /// The events of a run, as far as [knobscape.explore.Exploration#run] needs them, in their order.
    public synchronized List<RunEvent> past(RunRecord run) {
        return db.transaction(() -> reader.past(run));
    }

    /// Makes a run and gives its number.
    synchronized long create(
            WorkSettings work,
            RunSettings settings,
            List<StoredSubject> subjects,
            String sourceHash,
            String command,
            String program,
            Instant created) {
        String now = created.toString();
        return db.transaction(() -> {
            change(
                    "INSERT INTO runs(name, kernel, settings, source_hash, status, reason, created, updated, command, program) VALUES ('',?,?,?,'RUNNING','',?,?,?,?)",
                    RunReader.work(work),
                    RunReader.run(settings),
                    sourceHash,
                    now,
                    now,
                    command,
                    program);
            long id = db.query("SELECT last_insert_rowid()", r -> r.getLong(1)).getFirst();
            for (int i = 0; i < subjects.size(); i++) {
                StoredSubject s = subjects.get(i);
                change(
                        "INSERT INTO subjects(run, number, name, weight, knobs, space_size, info) VALUES (?,?,?,?,?,?,?)",
                        id,
                        i,
                        s.name(),
                        s.weight(),
                        StoredForms.knobs(s.knobs()),
                        s.spaceSize(),
                        StoredForms.write(s.info()));
            }
            return id;
        });
    }

    /// Changes the settings of a run that is resumed (more steps).
    synchronized void settings(long id, RunSettings settings, String command) {
        change("UPDATE runs SET settings=?, command=? WHERE id=?", RunReader.run(settings), command, id);
    }

    /// Notes how a run stands.
    synchronized void status(long id, RunStatus status, String reason, Instant now) {
        change("UPDATE runs SET status=?, reason=?, updated=? WHERE id=?", status.name(), reason, now.toString(), id);
        numbers.remove(id);
    }

    synchronized void objectives(long id, int subject, Objectives objectives) {
        change("UPDATE subjects SET objectives=? WHERE run=? AND number=?", StoredForms.write(objectives), id, subject);
    }

    /// The last place taken in the order of a run.
    synchronized long lastSequence(long id) {
        return db.query(
                        "SELECT max(coalesce((SELECT max(sequence) FROM evaluations WHERE run=?1), 0), coalesce((SELECT max(sent) FROM proposals WHERE run=?1), 0), "
                                + "coalesce((SELECT max(max(asked, coalesce(done, 0))) FROM steps WHERE run=?1), 0))",
                        r -> r.getLong(1),
                        id)
                .getFirst();
    }

    /// Commits what was known before a search began.
    synchronized void known(long id, long sequence, RunEvent.Known known, Instant now) {
        db.transaction(() -> {
            long at = sequence;
            for (Evaluation e : known.evaluations()) {
                add(
                        id,
                        known.subject(),
                        StoredEvaluation.KNOWN,
                        0,
                        design(id, known.subject(), e.configuration()),
                        at++,
                        e,
                        now);
            }
            return at;
        });
    }

    /// Commits a question and its proposals; gives the numbers of their designs.
    synchronized List<Integer> asked(long id, long sequence, RunEvent.Asked a) {
        return db.transaction(() -> {
            change(
                    "INSERT OR REPLACE INTO steps(run, subject, step, asked, state, diagnostics, algorithm_seconds) VALUES (?,?,?,?,?,?,?)",
                    id,
                    a.subject(),
                    a.step(),
                    sequence,
                    a.explorerState(),
                    StoredForms.diagnostics(a.diagnostics()),
                    a.algorithmSeconds());
            var numbers = new ArrayList<Integer>();
            for (int i = 0; i < a.proposals().size(); i++) {
                numbers.add(propose(id, a.subject(), a.step(), i, a.proposals().get(i)));
            }
            return numbers;
        });
    }

    /// Stores a proposal of a question; gives the number of its design.
    private int propose(long id, int subject, int step, int position, Proposal p) {
        int design = design(id, subject, p.configuration());
        change(
                "INSERT INTO proposals(run, subject, step, position, design, up_to, acquisition, prediction, reason) VALUES (?,?,?,?,?,?,?,?,?) "
                        + "ON CONFLICT DO UPDATE SET design=excluded.design, up_to=excluded.up_to, acquisition=excluded.acquisition, prediction=excluded.prediction, reason=excluded.reason",
                id,
                subject,
                step,
                position,
                design,
                p.upTo().name(),
                p.acquisition(),
                StoredForms.prediction(p.prediction()),
                p.reason());
        return design;
    }

    private int design(long id, int subject, Configuration configuration) {
        String text = configuration.text();
        Map<String, Integer> known = numbers.computeIfAbsent(id, run -> {
            var all = new HashMap<String, Integer>();
            db.query(
                    "SELECT number, subject, configuration FROM designs WHERE run=?",
                    r -> all.put(key(r.getInt(2), r.getString(3)), r.getInt(1)),
                    run);
            return all;
        });
        return known.computeIfAbsent(key(subject, text), k -> {
            int number = known.size() + 1;
            change(
                    "INSERT INTO designs(run, number, subject, configuration) VALUES (?,?,?,?)",
                    id,
                    number,
                    subject,
                    text);
            return number;
        });
    }

    private static String key(int subject, String configuration) {
        return subject + " " + configuration;
    }

    /// Notes that a proposal was sent out. One that is sent again keeps its place.
    synchronized void sent(long id, long sequence, RunEvent.Proposed p) {
        change(
                "UPDATE proposals SET sent=? WHERE run=? AND subject=? AND step=? AND position=? AND sent IS NULL",
                sequence,
                id,
                p.subject(),
                p.step(),
                p.position());
    }

    /// Commits a stage that came back.
    synchronized void stage(long id, long sequence, RunEvent.StageDone d, Instant now) {
        db.transaction(() -> {
            int design = db.query(
                            "SELECT design FROM proposals WHERE run=? AND subject=? AND step=? AND position=?",
                            r -> r.getInt(1),
                            id,
                            d.subject(),
                            d.step(),
                            d.position())
                    .getFirst();
            add(id, d.subject(), d.step(), d.position(), design, sequence, d.evaluation(), now);
            change(
                    "UPDATE runs SET updated=?, tool_seconds=tool_seconds+? WHERE id=?",
                    now.toString(),
                    d.evaluation().costSeconds(),
                    id);
            return design;
        });
    }

    /// Commits what is kept of a population search.
    synchronized void batch(long id, long sequence, RunEvent.Batch b, Instant now) {
        db.transaction(() -> {
            for (RunEvent.StageDone d : b.kept()) {
                int design = propose(id, b.subject(), d.step(), 0, d.proposal());
                change(
                        "UPDATE proposals SET sent=? WHERE run=? AND subject=? AND step=? AND position=0",
                        sequence,
                        id,
                        b.subject(),
                        d.step());
                add(id, b.subject(), d.step(), 0, design, sequence, d.evaluation(), now);
            }
            RunEvent.Progress p = b.progress();
            done(id, b.subject(), b.step(), sequence, p, now);
            return sequence;
        });
    }

    private void add(
            long id, int subject, int step, int position, int design, long sequence, Evaluation e, Instant now) {
        Provenance p = e.provenance();
        change(
                "INSERT INTO evaluations(run, subject, step, position, design, attempt, sequence, fidelity, rank, kind, metrics, reason, cost, toolchain, version, seed, source, "
                        + "arrived) VALUES (?1,?2,?3,?4,?5,(SELECT count(*)+1 FROM evaluations WHERE run=?1 AND design=?5 AND rank=?8),?6,?7,?8,?9,?10,?11,?12,?13,?14,?15,?16,?17)",
                id,
                subject,
                step,
                position,
                design,
                sequence,
                e.fidelity().name(),
                e.fidelity().rank(),
                StoredForms.kind(e.outcome()),
                StoredForms.metrics(e.outcome()),
                StoredForms.reason(e.outcome()),
                e.costSeconds(),
                p.toolchain(),
                p.version(),
                p.seed(),
                p.source().name(),
                now.toString());
    }

    /// Commits a completed step.
    synchronized void stepDone(long id, long sequence, RunEvent.StepDone d, Instant now) {
        db.transaction(() -> {
            done(id, d.subject(), d.step(), sequence, d.progress(), now);
            return id;
        });
    }

    private void done(long id, int subject, int step, long sequence, RunEvent.Progress p, Instant now) {
        change(
                "INSERT INTO steps(run, subject, step, asked, state, diagnostics, done, hypervolume, front_size, tool_seconds, algorithm_seconds) VALUES (?,?,?,?,'','',?,?,?,?,?) "
                        + "ON CONFLICT DO UPDATE SET done=coalesce(done, excluded.done), hypervolume=excluded.hypervolume, front_size=excluded.front_size, "
                        + "tool_seconds=excluded.tool_seconds, algorithm_seconds=excluded.algorithm_seconds",
                id,
                subject,
                step,
                sequence,
                sequence,
                p.hypervolume(),
                p.frontSize(),
                p.toolSeconds(),
                p.algorithmSeconds());
        change(
                "UPDATE runs SET step=?, hypervolume=?, algorithm_seconds=?, tool_seconds=?, updated=? WHERE id=?",
                p.step(),
                p.hypervolume(),
                p.algorithmSeconds(),
                p.toolSeconds(),
                now.toString(),
                id);
    }

    /// Adds a line to a run's log.
    synchronized void log(long id, String text, Instant now) {
        change("INSERT INTO events(run, at, text) VALUES (?,?,?)", id, now.toString(), text);
    }

    /// Notes where the results of a run were written, so that they are written again when it is resumed. A
    /// folder inside that of the store moves with it.
    synchronized void results(long id, Path folder) {
        Path here = requireNonNull(db.file().toAbsolutePath().getParent());
        Path there = folder.toAbsolutePath().normalize();
        String inside = there.equals(here) ? "." : here.relativize(there).toString();
        change("UPDATE runs SET results=? WHERE id=?", there.startsWith(here) ? inside : there.toString(), id);
    }

    /// Gives a run a name; an empty one takes it away.
    public synchronized void rename(long id, String name) {
        change("UPDATE runs SET name=? WHERE id=?", name.strip(), id);
    }

    /// Hides a run; it is really removed when the project is next opened for writing, until then [#undelete]
    /// brings it back.
    public synchronized void delete(long id) {
        change("UPDATE runs SET deleted=1 WHERE id=?", id);
    }

    /// Takes a deletion back.
    public synchronized void undelete(long id) {
        change("UPDATE runs SET deleted=0 WHERE id=?", id);
    }

    private void purge() {
        db.transaction(() -> {
            for (String table : List.of("events", "steps", "evaluations", "proposals", "designs", "subjects")) {
                change("DELETE FROM " + table + " WHERE run IN (SELECT id FROM runs WHERE deleted=1)");
            }
            change("DELETE FROM runs WHERE deleted=1");
            return 0;
        });
    }

    private void change(String sql, Object... arguments) {
        if (!writable) {
            throw new IllegalStateException("the store was opened for reading");
        }
        db.change(sql, arguments);
    }

    @Override
    public synchronized void close() {
        db.close();
    }
}
