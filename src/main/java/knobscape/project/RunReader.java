package knobscape.project;

import static java.util.Objects.requireNonNull;

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
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.Stream;
import knobscape.evaluate.Evaluation;
import knobscape.evaluate.EvaluatorInfo;
import knobscape.evaluate.Fidelity;
import knobscape.evaluate.Provenance;
import knobscape.evaluate.ResultRule;
import knobscape.evaluate.UserError;
import knobscape.evaluate.report.JsonFields;
import knobscape.explore.Objectives;
import knobscape.explore.Prediction;
import knobscape.explore.Proposal;
import knobscape.explore.RunEvent;
import knobscape.space.Configuration;
import knobscape.work.Area;
import knobscape.work.Registry;
import knobscape.work.RunSettings;
import knobscape.work.StoredEvaluation;
import knobscape.work.WorkSettings;
import knobscape.work.store.Database;
import knobscape.work.store.StoredForms;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/// Reads the tables of [RunSchema].
final class RunReader {
    private static final JsonMapper JSON = JsonMapper.builder().build();

    /// Runs that are read at once.
    private static final int PAGE = 500;
    /// Longest text of a run that is shown to a person, in characters.
    private static final int LONGEST_TEXT = 2000;
    private static final int MOST_PARSED = 200;

    private final Database db;
    private final Map<String, Object> parsed = new HashMap<>();

    private record StoredDesign(int subject, Configuration configuration) {}

    private record Origin(int step, String reason, Optional<Prediction> prediction) {
        /// This first proposal of a design, with what was expected before a later one.
        Origin followedBy(Origin later) {
            return later.prediction.isPresent() ? new Origin(step, reason, later.prediction) : this;
        }
    }

    private record Step(int subject, int number) {
        static Step of(ResultSet r) throws SQLException {
            return new Step(r.getInt("subject"), r.getInt("step"));
        }
    }

    private record QueryKey(Step step, int position) {
        static QueryKey of(ResultSet r) throws SQLException {
            return new QueryKey(Step.of(r), r.getInt("position"));
        }
    }

    private record At(long sequence, RunEvent event) {}

    RunReader(Database db) {
        this.db = db;
    }

    /// Runs that are not deleted.
    ///
    /// @param which the end of the query: a condition, an order, a limit
    Stream<RunRecord> runs(String which, Object... arguments) {
        return db.query("SELECT * FROM runs WHERE deleted=0 " + which, this::record, arguments).stream();
    }

    /// Some runs in their order.
    ///
    /// @param last number of the last that was looked at
    /// @param isLast whether there are no more
    record Page(List<RunRecord> runs, long last, boolean isLast) {}

    /// The next runs that can be read, oldest first.
    ///
    /// @param after number of the last one known
    /// @param damaged counts those that cannot be read
    Page page(long after, AtomicInteger damaged) {
        List<Long> ids = db.readable(
                "SELECT id FROM runs WHERE deleted=0 AND id>? ORDER BY id LIMIT " + PAGE,
                r -> r.getLong(1),
                damaged,
                after);
        if (ids.isEmpty()) {
            return new Page(List.of(), after, true);
        }
        long last = ids.getLast();
        List<RunRecord> runs;
        try {
            Map<Long, List<StoredSubject>> subjects = new HashMap<>();
            db.query(
                    "SELECT * FROM subjects WHERE run>? AND run<=? ORDER BY run, number",
                    r -> subjects.computeIfAbsent(r.getLong("run"), _ -> new ArrayList<>())
                            .add(subject(r)),
                    after,
                    last);
            runs = db.query(
                    "SELECT * FROM runs WHERE deleted=0 AND id>? AND id<=? ORDER BY id",
                    r -> record(r, subjects.getOrDefault(r.getLong("id"), List.of())),
                    after,
                    last);
        } catch (UserError e) {
            // One of them is damaged: each by itself.
            runs = ids.stream()
                    .flatMap(id -> {
                        try {
                            return runs("AND id=?", id);
                        } catch (UserError one) {
                            damaged.incrementAndGet();
                            return Stream.empty();
                        }
                    })
                    .toList();
        }
        return new Page(runs, last, ids.size() < PAGE);
    }

