package knobscape.lab.bench;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import knobscape.evaluate.Evaluator;
import knobscape.evaluate.RepeatedMeasurements;
import knobscape.evaluate.UserError;
import knobscape.explore.Candidates;
import knobscape.explore.Experience;
import knobscape.explore.Exploration;
import knobscape.explore.Explorer;
import knobscape.explore.RandomExplorer;
import knobscape.explore.RunEvent;
import knobscape.explore.Scheduler;
import knobscape.explore.Subject;
import knobscape.explore.Termination;
import knobscape.explore.bo.BoExplorer;
import knobscape.explore.bo.BoSettings;
import knobscape.explore.bo.RankWeightedExplorer;
import knobscape.explore.bo.RankedExplorer;
import knobscape.explore.bo.TransferExplorer;
import knobscape.gpu.evaluate.replay.MeasuredSet;
import knobscape.gpu.search.AutoTvmExplorer;
import knobscape.gpu.search.BaoExplorer;
import knobscape.gpu.search.DgpExplorer;
import knobscape.gpu.search.InitialDesign;
import knobscape.gpu.search.PlannedRival;
import knobscape.gpu.search.TuningProblem;
import knobscape.space.Configuration;
import knobscape.surrogate.TrainingData;
import knobscape.surrogate.deepgp.DeepGp;
import knobscape.surrogate.deepgp.DeepGpSettings;
import knobscape.surrogate.ensemble.XgBoost;

/// `src/lab/run dgp`: learning from history on measured kernels. Searches without a history on exhaustively measured
/// sets,
/// without and with 3 % noise; searches with the history of a related device, of another vendor's, of another layer,
/// and of another kernel that misleads; the deep process's predictions before tuning beside boosted trees'.
public final class DgpBench implements Bench {
    private static final int SEEDS = 10;
    private static final int QUICK_SEEDS = 2;
    private static final int NETWORK_SEEDS = 3;
    private static final int TRIALS = 512;
    private static final int QUICK_TRIALS = 64;
    static final int WITH_HISTORY = 64;
    private static final int NOISY_TRIALS = 128;
    private static final int HISTORY_ROWS = 1000;
    private static final int PREDICTED_ROWS = 1000;
    /// The boosted trees that a trace is learned with beside the deep process.
    static final XgBoost.Options TREES = new XgBoost.Options(XgBoost.Objective.REGRESSION, 3, 0.3, 1e-4, 100, 0, 1);
    private static final int TUNING_SET = 64;
    private static final double NOISE = 0.03;
    /// Measurements per plan of the rivals that plan; AutoTVM's 64 would be the whole budget.
    private static final int PLAN = 16;
    /// Another setting of `bo`, to be chosen from where one is chosen without the kernel it is reported on.
    static final String PATIENT = "bo-patient";
    private static final BoSettings PATIENT_BO = new BoSettings(
            BoSettings.DEFAULT.initial(),
            BoSettings.DEFAULT.pool(),
            BoSettings.DEFAULT.models(),
            24,
            BoSettings.DEFAULT.repeats());
    private static final int PROTOCOL = 3;
    static final int[] MARKS = {16, 32, 64, 128, 256, 512};
    static final double[] AIMS = {Double.NaN, .90, .96, .985, .996, .999};
    private static final List<String> QUICK_SETS = List.of("gemm_clblast/TitanRTX", "conv2d_filter_milo/A4000");
    private static final List<String> QUICK_SETTINGS = List.of("conv2d_filter/RTX2080Ti", "conv2d_filter_milo/W6600");

    /// A history and what it is to help with; files are named by folder and device.
    record Setting(String kind, String target, List<String> sources) {}

