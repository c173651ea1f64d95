package knobscape.lab.bench;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.stream.Collectors;
import knobscape.evaluate.Evaluator;
import knobscape.evaluate.Metric;
import knobscape.evaluate.UserError;
import knobscape.evaluate.report.FileOutput;
import knobscape.explore.Exploration;
import knobscape.explore.Subject;
import knobscape.explore.Termination;
import knobscape.hls.HlsSettings;
import knobscape.hls.HlsWorkbench;
import knobscape.lab.bench.BenchReport.Aim;
import knobscape.lab.bench.BenchReport.Cell;
import knobscape.lab.bench.BenchReport.Column;
import knobscape.project.Project;
import knobscape.project.ProjectFile;
import knobscape.work.RunSettings;
import knobscape.work.Workbench;

/// `src/lab/run samples`: over the sample projects and several seeds, how near CGP comes to the true front compared
/// with random search that may spend the same tool hours. Every pair shares its seed; random search begins with
/// as many designs as CGP and stops before it would exceed CGP's hours.
public final class SamplesBench implements Bench {
    private static final String LEARNER = "cgp";
    private static final String YARDSTICK = "random";
    private static final int SEEDS = 10;
    private static final int QUICK_SEEDS = 2;
    private static final int QUICK_SAMPLE = 10_000;
    private static final long REFERENCE_SEED = 20_261_120L;
    /// The ratio of mean ADRS that is called clearly below.
    private static final double CLEARLY_BELOW = 0.75;
    /// Version of the protocol; trials of another one are not taken over.
    private static final int PROTOCOL = 2;

    @Override
    public String name() {
        return "samples";
    }

    @Override
    public String description() {
        return "ADRS of CGP against random search at equal tool hours over the sample projects.";
    }

    @Override
    public BenchReport run(Job job) {
        Path samples = job.requiredSamples();
        int seeds = job.seeds().orElse(job.quick() ? QUICK_SEEDS : SEEDS);
        var log = new TrialLog<>(job.out().resolve("trials.jsonl"), Trial.class);
        var byProject = new TreeMap<String, List<Trial>>();
        var sizes = new TreeMap<String, String>();
        for (Path folder : projects(samples)) {
            job.cancel().throwIfCancelled();
            try (Project project = Project.open(folder)) {
                byProject.put(project.name(), trials(job, project, seeds, log, sizes));
            }
        }
        BenchReport report = report(byProject, sizes, seeds);
        FileOutput.write(job.out().resolve("curves.csv"), curves(byProject));
        return report;
    }

    static List<Path> projects(Path samples) {
        try (var folders = Files.list(samples)) {
            List<Path> found = folders.filter(SamplesBench::isKernel).sorted().toList();
            if (found.isEmpty()) {
                throw new UserError("There is no sample project in " + samples + ".");
            }
            return found;
        } catch (IOException e) {
            throw new UserError("Cannot read the sample projects in " + samples + ": " + e.getMessage() + ".", e);
        }
    }

    /// Samples of other kinds of work are not what this table is about.
    private static boolean isKernel(Path folder) {
        Path file = folder.resolve(ProjectFile.FILE_NAME);
        return Files.isRegularFile(file) && ProjectFile.read(file).work() instanceof HlsSettings;
    }