    /// Everything stored of one run that can be read.
    RunResults results(RunRecord run) {
        var damaged = new AtomicInteger();
        Map<Integer, StoredDesign> configurations = designs(run, Optional.of(damaged));
        List<ResultRule> rules = rules(run);
        var newest = new HashMap<Integer, TreeMap<Integer, Evaluation>>();
        var means = new RepeatedDesigns();
        var repeated = new ValueInterner();
        db.readable(
                "SELECT * FROM evaluations WHERE run=? ORDER BY sequence",
                r -> {
                    int design = r.getInt("design");
                    int step = r.getInt("step");
                    return newest.computeIfAbsent(design, _ -> new TreeMap<>())
                            .merge(
                                    r.getInt("rank"),
                                    evaluation(r, configurations, rules, repeated),
                                    (old, fresh) -> means.together(design, step, old, fresh));
                },
                damaged,
                run.id());
        var origins = new HashMap<Integer, Origin>();
        db.readable(
                "SELECT design, step, reason, prediction FROM proposals WHERE run=? AND sent IS NOT NULL ORDER BY sent",
                r -> origins.merge(
                        r.getInt(1),
                        new Origin(r.getInt(2), repeated.one(r.getString(3)), StoredForms.prediction(r.getString(4))),
                        Origin::followedBy),
                damaged,
                run.id());
        var designs = new ArrayList<Design>();
        configurations.forEach((number, d) -> {
            // What was asked for and never sent out is no design yet.
            if (origins.containsKey(number) || newest.containsKey(number)) {
                Origin o = origins.getOrDefault(number, new Origin(StoredEvaluation.KNOWN, "", Optional.empty()));
                designs.add(new Design(
                        number,
                        d.configuration,
                        List.copyOf(newest.getOrDefault(number, new TreeMap<>()).values()),
                        o.step,
                        o.reason,
                        o.prediction,
                        d.subject));
            }
        });
        List<RunResults.TracePoint> trace = db.readable(
                "SELECT * FROM steps WHERE run=? AND done IS NOT NULL ORDER BY done",
                r -> new RunResults.TracePoint(
                        r.getInt("step"),
                        Database.number(r, "hypervolume"),
                        r.getInt("front_size"),
                        r.getDouble("tool_seconds"),
                        r.getDouble("algorithm_seconds"),
                        StoredForms.diagnostics(r.getString("diagnostics")),
                        r.getInt("subject")),
                damaged,
                run.id());
        List<RunResults.LogLine> events = db.readable(
                "SELECT at, text FROM events WHERE run=? ORDER BY id",
                r -> new RunResults.LogLine(Instant.parse(r.getString(1)), r.getString(2)),
                damaged,
                run.id());
        return new RunResults(run, designs, trace, events, damaged.get());
    }

    /// The newest evaluations of a run, in the order they came back, without what was known before it began.
    List<RunResults.Arrival> arrivals(long run, int most) {
        return db.readable(
                "SELECT * FROM (SELECT * FROM evaluations WHERE run=? AND step>=0 ORDER BY id DESC LIMIT ?) ORDER BY id",
                r -> new RunResults.Arrival(
                        Instant.parse(r.getString("arrived")),
                        r.getInt("subject"),
                        r.getInt("step"),
                        r.getInt("position"),
                        r.getInt("design"),
                        r.getInt("rank")),
                new AtomicInteger(),
                run,
                most);
    }

