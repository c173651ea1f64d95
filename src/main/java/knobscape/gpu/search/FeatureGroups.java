package knobscape.gpu.search;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import knobscape.gpu.space.feature.StatementFeatures;
import knobscape.surrogate.graph.GraphArchitecture;
import knobscape.surrogate.graph.GraphModel;
import knobscape.surrogate.graph.NodeGraph;

/// Groups of what a graph model reads: the subgraph, where it sees one, and the groups of the statistics.
public final class FeatureGroups {
    private FeatureGroups() {}

    /// Their names, in order.
    public static List<String> names() {
        return Stream.concat(
                        Stream.of("subgraph"),
                        Arrays.stream(StatementFeatures.Group.values()).map(StatementFeatures.Group::label))
                .toList();
    }

    /// Shares of the groups by head, one head after the other ([GraphModel#attention]).
    static double[] attention(GraphModel model, NodeGraph graph, List<ScheduleFeatures> schedules) {
        var groups = new ArrayList<Integer>();
        if (model.architecture().convolution() != GraphArchitecture.Convolution.NONE) {
            for (int j = 0; j < GraphArchitecture.NODE; j++) {
                groups.add(0);
            }
        }
        for (int s = 0; s < StatementFeatures.STATEMENTS; s++) {
            for (StatementFeatures.Group g : StatementFeatures.Group.values()) {
                for (int j = 0; j < g.size(); j++) {
                    groups.add(1 + g.ordinal());
                }
            }
        }
        return Arrays.stream(model.attention(
                        graph,
                        schedules.stream().map(ScheduleFeatures::joined).toArray(float[][]::new),
                        groups.stream().mapToInt(g -> g).toArray(),
                        names().size()))
                .flatMapToDouble(Arrays::stream)
                .toArray();
    }
}
