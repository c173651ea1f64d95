package knobscape.lab.bench;

import static java.util.Objects.requireNonNull;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import knobscape.evaluate.Evaluator;
import knobscape.evaluate.Metric;
import knobscape.explore.Exploration;
import knobscape.explore.Subject;
import knobscape.explore.Termination;
import knobscape.hls.HlsSettings;
import knobscape.hls.HlsWorkbench;
import knobscape.project.Project;
import knobscape.work.RunSettings;
import knobscape.work.Workbench;

/// A sample project searched by CGP, and by random search that may spend the same tool hours and begins with as many
/// designs.
final class SampleSearch implements TrialSubject<Approach>, AutoCloseable {
    static final String LEARNER = "cgp";
    static final String YARDSTICK = "random";
    /// The second may spend what the first spent.
    static final List<String> METHODS = List.of(LEARNER, YARDSTICK);

    private static final int QUICK_SAMPLE = 10_000;
    private static final long REFERENCE_SEED = 20_261_120L;
    private static final int PROTOCOL = 2;

    private final Bench.Job job;
    private final String name;
    private final HlsWorkbench bench;
    private final RunSettings settings = HlsSettings.defaultRun();
    private final Evaluator evaluator;
    private final List<Metric> objectives;
    private final int limit;
    private Optional<ReferenceFront> reference = Optional.empty();

    SampleSearch(Bench.Job job, Project project) {
        this.job = job;
        name = project.name();
        bench = HlsWorkbench.open(project, project.file().both(), job.tools());
        evaluator = bench.evaluator(settings);
        objectives = Workbench.objectives(settings, evaluator.info());
        limit = job.quick() ? QUICK_SAMPLE : ReferenceFront.SAMPLE;
    }

    /// Size of the space as a table shows it.
    String size() {
        BigInteger size = bench.space().size();
        return size.bitLength() < 63 ? size.toString() : String.format(Locale.ROOT, "%.2e", new BigDecimal(size));
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public Optional<String> key(String method) {
        return Optional.of(
                "protocol=" + PROTOCOL + " source=" + bench.sourceHash().substring(0, 16) + " part="
                        + bench.settings().part().orElse("") + " clock="
                        + bench.settings().clockNs() + " size="
                        + bench.space().size() + " steps=" + settings.steps() + " init=" + settings.initialDesigns()
                        + " early-stop=" + settings.earlyStop() + " reference=" + limit);
    }

    @Override
    public String words(Approach t) {
        return "ADRS " + BenchReport.decimals(t.adrs(), 4) + " in " + BenchReport.decimals(t.toolHours(), 2)
                + " tool hours";
    }

    @Override
    public Approach run(String method, long seed, Map<String, Approach> earlier) {
        boolean isLearner = method.equals(LEARNER);
        try (Evaluator own = bench.evaluator(settings)) {
            return FrontSearch.run(
                    reference(),
                    Subject.of(
                            "",
                            bench.space(),
                            bench.explorer(
                                    settings.with(RunSettings.SEED, seed).with(RunSettings.METHOD, method), own.info()),
                            own,
                            objectives,
                            Termination.of(isLearner ? settings.earlyStop() : 0)),
                    Exploration.Settings.steps(seed, isLearner ? settings.steps() : Integer.MAX_VALUE),
                    isLearner
                            ? Double.POSITIVE_INFINITY
                            : requireNonNull(earlier.get(LEARNER)).toolHours() * 3600,
                    job.cancel());
        }
    }

    /// The front is evaluated when the first trial needs it, for trials kept from before need none.
    private synchronized ReferenceFront reference() {
        return reference.orElseGet(() -> {
            job.progress()
                    .accept(name + ": evaluating at most " + limit + " of " + size() + " for the reference front");
            ReferenceFront front =
                    ReferenceFront.of(name, bench.space(), evaluator, objectives, limit, REFERENCE_SEED, job.cancel());
            reference = Optional.of(front);
            return front;
        });
    }

    @Override
    public void close() {
        evaluator.close();
    }
}
