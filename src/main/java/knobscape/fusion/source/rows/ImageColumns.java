package knobscape.fusion.source.rows;

import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/// The columns of a tensor of images, as rows of the picture turned on its side.
///
/// @param count columns of a row; 0 where rows have none that could be worked on apart
/// @param edges the columns of other tensors that each column is made from
public record ImageColumns(int count, List<RowEdge> edges) {
    /// Rows that are not cut: tokens, scores, the results of fully connected layers.
    public static final ImageColumns NONE = new ImageColumns(0, List.of());

    /// Copies the edges.
    public ImageColumns {
        edges = List.copyOf(edges);
    }

    /// A graph with the columns of its images: the rows of the same network with its pictures turned. Where that has
    /// other
    /// layers there are none.
    ///
    /// @param images tensors of images
    static RowGraph of(RowGraph g, RowGraph turned, Set<Integer> images) {
        if (!names(turned).equals(names(g))) {
            return g;
        }
        List<ImageColumns> columns = IntStream.range(0, g.nodes().size())
                .mapToObj(i -> {
                    RowNode n = turned.node(i);
                    return images.contains(i) && g.node(i).elements() % n.rows() == 0
                            ? new ImageColumns(n.rows(), n.edges())
                            : NONE;
                })
                .toList();
        return new RowGraph(g.name(), g.nodes(), g.inputs(), g.samples(), columns);
    }

    private static List<String> names(RowGraph g) {
        return g.nodes().stream().map(RowNode::name).toList();
    }
}
