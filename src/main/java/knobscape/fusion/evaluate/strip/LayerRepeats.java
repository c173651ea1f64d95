package knobscape.fusion.evaluate.strip;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import knobscape.fusion.source.rows.RowEdge;
import knobscape.fusion.source.rows.RowNode;

/// Layers of a network that come again: deep networks are blocks of the same layers over and over, and groups of layers
/// that are alike cost the same wherever they stand.
public final class LayerRepeats {
    private final int[] earlier;
    private final int[] length;

    /// All that the cost of a group depends on, of one of its layers.
    private record Layer(
            Tensor tensor, RowNode.Work work, boolean glued, int lastUse, List<Edge> edges, List<Edge> across) {}

    private record Tensor(int rows, long rowBytes, long blockBytes, long weightBytes, double macSeconds, int columns) {}

    /// An edge by how far back it reaches, and what lies there.
    private record Edge(RowEdge edge, Tensor source) {}

    /// @param model network, accelerator, batch
    public LayerRepeats(StripModel model) {
        int n = model.end();
        earlier = new int[n + 1];
        length = new int[n + 1];
        int[] kind = new int[n];
        Map<Layer, Integer> kinds = new HashMap<>();
        for (int i = model.first(); i < n; i++) {
            kind[i] = kinds.computeIfAbsent(layer(model, i), _ -> kinds.size());
        }
        // Layers in common before the present end and before each earlier one.
        int[] common = new int[n + 1];
        for (int end = model.first() + 1; end <= n; end++) {
            for (int other = end - 1; other > model.first(); other--) {
                common[other] = kind[other - 1] == kind[end - 1] ? 1 + common[other - 1] : 0;
                if (common[other] > length[end] && (other == n || model.begins(other))) {
                    length[end] = common[other];
                    earlier[end] = other;
                }
            }
        }
    }

    private static Layer layer(StripModel m, int i) {
        RowNode node = m.graph().node(i);
        return new Layer(
                tensor(m, i),
                node.work(),
                node.glued(),
                m.lastUse[i] - i,
                edges(m, i, m.edges[i]),
                edges(m, i, m.across[i]));
    }

    private static Tensor tensor(StripModel m, int i) {
        return new Tensor(m.rows[i], m.rowBytes[i], m.blockBytes[i], m.weightBytes[i], m.macSeconds[i], m.columns[i]);
    }

    private static List<Edge> edges(StripModel m, int reader, RowEdge[] edges) {
        var list = new ArrayList<Edge>();
        for (RowEdge e : edges) {
            list.add(new Edge(
                    new RowEdge(reader - e.from(), e.kind(), e.kernel(), e.stride(), e.pad(), e.up()),
                    tensor(m, e.from())));
        }
        return List.copyOf(list);
    }

    /// The earlier end of groups before which most layers are the same as before this one.
    public int earlier(int end) {
        return earlier[end];
    }

    /// How many layers before the end are the same as those before [#earlier].
    public int length(int end) {
        return length[end];
    }
}
