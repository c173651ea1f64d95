package knobscape.lab.bench;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import knobscape.evaluate.Evaluation;
import knobscape.evaluate.Evaluator;
import knobscape.evaluate.UserError;
import knobscape.explore.Candidates;
import knobscape.explore.Experience;
import knobscape.explore.Exploration;
import knobscape.explore.RunEvent;
import knobscape.explore.Scheduler;
import knobscape.explore.Subject;
import knobscape.gpu.GpuWorkbench;
import knobscape.gpu.evaluate.Devices;
import knobscape.gpu.evaluate.device.GpuDevice;
import knobscape.gpu.evaluate.device.ScheduleEvaluator;
import knobscape.gpu.history.KernelExperience;
import knobscape.gpu.search.DgpExplorer;
import knobscape.gpu.search.TuningMethod;
import knobscape.gpu.source.NetworkKernel;
import knobscape.lab.bench.BenchReport.Aim;
import knobscape.space.Configuration;
import knobscape.surrogate.TrainingData;
import knobscape.surrogate.deepgp.DeepGp;
import knobscape.surrogate.deepgp.DeepGpSettings;
import knobscape.surrogate.ensemble.TreeForest;
import knobscape.surrogate.ensemble.XgBoost;
import knobscape.work.RunPlan;
import knobscape.work.RunSettings;

/// Figures 4.2 and 4.3 of the thesis on a model of its card: what the deep process, trained on the trace of the first
/// layer of a group by AutoTVM, says of the group's other layers before it is tuned, beside boosted trees of the same
/// trace; and the tuning set that it selects, beside a drawn one.
final class DgpLayers {
    private static final int PROTOCOL = 2;
    private static final TuningMethod AUTOTVM = TuningMethod.standard().named("autotvm");
    private static final int ROWS = 500;
    private static final int SAMPLE = DgpExplorer.Settings.DEFAULT.sample();
    private static final int TUNING_SET = DgpExplorer.Settings.DEFAULT.tuning();

    /// A layer; errors and speeds in GFLOPS.
    ///
    /// @param kernel in words
    /// @param leader the layer that was tuned, in words
    /// @param deep error of the deep process (RMSE)
    /// @param trees error of boosted trees
    /// @param deepPairs share of pairs that the deep process puts in order
    /// @param treePairs share that the trees do
    /// @param ruled share of the drawn configurations that the rules leave
    /// @param selected the tuning set that the deep process selects
    /// @param drawn as many drawn
    record Layer(
            String kernel,
            String leader,
            double deep,
            double trees,
            double deepPairs,
            double treePairs,
            double ruled,
            TuningSet selected,
            TuningSet drawn) {

        double ratio() {
            return deep / trees;
        }

        String text() {
            return String.format(
                    Locale.ROOT,
                    "%s after %s: RMSE deep %.0f, trees %.0f GFLOPS (ratio %.2f); pairs in order deep %.3f, trees %.3f; tuning set of %d: selected %.0f GFLOPS in the mean, best %.0f, %.0f %% ran; drawn %.0f, %.0f, %.0f %%; the rules leave %.0f %% of all",
                    kernel,
                    leader,
                    deep,
                    trees,
                    ratio(),
                    deepPairs,
                    treePairs,
                    TUNING_SET,
                    selected.mean,
                    selected.best,
                    100 * selected.ran,
                    drawn.mean,
                    drawn.best,
                    100 * drawn.ran,
                    100 * ruled);
        }
    }

    /// Of a tuning set GFLOPS, 0 for what does not run, and the share that runs.
    record TuningSet(double mean, double best, double ran) {
        static TuningSet of(double[] gflops) {
            return new TuningSet(
                    Arrays.stream(gflops).average().orElse(Double.NaN),
                    Arrays.stream(gflops).max().orElse(Double.NaN),
                    Arrays.stream(gflops).filter(v -> v > 0).count() / (double) gflops.length);
        }
    }

