package knobscape.work.history;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import knobscape.evaluate.Metric;
import knobscape.evaluate.ResultRule;
import knobscape.evaluate.TemporaryFiles;
import knobscape.evaluate.UserError;
import knobscape.evaluate.report.FileOutput;
import knobscape.space.Domain;
import knobscape.space.Knob;
import knobscape.space.KnobSet;
import knobscape.work.store.Database;
import knobscape.work.store.StoreProblem;
import knobscape.work.store.StoredForms;

/// Everything a user has measured, in one SQLite file (write-ahead log) that several processes may write. A row is a
/// configuration of a task; what is there already is not added again, but a configuration that failed and later ran
/// has both rows. Rows are numbered as they come and never change, so that a number bounds what a run has seen.
/// Thread-safe.
public final class TuningHistory implements AutoCloseable {
    private static final int VERSION = 1;
    /// `KsTH` in the file's header.
    private static final int APPLICATION = 0x4b735448;
    /// Most rows that a transaction adds.
    private static final int PIECE = 20_000;

    /// Figures that every area measures.
    private static final ResultRule RULE = ResultRule.ofStored(Stream.of(
                    metric("time", "ms"),
                    metric("gflops", ""),
                    metric("rate", "1/s"),
                    metric("delay", "ns"),
                    metric("power", "W"),
                    metric("latency", "cycles"),
                    metric("lut", ""))
            .toList());

    private final Database database;

    private TuningHistory(Database database) {
        this.database = database;
    }

    private static Metric metric(String name, String unit) {
        return new Metric(name, name, unit, Metric.Direction.MINIMISE, Double.NaN);
    }

    /// A task with what the history has of it.
    ///
    /// @param id of the task in this file
    /// @param rows measurements
    /// @param ran those that ran
    /// @param best least `time` among them, NaN where there is none
    /// @param last when the last was made, in seconds since 1970
    public record StoredTuning(long id, HistoryTask task, long rows, long ran, double best, double last) {}

    /// Opens a history, made where the file does not exist. Throws [UserError] in one sentence for a file that is
    /// damaged, newer, or none of these; it is kept as it is.
    public static TuningHistory open(Path file) {
        try {
            if (file.toAbsolutePath().getParent() != null) {
                Files.createDirectories(file.toAbsolutePath().getParent());
            }
        } catch (IOException e) {
            throw new UserError(
                    "The folder of the tuning history " + file + " cannot be made: " + FileOutput.reason(file, e) + ".",
                    e);
        }
        if (Files.exists(file) && !Files.isRegularFile(file)) {
            throw new UserError(file + " is no file, so it cannot be a tuning history.");
        }
        return guarded(file, () -> {
            boolean isNew = !Files.exists(file);
            Database d = isNew ? Database.openForWriting(file) : Database.open(file);
            try {
                check(d);
                Path folder = file.toAbsolutePath().getParent();
                if (isNew || (Files.isWritable(file) && folder != null && Files.isWritable(folder))) {
                    d.writeAhead();
                    d.transaction(() -> {
                        create(d);
                        return d;
                    });
                }
                return new TuningHistory(d);
            } catch (RuntimeException e) {
                d.close();
                throw e;
            }
        });
    }

    /// An existing history; throws [UserError] where there is no such file too.
    public static TuningHistory existing(Path file) {
        if (!Files.isRegularFile(file)) {
            throw new UserError(
                    "There is no tuning history " + file + "; 'knobscape history --import FILE' makes one.");
        }
        return open(file);
    }

    private static void check(Database d) {
        int application = d.query("PRAGMA application_id", r -> r.getInt(1)).getFirst();
        boolean empty =
                d.query("SELECT count(*) FROM sqlite_master", r -> r.getInt(1)).getFirst() == 0;
        if (!empty && application != APPLICATION) {
            throw new UserError(d.file() + " is a database of another program, no tuning history.");
        }
        if (d.version() > VERSION) {
            throw new UserError("The tuning history " + d.file() + " was made by a newer Knobscape (format "
                    + d.version() + ", this program reads up to " + VERSION + "); install a newer one to use it.");
        }
    }

    private static void create(Database d) {
        d.run("CREATE TABLE IF NOT EXISTS tasks(id INTEGER PRIMARY KEY, area TEXT NOT NULL, device TEXT NOT NULL,"
                + " driver TEXT NOT NULL, modelled INTEGER NOT NULL, layer_group TEXT NOT NULL, subject TEXT NOT NULL,"
                + " words TEXT NOT NULL, work TEXT NOT NULL, template TEXT NOT NULL, tail TEXT NOT NULL,"
                + " knobs TEXT NOT NULL, UNIQUE(area, device, driver, modelled, subject, template, tail))");
        d.run("CREATE TABLE IF NOT EXISTS rows(id INTEGER PRIMARY KEY AUTOINCREMENT, task INTEGER NOT NULL"
                + " REFERENCES tasks, configuration TEXT NOT NULL, ran INTEGER NOT NULL, kind TEXT NOT NULL,"
                + " metrics TEXT NOT NULL, reason TEXT NOT NULL, cost REAL NOT NULL, seen REAL NOT NULL,"
                + " time REAL, origin TEXT NOT NULL, UNIQUE(task, configuration, ran))");
        d.run("PRAGMA application_id=" + APPLICATION);
        d.run("PRAGMA user_version=" + VERSION);
    }

