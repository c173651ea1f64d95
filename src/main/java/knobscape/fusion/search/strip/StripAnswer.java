package knobscape.fusion.search.strip;

import java.util.List;
import knobscape.fusion.evaluate.strip.GroupPlan;
import knobscape.fusion.evaluate.strip.GroupPlan.Totals;
import knobscape.fusion.evaluate.strip.StripModel;

/// A grouping of all layers, beside the best of every layer alone and the least possible.
///
/// @param groups in order of execution
/// @param total of the groups
/// @param unfused the best of every layer alone
/// @param bound below which nothing is possible
/// @param samples independent samples of the whole batch
public record StripAnswer(
        Objective objective,
        List<GroupPlan> groups,
        Totals total,
        Unfused unfused,
        StripModel.Bound bound,
        long samples) {
    /// Copies the groups.
    public StripAnswer {
        groups = List.copyOf(groups);
    }

    /// The best of every layer alone.
    ///
    /// @param buffer bytes; the answer's, or the smallest that holds each layer where one alone does not fit that
    public record Unfused(Totals total, long buffer) {}

    /// The largest room of a group, bytes.
    public long room() {
        return groups.stream().mapToLong(GroupPlan::room).max().orElse(0);
    }

    /// Other groups of the same work.
    public StripAnswer with(List<GroupPlan> other) {
        return new StripAnswer(objective, other, StripSearch.total(other), unfused, bound, samples);
    }

    /// How much faster than every layer alone.
    public double speedup() {
        return unfused.total().seconds() / total.seconds();
    }

    /// Off-chip traffic over the least possible, 1 or more.
    public double trafficOverBound() {
        return (double) total.offChip() / bound.offChip();
    }
}
