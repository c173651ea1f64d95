package knobscape.work;

import knobscape.evaluate.Evaluation;

/// An evaluation of a stored run.
///
/// @param subject index of its subject
/// @param step of the search, [#KNOWN] where it was known before
/// @param evaluation what was found
public record StoredEvaluation(int subject, int step, Evaluation evaluation) {
    /// Step of what was known before a search began.
    public static final int KNOWN = -1;
}
