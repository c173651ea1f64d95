package knobscape.surrogate.ensemble;

import java.util.ArrayList;
import java.util.List;
import knobscape.surrogate.Regressor;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// A sum of binary regression trees in flat arrays, made to score many rows quickly: a search asks for tens of thousands of scores between two measurements, which
/// costs more in calls to a native library than in arithmetic. The constant of the model is left out, so that scores order rows as the model does.
///
/// At node `i`, rows with `x[feature[i]] < threshold[i]` go to `yes[i]`, others to `no[i]`; a leaf has feature -1 and its value in `threshold[i]`.
public final class TreeForest implements Regressor {
    private final int[] roots;
    private final int[] feature;
    private final float[] threshold;
    private final int[] yes;
    private final int[] no;

    private TreeForest(int[] roots, int[] feature, float[] threshold, int[] yes, int[] no) {
        this.roots = roots;
        this.feature = feature;
        this.threshold = threshold;
        this.yes = yes;
        this.no = no;
    }

    /// Reads trees from XGBoost's own JSON description of them, one text per tree. Features are named `f0`, `f1`, ...
    static TreeForest ofDump(String[] trees) {
        var json = JsonMapper.builder().build();
        var nodes = new Nodes();
        int[] roots = new int[trees.length];
        for (int t = 0; t < trees.length; t++) {
            roots[t] = nodes.add(json.readTree(trees[t]));
        }
        return nodes.forest(roots);
    }

    /// Number of trees.
    public int size() {
        return roots.length;
    }

    /// Score of the row that begins at `at` in `rows`.
    public double score(float[] rows, int at) {
        double sum = 0;
        for (int root : roots) {
            int node = root;
            while (feature[node] >= 0) {
                node = rows[at + feature[node]] < threshold[node] ? yes[node] : no[node];
            }
            sum += threshold[node];
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

    /// Grows the arrays.
    private static final class Nodes {
        private final List<int[]> links = new ArrayList<>();
        private final List<Float> values = new ArrayList<>();

        int add(JsonNode node) {
            int at = links.size();
            if (node.has("leaf")) {
                links.add(new int[] {-1, -1, -1});
                values.add(node.get("leaf").floatValue());
                return at;
            }
            int[] link = {Integer.parseInt(node.get("split").stringValue().substring(1)), -1, -1};
            links.add(link);
            values.add(node.get("split_condition").floatValue());
            int yesId = node.get("yes").intValue();
            for (JsonNode child : node.get("children")) {
                link[child.get("nodeid").intValue() == yesId ? 1 : 2] = add(child);
            }
            return at;
        }

        TreeForest forest(int[] roots) {
            int n = links.size();
            int[] feature = new int[n];
            float[] threshold = new float[n];
            int[] yes = new int[n];
            int[] no = new int[n];
            for (int i = 0; i < n; i++) {
                feature[i] = links.get(i)[0];
                yes[i] = links.get(i)[1];
                no[i] = links.get(i)[2];
                threshold[i] = values.get(i);
            }
            return new TreeForest(roots, feature, threshold, yes, no);
        }
    }
}
