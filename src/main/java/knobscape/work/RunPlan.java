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

/// A run made ready: what is searched, in which order, and when it ends. Closing it closes its evaluators.
///
/// @param subjects one, or one per task
/// @param scheduler whose turn it is
/// @param settings limits of the run
/// @param closing closes what the evaluators stand on, after them
public record RunPlan(List<Subject> subjects, Scheduler scheduler, Exploration.Settings settings, Runnable closing)
        implements AutoCloseable {
    /// Copies the list.
    public RunPlan {
        subjects = List.copyOf(subjects);
    }

    /// Evaluators that stand on nothing of their own.
    public RunPlan(List<Subject> subjects, Scheduler scheduler, Exploration.Settings settings) {
        this(subjects, scheduler, settings, () -> {});
    }

    /// A run of one subject, which evaluates the baseline of the work first, where it has one. The evaluator is
    /// closed where no explorer can be made.
    ///
    /// @param explorer makes the explorer
    public static RunPlan of(
            Workbench work, RunSettings run, Evaluator evaluator, Function<EvaluatorInfo, Explorer> explorer) {
        try {
            evaluator.prepare();
            var subject = Subject.of(
                    work.settings().source(),
                    work.space(),
                    baselineFirst(
                            work, explorer(run, explorer.apply(evaluator.info()), evaluator.info()), evaluator.info()),
                    evaluator,
                    Workbench.objectives(run, evaluator.info()),
                    Termination.of(run.earlyStop(), run.leastGain()));
            return new RunPlan(
                    List.of(subject),
                    Scheduler.roundRobin(),
                    new Exploration.Settings(
                            run.seed(), run.steps(), 0, 0, run.parallel(), run.waitFactor(), run.toolSeconds()));
        } catch (Throwable e) {
            evaluator.close();
            throw e;
        }
    }

    private static Explorer explorer(RunSettings run, Explorer search, EvaluatorInfo info) {
        return search instanceof PopulationExplorer p && !info.isPure()
                ? new PopulationSteps(p, info.top(), run.steps() * run.parallel())
                : search;
    }

    private static Explorer baselineFirst(Workbench work, Explorer search, EvaluatorInfo info) {
        return work.baseline()
                .filter(b -> !(search instanceof PopulationExplorer))
                .<Explorer>map(b -> new BaselineFirst(search, b, info.top(), "baseline"))
                .orElse(search);
    }

    @Override
    public void close() {
        subjects.forEach(s -> s.evaluator().close());
        closing.run();
    }
}
