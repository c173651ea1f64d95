package knobscape.lab.bench;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import knobscape.evaluate.Evaluation;
import knobscape.evaluate.UserError;
import knobscape.evaluate.replay.ReplaySet;
import knobscape.hls.MeasuredDirectives;
import knobscape.hls.evaluate.Part;
import knobscape.hls.evaluate.estimator.Estimator;
import knobscape.hls.evaluate.estimator.EstimatorSettings;
import knobscape.hls.evaluate.estimator.KernelTraits;
import knobscape.hls.evaluate.estimator.StageFigures;
import knobscape.hls.evaluate.estimator.ToolDefaults;
import knobscape.hls.evaluate.estimator.ToolProfile;
import knobscape.hls.source.Kernel;
import knobscape.hls.space.Directive;
import knobscape.lab.bench.BenchReport.Aim;
import knobscape.lab.bench.BenchReport.Cell;
import knobscape.lab.bench.BenchReport.Column;
import smile.math.MathEx;

/// `src/lab/run estimator`: the built-in estimator against measured designs whose sources are at hand, per kernel,
/// stage and objective: how well it ranks them (Spearman) and how far it is off (median of estimate /
/// measured).
public final class EstimatorBench implements Bench {
    /// Median ratios within which an estimate counts as near.
    private static final double NEAR = 0.6;
    private static final double FAR = 1.6;
    private static final int LEAST_DESIGNS = 10;
    /// Stages of the estimator; a set may lack some.
    private static final List<String> STAGES = List.of("hls", "syn", "impl");
    private static final String GRID_PART = "xczu9eg-2";

    /// A figure compared.
    ///
    /// @param metric as in the measured set
    /// @param aim mean Spearman over kernels, NaN where nothing is aimed at
    private record Figure(String stage, String metric, double aim) {
        double of(StageFigures f, Suite suite) {
            return switch (metric) {
                case "latency" -> f.latencyCycles();
                case "delay" -> f.delayNs();
                case "clock" -> f.clockNs();
                case "lut" -> f.lut();
                case "ff" -> f.ff();
                case "dsp" -> f.dsp();
                case "bram" -> f.bram();
                default -> f.powerWatts() - suite.restWatts();
            };
        }
    }

    private static final List<Figure> FIGURES = List.of(
            new Figure("hls", "latency", 0.9),
            new Figure("hls", "clock", Double.NaN),
            new Figure("hls", "lut", 0.9),
            new Figure("hls", "ff", Double.NaN),
            new Figure("hls", "dsp", 0.8),
            new Figure("hls", "bram", Double.NaN),
            new Figure("syn", "clock", 0.5),
            new Figure("syn", "lut", Double.NaN),
            new Figure("syn", "ff", Double.NaN),
            new Figure("impl", "power", 0.75),
            new Figure("impl", "delay", Double.NaN),
            new Figure("impl", "clock", 0.6),
            new Figure("impl", "lut", 0.9),
            new Figure("impl", "ff", 0.85),
            new Figure("impl", "dsp", Double.NaN));

    /// Kernels whose designs were measured in one way.
    ///
    /// @param name of the set, empty where its designs are told by the names of their places
    /// @param restWatts what the measured power leaves out
    private record Suite(String name, List<Path> files, EstimatorSettings settings, double restWatts) {
        boolean isGrid() {
            return name.equals(POLYBENCH);
        }

        Optional<Kernel> kernel(ReplaySet set, Path sources, Job job) {
            return isGrid()
                    ? PolybenchGrid.source(MeasuredFiles.subject(set.name()), sources, job.tools())
                    : MeasuredKernel.source(set, sources, job.tools());
        }

        Function<Map<String, String>, List<Directive>> directives(Kernel kernel) {
            return isGrid() ? new PolybenchGrid(kernel)::of : new MeasuredDirectives(kernel)::of;
        }
    }

    private static final String POLYBENCH = "hlsdataset_polybench";

    /// The estimates of one kernel's designs.
    ///
    /// @param refused designs that the estimator refuses and the tool built
    private record Comparison(Map<Figure, Score> scores, KernelTraits traits, int refused) {}

    /// A kernel whose designs were measured.
    private record MeasuredDesigns(Suite suite, Path file, String collection, String name, Kernel kernel, Job job)
            implements TrialSubject<Comparison> {
        /// Figures depend on the whole estimator.
        @Override
        public Optional<String> key(String method) {
            return Optional.empty();
        }

        @Override
        public Comparison run(String method, long seed, Map<String, Comparison> earlier) {
            return compared(this);
        }

        @Override
        public String words(Comparison c) {
            return c.scores().entrySet().stream()
                    .map(e -> e.getKey().stage() + " " + e.getKey().metric() + " "
                            + BenchReport.decimals(e.getValue().spearman(), 2) + "/"
                            + BenchReport.decimals(e.getValue().median(), 2))
                    .collect(Collectors.joining(", "));
        }
    }

