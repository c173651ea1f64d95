package knobscape.lab.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CancellationException;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import knobscape.evaluate.Evaluation;
import knobscape.evaluate.Evaluator;
import knobscape.evaluate.FailureKind;
import knobscape.evaluate.Fidelity;
import knobscape.evaluate.Outcome;
import knobscape.evaluate.UserError;
import knobscape.hls.HlsWorkbench;
import knobscape.hls.evaluate.Part;
import knobscape.hls.evaluate.estimator.Estimator;
import knobscape.hls.evaluate.estimator.EstimatorSettings;
import knobscape.hls.evaluate.estimator.StageFigures;
import knobscape.hls.evaluate.vendor.ToolWork;
import knobscape.hls.open.OpenFlow;
import knobscape.hls.rtl.build.NotBuildable;
import knobscape.hls.source.KernelReader;
import knobscape.hls.source.SourceEndings;
import knobscape.hls.space.DirectiveSpace;
import knobscape.hls.space.Pruning;
import knobscape.lab.bench.BenchReport.Aim;
import knobscape.lab.bench.BenchReport.Cell;
import knobscape.lab.bench.BenchReport.Column;
import knobscape.project.Project;
import knobscape.space.Configuration;
import knobscape.work.tool.ToolSettings;
import smile.math.MathEx;

/// `src/lab/run open-flow`: designs of the open flow, built and run against their kernels: the samples, and the sources
/// of `--sources`. Which kernels and designs are refused, and why; where Yosys is installed, how what is told before
/// it (the area counted on the hardware, the built-in estimate) ranks the designs as it does.
public final class OpenFlowBench implements Bench {
    private static final double CLOCK_NS = 10;
    private static final int DEPTH = 4;
    private static final List<String> AREA = List.of("lut", "ff", "dsp");
    private static final String DESIGNS = "designs.csv";
    /// Designs of a kernel that a rank is told of.
    private static final int ENOUGH = 5;
    /// LUTs of the estimate above which a design is not drawn, also of a quick run, and counted ones above which it is
    /// not synthesised.
    private static final double LARGE = 8_000;

    private static final double LARGE_QUICK = 1_500;

    private static final double SYNTHESISED = 5_000;
    /// Draws until a kernel's designs are said to be too large.
    private static final int TRIES = 20;
    /// Share of designs that an interval is to hold.
    private static final double INSIDE = 0.9;

    private static final double LEVEL_STEP = 0.005;

    @Override
    public String name() {
        return "open-flow";
    }

    @Override
    public String description() {
        return "Hardware of the samples (and of --sources) by the open flow: built, run against the kernel, cycles as scheduled, area by Yosys against what was told before.";
    }

    /// A design's figures.
    ///
    /// @param kernel its name
    /// @param cycles simulated
    /// @param estimated cycles, NaN where there is no estimate
    /// @param area of each of [#AREA] what Yosys said, what was counted, and what was estimated
    private record Row(String kernel, double cycles, double estimated, Map<String, double[]> area) {
        String line() {
            return kernel + "," + cycles + "," + estimated
                    + AREA.stream()
                            .flatMapToDouble(m -> Arrays.stream(area.getOrDefault(m, NOTHING)))
                            .mapToObj(v -> Double.isNaN(v) ? "," : "," + v)
                            .collect(Collectors.joining())
                    + "\n";
        }
    }

    private static final double[] NOTHING = {Double.NaN, Double.NaN, Double.NaN};

    /// The tally of one kernel's designs.
    private static final class Tally {
        private int built;
        private int wrong;
        private int refused;
        private double seconds;
        private final List<Row> rows = new ArrayList<>();
        private final Map<String, Integer> reasons = new LinkedHashMap<>();

        void refuse(String why) {
            refused++;
            reasons.merge(why, 1, Integer::sum);
        }