    private List<Trial> trials(Job job, Project project, int seeds, TrialLog<Trial> log, Map<String, String> sizes) {
        HlsWorkbench bench = HlsWorkbench.open(project, project.file().both(), job.tools());
        RunSettings settings = HlsSettings.defaultRun();
        int limit = job.quick() ? QUICK_SAMPLE : ReferenceFront.SAMPLE;
        try (Evaluator evaluator = bench.evaluator(settings)) {
            List<Metric> objectives = Workbench.objectives(settings, evaluator.info());
            var size = bench.directives().space().size();
            sizes.put(
                    project.name(),
                    size.bitLength() < 63 ? size.toString() : String.format(Locale.ROOT, "%.2e", new BigDecimal(size)));
            var toDo = new ArrayList<Long>();
            var done = new TreeMap<Long, List<Trial>>();
            for (long seed = job.firstSeed(); seed < job.firstSeed() + seeds; seed++) {
                var learner = log.find(
                        key(bench, settings, limit, seed), t -> t.method().equals(LEARNER));
                var yardstick = log.find(
                        key(bench, settings, limit, seed), t -> t.method().equals(YARDSTICK));
                if (learner.isPresent() && yardstick.isPresent()) {
                    done.put(seed, List.of(learner.get(), yardstick.get()));
                } else {
                    toDo.add(seed);
                }
            }
            if (!toDo.isEmpty()) {
                job.progress()
                        .accept(project.name() + ": evaluating "
                                + (size.bitLength() < 31 && size.intValue() <= limit
                                        ? size + " configurations"
                                        : limit + " of " + size + " configurations")
                                + " for the reference front");
                ReferenceFront reference = ReferenceFront.of(
                        project.name(),
                        bench.directives().space(),
                        evaluator,
                        objectives,
                        limit,
                        REFERENCE_SEED,
                        job.cancel());
                job.progress()
                        .accept(project.name() + ": " + reference.vectors().length + " points on the reference front; "
                                + toDo.size() + " seeds to run");
                TrialRun.sideBySide(toDo, seed -> pair(job, bench, settings, reference, objectives, seed, log, limit))
                        .forEach((seed, pair) -> done.put(seed, pair));
            }
            return done.values().stream().flatMap(List::stream).toList();
        }
    }

    /// Everything the figures of a trial depend on.
    private static String key(HlsWorkbench bench, RunSettings s, int limit, long seed) {
        return "protocol=" + PROTOCOL + " source=" + bench.sourceHash().substring(0, 16) + " part="
                + bench.settings().part().orElse("") + " clock="
                + bench.settings().clockNs()
                + " size=" + bench.directives().space().size() + " steps=" + s.steps() + " init=" + s.initialDesigns()
                + " early-stop=" + s.earlyStop() + " reference=" + limit
                + " seed=" + seed;
    }

    private List<Trial> pair(
            Job job,
            HlsWorkbench bench,
            RunSettings base,
            ReferenceFront reference,
            List<Metric> objectives,
            long seed,
            TrialLog<Trial> log,
            int limit) {
        RunSettings settings = base.with(RunSettings.SEED, seed);
        String key = key(bench, base, limit, seed);
        try (Evaluator evaluator = bench.evaluator(base)) {
            BiFunction<String, Integer, Subject> subject = (method, earlyStop) -> Subject.of(
                    "",
                    bench.space(),
                    bench.explorer(settings.with(RunSettings.METHOD, method), evaluator.info()),
                    evaluator,
                    objectives,
                    Termination.of(earlyStop));
            Trial learner = TrialRun.run(
                    reference,
                    subject.apply(LEARNER, settings.earlyStop()),
                    Exploration.Settings.steps(seed, settings.steps()),
                    Double.POSITIVE_INFINITY,
                    job.cancel());
            Trial yardstick = TrialRun.run(
                    reference,
                    subject.apply(YARDSTICK, 0),
                    Exploration.Settings.steps(seed, Integer.MAX_VALUE),
                    learner.toolHours() * 3600,
                    job.cancel());
            log.add(key, learner);
            log.add(key, yardstick);
            job.progress()
                    .accept(reference.subject() + " seed " + seed + ": ADRS " + BenchReport.decimals(learner.adrs(), 4)
                            + " (" + LEARNER + ") against " + BenchReport.decimals(yardstick.adrs(), 4) + " ("
                            + YARDSTICK + ") in " + BenchReport.decimals(learner.toolHours(), 2) + " tool hours");
            return List.of(learner, yardstick);
        }
    }

