package knobscape.project;

import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
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
import knobscape.explore.Objectives;
import knobscape.explore.Prediction;
import knobscape.explore.Proposal;
import knobscape.explore.RunEvent;
import knobscape.space.Configuration;
import knobscape.work.Place;
import knobscape.work.RunSettings;
import knobscape.work.WorkSettings;

/// The runs of a project: one SQLite file in write-ahead mode. Every stage of an evaluation is committed when
/// it arrives; a process killed at any moment loses at most what was in flight.
///
/// Thread-safe; calls wait for one another. One process writes (see [Project#lock()]), any number may read.
public final class RunStore implements AutoCloseable {
    /// Name of the file in the project folder.
    public static final String FILE_NAME = "runs.db";
    /// Step of what was known before a search began.
    private static final int KNOWN = -1;

    private final Database db;
    private final boolean writable;
    /// Numbers of the designs of runs that are written: an index of the texts in the file would be larger than
    /// all else together.
    private final Map<Long, Map<String, Integer>> numbers = new HashMap<>();

    private RunStore(Database db, boolean writable) {
        this.db = db;
        this.writable = writable;
    }

    /// Opens the store of a folder, making or upgrading it where needed, and marks runs left behind by a killed
    /// process as interrupted. The caller holds the project's lock.
    static RunStore openForWriting(Path folder) {
        var store = new RunStore(Database.openForWriting(folder.resolve(FILE_NAME)), true);
        try {
            RunSchema.upgrade(store.db);
            store.db.change("UPDATE runs SET status='INTERRUPTED' WHERE status='RUNNING'");
            store.purge();
            return store;
        } catch (RuntimeException e) {
            store.close();
            throw e;
        }
    }

    /// Opens the runs of a folder for reading, with those that version 0.1 kept in a store of their own.
    ///
    /// @param place where relative paths of stored settings start
    static RunStore openReadOnly(Path folder, Place place) {
        if (!TuningImport.isDue(folder)) {
            return openReadOnly(folder);
        }
        Path file = folder.resolve(FILE_NAME);
        Database copy = RunSchema.copy(Files.isRegularFile(file) ? Database.open(file) : Database.inMemory(file));
        TuningImport.read(folder, new RunStore(copy, true), place);
        return new RunStore(copy, false);
    }

    /// Opens an existing store for reading; one of an older version is not changed.
    static RunStore openReadOnly(Path folder) {
        Database db = Database.open(folder.resolve(FILE_NAME));
        try {
            return new RunStore(RunSchema.readable(db), false);
        } catch (RuntimeException e) {
            db.close();
            throw e;
        }
    }

    /// Does all of `work` or nothing of it.
    synchronized void together(Runnable work) {
        db.transaction(() -> {
            work.run();
            return 0;
        });
    }

    /// All runs, oldest first.
    public synchronized List<RunRecord> list() {
        return db.query("SELECT * FROM runs WHERE deleted=0 ORDER BY id", this::record);
    }

    /// The run numbered `id`, if there is one.
    public synchronized Optional<RunRecord> find(long id) {
        return db.query("SELECT * FROM runs WHERE deleted=0 AND id=?", this::record, id).stream()
                .findFirst();
    }

    /// The newest run, if there is one.
    public synchronized Optional<RunRecord> newest() {
        return db.query("SELECT * FROM runs WHERE deleted=0 ORDER BY id DESC LIMIT 1", this::record).stream()
                .findFirst();
    }

