package knobscape.app.ui.gpu;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import knobscape.network.subgraph.Subgraph;

/// A layered drawing of the kernels of a network: every kernel one layer below the last of those it reads,
/// neighbours ordered by the middle of what they are joined with. Coordinates are in boxes: x 0 is the middle,
/// y the layer.
///
/// @param nodes the kernels in the order of execution
/// @param x place of each in its layer
/// @param layer layer of each, from 0
/// @param edges pairs of places in `nodes`
record GraphLayout(List<Subgraph> nodes, double[] x, int[] layer, List<int[]> edges) {
    private static final int SWEEPS = 4;

    /// Draws. Away from the screen.
    static GraphLayout of(List<Subgraph> kernels) {
        Map<String, Integer> makers = new HashMap<>();
        int n = kernels.size();
        int[] layer = new int[n];
        var edges = new ArrayList<int[]>();
        var readers = new ArrayList<List<Integer>>();
        var sources = new ArrayList<List<Integer>>();
        for (int i = 0; i < n; i++) {
            readers.add(new ArrayList<>());
            sources.add(new ArrayList<>());
            for (String in : kernels.get(i).inputs()) {
                Integer from = makers.get(in);
                if (from != null) {
                    edges.add(new int[] {from, i});
                    readers.get(from).add(i);
                    sources.get(i).add(from);
                    layer[i] = Math.max(layer[i], layer[from] + 1);
                }
            }
            for (String out : kernels.get(i).outputs()) {
                makers.put(out, i);
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
        return new GraphLayout(kernels, x, layer, edges);
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