    private static final List<String> METHODS = List.of("estimator");

    /// How a figure came out for one kernel; NaN where all measured values are equal or too few.
    private record Score(int designs, double spearman, double low, double median, double high) {}

    @Override
    public String name() {
        return "estimator";
    }

    @Override
    public String description() {
        return "Ranks and ratios of the built-in estimator's figures against measured designs, per kernel and stage.";
    }

    @Override
    public BenchReport run(Job job) {
        Path data = job.requiredData();
        List<Path> sources = checkouts(job.sources()
                .orElseThrow(
                        () -> new UserError("The kernels' sources are needed: name their folder with --sources.")));
        var rows = new ArrayList<List<Cell>>();
        var notes = new ArrayList<>(
                List.of(
                        "Ratio: estimate / measured. Designs that a stage did not reach, or whose figure is missing, are left out of that stage.",
                        "Clock, part and tool are the measured ones: Vitis HLS 2022.1, xc7vx485t-2, 10 ns, innermost loops of "
                                + ToolDefaults.VITIS.pipelineLoops()
                                + " iterations and more pipelined by the tool itself; hlsdataset_polybench Vivado HLS 2018.2, "
                                + GRID_PART + ", 10 ns, power without the static one.",
                        "The estimator's constants were chosen on kernels of fudan_machsuite, so the figures on these are not blind."));
        TrialRunner<Comparison> runner = TrialRunner.inTurn(job, "trials.jsonl", Comparison.class, 1);
        var aims = new ArrayList<Aim>();
        for (Suite suite : suites(data)) {
            Map<Figure, Map<String, Score>> scores = new LinkedHashMap<>();
            for (MeasuredDesigns kernel : kernels(suite, sources, job, notes)) {
                Comparison c = runner.run(kernel, METHODS).getFirst().figures();
                if (c.refused() > 0) {
                    notes.add(
                            kernel.name() + ": the estimator refuses " + c.refused() + " designs that the tool built.");
                }
                c.scores().forEach((f, s) -> {
                    scores.computeIfAbsent(f, _ -> new LinkedHashMap<>()).put(kernel.name(), s);
                    rows.add(row(kernel, c.traits(), f, s));
                });
            }
            aims.addAll(aims(suite, scores));
        }
        return new BenchReport(
                name(),
                "The built-in estimator against measured designs.",
                Column.list(
                        "set", "set",
                        "kernel", "kernel",
                        "stage", "stage",
                        "figure", "figure",
                        "designs", "designs",
                        "spearman", "Spearman",
                        "ratio10", "ratio, 10th percentile",
                        "ratio", "ratio, median",
                        "ratio90", "ratio, 90th percentile",
                        "floating", "floating-point share",
                        "control", "share under data",
                        "lookups", "share of lookups",
                        "depth", "loop depth / 4"),
                rows,
                aims,
                notes);
    }

    private static List<Cell> row(MeasuredDesigns kernel, KernelTraits traits, Figure f, Score s) {
        return BenchReport.row(
                List.of(kernel.collection(), kernel.name(), f.stage(), f.metric()),
                s.designs(),
                s.spearman(),
                s.low(),
                s.median(),
                s.high(),
                traits.floating(),
                traits.control(),
                traits.lookups(),
                traits.depth());
    }

    /// The kernels of a suite whose source is at hand; notes say which are not.
    private static List<MeasuredDesigns> kernels(Suite suite, List<Path> sources, Job job, List<String> notes) {
        var all = new ArrayList<MeasuredDesigns>();
        for (Path file : suite.files()) {
            job.cancel().throwIfCancelled();
            ReplaySet set = ReplaySet.open(file);
            String subject = MeasuredFiles.subject(set.name());
            Optional<Kernel> kernel = sources.stream()
                    .flatMap(s -> suite.kernel(set, s, job).stream())
                    .findFirst();
            if (kernel.isEmpty()) {
                notes.add(subject + ": its source is not below " + job.sources().orElseThrow() + ".");
            }
            kernel.ifPresent(k -> all.add(new MeasuredDesigns(suite, file, collection(set), subject, k, job)));
        }
        return all;
    }

    /// The tool that made the measured designs.
    static EstimatorSettings measuredTool() {
        return EstimatorSettings.defaults().withUnasked(ToolDefaults.VITIS);
    }

    /// The measured sets in `data`: those of MachSuite, and PolyBench's where they are there.
    private static List<Suite> suites(Path data) {
        var suites = new ArrayList<Suite>();
        suites.add(new Suite("", MeasuredFiles.in(data), measuredTool(), 0));
        Stream.of("hls/" + POLYBENCH, POLYBENCH)
                .map(data::resolve)
                .filter(Files::isDirectory)
                .findFirst()
                .ifPresent(folder -> {
                    Part part = Part.byName(GRID_PART);
                    suites.add(new Suite(
                            POLYBENCH,
                            MeasuredFiles.csv(folder),
                            EstimatorSettings.defaults().withPart(part).withProfile(ToolProfile.VIVADO_HLS_2018),
                            part.staticWatts()));
                });
        return suites;
    }

