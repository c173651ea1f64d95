package knobscape.fusion.search;

import java.util.SplittableRandom;

/// A way to find fusion strategies. It has no state of its own: the same model, constraint, budget and seed give the same evaluations.
@FunctionalInterface
public interface Searcher {
    /// Spends evaluations until it has nothing left to try, or the budget ends it.
    ///
    /// @param trials what it may spend
    /// @param random of everything random
    void search(Trials trials, SplittableRandom random);
}