        String commonest() {
            return reasons.entrySet().stream()
                    .max(Map.Entry.comparingByValue())
                    .map(e -> e.getKey() + (e.getValue() > 1 ? " (" + e.getValue() + ")" : ""))
                    .orElse("");
        }
    }

    @Override
    public BenchReport run(Job job) {
        int designs = job.seeds().orElse(job.quick() ? 4 : 20);
        var rows = new ArrayList<List<Cell>>();
        var all = new Tally();
        int accepted = 0;
        write(
                job,
                "kernel,cycles,estimated"
                        + AREA.stream()
                                .map(m -> "," + m + "," + m + " counted," + m + " estimated")
                                .collect(Collectors.joining())
                        + "\n",
                StandardOpenOption.TRUNCATE_EXISTING);
        for (Map.Entry<String, Supplier<DirectiveSpace>> e : spaces(job).entrySet()) {
            var t = new Tally();
            kernel(e.getKey(), e.getValue(), designs, job, t);
            accepted += t.built > 0 ? 1 : 0;
            all.built += t.built;
            all.wrong += t.wrong;
            all.refused += t.refused;
            all.rows.addAll(t.rows);
            job.progress()
                    .accept(e.getKey() + ": " + t.built + " built, " + t.wrong + " wrong, " + t.refused + " refused "
                            + t.commonest());
            var row = new ArrayList<>(List.of(
                    Cell.of(e.getKey()),
                    Cell.of(t.built),
                    Cell.of(t.wrong),
                    Cell.of(t.refused),
                    Cell.of(t.rows.stream().mapToDouble(Row::cycles).average().orElse(Double.NaN)),
                    Cell.of(t.built == 0 ? Double.NaN : t.seconds / t.built),
                    Cell.of(rank(t.rows, Row::cycles, Row::estimated))));
            AREA.forEach(m -> row.add(Cell.of(rank(t.rows, m, 1))));
            AREA.forEach(m -> row.add(Cell.of(rank(t.rows, m, 2))));
            row.add(Cell.of(t.commonest()));
            rows.add(row);
        }
        var aims = new ArrayList<>(List.of(
                Aim.atMost("designs wrong or not as scheduled", all.built > 0 ? all.wrong : Double.NaN, 0),
                Aim.atLeast("designs built and run", all.built, 200),
                Aim.atLeast("share of kernels built", (double) accepted / Math.max(1, rows.size()), 0.8),
                Aim.atLeast(
                        "Spearman of cycles by the estimate for Vitis HLS",
                        rank(all.rows, Row::cycles, Row::estimated),
                        0.95)));
        AREA.forEach(m -> {
            aims.add(Aim.atLeast("Spearman of " + m + " at stage hls", rank(all.rows, m, 1), 0.9));
            aims.add(Aim.atLeast(
                    "Spearman of " + m + " at stage hls within a kernel, mean", within(all.rows, m, 1), 0.9));
            aims.add(Aim.atLeast(
                    "share of designs within the 90 % interval of other kernels' " + m + " by that at stage hls",
                    covered(all.rows, m),
                    INSIDE));
        });
        return new BenchReport(
                name(),
                "Designs of the open flow against their kernels.",
                Column.list(
                        "subject", "kernel",
                        "built", "built and run",
                        "wrong", "wrong or not as scheduled",
                        "refused", "refused",
                        "cycles", "mean cycles",
                        "seconds", "s a design",
                        "rankCycles", "Spearman cycles",
                        "countedLut", "counted LUT",
                        "countedFf", "counted FF",
                        "countedDsp", "counted DSP",
                        "estimatedLut", "estimated LUT",
                        "estimatedFf", "estimated FF",
                        "estimatedDsp", "estimated DSP",
                        "reason", "commonest reason"),
                rows,
                aims,
                List.of(
                        "Per kernel the design without directives and " + designs + " drawn at random, for a clock of "
                                + CLOCK_NS + " ns, each run on random inputs.",
                        "Designs of more than " + (int) large(job) + " estimated LUT are not drawn, of more than "
                                + (int) SYNTHESISED + " counted not synthesised.",
                        "Seconds: all stages, wall clock on a machine with other work.",
                        ratios(all.rows),
                        vitis(all.rows),
                        "Spearman per kernel of at least " + ENOUGH
                                + " designs: simulated cycles and the area that Yosys tells for ECP5 against what is counted on the hardware before it (stage hls: the estimate of this family, on the one schedule that the hardware has) and against the built-in estimate, whose profile is Vitis HLS on a Virtex-7. The aims take all kernels together, and the estimate of this family.",
                        "Every design is a line of " + DESIGNS + " in the output folder."));
    }