    /// The events of a run, as far as [knobscape.explore.Exploration#run] needs them, in their order.
    List<RunEvent> past(RunRecord run) {
        var repeated = new ValueInterner();
        Map<Integer, StoredDesign> designs = designs(run, Optional.empty());
        List<ResultRule> rules = rules(run);
        var all = new ArrayList<At>();
        var proposals = new HashMap<QueryKey, Proposal>();
        var questions = new HashMap<Step, List<Proposal>>();
        db.query(
                "SELECT * FROM proposals WHERE run=? ORDER BY subject, step, position",
                r -> {
                    QueryKey at = QueryKey.of(r);
                    var p = new Proposal(
                            design(r, designs),
                            run.subjects().get(at.step.subject).info().fidelity(r.getString("up_to")),
                            Database.number(r, "acquisition"),
                            StoredForms.prediction(r.getString("prediction")),
                            r.getString("reason"));
                    proposals.put(at, p);
                    questions.computeIfAbsent(at.step, s -> new ArrayList<>()).add(p);
                    long sent = r.getLong("sent");
                    if (!r.wasNull()) {
                        all.add(new At(sent, new RunEvent.Proposed(at.step.subject, at.step.number, at.position, p)));
                    }
                    return p;
                },
                run.id());
        db.query(
                "SELECT * FROM steps WHERE run=?",
                r -> {
                    Step step = Step.of(r);
                    return all.add(new At(
                            r.getLong("asked"),
                            new RunEvent.Asked(
                                    step.subject,
                                    step.number,
                                    questions.getOrDefault(step, List.of()),
                                    r.getString("state"),
                                    StoredForms.diagnostics(r.getString("diagnostics")),
                                    r.getDouble("algorithm_seconds"))));
                },
                run.id());
        db.query(
                "SELECT * FROM evaluations WHERE run=?",
                r -> {
                    QueryKey at = QueryKey.of(r);
                    Evaluation e = evaluation(r, designs, rules, repeated);
                    return all.add(new At(
                            r.getLong("sequence"),
                            at.step.number == StoredEvaluation.KNOWN
                                    ? new RunEvent.Known(at.step.subject, List.of(e))
                                    : new RunEvent.StageDone(
                                            at.step.subject,
                                            at.step.number,
                                            at.position,
                                            requireNonNull(proposals.get(at)),
                                            e)));
                },
                run.id());
        all.sort(Comparator.comparingLong(At::sequence));
        return all.stream().map(At::event).toList();
    }

    private Map<Integer, StoredDesign> designs(RunRecord run, Optional<AtomicInteger> damaged) {
        var all = new LinkedHashMap<Integer, StoredDesign>();
        String sql = "SELECT number, subject, configuration FROM designs WHERE run=? ORDER BY number";
        Database.RowReader<Object> reader = r -> {
            int subject = r.getInt(2);
            if (subject < 0 || subject >= run.subjects().size()) {
                throw new IllegalArgumentException("subject " + subject + " is missing");
            }
            var design = new StoredDesign(
                    subject, Configuration.parse(run.subjects().get(subject).knobs(), r.getString(3)));
            all.put(r.getInt(1), design);
            return design;
        };
        damaged.ifPresentOrElse(d -> db.readable(sql, reader, d, run.id()), () -> db.query(sql, reader, run.id()));
        return all;
    }

    private static List<ResultRule> rules(RunRecord run) {
        return run.subjects().stream()
                .map(s -> ResultRule.ofStored(s.info().metrics()))
                .toList();
    }

    private static Configuration design(ResultSet r, Map<Integer, StoredDesign> designs) throws SQLException {
        StoredDesign d = designs.get(r.getInt("design"));
        if (d == null) {
            throw new IllegalArgumentException("design " + r.getInt("design") + " is missing");
        }
        return d.configuration;
    }

    private static Evaluation evaluation(
            ResultSet r, Map<Integer, StoredDesign> designs, List<ResultRule> rules, ValueInterner repeated)
            throws SQLException {
        Evaluation e =
                StoredForms.evaluation(design(r, designs), new Fidelity(r.getString("fidelity"), r.getInt("rank")), r);
        // What a table says was looked at with all its rows.
        return repeated.evaluation(
                e.provenance().source() == Provenance.Source.REPLAYED
                        ? e
                        : new Evaluation(
                                e.configuration(),
                                e.fidelity(),
                                rules.get(r.getInt("subject")).checked(e.outcome(), "the store"),
                                e.costSeconds(),
                                e.provenance()));
    }

