package knobscape.lab.bench;

import static java.util.Objects.requireNonNull;

import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.ToDoubleFunction;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;
import knobscape.fusion.FusionMethods;
import knobscape.fusion.evaluate.FusionCostModel;
import knobscape.fusion.search.Constraint;
import knobscape.fusion.search.FusionMethod;
import knobscape.fusion.search.Mapping;
import knobscape.fusion.source.Accelerator;
import knobscape.fusion.source.FusionNetwork;
import knobscape.fusion.space.Strategy;
import knobscape.lab.bench.BenchReport.Aim;
import knobscape.lab.bench.BenchReport.Cell;
import knobscape.lab.bench.BenchReport.Column;
import knobscape.network.zoo.Zoo;
import knobscape.work.Choices;

/// `src/lab/run fusion`: Tables 1 to 3 of the DNNFuser paper, ours beside theirs. Table 1 holds every search, on both
/// accelerators and with every treatment of strategies that do not fit; Tables 2 and 3 hold G-Sampler and the
/// references. Aims of strip fusion stand beside those of the paper ([StripAims]). Rows of sequence models appear where
/// a model is there ([FusionMethods]).
public final class FusionBench implements Bench {
    private static final int SEEDS = 10;
    private static final int QUICK_SEEDS = 3;
    /// Version of the protocol; trials of another one are not taken over.
    private static final int PROTOCOL = 1;
    private static final String EXACT = "exact";
    private static final String GSAMPLER = "gsampler";
    private static final String GROUPING = "dp";
    private static final String PUBLISHED = "dnnfuser-published";
    /// Takes seconds where the others take milliseconds.
    private static final String SLOW = "a2c";
    private static final int SPEED_TRIALS = 40_000;
    private static final double SPEED = 200_000;

    private final Choices<FusionMethod> methods;
    private final FineTuner tuner;

    /// Makes models for one network out of general ones.
    @FunctionalInterface
    interface FineTuner {
        /// The methods that were fine-tuned for a network.
        List<FusionMethod> tuned(String network, Job job);
    }

    /// With the methods of the program.
    public FusionBench() {
        this(FusionMethods.standard(), FineTunings::of);
    }

    /// With other methods.
    FusionBench(Choices<FusionMethod> methods, FineTuner tuner) {
        this.methods = methods;
        this.tuner = tuner;
    }

    /// The solution that a search found.
    ///
    /// @param valid whether it fits
    /// @param speedup over the baseline, whether it fits or not
    /// @param megabytes peak of staged activations
    record Solution(
            boolean valid, double speedup, double megabytes, int evaluations, double seconds, String strategy) {}

    /// A network under a buffer on an accelerator, searched with one treatment of strategies that do not fit, or by
    /// methods that need none.
    private record FusionProblem(
            Job job,
            FusionTables.Case of,
            Accelerator accelerator,
            Optional<Constraint> constraint,
            FusionCostModel model,
            Map<String, FusionMethod> methods)
            implements TrialSubject<Solution> {
        @Override
        public String name() {
            return "table " + of.table() + ", " + of.network() + " batch " + of.batch() + " at " + of.megabytes()
                    + " MB, " + accelerator.name() + ", " + words();
        }

        String words() {
            return constraint.map(k -> k.name().toLowerCase(Locale.ROOT)).orElse("-");
        }

        /// A model that was trained anew answers anew.
        @Override
        public Optional<String> key(String method) {
            return requireNonNull(methods.get(method)).kind() == FusionMethod.Kind.INFERENCE
                    ? Optional.empty()
                    : Optional.of("protocol=" + PROTOCOL + " network=" + of.network() + " batch=" + of.batch()
                            + " buffer=" + of.megabytes() + " accelerator=" + accelerator.name() + " constraint="
                            + words());
        }

        @Override
        public int seeds(String method, int asked) {
            return constraint.isEmpty() || (job.quick() && method.equals(SLOW)) ? 1 : asked;
        }

        @Override
        public String words(Solution f) {
            return BenchReport.decimals(f.speedup(), 2) + (f.valid() ? "" : ", does not fit");
        }

        @Override
        public Solution run(String method, long seed, Map<String, Solution> earlier) {
            Mapping m = Mapping.search(
                    requireNonNull(methods.get(method)).searcher(),
                    model,
                    constraint.orElse(Constraint.LEXI),
                    Mapping.EVALUATIONS,
                    seed,
                    _ -> {},
                    job.cancel());
            return new Solution(
                    m.isValid(),
                    m.speedup(),
                    m.cost().peakBytes() / 1e6,
                    m.evaluations(),
                    m.seconds(),
                    m.strategy().text());
        }
    }