    private static double rank(List<Row> rows, String metric, int which) {
        return rank(
                rows,
                r -> r.area().getOrDefault(metric, NOTHING)[0],
                r -> r.area().getOrDefault(metric, NOTHING)[which]);
    }

    /// Spearman of two figures over the rows that have both; NaN of too few, or where one does not change.
    private static double rank(List<Row> rows, ToDoubleFunction<Row> first, ToDoubleFunction<Row> second) {
        List<Row> both = rows.stream()
                .filter(r -> Double.isFinite(first.applyAsDouble(r)) && Double.isFinite(second.applyAsDouble(r)))
                .toList();
        double[] a = both.stream().mapToDouble(first).toArray();
        double[] b = both.stream().mapToDouble(second).toArray();
        boolean varied = Arrays.stream(a).distinct().count() > 1
                && Arrays.stream(b).distinct().count() > 1;
        return both.size() < ENOUGH || !varied ? Double.NaN : MathEx.spearman(a, b);
    }

    private static Map<String, List<Row>> byKernel(List<Row> rows) {
        return rows.stream().collect(Collectors.groupingBy(Row::kernel, LinkedHashMap::new, Collectors.toList()));
    }

    /// The mean over kernels whose figures change.
    private static double within(List<Row> rows, String metric, int which) {
        return byKernel(rows).values().stream()
                .mapToDouble(r -> rank(r, metric, which))
                .filter(Double::isFinite)
                .average()
                .orElse(Double.NaN);
    }

    /// Synthesised by counted, in order; designs without the resource are left out.
    private static double[] ratio(Stream<Row> rows, String metric) {
        return rows.map(r -> r.area().getOrDefault(metric, NOTHING))
                .filter(a -> a[0] > 0 && a[1] > 0)
                .mapToDouble(a -> a[0] / a[1])
                .sorted()
                .toArray();
    }

    private static double quantile(double[] sorted, double share) {
        double at = share * (sorted.length - 1);
        int low = (int) at;
        return sorted[low] + (at - low) * (sorted[Math.min(low + 1, sorted.length - 1)] - sorted[low]);
    }

    /// Share of designs whose ratio lies in the interval that the other kernels give.
    private static double covered(List<Row> rows, String metric) {
        int all = 0;
        int inside = 0;
        for (String kernel : byKernel(rows).keySet()) {
            List<Row> others =
                    rows.stream().filter(r -> !r.kernel().equals(kernel)).toList();
            double[] own = ratio(rows.stream().filter(r -> r.kernel().equals(kernel)), metric);
            if (ratio(others.stream(), metric).length >= ENOUGH) {
                all += own.length;
                inside += interval(others, metric, level(others, metric)).count(own);
            }
        }
        return all == 0 ? Double.NaN : (double) inside / all;
    }

    private record Interval(double low, double high) {
        int count(double[] of) {
            return (int) Arrays.stream(of).filter(r -> r >= low && r <= high).count();
        }
    }

    /// Where a share of the ratios lies, as many of the rest below as above.
    private static Interval interval(List<Row> rows, String metric, double level) {
        double[] r = ratio(rows.stream(), metric);
        return new Interval(quantile(r, (1 - level) / 2), quantile(r, (1 + level) / 2));
    }