    private RunRecord record(ResultSet r) throws SQLException {
        return record(
                r, db.query("SELECT * FROM subjects WHERE run=? ORDER BY number", this::subject, r.getLong("id")));
    }

    private StoredSubject subject(ResultSet s) throws SQLException {
        return new StoredSubject(
                s.getInt("number"),
                bounded(s, "name"),
                s.getDouble("weight"),
                parsed(s, "knobs", StoredForms::knobs),
                bounded(s, "space_size"),
                parsed(s, "info", t -> StoredForms.read(t, EvaluatorInfo.class)),
                Optional.ofNullable(s.getString("objectives")).map(o -> StoredForms.read(o, Objectives.class)));
    }

    /// A text that a person reads; more than this program writes is cut.
    private static String bounded(ResultSet r, String column) throws SQLException {
        String text = r.getString(column);
        return text.length() <= LONGEST_TEXT ? text : text.substring(0, LONGEST_TEXT) + "...";
    }

    /// The meaning of a text; runs of one kernel repeat theirs.
    @SuppressWarnings("unchecked") // of one type for each reader
    private <T> T parsed(ResultSet r, String column, Function<String, T> reader) throws SQLException {
        if (parsed.size() > MOST_PARSED) {
            parsed.clear();
        }
        String text = r.getString(column);
        Object known = parsed.get(column + text);
        if (known == null) {
            known = reader.apply(text);
            parsed.put(column + text, known);
        }
        return (T) known;
    }

    private RunRecord record(ResultSet r, List<StoredSubject> subjects) throws SQLException {
        long id = r.getLong("id");
        if (subjects.isEmpty()) {
            throw new IllegalArgumentException("run " + id + " has no subject");
        }
        WorkSettings work = parsed(r, "kernel", RunReader::work);
        Area area = Areas.standard().of(work);
        return new RunRecord(
                id,
                bounded(r, "name"),
                work,
                parsed(r, "settings", t -> area.readStoredRun(fields(t))),
                subjects,
                new RunRecord.Origin(
                        bounded(r, "source_hash"),
                        Instant.parse(r.getString("created")),
                        bounded(r, "command"),
                        bounded(r, "program")),
                new RunRecord.Standing(
                        RunStatus.valueOf(r.getString("status")),
                        bounded(r, "reason"),
                        Instant.parse(r.getString("updated")),
                        r.getInt("step"),
                        r.getDouble("tool_seconds"),
                        r.getDouble("algorithm_seconds"),
                        Database.number(r, "hypervolume")),
                Optional.of(r.getString("results"))
                        .filter(t -> !t.isEmpty())
                        .map(t -> db.file().resolveSibling(t).normalize()));
    }

    /// The optimised work of a run, under the name of its area.
    static String work(WorkSettings work) {
        Area area = Areas.standard().of(work);
        ObjectNode root = JSON.createObjectNode();
        area.parameters().writeStored(work.values(), root.putObject(area.kind()));
        return JSON.writeValueAsString(root);
    }

    /// How a run goes.
    static String run(RunSettings run) {
        ObjectNode root = JSON.createObjectNode();
        run.values().parameters().writeStored(run.values(), root);
        return JSON.writeValueAsString(root);
    }

    /// Reads what [#work(WorkSettings)] wrote.
    private static WorkSettings work(String text) {
        JsonFields stored = fields(text);
        Registry areas = Areas.standard();
        return areas.areas().stream()
                .flatMap(a ->
                        stored
                                .object(a.kind())
                                .map(o -> areas.find(a.kind(), o).orElse(a).readStored(o))
                                .stream())
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no area of this program has this work"));
    }

    private static JsonFields fields(String text) {
        return new JsonFields("settings of a stored run", StoredForms.read(text, JsonNode.class), "");
    }
}