    /// The layers of a network that follow one that is tuned before them.
    record Group(List<Layer> layers) {}

    private final Bench.Job job;
    private final NetworkTuning tunings;
    private final TrialRunner<Group> runner;

    /// @param tunings says by which search the traces come
    DgpLayers(Bench.Job job, NetworkTuning tunings, int seeds) {
        this.job = job;
        this.tunings = tunings;
        this.runner = TrialRunner.inTurn(job, "dgp-layers.jsonl", Group.class, seeds);
    }

    /// All layers of a network that follow another, in words with the seed.
    ///
    /// @param trials measurements of the layers that lead
    List<Trial<Group>> of(GpuWorkbench bench, String network, int trials) {
        int[] leaders = KernelExperience.leaders(bench.network().kernels());
        return Arrays.stream(leaders)
                .distinct()
                .boxed()
                .flatMap(leader -> runner
                        .run(
                                new Following(
                                        bench,
                                        network,
                                        leader,
                                        IntStream.range(0, leaders.length)
                                                .filter(k -> leaders[k] == leader && k != leader)
                                                .toArray(),
                                        trials),
                                List.of("dgp"))
                        .stream())
                .toList();
    }

    /// A kernel that is tuned, and those it is to help with, by their numbers.
    private final class Following implements TrialSubject<Group> {
        private final GpuWorkbench bench;
        private final String network;
        private final int leader;
        private final int[] followers;
        private final int trials;

        Following(GpuWorkbench bench, String network, int leader, int[] followers, int trials) {
            this.bench = bench;
            this.network = network;
            this.leader = leader;
            this.followers = followers;
            this.trials = trials;
        }

        @Override
        public String name() {
            return "Predictions of " + network + " from "
                    + bench.network().kernels().get(leader).words();
        }

        @Override
        public Optional<String> key(String method) {
            return Optional.of("protocol=" + PROTOCOL + " " + network + " leader=" + leader + " trials=" + trials
                    + " search=" + tunings.fingerprint(AUTOTVM));
        }

        @Override
        public String words(Group g) {
            return g.layers.size() + " layers";
        }

        @Override
        public Group run(String method, long seed, Map<String, Group> earlier) {
            return group(bench, leader, followers, trials, seed);
        }
    }

    private Group group(GpuWorkbench bench, int leader, int[] followers, int trials, long seed) {
        if (followers.length == 0) {
            return new Group(List.of());
        }
        GpuDevice device = Devices.open(NetworkTuning.DEVICE);
        try (RunPlan plan = bench.plan(
                RunSettings.of(AUTOTVM.name(), NetworkTuning.DEVICE, trials, 1, 0)
                        .with(RunSettings.SEED, seed),
                AUTOTVM,
                device)) {
            List<Evaluation> trace = trace(plan.subjects().get(leader), trials, seed);
            NetworkKernel first = bench.network().kernels().get(leader);
            var layers = new ArrayList<Layer>();
            for (int k : followers) {
                job.cancel().throwIfCancelled();
                NetworkKernel kernel = bench.network().kernels().get(k);
                Experience e = KernelExperience.of(
                        kernel, List.of(KernelExperience.trace(first, NetworkTuning.DEVICE, false, trace)));
                layers.add(layer(
                        kernel,
                        first,
                        e,
                        c -> kernel.schedule(c)
                                .map(s -> s.check(device.info().limits()).isEmpty())
                                .orElse(true),
                        plan.subjects().get(k).evaluator(),
                        seed));
            }
            return new Group(List.copyOf(layers));
        }
    }