    /// The least share of the ratios whose interval holds [#INSIDE] of a kernel that it was not made of: designs of one
    /// kernel are alike, so that those of a new one lie outside more often than those of all.
    private static double level(List<Row> rows, String metric) {
        Map<String, List<Row>> kernels = byKernel(rows);
        for (double level = INSIDE; level < 1; level += LEVEL_STEP) {
            double all = 0;
            double inside = 0;
            for (String kernel : kernels.keySet()) {
                List<Row> others =
                        rows.stream().filter(r -> !r.kernel().equals(kernel)).toList();
                double[] own = ratio(kernels.get(kernel).stream(), metric);
                if (ratio(others.stream(), metric).length >= ENOUGH) {
                    all += own.length;
                    inside += interval(others, metric, level).count(own);
                }
            }
            if (inside >= INSIDE * all) {
                return level;
            }
        }
        return 1;
    }

    private static String vitis(List<Row> rows) {
        return "Spearman of the built-in estimate, which is for Vitis HLS and another device, over all kernels: "
                + AREA.stream()
                        .map(m -> String.format(
                                Locale.ROOT, "%s %.2f (within a kernel %.2f)", m, rank(rows, m, 2), within(rows, m, 2)))
                        .collect(Collectors.joining(", "))
                + ".";
    }

    private static String ratios(List<Row> rows) {
        return "Synthesised by counted area, median and the interval that holds 90 % of a kernel that it was not made of: "
                + AREA.stream()
                        .map(m -> {
                            double[] r = ratio(rows.stream(), m);
                            if (r.length < ENOUGH) {
                                return m + " too few";
                            }
                            Interval i = interval(rows, m, level(rows, m));
                            return String.format(
                                    Locale.ROOT, "%s %.2f (%.2f to %.2f)", m, quantile(r, 0.5), i.low(), i.high());
                        })
                        .collect(Collectors.joining(", "))
                + ".";
    }

    private static void write(Job job, String text, StandardOpenOption how) {
        try {
            Files.createDirectories(job.out());
            Files.writeString(job.out().resolve(DESIGNS), text, StandardOpenOption.CREATE, how);
        } catch (IOException e) {
            throw new UserError("Cannot write " + job.out().resolve(DESIGNS) + ": " + e.getMessage() + ".", e);
        }
    }

    private static void kernel(String name, Supplier<DirectiveSpace> read, int designs, Job job, Tally t) {
        try {
            DirectiveSpace space = read.get();
            var estimator = new Estimator(space.kernel(), EstimatorSettings.defaults());
            var work = new ToolWork(space, Part.byDefault(), CLOCK_NS, List.of(), Map.of());
            var seeded = new SplittableRandom(job.firstSeed());
            Path folder = job.out().resolve("designs").resolve(name.replaceAll("\\W", "_"));
            try (Evaluator flow = OpenFlow.evaluator("", job.out(), work, ToolSettings.DEFAULT, folder)) {
                flow.prepare();
                Fidelity to = flow.info()
                        .fidelities()
                        .get(Math.min(1, flow.info().fidelities().size() - 1));
                var drawn = new LinkedHashSet<>(List.of(space.baseline()));
                for (int i = 0; i < TRIES * designs && drawn.size() <= designs; i++) {
                    Configuration c = space.space().draw(seeded);
                    if (estimator.estimate(space.directives(c), 2).getLast().lut() <= large(job)) {
                        drawn.add(c);
                    }
                }
                for (Configuration c : drawn) {
                    job.cancel().throwIfCancelled();
                    design(name, flow, to, estimator.estimate(space.directives(c), 2), c, job, t);
                }
            }
        } catch (NotBuildable | UserError e) {
            t.refuse(String.valueOf(e.getMessage()));
        } catch (RuntimeException e) {
            fault(t, e, "reading it");
        }
    }

