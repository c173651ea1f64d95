package knobscape.work;

import java.util.List;
import java.util.function.Function;
import knobscape.evaluate.Evaluator;
import knobscape.evaluate.EvaluatorInfo;
import knobscape.explore.BaselineFirst;
import knobscape.explore.Exploration;
import knobscape.explore.Explorer;
import knobscape.explore.PopulationExplorer;
import knobscape.explore.PopulationSteps;
import knobscape.explore.Scheduler;
import knobscape.explore.Subject;
import knobscape.explore.Termination;
import knobscape.space.Configuration;

/// A run made ready: what is searched, in which order, and when it ends. Closing it closes its evaluators.
///
/// @param subjects one, or one per task
/// @param scheduler whose turn it is
/// @param settings limits of the run
/// @param closing closes what the evaluators stand on, after them
public record RunPlan(List<Subject> subjects, Scheduler scheduler, Exploration.Settings settings, Runnable closing)
        implements AutoCloseable {
    /// Steps where nothing else ends a run (thesis section 3.6).
    public static final int PUBLISHED_STEPS = 40;

    /// Copies the list.
    public RunPlan {
        subjects = List.copyOf(subjects);
    }

    /// Evaluators that stand on nothing of their own.
    public RunPlan(List<Subject> subjects, Scheduler scheduler, Exploration.Settings settings) {
        this(subjects, scheduler, settings, () -> {});
    }

    /// A run of one subject, which evaluates the baseline of the work first, where it has one, and then the designs
    /// [given][Workbench#given]. The evaluator is closed where no explorer can be made.
    ///
    /// @param explorer makes the explorer
    public static RunPlan of(
            Workbench work, RunSettings run, Evaluator evaluator, Function<EvaluatorInfo, Explorer> explorer) {
        try {
            evaluator.prepare();
            Explorer search =
                    begun(work, explorer(run, explorer.apply(evaluator.info()), evaluator.info()), evaluator.info());
            var subject = Subject.of(
                    work.settings().source(),
                    work.space(),
                    search,
                    evaluator,
                    Workbench.objectives(run, evaluator.info()),
                    Termination.of(run.earlyStop(), run.leastGain()));
            return new RunPlan(
                    List.of(subject),
                    Scheduler.roundRobin(),
                    new Exploration.Settings(
                            run.seed(),
                            steps(run, search),
                            0,
                            0,
                            run.parallel(),
                            run.waitFactor(),
                            run.toolSeconds(),
                            run.designs()));
        } catch (Throwable e) {
            evaluator.close();
            throw e;
        }
    }

    /// The steps of a run of one subject.
    public static int steps(RunSettings run, Explorer search) {
        return endsElsewhere(run, search) ? run.steps() : PUBLISHED_STEPS;
    }

    /// True if anything ends a run: a limit, or what the search expects of another hour.
    private static boolean endsElsewhere(RunSettings run, Explorer search) {
        return run.hasSteps()
                || run.designs() > 0
                || run.earlyStop() > 0
                || !Double.isInfinite(run.toolSeconds())
                || (run.leastGain() > 0 && search.tellsPromise());
    }

    private static Explorer explorer(RunSettings run, Explorer search, EvaluatorInfo info) {
        return search instanceof PopulationExplorer p && !info.isPure()
                ? new PopulationSteps(p, info.top(), run.steps() * run.parallel())
                : search;
    }

    private static Explorer begun(Workbench work, Explorer search, EvaluatorInfo info) {
        if (search instanceof PopulationExplorer) {
            return search;
        }
        Explorer all = search;
        for (Configuration c : work.given().reversed()) {
            all = new BaselineFirst(all, c, info.top(), "start");
        }
        return work.baseline().isPresent()
                ? new BaselineFirst(all, work.baseline().get(), info.top(), "baseline")
                : all;
    }

    @Override
    public void close() {
        subjects.forEach(s -> s.evaluator().close());
        closing.run();
    }
}
