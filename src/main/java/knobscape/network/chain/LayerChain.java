package knobscape.network.chain;

import java.util.List;

/// A network as a row of layers in an order of execution, and everything that goes from one to another.
///
/// In a plain chain each layer has one INPUT edge, from the layer before it. Residual networks add SKIP edges.
/// In networks that branch, an INPUT edge may come from further back, and a layer behind a concatenation has
/// one from each part.
///
/// @param input elements of the network's input for one sample
/// @param layers the layers; layer i is at position i - 1
/// @param edges edges ordered by reader, inputs before skips, then by source
public record LayerChain(String network, long input, List<ChainLayer> layers, List<ChainEdge> edges) {
    public LayerChain {
        layers = List.copyOf(layers);
        edges = List.copyOf(edges);
        int before = 0;
        for (ChainEdge e : edges) {
            if (e.from() < 0 || e.from() >= e.to() || e.to() > layers.size()) {
                throw new IllegalArgumentException(
                        "an edge goes from layer " + e.from() + " to layer " + e.to() + " of " + layers.size());
            }
            if (e.to() < before) {
                throw new IllegalArgumentException("edges are not ordered by their reader");
            }
            before = e.to();
        }
    }

    /// Number of layers, N.
    public int size() {
        return layers.size();
    }

    /// Layer 1..N.
    public ChainLayer layer(int index) {
        return layers.get(index - 1);
    }

    /// The edges that a layer reads as its input.
    public List<ChainEdge> inputs(int index) {
        return edges(index, ChainEdge.Role.INPUT);
    }

    /// The edges that are combined with a layer's result.
    public List<ChainEdge> skips(int index) {
        return edges(index, ChainEdge.Role.SKIP);
    }

    private List<ChainEdge> edges(int to, ChainEdge.Role role) {
        int low = 0;
        int high = edges.size();
        while (low < high) {
            int middle = (low + high) / 2;
            if (edges.get(middle).to() < to) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return edges.subList(low, edges.size()).stream()
                .takeWhile(e -> e.to() == to)
                .filter(e -> e.role() == role)
                .toList();
    }

    /// Multiply-accumulates of a layer for one sample, projections on its skips included.
    public long macs(int index) {
        return layer(index).macs()
                + skips(index).stream().mapToLong(ChainEdge::projectionMacs).sum();
    }

    /// Weights of a layer, projections on its skips included.
    public long weights(int index) {
        return layer(index).weights()
                + skips(index).stream().mapToLong(ChainEdge::projectionWeights).sum();
    }
}
