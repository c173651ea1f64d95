package knobscape.explore.bayes;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import knobscape.surrogate.Posterior;
import knobscape.surrogate.numeric.Parallel;

/// Expected fall of ADRS: how much nearer, on average over the points of fronts drawn from what is believed, the designs measured would come to these
/// fronts if a candidate were measured too. Hypervolume pays little for the ends of a front, where a new point dominates a thin slice; the average distance weighs
/// every point of the front alike.
///
/// The distance is that of ADRS, the largest relative excess over a point in any objective: on a logarithmic scale `exp(max_j (y_j - g_j)) - 1`, so that with the exponentials of both at hand
/// nothing but products and maxima is left for the inner loop.
final class FrontCover implements Acquisition {
    private static final int CHUNK = 32;
    /// Most points taken of one front, spread evenly along its first objective: their mean stands for the front's.
    private static final int POINTS = 24;
    /// Relative excess beyond which a point counts no more.
    private static final double FARTHEST = 19;

    private final Drawn fronts;
    private final int m;
    private final double[][] normals;

    /// Points of fronts drawn that nothing measured covers.
    ///
    /// @param unit by objective: what a step of 1 on the modelled scale counts
    /// @param inverse `exp(-unit_j g_j)`, M for each point
    /// @param reach 1 + relative excess of the nearest design measured
    /// @param weight share of the point in its front, over the number of fronts
    /// @param members candidates on any of the fronts, in increasing order
    record Drawn(double[] unit, double[] inverse, double[] reach, double[] weight, int[] members) { }

    /// @param fronts fronts drawn from the posterior
    /// @param normals draws of a candidate, S x M
    FrontCover(Drawn fronts, double[][] normals) {
        this.fronts = fronts;
        this.m = fronts.unit().length;
        this.normals = normals;
    }

    /// Fronts of the candidates' draws and what was measured, one per row of `normals`; all candidates of a front share the row, so that no candidate is
    /// the best of many lucky ones.
    ///
    /// @param p beliefs about the candidates
    /// @param measured front measured so far, on the modelled scale
    /// @param unit by objective: what a step of 1 on the modelled scale counts
    /// @param normals K x M
    static Drawn draw(Posterior p, double[][] measured, double[] unit, double[][] normals) {
        int m = unit.length;
        double[][][] drawn = new double[p.size()][normals.length][m];
        Parallel.chunks(p.size(), 64, (from, to) -> {
            for (int i = from; i < to; i++) {
                p.draw(i, normals, drawn[i]);
            }
        });
        double[][][] fronts = new double[normals.length][][];
        boolean[][] member = new boolean[normals.length][p.size()];
        Parallel.chunks(normals.length, 1, (k, end) -> {
            double[][] all = new double[drawn.length + measured.length][];
            System.arraycopy(measured, 0, all, 0, measured.length);
            for (int i = 0; i < drawn.length; i++) {
                all[measured.length + i] = drawn[i][k];
            }
            int[] rows = nonDominated(all);
            for (int i : rows) {
                if (i >= measured.length) {
                    member[k][i - measured.length] = true;
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
        return new Drawn(unit, inverse, ends.stream().mapToDouble(e -> e[0]).toArray(), ends.stream().mapToDouble(e -> e[1]).toArray(),
                IntStream.range(0, p.size()).filter(i -> Arrays.stream(member).anyMatch(row -> row[i])).toArray());
    }

    /// Positions of the non-dominated rows, of equal ones the first. In the order of their sums a row can be dominated by earlier ones only.
    static int[] nonDominated(double[][] rows) {
        long[] order = new long[rows.length];
        for (int i = 0; i < rows.length; i++) {
            double sum = 0;
            for (double v : rows[i]) {
                sum += v;
            }
            // Sums as floats in an order that integers share, positions below: one sort of primitives. Rounding may put a row before one that dominates it; that one then takes it out.
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
                covered = covers(rows[front[f]], rows[i]);
            }
            if (!covered) {
                int kept = 0;
                for (int f = 0; f < size; f++) {
                    if (!covers(rows[i], rows[front[f]])) {
                        front[kept++] = front[f];
                    }
                }
                front[kept++] = i;
                size = kept;
            }
        }
        return Arrays.copyOf(front, size);
    }

    private static boolean covers(double[] a, double[] b) {
        for (int j = 0; j < a.length; j++) {
            if (a[j] > b[j]) {
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
        return IntStream.range(0, POINTS).mapToObj(i -> front[(int) ((i + 0.5) * front.length / POINTS)]).toArray(double[][]::new);
    }

    @Override
    public double[] score(Posterior p) {
        double[] scores = new double[p.size()];
        Parallel.chunks(p.size(), CHUNK, (from, to) -> {
            int s = normals.length;
            double[][] draws = new double[s][m];
            double[] columns = new double[m * s];
            double[] sums = new double[s];
            double[] excess = new double[s];
            for (int i = from; i < to; i++) {
                p.draw(i, normals, draws);
                for (int j = 0; j < m; j++) {
                    for (int k = 0; k < s; k++) {
                        columns[j * s + k] = Math.exp(fronts.unit()[j] * draws[k][j]);
                    }
                }
                scores[i] = average(columns, s, sums, excess);
            }
        });
        return scores;
    }

    /// Mean gain over the draws, given by columns.
    private double average(double[] columns, int s, double[] sums, double[] excess) {
        double[] inverse = fronts.inverse();
        Arrays.fill(sums, 0);
        if (m == 3) {
            for (int i = 0; i < fronts.reach().length; i++) {
                add3(columns, s, inverse[3 * i], inverse[3 * i + 1], inverse[3 * i + 2], fronts.reach()[i], fronts.weight()[i], sums);
            }
            return Arrays.stream(sums).sum() / s;
        }
        for (int i = 0; i < fronts.reach().length; i++) {
            double reach = fronts.reach()[i];
            double weight = fronts.weight()[i];
            Arrays.fill(excess, 1);
            for (int j = 0; j < m; j++) {
                double g = inverse[i * m + j];
                int column = j * s;
                for (int k = 0; k < s; k++) {
                    excess[k] = Math.max(excess[k], columns[column + k] * g);
                }
            }
            for (int k = 0; k < s; k++) {
                sums[k] += weight * Math.max(0, reach - excess[k]);
            }
        }
        double sum = 0;
        for (int k = 0; k < s; k++) {
            sum += sums[k];
        }
        return sum / s;
    }

    private static void add3(double[] columns, int s, double a, double b, double c, double reach, double weight, double[] sums) {
        for (int k = 0; k < s; k++) {
            double excess = Math.max(Math.max(1, columns[k] * a), Math.max(columns[s + k] * b, columns[2 * s + k] * c));
            sums[k] += weight * Math.max(0, reach - excess);
        }
    }
}