    /// SQLite's words on a damaged file, said of a history.
    private static <T> T guarded(Path file, Supplier<T> work) {
        try {
            return work.get();
        } catch (UserError e) {
            if (e.getCause() == null) {
                throw e;
            }
            if (e.getCause() instanceof SQLException s && !StoreProblem.isDamage(s)) {
                throw StoreProblem.of("Cannot use the tuning history", file, s);
            }
            throw new UserError(
                    "The tuning history " + file + " is damaged, and was left as it is; move it away or name another"
                            + " (" + UserError.reason(e.getCause()) + ").",
                    e);
        }
    }

    private <T> T guarded(Supplier<T> work) {
        return guarded(file(), work);
    }

    /// The file.
    public Path file() {
        return database.file();
    }

    /// Adds measurements of a task; what is there already stays as it is, and what cannot be a result is left out.
    ///
    /// @return how many were new
    public synchronized int add(HistoryTask task, List<HistoryRow> told) {
        List<HistoryRow> rows = told.stream()
                .filter(r -> RULE.checked(r.outcome(), "") == r.outcome())
                .toList();
        int before = rows.isEmpty() ? 0 : count();
        for (int from = 0; from < rows.size(); from += PIECE) {
            List<HistoryRow> piece = rows.subList(from, Math.min(rows.size(), from + PIECE));
            guarded(() -> database.transaction(() -> {
                long id = id(task);
                for (HistoryRow r : piece) {
                    database.change(
                            "INSERT INTO rows(task, configuration, ran, kind, metrics, reason, cost, seen, time, origin)"
                                    + " VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
                            id,
                            r.configuration(),
                            r.isMeasured() ? 1 : 0,
                            StoredForms.kind(r.outcome()),
                            StoredForms.metrics(r.outcome()),
                            StoredForms.reason(r.outcome()),
                            r.costSeconds(),
                            r.seen(),
                            r.outcome() instanceof knobscape.evaluate.Outcome.Measured m
                                    ? m.value("time").orElse(Double.NaN)
                                    : Double.NaN,
                            r.origin());
                }
                return id;
            }));
        }
        return rows.isEmpty() ? 0 : count() - before;
    }

    private int count() {
        return guarded(() ->
                database.query("SELECT count(*) FROM rows", r -> r.getInt(1)).getFirst());
    }

    /// The number of a task, stored where it is new. Knobs of equal tasks from several files are united.
    private long id(HistoryTask t) {
        // Writes first, so that this process waits for others here and not in the middle.
        database.change(
                "INSERT INTO tasks(area, device, driver, modelled, layer_group, subject, words, work, template, tail,"
                        + " knobs) VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
                t.area(),
                t.device(),
                t.driver(),
                t.isModel() ? 1 : 0,
                t.group(),
                t.subject(),
                t.words(),
                t.work(),
                t.template(),
                t.tail(),
                t.knobs().map(StoredForms::knobs).orElse(""));
        record Found(long id, String knobs) {}
        Found found = database.query(
                        "SELECT id, knobs FROM tasks WHERE area=? AND device=? AND driver=? AND modelled=? AND subject=?"
                                + " AND template=? AND tail=?",
                        r -> new Found(r.getLong(1), r.getString(2)),
                        t.area(),
                        t.device(),
                        t.driver(),
                        t.isModel() ? 1 : 0,
                        t.subject(),
                        t.template(),
                        t.tail())
                .getFirst();
        if (t.knobs().isPresent() && !found.knobs.isEmpty()) {
            String united = StoredForms.knobs(
                    united(StoredForms.knobs(found.knobs), t.knobs().get()));
            if (!united.equals(found.knobs)) {
                database.change("UPDATE tasks SET knobs=? WHERE id=?", united, found.id);
            }
        }
        return found.id;
    }

    /// Every value of both; the first where they have other knobs.
    static KnobSet united(KnobSet a, KnobSet b) {
        boolean same = a.size() == b.size()
                && IntStream.range(0, a.size())
                        .allMatch(i -> a.get(i).name().equals(b.get(i).name()));
        return same
                ? new KnobSet(IntStream.range(0, a.size())
                        .mapToObj(i -> new Knob(
                                a.get(i).name(),
                                united(a.get(i).domain(), b.get(i).domain())))
                        .toList())
                : a;
    }

