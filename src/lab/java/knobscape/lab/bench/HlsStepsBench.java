package knobscape.lab.bench;

import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
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
import knobscape.lab.bench.BenchReport.Cell;
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
    private static final List<String> PARTS = List.of("fit", "candidates", "posterior", "acquisition");

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
        var rows = new ArrayList<List<Cell>>();
        var aims = new ArrayList<Aim>();
        var notes = new ArrayList<>(
                List.of(
                        "Median over the steps after the first, which fits from several starts.",
                        "Every step adds one run, of a bundle of screening runs the first: later in a run the lowest fidelity may know some hundred designs more, and its posteriors take up to twice as long.",
                        "Another run of CGP goes before, unmeasured: a run's first dozen seconds are those of the virtual machine's compiler.",
                        "Wall-clock time on this machine and whatever else it does: "
                                + Runtime.getRuntime().availableProcessors()
                                + " processors. Processor time sums over them (compiler and collector of the virtual machine included) and tells how far a busy machine stretches the others."));
        try (Project project = Project.open(sample)) {
            HlsWorkbench bench = HlsWorkbench.open(project, project.file().both(), job.tools());
            steps(
                    job,
                    bench,
                    "warm-up",
                    BayesSettings.CGP,
                    CgpExplorer.gaussianProcesses(BayesSettings.CGP),
                    job.quick() ? WARM_UP / 2 : WARM_UP,
                    new ArrayList<>());
            int steps = job.quick() ? QUICK_STEPS : STEPS;
            double cgp = steps(
                    job,
                    bench,
                    "cgp",
                    BayesSettings.CGP,
                    CgpExplorer.gaussianProcesses(BayesSettings.CGP),
                    steps,
                    rows);
            aims.add(Aim.atMost("cgp: median time of a step (s)", cgp, CGP_SECONDS));
            double dcgp = TorchRuntime.problem().isEmpty()
                    ? steps(
                            job,
                            bench,
                            "dcgp",
                            BayesSettings.DEFAULT,
                            new DeepKernelTrainer(DeepKernelSettings.DEFAULT),
                            steps,
                            rows)
                    : Double.NaN;
            TorchRuntime.problem().ifPresent(notes::add);
            aims.add(Aim.atMost("dcgp: median time of a step (s)", dcgp, DCGP_SECONDS));
        }
        parts(rows, aims);
        coldFit(rows, aims);
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
                rows,
                aims,
                notes);
    }

    private static double steps(
            Job job,
            HlsWorkbench bench,
            String name,
            BayesSettings method,
            Model.Trainer trainer,
            int steps,
            List<List<Cell>> rows) {
        BayesSettings settings = method.with(
                        new BayesSettings.FirstDesigns(DESIGNS, UPWARD, BayesSettings.Start.RANDOM))
                .with(new BayesSettings.Pool(0, CANDIDATES, 0));
        var times = new ArrayList<double[]>();
        try (Evaluator evaluator = bench.evaluator(HlsSettings.defaultRun())) {
            var explorer = new CgpExplorer(
                    name,
                    bench.space(),
                    bench.encoder(),
                    evaluator.info(),
                    settings,
                    trainer,
                    job.firstSeed(),
                    System::nanoTime);
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
        rows.add(BenchReport.row(List.of(name, "first step"), times.getFirst()));
        double[][] later = times.subList(1, times.size()).toArray(double[][]::new);
        double[] median = new double[PARTS.size() + 2];
        for (int i = 0; i < median.length; i++) {
            int part = i;
            median[i] = Statistics.median(
                    Arrays.stream(later).mapToDouble(r -> r[part]).toArray());
        }
        rows.add(BenchReport.row(List.of(name, "median of a step"), median));
        rows.add(BenchReport.row(
                List.of(name, "longest step"),
                Arrays.stream(later)
                        .max((a, b) -> Double.compare(a[PARTS.size()], b[PARTS.size()]))
                        .orElseThrow()));
        return median[PARTS.size()];
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

    /// Hypervolume of 200 points and expected improvement of 10 000 candidates with 128 draws over a front of
    /// 40, three objectives.
    private static void parts(List<List<Cell>> rows, List<Aim> aims) {
        var random = new SplittableRandom(1);
        double[][] points = sphere(200, random);
        double[] reference = {1.1, 1.1, 1.1};
        double volume = settled(200, () -> Hypervolume.of(points, reference));
        int m = 3;
        GaussianPosterior p = GaussianPosterior.blank(CANDIDATES, m);
        for (int i = 0; i < CANDIDATES; i++) {
            for (int j = 0; j < m; j++) {
                p.means()[i * m + j] = random.nextDouble(0.2, 1);
                p.covariances()[(i * m + j) * m + j] = 0.01;
            }
        }
        var boxes = NonDominatedBoxes.of(sphere(40, random), reference);
        double[][] normals = Sobol.normals(128, m, 1);
        double improvement = settled(
                8,
                () -> Eipv.sampled(boxes, Collections.nCopies(m, Scale.LINEAR), normals)
                        .score(p)[0]);
        double none = Double.NaN;
        rows.add(BenchReport.row(
                List.of("hypervolume", "200 points, 3 objectives"), none, none, none, none, volume, none));
        rows.add(BenchReport.row(
                List.of("EIPV", "10 000 candidates, 128 draws, front of 40"),
                none,
                none,
                none,
                none,
                improvement,
                none));
        aims.add(Aim.below("hypervolume of 200 points in three objectives (ms)", 1000 * volume, 1));
        aims.add(Aim.below("expected improvement of 10 000 candidates with 128 draws (ms)", 1000 * improvement, 300));
    }

    /// A process fitted from nothing to 200 designs of 40 features.
    private static void coldFit(List<List<Cell>> rows, List<Aim> aims) {
        var random = new SplittableRandom(2);
        double[][] x = new double[200][40];
        double[] y = new double[x.length];
        for (int i = 0; i < x.length; i++) {
            Arrays.setAll(x[i], c -> random.nextDouble());
            y[i] = Math.sin(5 * x[i][0]) + x[i][1] * x[i][2] + 0.3 * x[i][3] + 0.01 * random.nextGaussian();
        }
        var data = TrainingData.single(x, y);
        var trainer = new ProcessTrainer(GpSettings.DEFAULT);
        double seconds = settled(4, () -> trainer.fit(data, 1).fitness());
        double none = Double.NaN;
        rows.add(BenchReport.row(
                List.of("cold fit", "200 designs, 40 features"), seconds, none, none, none, seconds, none));
        aims.add(Aim.atMost("a process fitted from nothing to 200 designs of 40 features (s)", seconds, 0.3));
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