    private static double large(Job job) {
        return job.quick() ? LARGE_QUICK : LARGE;
    }

    private static void fault(Tally t, RuntimeException e, String where) {
        if (e instanceof CancellationException) {
            throw e;
        }
        t.wrong++;
        t.reasons.merge("FAULT: " + e + " in " + where, 1, Integer::sum);
    }

    private static void design(
            String name, Evaluator flow, Fidelity to, List<StageFigures> estimate, Configuration c, Job job, Tally t) {
        try {
            var stages =
                    new ArrayList<>(flow.evaluate(c, flow.info().fidelities().getFirst(), job.cancel()));
            Evaluation first = stages.getFirst();
            if (first.isMeasured() && first.value("lut").orElse(0) <= SYNTHESISED) {
                stages.clear();
                stages.addAll(flow.evaluate(c, to, job.cancel()));
            }
            if (first.outcome() instanceof Outcome.Failure f) {
                if (f.kind() == FailureKind.WRONG_RESULT) {
                    t.built++;
                    t.wrong++;
                    t.reasons.merge("WRONG: " + f.reason() + " in " + c.text(), 1, Integer::sum);
                } else {
                    t.refuse(f.reason());
                }
                return;
            }
            t.built++;
            t.seconds += stages.stream().mapToDouble(Evaluation::costSeconds).sum();
            Evaluation last = stages.getLast();
            StageFigures told = estimate.getLast();
            var area = new LinkedHashMap<String, double[]>();
            List<Double> estimated = List.of(told.lut(), told.ff(), told.dsp());
            for (int k = 0; k < AREA.size(); k++) {
                area.put(AREA.get(k), new double[] {
                    stages.size() > 1 && last.isMeasured()
                            ? last.value(AREA.get(k)).orElse(Double.NaN)
                            : Double.NaN,
                    first.value(AREA.get(k)).orElse(Double.NaN),
                    estimated.get(k)
                });
            }
            var row = new Row(name, first.value("latency").orElse(Double.NaN), told.latencyCycles(), area);
            t.rows.add(row);
            write(job, row.line(), StandardOpenOption.APPEND);
        } catch (NotBuildable e) {
            t.refuse(String.valueOf(e.getMessage()));
        } catch (RuntimeException e) {
            fault(t, e, c.text());
        }
    }

    private static Map<String, Supplier<DirectiveSpace>> spaces(Job job) {
        var all = new LinkedHashMap<String, Supplier<DirectiveSpace>>();
        job.samples()
                .ifPresent(s -> SamplesBench.projects(s)
                        .forEach(f -> all.put(f.getFileName().toString(), () -> sample(f, job))));
        job.sources()
                .ifPresent(s -> sources(s).forEach(f -> all.put(s.relativize(f).toString(), () -> space(f, job))));
        return all;
    }

    private static DirectiveSpace sample(Path folder, Job job) {
        try (Project project = Project.open(folder)) {
            return HlsWorkbench.open(project, project.file().both(), job.tools())
                    .directives();
        }
    }

    private static DirectiveSpace space(Path file, Job job) {
        return job.tools()
                .spaces()
                .build(
                        job.tools().reader().read(file, KernelReader.Options.defaults()),
                        Optional.empty(),
                        Optional.empty(),
                        Pruning.HARD);
    }

    private static List<Path> sources(Path folder) {
        try (Stream<Path> files = Files.walk(folder, DEPTH)) {
            return files.filter(f -> SourceEndings.isSourceOrHeader(f)
                            && f.getFileName().toString().matches(".*\\.(c|cc|cpp)")
                            && !f.getFileName()
                                    .toString()
                                    .matches(".*(_tb|test|local_support|generate|harness|support).*"))
                    .sorted(Comparator.comparing(Path::toString))
                    .toList();
        } catch (IOException e) {
            throw new UserError("Cannot read " + folder + ": " + e.getMessage() + ".", e);
        }
    }
}