    private static final List<Setting> SETTINGS = List.of(
            new Setting("related", "gemm_clblast/TitanRTX", List.of("gemm_clblast/RTX2080Ti")),
            new Setting("related", "gemm_clblast/RTX2080Ti", List.of("gemm_clblast/TitanRTX")),
            new Setting("related", "conv2d_filter/RTX2080Ti", List.of("conv2d_filter/TitanRTX")),
            new Setting("related", "conv2d_filter/TitanRTX", List.of("conv2d_filter/RTX2080Ti")),
            new Setting("related", "conv2d_filter_milo/A4000", List.of("conv2d_filter_milo/A100")),
            new Setting("related", "conv2d_filter_milo/W6600", List.of("conv2d_filter_milo/W7800")),
            new Setting("related", "dedispersion_milo/A100", List.of("dedispersion_milo/A4000")),
            new Setting("related", "dedispersion_milo/W7800", List.of("dedispersion_milo/W6600")),
            new Setting(
                    "other vendor",
                    "conv2d_filter_milo/W7800",
                    List.of("conv2d_filter_milo/A100", "conv2d_filter_milo/A4000")),
            new Setting("other vendor", "conv2d_filter_milo/W6600", List.of("conv2d_filter_milo/A4000")),
            new Setting("other vendor", "dedispersion_milo/W6600", List.of("dedispersion_milo/A100")),
            new Setting("misleads", "gemm_clblast/RTX2080Ti", List.of("gemm_cltune_gtx680/GTX680")),
            new Setting("misleads", "gemm_cltune_gtx680/GTX680", List.of("gemm_clblast/TitanRTX")),
            new Setting("misleads", "conv2d_filter_milo/A100", List.of("conv2d_filter/TitanRTX")),
            new Setting(
                    "layers",
                    "autotvm_t4_bert/T4_dense_large_batch_b1_m128_n768_k3072",
                    List.of("autotvm_t4_bert/T4_dense_large_batch_b1_m128_n3072_k768")),
            new Setting(
                    "layers",
                    "autotvm_t4_bert/T4_dense_large_batch_b1_m128_n768_k768",
                    List.of(
                            "autotvm_t4_bert/T4_dense_large_batch_b1_m128_n3072_k768",
                            "autotvm_t4_bert/T4_dense_large_batch_b1_m128_n768_k3072")),
            new Setting(
                    "layers",
                    "amos_conv2d_fp16/A100_c256_h14_k256_r3_s1_p1",
                    List.of("amos_conv2d_fp16/A100_c64_h56_k64_r3_s1_p1")),
            new Setting(
                    "layers",
                    "amos_conv2d_fp16/A100_c512_h7_k512_r3_s1_p1",
                    List.of(
                            "amos_conv2d_fp16/A100_c64_h56_k64_r3_s1_p1",
                            "amos_conv2d_fp16/A100_c256_h14_k256_r3_s1_p1")));

    private static final Map<String, Function<TuningProblem, Explorer>> METHODS = searches();

    private static Map<String, Function<TuningProblem, Explorer>> searches() {
        var all = new LinkedHashMap<String, Function<TuningProblem, Explorer>>();
        all.put("bo", p -> new BoExplorer(p.target(), BoSettings.DEFAULT));
        all.put(PATIENT, p -> new BoExplorer(p.target(), PATIENT_BO));
        all.put("bted+bao", p -> new BaoExplorer("bted+bao", p, InitialDesign.bted(), BaoExplorer.Settings.DEFAULT));
        all.put(
                "autotvm",
                p -> new AutoTvmExplorer("autotvm", p, InitialDesign.random(), AutoTvmExplorer.Settings.DEFAULT));
        all.put("annealing", SequentialAnnealing::new);
        all.put("random", p -> new RandomExplorer(p.space(), p.info().top(), 1, p.seed()));
        all.put("transfer", p -> new TransferExplorer(p.target(), BoSettings.DEFAULT));
        all.put(
                "transfer-dgp",
                p -> new TransferExplorer(
                        "transfer-dgp", p.target(), BoSettings.DEFAULT, DeepGp.trainer(DeepGpSettings.DEFAULT)));
        all.put("dgp", p -> new DgpExplorer("dgp", p, DGP));
        all.put("dgp-random-set", p -> new DgpExplorer("dgp", p, dgp(1, true)));
        all.put("dgp-untuned", p -> new DgpExplorer("dgp", p, dgp(0.1, false)));
        all.put("autotvm-transfer", p -> new PlannedRival(PlannedRival.Kind.AUTOTVM_TRANSFER, p, PLAN));
        all.put("guided-genetic", p -> new PlannedRival(PlannedRival.Kind.GUIDED_GENETIC, p, PLAN));
        all.put("adaptive-sampling", p -> new PlannedRival(PlannedRival.Kind.ADAPTIVE_SAMPLING, p, PLAN));
        all.put("rank-weighted", p -> new RankWeightedExplorer(p.target(), BoSettings.DEFAULT));
        all.put("top-of-history", p -> new RankedExplorer("top", p.target(), RankedExplorer.By.MEASURED));
        all.put("pooled-trees", p -> new RankedExplorer("trees", p.target(), RankedExplorer.By.TREES));
        return all;
    }

    /// The paper's 300 would never be tuned within 64 measurements: 32 here, then rounds of 16.
    private static final DgpExplorer.Settings DGP = dgp(0.1, true);

    private static DgpExplorer.Settings dgp(double randomShare, boolean isTuned) {
        return new DgpExplorer.Settings(20_000, 32, randomShare, isTuned, 16, DeepGpSettings.DEFAULT);
    }

