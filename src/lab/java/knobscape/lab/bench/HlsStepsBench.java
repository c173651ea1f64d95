package knobscape.lab.bench;

import static java.util.Objects.requireNonNull;

import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.DoubleFunction;
import java.util.function.LongFunction;
import knobscape.evaluate.Evaluation;
import knobscape.evaluate.Evaluator;
import knobscape.evaluate.UserError;
import knobscape.explore.History;
import knobscape.explore.Objectives;
import knobscape.explore.Proposal;
import knobscape.explore.bayes.BayesSettings;
import knobscape.explore.bayes.CgpExplorer;
import knobscape.explore.bayes.Eipv;
import knobscape.explore.bayes.Scale;
import knobscape.hls.HlsSettings;
import knobscape.hls.HlsWorkbench;
import knobscape.lab.bench.BenchReport.Aim;
import knobscape.lab.bench.BenchReport.Column;
import knobscape.numeric.Sobol;
import knobscape.pareto.Hypervolume;
import knobscape.pareto.NonDominatedBoxes;
import knobscape.project.Project;
import knobscape.surrogate.GaussianPosterior;
import knobscape.surrogate.Model;
import knobscape.surrogate.TrainingData;
import knobscape.surrogate.gp.DeepKernelSettings;
import knobscape.surrogate.gp.DeepKernelTrainer;
import knobscape.surrogate.gp.GpSettings;
import knobscape.surrogate.gp.ProcessTrainer;
import knobscape.surrogate.neural.TorchRuntime;
import knobscape.work.Workbench;

/// `src/lab/run hls-steps`: how long an optimisation step of CGP and of DCGP takes with 10 000 candidates and three
/// fidelities, part by part, as late in a run as the thesis goes: 48 designs known at the lowest fidelity, 40
/// of them at all, and one run more with every step. Evaluated by the built-in estimate on one of the samples,
/// so that only the explorer's own time counts.
public final class HlsStepsBench implements Bench {
    private static final String SAMPLE = "gemm";
    private static final int CANDIDATES = 10_000;
    private static final int DESIGNS = 48;
    private static final int UPWARD = 40;
    /// Steps of another run before the measured one, for the virtual machine to compile what they use.
    private static final int WARM_UP = 16;
    private static final int STEPS = 12;
    private static final int QUICK_STEPS = 6;
    private static final double CGP_SECONDS = 0.3;
    private static final double DCGP_SECONDS = 1.0;
    private static final double[] REFERENCE = {1.1, 1.1, 1.1};
    private static final List<String> PARTS = List.of("fit", "candidates", "posterior", "acquisition");
    private static final String DCGP = "dcgp";

    /// A row of the table: seconds of [#PARTS], together, and of processors.
    private record Row(String what, double[] seconds) {
        /// One time only.
        static Row of(String what, double fit, double total) {
            double none = Double.NaN;
            return new Row(what, new double[] {fit, none, none, none, total, none});
        }
    }

    /// The times of a trial.
    ///
    /// @param seconds that the aim is about
    private record Timings(List<Row> rows, double seconds) {}

    /// Work that is timed.
    ///
    /// @param methods by name, what times it for a seed
    private record TimedWork(String name, Map<String, LongFunction<Timings>> methods) implements TrialSubject<Timings> {
        /// Time on the machine as it is now.
        @Override
        public Optional<String> key(String method) {
            return Optional.empty();
        }

        @Override
        public Timings run(String method, long seed, Map<String, Timings> earlier) {
            return requireNonNull(methods.get(method)).apply(seed);
        }

        @Override
        public String words(Timings t) {
            return BenchReport.decimals(t.seconds, 4) + " s";
        }
    }

    /// The aims of each method, for its seconds.
    private static Map<String, DoubleFunction<Aim>> aims() {
        var aims = new LinkedHashMap<String, DoubleFunction<Aim>>();
        aims.put("cgp", s -> Aim.atMost("cgp: median time of a step (s)", s, CGP_SECONDS));
        aims.put(DCGP, s -> Aim.atMost("dcgp: median time of a step (s)", s, DCGP_SECONDS));
        aims.put("hypervolume", s -> Aim.below("hypervolume of 200 points in three objectives (ms)", 1000 * s, 1));
        aims.put(
                "EIPV", s -> Aim.below("expected improvement of 10 000 candidates with 128 draws (ms)", 1000 * s, 300));
        aims.put(
                "cold fit", s -> Aim.atMost("a process fitted from nothing to 200 designs of 40 features (s)", s, 0.3));
        return aims;
    }

    @Override
    public String name() {
        return "hls-steps";
    }

    @Override
    public String description() {
        return "Time of a step of CGP and DCGP with 10 000 candidates and three fidelities, by parts.";
    }