    /// Searches that differ in their seed only.
    private record Group(FusionProblem problem, FusionMethod method, List<Solution> solutions) {
        FusionTables.Case of() {
            return problem.of;
        }

        Accelerator accelerator() {
            return problem.accelerator;
        }

        Optional<Constraint> constraint() {
            return problem.constraint;
        }

        double[] speedups() {
            return solutions.stream()
                    .filter(Solution::valid)
                    .mapToDouble(Solution::speedup)
                    .sorted()
                    .toArray();
        }

        /// Median speedup of those that fit, NaN where none does.
        double speedup() {
            return Statistics.median(speedups());
        }

        double median(ToDoubleFunction<Solution> figure) {
            return Statistics.median(solutions.stream().mapToDouble(figure).toArray());
        }

        boolean isCalibrated() {
            return accelerator().equals(Accelerator.calibrated());
        }
    }

    @Override
    public String name() {
        return "fusion";
    }

    @Override
    public String description() {
        return "Layer fusion: the searches of the DNNFuser paper (Tables 1 to 3), ours beside theirs and the proven best.";
    }

    @Override
    public BenchReport run(Job job) {
        var runner = TrialRunner.inTurn(
                job, "trials.jsonl", Solution.class, job.seeds().orElse(job.quick() ? QUICK_SEEDS : SEEDS));
        var groups = new ArrayList<Group>();
        Map<String, List<FusionMethod>> tuned = new LinkedHashMap<>();
        for (FusionTables.Case c : FusionTables.cases()) {
            var all = new LinkedHashMap<String, FusionMethod>();
            methods.all().forEach(m -> all.put(m.name(), m));
            if (c.table() == 3) {
                tuned.computeIfAbsent(c.network(), n -> tuner.tuned(n, job)).forEach(m -> all.put(m.name(), m));
            }
            for (Accelerator accelerator : c.table() == 1
                    ? List.of(Accelerator.calibrated(), Accelerator.paperLiteral())
                    : List.of(Accelerator.calibrated())) {
                var model = new FusionCostModel(
                                FusionNetwork.of(Zoo.named(c.network()).network(1)), accelerator, c.batch())
                        .withBuffer(c.megabytes() * 1_000_000L);
                for (Optional<Constraint> k : constraints(c)) {
                    var problem = new FusionProblem(job, c, accelerator, k, model, all);
                    List<String> asked = all.values().stream()
                            .filter(m -> isAsked(problem, m))
                            .map(FusionMethod::name)
                            .toList();
                    Trial.byMethod(runner.run(problem, asked))
                            .forEach((m, found) -> groups.add(new Group(problem, requireNonNull(all.get(m)), found)));
                }
            }
        }
        return report(job, groups);
    }

    /// None for what needs no treatment; Table 1 has all treatments.
    private static List<Optional<Constraint>> constraints(FusionTables.Case c) {
        return Stream.concat(
                        Stream.of(Optional.<Constraint>empty()),
                        Arrays.stream(Constraint.values())
                                .filter(k -> c.table() == 1 || k == Constraint.LEXI)
                                .map(Optional::of))
                .toList();
    }

    /// Searches beside G-Sampler stand in Table 1 alone.
    private static boolean isAsked(FusionProblem p, FusionMethod m) {
        boolean isSearch = m.kind() == FusionMethod.Kind.SEARCH;
        return isSearch == p.constraint.isPresent()
                && (p.of.table() == 1 || !isSearch || m.name().startsWith(GSAMPLER))
                && !(p.job.quick() && m.name().equals(SLOW) && !p.accelerator.equals(Accelerator.calibrated()));
    }

    private static Optional<Double> speedup(List<Group> groups, FusionTables.Case c, Accelerator a, String method) {
        return groups.stream()
                .filter(g -> g.of().equals(c)
                        && g.accelerator().equals(a)
                        && g.method().name().equals(method)
                        && g.constraint().orElse(Constraint.LEXI) == Constraint.LEXI)
                .map(Group::speedup)
                .filter(v -> !v.isNaN())
                .findFirst();
    }

