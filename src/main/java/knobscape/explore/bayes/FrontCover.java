package knobscape.explore.bayes;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import knobscape.numeric.Parallel;
import knobscape.surrogate.Posterior;

/// Expected fall of ADRS: how much nearer, on average over the points of fronts drawn from what is believed,
/// the designs measured would come to these fronts if a candidate were measured too. Hypervolume pays little
/// for the ends of a front, where a new point dominates a thin slice; the average distance weighs every point
/// of the front alike.
///
/// The distance is that of ADRS, the largest relative excess over a point in any objective: on a logarithmic
/// scale `exp(max_j (y_j - g_j)) - 1`, so that with the exponentials of both at hand nothing but products and
/// maxima is left for the inner loop.
final class FrontCover implements Acquisition {
    private static final int CHUNK = 32;
    /// Draws taken at once: enough for vector instructions, few enough that most points of the fronts are out
    /// of reach of all of them.
    private static final int LANES = 128;
    /// Most points taken of one front, spread evenly along its first objective: their mean stands for the
    /// front's.
    private static final int POINTS = 24;
    /// Relative excess beyond which a point counts no more.
    static final double FARTHEST = 19;

    private final FrontSample fronts;
    private final int m;
    private final double[][] normals;

    /// Points of fronts drawn that nothing measured covers.
    ///
    /// @param unit by objective: what a step of 1 on the modelled scale counts
    /// @param inverse `exp(-unit_j g_j)`, M for each point
    /// @param reach 1 + relative excess of the nearest design measured
    /// @param weight share of the point in its front, over the number of fronts
    /// @param members candidates on any of the fronts, in increasing order
    record FrontSample(double[] unit, double[] inverse, double[] reach, double[] weight, int[] members) {
        /// Mean distance of the fronts' points from the nearest design measured.
        double distance() {
            return IntStream.range(0, reach.length)
                    .mapToDouble(i -> weight[i] * (reach[i] - 1))
                    .sum();
        }
    }

    /// @param fronts fronts drawn from the posterior
    /// @param normals draws of a candidate, S x M
    FrontCover(FrontSample fronts, double[][] normals) {
        this.fronts = fronts;
        this.m = fronts.unit().length;
        this.normals = normals;
    }

    /// Fronts of the candidates' draws and what was measured, one per row of `normals`; all candidates of a
    /// front share the row, so that no candidate is the best of many lucky ones.
    ///
    /// @param p beliefs about the candidates
    /// @param measured front measured so far, on the modelled scale
    /// @param unit by objective: what a step of 1 on the modelled scale counts
    /// @param normals K x M
    /// @param keeps which vectors are of use; others are on no front
    static FrontSample draw(
            Posterior p, double[][] measured, double[] unit, double[][] normals, Predicate<double[]> keeps) {
        int m = unit.length;
        int draws = normals.length;
        double[][] drawn = new double[draws][p.size() * m];
        Parallel.chunks(p.size(), 64, (from, to) -> {
            double[][] one = new double[draws][m];
            for (int i = from; i < to; i++) {
                p.draw(i, normals, one);
                for (int k = 0; k < draws; k++) {
                    System.arraycopy(one[k], 0, drawn[k], i * m, m);
                    if (!keeps.test(one[k])) {
                        drawn[k][i * m] = Double.POSITIVE_INFINITY;
                    }
                }
            }
        });
        return of(drawn, measured, unit);
    }

