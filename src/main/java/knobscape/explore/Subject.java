package knobscape.explore;

import java.util.List;
import knobscape.evaluate.Evaluation;
import knobscape.evaluate.Evaluator;
import knobscape.evaluate.Metric;
import knobscape.space.DesignSpace;

/// One search inside a run: a kernel or a chain is one, the tuning of a network has one for every task and
/// template.
///
/// @param name unique within its run
/// @param weight how much it counts among the subjects of its run, as often as a network runs a task
/// @param space what is explored
/// @param explorer fresh, as made for this run
/// @param evaluator answers; whoever made it closes it
/// @param objectives the metrics explored, in order
/// @param batch what [Explorer#ask] is asked for at a time
/// @param termination when this search has done enough
/// @param known evaluations made elsewhere: the explorer sees them, each stands for an initial design, and none
/// counts as one of this run
public record Subject(
        String name,
        double weight,
        DesignSpace space,
        Explorer explorer,
        Evaluator evaluator,
        List<Metric> objectives,
        int batch,
        Termination termination,
        List<Evaluation> known) {
    /// Throws [IllegalArgumentException] without objectives, and for a batch of none.
    public Subject {
        objectives = List.copyOf(objectives);
        known = List.copyOf(known);
        if (objectives.isEmpty()) {
            throw new IllegalArgumentException("a search needs at least one objective");
        }
        if (batch < 1) {
            throw new IllegalArgumentException("a batch needs at least one design, was " + batch);
        }
    }

    /// The only search of a run, asked for one design at a time.
    public static Subject of(
            String name,
            DesignSpace space,
            Explorer explorer,
            Evaluator evaluator,
            List<Metric> objectives,
            Termination termination) {
        return new Subject(name, 1, space, explorer, evaluator, objectives, 1, termination, List.of());
    }
}
