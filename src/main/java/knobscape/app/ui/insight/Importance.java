package knobscape.app.ui.insight;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import knobscape.evaluate.Metric;
import knobscape.space.DesignSpace;

/// How much of the variance of an objective goes when one knob is known: total Sobol indices of the
/// surrogate's mean (Jansen's estimator: the mean square of what a redrawn knob changes, over twice the variance), the
/// knobs drawn apart from each other. Intervals from fits to designs drawn with replacement.
///
/// @param metric the objective
/// @param shares by falling share, knobs that vary only
/// @param matter how many of them matter: the fewest that leave the others little together
/// @param rest index of the others together
/// @param explained share of the variance among the designs that the surrogate explains, each left out in turn
public record Importance(Metric metric, List<Share> shares, int matter, Share rest, double explained) {
    private static final int SAMPLES = 256;
    private static final int DRAWS = 12;
    private static final int MOST_TOP = 4;
    private static final double LITTLE = 0.1;
    private static final double QUANTILE = 0.05;

    /// A share of the variance with its central 90 % interval.
    ///
    /// @param knob position, -1 for several together
    public record Share(int knob, double value, double low, double high) {
        private Share of(int position) {
            return new Share(position, value, low, high);
        }
    }

    /// The knobs that matter.
    public List<Share> top() {
        return shares.subList(0, matter);
    }

    /// Importance for every objective.
    static List<Importance> of(Surrogate surrogate, DesignSpace space) {
        var random = new SplittableRandom(7);
        var one = rows(surrogate, space, random);
        var other = rows(surrogate, space, random);
        int[] varying = IntStream.range(0, space.knobs().size())
                .filter(k -> space.knobs().get(k).domain().size() > 1)
                .toArray();
        var all = new ArrayList<Importance>();
        for (int j = 0; j < surrogate.metrics().size(); j++) {
            all.add(of(surrogate, j, one, other, varying));
        }
        return all;
    }

    private static List<double[]> rows(Surrogate surrogate, DesignSpace space, SplittableRandom random) {
        return IntStream.range(0, SAMPLES)
                .mapToObj(i -> surrogate.row(space.draw(random)))
                .toList();
    }

    private static Importance of(
            Surrogate surrogate, int objective, List<double[]> one, List<double[]> other, int[] varying) {
        List<BitSet> single = Arrays.stream(varying).mapToObj(Importance::knobs).toList();
        List<Share> indices = indices(surrogate, objective, one, other, single);
        List<Share> shares = IntStream.range(0, varying.length)
                .mapToObj(i -> indices.get(i).of(varying[i]))
                .sorted(Comparator.comparingDouble((Share s) -> -s.value()).thenComparingInt(Share::knob))
                .toList();
        // What is left together when the first so many are known.
        List<BitSet> left = IntStream.rangeClosed(1, Math.min(MOST_TOP, shares.size()))
                .mapToObj(
                        n -> knobs(shares.stream().skip(n).mapToInt(Share::knob).toArray()))
                .toList();
        List<Share> rests = indices(surrogate, objective, one, other, left);
        int top = IntStream.range(0, rests.size())
                .filter(i -> rests.get(i).value() <= LITTLE)
                .findFirst()
                .orElse(rests.size() - 1);
        return new Importance(
                surrogate.metrics().get(objective),
                shares,
                rests.isEmpty() ? 0 : top + 1,
                rests.isEmpty() ? new Share(-1, 0, 0, 0) : rests.get(top),
                surrogate.explained(objective));
    }

    private static BitSet knobs(int... positions) {
        var set = new BitSet();
        Arrays.stream(positions).forEach(set::set);
        return set;
    }

    /// The total index of each group of knobs.
    private static List<Share> indices(
            Surrogate surrogate, int objective, List<double[]> one, List<double[]> other, List<BitSet> groups) {
        int n = one.size();
        var x = new ArrayList<>(one);
        x.addAll(other);
        groups.forEach(g -> IntStream.range(0, n).forEach(i -> x.add(surrogate.mixed(one.get(i), other.get(i), g))));
        double[][] drawn = new double[DRAWS + 1][];
        for (int d = 0; d <= DRAWS; d++) {
            double[] f = surrogate.means(objective, x, d);
            drawn[d] = IntStream.range(0, groups.size())
                    .mapToDouble(g -> index(f, n, 2 * n + g * n))
                    .toArray();
        }
        return IntStream.range(0, groups.size())
                .mapToObj(g -> {
                    double[] sorted = IntStream.rangeClosed(1, DRAWS)
                            .mapToDouble(d -> drawn[d][g])
                            .sorted()
                            .toArray();
                    int cut = (int) (QUANTILE * DRAWS);
                    double value = drawn[0][g];
                    return new Share(-1, value, Math.min(value, sorted[cut]), Math.max(value, sorted[DRAWS - 1 - cut]));
                })
                .toList();
    }

    /// Jansen's estimator from values at two samples of `n`, and at the first with redrawn knobs from `at` on.
    private static double index(double[] f, int n, int at) {
        double mean = Arrays.stream(f, 0, 2 * n).average().orElse(0);
        double variance =
                Arrays.stream(f, 0, 2 * n).map(v -> (v - mean) * (v - mean)).sum() / (2 * n);
        double changed = IntStream.range(0, n)
                .mapToDouble(i -> (f[i] - f[at + i]) * (f[i] - f[at + i]))
                .sum();
        return variance > 0 ? Math.min(1, changed / (2 * n * variance)) : 0;
    }
}
