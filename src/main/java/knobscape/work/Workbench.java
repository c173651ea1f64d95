package knobscape.work;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import knobscape.evaluate.Evaluator;
import knobscape.evaluate.EvaluatorInfo;
import knobscape.evaluate.Metric;
import knobscape.evaluate.Names;
import knobscape.evaluate.UserError;
import knobscape.explore.Exploration;
import knobscape.explore.Explorer;
import knobscape.explore.Scheduler;
import knobscape.explore.Subject;
import knobscape.explore.Termination;
import knobscape.space.Configuration;
import knobscape.space.DesignSpace;

/// Work opened in one area, with the means to explore it. This is all that the floors above need to run it.
public interface Workbench {
    /// What was opened.
    WorkSettings settings();

    /// The space explored.
    DesignSpace space();

    /// SHA-256 over all that was read, to notice that it changed.
    String sourceHash();

    /// A fresh evaluator for a run with these settings; the caller closes it.
    Evaluator evaluator(RunSettings run);

    /// A fresh explorer for a run with these settings. Throws [UserError] for an unknown method or objective.
    Explorer explorer(RunSettings run, EvaluatorInfo info);

    /// A run with these settings made ready: of one subject, unless the area says otherwise. The caller closes
    /// it. Throws [UserError] for an unknown method, evaluator or objective.
    default Plan plan(RunSettings run) {
        Evaluator evaluator = evaluator(run);
        boolean done = false;
        try {
            var subject = Subject.of(
                    settings().source(),
                    space(),
                    explorer(run, evaluator.info()),
                    evaluator,
                    objectives(run, evaluator.info()),
                    Termination.of(run.earlyStop()));
            done = true;
            return new Plan(
                    List.of(subject),
                    Scheduler.roundRobin(),
                    new Exploration.Settings(run.seed(), run.steps(), 0, 0, run.parallel(), run.waitFactor()));
        } finally {
            if (!done) {
                evaluator.close();
            }
        }
    }

    /// The methods that can search it.
    List<? extends Named> methods();

    /// What can evaluate it.
    List<? extends Named> evaluators();

    /// What a person should know about what was read, one sentence each.
    default List<String> warnings() {
        return List.of();
    }

    /// What evaluations have to assume about this work, one sentence each.
    default List<String> assumptions() {
        return List.of();
    }

    /// The configuration that results are compared with, where there is one.
    default Optional<Configuration> baseline() {
        return Optional.empty();
    }

    /// The metrics a run explores: those it names, else the toolchain's own. Throws [UserError] for one that
    /// does not exist or has no direction.
    static List<Metric> objectives(RunSettings run, EvaluatorInfo info) {
        List<String> names = run.objectives().isEmpty() ? info.objectives() : run.objectives();
        var known = info.metrics().stream()
                .filter(m -> m.direction() != Metric.Direction.NEUTRAL)
                .map(Metric::name)
                .toList();
        var chosen = new ArrayList<Metric>();
        for (String name : names) {
            if (!known.contains(name)) {
                throw new UserError("There is no objective '" + name + "'" + Names.didYouMean(name, known) + "; "
                        + info.name() + " has " + String.join(", ", known) + ".");
            }
            if (chosen.stream().anyMatch(m -> m.name().equals(name))) {
                throw new UserError("The objective '" + name + "' is named twice.");
            }
            if (!info.reports(info.top(), name)) {
                throw new UserError("The objective '" + name + "' is not reported at the highest fidelity of "
                        + info.name() + "; choose among "
                        + String.join(
                                ", ",
                                known.stream()
                                        .filter(k -> info.reports(info.top(), k))
                                        .toList()) + ".");
            }
            chosen.add(info.metric(name));
        }
        return List.copyOf(chosen);
    }
}
