package knobscape.lab.bench;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CancellationException;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import knobscape.evaluate.Evaluation;
import knobscape.evaluate.Evaluator;
import knobscape.evaluate.Metric;
import knobscape.evaluate.UserError;
import knobscape.explore.Exploration;
import knobscape.explore.RunEvent;
import knobscape.explore.Scheduler;
import knobscape.explore.Subject;
import knobscape.explore.Termination;
import knobscape.hls.HlsSettings;
import knobscape.hls.HlsWorkbench;
import knobscape.lab.bench.BenchReport.Aim;
import knobscape.lab.bench.BenchReport.Cell;
import knobscape.lab.bench.BenchReport.Column;
import knobscape.pareto.Adrs;
import knobscape.pareto.ParetoFront;
import knobscape.project.Project;
import knobscape.work.RunSettings;
import knobscape.work.Workbench;

/// `src/lab/run rewrites`: what rewritten sources (`--transform on`) bring beyond directives, by the built-in
/// estimate: the same search with as many estimates, with and without them.
public final class RewritesBench implements Bench {
    private static final int SEEDS = 3;
    private static final int QUICK_SEEDS = 1;
    private static final int ESTIMATES = 600;
    private static final int QUICK_ESTIMATES = 200;
    private static final String FOLDER = "/knobscape/lab/rewrites/";
    /// Kernels of the laboratory, besides the samples; those with ports read and write external memory. Those
    /// with few rewrites come first.
    private static final List<String> KERNELS =
            List.of("dot.c", "fir_ports.c", "jacobi_ports.c", "mm_ports.c", "syrk.c", "mvt.c");
    private static final String WITH = "with rewrites";
    private static final String WITHOUT = "directives alone";
    private static final List<String> METHODS = List.of(WITHOUT, WITH);
    /// Of the search: needs no model, so its share of the space is all that differs.
    private static final String SEARCH = "nsga2";
    private static final String DELAY = "delay";
    private static final double LEAST_SHARE = 0.6;
    /// ADRS below which a ratio says nothing.
    private static final double FLOOR = 0.001;

    @Override
    public String name() {
        return "rewrites";
    }

    @Override
    public String description() {
        return "What rewritten sources bring beyond directives, by the built-in estimate, at as many estimates.";
    }

    /// The non-dominated designs of a search.
    ///
    /// @param texts which source is built, by design
    /// @param values objectives, by design
    /// @param delay place of the delay among the objectives
    /// @param offered sources to choose from
    record Reached(List<String> texts, List<List<Double>> values, int delay, int offered) {
        double[][] vectors() {
            return values.stream()
                    .map(v -> v.stream().mapToDouble(Double::doubleValue).toArray())
                    .toArray(double[][]::new);
        }

        double fastest() {
            return values.stream().mapToDouble(v -> v.get(delay)).min().orElse(Double.POSITIVE_INFINITY);
        }
    }

