package knobscape.fusion.source.rows;

import java.util.List;

/// A tensor of a [RowGraph] and the layer that makes it. All quantities are for one sample, in elements.
///
/// @param rows number of rows: image rows, tokens, rows of scores
/// @param elements elements of a row
/// @param block elements of a row that must be there at once where its readers run in the same group: `elements`, but
/// for scores that an online softmax works through in blocks
/// @param work what making all rows takes
/// @param glued whether the layer runs with the one before it: no border of a group lies between them
/// @param result whether it is a result of the network
/// @param edges what it is made from; none for an input of the network
public record RowNode(
        String name,
        int rows,
        long elements,
        long block,
        Work work,
        boolean glued,
        boolean result,
        List<RowEdge> edges) {
    /// Throws [IllegalArgumentException] for a tensor without rows.
    public RowNode {
        edges = List.copyOf(edges);
        if (rows < 1 || elements < 0 || block < 0) {
            throw new IllegalArgumentException("the tensor '" + name + "' has " + rows + " rows of " + elements);
        }
    }

    /// The computation of a layer.
    ///
    /// @param macs multiply-accumulates
    /// @param weights elements of its weights
    /// @param loops extents that an array of processing elements unrolls
    public record Work(long macs, long weights, Loops loops) {
        /// No work: an input, a pooling.
        public static final Work NONE = new Work(0, 0, new Loops(1, 1, 1, 1));
    }

    /// Extents of a layer's loops.
    ///
    /// @param k output channels
    /// @param c input channels of a group of channels
    /// @param x positions across
    /// @param y positions down
    public record Loops(long k, long c, long x, long y) {}

    /// An input of the network.
    public static RowNode input(String name, int rows, long elements) {
        return new RowNode(name, rows, elements, elements, Work.NONE, false, false, List.of());
    }

    /// A layer that keeps whole rows.
    public static RowNode layer(String name, int rows, long elements, Work work, List<RowEdge> edges) {
        return new RowNode(name, rows, elements, elements, work, false, false, edges);
    }

    /// The same as a tail of the layer before it.
    public RowNode asTail() {
        return new RowNode(name, rows, elements, block, work, true, result, edges);
    }

    /// The same as a result of the network.
    public RowNode asResult() {
        return new RowNode(name, rows, elements, block, work, glued, true, edges);
    }

    /// The same with scores that are worked through in blocks.
    public RowNode online(long elementsAtOnce) {
        return new RowNode(name, rows, elements, Math.min(elements, elementsAtOnce), work, glued, result, edges);
    }
}
