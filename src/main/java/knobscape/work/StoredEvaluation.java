package knobscape.work;

import knobscape.evaluate.Evaluation;

/// An evaluation of a stored run.
///
/// @param subject index of its subject
/// @param step of the search, [PastRun#KNOWN] where it was known before
/// @param evaluation what was found
public record StoredEvaluation(int subject, int step, Evaluation evaluation) {}
