package knobscape.explore.bo;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.OptionalDouble;
import java.util.stream.IntStream;
import knobscape.evaluate.Evaluation;
import knobscape.explore.History;
import knobscape.space.Configuration;

/// What a search has measured, a row per configuration in order of first arrival. Measurements of the same
/// configuration count by their mean.
///
/// @param configurations all of them
/// @param losses of each, smaller being better; a failure counts as worse than the worst by [#FAILURE]
/// @param measurements how often each was measured
/// @param failed whether each failed
/// @param deviation standard deviation of one measurement, from those that were repeated; NaN where none was
/// @param sinceGain measurements since one was last the best
record Observations(
        List<Configuration> configurations,
        double[] losses,
        int[] measurements,
        boolean[] failed,
        double deviation,
        int sinceGain) {
    /// By how much a failure is worse than the worst that ran.
    static final double FAILURE = 0.3;

    /// What bears on the metric: results at the top fidelity, and failures at any.
    static List<Evaluation> relevant(History history, Target target) {
        int top = target.info().top().rank();
        return history.evaluations().stream()
                .filter(e -> !e.isMeasured() || e.fidelity().rank() == top)
                .toList();
    }

    /// Of the first evaluations of a run.
    static Observations of(List<Evaluation> evaluations, Target target) {
        var rows = new LinkedHashMap<Configuration, List<OptionalDouble>>();
        double best = Double.POSITIVE_INFINITY;
        int since = 0;
        for (Evaluation e : evaluations) {
            OptionalDouble loss = target.loss(e);
            boolean isNew = !rows.containsKey(e.configuration());
            rows.computeIfAbsent(e.configuration(), c -> new ArrayList<>()).add(loss);
            since++;
            if (isNew && loss.isPresent() && loss.getAsDouble() < best) {
                best = loss.getAsDouble();
                since = 0;
            }
        }
        int n = rows.size();
        double[] losses = new double[n];
        int[] counts = new int[n];
        boolean[] failed = new boolean[n];
        double squares = 0;
        int degrees = 0;
        double worst = Double.NEGATIVE_INFINITY;
        int i = 0;
        for (List<OptionalDouble> all : rows.values()) {
            double[] ran = all.stream()
                    .filter(OptionalDouble::isPresent)
                    .mapToDouble(OptionalDouble::getAsDouble)
                    .toArray();
            failed[i] = ran.length == 0;
            counts[i] = Math.max(1, ran.length);
            double mean = IntStream.range(0, ran.length)
                    .mapToDouble(k -> ran[k])
                    .average()
                    .orElse(0);
            for (double v : ran) {
                squares += (v - mean) * (v - mean);
            }
            degrees += Math.max(0, ran.length - 1);
            losses[i] = mean;
            worst = failed[i] ? worst : Math.max(worst, mean);
            i++;
        }
        for (int k = 0; k < n; k++) {
            losses[k] = failed[k] ? worst + FAILURE : losses[k];
        }
        return new Observations(
                List.copyOf(rows.keySet()),
                losses,
                counts,
                failed,
                degrees == 0 ? Double.NaN : Math.sqrt(squares / degrees),
                since);
    }

    int size() {
        return losses.length;
    }

    /// Whether anything ran.
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

    /// Whether measurements of the same configuration differ.
    boolean isNoisy() {
        return deviation > 1e-4;
    }
}