    /// Fronts of draws of the candidates and what was measured.
    ///
    /// @param drawn by draw the candidates' vectors one after another; one that begins with positive infinity
    /// is on no front
    static FrontSample of(double[][] drawn, double[][] measured, double[] unit) {
        int m = unit.length;
        int draws = drawn.length;
        int size = draws == 0 ? 0 : drawn[0].length / m;
        double[][][] fronts = new double[draws][][];
        boolean[][] member = new boolean[draws][size];
        Parallel.chunks(draws, 1, (k, end) -> {
            double[][] all = promising(drawn[k], m, measured);
            int[] rows = nonDominated(all, m);
            for (int i : rows) {
                if (all[i].length > m) {
                    member[k][(int) all[i][m]] = true;
                }
            }
            fronts[k] = spread(Arrays.stream(rows).mapToObj(i -> all[i]).toArray(double[][]::new));
        });
        List<double[]> points = new ArrayList<>();
        List<double[]> ends = new ArrayList<>();
        for (double[][] front : fronts) {
            for (double[] g : front) {
                double nearest = Math.log1p(FARTHEST);
                for (double[] w : measured) {
                    double d = 0;
                    for (int j = 0; j < m; j++) {
                        d = Math.max(d, (w[j] - g[j]) * unit[j]);
                    }
                    nearest = Math.min(nearest, d);
                }
                if (nearest > 0) {
                    points.add(g);
                    ends.add(new double[] {Math.exp(nearest), 1.0 / (fronts.length * front.length)});
                }
            }
        }
        double[] inverse = new double[points.size() * m];
        for (int i = 0; i < inverse.length; i++) {
            inverse[i] = Math.exp(-unit[i % m] * points.get(i / m)[i % m]);
        }
        return new FrontSample(
                unit,
                inverse,
                ends.stream().mapToDouble(e -> e[0]).toArray(),
                ends.stream().mapToDouble(e -> e[1]).toArray(),
                IntStream.range(0, size)
                        .filter(i -> Arrays.stream(member).anyMatch(row -> row[i]))
                        .toArray());
    }

    /// The measured vectors, then those candidates of a draw, in order and with their position behind their
    /// values, that neither one of these nor the draw's candidate of the least sum covers: most go without
    /// being sorted.
    private static double[][] promising(double[] drawn, int m, double[][] measured) {
        double least = Double.POSITIVE_INFINITY;
        int champion = 0;
        for (int at = 0; at < drawn.length; at += m) {
            double sum = 0;
            for (int j = 0; j < m; j++) {
                sum += drawn[at + j];
            }
            if (sum < least) {
                least = sum;
                champion = at;
            }
        }
        List<double[]> kept = new ArrayList<>(Arrays.asList(measured));
        for (int at = 0; at < drawn.length; at += m) {
            boolean covered =
                    (at != champion && covers(drawn, champion, drawn, at, m)) || drawn[at] == Double.POSITIVE_INFINITY;
            for (int w = 0; w < measured.length && !covered; w++) {
                covered = covers(measured[w], 0, drawn, at, m);
            }
            if (!covered) {
                double[] row = Arrays.copyOfRange(drawn, at, at + m + 1);
                row[m] = Math.floorDiv(at, m);
                kept.add(row);
            }
        }
        return kept.toArray(double[][]::new);
    }

    /// Positions of the rows whose first `m` values are not dominated, of equal ones the first. In the order of
    /// their sums a row can be dominated by earlier ones only.
    static int[] nonDominated(double[][] rows, int m) {
        long[] order = new long[rows.length];
        for (int i = 0; i < rows.length; i++) {
            double sum = 0;
            for (int j = 0; j < m; j++) {
                sum += rows[i][j];
            }
            // Sums as floats in an order that integers share, positions below: one sort of primitives. Rounding
            // may put a row before one that dominates it; that one then takes it out.
            int bits = Float.floatToIntBits((float) sum);
            order[i] = (long) (bits ^ (bits >> 31 & 0x7fffffff)) << 32 | i;
        }
        Arrays.sort(order);
        int[] front = new int[rows.length];
        int size = 0;
        for (long key : order) {
            int i = (int) key;
            boolean covered = false;
            for (int f = 0; f < size && !covered; f++) {
                covered = covers(rows[front[f]], 0, rows[i], 0, m);
            }
            if (!covered) {
                int kept = 0;
                for (int f = 0; f < size; f++) {
                    if (!covers(rows[i], 0, rows[front[f]], 0, m)) {
                        front[kept++] = front[f];
                    }
                }
                front[kept++] = i;
                size = kept;
            }
        }
        return Arrays.copyOf(front, size);
    }

    /// True if the m values of `a` from `i` on are all at most those of `b` from `k` on.
    private static boolean covers(double[] a, int i, double[] b, int k, int m) {
        for (int j = 0; j < m; j++) {
            if (a[i + j] > b[k + j]) {
                return false;
            }
        }
        return true;
    }

    private static double[][] spread(double[][] front) {
        if (front.length <= POINTS) {
            return front;
        }
        Arrays.sort(front, Comparator.comparingDouble(g -> g[0]));
        return IntStream.range(0, POINTS)
                .mapToObj(i -> front[(int) ((i + 0.5) * front.length / POINTS)])
                .toArray(double[][]::new);
    }

