package knobscape.app.ui.start;

import static java.util.Objects.requireNonNull;

import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import knobscape.app.ui.area.WorkKind;
import knobscape.app.ui.designs.DesignFold;
import knobscape.app.ui.designs.DesignSet;
import knobscape.app.ui.designs.DesignStanding;
import knobscape.app.ui.designs.Quantity;
import knobscape.app.ui.designs.Results;
import knobscape.app.ui.run.DesignPictures;
import knobscape.app.ui.task.ScreenThread;
import knobscape.evaluate.Metric;
import knobscape.evaluate.UserError;
import knobscape.fusion.FusionSettings;
import knobscape.gpu.GpuArea;
import knobscape.gpu.GpuSettings;
import knobscape.gpu.export.TunedNetwork;
import knobscape.gpu.export.TuningResults;
import knobscape.gpu.source.TunableNetwork;
import knobscape.hls.open.OpenFlow;
import knobscape.project.Design;
import knobscape.project.Project;
import knobscape.project.RunRecord;
import knobscape.project.RunStatus;
import knobscape.project.RunStore;
import knobscape.work.StoredEvaluation;

/// The result of the newest run of earlier work, in a line of the start page.
///
/// @param best best value of the objective that matters most, with its metric
/// @param front how many designs are on the front
/// @param by whose hardware the figures are of, in words; empty where the kind of work says it
/// @param hours tool time, and whether it was simulated
/// @param state how it stands, since when, how many runs there are
/// @param running whether a process works on it
/// @param thumbnail the front in its first two objectives, of one objective its best value as designs came, of a
/// network's kernels its time as trials went on, as
/// `{x, y}` from 0 to 1, y downwards; may be empty
public record LastRun(
        String best, String front, String by, String hours, String state, boolean running, List<double[]> thumbnail) {
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("HH:mm", Locale.ROOT);
    private static final DateTimeFormatter DAY = DateTimeFormatter.ofPattern("yyyy-MM-dd", Locale.ROOT);
    private static final int PARTS = 12;
    /// Nanoseconds of a millisecond.
    private static final double MILLI = 1e6;
    /// People come for the time first.
    private static final List<String> MATTERS = List.of("delay", "latency", "time", "speedup", "gflops");

    /// The figures that only reading all designs tells.
    ///
    /// @param best as in [LastRun]
    /// @param front as in [LastRun]
    /// @param by as in [LastRun]
    /// @param hours as in [LastRun]
    /// @param thumbnail as in [LastRun]
    record Summary(String best, String front, String by, String hours, List<double[]> thumbnail) {
        Summary {
            requireNonNull(best);
            requireNonNull(front);
            requireNonNull(by);
            requireNonNull(hours);
            for (double[] point : thumbnail) {
                if (point.length != 2) {
                    throw new IllegalArgumentException("a point has two coordinates");
                }
            }
        }
    }

    /// Reads it; empty where nothing was run or it cannot be read, which opening it will say.
    ///
    /// @param known what was found before, as a run of very many designs takes seconds to read
    static Optional<LastRun> of(Path path, SummaryCache known) {
        ScreenThread.mustNotBe("reading runs");
        if (WorkKind.isNetwork(path)) {
            return Optional.empty();
        }
        try (Project project = Project.open(path)) {
            Optional<RunStore> store = project.runs();
            List<RunRecord> runs = store.map(RunStore::list).orElse(List.of());
            if (runs.isEmpty()) {
                return Optional.empty();
            }
            RunRecord run = runs.getLast();
            Summary found = known.of(path, runs, () -> find(project, store.orElseThrow(), run));
            return Optional.of(new LastRun(
                    found.best(),
                    found.front(),
                    found.by(),
                    found.hours(),
                    state(run, runs.size()),
                    run.status() == RunStatus.RUNNING,
                    found.thumbnail()));
        } catch (UserError e) {
            return Optional.empty();
        }
    }

    private static Summary find(Project project, RunStore store, RunRecord run) {
        if (run.work() instanceof GpuSettings) {
            return ofNetwork(project, store, run);
        }
        DesignSet set =
                DesignFold.stored(store, DesignPictures.alike(store, r -> true)).set();
        return new Summary(
                best(set, run.work() instanceof FusionSettings),
                "front " + set.frontSize(),
                set.info().flatMap(i -> OpenFlow.label(i.name())).orElse(""),
                run.toolSeconds() > 0
                        ? Quantity.spent(run.toolSeconds())
                                + (set.info()
                                                .filter(i -> !i.source().isMeasured())
                                                .isPresent()
                                        ? " simulated"
                                        : " measured")
                        : "",
                thumbnail(set));
    }

    /// Of a network's kernels the time of all of them counts.
    private static Summary ofNetwork(Project project, RunStore store, RunRecord run) {
        TunableNetwork network =
                new GpuArea().open(run.work(GpuSettings.class), project).network();
        List<Design> designs = store.results(run.id()).designs();
        var times = new ArrayList<Double>();
        TunedNetwork last = TuningResults.of(network, Stream.empty()).picture();
        for (int part = 1; part <= PARTS; part++) {
            last = TuningResults.of(
                            network,
                            designs.subList(0, designs.size() * part / PARTS).stream()
                                    .flatMap(d -> d.evaluations().stream()
                                            .map(e -> new StoredEvaluation(d.subject(), d.step(), e))))
                    .picture();
            times.add(last.latencyMilliseconds());
        }
        double[] known =
                times.stream().mapToDouble(t -> t).filter(Double::isFinite).toArray();
        double[] y = scaled(known);
        // In the window's units: microseconds below a millisecond.
        Metric time = new Metric("time", "Time", "ns", Metric.Direction.MINIMISE, Double.NaN);
        double nanos = known.length == 0 ? Double.NaN : MILLI * known[known.length - 1];
        return new Summary(
                known.length == 0 ? "" : Quantity.of(time, nanos, nanos).withUnit(nanos),
                run.subjects().size() + (run.subjects().size() == 1 ? " task" : " tasks"),
                "",
                designs.size() + " trials",
                IntStream.range(0, y.length)
                        .mapToObj(i -> new double[] {(double) i / Math.max(1, y.length - 1), 1 - y[i]})
                        .toList());
    }

    private static String state(RunRecord run, int runs) {
        if (run.status() == RunStatus.RUNNING) {
            return run.status().words() + ", step " + run.settings().stepsDone(run.step(), " of ");
        }
        return run.status().words() + " "
                + when(run.updated(), ZoneId.systemDefault(), LocalDate.now(ZoneId.systemDefault()))
                + (runs == 1 ? "" : ", " + runs + " runs");
    }

    static String when(Instant at, ZoneId zone, LocalDate today) {
        var local = at.atZone(zone);
        return local.toLocalDate().equals(today) ? "today " + TIME.format(local) : DAY.format(local);
    }

    /// As the window's headline writes it.
    ///
    /// @param alone whether it stands there without a table of designs, whose unit counts
    private static String best(DesignSet set, boolean alone) {
        return set.objectives().stream()
                .min(Comparator.comparingInt(m -> Math.floorMod(MATTERS.indexOf(m.name()), MATTERS.size() + 1)))
                .flatMap(m ->
                        front(set, m)
                                .reduce((a, b) -> (m.direction() == Metric.Direction.MAXIMISE) == (a > b) ? a : b)
                                .stream()
                                .mapToObj(v -> (alone ? Quantity.of(m, v, v) : Results.quantity(set, m, v)).withUnit(v)
                                        + (m.unit().isEmpty() ? " " + m.label() : ""))
                                .findFirst())
                .orElse("");
    }

    private static DoubleStream front(DesignSet set, Metric m) {
        return IntStream.range(0, set.size())
                .filter(i -> set.standing(i) == DesignStanding.FRONT)
                .mapToDouble(i -> set.shownOrNaN(i, m.name()));
    }

    private static List<double[]> thumbnail(DesignSet set) {
        if (set.objectives().size() == 1) {
            return bestSoFar(set, set.objectives().getFirst());
        }
        if (set.objectives().size() < 2 || set.count(DesignStanding.FRONT) < 2) {
            return List.of();
        }
        double[][] all = set.objectives().stream()
                .limit(2)
                .map(m -> front(set, m).toArray())
                .toArray(double[][]::new);
        double[] across = toLeast(set.objectives().get(0), all[0]);
        double[] down = toLeast(set.objectives().get(1), all[1]);
        // Of more objectives a design may be on the front by another one: the line is the front of these two.
        int[] shown = IntStream.range(0, across.length)
                .filter(i -> IntStream.range(0, across.length)
                        .noneMatch(j -> across[j] <= across[i]
                                && down[j] <= down[i]
                                && (across[j] < across[i] || down[j] < down[i])))
                .toArray();
        double[] x = scaled(IntStream.of(shown).mapToDouble(i -> all[0][i]).toArray());
        double[] y = scaled(IntStream.of(shown).mapToDouble(i -> all[1][i]).toArray());
        return IntStream.range(0, x.length)
                .boxed()
                .sorted(Comparator.comparingDouble(i -> x[i]))
                .map(i -> new double[] {x[i], 1 - y[i]})
                .toList();
    }

    /// Of one objective the best value so far, design by design.
    private static List<double[]> bestSoFar(DesignSet set, Metric m) {
        double[] course = toLeast(
                m,
                IntStream.range(0, set.size())
                        .mapToDouble(i -> set.shownOrNaN(i, m.name()))
                        .filter(v -> !Double.isNaN(v))
                        .toArray());
        for (int i = 1; i < course.length; i++) {
            course[i] = Math.min(course[i], course[i - 1]);
        }
        double[] y = scaled(toLeast(m, course));
        return IntStream.range(0, y.length)
                .mapToObj(i -> new double[] {(double) i / Math.max(1, y.length - 1), 1 - y[i]})
                .toList();
    }

    private static double[] toLeast(Metric m, double[] values) {
        return m.direction() == Metric.Direction.MAXIMISE
                ? DoubleStream.of(values).map(v -> -v).toArray()
                : values;
    }

    /// To 0..1, by logarithms where all are positive.
    private static double[] scaled(double[] v) {
        double[] s = DoubleStream.of(v).allMatch(a -> a > 0)
                ? DoubleStream.of(v).map(Math::log).toArray()
                : v;
        var range = DoubleStream.of(s).summaryStatistics();
        return DoubleStream.of(s)
                .map(a -> range.getMax() > range.getMin()
                        ? (a - range.getMin()) / (range.getMax() - range.getMin())
                        : 0.5)
                .toArray();
    }
}
