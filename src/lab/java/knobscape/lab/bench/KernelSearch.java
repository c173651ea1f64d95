package knobscape.lab.bench;

import static java.util.Objects.requireNonNull;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import knobscape.evaluate.Evaluator;
import knobscape.explore.Budget;
import knobscape.explore.Exploration;
import knobscape.explore.Subject;
import knobscape.explore.Termination;
import knobscape.work.Method;

/// A kernel searched by a method of HLS: regressions to their own end, others until they have spent the tool hours that
/// ANN spent with the same seed.
record KernelSearch(Bench.Job job, HlsSuites.OpenKernel kernel) implements TrialSubject<Approach> {
    static final String YARDSTICK = "ann";
    /// Methods that measure once and predict; they have no budget but their own.
    static final List<String> REGRESSIONS = List.of(YARDSTICK, "bt", "dac19");

    private static final int INITIAL = 8;
    private static final int PROTOCOL = 8;

    @Override
    public String name() {
        return kernel.subject();
    }

    @Override
    public Optional<String> key(String method) {
        return Optional.of("protocol=" + PROTOCOL + " subject=" + kernel.subject() + " size="
                + kernel.space().size());
    }

    @Override
    public String words(Approach t) {
        return "ADRS " + BenchReport.decimals(t.adrs(), 4) + " in " + BenchReport.decimals(t.toolHours(), 1)
                + " tool hours, " + t.designs() + " designs, " + t.atTop() + " at the top";
    }

    @Override
    public Approach run(String name, long seed, Map<String, Approach> earlier) {
        double budget = REGRESSIONS.contains(name)
                ? Double.POSITIVE_INFINITY
                : requireNonNull(earlier.get(YARDSTICK)).toolHours() * 3600;
        try (Evaluator evaluator = kernel.evaluator().get()) {
            var explorer = job.tools()
                    .methods()
                    .named(name)
                    .factory()
                    .create(new Method.Problem(
                            kernel.space(),
                            kernel.encoder(),
                            evaluator.info(),
                            kernel.objectives(),
                            seed,
                            INITIAL,
                            List.of(),
                            Budget.ofToolSeconds(budget),
                            kernel.guess().filter(g -> name.equals(LabMethods.ESTIMATE_PRIOR))));
            return FrontSearch.run(
                    kernel.reference(),
                    Subject.of("", kernel.space(), explorer, evaluator, kernel.objectives(), Termination.of(0)),
                    Exploration.Settings.steps(seed, Integer.MAX_VALUE),
                    budget,
                    job.cancel());
        }
    }
}
