package knobscape.explore;

import java.util.List;
import knobscape.evaluate.Evaluation;

/// A proposal with what came back for it.
///
/// @param step optimisation step that asked, 0 for initial designs
/// @param position of the proposal within its step, from 0
/// @param proposal what was asked
/// @param evaluations one per stage run, lowest first
public record Answer(int step, int position, Proposal proposal, List<Evaluation> evaluations) {
    public Answer {
        evaluations = List.copyOf(evaluations);
    }
}
