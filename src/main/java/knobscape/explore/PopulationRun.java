package knobscape.explore;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import knobscape.evaluate.Evaluation;
import knobscape.evaluate.EvaluatorInfo;
import knobscape.evaluate.Request;
import knobscape.evaluate.UserError;
import knobscape.space.Configuration;

/// The loop of a population search: every evaluation is a step. What changed the front is kept, and every so
/// manieth besides. A search that is resumed begins anew from its seed; what was stored of it is compared and
/// not stored again.
final class PopulationRun {
    /// Even sample of a whole run.
    private static final int SAMPLE = 1000;
    /// Events of a whole run.
    private static final int EVENTS = 400;
    /// Evaluations before a pace is told.
    private static final int LEAST_PACE = 100;

    private final RunChannel run;
    private final Exploration.Settings settings;
    private final SubjectState state;
    private final PopulationExplorer explorer;
    private final EvaluatorInfo info;
    private final int budget;
    private final Map<Integer, Evaluation> stored = new HashMap<>();
    private final List<RunEvent.StageDone> kept = new ArrayList<>();
    private int lastStored;
    private int done;

    PopulationRun(
            RunChannel run,
            Exploration.Settings settings,
            SubjectState state,
            PopulationExplorer explorer,
            List<? extends RunEvent> past) {
        this.run = run;
        this.settings = settings;
        this.state = state;
        this.explorer = explorer;
        this.info = state.info();
        this.budget = Math.multiplyExact(settings.maxSteps(), settings.parallel());
        for (RunEvent e : past) {
            if (e instanceof RunEvent.StageDone d) {
                stored.put(d.step(), d.evaluation());
                lastStored = Math.max(lastStored, d.step());
            }
        }
    }

    String run() {
        run.publish(new RunEvent.Started(explorer.name(), settings.seed(), info, budget, 0, stored.size()));
        run.publish(new RunEvent.ObjectivesFixed(0, state.fixObjectives()));
        if (lastStored == 0) {
            run.publish(new RunEvent.StepDone(0, 0, progress(), Map.of()));
        }
        while (done < budget) {
            run.throwIfStopped();
            run.waitWhilePaused(this::progress);
            List<Configuration> population = run.thinking(() -> explorer.population(run.stopSignal()));
            if (population.isEmpty()) {
                flush();
                return explorer.exhausted();
            }
            var answers = new ArrayList<Evaluation>(population.size());
            for (Configuration c : population.subList(0, Math.min(population.size(), budget - done))) {
                answers.add(evaluate(c));
                Optional<String> reached =
                        done % Math.max(1, budget / EVENTS) == 0 || done == budget ? flush() : Optional.empty();
                if (reached.isPresent()) {
                    return reached.get();
                }
            }
            run.thinking(() -> {
                explorer.tell(answers);
                return done;
            });
        }
        return budget == 1 ? "the step asked for is done" : "all " + budget + " steps are done";
    }

    private Evaluation evaluate(Configuration c) {
        var answer = new ArrayList<Evaluation>(1);
        state.subject().evaluator().evaluate(Request.all(c, info, info.top()), answer::add, run.stopSignal());
        Evaluation e = answer.getLast();
        done++;
        Evaluation before = stored.get(done);
        if (before != null
                && !(before.configuration().equals(c) && before.outcome().equals(e.outcome()))) {
            throw new UserError("The search does not repeat what was stored at evaluation " + done
                    + ": the run was made by another version of the program. Start a new run.");
        }
        boolean gain = state.evaluated(done, e);
        boolean sampled = (done - 1) % Math.max(1, (budget + SAMPLE - 1) / SAMPLE) == 0;
        if (done > lastStored && (gain || sampled)) {
            kept.add(new RunEvent.StageDone(0, done, 0, Proposal.of(c, info.top(), explorer.reason()), e));
        }
        return e;
    }

    /// Tells what was kept; why the search has done enough, where it has.
    private Optional<String> flush() {
        if (done > lastStored) {
            run.publish(new RunEvent.Batch(0, done, kept, progress()));
        }
        kept.clear();
        state.endIfReached();
        return state.ended();
    }

    private RunEvent.Progress progress() {
        return run.progress(
                state.front(),
                done,
                budget,
                done,
                done < LEAST_PACE ? Double.NaN : run.elapsed() / done * (budget - done));
    }
}