    private static final List<String> BATCHED = List.of("autotvm-transfer", "guided-genetic", "adaptive-sampling");
    private static final List<String> WITHOUT = List.of("bo", PATIENT, "bted+bao", "autotvm", "annealing", "random");
    private static final List<String> NOISY = List.of("bo", "bted+bao");
    private static final List<String> QUICK_WITHOUT = List.of("bo", "bted+bao", "annealing", "random");
    private static final List<String> WITH = List.of(
            "transfer",
            "bo",
            "bted+bao",
            "top-of-history",
            "pooled-trees",
            "rank-weighted",
            "autotvm-transfer",
            "guided-genetic",
            "adaptive-sampling",
            "transfer-dgp",
            "dgp",
            "dgp-random-set",
            "dgp-untuned");
    private static final List<String> QUICK_WITH = List.of(
            "transfer",
            "bo",
            "top-of-history",
            "pooled-trees",
            "rank-weighted",
            "autotvm-transfer",
            "guided-genetic",
            "adaptive-sampling",
            "dgp");

    /// A search of a measured set.
    ///
    /// @param marks share of the optimum reached after each of [#MARKS], -1 beyond its end
    record Progress(List<Double> marks, double seconds) {}

    /// A measured set to search, with or without a history.
    private record SetSearch(Job job, MeasuredSet set, List<MeasuredSet> sources, int trials, double noise)
            implements TrialSubject<Progress> {
        @Override
        public String name() {
            return set.name() + (sources.isEmpty() ? "" : " with history") + (noise > 0 ? ", noise" : "");
        }

        @Override
        public Optional<String> key(String method) {
            return Optional.of("protocol=" + PROTOCOL + " set=" + set.name() + " sources="
                    + sources.stream().map(MeasuredSet::name).toList() + " trials=" + trials + " noise=" + noise);
        }

        @Override
        public String words(Progress p) {
            return String.format(
                    Locale.ROOT,
                    "%.3f of the optimum after %d measurements",
                    p.marks.stream().filter(v -> v >= 0).reduce((_, b) -> b).orElse(Double.NaN),
                    trials);
        }

        @Override
        public Progress run(String method, long seed, Map<String, Progress> earlier) {
            return search(job, set, sources, method, trials, noise, seed);
        }
    }

    /// A measured set of which something is predicted before it is tuned.
    private record PredictedSet(Setting setting, MeasuredSet target, List<MeasuredSet> sources)
            implements TrialSubject<PredictionScore> {
        @Override
        public String name() {
            return "Predictions of " + setting.target;
        }

        @Override
        public Optional<String> key(String method) {
            return Optional.of("protocol=" + PROTOCOL + " " + setting);
        }

        @Override
        public String words(PredictionScore p) {
            return String.format(Locale.ROOT, "RMSE %.3f, of trees %.3f", p.deep, p.trees);
        }

        @Override
        public PredictionScore run(String method, long seed, Map<String, PredictionScore> earlier) {
            return predict(target, sources, seed);
        }
    }

    /// Predictions of one target.
    ///
    /// @param selected the tuning set that the deep process selects
    /// @param drawn as many drawn
    record PredictionScore(
            double deep,
            double trees,
            double deepPairs,
            double treePairs,
            double seconds,
            TuningSet selected,
            TuningSet drawn) {}

    /// Means over a tuning set; what does not run counts as 0.
    record TuningSet(double share, double ran) {
        static TuningSet of(double[] truth, IntStream rows) {
            double[] own = rows.mapToDouble(i -> truth[i]).toArray();
            return new TuningSet(
                    Arrays.stream(own).average().orElse(Double.NaN),
                    Arrays.stream(own).filter(v -> v > 0).count() / (double) own.length);
        }
    }

    @Override
    public String name() {
        return "dgp";
    }

    @Override
    public String description() {
        return "Learning from history on measured kernels: bo, transfer and dgp beside their rivals.";
    }

    @Override
    public List<String> methods() {
        return List.copyOf(METHODS.keySet());
    }

    private static List<String> chosen(Job job, List<String> all, List<String> quick) {
        return (job.quick() && job.methods().isEmpty() ? quick : all)
                .stream()
                        .filter(m -> job.methods().isEmpty() || job.methods().contains(m))
                        .toList();
    }