    /// Everything stored of one run; throws [UserError] where there is none of that number.
    public synchronized RunResults results(long id) {
        RunRecord run = find(id).orElseThrow(() ->
                new UserError("There is no run " + id + " in " + db.file().getParent() + "."));
        Map<Integer, StoredDesign> configurations = designs(run);
        var newest = new HashMap<Integer, TreeMap<Integer, Evaluation>>();
        db.query(
                "SELECT * FROM evaluations WHERE run=? ORDER BY sequence",
                r -> newest.computeIfAbsent(r.getInt("design"), d -> new TreeMap<>())
                        .put(r.getInt("rank"), evaluation(r, configurations)),
                id);
        record Origin(int step, String reason, Optional<Prediction> prediction) {}
        var origins = new LinkedHashMap<Integer, Origin>();
        db.query(
                "SELECT design, step, reason, prediction FROM proposals WHERE run=? AND sent IS NOT NULL ORDER BY sent",
                r -> {
                    var fresh = new Origin(r.getInt(2), r.getString(3), StoredForms.prediction(r.getString(4)));
                    return origins.merge(
                            r.getInt(1),
                            fresh,
                            (a, b) -> new Origin(
                                    a.step(),
                                    a.reason(),
                                    b.prediction().isPresent() ? b.prediction() : a.prediction()));
                },
                id);
        var designs = new ArrayList<Design>();
        configurations.forEach((number, d) -> {
            // What was asked for and never sent out is no design yet.
            if (origins.containsKey(number) || newest.containsKey(number)) {
                Origin o = origins.getOrDefault(number, new Origin(KNOWN, "", Optional.empty()));
                designs.add(new Design(
                        number,
                        d.configuration,
                        List.copyOf(newest.getOrDefault(number, new TreeMap<>()).values()),
                        o.step(),
                        o.reason(),
                        o.prediction(),
                        d.subject));
            }
        });
        List<RunResults.TracePoint> trace = db.query(
                "SELECT * FROM steps WHERE run=? AND done IS NOT NULL ORDER BY done",
                r -> new RunResults.TracePoint(
                        r.getInt("step"),
                        Database.number(r, "hypervolume"),
                        r.getInt("front_size"),
                        r.getDouble("tool_seconds"),
                        r.getDouble("algorithm_seconds"),
                        StoredForms.diagnostics(r.getString("diagnostics")),
                        r.getInt("subject")),
                id);
        List<RunResults.LogLine> events = db.query(
                "SELECT at, text FROM events WHERE run=? ORDER BY id",
                r -> new RunResults.LogLine(Instant.parse(r.getString(1)), r.getString(2)),
                id);
        return new RunResults(run, designs, trace, events);
    }

