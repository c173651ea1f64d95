package knobscape.surrogate.graph;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/// Rows of statistics, each of one of a few graphs, with what was observed.
///
/// @param graphs the graphs
/// @param graphOf by row the number of its graph
/// @param statistics by row, each [GraphArchitecture#STATISTICS] long
/// @param target by row, smaller being better; compared between rows of one graph by the ranking loss
public record GraphRows(List<NodeGraph> graphs, int[] graphOf, float[][] statistics, double[] target) {
    /// Throws [IllegalArgumentException] for rows of different lengths or of graphs that do not exist.
    public GraphRows {
        graphs = List.copyOf(graphs);
        int n = graphs.size();
        if (graphOf.length != statistics.length || target.length != statistics.length) {
            throw new IllegalArgumentException("every row needs a graph, statistics and a target");
        }
        if (Arrays.stream(graphOf).anyMatch(g -> g < 0 || g >= n)
                || Arrays.stream(statistics).anyMatch(s -> s.length != GraphArchitecture.STATISTICS)) {
            throw new IllegalArgumentException(
                    "every row needs a graph of the list and " + GraphArchitecture.STATISTICS + " statistics");
        }
    }

    /// Number of rows.
    public int size() {
        return graphOf.length;
    }

    /// Some of the rows, with those graphs only that they are of.
    GraphRows rows(int[] chosen) {
        int[] used =
                Arrays.stream(chosen).map(i -> graphOf[i]).distinct().sorted().toArray();
        return new GraphRows(
                Arrays.stream(used).mapToObj(graphs::get).toList(),
                Arrays.stream(chosen)
                        .map(i -> Arrays.binarySearch(used, graphOf[i]))
                        .toArray(),
                Arrays.stream(chosen).mapToObj(i -> statistics[i]).toArray(float[][]::new),
                Arrays.stream(chosen).mapToDouble(i -> target[i]).toArray());
    }

    /// Rows of one graph whose target is not known.
    static GraphRows of(NodeGraph graph, float[][] statistics) {
        return new GraphRows(List.of(graph), new int[statistics.length], statistics, new double[statistics.length]);
    }

    /// All rows of several sets, one after the other.
    public static GraphRows join(List<GraphRows> sets) {
        int[] first = new int[sets.size() + 1];
        for (int s = 0; s < sets.size(); s++) {
            first[s + 1] = first[s] + sets.get(s).graphs.size();
        }
        return new GraphRows(
                sets.stream().flatMap(s -> s.graphs.stream()).toList(),
                IntStream.range(0, sets.size())
                        .flatMap(s -> Arrays.stream(sets.get(s).graphOf).map(g -> first[s] + g))
                        .toArray(),
                sets.stream().flatMap(s -> Arrays.stream(s.statistics)).toArray(float[][]::new),
                sets.stream().flatMapToDouble(s -> Arrays.stream(s.target)).toArray());
    }
}
