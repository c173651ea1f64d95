package knobscape.lab.bench;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import knobscape.evaluate.UserError;
import knobscape.evaluate.report.FileOutput;
import knobscape.hls.HlsSettings;
import knobscape.lab.bench.BenchReport.Aim;
import knobscape.lab.bench.BenchReport.Cell;
import knobscape.lab.bench.BenchReport.Column;
import knobscape.project.Project;
import knobscape.project.ProjectFile;

/// `src/lab/run samples`: over the sample projects and several seeds, how near CGP comes to the true front compared
/// with random search that may spend the same tool hours. Every pair shares its seed; random search begins with
/// as many designs as CGP and stops before it would exceed CGP's hours.
public final class SamplesBench implements Bench {
    private static final int SEEDS = 10;
    private static final int QUICK_SEEDS = 2;
    /// The ratio of mean ADRS that is called clearly below.
    private static final double CLEARLY_BELOW = 0.75;

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
        var runner = TrialRunner.sideBySide(job, "trials.jsonl", Approach.class, seeds);
        var trials = new ArrayList<Trial<Approach>>();
        var sizes = new LinkedHashMap<String, String>();
        for (Path folder : projects(samples)) {
            job.cancel().throwIfCancelled();
            try (Project project = Project.open(folder);
                    var search = new SampleSearch(job, project)) {
                sizes.put(project.name(), search.size());
                trials.addAll(runner.run(search, SampleSearch.METHODS));
            }
        }
        BenchReport report =
                report(new TreeMap<>(trials.stream().collect(Collectors.groupingBy(Trial::subject))), sizes, seeds);
        FileOutput.write(job.out().resolve("curves.csv"), Approach.curves("sample", trials));
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

    private BenchReport report(Map<String, List<Trial<Approach>>> byProject, Map<String, String> sizes, int seeds) {
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
            Map<Long, Approach> learner = of(e.getValue(), SampleSearch.LEARNER);
            Map<Long, Approach> yardstick = of(e.getValue(), SampleSearch.YARDSTICK);
            int wins = (int) learner.keySet().stream()
                    .filter(s -> requireNonNull(learner.get(s)).adrs()
                            < requireNonNull(yardstick.get(s)).adrs())
                    .count();
            int losses = (int) learner.keySet().stream()
                    .filter(s -> requireNonNull(learner.get(s)).adrs()
                            > requireNonNull(yardstick.get(s)).adrs())
                    .count();
            rows.add(row(e.getKey(), requireNonNull(sizes.get(e.getKey())), SampleSearch.LEARNER, learner, wins));
            rows.add(row(e.getKey(), requireNonNull(sizes.get(e.getKey())), SampleSearch.YARDSTICK, yardstick, losses));
            double ratio = Statistics.mean(learner.values(), Approach::adrs)
                    / Statistics.mean(yardstick.values(), Approach::adrs);
            aims.add(Aim.below(e.getKey() + ": mean ADRS of CGP over random's at equal tool hours", ratio, 1));
            learnerSum += Statistics.mean(learner.values(), Approach::adrs);
            yardstickSum += Statistics.mean(yardstick.values(), Approach::adrs);
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

    private static Map<Long, Approach> of(List<Trial<Approach>> trials, String method) {
        return trials.stream()
                .filter(t -> t.method().equals(method))
                .collect(Collectors.toMap(Trial::seed, Trial::figures, (a, b) -> a, TreeMap::new));
    }

    private static List<Cell> row(String sample, String size, String method, Map<Long, Approach> trials, int wins) {
        double[] adrs = trials.values().stream().mapToDouble(Approach::adrs).toArray();
        return BenchReport.row(
                List.of(sample, size, method),
                Statistics.mean(adrs),
                Statistics.median(adrs),
                adrs.length < 2 ? 0 : Math.sqrt(Statistics.variance(adrs)),
                Statistics.mean(trials.values(), Approach::adrsEuclidean),
                wins,
                Statistics.mean(trials.values(), Approach::toolHours),
                Statistics.mean(trials.values(), Approach::algorithmSeconds),
                Statistics.mean(trials.values(), Approach::designs),
                Statistics.mean(trials.values(), Approach::atTop));
    }
}
