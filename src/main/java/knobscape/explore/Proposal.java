package knobscape.explore;

import java.util.Optional;
import knobscape.evaluate.Fidelity;
import knobscape.space.Configuration;

/// The explorer's proposal of what to evaluate next.
///
/// @param configuration the configuration to evaluate
/// @param upTo the stage to run up to
/// @param acquisition value of the acquisition that chose it, NaN where none did
/// @param prediction what the surrogate expects at the top fidelity, where there is one
/// @param reason a few words for the log (`initial design`, `PEIPV`, `largest deviation`)
public record Proposal(
        Configuration configuration,
        Fidelity upTo,
        double acquisition,
        Optional<Prediction> prediction,
        String reason) {
    /// A question that no acquisition chose and of which no surrogate expects anything.
    public static Proposal of(Configuration configuration, Fidelity upTo, String reason) {
        return new Proposal(configuration, upTo, Double.NaN, Optional.empty(), reason);
    }
}
