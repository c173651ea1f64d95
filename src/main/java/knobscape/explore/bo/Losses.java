package knobscape.explore.bo;

import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.OptionalDouble;
import java.util.stream.IntStream;
import knobscape.evaluate.Evaluation;
import knobscape.evaluate.RepeatedMeasurements;
import knobscape.explore.History;
import knobscape.space.Configuration;

/// The measurements of a search, a row per configuration in order of first arrival. Measurements of the same
/// configuration count by their mean.
///
/// @param configurations all of them
/// @param losses of each, smaller being better; a failure counts as worse than the worst by [#FAILURE]
/// @param measurements how often each was measured
/// @param failed whether each failed
/// @param deviation standard deviation of one measurement, from those that were repeated; NaN where none was
/// @param sinceGain measurements since one was last the best
record Losses(
        List<Configuration> configurations,
        double[] losses,
        int[] measurements,
        boolean[] failed,
        double deviation,
        int sinceGain) {
    /// By how much a failure is worse than the worst that ran.
    static final double FAILURE = 0.3;

    /// The evaluations that bear on the metric: results at the top fidelity, and failures at any.
    static List<Evaluation> relevant(History history, Target target) {
        int top = target.info().top().rank();
        return history.evaluations().stream()
                .filter(e -> !e.isMeasured() || e.fidelity().rank() == top)
                .toList();
    }

    /// Of the first evaluations of a run.
    static Losses of(List<Evaluation> evaluations, Target target) {
        var ran = RepeatedMeasurements.byLoss(target::loss);
        var seen = new LinkedHashSet<Configuration>();
        double best = Double.POSITIVE_INFINITY;
        int since = 0;
        for (Evaluation e : evaluations) {
            double loss = target.loss(e).orElse(Double.POSITIVE_INFINITY);
            ran.add(e);
            since++;
            if (seen.add(e.configuration()) && loss < best) {
                best = loss;
                since = 0;
            }
        }
        List<Configuration> configurations = List.copyOf(seen);
        int n = configurations.size();
        double[] losses = new double[n];
        int[] counts = new int[n];
        boolean[] failed = new boolean[n];
        double worst = Double.NEGATIVE_INFINITY;
        for (int i = 0; i < n; i++) {
            OptionalDouble mean = ran.loss(configurations.get(i));
            failed[i] = mean.isEmpty();
            losses[i] = mean.orElse(0);
            counts[i] = Math.max(1, ran.count(configurations.get(i)));
            worst = Math.max(worst, mean.orElse(worst));
        }
        for (int k = 0; k < n; k++) {
            losses[k] = failed[k] ? worst + FAILURE : losses[k];
        }
        return new Losses(
                configurations, losses, counts, failed, ran.deviation().orElse(Double.NaN), since);
    }

    int size() {
        return losses.length;
    }

    /// True if anything ran.
    boolean hasSignal() {
        return IntStream.range(0, failed.length).anyMatch(i -> !failed[i]);
    }

    /// Positions by rising value, of equals the first.
    static List<Integer> order(double[] values) {
        return IntStream.range(0, values.length)
                .boxed()
                .sorted(Comparator.comparingDouble((Integer i) -> values[i]).thenComparingInt(i -> i))
                .toList();
    }

    /// True if measurements of the same configuration differ.
    boolean isNoisy() {
        return deviation > 1e-4;
    }
}