    @Override
    public BenchReport run(Job job) {
        Path sample = job.samples()
                .map(s -> s.resolve(SAMPLE))
                .filter(Files::isDirectory)
                .orElseThrow(() -> new UserError(
                        "The sample project " + SAMPLE + " was not found; start the program from its own folder."));
        var notes = new ArrayList<>(
                List.of(
                        "Median over the steps after the first, which fits from several starts.",
                        "Every step adds one run, of a bundle of screening runs the first: later in a run the lowest fidelity may know some hundred designs more, and its posteriors take up to twice as long.",
                        "Another run of CGP goes before, unmeasured: a run's first dozen seconds are those of the virtual machine's compiler.",
                        "Wall-clock time on this machine and whatever else it does: "
                                + Runtime.getRuntime().availableProcessors()
                                + " processors. Processor time sums over them (compiler and collector of the virtual machine included) and tells how far a busy machine stretches the others."));
        var trials = new LinkedHashMap<String, Timings>();
        try (Project project = Project.open(sample)) {
            HlsWorkbench bench = HlsWorkbench.open(project, project.file().both(), job.tools());
            Model.Trainer processes = CgpExplorer.gaussianProcesses(BayesSettings.CGP);
            steps(
                    job,
                    bench,
                    "warm-up",
                    BayesSettings.CGP,
                    processes,
                    job.firstSeed(),
                    job.quick() ? WARM_UP / 2 : WARM_UP);
            int steps = job.quick() ? QUICK_STEPS : STEPS;
            Map<String, LongFunction<Timings>> methods = new LinkedHashMap<>();
            methods.put("cgp", seed -> steps(job, bench, "cgp", BayesSettings.CGP, processes, seed, steps));
            if (TorchRuntime.problem().isEmpty()) {
                methods.put(
                        DCGP,
                        seed -> steps(
                                job,
                                bench,
                                DCGP,
                                BayesSettings.DEFAULT,
                                new DeepKernelTrainer(DeepKernelSettings.DEFAULT),
                                seed,
                                steps));
            }
            TorchRuntime.problem().ifPresent(notes::add);
            Map<String, LongFunction<Timings>> parts = new LinkedHashMap<>();
            parts.put("hypervolume", HlsStepsBench::hypervolume);
            parts.put("EIPV", HlsStepsBench::improvement);
            parts.put("cold fit", HlsStepsBench::coldFit);
            TrialRunner<Timings> runner = TrialRunner.inTurn(job, "trials.jsonl", Timings.class, 1);
            for (TimedWork work : List.of(new TimedWork(SAMPLE, methods), new TimedWork("parts", parts))) {
                runner.run(work, List.copyOf(work.methods.keySet())).forEach(t -> trials.put(t.method(), t.figures()));
            }
        }
        var columns = Column.list(
                "method", "method",
                "what", "what",
                "fit", "fits (s)",
                "candidates", "candidates (s)",
                "posterior", "posteriors (s)",
                "acquisition", "acquisition (s)",
                "total", "together (s)",
                "processor", "processor time (s)");
        return new BenchReport(
                name(),
                CANDIDATES + " candidates, three fidelities, " + DESIGNS + " designs at the lowest and " + UPWARD
                        + " at all.",
                columns,
                trials.entrySet().stream()
                        .flatMap(t -> t.getValue().rows().stream()
                                .map(r -> BenchReport.row(List.of(t.getKey(), r.what()), r.seconds())))
                        .toList(),
                aims().entrySet().stream()
                        .map(a -> a.getValue()
                                .apply(Optional.ofNullable(trials.get(a.getKey()))
                                        .map(Timings::seconds)
                                        .orElse(Double.NaN)))
                        .toList(),
                notes);
    }

    private static Timings steps(
            Job job,
            HlsWorkbench bench,
            String name,
            BayesSettings method,
            Model.Trainer trainer,
            long seed,
            int steps) {
        BayesSettings settings = method.with(
                        new BayesSettings.FirstDesigns(DESIGNS, UPWARD, BayesSettings.Start.RANDOM))
                .with(new BayesSettings.Pool(0, CANDIDATES, 0));
        var times = new ArrayList<double[]>();
        try (Evaluator evaluator = bench.evaluator(HlsSettings.defaultRun())) {
            var explorer = new CgpExplorer(
                    name, bench.space(), bench.encoder(), evaluator.info(), settings, trainer, seed, System::nanoTime);
            var history = new History();
            explorer.initial().forEach(p -> evaluate(evaluator, p, history, job));
            history.fixObjectives(Objectives.calibrate(
                    Workbench.objectives(HlsSettings.defaultRun(), evaluator.info()), history.evaluations()));
            for (int step = 0; step <= steps; step++) {
                job.cancel().throwIfCancelled();
                long cpu = processorNanos();
                long before = System.nanoTime();
                List<Proposal> asked = explorer.ask(history, 1);
                double total = (System.nanoTime() - before) * 1e-9;
                double[] row = new double[PARTS.size() + 2];
                row[PARTS.size() + 1] = (processorNanos() - cpu) * 1e-9;
                for (int i = 0; i < PARTS.size(); i++) {
                    row[i] = explorer.diagnostics()
                            .getOrDefault("seconds." + PARTS.get(i), new double[] {Double.NaN})[0];
                }
                row[PARTS.size()] = total;
                times.add(row);
                job.progress().accept(name + " step " + step + ": " + BenchReport.decimals(total, 3) + " s");
                // Of a bundle of screening runs only the first is taken, so that the sizes stay near those
                // named.
                asked.stream().limit(1).forEach(p -> evaluate(evaluator, p, history, job));
                history.countAsk();
            }
        }
        double[][] later = times.subList(1, times.size()).toArray(double[][]::new);
        double[] median = new double[PARTS.size() + 2];
        for (int i = 0; i < median.length; i++) {
            int part = i;
            median[i] = Statistics.median(
                    Arrays.stream(later).mapToDouble(r -> r[part]).toArray());
        }
        double[] longest = Arrays.stream(later)
                .max((a, b) -> Double.compare(a[PARTS.size()], b[PARTS.size()]))
                .orElseThrow();
        return new Timings(
                List.of(
                        new Row("first step", times.getFirst()),
                        new Row("median of a step", median),
                        new Row("longest step", longest)),
                median[PARTS.size()]);
    }

