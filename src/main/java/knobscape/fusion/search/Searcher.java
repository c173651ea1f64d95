package knobscape.fusion.search;

import java.util.SplittableRandom;

/// A way to find fusion strategies. It has no state of its own: the same problem and seed give the same
/// strategies.
@FunctionalInterface
public interface Searcher {
    /// Begins a search.
    ///
    /// @param random of everything random; the search keeps it
    Search begin(Problem problem, SplittableRandom random);
}
