package knobscape.gpu.search;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import knobscape.evaluate.Evaluation;
import knobscape.evaluate.Evaluator;
import knobscape.explore.Exploration;
import knobscape.explore.Explorer;
import knobscape.explore.RunEvent;
import knobscape.explore.Scheduler;
import knobscape.explore.Subject;
import knobscape.explore.Termination;

/// A search for one kernel in the loop of runs, with what it told.
final class OneSearch {
    private final TuningProblem problem;
    private final Exploration loop;
    private final List<RunEvent> told = new ArrayList<>();

    /// @param trials most measurements
    /// @param known evaluations known before
    OneSearch(
            TuningProblem problem,
            Explorer explorer,
            Evaluator evaluator,
            int batch,
            int trials,
            List<Evaluation> known) {
        this.problem = problem;
        this.loop = new Exploration(
                List.of(new Subject(
                        "kernel",
                        1,
                        problem.space(),
                        explorer,
                        evaluator,
                        List.of(problem.metric()),
                        batch,
                        new Termination.Never(),
                        known)),
                Scheduler.roundRobin(),
                new Exploration.Settings(problem.seed(), Integer.MAX_VALUE, trials, 0, 1, 0),
                System::nanoTime,
                Runnable::run);
        loop.addListener(told::add);
    }

    /// Runs to its end; gives why it ended.
    String run() {
        return run(List.of(), _ -> {});
    }

    /// Resumes a search that told so much, and tells every measurement. What was told before counts as told by
    /// this one.
    String run(List<RunEvent> past, Consumer<RunEvent.Evaluated> each) {
        told.addAll(past);
        loop.addListener(e -> {
            if (e instanceof RunEvent.Evaluated x) {
                each.accept(x);
            }
        });
        return loop.run(past).reason();
    }

    /// Everything told so far, in order.
    List<RunEvent> told() {
        return told;
    }

    /// What was told up to the answer numbered `answers`, as a process killed then would have stored it.
    List<RunEvent> until(int answers) {
        int seen = 0;
        for (int i = 0; i < told.size(); i++) {
            if (told.get(i) instanceof RunEvent.StageDone && ++seen == answers) {
                return List.copyOf(told.subList(0, i + 1));
            }
        }
        return List.copyOf(told);
    }

    List<Evaluation> measured() {
        return told.stream()
                .filter(RunEvent.StageDone.class::isInstance)
                .map(e -> ((RunEvent.StageDone) e).evaluation())
                .toList();
    }

    int trials() {
        return measured().size();
    }

    /// Best score after each measurement.
    List<Double> curve() {
        double best = told.stream()
                .filter(RunEvent.Known.class::isInstance)
                .flatMap(e -> ((RunEvent.Known) e).evaluations().stream())
                .mapToDouble(problem::score)
                .max()
                .orElse(0);
        var curve = new ArrayList<Double>();
        for (Evaluation e : measured()) {
            best = Math.max(best, problem.score(e));
            curve.add(best);
        }
        return curve;
    }
}
