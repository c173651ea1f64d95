package knobscape.explore;

import java.util.List;
import java.util.Optional;
import knobscape.evaluate.Evaluation;
import knobscape.evaluate.Metric;
import knobscape.evaluate.Outcome;

/// The objectives of a run and how raw values become the normalised, minimised vectors that fronts, hypervolume
/// and ADRS use (thesis section 3.6.3): value / scale, where the scale is the part's maximum or, where there is
/// none, twice the largest value among the initial designs. A maximised metric is mirrored: 1 - value / scale.
///
/// @param metrics the objectives in order, M of them
/// @param scales positive divisor of each, in the metric's unit
/// @param reference normalised reference point of the hypervolume, fixed at the start of a run
public record Objectives(List<Metric> metrics, List<Double> scales, List<Double> reference) {

    /// Coordinate of the default reference point in every objective.
    public static final double DEFAULT_REFERENCE = 1.1;

    public Objectives {
        metrics = List.copyOf(metrics);
        scales = List.copyOf(scales);
        reference = List.copyOf(reference);
        if (metrics.size() != scales.size() || metrics.size() != reference.size()) {
            throw new IllegalArgumentException("metrics, scales and reference must have one entry per objective");
        }
    }

    /// Scales from the metrics' limits and the initial evaluations at the top fidelity reached by each; a limit
    /// of NaN asks for twice the largest value seen there (1 where nothing was measured).
    public static Objectives calibrate(List<Metric> metrics, List<Evaluation> initial) {
        List<Double> scales = metrics.stream()
                .map(m -> {
                    if (Double.isFinite(m.limit()) && m.limit() > 0) {
                        return m.limit();
                    }
                    double largest = initial.stream()
                            .map(e -> e.value(m.name()))
                            .filter(v -> v.isPresent())
                            .mapToDouble(v -> v.getAsDouble())
                            .max()
                            .orElse(0.5);
                    return largest > 0 ? 2 * largest : 1.0;
                })
                .toList();
        return new Objectives(
                metrics, scales, metrics.stream().map(m -> DEFAULT_REFERENCE).toList());
    }

    /// Number of objectives M.
    public int count() {
        return metrics.size();
    }

    /// Normalised value of objective `j`, smaller is better.
    public double normalise(int j, double raw) {
        double v = raw / scales.get(j);
        return metrics.get(j).direction() == Metric.Direction.MAXIMISE ? 1 - v : v;
    }

    /// Raw value, in the metric's unit, of a normalised one.
    public double raw(int j, double normalised) {
        double v = metrics.get(j).direction() == Metric.Direction.MAXIMISE ? 1 - normalised : normalised;
        return v * scales.get(j);
    }

    /// The normalised vector of an evaluation, where every objective was measured.
    public Optional<double[]> vector(Evaluation evaluation) {
        if (!(evaluation.outcome() instanceof Outcome.Measured m)) {
            return Optional.empty();
        }
        double[] y = new double[count()];
        for (int j = 0; j < y.length; j++) {
            var v = m.value(metrics.get(j).name());
            if (v.isEmpty()) {
                return Optional.empty();
            }
            y[j] = normalise(j, v.getAsDouble());
        }
        return Optional.of(y);
    }

    /// The reference point as an array of length M.
    public double[] referencePoint() {
        return reference.stream().mapToDouble(Double::doubleValue).toArray();
    }
}