    /// Processor time of this process, all threads, 0 where the machine does not tell.
    private static long processorNanos() {
        return ManagementFactory.getOperatingSystemMXBean() instanceof com.sun.management.OperatingSystemMXBean os
                ? os.getProcessCpuTime()
                : 0;
    }

    private static void evaluate(Evaluator evaluator, Proposal p, History history, Job job) {
        for (Evaluation e : evaluator.evaluate(p.configuration(), p.upTo(), job.cancel())) {
            history.add(e);
        }
    }

    /// Hypervolume of 200 points, three objectives.
    private static Timings hypervolume(long seed) {
        double[][] points = sphere(200, new SplittableRandom(seed));
        double volume = settled(200, () -> Hypervolume.of(points, REFERENCE));
        return new Timings(List.of(Row.of("200 points, 3 objectives", Double.NaN, volume)), volume);
    }

    /// Expected improvement of 10 000 candidates with 128 draws over a front of 40, three objectives.
    private static Timings improvement(long seed) {
        var random = new SplittableRandom(seed);
        int m = 3;
        GaussianPosterior p = GaussianPosterior.blank(CANDIDATES, m);
        for (int i = 0; i < CANDIDATES; i++) {
            for (int j = 0; j < m; j++) {
                p.means()[i * m + j] = random.nextDouble(0.2, 1);
                p.covariances()[(i * m + j) * m + j] = 0.01;
            }
        }
        var boxes = NonDominatedBoxes.of(sphere(40, random), REFERENCE);
        double[][] normals = Sobol.normals(128, m, 1);
        double improvement = settled(
                8,
                () -> Eipv.sampled(boxes, Collections.nCopies(m, Scale.LINEAR), normals)
                        .score(p)[0]);
        return new Timings(
                List.of(Row.of("10 000 candidates, 128 draws, front of 40", Double.NaN, improvement)), improvement);
    }

    /// A process fitted from nothing to 200 designs of 40 features.
    private static Timings coldFit(long seed) {
        var random = new SplittableRandom(seed + 1);
        double[][] x = new double[200][40];
        double[] y = new double[x.length];
        for (int i = 0; i < x.length; i++) {
            Arrays.setAll(x[i], c -> random.nextDouble());
            y[i] = Math.sin(5 * x[i][0]) + x[i][1] * x[i][2] + 0.3 * x[i][3] + 0.01 * random.nextGaussian();
        }
        var data = TrainingData.single(x, y);
        var trainer = new ProcessTrainer(GpSettings.DEFAULT);
        double seconds = settled(4, () -> trainer.fit(data, 1).fitness());
        return new Timings(List.of(Row.of("200 designs, 40 features", seconds, seconds)), seconds);
    }

    private static double[][] sphere(int n, SplittableRandom random) {
        double[][] points = new double[n][3];
        for (double[] row : points) {
            double length = 0;
            for (int j = 0; j < 3; j++) {
                row[j] = Math.abs(random.nextGaussian());
                length += row[j] * row[j];
            }
            for (int j = 0; j < 3; j++) {
                row[j] = 1 - row[j] / Math.sqrt(length);
            }
        }
        return points;
    }

    /// Median seconds over the second half of the repetitions, after the compiler is warm.
    private static double settled(int repetitions, java.util.function.DoubleSupplier work) {
        double[] seconds = new double[repetitions];
        double sum = 0;
        for (int r = 0; r < repetitions; r++) {
            long before = System.nanoTime();
            sum += work.getAsDouble();
            seconds[r] = (System.nanoTime() - before) * 1e-9;
        }
        return Double.isNaN(sum)
                ? Double.NaN
                : Statistics.median(Arrays.copyOfRange(seconds, repetitions / 2, repetitions));
    }
}
