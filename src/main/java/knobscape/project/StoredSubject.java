package knobscape.project;

import java.util.Optional;
import knobscape.evaluate.EvaluatorInfo;
import knobscape.explore.Objectives;
import knobscape.explore.Subject;
import knobscape.space.KnobSet;

/// A subject of a stored run.
///
/// @param number from 0
/// @param name unique within its run; empty in runs made before there were several
/// @param weight how much it counts
/// @param knobs the knobs at the time the run began
/// @param spaceSize configurations, a decimal number
/// @param info what the evaluator offered
/// @param objectives scales and reference point, once the initial designs fixed them
public record StoredSubject(
        int number,
        String name,
        double weight,
        KnobSet knobs,
        String spaceSize,
        EvaluatorInfo info,
        Optional<Objectives> objectives) {
    /// A subject of a run that begins. Its number is its place among the others.
    static StoredSubject of(Subject s) {
        return new StoredSubject(
                0,
                s.name(),
                s.weight(),
                s.space().knobs(),
                s.space().size().toString(),
                s.evaluator().info(),
                Optional.empty());
    }
}