    /// A folder and the checkouts in it.
    private static List<Path> checkouts(Path folder) {
        try (Stream<Path> inside = Files.list(folder)) {
            return Stream.concat(
                            Stream.of(folder), inside.filter(Files::isDirectory).sorted())
                    .toList();
        } catch (IOException e) {
            throw new UserError("Cannot read the sources in " + folder + ": " + e.getMessage() + ".", e);
        }
    }

    private static String collection(ReplaySet set) {
        int slash = set.name().indexOf('/');
        return slash < 0 ? set.name() : set.name().substring(0, slash);
    }

    private static List<Aim> aims(Suite suite, Map<Figure, Map<String, Score>> scores) {
        var aims = new ArrayList<Aim>();
        scores.forEach((f, byKernel) -> {
            double mean = byKernel.values().stream()
                    .mapToDouble(Score::spearman)
                    .filter(r -> !Double.isNaN(r))
                    .average()
                    .orElse(Double.NaN);
            String what = (suite.isGrid() ? suite.name() + ", " : "") + f.stage() + " " + f.metric();
            if (Double.isNaN(f.aim())) {
                return;
            }
            aims.add(Aim.atLeast(what + ": mean Spearman over kernels", mean, f.aim()));
            double[] medians = byKernel.values().stream()
                    .mapToDouble(Score::median)
                    .filter(m -> m > 0)
                    .toArray();
            double worst = Arrays.stream(medians)
                    .boxed()
                    .max((x, y) -> Double.compare(Math.abs(Math.log(x)), Math.abs(Math.log(y))))
                    .orElse(Double.NaN);
            aims.add(new Aim(
                    what + ": median ratio farthest from 1",
                    worst,
                    NEAR + " to " + FAR,
                    Arrays.stream(medians).allMatch(m -> m >= NEAR && m <= FAR) && medians.length > 0));
        });
        return aims;
    }

    private static Comparison compared(MeasuredDesigns of) {
        var estimator = new Estimator(of.kernel(), of.suite().settings());
        var directives = of.suite().directives(of.kernel());
        Map<Figure, List<double[]>> pairs = new LinkedHashMap<>();
        FIGURES.forEach(f -> pairs.put(f, new ArrayList<>()));
        int[] refused = {0};
        ReplaySet.open(of.file()).all().forEach(stages -> {
            of.job().cancel().throwIfCancelled();
            int top = STAGES.indexOf(stages.getLast().fidelity().name());
            List<StageFigures> guess = estimator.estimate(
                    directives.apply(stages.getFirst().configuration().toMap()), top);
            refused[0] += guess.size() <= top ? 1 : 0;
            for (Evaluation e : stages) {
                int rank = STAGES.indexOf(e.fidelity().name());
                for (Figure f : FIGURES) {
                    OptionalDouble measured = e.value(f.metric());
                    if (f.stage().equals(e.fidelity().name()) && measured.isPresent() && rank < guess.size()) {
                        requireNonNull(pairs.get(f))
                                .add(new double[] {measured.getAsDouble(), f.of(guess.get(rank), of.suite())});
                    }
                }
            }
        });
        var scores = new LinkedHashMap<Figure, Score>();
        pairs.forEach((f, list) -> score(list).ifPresent(s -> scores.put(f, s)));
        return new Comparison(scores, KernelTraits.of(of.kernel()), refused[0]);
    }

    private static Optional<Score> score(List<double[]> pairs) {
        if (pairs.size() < LEAST_DESIGNS) {
            return Optional.empty();
        }
        double[] measured = pairs.stream().mapToDouble(p -> p[0]).toArray();
        double[] guess = pairs.stream().mapToDouble(p -> p[1]).toArray();
        double[] ratios = pairs.stream()
                .filter(p -> p[0] > 0)
                .mapToDouble(p -> p[1] / p[0])
                .sorted()
                .toArray();
        boolean varies = Arrays.stream(measured).distinct().count() > 1;
        boolean guesses = Arrays.stream(guess).distinct().count() > 1;
        return Optional.of(new Score(
                pairs.size(),
                !varies ? Double.NaN : guesses ? MathEx.spearman(measured, guess) : 0,
                quantile(ratios, 0.1),
                quantile(ratios, 0.5),
                quantile(ratios, 0.9)));
    }

    private static double quantile(double[] sorted, double share) {
        return sorted.length == 0 ? Double.NaN : sorted[(int) Math.min(sorted.length - 1, share * sorted.length)];
    }
}