    private static Domain united(Domain a, Domain b) {
        if (a.equals(b)) {
            return a;
        }
        if (a instanceof Domain.Factors f && b instanceof Domain.Factors g) {
            Set<Integer> all = new TreeSet<>(f.values());
            all.addAll(g.values());
            return new Domain.Factors(List.copyOf(all));
        }
        if (a instanceof Domain.Numbers f && b instanceof Domain.Numbers g) {
            Set<Double> all = new TreeSet<>(f.values());
            all.addAll(g.values());
            return new Domain.Numbers(List.copyOf(all), f.isLogarithmic() && g.isLogarithmic());
        }
        Set<String> all = new LinkedHashSet<>(a.labels());
        all.addAll(b.labels());
        return new Domain.Categories(List.copyOf(all));
    }

    /// Number of the newest row, 0 where there is none.
    public synchronized long last() {
        return guarded(() -> database.query("SELECT coalesce(max(id), 0) FROM rows", r -> r.getLong(1))
                .getFirst());
    }

    /// Every task, those of one area together, by device and group.
    public synchronized List<StoredTuning> tasks() {
        return guarded(() -> {
            Map<Long, Object[]> sums = new LinkedHashMap<>();
            database.query(
                            "SELECT task, count(*), sum(ran), min(CASE WHEN time>0 THEN time END), max(seen) FROM rows GROUP BY task",
                            r -> new Object[] {
                                r.getLong(1),
                                r.getLong(2),
                                r.getLong(3),
                                Optional.ofNullable(r.getObject(4)).map(x -> ((Number) x).doubleValue()),
                                HistoryRow.time(r.getDouble(5))
                            })
                    .forEach(s -> sums.put((Long) s[0], s));
            return database.query(
                    "SELECT * FROM tasks ORDER BY area, device, modelled, layer_group, subject, template, tail, id",
                    r -> {
                        long id = r.getLong("id");
                        Object[] s = sums.getOrDefault(id, new Object[] {id, 0L, 0L, Optional.empty(), 0.0});
                        String knobs = r.getString("knobs");
                        return new StoredTuning(
                                id,
                                new HistoryTask(
                                        r.getString("area"),
                                        new HistoryTask.Measurer(
                                                r.getString("device"),
                                                r.getString("driver"),
                                                r.getInt("modelled") == 1),
                                        r.getString("layer_group"),
                                        r.getString("subject"),
                                        r.getString("words"),
                                        r.getString("work"),
                                        r.getString("template"),
                                        r.getString("tail"),
                                        knobs.isEmpty() ? Optional.empty() : Optional.of(StoredForms.knobs(knobs))),
                                (Long) s[1],
                                (Long) s[2],
                                s[3] instanceof Optional<?> o && o.isPresent() ? (Double) o.get() : Double.NaN,
                                (Double) s[4]);
                    });
        });
    }

    /// The measurements of a task, oldest first; of a configuration that failed and later ran only the time.
    ///
    /// @param upTo number of the newest row that counts
    public synchronized List<HistoryRow> rows(long task, long upTo) {
        return guarded(() -> database.query(
                "SELECT * FROM rows r WHERE task=? AND id<=? AND (ran=1 OR NOT EXISTS (SELECT 1 FROM rows o WHERE"
                        + " o.task=r.task AND o.configuration=r.configuration AND o.ran=1 AND o.id<=?)) ORDER BY id",
                r -> new HistoryRow(
                        r.getString("configuration"),
                        RULE.checked(
                                StoredForms.outcome(r.getString("kind"), r.getString("metrics"), r.getString("reason")),
                                "the history"),
                        r.getDouble("cost"),
                        r.getDouble("seen"),
                        r.getString("origin")),
                task,
                upTo,
                upTo));
    }

    /// Adds everything that another history has.
    ///
    /// @return how many rows were new
    public int merge(TuningHistory other) {
        return other.tasks().stream()
                .mapToInt(t -> add(t.task(), other.rows(t.id(), Long.MAX_VALUE)))
                .sum();
    }

    /// Writes tasks with their measurements into a history of their own, whole or not at all.
    public void copy(List<StoredTuning> tasks, Path target) {
        try {
            Path folder = TemporaryFiles.folder("history");
            Path made = folder.resolve("copy.db");
            try {
                try (TuningHistory copy = open(made)) {
                    tasks.forEach(t -> copy.add(t.task(), rows(t.id(), Long.MAX_VALUE)));
                }
                FileOutput.write(target, Files.readAllBytes(made));
            } finally {
                Files.deleteIfExists(made);
                Files.deleteIfExists(folder);
            }
        } catch (IOException e) {
            throw new UserError("The temporary folder cannot be used: " + UserError.reason(e) + ".", e);
        }
    }

    @Override
    public synchronized void close() {
        database.close();
    }
}
