package knobscape.surrogate.ensemble;

import java.util.Arrays;
import knobscape.surrogate.Regressor;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// A sum of binary regression trees in flat arrays, made to score many rows quickly: a search asks for tens of
/// thousands of scores between two measurements, which costs more in calls to a native library than in
/// arithmetic.
///
/// All trees are filled up to one depth, so that a row goes down by arithmetic instead of jumps: node `i` of a
/// tree has the children `2 i + 1`, for rows with `x[feature] < threshold`, and `2 i + 2`. Under a leaf that
/// lies higher, every leaf has its value.
public final class TreeForest implements Regressor {
    /// Trees of more levels would take up too much room.
    static final int DEEPEST = 12;
    private static final JsonMapper JSON = JsonMapper.shared();

    private final int trees;
    private final int depth;
    private final double constant;
    /// Inner nodes, tree after tree, `2^depth - 1` each.
    private final int[] feature;
    private final float[] threshold;
    private final float[] leaf;

    private TreeForest(int trees, int depth, double constant) {
        this.trees = trees;
        this.depth = depth;
        this.constant = constant;
        feature = new int[trees * ((1 << depth) - 1)];
        threshold = new float[feature.length];
        leaf = new float[trees << depth];
    }

    /// Reads the trees of a model that XGBoost has saved as JSON.
    ///
    /// @param columns where feature i of the model stands in the rows to be scored
    /// @param constant added to the sum of the trees; the model's own is not read
    /// @throws IllegalArgumentException where the bytes are no such model, or a tree is deeper than 12
    static TreeForest ofModel(byte[] model, int[] columns, double constant) {
        try {
            JsonNode read = JSON.readTree(model)
                    .required("learner")
                    .required("gradient_booster")
                    .required("model")
                    .required("trees");
            int depth = 0;
            for (JsonNode tree : read) {
                depth = Math.max(depth, depth(tree.required("left_children"), tree.required("right_children"), 0, 0));
            }
            var forest = new TreeForest(read.size(), depth, constant);
            for (int t = 0; t < read.size(); t++) {
                forest.fill(t, 0, 0, read.get(t), 0, columns);
            }
            return forest;
        } catch (JacksonException | NullPointerException | IndexOutOfBoundsException e) {
            throw new IllegalArgumentException("these bytes are no boosted trees of XGBoost", e);
        }
    }

    private static int depth(JsonNode left, JsonNode right, int node, int above) {
        if (above > DEEPEST) {
            throw new IllegalArgumentException("a tree is deeper than " + DEEPEST);
        }
        int first = left.required(node).asInt();
        return first < 0
                ? above
                : Math.max(
                        depth(left, right, first, above + 1),
                        depth(left, right, right.required(node).asInt(), above + 1));
    }

    /// A leaf of `from` has no left child, and its value where others have their threshold.
    private void fill(int tree, int at, int level, JsonNode from, int node, int[] columns) {
        int inner = (1 << depth) - 1;
        int left = from.get("left_children").get(node).asInt();
        float value = (float) from.required("split_conditions").required(node).asDouble();
        if (left >= 0) {
            feature[tree * inner + at] =
                    columns[from.required("split_indices").required(node).asInt()];
            threshold[tree * inner + at] = value;
            fill(tree, 2 * at + 1, level + 1, from, left, columns);
            fill(
                    tree,
                    2 * at + 2,
                    level + 1,
                    from,
                    from.get("right_children").get(node).asInt(),
                    columns);
            return;
        }
        int below = depth - level;
        int first = ((at + 1) << below) - 1 - inner;
        Arrays.fill(leaf, (tree << depth) + first, (tree << depth) + first + (1 << below), value);
    }

    /// Number of trees.
    public int size() {
        return trees;
    }

    /// The sum of the trees and the constant; features count in single precision, as in training.
    @Override
    public double predict(double[] x) {
        int inner = (1 << depth) - 1;
        double sum = constant;
        int root = 0;
        int first = -inner;
        for (int t = 0; t < trees; t++, root += inner, first += 1 << depth) {
            int node = 0;
            for (int level = 0; level < depth; level++) {
                node = 2 * node + ((float) x[feature[root + node]] < threshold[root + node] ? 1 : 2);
            }
            sum += leaf[first + node];
        }
        return sum;
    }
}
