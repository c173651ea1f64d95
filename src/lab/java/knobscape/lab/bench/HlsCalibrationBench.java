package knobscape.lab.bench;

import static java.util.Objects.requireNonNull;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.DoubleSummaryStatistics;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import knobscape.evaluate.replay.ReplaySet;
import knobscape.explore.bayes.BayesSettings;
import knobscape.explore.bayes.CgpExplorer;
import knobscape.lab.bench.BenchReport.Aim;
import knobscape.lab.bench.BenchReport.Cell;
import knobscape.lab.bench.BenchReport.Column;
import knobscape.surrogate.Model;
import knobscape.surrogate.gp.DeepKernelSettings;
import knobscape.surrogate.gp.DeepKernelTrainer;
import knobscape.surrogate.neural.TorchRuntime;

/// `src/lab/run hls-calibration`: whether the surrogates know how much they know. Each is fitted to a few measured
/// designs and predicts the others at the highest stage; of its 90 % intervals, as many should hold the
/// measured value.
public final class HlsCalibrationBench implements Bench {
    private static final int PROTOCOL = 1;
    private static final int SEEDS = 6;
    private static final int QUICK_SEEDS = 2;
    private static final int[] SIZES = {16, 40};
    private static final double ERROR = 0.40;
    private static final int[] QUICK_SIZES = {16};
    private static final String QUICK_KERNEL = "gemm_ncubed";
    private static final double LOWEST = 0.80;
    private static final double HIGHEST = 0.97;
    private static final String TARGET = "0.80 to 0.97";

    /// A surrogate, and what it sees.
    private record Learner(Model.Trainer trainer, BayesSettings settings) {}

    /// A measured set of which a few designs are known.
    private record KnownSet(ReplaySet set, int designs, Map<String, Learner> learners)
            implements TrialSubject<IntervalCalibration.Score> {
        @Override
        public String name() {
            return MeasuredFiles.subject(set.name()) + " from " + designs + " designs";
        }

        @Override
        public Optional<String> key(String method) {
            return Optional.of("protocol=" + PROTOCOL + " set=" + set.name() + " designs=" + designs);
        }

        @Override
        public String words(IntervalCalibration.Score s) {
            return BenchReport.decimals(100 * s.coverage(), 1) + " % inside the 90 % intervals";
        }

        @Override
        public IntervalCalibration.Score run(String method, long seed, Map<String, IntervalCalibration.Score> earlier) {
            Learner learner = requireNonNull(learners.get(method));
            return IntervalCalibration.of(set, learner.settings).score(learner.trainer, designs, seed);
        }
    }

    @Override
    public String name() {
        return "hls-calibration";
    }

    @Override
    public String description() {
        return "Share of held-out measured designs inside the 90 % intervals that CGP's and DCGP's surrogates give.";
    }

    @Override
    public BenchReport run(Job job) {
        Path data = job.requiredData();
        Model.Trainer own = CgpExplorer.gaussianProcesses(BayesSettings.CGP);
        var trainers = new LinkedHashMap<String, Learner>();
        trainers.put("cgp", new Learner(own, BayesSettings.CGP));
        trainers.put("cgp, objectives only", new Learner(own, BayesSettings.CGP.with(BayesSettings.Report.OBJECTIVES)));
        trainers.put("cgp, knobs only", new Learner(own, BayesSettings.CGP.with(IntervalCalibration.UNSEEN)));
        Optional<String> without = TorchRuntime.problem();
        if (without.isEmpty()) {
            trainers.put("dcgp", new Learner(new DeepKernelTrainer(DeepKernelSettings.DEFAULT), BayesSettings.DEFAULT));
        }
        int seeds = job.seeds().orElse(job.quick() ? QUICK_SEEDS : SEEDS);
        var runner = TrialRunner.sideBySide(job, "trials.jsonl", IntervalCalibration.Score.class, seeds);
        var rows = new ArrayList<List<Cell>>();
        var errors = new LinkedHashMap<String, List<Double>>();
        var scores = new LinkedHashMap<String, List<IntervalCalibration.Score>>();
        for (Path file : MeasuredFiles.staged(data)) {
            if (job.quick() && !file.getFileName().toString().startsWith(QUICK_KERNEL)) {
                continue;
            }
            var set = ReplaySet.open(file);
            for (int n : job.quick() ? QUICK_SIZES : SIZES) {
                Trial.byMethod(runner.run(new KnownSet(set, n, trainers), List.copyOf(trainers.keySet())))
                        .forEach((surrogate, all) -> {
                            IntervalCalibration.Score mean = IntervalCalibration.Score.mean(all);
                            scores.computeIfAbsent(surrogate, _ -> new ArrayList<>())
                                    .add(mean);
                            if (n == SIZES[SIZES.length - 1]) {
                                errors.computeIfAbsent(surrogate, _ -> new ArrayList<>())
                                        .add(mean.reported());
                            }
                            rows.add(BenchReport.row(
                                    List.of(MeasuredFiles.subject(set.name()), surrogate),
                                    n,
                                    mean.coverage(),
                                    mean.lowestCoverage(),
                                    mean.error(),
                                    mean.reported(),
                                    mean.density(),
                                    mean.heldOut()));
                        });
            }
        }
        var aims = new ArrayList<Aim>();
        scores.forEach((surrogate, all) -> {
            DoubleSummaryStatistics shares = all.stream()
                    .mapToDouble(IntervalCalibration.Score::coverage)
                    .summaryStatistics();
            aims.add(aim(
                    surrogate + ": share inside the 90 % intervals, mean over kernels and training sizes",
                    shares.getAverage()));
            aims.add(aim(surrogate + ": the same, least of a kernel and size", shares.getMin()));
            aims.add(aim(surrogate + ": the same, most of a kernel and size", shares.getMax()));
        });
        errors.forEach((surrogate, all) -> aims.add(Aim.atMost(
                surrogate + ": RMSE over the deviation at " + SIZES[SIZES.length - 1]
                        + " designs, the report of C synthesis known, mean over kernels",
                all.stream().mapToDouble(Double::doubleValue).average().orElse(Double.NaN),
                ERROR)));
        without.ifPresent(why -> aims.add(new Aim("dcgp: share inside the 90 % intervals", Double.NaN, TARGET, false)));
        var notes = new ArrayList<>(List.of(
                "Training: n designs measured at every stage and 2 n more at hls alone, drawn by the seed; all others are held out, their hls unknown but where it says otherwise.",
                "Values and intervals on the logarithmic scale on which the surrogates work; error and density in units of the objective's deviation over all designs.",
                seeds + (seeds == 1 ? " seed" : " seeds") + "; intervals include the noise that the surrogate found."));
        without.ifPresent(notes::add);
        return new BenchReport(
                name(),
                "Share of held-out measured designs inside 90 % intervals at the highest stage, by kernel, surrogate and size of the training set.",
                Column.list(
                        "kernel", "kernel",
                        "surrogate", "surrogate",
                        "designs", "trained on",
                        "coverage", "inside 90 %",
                        "lowestCoverage", "least of an objective",
                        "error", "RMSE (deviations)",
                        "reported", "with its hls report",
                        "density", "negative log density",
                        "heldOut", "held out"),
                rows,
                aims,
                notes);
    }

    private static Aim aim(String name, double value) {
        return new Aim(name, value, TARGET, value >= LOWEST && value <= HIGHEST);
    }
}
