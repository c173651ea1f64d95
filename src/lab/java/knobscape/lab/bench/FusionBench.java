package knobscape.lab.bench;

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
/// references. Rows of sequence models appear where a model is there ([FusionMethods]).
public final class FusionBench implements Bench {
    private static final int SEEDS = 10;
    private static final int QUICK_SEEDS = 3;
    /// Version of the protocol; trials of another one are not taken over.
    private static final int PROTOCOL = 1;
    private static final String EXACT = "exact";
    private static final String GSAMPLER = "gsampler";
    private static final String GROUPING = "dp";
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

    /// One search.
    ///
    /// @param method who searched
    /// @param valid whether what it found fits
    /// @param speedup over the baseline, whether it fits or not
    /// @param megabytes peak of staged activations
    record Trial(
            String method,
            boolean valid,
            double speedup,
            double megabytes,
            int evaluations,
            double seconds,
            String strategy) {}

    /// Searches that differ in their seed only.
    private record Group(
            FusionTables.Case of,
            Accelerator accelerator,
            FusionMethod method,
            Optional<Constraint> constraint,
            List<Trial> trials) {
        double[] speedups() {
            return trials.stream()
                    .filter(Trial::valid)
                    .mapToDouble(Trial::speedup)
                    .sorted()
                    .toArray();
        }

        /// Median speedup of those that fit, NaN where none does.
        double speedup() {
            return Statistics.median(speedups());
        }

        double median(ToDoubleFunction<Trial> figure) {
            return Statistics.median(trials.stream().mapToDouble(figure).toArray());
        }

        boolean isCalibrated() {
            return accelerator.equals(Accelerator.calibrated());
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
        var log = new TrialLog<>(job.out().resolve("trials.jsonl"), Trial.class);
        var groups = new ArrayList<Group>();
        Map<String, List<FusionMethod>> tuned = new LinkedHashMap<>();
        for (FusionTables.Case c : FusionTables.cases()) {
            List<FusionMethod> all = new ArrayList<>(methods.all());
            if (c.table() == 3) {
                all.addAll(tuned.computeIfAbsent(c.network(), n -> tuner.tuned(n, job)));
            }
            for (Accelerator accelerator : c.table() == 1
                    ? List.of(Accelerator.calibrated(), Accelerator.paperLiteral())
                    : List.of(Accelerator.calibrated())) {
                var model = new FusionCostModel(
                                FusionNetwork.of(Zoo.named(c.network()).network(1)), accelerator, c.batch())
                        .withBuffer(c.megabytes() * 1_000_000L);
                for (FusionMethod m : all) {
                    if ((c.table() > 1
                                    && m.kind() == FusionMethod.Kind.SEARCH
                                    && !m.name().startsWith(GSAMPLER))
                            || (job.quick()
                                    && m.name().equals(SLOW)
                                    && !accelerator.equals(Accelerator.calibrated()))) {
                        continue;
                    }
                    for (Optional<Constraint> k : constraints(c, m)) {
                        groups.add(group(job, log, new Group(c, accelerator, m, k, List.of()), model));
                    }
                }
                job.progress()
                        .accept("table " + c.table() + ", " + c.network() + " batch " + c.batch() + " at "
                                + c.megabytes() + " MB, " + accelerator.name() + ": "
                                + summary(groups, c, accelerator));
            }
        }
        return report(job, groups);
    }

    private static List<Optional<Constraint>> constraints(FusionTables.Case c, FusionMethod m) {
        return m.kind() != FusionMethod.Kind.SEARCH
                ? List.of(Optional.empty())
                : c.table() > 1
                        ? List.of(Optional.of(Constraint.LEXI))
                        : Arrays.stream(Constraint.values()).map(Optional::of).toList();
    }

    private static Group group(Job job, TrialLog<Trial> log, Group g, FusionCostModel model) {
        int seeds = g.method().kind() != FusionMethod.Kind.SEARCH
                        || (job.quick() && g.method().name().equals(SLOW))
                ? 1
                : job.seeds().orElse(job.quick() ? QUICK_SEEDS : SEEDS);
        var trials = new ArrayList<Trial>();
        for (long seed = job.firstSeed(); seed < job.firstSeed() + seeds; seed++) {
            job.cancel().throwIfCancelled();
            String key = "protocol=" + PROTOCOL + " network=" + g.of().network() + " batch=" + g.of().batch()
                    + " buffer=" + g.of().megabytes() + " accelerator="
                    + g.accelerator().name() + " constraint="
                    + g.constraint().map(Enum::name).orElse("-") + " seed=" + seed;
            Optional<Trial> earlier = g.method().kind() == FusionMethod.Kind.INFERENCE
                    ? Optional.empty()
                    : log.find(key, t -> t.method().equals(g.method().name()));
            if (earlier.isEmpty()) {
                Mapping m = Mapping.search(
                        g.method().searcher(),
                        model,
                        g.constraint().orElse(Constraint.LEXI),
                        Mapping.EVALUATIONS,
                        seed,
                        j -> {},
                        job.cancel());
                var fresh = new Trial(
                        g.method().name(),
                        m.isValid(),
                        m.speedup(),
                        m.cost().peakBytes() / 1e6,
                        m.evaluations(),
                        m.seconds(),
                        m.strategy().text());
                log.add(key, fresh);
                earlier = Optional.of(fresh);
            }
            trials.add(earlier.get());
        }
        return new Group(g.of(), g.accelerator(), g.method(), g.constraint(), List.copyOf(trials));
    }

    private static String summary(List<Group> groups, FusionTables.Case c, Accelerator a) {
        return speedup(groups, c, a, GSAMPLER)
                        .map(v -> "G-Sampler " + BenchReport.decimals(v, 2))
                        .orElse("")
                + speedup(groups, c, a, EXACT)
                        .map(v -> ", best possible " + BenchReport.decimals(v, 2))
                        .orElse("");
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
                    Cell.of(g.constraint()
                            .map(k -> k.name().toLowerCase(Locale.ROOT))
                            .orElse("-")),
                    Cell.of(g.trials().size()),
                    Cell.of(speedups.length),
                    Cell.of(g.speedup()),
                    Cell.of(DoubleStream.of(speedups).min().orElse(Double.NaN)),
                    Cell.of(DoubleStream.of(speedups).max().orElse(Double.NaN)),
                    Cell.of(g.median(Trial::megabytes)),
                    Cell.of(g.median(Trial::evaluations)),
                    Cell.of(g.median(Trial::seconds)),
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
                .flatMap(g -> g.trials().stream())
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
                        && g.method().name().startsWith("dnnfuser"))
                .toList();
        double failures = passes.isEmpty()
                ? Double.NaN
                : passes.stream()
                        .flatMap(g -> g.trials().stream())
                        .filter(t -> !t.valid())
                        .count();
        aims.add(new Aim("invalid results of DNNFuser after repair", failures, "0", failures == 0));
        double evaluations = passes.stream()
                .mapToDouble(g -> Mapping.EVALUATIONS / g.median(Trial::evaluations))
                .min()
                .orElse(Double.NaN);
        aims.add(Aim.atLeast("evaluations of a search over those of DNNFuser", evaluations, 1000));
        return aims;
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
