package knobscape.surrogate.graph;

import java.util.ArrayList;
import java.util.Arrays;
import org.bytedeco.pytorch.global.torch;

/// A trained cost model of graphs with statistics. Targets are what it was trained on (natural logarithms of
/// milliseconds where `gpu` trains it), smaller being better; a model trained by rank answers in no unit.
/// Immutable and thread-safe.
///
/// @param weights in single precision
/// @param ranks whether it was trained by rank
public record GraphModel(GraphArchitecture architecture, GraphScale scale, double[] weights, boolean ranks) {
    /// Rows scored at a time, which bounds memory.
    private static final int PIECE = 2048;

    /// Throws [IllegalArgumentException] for weights of another shape.
    public GraphModel {
        if (weights.length != architecture.size()) {
            throw new IllegalArgumentException(
                    "this model has " + architecture.size() + " weights, not " + weights.length);
        }
    }

    /// Predictions for rows of one graph.
    ///
    /// @param statistics by row, raw
    public double[] predict(NodeGraph graph, float[][] statistics) {
        var network = new GraphNetwork(architecture, torch.ScalarType.Float);
        double[] all = new double[statistics.length];
        for (int at = 0; at < all.length; at += PIECE) {
            float[][] piece = Arrays.copyOfRange(statistics, at, Math.min(all.length, at + PIECE));
            double[] y = network.outputs(weights, scale.apply(GraphRows.of(graph, piece)))
                    .output();
            for (int i = 0; i < y.length; i++) {
                all[at + i] = ranks ? y[i] : scale.target()[0] + y[i] * scale.target()[1];
            }
        }
        return all;
    }

    /// How much of what the perceptron reads comes from groups of features, by head and group: the share of
    /// each group in each piece of the linear layer's output (sum over features of weight times value, as a
    /// norm), averaged over rows with the attention that the pieces receive. Rows sum to 1. Without attention
    /// all pieces count alike.
    ///
    /// @param groups by feature its group, graph embedding first where there is one, then the statistics
    /// @param count number of groups
    public double[][] attention(NodeGraph graph, float[][] statistics, int[] groups, int count) {
        var network = new GraphNetwork(architecture, torch.ScalarType.Float);
        GraphRows rows = scale.apply(GraphRows.of(graph, statistics));
        double[] attended = network.outputs(weights, rows).attention();
        int tokens = GraphArchitecture.TOKENS;
        double[][] share = shares(network.joined(weights, rows), groups, count);
        double[][] heat = new double[architecture.attention() ? tokens : 1][count];
        for (int i = 0; i < rows.size(); i++) {
            for (int h = 0; h < heat.length; h++) {
                for (int token = 0; token < tokens; token++) {
                    double received = 0;
                    for (int asking = 0; asking < tokens; asking++) {
                        received += architecture.attention()
                                ? attended[((i * tokens + h) * tokens + asking) * tokens + token] / tokens
                                : 1.0 / (tokens * tokens);
                    }
                    for (int g = 0; g < count; g++) {
                        heat[h][g] += received * share[i * tokens + token][g] / rows.size();
                    }
                }
            }
        }
        return heat;
    }

    /// By row and piece the share of each group in the linear layer.
    private double[][] shares(double[][] joined, int[] groups, int count) {
        int offset = 0;
        for (GraphArchitecture.Parameter p : architecture.parameters()) {
            if (p.name().equals("joint.weight")) {
                break;
            }
            offset += p.size();
        }
        var all = new ArrayList<double[]>();
        for (double[] x : joined) {
            double[][] parts = new double[count][GraphArchitecture.WIDTH];
            for (int j = 0; j < x.length; j++) {
                for (int o = 0; o < GraphArchitecture.WIDTH; o++) {
                    parts[groups[j]][o] += x[j] * weights[offset + j * GraphArchitecture.WIDTH + o];
                }
            }
            for (int token = 0; token < GraphArchitecture.TOKENS; token++) {
                double[] norms = new double[count];
                for (int g = 0; g < count; g++) {
                    for (int o = 0; o < GraphArchitecture.PIECE; o++) {
                        double v = parts[g][token * GraphArchitecture.PIECE + o];
                        norms[g] += v * v;
                    }
                    norms[g] = Math.sqrt(norms[g]);
                }
                double sum = Math.max(Double.MIN_NORMAL, Arrays.stream(norms).sum());
                all.add(Arrays.stream(norms).map(v -> v / sum).toArray());
            }
        }
        return all.toArray(double[][]::new);
    }
}
