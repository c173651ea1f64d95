package knobscape.surrogate.graph;

import java.util.Arrays;
import java.util.List;

/// A graph whose nodes have features. Edges count in both directions.
///
/// @param nodes features by node, each [GraphArchitecture#NODE] long
/// @param edges pairs of node numbers, each edge once
public record NodeGraph(double[][] nodes, List<Edge> edges) {

    /// An edge between two nodes.
    public record Edge(int from, int to) {}

    /// Throws [IllegalArgumentException] without nodes, for features of another length, and for edges to nodes
    /// that do not exist.
    public NodeGraph {
        edges = List.copyOf(edges);
        int n = nodes.length;
        if (n == 0 || Arrays.stream(nodes).anyMatch(x -> x.length != GraphArchitecture.NODE)) {
            throw new IllegalArgumentException(
                    "a graph needs at least one node, each with " + GraphArchitecture.NODE + " features");
        }
        if (edges.stream().anyMatch(e -> e.from < 0 || e.to < 0 || e.from >= n || e.to >= n || e.from == e.to)) {
            throw new IllegalArgumentException("an edge joins two different nodes of the graph");
        }
    }
}
