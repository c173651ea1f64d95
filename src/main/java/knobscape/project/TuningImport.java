package knobscape.project;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import knobscape.evaluate.Evaluation;
import knobscape.evaluate.EvaluatorInfo;
import knobscape.evaluate.Fidelity;
import knobscape.evaluate.Metric;
import knobscape.evaluate.Outcome;
import knobscape.evaluate.Provenance;
import knobscape.evaluate.UserError;
import knobscape.gpu.GpuSettings;
import knobscape.gpu.GpuWorkbench;
import knobscape.space.CartesianSpace;
import knobscape.space.Configuration;
import knobscape.space.KnobSet;
import knobscape.work.Place;
import knobscape.work.RunSettings;

/// Takes the tuning runs that version 0.1 kept in a store of their own (`tuning.db`) into `runs.db`, once: all
/// of them or none, and the old file is kept beside it as `tuning.db.v1`.
final class TuningImport {
    /// Name of the old file in the folder.
    static final String FILE_NAME = "tuning.db";
    private static final Fidelity RUN = new Fidelity("run", 0);
    private static final int KNOWN = -1;

    private final Database old;
    private final RunStore store;
    private final Place place;

    /// Settings as version 0.1 stored them; runs of its beginnings lack the last two.
    private record Settings(
            String network,
            String method,
            String device,
            int trials,
            double minutes,
            int earlyStop,
            int batch,
            boolean allTemplates,
            String features,
            long seed,
            boolean tails,
            Map<String, Long> dims) {
        GpuSettings work() {
            return new GpuSettings(
                    network.isEmpty() ? device : network,
                    batch,
                    dims,
                    allTemplates,
                    !tails,
                    features,
                    minutes,
                    Optional.empty());
        }

        RunSettings run() {
            return RunSettings.of(method, device, trials, 1, earlyStop).withSeed(seed);
        }
    }

    private record Kernel(int index, String id, int count, KnobSet knobs, int step, String state) {}

    private record Row(int kernel, int step, Evaluation evaluation, Instant arrived) {}

    private record Step(int kernel, int number) {}

    /// A tail of a kernel that it was not searched with.
    private record Tail(int kernel, String id) {}

    private TuningImport(Database old, RunStore store, Place place) {
        this.old = old;
        this.store = store;
        this.place = place;
    }

    /// Whether a folder has runs to be taken over.
    static boolean isDue(Path folder) {
        return Files.isRegularFile(folder.resolve(FILE_NAME));
    }

    /// What the newest of the old runs tuned and how.
    static Optional<ProjectFile> newest(Path folder) {
        try (Database old = Database.open(folder.resolve(FILE_NAME))) {
            return old
                    .query(
                            "SELECT settings FROM tunings ORDER BY id DESC LIMIT 1",
                            r -> StoredForms.read(r.getString(1), Settings.class))
                    .stream()
                    .findFirst()
                    .map(s -> new ProjectFile(
                            folder.getFileName().toString().replaceFirst("\\.knobscape$", ""), "", s.work(), s.run()));
        }
    }

    /// Takes the old runs into a store, all or none. The old file is not touched.
    ///
    /// @param place where relative paths of the settings start
    static void read(Path folder, RunStore store, Place place) {
        try (Database old = Database.open(folder.resolve(FILE_NAME))) {
            store.together(() -> new TuningImport(old, store, place).all());
        }
    }