    private BenchReport report(Job job, List<Group> groups) {
        var columns = Column.list(
                "table", "table",
                "network", "network",
                "batch", "batch",
                "bufferMB", "buffer (MB)",
                "accelerator", "accelerator",
                "method", "method",
                "constraint", "constraint",
                "seeds", "seeds",
                "valid", "valid",
                "speedup", "speedup",
                "speedupMin", "least",
                "speedupMax", "most",
                "memoryMB", "memory (MB)",
                "evaluations", "evaluations",
                "seconds", "seconds",
                "ofBest", "of best",
                "publishedSpeedup", "published",
                "publishedMB", "published (MB)",
                "publishedMinutes", "published (min)");
        var rows = new ArrayList<List<Cell>>();
        for (Group g : groups) {
            double[] speedups = g.speedups();
            var published = FusionTables.published(g.of(), g.method().name());
            double best = speedup(groups, g.of(), g.accelerator(), EXACT).orElse(Double.NaN);
            rows.add(List.of(
                    Cell.of(g.of().table()),
                    Cell.of(g.of().network()),
                    Cell.of(g.of().batch()),
                    Cell.of(g.of().megabytes()),
                    Cell.of(g.accelerator().name()),
                    Cell.of(g.method().name()),
                    Cell.of(g.problem().words()),
                    Cell.of(g.solutions().size()),
                    Cell.of(speedups.length),
                    Cell.of(g.speedup()),
                    Cell.of(DoubleStream.of(speedups).min().orElse(Double.NaN)),
                    Cell.of(DoubleStream.of(speedups).max().orElse(Double.NaN)),
                    Cell.of(g.median(Solution::megabytes)),
                    Cell.of(g.median(Solution::evaluations)),
                    Cell.of(g.median(Solution::seconds)),
                    Cell.of(g.speedup() / best),
                    Cell.of(published.speedup()),
                    Cell.of(published.megabytes()),
                    Cell.of(published.minutes())));
        }
        return new BenchReport(
                name(),
                "Layer fusion: median speedup over no fusion of the strategies that fit, over seeds; 2 000 evaluations a search.",
                columns,
                rows,
                aims(job, groups),
                List.of(
                        "'published' are the paper's figures, of its own cost model, which is not public; 'calibrated' leaves open numbers set so that its figures are met best, 'paper-literal' takes the printed hardware as it is, on which every layer waits for compute and nothing can be gained.",
                        "'of best' compares with the proven best strategy (method exact).",
                        "dnnfuser and seq2seq are the models that ship, trained on vgg16 and resnet18 and on random networks, under other buffers than these; in Table 3 they have never seen the network. dnnfuser-tuned and seq2seq-tuned are fine-tuned on it with a tenth of the steps, dnnfuser-direct (not with --quick) is trained on it alone with all of them.",
                        publishedWords(groups),
                        "A search without a valid strategy is N/A: '-' under speedup, its memory being that of what it liked best. Under death that is what the published baselines show too; under lexi and soft most of them find valid strategies.",
                        "cmaes under death is not always N/A: where all values are equal it widens its steps until half of the entries are cut off at -1."));
    }

    // --- aims

    private List<Aim> aims(Job job, List<Group> groups) {
        var aims = new ArrayList<Aim>();
        double speed = strategiesPerSecond(job);
        aims.add(Aim.atLeast("strategies a second on two cores, ResNet-50", speed, SPEED));
        List<Group> own = groups.stream()
                .filter(g -> g.isCalibrated() && g.constraint().orElse(Constraint.LEXI) == Constraint.LEXI)
                .toList();
        double worst = own.stream()
                .filter(g -> g.method().name().equals(GSAMPLER))
                .mapToDouble(g ->
                        g.speedup() / FusionTables.published(g.of(), GSAMPLER).speedup())
                .filter(v -> !Double.isNaN(v))
                .min()
                .orElse(Double.NaN);
        aims.add(Aim.atLeast("G-Sampler against the published G-Sampler, worst of all cases", worst, 1));
        long invalid = groups.stream()
                .filter(g -> g.method().name().equals(GSAMPLER))
                .flatMap(g -> g.solutions().stream())
                .filter(t -> !t.valid())
                .count();
        aims.add(new Aim("invalid results after repair (G-Sampler)", invalid, "0", invalid == 0));
        double beyond = own.stream()
                .mapToDouble(g -> g.speedup()
                        / speedup(own, g.of(), g.accelerator(), EXACT).orElse(Double.NaN))
                .filter(v -> !Double.isNaN(v))
                .max()
                .orElse(Double.NaN);
        aims.add(new Aim(
                "best of all methods over the proven best, worst of all cases",
                beyond,
                "at most 1",
                beyond <= 1 + 1e-9));
        double reach = own.stream()
                .filter(g -> g.method().name().equals(GSAMPLER))
                .mapToDouble(g -> reference(own, g.of())
                        / speedup(own, g.of(), g.accelerator(), EXACT).orElse(Double.NaN))
                .filter(v -> !Double.isNaN(v))
                .min()
                .orElse(Double.NaN);
        aims.add(Aim.atLeast("better of G-Sampler and DP, share of the proven best, worst of all cases", reach, 0.95));
        for (boolean tuned : new boolean[] {false, true}) {
            String words = tuned ? "fine-tuned networks" : "trained networks";
            double target = tuned ? 0.92 : 0.97;
            double share = own.stream()
                    .filter(g -> g.method().name().equals(tuned ? "dnnfuser-tuned" : "dnnfuser")
                            && tuned == (g.of().table() == 3))
                    .mapToDouble(g -> g.speedup() / reference(own, g.of()))
                    .min()
                    .orElse(Double.NaN);
            aims.add(Aim.atLeast(
                    "DNNFuser (two passes) against the better of G-Sampler and DP, " + words + ", worst of all cases",
                    share,
                    target));
        }
        List<Group> passes = own.stream()
                .filter(g -> g.method().kind() == FusionMethod.Kind.INFERENCE
                        && g.method().name().startsWith("dnnfuser")
                        && !isPublished(g))
                .toList();
        double failures = passes.isEmpty()
                ? Double.NaN
                : passes.stream()
                        .flatMap(g -> g.solutions().stream())
                        .filter(t -> !t.valid())
                        .count();
        aims.add(new Aim("invalid results of DNNFuser after repair", failures, "0", failures == 0));
        double evaluations = passes.stream()
                .mapToDouble(g -> Mapping.EVALUATIONS / g.median(Solution::evaluations))
                .min()
                .orElse(Double.NaN);
        aims.add(Aim.atLeast("evaluations of a search over those of DNNFuser", evaluations, 1000));
        aims.addAll(StripAims.all());
        return aims;
    }

