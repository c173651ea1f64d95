package knobscape.app.ui.gpu;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import knobscape.network.subgraph.Subgraph;

/// A layered drawing of a graph: every node one layer below the last of those it reads, one that reads nothing above
/// the first that reads it, neighbours ordered by the middle of what they are joined with. Coordinates are in boxes: x
/// 0 is the middle, y the layer.
///
/// @param nodes in the order of execution
/// @param x place of each in its layer
/// @param layer layer of each, from 0
/// @param edges pairs of places in `nodes`, the first before the second
record GraphLayout<N>(List<N> nodes, double[] x, int[] layer, List<int[]> edges) {
    private static final int SWEEPS = 4;

    /// The kernels of a network. Away from the screen.
    static GraphLayout<Subgraph> of(List<Subgraph> kernels) {
        Map<String, Integer> makers = new HashMap<>();
        var edges = new ArrayList<int[]>();
        for (int i = 0; i < kernels.size(); i++) {
            for (String in : kernels.get(i).inputs()) {
                Integer from = makers.get(in);
                if (from != null) {
                    edges.add(new int[] {from, i});
                }
            }
            for (String out : kernels.get(i).outputs()) {
                makers.put(out, i);
            }
        }
        return of(kernels, edges);
    }

    /// Any graph.
    ///
    /// @param edges sorted by the second place
    static <N> GraphLayout<N> of(List<N> nodes, List<int[]> edges) {
        int n = nodes.size();
        int[] layer = new int[n];
        var readers = new ArrayList<List<Integer>>();
        var sources = new ArrayList<List<Integer>>();
        for (int i = 0; i < n; i++) {
            readers.add(new ArrayList<>());
            sources.add(new ArrayList<>());
        }
        for (int[] e : edges) {
            readers.get(e[0]).add(e[1]);
            sources.get(e[1]).add(e[0]);
            layer[e[1]] = Math.max(layer[e[1]], layer[e[0]] + 1);
        }
        // What reads nothing stands close to what reads it.
        for (int i = 0; i < n; i++) {
            if (sources.get(i).isEmpty()) {
                layer[i] = readers.get(i).stream().mapToInt(k -> layer[k]).min().orElse(1) - 1;
            }
        }
        double[] x = new double[n];
        int depth = Arrays.stream(layer).max().orElse(-1) + 1;
        var rows = new ArrayList<List<Integer>>();
        for (int d = 0; d < depth; d++) {
            rows.add(new ArrayList<>());
        }
        for (int i = 0; i < n; i++) {
            rows.get(layer[i]).add(i);
        }
        rows.forEach(r -> place(r, x));
        for (int sweep = 0; sweep < SWEEPS; sweep++) {
            var joined = sweep % 2 == 0 ? sources : readers;
            for (int d = 0; d < depth; d++) {
                List<Integer> row = rows.get(sweep % 2 == 0 ? d : depth - 1 - d);
                row.sort(Comparator.comparingDouble(i ->
                        joined.get(i).stream().mapToDouble(j -> x[j]).average().orElse(x[i])));
                place(row, x);
            }
        }
        return new GraphLayout<>(nodes, x, layer, edges);
    }

    private static void place(List<Integer> row, double[] x) {
        for (int k = 0; k < row.size(); k++) {
            x[row.get(k)] = k - (row.size() - 1) / 2.0;
        }
    }

    /// Number of layers.
    int depth() {
        return Arrays.stream(layer).max().orElse(-1) + 1;
    }

    /// Distance of the outermost box from the middle.
    double halfWidth() {
        return Arrays.stream(x).map(Math::abs).max().orElse(0) + 0.5;
    }
}
