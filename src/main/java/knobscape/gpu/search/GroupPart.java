package knobscape.gpu.search;

import java.util.Optional;
import knobscape.explore.Experience;

/// A search's part in a run whose kernels learn from one another ([LeadersFirst]).
///
/// @param trials measurements that it will get
/// @param leader of one that learns from the first of its group, the trace
public record GroupPart(int trials, Optional<Trace> leader) {

    /// What there is to learn from once the leader is done.
    @FunctionalInterface
    public interface Trace {
        /// Empty while a resumed run has not come to its first turn: nothing is asked before.
        Optional<Experience> experience();
    }
}