    private List<Evaluation> trace(Subject leader, int trials, long seed) {
        var trace = new ArrayList<Evaluation>();
        var search = new Exploration(
                List.of(leader),
                Scheduler.roundRobin(),
                new Exploration.Settings(seed, Integer.MAX_VALUE, trials, 0, 1, 0),
                System::nanoTime,
                Runnable::run);
        search.addListener(event -> {
            if (event instanceof RunEvent.StageDone d) {
                trace.add(d.evaluation());
            }
        });
        job.cancel().onCancel(search::stop);
        RunEvent.Finished end = search.run(List.of());
        job.cancel().throwIfCancelled();
        if (end.ending() == RunEvent.Ending.FAILED) {
            throw new UserError("AutoTVM on " + leader.name() + ": " + end.reason());
        }
        return trace;
    }

    private Layer layer(
            NetworkKernel kernel,
            NetworkKernel first,
            Experience e,
            Predicate<Configuration> canRun,
            Evaluator device,
            long seed) {
        // Speeds as shares of the leader's best in GFLOPS: what a model of the trace speaks of.
        Experience.Origin origin = e.origins().getFirst();
        double unit = origin.best() * first.flops() * 1e-9;
        TrainingData history = TrainingData.single(
                origin.rows().stream().map(Experience.Row::features).toArray(double[][]::new),
                origin.rows().stream()
                        .mapToDouble(r -> r.score() / origin.best())
                        .toArray());
        DeepGp deep = DeepGp.fit(history, DeepGpSettings.DEFAULT, seed);
        TreeForest trees = XgBoost.fit(history, DgpBench.TREES, seed);
        var random = new SplittableRandom(seed);
        List<Configuration> sample = Candidates.draw(
                kernel.space(),
                Set.of(),
                kernel.space().size().bitLength() < 31
                        ? Math.min(SAMPLE, kernel.space().size().intValue())
                        : SAMPLE,
                random);
        List<Configuration> able = sample.stream().filter(canRun).toList();
        double[] scores = deep.score(e.features().encodeAll(able));
        // The sample is in the order of a draw.
        double[] truth = gflops(device, kernel, able.subList(0, Math.min(ROWS, able.size())));
        double[] byTrees = trees.score(e.features().encodeAll(able.subList(0, truth.length)));
        double[] byDeep = Arrays.copyOf(scores, truth.length);
        List<Configuration> selected =
                DgpBench.largest(scores, TUNING_SET).mapToObj(able::get).toList();
        return new Layer(
                kernel.words(),
                first.words(),
                rmse(byDeep, unit, truth),
                rmse(byTrees, unit, truth),
                DgpExplorer.pairs(byDeep, truth),
                DgpExplorer.pairs(byTrees, truth),
                able.size() / (double) sample.size(),
                TuningSet.of(gflops(device, kernel, selected)),
                TuningSet.of(Arrays.copyOf(truth, Math.min(TUNING_SET, truth.length))));
    }

    /// 0 for what does not run.
    private double[] gflops(Evaluator device, NetworkKernel kernel, List<Configuration> configurations) {
        return configurations.stream()
                .mapToDouble(c ->
                        device
                                .evaluate(c, device.info().top(), job.cancel())
                                .getLast()
                                .value(ScheduleEvaluator.TIME)
                                .stream()
                                .map(t -> kernel.flops() / (t * 1e6))
                                .findFirst()
                                .orElse(0))
                .toArray();
    }

    private static double rmse(double[] shares, double unit, double[] truth) {
        return DgpBench.rmse(Arrays.stream(shares).map(v -> unit * v).toArray(), truth);
    }

    /// @param layers of all networks
    static List<Aim> aims(List<Layer> layers) {
        return layers.isEmpty()
                ? List.of()
                : List.of(
                        Aim.atMost(
                                "RMSE of the deep process over boosted trees', mean of the networks' layers",
                                layers.stream()
                                        .mapToDouble(Layer::ratio)
                                        .average()
                                        .orElse(Double.NaN),
                                1.05),
                        Aim.atLeast(
                                "tuning set of a layer selected over drawn, mean ratio of speeds",
                                layers.stream()
                                        .mapToDouble(l -> l.selected.mean / l.drawn.mean)
                                        .average()
                                        .orElse(Double.NaN),
                                1));
    }
}
