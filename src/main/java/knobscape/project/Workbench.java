package knobscape.project;

import java.util.ArrayList;
import java.util.List;
import knobscape.evaluate.Evaluator;
import knobscape.evaluate.EvaluatorInfo;
import knobscape.evaluate.Metric;
import knobscape.evaluate.UserError;
import knobscape.explore.Explorer;
import knobscape.space.DesignSpace;

/// A project opened for one kind of work, with the means to explore it. This is all that [Runner] knows of a kind of work.
public interface Workbench {
    /// The project it belongs to.
    Project project();

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

    /// The metrics a run explores: those it names, else the toolchain's own. Throws [UserError] for one that does not exist or has no direction.
    static List<Metric> objectives(RunSettings run, EvaluatorInfo info) {
        List<String> names = run.objectives().isEmpty() ? info.objectives() : run.objectives();
        var known = info.metrics().stream().filter(m -> m.direction() != Metric.Direction.NEUTRAL).map(Metric::name).toList();
        var chosen = new ArrayList<Metric>();
        for (String name : names) {
            if (!known.contains(name)) {
                throw new UserError("There is no objective '" + name + "'" + Names.didYouMean(name, known) + "; " + info.name() + " has "
                        + String.join(", ", known) + ".");
            }
            if (chosen.stream().anyMatch(m -> m.name().equals(name))) {
                throw new UserError("The objective '" + name + "' is named twice.");
            }
            if (!info.reports(info.top(), name)) {
                throw new UserError("The objective '" + name + "' is not reported at the highest fidelity of " + info.name() + "; choose among "
                        + String.join(", ", known.stream().filter(k -> info.reports(info.top(), k)).toList()) + ".");
            }
            chosen.add(info.metric(name));
        }
        return List.copyOf(chosen);
    }
}
