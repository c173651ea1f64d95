package knobscape.fusion.search;

import knobscape.fusion.evaluate.Cost;
import knobscape.fusion.evaluate.FusionCostModel;

/// The searcher's view of a strategy that does not fit the buffer. All give a number that is minimised; that
/// of a strategy that fits is the logarithm of its time over the baseline's (the order matters to all
/// searchers, distances to few, and those are better off without jumps by orders of magnitude).
public enum Constraint {
    /// All that do not fit are equally bad, so that nothing can be learned from them. This is what the
    /// published baselines were run with.
    DEATH,
    /// Those that fit come first, the others by their peak.
    LEXI,
    /// Time times peak over buffer.
    SOFT;

    /// Above the logarithm of every time over baseline: a batch of at most 2^16 costs at most some 10^5 times
    /// the baseline.
    private static final double BEYOND = Math.log(1e6);

    /// The fitness of a strategy of this cost, smaller is better.
    public double fitness(FusionCostModel model, Cost cost) {
        double time = Math.log(cost.seconds() / model.baselineSeconds());
        if (model.isValid(cost)) {
            return time;
        }
        double use = Math.log((double) cost.peakBytes() / model.budget());
        return switch (this) {
            case DEATH -> 2 * BEYOND;
            case LEXI -> BEYOND + use;
            case SOFT -> time + use;
        };
    }
}
