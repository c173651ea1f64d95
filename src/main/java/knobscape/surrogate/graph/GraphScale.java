package knobscape.surrogate.graph;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/// Means and deviations of what a model was trained on first. Features are standardised with them and cut at
/// [#FARTHEST] deviations, so that a graph or schedule unlike any seen before does not throw the model off.
///
/// @param nodes by node feature mean, then deviation
/// @param statistics by statistic mean, then deviation
/// @param target mean, deviation
record GraphScale(double[] nodes, double[] statistics, double[] target) {
    private static final double FARTHEST = 6;
    private static final double LEAST = 1e-6;

    /// The scale of rows, in single precision, as files are.
    static GraphScale of(GraphRows rows) {
        return new GraphScale(
                moments(
                        rows.graphs().stream()
                                .flatMap(g -> Arrays.stream(g.nodes()))
                                .toList(),
                        GraphArchitecture.NODE),
                moments(
                        Arrays.stream(rows.statistics())
                                .map(GraphScale::doubles)
                                .toList(),
                        GraphArchitecture.STATISTICS),
                moments(
                        Arrays.stream(rows.target())
                                .mapToObj(y -> new double[] {y})
                                .toList(),
                        1));
    }

    /// Number of values.
    static int size() {
        return 2 * (GraphArchitecture.NODE + GraphArchitecture.STATISTICS + 1);
    }

    /// All values, as [#of(double[])] reads them.
    double[] values() {
        return IntStream.range(0, 3)
                .mapToObj(i -> i == 0 ? nodes : i == 1 ? statistics : target)
                .flatMapToDouble(Arrays::stream)
                .toArray();
    }

    /// The scale with these values.
    static GraphScale of(double[] values) {
        int n = 2 * GraphArchitecture.NODE;
        int s = n + 2 * GraphArchitecture.STATISTICS;
        return new GraphScale(
                Arrays.copyOf(values, n), Arrays.copyOfRange(values, n, s), Arrays.copyOfRange(values, s, s + 2));
    }

    private static double[] doubles(float[] row) {
        double[] all = new double[row.length];
        Arrays.setAll(all, i -> row[i]);
        return all;
    }

    private static double[] moments(List<double[]> rows, int width) {
        double[] moments = new double[2 * width];
        for (double[] row : rows) {
            for (int j = 0; j < width; j++) {
                moments[j] += row[j] / rows.size();
            }
        }
        for (double[] row : rows) {
            for (int j = 0; j < width; j++) {
                moments[width + j] += (row[j] - moments[j]) * (row[j] - moments[j]) / rows.size();
            }
        }
        for (int j = 0; j < width; j++) {
            double deviation = Math.sqrt(moments[width + j]);
            moments[j] = (float) moments[j];
            moments[width + j] = deviation > LEAST ? (float) deviation : 1;
        }
        return moments;
    }

    private static double scaled(double x, double[] moments, int j) {
        return Math.clamp((x - moments[j]) / moments[moments.length / 2 + j], -FARTHEST, FARTHEST);
    }

    /// Rows and graphs in this scale.
    GraphRows apply(GraphRows rows) {
        float[][] x = new float[rows.size()][GraphArchitecture.STATISTICS];
        for (int i = 0; i < x.length; i++) {
            for (int j = 0; j < GraphArchitecture.STATISTICS; j++) {
                x[i][j] = (float) scaled(rows.statistics()[i][j], statistics, j);
            }
        }
        return new GraphRows(
                rows.graphs().stream().map(this::apply).toList(),
                rows.graphOf(),
                x,
                Arrays.stream(rows.target())
                        .map(y -> (y - target[0]) / target[1])
                        .toArray());
    }

    private NodeGraph apply(NodeGraph graph) {
        double[][] scaled = Arrays.stream(graph.nodes()).map(double[]::clone).toArray(double[][]::new);
        for (double[] node : scaled) {
            for (int j = 0; j < node.length; j++) {
                node[j] = scaled(node[j], nodes, j);
            }
        }
        return new NodeGraph(scaled, graph.edges());
    }
}
