package knobscape.explore.bayes;

import java.util.Arrays;
import java.util.List;
import knobscape.explore.acquisition.ExpectedImprovement;
import knobscape.numeric.Parallel;
import knobscape.pareto.NonDominatedBoxes;
import knobscape.surrogate.Posterior;

/// Expected improvement of Pareto hypervolume (thesis Eq. 3.11-3.12): the expectation, over what the surrogate
/// believes of a candidate, of the hypervolume that candidate would add. Over the disjoint boxes of the
/// non-dominated region the improvement is a sum of products `prod_j max(0, u_j - max(l_j, y_j))`; [#exact]
/// integrates each factor in closed form, [#sampled] averages the sum over draws. Objectives modelled as
/// logarithms are mapped back before their volume is taken.
public final class Eipv {
    private static final int CHUNK = 64;

    private Eipv() {}

    /// Exact where the objectives are independent; correlations in the posterior are ignored. Each factor is
    /// `psi(u) - psi(l)` with `psi(t) = E max(0, t - Y)`, normal (Emmerich et al. 2011) or log-normal (as in
    /// Black and Scholes 1973).
    ///
    /// @param boxes the region in normalised objectives
    /// @param scales how each objective is modelled
    public static Acquisition exact(NonDominatedBoxes boxes, List<Scale> scales) {
        return new Exact(boxes, scales)::score;
    }

    /// The average improvement over draws from the joint posterior; exact in the limit, correlations included.
    /// All candidates share the same normals, so that their differences are not noise.
    ///
    /// @param boxes the region in normalised objectives
    /// @param scales how each objective is modelled
    /// @param normals independent standard normals, S x M, quasi-random for preference
    /// ([knobscape.numeric.Sobol#normals])
    public static Acquisition sampled(NonDominatedBoxes boxes, List<Scale> scales, double[][] normals) {
        return new Sampled(boxes, scales, normals)::score;
    }

    private static final class Exact {
        private final int boxes;
        private final int m;
        private final Scale[] scales;
        /// By objective: the distinct finite corners in increasing order.
        private final double[][] corners;
        /// By box and objective: positions of its corners there; -1 for minus infinity.
        private final int[] lower;
        private final int[] upper;

        Exact(NonDominatedBoxes region, List<Scale> scales) {
            this.boxes = region.count();
            this.m = region.objectives();
            this.scales = scales.toArray(Scale[]::new);
            this.corners = new double[m][];
            this.lower = new int[boxes * m];
            this.upper = new int[boxes * m];
            for (int j = 0; j < m; j++) {
                double[] all = new double[2 * boxes];
                for (int i = 0; i < boxes; i++) {
                    all[2 * i] = region.lower(i, j);
                    all[2 * i + 1] = region.upper(i, j);
                }
                corners[j] = Arrays.stream(all)
                        .filter(v -> v > Double.NEGATIVE_INFINITY)
                        .sorted()
                        .distinct()
                        .toArray();
                for (int i = 0; i < boxes; i++) {
                    lower[i * m + j] =
                            all[2 * i] > Double.NEGATIVE_INFINITY ? Arrays.binarySearch(corners[j], all[2 * i]) : -1;
                    upper[i * m + j] = Arrays.binarySearch(corners[j], all[2 * i + 1]);
                }
            }
        }

        double[] score(Posterior p) {
            double[] scores = new double[p.size()];
            Parallel.chunks(p.size(), CHUNK, (from, to) -> {
                double[][] psi = new double[m][];
                for (int j = 0; j < m; j++) {
                    psi[j] = new double[corners[j].length];
                }
                for (int c = from; c < to; c++) {
                    for (int j = 0; j < m; j++) {
                        fill(psi[j], corners[j], p.mean(c, j), p.deviation(c, j), scales[j]);
                    }
                    double sum = 0;
                    for (int i = 0, at = 0; i < boxes; i++, at += m) {
                        double volume = 1;
                        for (int j = 0; j < m; j++) {
                            int l = lower[at + j];
                            volume *= psi[j][upper[at + j]] - (l < 0 ? 0 : psi[j][l]);
                        }
                        sum += volume;
                    }
                    scores[c] = sum;
                }
            });
            return scores;
        }

        private static void fill(double[] psi, double[] corners, double mean, double deviation, Scale scale) {
            for (int k = 0; k < psi.length; k++) {
                psi[k] = switch (scale) {
                    case LINEAR -> ExpectedImprovement.normal(corners[k], mean, deviation);
                    case LOG10 ->
                        ExpectedImprovement.exponential(corners[k], Scale.LN10 * mean, Scale.LN10 * deviation);
                };
            }
        }
    }

    private static final class Sampled {
        private final NonDominatedBoxes region;
        private final int m;
        private final Scale[] scales;
        private final double[][] normals;

        Sampled(NonDominatedBoxes region, List<Scale> scales, double[][] normals) {
            this.region = region;
            this.m = region.objectives();
            this.scales = scales.toArray(Scale[]::new);
            this.normals = normals;
        }

        double[] score(Posterior p) {
            double[] scores = new double[p.size()];
            Parallel.chunks(p.size(), CHUNK, (from, to) -> {
                double[][] draws = new double[normals.length][m];
                double[] best = new double[m];
                double[] near = new double[2 * m * region.count()];
                for (int c = from; c < to; c++) {
                    p.draw(c, normals, draws);
                    scores[c] = average(draws, best, near);
                }
            });
            return scores;
        }

        private double average(double[][] draws, double[] best, double[] near) {
            Arrays.fill(best, Double.POSITIVE_INFINITY);
            for (double[] y : draws) {
                for (int j = 0; j < m; j++) {
                    best[j] = Math.min(best[j], y[j]);
                }
            }
            for (int j = 0; j < m; j++) {
                best[j] = scales[j].toObjective(best[j]);
            }
            // Only boxes beyond the best value drawn of every objective can be improved into: for most
            // candidates there is none.
            int length = 0;
            for (int i = 0; i < region.count(); i++) {
                boolean reachable = true;
                for (int j = 0; j < m && reachable; j++) {
                    reachable = best[j] < region.upper(i, j);
                }
                if (reachable) {
                    for (int j = 0; j < m; j++) {
                        near[length++] = region.lower(i, j);
                        near[length++] = region.upper(i, j);
                    }
                }
            }
            if (length == 0) {
                return 0;
            }
            double sum = 0;
            for (double[] y : draws) {
                for (int j = 0; j < m; j++) {
                    y[j] = scales[j].toObjective(y[j]);
                }
                sum += m == 3 ? improvement3(y, near, length) : improvement(y, near, length);
            }
            return sum / draws.length;
        }

        private double improvement(double[] y, double[] near, int length) {
            double sum = 0;
            for (int at = 0; at < length; at += 2 * m) {
                double volume = 1;
                for (int j = 0; j < m && volume > 0; j++) {
                    volume *= Math.max(0, near[at + 2 * j + 1] - Math.max(near[at + 2 * j], y[j]));
                }
                sum += volume;
            }
            return sum;
        }

        private static double improvement3(double[] y, double[] near, int length) {
            double y0 = y[0];
            double y1 = y[1];
            double y2 = y[2];
            double sum = 0;
            for (int at = 0; at < length; at += 6) {
                double a = near[at + 1] - Math.max(near[at], y0);
                double b = near[at + 3] - Math.max(near[at + 2], y1);
                double c = near[at + 5] - Math.max(near[at + 4], y2);
                if (a > 0 && b > 0 && c > 0) {
                    sum += a * b * c;
                }
            }
            return sum;
        }
    }
}
