package knobscape.network.task;

import java.util.List;
import knobscape.network.subgraph.Subgraph;

/// A workload and the places of a network where it occurs.
///
/// @param name short name in its network: T1, T2, ...
/// @param subgraphs the places, in order of execution; their tails may differ
public record TuningTask(String name, Workload workload, List<Subgraph> subgraphs) {
    public TuningTask {
        subgraphs = List.copyOf(subgraphs);
    }

    /// Number of places.
    public int count() {
        return subgraphs.size();
    }
}
