package knobscape.gpu.search;

import java.util.Optional;
import java.util.function.Supplier;
import knobscape.explore.Experience;

/// A search's part in a run whose kernels learn from one another ([LeadersFirst]).
///
/// @param trials measurements that it will get
/// @param leader of one that learns from the first of its group, what there is to learn once that one is done; empty
/// while a resumed run has not come to its first turn, for nothing is asked before
public record GroupPart(int trials, Optional<Supplier<Optional<Experience>>> leader) {}
