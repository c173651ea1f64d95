package knobscape.work;

import knobscape.evaluate.EvaluatorInfo;

/// The summary of a run for documents, beside its results.
///
/// @param reference the run as the command line names it
/// @param settings how it ran
/// @param info what its evaluator offered
/// @param status how it stands, in words
/// @param reason why it ended, empty while it has not
/// @param algorithmSeconds time of the search itself
public record RunSummary(
        String reference,
        RunSettings settings,
        EvaluatorInfo info,
        String status,
        String reason,
        double algorithmSeconds) {}
