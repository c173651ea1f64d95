package knobscape.lab.bench;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import knobscape.evaluate.Evaluator;
import knobscape.evaluate.report.FileOutput;
import knobscape.explore.Budget;
import knobscape.explore.Exploration;
import knobscape.explore.Subject;
import knobscape.explore.Termination;
import knobscape.work.Method;

/// `src/lab/run hls-tables`: the methods of thesis chapter 3 on designs that a real FPGA flow measured (Tables 3.2 to
/// 3.5), every method with the same seeds.
///
/// The regression baselines run once, to their own end. The sequential methods run on until they have spent the
/// tool hours that ANN spent with the same seed; their figures are read off twice: where the thesis's protocol
/// would have stopped them (40 steps, early stop after 5 steps at the top fidelity without gain), and at ANN's
/// tool hours. Beside them stand CGP and DCGP with one ingredient changed (the ablation of Table 3.5 and more) and
/// the methods an engineer would try instead. Kernels come from every suite there is ([HlsSuites]).
public final class HlsTablesBench implements Bench {
    private static final int SEEDS = 10;
    private static final int QUICK_SEEDS = 2;
    private static final int INITIAL = 8;
    private static final int PROTOCOL = 6;
    private static final String YARDSTICK = "ann";
    /// HlsMethods that measure once and predict; they have no budget but their own.
    static final List<String> REGRESSIONS = List.of("ann", "bt", "dac19");
    private static final String QUICK_KERNEL = "gemm_ncubed";
    private static final String SLOW = "dcgp";

    private final List<String> methods;

    /// @param methods names of the methods compared, as far as the job's tools know them; `ann` is always among
    /// them
    public HlsTablesBench(List<String> methods) {
        this.methods = List.copyOf(methods);
    }

    @Override
    public String name() {
        return "hls-tables";
    }

    @Override
    public String description() {
        return "Thesis Tables 3.2 to 3.5: all methods on measured designs, ADRS over ANN's at equal tool hours.";
    }

    @Override
    public List<String> methods() {
        return methods;
    }

    /// Those asked for and ANN; without a choice all, where it is to be quick without the ablations and without DCGP,
    /// whose network takes longer than all others together.
    private List<String> methods(Job job) {
        if (!job.methods().isEmpty()) {
            return methods.stream()
                    .filter(m -> job.methods().contains(m) || m.equals(YARDSTICK))
                    .toList();
        }
        List<String> ablations =
                LabMethods.ablations().stream().map(Method::name).toList();
        return job.quick()
                ? methods.stream()
                        .filter(m -> !ablations.contains(m) && !m.equals(SLOW))
                        .toList()
                : methods;
    }

    @Override
    public BenchReport run(Job job) {
        int seeds = job.seeds().orElse(job.quick() ? QUICK_SEEDS : SEEDS);
        var log = new TrialLog<>(job.out().resolve("trials.jsonl"), Trial.class);
        var trials = new ArrayList<Trial>();
        var fullHours = new LinkedHashMap<String, Double>();
        var leftOut = new ArrayList<String>();
        for (HlsSuites.Kernel kernel : HlsSuites.all(job)) {
            if (job.quick() && !kernel.name().equals(QUICK_KERNEL)) {
                continue;
            }
            kernel.open(told -> {
                        leftOut.add(told);
                        job.progress().accept(told);
                    })
                    .ifPresent(subject -> {
                        job.progress()
                                .accept(subject.subject() + ": "
                                        + subject.space().size() + " designs, "
                                        + subject.reference().vectors().length + " on the front");
                        fullHours.put(subject.subject(), subject.fullHours());
                        trials.addAll(run(job, subject, seeds, log));
                    });
        }
        BenchReport report = HlsTables.report(name(), trials, methods(job), fullHours, seeds, leftOut);
        FileOutput.write(job.out().resolve("hls-tables.csv"), report.csv());
        FileOutput.write(job.out().resolve("hls-tables.md"), report.markdown());
        FileOutput.write(job.out().resolve("curves.csv"), HlsTables.curves(trials));
        return report;
    }

    List<Trial> run(Job job, HlsSuites.OpenKernel subject, int seeds, TrialLog<Trial> log) {
        List<Long> all = LongStream.range(job.firstSeed(), job.firstSeed() + seeds)
                .boxed()
                .toList();
        return TrialRun.sideBySide(all, s -> seed(job, subject, s, log)).values().stream()
                .flatMap(List::stream)
                .toList();
    }

    private List<Trial> seed(Job job, HlsSuites.OpenKernel subject, long seed, TrialLog<Trial> log) {
        var trials = new LinkedHashMap<String, Trial>();
        // ANN first: its tool hours are the others' budget.
        var order = new ArrayList<>(methods(job));
        order.sort(Comparator.comparing(m -> !m.equals(YARDSTICK)));
        for (String method : order) {
            job.cancel().throwIfCancelled();
            if (method.equals(LabMethods.ESTIMATE_PRIOR) && subject.guess().isEmpty()) {
                continue;
            }
            String key = "protocol=" + PROTOCOL + " subject=" + subject.subject() + " size="
                    + subject.space().size() + " seed=" + seed;
            trials.put(method, log.of(key, t -> t.method().equals(method), () -> {
                Trial t = trial(job, subject, method, seed, trials);
                job.progress()
                        .accept(subject.subject() + " seed " + seed + " " + method + ": ADRS "
                                + BenchReport.decimals(t.adrs(), 4) + " in " + BenchReport.decimals(t.toolHours(), 1)
                                + " tool hours, " + t.designs() + " designs, " + t.atTop() + " at the top");
                return t;
            }));
        }
        return List.copyOf(trials.values());
    }

    static Trial trial(Job job, HlsSuites.OpenKernel subject, String name, long seed, Map<String, Trial> before) {
        boolean regression = REGRESSIONS.contains(name);
        double budget = regression
                ? Double.POSITIVE_INFINITY
                : requireNonNull(before.get(YARDSTICK)).toolHours() * 3600;
        try (Evaluator evaluator = subject.evaluator().get()) {
            var explorer = job.tools()
                    .methods()
                    .named(name)
                    .factory()
                    .create(new Method.Problem(
                            subject.space(),
                            subject.encoder(),
                            evaluator.info(),
                            subject.objectives(),
                            seed,
                            INITIAL,
                            List.of(),
                            Budget.ofToolSeconds(budget),
                            subject.guess().filter(g -> name.equals(LabMethods.ESTIMATE_PRIOR))));
            return TrialRun.run(
                    subject.reference(),
                    Subject.of("", subject.space(), explorer, evaluator, subject.objectives(), Termination.of(0)),
                    Exploration.Settings.steps(seed, Integer.MAX_VALUE),
                    budget,
                    job.cancel());
        }
    }
}
