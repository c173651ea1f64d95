package knobscape.explore.active;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/// Sequential transductive experimental design (Yu, Bi and Tresp, ICML 2006): picks the rows from which all
/// others are best predicted by regularised least squares. Each round takes the argmax of `||K_v||^2 / (k(v,v)
/// + mu)` and deflates `K -= K_v K_v^T / (k(v,v) + mu)`. Ties go to the lower index. Deterministic.
public final class TransductiveDesign {
    /// Pivots nearer to zero than this are not divided by.
    private static final double SINGULAR = 1e-12;

    private TransductiveDesign() {}

    /// Indices of `count` rows of a symmetric kernel matrix (n x n), in the order chosen; fewer where n is
    /// smaller. The matrix is not changed. Cost O(n^2) per chosen row.
    public static int[] select(double[][] kernel, int count, double mu) {
        return select(kernel, count, mu, Penalty.WITH_THE_SIGN);
    }

    /// On which side of 0 `mu` stands. A matrix of distances (as BTED uses it) is not positive definite: its
    /// diagonal is 0, and the first deflation leaves a negative definite rest, whose negative is an ordinary
    /// kernel. For a positive definite kernel both are the same.
    public enum Penalty {
        /// Score `||K_v||^2 / (|k(v,v)| + mu)`, and deflation by `k(v,v) - mu` where `k(v,v)` is negative: `mu`
        /// stays a penalty.
        WITH_THE_SIGN,
        /// `k(v,v) + mu` in both as printed, by magnitude in the score (with its sign, the score would prefer
        /// the rows that tell least). This has a pole at `k(v,v) = -mu`, where rows next to chosen ones lie: it
        /// picks them.
        PRINTED
    }

    /// The same with a say on the penalty.
    public static int[] select(double[][] kernel, int count, double mu, Penalty penalty) {
        if (mu <= 0) {
            throw new IllegalArgumentException("mu must be positive, was " + mu);
        }
        int n = kernel.length;
        double[][] k = Arrays.stream(kernel).map(double[]::clone).toArray(double[][]::new);
        double[] norms = new double[n];
        for (int v = 0; v < n; v++) {
            norms[v] = squaredNorm(k[v]);
        }
        boolean[] taken = new boolean[n];
        int[] chosen = new int[Math.min(count, n)];
        for (int round = 0; round < chosen.length; round++) {
            int best = -1;
            double bestScore = Double.NEGATIVE_INFINITY;
            for (int v = 0; v < n; v++) {
                double score =
                        norms[v] / (penalty == Penalty.PRINTED ? Math.abs(k[v][v] + mu) : Math.abs(k[v][v]) + mu);
                if (!taken[v] && (best < 0 || score > bestScore)) {
                    bestScore = score;
                    best = v;
                }
            }
            taken[best] = true;
            chosen[round] = best;
            double scale = k[best][best] + (penalty == Penalty.WITH_THE_SIGN && k[best][best] < -SINGULAR ? -mu : mu);
            if (round + 1 < chosen.length && Math.abs(scale) > SINGULAR) {
                deflate(k, k[best].clone(), scale, norms);
            }
        }
        return chosen;
    }

    private static void deflate(double[][] k, double[] pivot, double scale, double[] norms) {
        for (int u = 0; u < pivot.length; u++) {
            double f = pivot[u] / scale;
            double[] row = k[u];
            double norm = 0;
            for (int w = 0; w < row.length; w++) {
                double value = row[w] - f * pivot[w];
                row[w] = value;
                norm += value * value;
            }
            norms[u] = norm;
        }
    }

    private static double squaredNorm(double[] row) {
        double norm = 0;
        for (double v : row) {
            norm += v * v;
        }
        return norm;
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

    /// Randomised form (Liu and Carloni, DAC 2013): transductive design inside each of `subsets` random subsets
    /// of `subsetSize` rows, then again inside the union of what they chose.
    ///
    /// @param rows n x d features
    /// @return indices of `count` rows
    public static int[] randomised(
            double[][] rows, int count, int subsets, int subsetSize, double mu, SplittableRandom random) {
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
        return Arrays.stream(select(gaussianKernel(inside), count, mu))
                .map(candidates::get)
                .toArray();
    }

    /// Batch transductive experimental design (BTED, Algorithm 2 of "Deep Neural Network Hardware Deployment
    /// Optimization via Advanced Active Learning", DATE 2021): Algorithm 1 inside each of several random sets
    /// of configurations, then again inside the union of what it chose, on matrices of Euclidean distances.
    ///
    /// @param sets random sets of rows (n x d), B of them with M rows each; rows of different sets may be equal
    /// @param count rows chosen in each set and in the end, m
    /// @return indices of `count` rows as (set, row), fewer where there are fewer different rows
    public static List<RowChoice> batch(List<double[][]> sets, int count, double mu, Penalty penalty) {
        // The sets are independent of one another, so they may be worked on side by side without changing the
        // result.
        List<int[]> inside = IntStream.range(0, sets.size())
                .parallel()
                .mapToObj(b -> select(distances(sets.get(b)), count, mu, penalty))
                .toList();
        var union = new ArrayList<RowChoice>();
        var rows = new ArrayList<double[]>();
        var seen = new HashSet<List<Double>>();
        for (int b = 0; b < inside.size(); b++) {
            for (int i : inside.get(b)) {
                double[] row = sets.get(b)[i];
                if (seen.add(Arrays.stream(row).boxed().toList())) {
                    union.add(new RowChoice(b, i));
                    rows.add(row);
                }
            }
        }
        return Arrays.stream(select(distances(rows.toArray(double[][]::new)), count, mu, penalty))
                .mapToObj(union::get)
                .toList();
    }

    /// A row of one of several sets.
    public record RowChoice(int set, int row) {}

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
