package knobscape.fusion.source.rows;

import java.util.List;

/// A network as rows and edges: first its inputs, then its layers in an order of execution.
///
/// @param nodes the inputs, then the layers
/// @param inputs how many of them are inputs
/// @param samples independent samples in one run of the network: the heads of a bare attention; 1 for most
/// @param columns of every tensor; empty where no tensor holds images
public record RowGraph(String name, List<RowNode> nodes, int inputs, long samples, List<ImageColumns> columns) {
    /// Throws [IllegalArgumentException] where an edge does not go backwards, or nothing is computed.
    public RowGraph {
        nodes = List.copyOf(nodes);
        columns = List.copyOf(columns);
        if (!columns.isEmpty() && columns.size() != nodes.size()) {
            throw new IllegalArgumentException(columns.size() + " tensors with columns of " + nodes.size());
        }
        if (inputs < 0 || inputs >= nodes.size() || samples < 1) {
            throw new IllegalArgumentException("a graph of " + nodes.size() + " tensors with " + inputs + " inputs");
        }
        for (int i = 0; i < nodes.size(); i++) {
            int at = i;
            if (nodes.get(i).edges().stream().anyMatch(e -> e.from() >= at)
                    || i < inputs != nodes.get(i).edges().isEmpty()) {
                throw new IllegalArgumentException(
                        "the edges of '" + nodes.get(i).name() + "' do not go backwards");
            }
        }
        if (nodes.get(inputs).glued()) {
            throw new IllegalArgumentException("the first layer cannot be a tail");
        }
    }

    /// A network without images.
    public RowGraph(String name, List<RowNode> nodes, int inputs, long samples) {
        this(name, nodes, inputs, samples, List.of());
    }

    /// The columns of a tensor.
    public ImageColumns columns(int index) {
        return columns.isEmpty() ? ImageColumns.NONE : columns.get(index);
    }

    /// Number of layers, tails included.
    public int layers() {
        return nodes.size() - inputs;
    }

    /// A tensor: inputs first, then what the layers make.
    public RowNode node(int index) {
        return nodes.get(index);
    }

    /// Multiply-accumulates of one sample.
    public long macs() {
        return nodes.stream().mapToLong(n -> n.work().macs()).sum();
    }
}