    @Override
    public BenchReport run(Job job) {
        Path data = GpuModelBench.GpuSets.folder(job);
        int seeds = job.seeds().orElse(job.quick() ? QUICK_SEEDS : SEEDS);
        var runner = TrialRunner.inTurn(job, "dgp-searches.jsonl", Progress.class, seeds);
        var table = new DgpTable();
        List<MeasuredSet> exhaustive = GpuModelBench.GpuSets.files(data).stream()
                .filter(f -> !job.quick() || QUICK_SETS.contains(named(f)))
                .map(MeasuredSet::open)
                .filter(s -> s.kind().exhaustive())
                .toList();
        for (double noise : new double[] {0, NOISE}) {
            int trials = noise > 0 ? NOISY_TRIALS : job.quick() ? QUICK_TRIALS : TRIALS;
            for (MeasuredSet set : exhaustive) {
                table.add(
                        noise > 0 ? DgpTable.NOISY : DgpTable.WITHOUT,
                        set.name(),
                        runner.run(
                                new SetSearch(job, set, List.of(), trials, noise),
                                noise > 0 ? chosen(job, NOISY, NOISY) : chosen(job, WITHOUT, QUICK_WITHOUT)));
            }
        }
        for (Setting s : SETTINGS) {
            if (job.quick() && !QUICK_SETTINGS.contains(s.target)) {
                continue;
            }
            Optional<MeasuredSet> target = find(data, s.target);
            List<MeasuredSet> sources =
                    s.sources.stream().flatMap(n -> find(data, n).stream()).toList();
            if (target.isEmpty() || sources.size() < s.sources.size()) {
                table.notes.add(s.target + " is left out: not all of its sets are in " + data + ".");
                continue;
            }
            table.add(
                    s.kind,
                    s.target + " from " + String.join(", ", s.sources),
                    runner.run(
                            new SetSearch(job, target.get(), sources, WITH_HISTORY, 0), chosen(job, WITH, QUICK_WITH)));
        }
        if (job.methods().isEmpty() || job.methods().contains("dgp")) {
            predictions(job, data, table);
            table.networks(DgpNetworks.of(job, job.seeds().orElse(job.quick() ? 1 : NETWORK_SEEDS)));
        }
        return table.report(name(), seeds);
    }

    private static String named(Path file) {
        Path folder = file.getParent();
        return (folder == null ? "" : folder.getFileName() + "/")
                + file.getFileName().toString().replaceFirst("\\.csv(\\.gz)?$", "");
    }

    private static Optional<MeasuredSet> find(Path data, String name) {
        return Stream.of(".csv.gz", ".csv")
                .map(e -> data.resolve(name + e))
                .filter(Files::isRegularFile)
                .findFirst()
                .map(MeasuredSet::open);
    }

    /// Searches a set, and says which share of its optimum is reached after each of [#MARKS].
    static Progress search(
            Job job, MeasuredSet set, List<MeasuredSet> sources, String method, int trials, double noise, long seed) {
        Evaluator evaluator = noise > 0 ? new NoisyReplay(set, noise, seed) : set.evaluator();
        TuningProblem blank = TuningProblem.ofKnobs(set.space(), evaluator.info(), seed);
        TuningProblem problem = sources.isEmpty() ? blank : blank.with(experience(set, sources, seed));
        Explorer explorer =
                Optional.ofNullable(METHODS.get(method)).orElseThrow().apply(problem);
        var search = new Exploration(
                List.of(new Subject(
                        set.name(),
                        1,
                        set.space(),
                        explorer,
                        evaluator,
                        List.of(problem.metric()),
                        method.startsWith("bted") ? 4 : BATCHED.contains(method) || method.startsWith("dgp") ? 16 : 1,
                        new Termination.Never(),
                        List.of())),
                Scheduler.roundRobin(),
                new Exploration.Settings(seed, Integer.MAX_VALUE, trials, 0, 1, 0),
                System::nanoTime,
                Runnable::run);
        // Judged as the program does.
        var measured = RepeatedMeasurements.bySpeed(problem::score);
        double[] marks = new double[MARKS.length];
        Arrays.fill(marks, -1);
        int[] count = new int[1];
        search.addListener(event -> {
            if (event instanceof RunEvent.StageDone d) {
                measured.add(d.evaluation());
                count[0]++;
                int mark = Arrays.binarySearch(MARKS, count[0]);
                if (mark >= 0) {
                    marks[mark] = share(set, measured);
                }
            }
        });
        job.cancel().onCancel(search::stop);
        long before = System.nanoTime();
        RunEvent.Finished end = search.run(List.of());
        job.cancel().throwIfCancelled();
        if (end.ending() == RunEvent.Ending.FAILED) {
            throw new UserError(method + " on " + set.name() + ": " + end.reason());
        }
        // A space that was measured to its end stays where it is.
        for (int m = 0; m < MARKS.length; m++) {
            marks[m] = marks[m] < 0 && MARKS[m] <= trials ? share(set, measured) : marks[m];
        }
        return new Progress(Arrays.stream(marks).boxed().toList(), (System.nanoTime() - before) * 1e-9);
    }