    private BenchReport report(Map<String, List<Trial>> byProject, Map<String, String> sizes, int seeds) {
        var columns = Column.list(
                "sample", "sample",
                "space", "space",
                "method", "method",
                "adrsMean", "mean ADRS",
                "adrsMedian", "median",
                "adrsDeviation", "deviation",
                "adrsEuclideanMean", "mean ADRS, Euclidean",
                "wins", "seeds won",
                "toolHours", "tool hours",
                "algorithmSeconds", "algorithm (s)",
                "designs", "designs",
                "atTop", "at the top fidelity");
        var rows = new ArrayList<List<Cell>>();
        var aims = new ArrayList<Aim>();
        double learnerSum = 0;
        double yardstickSum = 0;
        int won = 0;
        int pairs = 0;
        for (var e : byProject.entrySet()) {
            Map<Long, Trial> learner = of(e.getValue(), LEARNER);
            Map<Long, Trial> yardstick = of(e.getValue(), YARDSTICK);
            int wins = (int) learner.keySet().stream()
                    .filter(s -> requireNonNull(learner.get(s)).adrs()
                            < requireNonNull(yardstick.get(s)).adrs())
                    .count();
            int losses = (int) learner.keySet().stream()
                    .filter(s -> requireNonNull(learner.get(s)).adrs()
                            > requireNonNull(yardstick.get(s)).adrs())
                    .count();
            rows.add(row(e.getKey(), requireNonNull(sizes.get(e.getKey())), LEARNER, learner, wins));
            rows.add(row(e.getKey(), requireNonNull(sizes.get(e.getKey())), YARDSTICK, yardstick, losses));
            double ratio =
                    Statistics.mean(learner.values(), Trial::adrs) / Statistics.mean(yardstick.values(), Trial::adrs);
            aims.add(Aim.below(e.getKey() + ": mean ADRS of CGP over random's at equal tool hours", ratio, 1));
            learnerSum += Statistics.mean(learner.values(), Trial::adrs);
            yardstickSum += Statistics.mean(yardstick.values(), Trial::adrs);
            won += wins;
            pairs += learner.size();
        }
        double ratio = learnerSum / yardstickSum;
        aims.add(Aim.atMost("all samples: mean ADRS of CGP over random's at equal tool hours", ratio, CLEARLY_BELOW));
        aims.add(new Aim(
                "all samples: share of pairs that CGP wins", (double) won / pairs, "above 0.5", won * 2 > pairs));
        return new BenchReport(
                name(),
                "ADRS to the front of the whole pruned space (or of a sample of it) at equal tool hours, " + seeds
                        + (seeds == 1 ? " seed" : " seeds") + ", built-in estimate.",
                columns,
                rows,
                aims,
                List.of(
                        "ADRS: mean over the reference front of the relative excess of the nearest design found in its worst objective; 0 means the whole front was found.",
                        "The reference front is that of every configuration where there are at most "
                                + ReferenceFront.SAMPLE + " (10000 with --quick), else of so many drawn uniformly.",
                        "Random search gets the tool hours that CGP spent with the same seed."));
    }

    private static Map<Long, Trial> of(List<Trial> trials, String method) {
        return trials.stream()
                .filter(t -> t.method().equals(method))
                .collect(Collectors.toMap(Trial::seed, t -> t, (a, b) -> a, TreeMap::new));
    }

    private static List<Cell> row(String sample, String size, String method, Map<Long, Trial> trials, int wins) {
        double[] adrs =
                trials.values().stream().mapToDouble(Trial::adrs).sorted().toArray();
        double mean = Statistics.mean(trials.values(), Trial::adrs);
        double variance = Arrays.stream(adrs).map(a -> (a - mean) * (a - mean)).sum() / Math.max(1, adrs.length - 1);
        return BenchReport.row(
                List.of(sample, size, method),
                mean,
                Statistics.median(adrs),
                Math.sqrt(variance),
                Statistics.mean(trials.values(), Trial::adrsEuclidean),
                wins,
                Statistics.mean(trials.values(), Trial::toolHours),
                Statistics.mean(trials.values(), Trial::algorithmSeconds),
                Statistics.mean(trials.values(), Trial::designs),
                Statistics.mean(trials.values(), Trial::atTop));
    }

    private static String curves(Map<String, List<Trial>> byProject) {
        var b = new StringBuilder("sample,method,seed,tool hours,ADRS\r\n");
        byProject.forEach((sample, trials) -> trials.forEach(t -> t.curve()
                .forEach(p -> b.append(
                        sample + "," + t.method() + "," + t.seed() + "," + p.toolHours() + "," + p.adrs() + "\r\n"))));
        return b.toString();
    }
}
