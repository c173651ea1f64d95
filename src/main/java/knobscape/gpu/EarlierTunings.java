package knobscape.gpu;

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
import knobscape.space.CartesianSpace;
import knobscape.space.Configuration;
import knobscape.space.KnobSet;
import knobscape.work.Area;
import knobscape.work.EarlierRuns;
import knobscape.work.PastRun;
import knobscape.work.Place;
import knobscape.work.RunSettings;
import knobscape.work.store.Database;
import knobscape.work.store.StoredForms;

/// The tuning runs that version 0.1 kept in `tuning.db`.
final class EarlierTunings implements EarlierRuns {
    private static final Fidelity RUN = new Fidelity("run", 0);

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
        Area.Work work() {
            return new Area.Work(
                    new GpuSettings(
                            network.isEmpty() ? device : network,
                            batch,
                            dims,
                            allTemplates,
                            !tails,
                            features,
                            minutes,
                            Optional.empty()),
                    RunSettings.of(method, device, trials, 1, earlyStop).withSeed(seed));
        }
    }

    private record Kernel(int index, String id, int count, KnobSet knobs, int step, String state) {}

    private record Row(int kernel, int step, Evaluation evaluation, Instant arrived) {}

    private record Step(int kernel, int number) {}

    /// A tail of a kernel that it was not searched with.
    private record Tail(int kernel, String id) {}

    private record Tuning(
            Settings settings,
            String hash,
            String status,
            String reason,
            Instant created,
            Instant updated,
            double algorithmSeconds) {}

    @Override
    public String fileName() {
        return "tuning.db";
    }

    @Override
    public List<Long> numbers(Database old) {
        return old.query("SELECT id FROM tunings ORDER BY id", r -> r.getLong(1));
    }

    @Override
    public Optional<Area.Work> newest(Database old) {
        return old
                .query(
                        "SELECT settings FROM tunings ORDER BY id DESC LIMIT 1",
                        r -> StoredForms.read(r.getString(1), Settings.class))
                .stream()
                .findFirst()
                .map(Settings::work);
    }

    @Override
    public PastRun read(Database old, long id, Place place) {
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
        List<Row> rows = old.query("SELECT * FROM measurements WHERE tuning=? ORDER BY id", r -> row(kernels, r), id);
        var tails = new LinkedHashMap<Tail, List<Row>>();
        names(t, place).forEach(n -> tails.put(n, new ArrayList<>()));
        if (!old.query("SELECT 1 FROM sqlite_master WHERE name='tails'", r -> 1).isEmpty()) {
            old.query(
                    "SELECT *, 0 AS step FROM tails WHERE tuning=? ORDER BY id",
                    r -> tails.computeIfAbsent(
                                    new Tail(r.getInt("kernel"), r.getString("tail")), x -> new ArrayList<>())
                            .add(row(kernels, r)),
                    id);
        }
        var subjects = new ArrayList<PastRun.Subject>();
        kernels.forEach(k -> subjects.add(new PastRun.Subject(k.id, k.count, new CartesianSpace(k.knobs))));
        tails.keySet().forEach(x -> {
            Kernel k = kernels.get(x.kernel);
            subjects.add(new PastRun.Subject(k.id + GpuWorkbench.OTHER_TAIL + x.id, 1, new CartesianSpace(k.knobs)));
        });
        return new PastRun(
                t.settings.work(),
                info(t.settings, rows),
                subjects,
                t.hash,
                t.status.equals("RUNNING") ? "INTERRUPTED" : t.status,
                t.reason,
                t.created,
                t.updated,
                t.algorithmSeconds,
                answers(t, kernels, rows, List.copyOf(tails.values())));
    }

    private static List<PastRun.Answers> answers(
            Tuning t, List<Kernel> kernels, List<Row> rows, List<List<Row>> tails) {
        var all = new ArrayList<PastRun.Answers>();
        // A step of one kernel is measured before any of another begins.
        var steps = new LinkedHashMap<Step, List<Row>>();
        rows.forEach(r -> steps.computeIfAbsent(new Step(r.kernel, r.step), s -> new ArrayList<>())
                .add(r));
        kernels.stream()
                .filter(k -> k.step >= 0 && !steps.containsKey(new Step(k.index, 0)))
                .forEach(k -> all.add(
                        new PastRun.Answers(k.index, 0, List.of(), k.step == 0 ? k.state : "", true, t.created)));
        steps.forEach((step, own) -> {
            Kernel k = kernels.get(step.kernel);
            all.add(new PastRun.Answers(
                    k.index,
                    step.number,
                    own.stream().map(Row::evaluation).toList(),
                    step.number == k.step ? k.state : "",
                    step.number <= k.step,
                    own.getLast().arrived));
        });
        for (int i = 0; i < tails.size(); i++) {
            int subject = kernels.size() + i;
            List<Row> own = tails.get(i);
            if (!own.isEmpty()) {
                all.add(new PastRun.Answers(subject, 0, List.of(), "", true, own.getFirst().arrived));
            }
            for (int step = 1; step <= own.size(); step++) {
                Row r = own.get(step - 1);
                all.add(new PastRun.Answers(subject, step, List.of(r.evaluation), "", true, r.arrived));
            }
        }
        return all;
    }

    /// The tails that the kernels were not searched with, in the order of the network; none where it cannot be
    /// read any more.
    private static List<Tail> names(Tuning t, Place place) {
        try {
            GpuWorkbench bench =
                    GpuWorkbench.open(place, (GpuSettings) t.settings.work().settings());
            return bench.sourceHash().equals(t.hash)
                    ? bench.network().otherTails().stream()
                            .map(x -> new Tail(x.kernel(), x.tail().epilogue().id()))
                            .toList()
                    : List.of();
        } catch (UserError e) {
            return List.of();
        }
    }

    private static Row row(List<Kernel> kernels, ResultSet r) throws SQLException {
        int kernel = r.getInt("kernel");
        return new Row(
                kernel,
                r.getInt("step"),
                StoredForms.evaluation(
                        Configuration.parse(kernels.get(kernel).knobs, r.getString("configuration")), RUN, r),
                Instant.parse(r.getString("arrived")));
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
        Metric objective = !s.network.isEmpty() ? time : reported.contains("rate") ? rate : gflops;
        Provenance.Source source = rows.stream()
                .filter(r -> r.step != PastRun.KNOWN)
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
}
