package knobscape.lab.bench;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import knobscape.evaluate.report.FileOutput;
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
        // ANN first: its tool hours are the others' budget.
        return chosen(job).stream()
                .sorted(Comparator.comparing(m -> !m.equals(KernelSearch.YARDSTICK)))
                .toList();
    }

    private List<String> chosen(Job job) {
        if (!job.methods().isEmpty()) {
            return methods.stream()
                    .filter(m -> job.methods().contains(m) || m.equals(KernelSearch.YARDSTICK))
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
        var runner = TrialRunner.sideBySide(job, "trials.jsonl", Approach.class, seeds);
        var trials = new ArrayList<Trial<Approach>>();
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
                    .ifPresent(open -> {
                        job.progress()
                                .accept(open.subject() + ": " + open.space().size() + " designs, "
                                        + open.reference().vectors().length + " on the front");
                        fullHours.put(open.subject(), open.fullHours());
                        List<Trial<Approach>> own = runner.run(
                                new KernelSearch(job, open),
                                methods(job).stream()
                                        .filter(m -> open.guess().isPresent() || !m.equals(LabMethods.ESTIMATE_PRIOR))
                                        .toList());
                        long run =
                                own.stream().mapToLong(Trial::seed).distinct().count();
                        if (run < seeds) {
                            leftOut.add(open.subject() + ": " + run + " of " + seeds + " seeds were run.");
                        }
                        trials.addAll(own);
                    });
        }
        BenchReport report = HlsTables.report(name(), trials, methods, fullHours, seeds, leftOut);
        FileOutput.write(job.out().resolve("curves.csv"), Approach.curves("kernel", trials));
        return report;
    }
}
