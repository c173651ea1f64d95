package knobscape.explore.active;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.SplittableRandom;

/// Sequential transductive experimental design (Yu, Bi and Tresp, ICML 2006): picks the rows from which all others are best predicted by regularised least
/// squares. Each round takes the argmax of `||K_v||^2 / (k(v,v) + mu)` and deflates `K -= K_v K_v^T / (k(v,v) + mu)`. Ties go to the lower index. Deterministic.
public final class TransductiveDesign {
    private TransductiveDesign() {
    }

    /// Indices of `count` rows of a symmetric kernel matrix (n x n), in the order chosen; fewer where n is smaller. The matrix is not changed.
    /// Cost O(n^2) per chosen row.
    public static int[] select(double[][] kernel, int count, double mu) {
        if (mu <= 0) {
            throw new IllegalArgumentException("mu must be positive, was " + mu);
        }
        int n = kernel.length;
        double[][] k = Arrays.stream(kernel).map(double[]::clone).toArray(double[][]::new);
        boolean[] taken = new boolean[n];
        int[] chosen = new int[Math.min(count, n)];
        for (int round = 0; round < chosen.length; round++) {
            int best = -1;
            double bestScore = Double.NEGATIVE_INFINITY;
            for (int v = 0; v < n; v++) {
                if (taken[v]) {
                    continue;
                }
                double norm = 0;
                double[] row = k[v];
                for (int u = 0; u < n; u++) {
                    norm += row[u] * row[u];
                }
                double denominator = row[v] + mu;
                // A distance matrix is not positive definite: after deflation k(v,v) may fall to -mu and below, where the score has no meaning.
                double score = denominator > 0 ? norm / denominator : Double.NEGATIVE_INFINITY;
                if (best < 0 || score > bestScore) {
                    bestScore = score;
                    best = v;
                }
            }
            taken[best] = true;
            chosen[round] = best;
            double scale = k[best][best] + mu;
            if (scale > 0) {
                double[] pivot = k[best].clone();
                for (int u = 0; u < n; u++) {
                    double f = pivot[u] / scale;
                    if (f != 0) {
                        double[] row = k[u];
                        for (int w = 0; w < n; w++) {
                            row[w] -= f * pivot[w];
                        }
                    }
                }
            }
        }
        return chosen;
    }

    /// Gaussian kernel matrix of rows (n x d) with the median distance as its width.
    public static double[][] gaussianKernel(double[][] rows) {
        double[][] distance = distances(rows);
        double[] all = new double[rows.length * (rows.length - 1) / 2];
        int at = 0;
        for (int i = 0; i < rows.length; i++) {
            for (int j = i + 1; j < rows.length; j++) {
                all[at++] = distance[i][j];
            }
        }
        Arrays.sort(all);
        double width = all.length == 0 || all[all.length / 2] == 0 ? 1 : all[all.length / 2];
        for (double[] row : distance) {
            for (int j = 0; j < row.length; j++) {
                double r = row[j] / width;
                row[j] = Math.exp(-0.5 * r * r);
            }
        }
        return distance;
    }

    /// Euclidean distances between rows (n x d), n x n.
    public static double[][] distances(double[][] rows) {
        int n = rows.length;
        double[][] distance = new double[n][n];
        for (int i = 0; i < n; i++) {
            for (int j = i + 1; j < n; j++) {
                double s = 0;
                for (int d = 0; d < rows[i].length; d++) {
                    double e = rows[i][d] - rows[j][d];
                    s += e * e;
                }
                distance[i][j] = Math.sqrt(s);
                distance[j][i] = distance[i][j];
            }
        }
        return distance;
    }

    /// Randomised form (Liu and Carloni, DAC 2013): transductive design inside each of `subsets` random subsets of `subsetSize` rows, then again
    /// inside the union of what they chose.
    ///
    /// @param rows n x d features
    /// @return indices of `count` rows
    public static int[] randomised(double[][] rows, int count, int subsets, int subsetSize, double mu, SplittableRandom random) {
        var union = new LinkedHashSet<Integer>();
        for (int s = 0; s < subsets; s++) {
            int[] subset = sample(rows.length, Math.min(subsetSize, rows.length), random);
            double[][] inside = Arrays.stream(subset).mapToObj(i -> rows[i]).toArray(double[][]::new);
            for (int i : select(gaussianKernel(inside), count, mu)) {
                union.add(subset[i]);
            }
        }
        List<Integer> candidates = new ArrayList<>(union);
        double[][] inside = candidates.stream().map(i -> rows[i]).toArray(double[][]::new);
        return Arrays.stream(select(gaussianKernel(inside), count, mu)).map(candidates::get).toArray();
    }

    /// `count` distinct numbers below `n` in random order (the first part of a Fisher-Yates shuffle).
    static int[] sample(int n, int count, SplittableRandom random) {
        int[] all = new int[n];
        for (int i = 0; i < n; i++) {
            all[i] = i;
        }
        for (int i = 0; i < count; i++) {
            int j = random.nextInt(i, n);
            int keep = all[i];
            all[i] = all[j];
            all[j] = keep;
        }
        return Arrays.copyOf(all, count);
    }
}