    @Override
    public double[] score(Posterior p) {
        double[] scores = new double[p.size()];
        int s = normals.length;
        // Candidates of a group stand side by side: with few draws each, loops over one alone would be too
        // short for vector instructions.
        int group = Math.max(1, LANES / s);
        Parallel.chunks(p.size(), Math.max(group, CHUNK / group * group), (from, to) -> {
            double[][] draws = new double[s][m];
            for (int first = from; first < to; first += group) {
                int count = Math.min(group, to - first);
                double[][] columns = new double[m][count * s];
                for (int i = 0; i < count; i++) {
                    p.draw(first + i, normals, draws);
                    for (int j = 0; j < m; j++) {
                        for (int k = 0; k < s; k++) {
                            columns[j][i * s + k] = Math.exp(fronts.unit()[j] * draws[k][j]);
                        }
                    }
                }
                double[] gains = gains(columns);
                for (int i = 0; i < count; i++) {
                    double sum = 0;
                    for (int k = 0; k < s; k++) {
                        sum += gains[i * s + k];
                    }
                    scores[first + i] = sum / s;
                }
            }
        });
        return scores;
    }

    /// Gain of a candidate, by draw.
    double[] byDraw(Posterior p, int candidate) {
        double[][] draws = new double[normals.length][m];
        p.draw(candidate, normals, draws);
        double[][] columns = new double[m][normals.length];
        for (int j = 0; j < m; j++) {
            for (int k = 0; k < draws.length; k++) {
                columns[j][k] = Math.exp(fronts.unit()[j] * draws[k][j]);
            }
        }
        return gains(columns);
    }

    /// Quantile of the gain of a candidate that gains nothing where it cannot be built.
    ///
    /// @param gains by draw
    /// @param chance that it can be built
    /// @param share 0 to 1
    static double quantile(double[] gains, double chance, double share) {
        double within = (share - (1 - chance)) / chance;
        if (!(within > 0)) {
            return 0;
        }
        double[] sorted = gains.clone();
        Arrays.sort(sorted);
        return sorted[Math.min(sorted.length - 1, (int) (within * sorted.length))];
    }

    /// Gain by draw, draws given by columns.
    private double[] gains(double[][] columns) {
        double[] inverse = fronts.inverse();
        double[] sums = new double[columns[0].length];
        double[] excess = new double[sums.length];
        double[] least = Arrays.stream(columns).mapToDouble(FrontCover::least).toArray();
        for (int i = 0; i < fronts.reach().length; i++) {
            double reach = fronts.reach()[i];
            if (isBeyond(least, i, reach)) {
                continue;
            }
            double weight = fronts.weight()[i];
            if (m == 3) {
                add3(
                        columns[0],
                        columns[1],
                        columns[2],
                        inverse[3 * i],
                        inverse[3 * i + 1],
                        inverse[3 * i + 2],
                        reach,
                        weight,
                        sums);
                continue;
            }
            Arrays.fill(excess, 1);
            for (int j = 0; j < m; j++) {
                widen(excess, columns[j], inverse[i * m + j]);
            }
            for (int k = 0; k < sums.length; k++) {
                sums[k] += weight * Math.max(0, reach - excess[k]);
            }
        }
        return sums;
    }

    /// True if even the least draw of some objective comes no nearer to a front's point than what was measured.
    private boolean isBeyond(double[] least, int point, double reach) {
        for (int j = 0; j < m; j++) {
            if (least[j] * fronts.inverse()[point * m + j] >= reach) {
                return true;
            }
        }
        return false;
    }

    private static double least(double[] column) {
        double least = column[0];
        for (double v : column) {
            least = Math.min(least, v);
        }
        return least;
    }

    private static void widen(double[] excess, double[] column, double factor) {
        for (int k = 0; k < excess.length; k++) {
            excess[k] = Math.max(excess[k], column[k] * factor);
        }
    }

    /// Three objectives at once. One array each and no offsets, or the compiler does not turn the loop into
    /// vector instructions.
    private static void add3(
            double[] x,
            double[] y,
            double[] z,
            double a,
            double b,
            double c,
            double reach,
            double weight,
            double[] sums) {
        for (int k = 0; k < sums.length; k++) {
            double excess = Math.max(Math.max(1, x[k] * a), Math.max(y[k] * b, z[k] * c));
            sums[k] += weight * Math.max(0, reach - excess);
        }
    }
}
