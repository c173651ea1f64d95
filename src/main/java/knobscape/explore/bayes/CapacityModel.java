package knobscape.explore.bayes;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import knobscape.evaluate.Evaluation;
import knobscape.evaluate.EvaluatorInfo;
import knobscape.evaluate.Metric;
import knobscape.evaluate.Outcome;
import knobscape.explore.History;
import knobscape.numeric.StandardNormal;
import knobscape.space.Configuration;

/// The belief about a design's chance to fit its part, by the fullest resource of the lowest stage's report: a
/// probit with an unknown threshold, weighed over a grid. A report above the part's size is doubted from the start, as
/// reports of the lowest stage are rough; each design that was built or refused further up moves the threshold, one
/// alone only a little.
final class CapacityModel {
    /// Thresholds, natural logarithms of how full the part is by the report.
    private static final double[] THRESHOLDS =
            IntStream.rangeClosed(-20, 30).mapToDouble(i -> 0.1 * i).toArray();
    /// Mean and deviation of the threshold beforehand: reports usually say too much.
    private static final double MEAN = 0.2;
    private static final double DEVIATION = 0.6;
    /// Deviation of what a report says from what is needed in the end, as a logarithm.
    private static final double WIDTH = 0.25;
    /// Chance that a design comes out otherwise for another reason.
    private static final double LAPSE = 0.05;

    private final double[] weights;

    private CapacityModel(double[] weights) {
        this.weights = weights;
    }

    static CapacityModel of(History history, EvaluatorInfo info) {
        double[] logs = Arrays.stream(THRESHOLDS)
                .map(t -> -0.5 * Math.pow((t - MEAN) / DEVIATION, 2))
                .toArray();
        List<Evaluation> ends = history.evaluations().stream()
                .filter(e -> e.fidelity().rank() > 0)
                .filter(e -> e.outcome() instanceof Outcome.Failure f
                        ? f.kind().isInvalid()
                        : e.fidelity().rank() == info.top().rank())
                .distinct()
                .toList();
        for (Evaluation e : ends) {
            double load = load(history, info, e.configuration());
            for (int i = 0; i < logs.length && !Double.isNaN(load); i++) {
                double fits = LAPSE + (1 - 2 * LAPSE) * StandardNormal.cumulative((THRESHOLDS[i] - load) / WIDTH);
                logs[i] += Math.log(e.isMeasured() ? fits : 1 - fits);
            }
        }
        double most = Arrays.stream(logs).max().orElseThrow();
        double[] weights = Arrays.stream(logs).map(l -> Math.exp(l - most)).toArray();
        double sum = Arrays.stream(weights).sum();
        return new CapacityModel(Arrays.stream(weights).map(w -> w / sum).toArray());
    }

    /// Natural logarithm of how full the fullest resource is by the lowest stage's report; NaN where that says nothing.
    static double load(History history, EvaluatorInfo info, Configuration c) {
        return history.find(c, info.fidelities().getFirst()).stream()
                .flatMapToDouble(e -> info.metrics().stream()
                        .filter(m -> m.direction() == Metric.Direction.MINIMISE
                                && m.unit().isEmpty()
                                && m.limit() > 0
                                && Double.isFinite(m.limit()))
                        .filter(m -> e.value(m.name()).isPresent())
                        .mapToDouble(m -> Math.log(Math.max(1, e.value(m.name()).getAsDouble()) / m.limit())))
                .max()
                .orElse(Double.NaN);
    }

    /// Chance that a design fits whose load is believed to be normal.
    double fits(double mean, double variance) {
        double deviation = Math.sqrt(WIDTH * WIDTH + variance);
        return IntStream.range(0, weights.length)
                .mapToDouble(i -> weights[i] * StandardNormal.cumulative((THRESHOLDS[i] - mean) / deviation))
                .sum();
    }
}