    private static double share(MeasuredSet set, RepeatedMeasurements measured) {
        return measured.best()
                .map(e -> set.milliseconds(e.configuration()))
                .filter(t -> !Double.isNaN(t))
                .map(t -> set.speed(t) / set.bestSpeed())
                .orElse(0.0);
    }

    /// As much as a tuning leaves behind: 1000 rows of each source, drawn.
    private static Experience experience(MeasuredSet target, List<MeasuredSet> sources, long seed) {
        return Experience.of(
                target.space(),
                Experience.NOTHING,
                sources.stream()
                        .map(s -> {
                            List<Configuration> drawn = Candidates.draw(
                                    s.space(),
                                    Set.of(),
                                    Math.min(HISTORY_ROWS, s.space().size().intValue()),
                                    new SplittableRandom(seed));
                            return new Experience.Earlier(
                                    s.kind().name(),
                                    s.device(),
                                    true,
                                    s.space().knobs(),
                                    Experience.NOTHING,
                                    drawn,
                                    drawn.stream()
                                            .mapToDouble(s::milliseconds)
                                            .map(t -> Double.isNaN(t) ? 0 : s.speed(t))
                                            .toArray());
                        })
                        .toList());
    }

    /// Error of the predictions before tuning, the deep process's beside boosted trees' (Fig. 4.2).
    private static void predictions(Job job, Path data, DgpTable table) {
        var runner = TrialRunner.inTurn(job, "dgp-predictions.jsonl", PredictionScore.class, 1);
        for (Setting s : SETTINGS) {
            Optional<MeasuredSet> target = find(data, s.target);
            List<MeasuredSet> sources =
                    s.sources.stream().flatMap(n -> find(data, n).stream()).toList();
            if (s.kind.equals("misleads")
                    || target.isEmpty()
                    || sources.isEmpty()
                    || (job.quick() && !QUICK_SETTINGS.contains(s.target))) {
                continue;
            }
            runner.run(new PredictedSet(s, target.get(), sources), List.of("dgp"))
                    .forEach(p -> table.predicted(s, p.figures()));
        }
    }

    private static PredictionScore predict(MeasuredSet target, List<MeasuredSet> sources, long seed) {
        Experience e = experience(target, sources, seed);
        var x = new ArrayList<double[]>();
        var y = new ArrayList<Double>();
        e.origins()
                .forEach(o -> o.rows().forEach(r -> {
                    x.add(r.features());
                    y.add(o.best() > 0 ? r.score() / o.best() : 0);
                }));
        TrainingData history = TrainingData.single(
                x.toArray(double[][]::new), y.stream().mapToDouble(v -> v).toArray());
        List<Configuration> rows = Candidates.draw(
                target.space(),
                Set.of(),
                Math.min(PREDICTED_ROWS, target.space().size().intValue()),
                new SplittableRandom(seed + 1));
        double best = target.bestSpeed();
        double[] truth = rows.stream()
                .mapToDouble(target::milliseconds)
                .map(t -> Double.isNaN(t) ? 0 : target.speed(t) / best)
                .toArray();
        double[][] features = e.features().encodeAll(rows);
        long before = System.nanoTime();
        double[] deep = DeepGp.fit(history, DeepGpSettings.DEFAULT, seed).score(features);
        double seconds = (System.nanoTime() - before) * 1e-9;
        double[] trees = XgBoost.fit(history, TREES, seed).score(features);
        return new PredictionScore(
                rmse(deep, truth),
                rmse(trees, truth),
                DgpExplorer.pairs(deep, truth),
                DgpExplorer.pairs(trees, truth),
                seconds,
                TuningSet.of(truth, largest(deep, TUNING_SET)),
                // The rows are in the order of a draw.
                TuningSet.of(truth, IntStream.range(0, Math.min(TUNING_SET, truth.length))));
    }

    /// Positions of the largest scores, in falling order, of equal ones the first.
    static IntStream largest(double[] scores, int count) {
        return IntStream.range(0, scores.length)
                .boxed()
                .sorted(Comparator.comparingDouble((Integer i) -> -scores[i]).thenComparingInt(i -> i))
                .limit(count)
                .mapToInt(i -> i);
    }

    static double rmse(double[] a, double[] b) {
        double sum = 0;
        for (int i = 0; i < a.length; i++) {
            sum += (a[i] - b[i]) * (a[i] - b[i]);
        }
        return Math.sqrt(sum / a.length);
    }
}
