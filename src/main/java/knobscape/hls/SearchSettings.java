package knobscape.hls;

import knobscape.hls.space.Pruning;

/// What is known before a search begins, and how far it is believed.
///
/// @param pruning what becomes of configurations that the rules dislike
/// @param estimatePrior whether the built-in (calibrated) estimate is the prior mean of the surrogate
public record SearchSettings(Pruning pruning, boolean estimatePrior) {
    /// Pruned hard, nothing expected.
    public static final SearchSettings DEFAULT = new SearchSettings(Pruning.HARD, false);

    /// Words of [#estimatePrior], as on the command line.
    public static final String ESTIMATE = "estimate";

    /// The word for no prior mean.
    public static final String NONE = "none";
}