    /// A kernel whose two spaces are searched.
    ///
    /// @param opener opens it, with rewritten sources or without
    private record Rewritten(
            Job job, String name, Function<Boolean, HlsWorkbench> opener, Map<String, HlsWorkbench> open)
            implements TrialSubject<Reached> {
        private HlsWorkbench bench(String method) {
            return open.computeIfAbsent(method, m -> opener.apply(m.equals(WITH)));
        }

        @Override
        public Optional<String> key(String method) {
            return Optional.of("source=" + bench(WITHOUT).sourceHash().substring(0, 16) + " estimates=" + estimates(job)
                    + " kernel=" + name);
        }

        @Override
        public String words(Reached r) {
            return r.texts().size() + " designs on the front, "
                    + r.texts().stream().filter(t -> !t.isEmpty()).count() + " of them rewritten";
        }

        @Override
        public Reached run(String method, long seed, Map<String, Reached> earlier) {
            HlsWorkbench bench = bench(method);
            RunSettings settings =
                    HlsSettings.defaultRun().with(RunSettings.SEED, seed).with(RunSettings.METHOD, SEARCH);
            try (Evaluator evaluator = bench.evaluator(settings)) {
                List<Metric> objectives = Workbench.objectives(settings, evaluator.info());
                var exploration = new Exploration(
                        List.of(Subject.of(
                                "",
                                bench.space(),
                                bench.explorer(settings, evaluator.info()),
                                evaluator,
                                objectives,
                                Termination.of(0))),
                        Scheduler.roundRobin(),
                        Exploration.Settings.steps(seed, Integer.MAX_VALUE),
                        System::nanoTime,
                        Runnable::run);
                var found = new ArrayList<Evaluation>();
                exploration.addListener(e -> {
                    if (e instanceof RunEvent.Evaluated done && found.size() < estimates(job)) {
                        found.add(done.evaluations().getLast());
                        if (found.size() == estimates(job)) {
                            exploration.stop();
                        }
                    }
                });
                job.cancel().onCancel(exploration::stop);
                exploration.run(List.of());
                if (job.cancel().isCancelled()) {
                    throw new CancellationException("stopped on request");
                }
                return reached(bench, objectives, found, evaluator.info().top().rank());
            }
        }

        private static Reached reached(HlsWorkbench bench, List<Metric> objectives, List<Evaluation> found, int top) {
            boolean isOffered = bench.space().knobs().get(0).name().startsWith("transform@");
            List<Evaluation> built = found.stream()
                    .filter(e -> e.fidelity().rank() == top
                            && e.isMeasured()
                            && objectives.stream()
                                    .allMatch(m -> e.value(m.name()).isPresent()))
                    .toList();
            double[][] all = built.stream()
                    .map(e -> objectives.stream()
                            .mapToDouble(m -> e.value(m.name()).orElseThrow())
                            .toArray())
                    .toArray(double[][]::new);
            double[][] front = ParetoFront.of(all);
            var texts = new ArrayList<String>();
            for (double[] point : front) {
                Evaluation e = built.get(index(all, point));
                String text = isOffered ? e.configuration().value(0) : "none";
                texts.add(text.equals("none") ? "" : text);
            }
            return new Reached(
                    texts,
                    Arrays.stream(front)
                            .map(v -> Arrays.stream(v).boxed().toList())
                            .toList(),
                    objectives.stream().map(Metric::name).toList().indexOf(DELAY),
                    isOffered ? bench.space().knobs().get(0).domain().size() : 1);
        }

        private static int index(double[][] all, double[] point) {
            for (int i = 0; i < all.length; i++) {
                if (Arrays.equals(all[i], point)) {
                    return i;
                }
            }
            throw new IllegalStateException("a point of the front is no design");
        }
    }

    private static int estimates(Job job) {
        return job.quick() ? QUICK_ESTIMATES : ESTIMATES;
    }

    @Override
    public BenchReport run(Job job) {
        int seeds = job.seeds().orElse(job.quick() ? QUICK_SEEDS : SEEDS);
        TrialRunner<Reached> runner = TrialRunner.inTurn(job, "trials.jsonl", Reached.class, seeds);
        var trials = new ArrayList<Trial<Reached>>();
        for (String kernel : KERNELS) {
            Path file = copied(kernel, job);
            trials.addAll(runner.run(
                    subject(
                            job,
                            kernel.replace(".c", ""),
                            () -> Project.open(
                                    file,
                                    Optional.of(job.out().resolve("kernels").resolve(kernel + ".project")))),
                    METHODS));
        }
        job.samples()
                .ifPresent(folder -> SamplesBench.projects(folder)
                        .forEach(sample -> trials.addAll(runner.run(
                                subject(job, sample.getFileName().toString(), () -> Project.open(sample)), METHODS))));
        return report(name(), trials, seeds, estimates(job));
    }

    private static Rewritten subject(Job job, String name, Supplier<Project> opener) {
        return new Rewritten(
                job,
                name,
                with -> {
                    try (Project p = opener.get()) {
                        HlsSettings settings = p.file().work() instanceof HlsSettings s ? s : HlsSettings.of(name);
                        return HlsWorkbench.open(p, settings.with(HlsSettings.TRANSFORM, with), job.tools());
                    }
                },
                new LinkedHashMap<>());
    }

    private static Path copied(String kernel, Job job) {
        Path file = job.out().resolve("kernels").resolve(kernel);
        try (InputStream in = requireNonNull(RewritesBench.class.getResourceAsStream(FOLDER + kernel))) {
            Files.createDirectories(file.getParent());
            Files.write(file, in.readAllBytes());
            return file;
        } catch (IOException e) {
            throw new UserError("Cannot write " + file + ": " + e.getMessage() + ".", e);
        }
    }

