package knobscape.work;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import knobscape.evaluate.Evaluation;
import knobscape.evaluate.Evaluator;
import knobscape.evaluate.EvaluatorInfo;
import knobscape.evaluate.EvaluatorKind;
import knobscape.evaluate.Metric;
import knobscape.evaluate.NameSuggestions;
import knobscape.evaluate.UserError;
import knobscape.explore.Subject;
import knobscape.space.Configuration;
import knobscape.space.DesignSpace;
import knobscape.work.history.HistoryTask;

/// Work opened in one area, with the means to explore it. This is all that the floors above need to run it.
public interface Workbench {
    /// The settings of the opened work.
    WorkSettings settings();

    /// The space explored.
    DesignSpace space();

    /// SHA-256 over all that was read, to notice that it changed.
    String sourceHash();

    /// A run with these settings made ready; the caller closes it. Throws [UserError] for an unknown method,
    /// evaluator or objective.
    RunPlan plan(RunSettings run);

    /// A fresh evaluator for single configurations, such as the baseline; the caller closes it. Empty where
    /// each subject of a run has its own.
    default Optional<Evaluator> single(RunSettings run) {
        return Optional.empty();
    }

    /// The evaluator that a run starts, as a toolchain is named; a program of somebody else is `command:PROGRAM`, for
    /// which the user is asked.
    default String starts(RunSettings run) {
        return run.toolchain();
    }

    /// The methods that can search it.
    Choices<? extends Named> methods();

    /// The evaluators for the work.
    List<? extends Named> evaluators();

    /// The short name of an evaluator beside the figures of another (`Open flow, ECP5`).
    ///
    /// @param evaluator its name in a run
    default String evaluatorLabel(String evaluator) {
        String kind = EvaluatorKind.of(evaluator).word();
        return evaluators().stream()
                .filter(e -> e.name().equals(kind))
                .findFirst()
                .map(Named::label)
                .orElse(evaluator);
    }

    /// The subjects of a run in the tuning history, in order; none where the area keeps no history.
    default List<HistoryTask> historyTasks(RunSettings run, List<Subject> subjects) {
        return List.of();
    }

    /// The warnings about what was read, one sentence each.
    default List<String> warnings() {
        return List.of();
    }

    /// The assumptions of evaluations about this work, one sentence each.
    default List<String> assumptions() {
        return List.of();
    }

    /// The configuration that results are compared with, where there is one.
    default Optional<Configuration> baseline() {
        return Optional.empty();
    }

    /// Designs decided by hand or elsewhere that every run begins with, after the baseline.
    default List<Configuration> given() {
        return List.of();
    }

    /// The stages of each design evaluated before any run, lowest fidelity first, where the work itself is a table
    /// of results that is not too long to be shown.
    default Stream<List<Evaluation>> known() {
        return Stream.empty();
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
                throw new UserError("There is no objective '" + name + "'" + NameSuggestions.didYouMean(name, known)
                        + "; " + info.name() + " has " + String.join(", ", known) + ".");
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