    /// Keeps the old file under another name, so that it is not taken over again.
    static void keep(Path folder) {
        Path file = folder.resolve(FILE_NAME);
        try {
            try (Database old = Database.open(file)) {
                old.query("PRAGMA wal_checkpoint(TRUNCATE)", r -> 0);
                old.query("PRAGMA journal_mode=DELETE", r -> 0);
            }
            Files.move(file, file.resolveSibling(FILE_NAME + ".v1"), StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            throw new UserError(
                    "The earlier tuning runs in " + file + " are in " + RunStore.FILE_NAME
                            + " now, but the file cannot be renamed; rename it.",
                    e);
        }
    }

    private void all() {
        // Left where a process was killed between taking the runs over and renaming the file.
        Set<String> done =
                Set.copyOf(store.list().stream().map(r -> r.program()).toList());
        for (long id : old.query("SELECT id FROM tunings ORDER BY id", r -> r.getLong(1))) {
            if (!done.contains(mark(id))) {
                one(id);
            }
        }
    }

    private static String mark(long id) {
        return "0.1 (run " + id + " of " + FILE_NAME + ")";
    }

    private void one(long id) {
        record Tuning(
                Settings settings,
                String hash,
                String status,
                String reason,
                Instant created,
                Instant updated,
                double algorithmSeconds) {}
        Tuning t = old.query(
                        "SELECT * FROM tunings WHERE id=?",
                        r -> new Tuning(
                                StoredForms.read(r.getString("settings"), Settings.class),
                                r.getString("hash"),
                                r.getString("status"),
                                r.getString("reason"),
                                Instant.parse(r.getString("created")),
                                Instant.parse(r.getString("updated")),
                                r.getDouble("algorithm_seconds")),
                        id)
                .getFirst();
        List<Kernel> kernels = old.query(
                "SELECT * FROM kernels WHERE tuning=? ORDER BY kernel",
                r -> new Kernel(
                        r.getInt("kernel"),
                        r.getString("id"),
                        r.getInt("count"),
                        StoredForms.knobs(r.getString("knobs")),
                        r.getInt("step"),
                        r.getString("state")),
                id);
        List<Row> rows = old.query(
                "SELECT * FROM measurements WHERE tuning=? ORDER BY id",
                r -> new Row(
                        r.getInt("kernel"),
                        r.getInt("step"),
                        evaluation(kernels, r),
                        Instant.parse(r.getString("arrived"))),
                id);
        var tails = new LinkedHashMap<Tail, List<Row>>();
        names(t.settings, t.hash).forEach(n -> tails.put(n, new ArrayList<>()));
        if (!old.query("SELECT 1 FROM sqlite_master WHERE name='tails'", r -> 1).isEmpty()) {
            old.query(
                    "SELECT * FROM tails WHERE tuning=? ORDER BY id",
                    r -> tails.computeIfAbsent(
                                    new Tail(r.getInt("kernel"), r.getString("tail")), x -> new ArrayList<>())
                            .add(new Row(
                                    r.getInt("kernel"),
                                    0,
                                    evaluation(kernels, r),
                                    Instant.parse(r.getString("arrived")))),
                    id);
        }
        EvaluatorInfo info = info(t.settings, rows);
        var subjects = new ArrayList<StoredSubject>();
        kernels.forEach(k -> subjects.add(subject(subjects.size(), k.id, k.count, k, info)));
        tails.keySet()
                .forEach(x -> subjects.add(subject(
                        subjects.size(),
                        kernels.get(x.kernel).id + GpuWorkbench.OTHER_TAIL + x.id,
                        1,
                        kernels.get(x.kernel),
                        info)));
        long run = store.create(t.settings.work(), t.settings.run(), subjects, t.hash, "", mark(id), t.created);
        var story = new RunStory(store, run, info, t.algorithmSeconds);
        // A step of one kernel is measured before any of another begins.
        var steps = new LinkedHashMap<Step, List<Row>>();
        rows.forEach(r -> steps.computeIfAbsent(new Step(r.kernel, r.step), s -> new ArrayList<>())
                .add(r));
        kernels.stream()
                .filter(k -> k.step >= 0 && !steps.containsKey(new Step(k.index, 0)))
                .forEach(k -> story.step(k.index, 0, List.of(), k.step == 0 ? k.state : "", t.created));
        steps.forEach((step, own) -> {
            Kernel k = kernels.get(step.kernel);
            List<Evaluation> answers = own.stream().map(Row::evaluation).toList();
            Instant at = own.getLast().arrived;
            if (step.number == KNOWN) {
                answers.forEach(e -> story.known(k.index, e, at));
            } else if (step.number <= k.step) {
                story.step(k.index, step.number, answers, step.number == k.step ? k.state : "", at);
            } else {
                story.interrupted(k.index, step.number, answers, at);
            }
        });
        int subject = kernels.size();
        for (List<Row> own : tails.values()) {
            for (int i = 0; i < own.size(); i++) {
                if (i == 0) {
                    story.step(subject, 0, List.of(), "", own.get(i).arrived);
                }
                story.step(subject, i + 1, List.of(own.get(i).evaluation), "", own.get(i).arrived);
            }
            subject++;
        }
        store.status(
                run,
                t.status.equals("RUNNING") ? RunStatus.INTERRUPTED : RunStatus.valueOf(t.status),
                t.reason,
                t.updated);
    }

    /// The tails that the kernels were not searched with, in the order of the network; none where it cannot be
    /// read any more.
    private List<Tail> names(Settings settings, String hash) {
        try {
            GpuWorkbench bench = GpuWorkbench.open(place, settings.work());
            var names = new ArrayList<Tail>();
            for (int k = 0;
                    k < bench.network().kernels().size() && bench.sourceHash().equals(hash);
                    k++) {
                int kernel = k;
                bench.network().kernels().get(k).tails().stream()
                        .skip(1)
                        .forEach(x -> names.add(new Tail(kernel, x.epilogue().id())));
            }
            return names;
        } catch (UserError e) {
            return List.of();
        }
    }

    private static Evaluation evaluation(List<Kernel> kernels, ResultSet r) throws SQLException {
        return StoredForms.evaluation(
                Configuration.parse(kernels.get(r.getInt("kernel")).knobs, r.getString("configuration")), RUN, r);
    }

    private static EvaluatorInfo info(Settings s, List<Row> rows) {
        Set<String> reported = rows.stream()
                .flatMap(r -> r.evaluation.outcome() instanceof Outcome.Measured m
                        ? m.values().keySet().stream()
                        : Stream.of())
                .collect(Collectors.toSet());
        var time = new Metric("time", "Time", "ms", Metric.Direction.MINIMISE, Double.NaN);
        var gflops = new Metric("gflops", "GFLOPS", "GFLOPS", Metric.Direction.MAXIMISE, Double.NaN);
        var rate = new Metric("rate", "Calls per second", "1/s", Metric.Direction.MAXIMISE, Double.NaN);
        boolean measured = s.network.isEmpty();
        Metric objective = !measured ? time : reported.contains("rate") ? rate : gflops;
        Provenance.Source source = rows.stream()
                .filter(r -> r.step != KNOWN)
                .map(r -> r.evaluation.provenance().source())
                .findFirst()
                .orElse(Provenance.Source.MODEL);
        return new EvaluatorInfo(
                s.device,
                s.device,
                source,
                List.of(RUN),
                List.of(time, gflops, rate),
                Map.of(RUN.name(), Set.of("time", "gflops", "rate")),
                List.of(objective.name()),
                Map.of(RUN.name(), 1.0));
    }

    private static StoredSubject subject(int number, String name, double weight, Kernel k, EvaluatorInfo info) {
        return new StoredSubject(
                number,
                name,
                weight,
                k.knobs,
                new CartesianSpace(k.knobs).size().toString(),
                info,
                Optional.empty());
    }
}