    private static boolean isPublished(Group g) {
        return g.method().name().startsWith(PUBLISHED);
    }

    /// The raw answers of the published model beside the proven best and the paper's own figures.
    private static String publishedWords(List<Group> groups) {
        List<Group> answers =
                groups.stream().filter(g -> g.isCalibrated() && isPublished(g)).toList();
        List<Group> fitting =
                answers.stream().filter(g -> !Double.isNaN(g.speedup())).toList();
        double share = Statistics.median(fitting.stream()
                .mapToDouble(g -> g.speedup()
                        / speedup(groups, g.of(), g.accelerator(), EXACT).orElse(Double.NaN))
                .filter(v -> !Double.isNaN(v))
                .sorted()
                .toArray());
        double paper = Statistics.median(fitting.stream()
                .mapToDouble(g -> g.speedup()
                        / FusionTables.published(g.of(), g.method().name()).speedup())
                .filter(v -> !Double.isNaN(v))
                .sorted()
                .toArray());
        return PUBLISHED
                + " is the paper's model as printed: squared error, imitation of G-Sampler (gsampler-plain), one pass whose answer is neither repaired nor guarded. Of its "
                + answers.size() + " answers here " + fitting.size() + " fit; those reach "
                + BenchReport.decimals(share, 2) + " of the proven best and " + BenchReport.decimals(paper, 2)
                + " times the paper's own figure (medians).";
    }

    /// The better of G-Sampler and DP.
    private static double reference(List<Group> own, FusionTables.Case c) {
        return DoubleStream.of(
                        speedup(own, c, Accelerator.calibrated(), GSAMPLER).orElse(Double.NaN),
                        speedup(own, c, Accelerator.calibrated(), GROUPING).orElse(Double.NaN))
                .filter(v -> !Double.isNaN(v))
                .max()
                .orElse(Double.NaN);
    }

    /// Two threads evaluate random strategies; processor time counts, so that other work on the machine does
    /// not.
    private static double strategiesPerSecond(Job job) {
        var model = new FusionCostModel(FusionNetwork.of(Zoo.RESNET50.network(1)), Accelerator.calibrated(), 64);
        double[] perSecond = new double[2];
        var threads = new ArrayList<Thread>();
        for (int t = 0; t < perSecond.length; t++) {
            int thread = t;
            threads.add(Thread.ofPlatform()
                    .start(() -> perSecond[thread] = evaluated(model, job.firstSeed() + thread)));
        }
        try {
            for (Thread t : threads) {
                t.join();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Double.NaN;
        }
        return DoubleStream.of(perSecond).sum();
    }

    private static double evaluated(FusionCostModel model, long seed) {
        var random = new SplittableRandom(seed);
        int[][] strategies = new int[1000][model.layers() + 1];
        for (int[] s : strategies) {
            for (int i = 0; i < s.length; i++) {
                s[i] = i > 0 && random.nextInt(4) == 0 ? Strategy.SYNC : 1 + random.nextInt(model.batch());
            }
        }
        double best = 0;
        double check = 0;
        for (int round = 0; round < 5; round++) {
            long before = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
            for (int k = 0; k < SPEED_TRIALS; k++) {
                check += model.evaluate(strategies[k % strategies.length]).seconds();
            }
            best = Math.max(
                    best,
                    SPEED_TRIALS / ((ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - before) * 1e-9));
        }
        return check > 0 ? best : Double.NaN;
    }
}