    /// By kernel the distance of each search from the front of both.
    static BenchReport report(String name, List<Trial<Reached>> trials, int seeds, int estimates) {
        var bySubject = new TreeMap<>(trials.stream().collect(Collectors.groupingBy(Trial::subject)));
        var rows = new ArrayList<List<Cell>>();
        double logs = 0;
        int won = 0;
        int lost = 0;
        int counted = 0;
        for (var e : bySubject.entrySet()) {
            List<Reached> without = of(e.getValue(), WITHOUT);
            List<Reached> with = of(e.getValue(), WITH);
            double[][] union = ParetoFront.of(Stream.concat(without.stream(), with.stream())
                    .flatMap(r -> Arrays.stream(r.vectors()))
                    .toArray(double[][]::new));
            double[] off = distances(without, union);
            double[] on = distances(with, union);
            int offered = with.stream().mapToInt(Reached::offered).max().orElse(1) - 1;
            int better = 0;
            int worse = 0;
            for (int i = 0; i < Math.min(off.length, on.length); i++) {
                better += on[i] < off[i] ? 1 : 0;
                worse += on[i] > off[i] ? 1 : 0;
            }
            double faster = Statistics.median(
                            with.stream().mapToDouble(Reached::fastest).toArray())
                    / Statistics.median(
                            without.stream().mapToDouble(Reached::fastest).toArray());
            if (offered > 0) {
                won += better;
                lost += worse;
                counted++;
                logs += Math.log((Statistics.mean(on) + FLOOR) / (Statistics.mean(off) + FLOOR));
            }
            rows.add(BenchReport.row(
                    List.of(e.getKey(), best(with)),
                    offered,
                    Statistics.mean(off),
                    Statistics.mean(on),
                    better,
                    worse,
                    faster,
                    share(with)));
        }
        var aims = new ArrayList<Aim>();
        if (counted > 0) {
            aims.add(Aim.below(
                    "ADRS with rewrites over that without, geometric mean of " + counted + " kernels",
                    Math.exp(logs / counted),
                    1));
            double share = won + lost == 0 ? 0 : (double) won / (won + lost);
            aims.add(Aim.atLeast("share of decided pairs that rewrites win", share, LEAST_SHARE));
        }
        return new BenchReport(
                name,
                "Rewritten sources beside directives alone, built-in estimate, " + estimates + " estimates a search, "
                        + seeds + (seeds == 1 ? " seed." : " seeds."),
                Column.list(
                        "kernel", "kernel",
                        "best", "rewrites most often on the front",
                        "offered", "rewrites offered",
                        "adrsWithout", "ADRS, directives alone",
                        "adrsWith", "ADRS, with rewrites",
                        "won", "seeds won",
                        "lost", "lost",
                        "fastest", "fastest over fastest without",
                        "share", "share of the front rewritten"),
                rows,
                aims,
                List.of(
                        "Search: NSGA-II in generations of sixteen, the same with both; designs of every source are drawn equally often.",
                        "ADRS: from the front of all that either found with any seed, by the largest relative excess; ratios with "
                                + FLOOR + " added to both. A kernel that offers no rewrite is in no aim."));
    }

    private static List<Reached> of(List<Trial<Reached>> trials, String method) {
        return trials.stream()
                .filter(t -> t.method().equals(method))
                .map(Trial::figures)
                .toList();
    }

    private static double[] distances(List<Reached> found, double[][] front) {
        return found.stream()
                .mapToDouble(r -> Adrs.of(front, r.vectors(), Adrs.Distance.RELATIVE_WORST))
                .toArray();
    }

    private static double share(List<Reached> found) {
        List<String> all = found.stream().flatMap(r -> r.texts().stream()).toList();
        return (double) all.stream().filter(t -> !t.isEmpty()).count() / all.size();
    }

    /// The three that are on the fronts most often.
    private static String best(List<Reached> found) {
        return found.stream()
                .flatMap(r -> r.texts().stream())
                .filter(t -> !t.isEmpty())
                .collect(Collectors.groupingBy(t -> t, TreeMap::new, Collectors.counting()))
                .entrySet()
                .stream()
                .sorted(Map.Entry.<String, Long>comparingByValue().reversed())
                .limit(3)
                .map(e -> e.getKey() + " (" + e.getValue() + ")")
                .collect(Collectors.joining(", "));
    }
}
