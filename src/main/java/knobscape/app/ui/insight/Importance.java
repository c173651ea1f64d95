package knobscape.app.ui.insight;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import knobscape.evaluate.Metric;
import knobscape.space.DesignSpace;

/// How much of the variance of an objective over the space is due to each knob: [ShapleyEffects] of the surrogate's
/// mean, which are right for knobs that constrain each other. Intervals from fits to designs drawn with replacement.
///
/// @param metric the objective
/// @param shares by falling share, knobs that vary only; they add up to 1
/// @param matter how many of them matter: the fewest that leave the others little together
/// @param rest share of the others together
/// @param explained share of the variance among the designs that the surrogate explains, each left out in turn
public record Importance(Metric metric, List<Share> shares, int matter, Share rest, double explained) {
    /// The method's name, and what a share means.
    public static final String METHOD = "Shapley effects";

    public static final String MEANING = "The part of the variance over the space that is due to a knob. Parts due to"
            + " several knobs together, or to knobs that constrain each other, are split evenly; all shares add up to 1.";

    private static final int MOST_CHAINS = 512;
    private static final int FEWEST_CHAINS = 128;
    private static final int ROWS = 12_000;
    private static final int DRAWS = 12;
    private static final int MOST_TOP = 4;
    private static final double LITTLE = 0.1;
    private static final double QUANTILE = 0.05;

    /// A share of the variance with its central 90 % interval.
    ///
    /// @param knob position, -1 for several together
    public record Share(int knob, double value, double low, double high) {}

    /// The knobs that matter.
    public List<Share> top() {
        return shares.subList(0, matter);
    }

    /// Importance for every objective.
    public static List<Importance> of(Surrogate surrogate, DesignSpace space) {
        return of(surrogate, space, () -> {});
    }

    /// Importance for every objective.
    ///
    /// @param check throws where nobody waits for it any more; called every few milliseconds
    static List<Importance> of(Surrogate surrogate, DesignSpace space, Runnable check) {
        int[] varying = IntStream.range(0, space.knobs().size())
                .filter(k -> space.possibleLevels(k).cardinality() > 1)
                .toArray();
        int chains = Math.clamp(ROWS / (varying.length + 1), FEWEST_CHAINS, MOST_CHAINS);
        var effects = new ShapleyEffects(space, varying, chains, new SplittableRandom(7), check);
        List<double[]> rows = effects.members().stream().map(surrogate::row).toList();
        return IntStream.range(0, surrogate.metrics().size())
                .mapToObj(j -> of(surrogate, j, effects, rows, varying, check))
                .toList();
    }

    private static Importance of(
            Surrogate surrogate,
            int objective,
            ShapleyEffects effects,
            List<double[]> rows,
            int[] varying,
            Runnable check) {
        double[][] drawn = IntStream.rangeClosed(0, DRAWS)
                .mapToObj(d -> {
                    check.run();
                    return effects.shares(surrogate.means(objective, rows, d));
                })
                .toArray(double[][]::new);
        List<Share> shares = Arrays.stream(varying)
                .mapToObj(k -> share(k, drawn, k))
                .sorted(Comparator.comparingDouble((Share s) -> -s.value()).thenComparingInt(Share::knob))
                .toList();
        List<Share> rests = IntStream.rangeClosed(1, Math.min(MOST_TOP, shares.size()))
                .mapToObj(n -> share(
                        -1, drawn, shares.stream().skip(n).mapToInt(Share::knob).toArray()))
                .toList();
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

    /// The joint share of some knobs, with the interval over the fits.
    private static Share share(int name, double[][] drawn, int... knobs) {
        double[] sums = Arrays.stream(drawn)
                .mapToDouble(d -> Arrays.stream(knobs).mapToDouble(k -> d[k]).sum())
                .toArray();
        double[] sorted = Arrays.stream(sums, 1, sums.length).sorted().toArray();
        int cut = (int) (QUANTILE * DRAWS);
        return new Share(name, sums[0], Math.min(sums[0], sorted[cut]), Math.max(sums[0], sorted[DRAWS - 1 - cut]));
    }
}