    /// What a run told, as far as [knobscape.explore.Exploration#run] needs it, in its order.
    public synchronized List<RunEvent> past(RunRecord run) {
        Map<Integer, StoredDesign> designs = designs(run);
        record Place(int subject, int step, int position) {}
        record At(long sequence, RunEvent event) {}
        record Step(int subject, int step) {}
        var all = new ArrayList<At>();
        var proposals = new HashMap<Place, Proposal>();
        var asked = new HashMap<Step, List<Proposal>>();
        db.query(
                "SELECT * FROM proposals WHERE run=? ORDER BY subject, step, position",
                r -> {
                    var place = new Place(r.getInt("subject"), r.getInt("step"), r.getInt("position"));
                    var p = new Proposal(
                            designs.get(r.getInt("design")).configuration,
                            run.subjects().get(place.subject).info().fidelity(r.getString("up_to")),
                            Database.number(r, "acquisition"),
                            StoredForms.prediction(r.getString("prediction")),
                            r.getString("reason"));
                    proposals.put(place, p);
                    asked.computeIfAbsent(new Step(place.subject, place.step), s -> new ArrayList<>())
                            .add(p);
                    long sent = r.getLong("sent");
                    if (!r.wasNull()) {
                        all.add(new At(sent, new RunEvent.Proposed(place.subject, place.step, place.position, p)));
                    }
                    return p;
                },
                run.id());
        db.query(
                "SELECT * FROM steps WHERE run=?",
                r -> {
                    var step = new Step(r.getInt("subject"), r.getInt("step"));
                    return all.add(new At(
                            r.getLong("asked"),
                            new RunEvent.Asked(
                                    step.subject,
                                    step.step,
                                    asked.getOrDefault(step, List.of()),
                                    r.getString("state"),
                                    StoredForms.diagnostics(r.getString("diagnostics")),
                                    r.getDouble("algorithm_seconds"))));
                },
                run.id());
        db.query(
                "SELECT * FROM evaluations WHERE run=?",
                r -> {
                    var place = new Place(r.getInt("subject"), r.getInt("step"), r.getInt("position"));
                    Evaluation e = evaluation(r, designs);
                    return all.add(new At(
                            r.getLong("sequence"),
                            place.step == KNOWN
                                    ? new RunEvent.Known(place.subject, List.of(e))
                                    : new RunEvent.StageDone(
                                            place.subject, place.step, place.position, proposals.get(place), e)));
                },
                run.id());
        all.sort(Comparator.comparingLong(At::sequence));
        return all.stream().map(At::event).toList();
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
                    StoredForms.work(work),
                    StoredForms.write(settings),
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
        change("UPDATE runs SET settings=?, command=? WHERE id=?", StoredForms.write(settings), command, id);
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
                add(id, known.subject(), KNOWN, 0, design(id, known.subject(), e.configuration()), at++, e, now);
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
    synchronized int propose(long id, int subject, int step, int position, Proposal p) {
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
        Path here = db.file().toAbsolutePath().getParent();
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

    private record StoredDesign(int subject, Configuration configuration) {}

    private Map<Integer, StoredDesign> designs(RunRecord run) {
        var all = new LinkedHashMap<Integer, StoredDesign>();
        db.query(
                "SELECT number, subject, configuration FROM designs WHERE run=? ORDER BY number",
                r -> all.put(
                        r.getInt(1),
                        new StoredDesign(
                                r.getInt(2),
                                Configuration.parse(
                                        run.subjects().get(r.getInt(2)).knobs(), r.getString(3)))),
                run.id());
        return all;
    }

    private static Evaluation evaluation(ResultSet r, Map<Integer, StoredDesign> designs) throws SQLException {
        return StoredForms.evaluation(
                designs.get(r.getInt("design")).configuration,
                new Fidelity(r.getString("fidelity"), r.getInt("rank")),
                r);
    }

    private RunRecord record(ResultSet r) throws SQLException {
        long id = r.getLong("id");
        List<StoredSubject> subjects = db.query(
                "SELECT * FROM subjects WHERE run=? ORDER BY number",
                s -> {
                    String objectives = s.getString("objectives");
                    return new StoredSubject(
                            s.getInt("number"),
                            s.getString("name"),
                            s.getDouble("weight"),
                            StoredForms.knobs(s.getString("knobs")),
                            s.getString("space_size"),
                            StoredForms.read(s.getString("info"), EvaluatorInfo.class),
                            objectives == null
                                    ? Optional.empty()
                                    : Optional.of(StoredForms.read(objectives, Objectives.class)));
                },
                id);
        return new RunRecord(
                id,
                r.getString("name"),
                StoredForms.work(r.getString("kernel")),
                StoredForms.read(r.getString("settings"), RunSettings.class),
                subjects,
                r.getString("source_hash"),
                status(r.getString("status")),
                r.getString("reason"),
                Instant.parse(r.getString("created")),
                Instant.parse(r.getString("updated")),
                r.getString("command"),
                r.getString("program"),
                r.getInt("step"),
                r.getDouble("tool_seconds"),
                r.getDouble("algorithm_seconds"),
                Database.number(r, "hypervolume"),
                Optional.of(r.getString("results"))
                        .filter(t -> !t.isEmpty())
                        .map(t -> db.file().resolveSibling(t).normalize()));
    }

    /// A reader sees a run whose process died as interrupted: nobody holds the project any more.
    private RunStatus status(String stored) {
        RunStatus status = RunStatus.valueOf(stored);
        return status == RunStatus.RUNNING
                        && !writable
                        && ProjectLock.holder(db.file().getParent()).isEmpty()
                ? RunStatus.INTERRUPTED
                : status;
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
