package knobscape.surrogate.ensemble;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import knobscape.surrogate.Regressor;

/// A sum of binary regression trees in flat arrays, made to score many rows quickly: a search asks for tens of thousands of scores between two measurements, which
/// costs more in calls to a native library than in arithmetic. The constant of the model is left out, so that scores order rows as the model does.
///
/// All trees are filled up to one depth, so that a row goes down by arithmetic instead of jumps: node `i` of a tree has the children `2 i + 1`, for rows with
/// `x[feature] < threshold`, and `2 i + 2`. Under a leaf that lies higher, every leaf has its value.
public final class TreeForest implements Regressor {
    /// Trees of more levels would take up too much room.
    static final int DEEPEST = 12;

    private final int trees;
    private final int depth;
    /// Inner nodes, tree after tree.
    private final int[] feature;
    private final float[] threshold;
    private final float[] leaf;

    private TreeForest(int trees, int depth) {
        this(trees, depth, new int[trees * ((1 << depth) - 1)], new float[trees * ((1 << depth) - 1)], new float[trees << depth]);
    }

    /// Trees that are in this form already.
    ///
    /// @param depth of all
    /// @param feature of the inner nodes, tree after tree, `2^depth - 1` each
    /// @param threshold of the same
    /// @param leaf values, tree after tree, `2^depth` each
    TreeForest(int trees, int depth, int[] feature, float[] threshold, float[] leaf) {
        this.trees = trees;
        this.depth = depth;
        this.feature = feature;
        this.threshold = threshold;
        this.leaf = leaf;
    }

    /// Reads the trees of a model that XGBoost has saved as Universal Binary JSON.
    ///
    /// @param columns where feature i of the model stands in the rows to be scored
    /// @throws IllegalArgumentException where the bytes are no such model, or a tree is deeper than 12
    static TreeForest ofModel(byte[] model, int[] columns) {
        try {
            Object list = UniversalBinaryJson.read(model);
            for (String key : List.of("learner", "gradient_booster", "model", "trees")) {
                list = ((Map<?, ?>) list).get(key);
            }
            List<Tree> read = ((List<?>) list).stream().map(t -> Tree.of((Map<?, ?>) t)).toList();
            var forest = new TreeForest(read.size(), read.stream().mapToInt(t -> t.depth(0, 0)).max().orElse(0));
            for (int t = 0; t < read.size(); t++) {
                forest.fill(t, 0, 0, read.get(t), 0, columns);
            }
            return forest;
        } catch (ClassCastException | NullPointerException | IndexOutOfBoundsException e) {
            throw new IllegalArgumentException("these bytes are no boosted trees of XGBoost", e);
        }
    }

    /// A tree as it is saved; a leaf has no left child, and its value where others have their threshold.
    private record Tree(long[] left, long[] right, long[] feature, float[] value) {
        static Tree of(Map<?, ?> tree) {
            return new Tree((long[]) tree.get("left_children"), (long[]) tree.get("right_children"), (long[]) tree.get("split_indices"), (float[]) tree.get("split_conditions"));
        }

        int depth(int node, int above) {
            if (above > DEEPEST) {
                throw new IllegalArgumentException("a tree is deeper than " + DEEPEST);
            }
            return left[node] < 0 ? above : Math.max(depth((int) left[node], above + 1), depth((int) right[node], above + 1));
        }
    }

    private void fill(int tree, int at, int level, Tree from, int node, int[] columns) {
        int inner = (1 << depth) - 1;
        if (from.left[node] >= 0) {
            feature[tree * inner + at] = columns[(int) from.feature[node]];
            threshold[tree * inner + at] = from.value[node];
            fill(tree, 2 * at + 1, level + 1, from, (int) from.left[node], columns);
            fill(tree, 2 * at + 2, level + 1, from, (int) from.right[node], columns);
            return;
        }
        int below = depth - level;
        int first = ((at + 1) << below) - 1 - inner;
        Arrays.fill(leaf, (tree << depth) + first, (tree << depth) + first + (1 << below), from.value[node]);
    }

    /// Number of trees.
    public int size() {
        return trees;
    }

    /// Score of the row that begins at `at` in `rows`.
    public double score(float[] rows, int at) {
        int inner = (1 << depth) - 1;
        double sum = 0;
        int root = 0;
        int first = -inner;
        for (int t = 0; t < trees; t++, root += inner, first += 1 << depth) {
            int node = 0;
            for (int level = 0; level < depth; level++) {
                node = 2 * node + (rows[at + feature[root + node]] < threshold[root + node] ? 1 : 2);
            }
            sum += leaf[first + node];
        }
        return sum;
    }

    @Override
    public double predict(double[] x) {
        float[] row = new float[x.length];
        for (int i = 0; i < row.length; i++) {
            row[i] = (float) x[i];
        }
        return score(row, 0);
    }
}
