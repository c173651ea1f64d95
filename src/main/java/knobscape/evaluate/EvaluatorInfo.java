package knobscape.evaluate;

import java.util.List;
import java.util.Map;
import java.util.Set;

/// The offer of an evaluator: its fidelity ladder, the metrics it reports and how it calls its numbers.
///
/// @param name short name as on the command line (`estimator`, `replay:FILE`)
/// @param description one sentence for a person
/// @param source what kind of numbers it gives
/// @param fidelities lowest first; a fidelity's rank is its index
/// @param metrics everything reported, in the order shown
/// @param reported names of the metrics each fidelity reports, by fidelity name
/// @param objectives names of the metrics explored by default, in order (`power`, `delay`, `lut`)
/// @param typicalSeconds tool time of each stage alone where nothing has been measured yet, by fidelity name
/// @param cost how the time of a stage passes
public record EvaluatorInfo(
        String name,
        String description,
        Provenance.Source source,
        List<Fidelity> fidelities,
        List<Metric> metrics,
        Map<String, Set<String>> reported,
        List<String> objectives,
        Map<String, Double> typicalSeconds,
        Cost cost) {
    /// How the time that an evaluator tells of a stage passes.
    public enum Cost {
        /// It is really spent.
        SPENT,
        /// It is told, not spent (estimators, replays): answers are taken in the order of their simulated ends.
        TOLD,
        /// An answer depends on the configuration alone and comes at once (models): searches may evaluate whole
        /// populations, and are repeated rather than stored.
        NONE
    }

    /// An evaluator that really spends the time it tells.
    public EvaluatorInfo(
            String name,
            String description,
            Provenance.Source source,
            List<Fidelity> fidelities,
            List<Metric> metrics,
            Map<String, Set<String>> reported,
            List<String> objectives,
            Map<String, Double> typicalSeconds) {
        this(name, description, source, fidelities, metrics, reported, objectives, typicalSeconds, Cost.SPENT);
    }

    public EvaluatorInfo {
        fidelities = List.copyOf(fidelities);
        metrics = List.copyOf(metrics);
        reported = Map.copyOf(reported);
        objectives = List.copyOf(objectives);
        typicalSeconds = Map.copyOf(typicalSeconds);
        for (int i = 0; i < fidelities.size(); i++) {
            if (fidelities.get(i).rank() != i) {
                throw new IllegalArgumentException("fidelity " + fidelities.get(i) + " must have rank " + i);
            }
        }
    }

    /// The metric called `metricName`; throws `IllegalArgumentException` where there is none.
    public Metric metric(String metricName) {
        return metrics.stream()
                .filter(m -> m.name().equals(metricName))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no metric is named '" + metricName + "'"));
    }

    /// The fidelity called `fidelityName`; throws `IllegalArgumentException` where there is none.
    public Fidelity fidelity(String fidelityName) {
        return fidelities.stream()
                .filter(f -> f.name().equals(fidelityName))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no fidelity is named '" + fidelityName + "'"));
    }

    /// The same of an evaluator that only tells costs.
    public EvaluatorInfo simulated() {
        return isPure() ? this : with(Cost.TOLD);
    }

    /// The same of an evaluator that is pure and instant.
    public EvaluatorInfo pure() {
        return with(Cost.NONE);
    }

    private EvaluatorInfo with(Cost other) {
        return new EvaluatorInfo(
                name, description, source, fidelities, metrics, reported, objectives, typicalSeconds, other);
    }

    /// True if costs are told, not spent.
    public boolean simulatesTime() {
        return cost != Cost.SPENT;
    }

    /// True if an answer depends on the configuration alone and comes at once.
    public boolean isPure() {
        return cost == Cost.NONE;
    }

    /// The highest fidelity.
    public Fidelity top() {
        return fidelities.getLast();
    }

    /// True if `fidelity` reports `metricName`.
    public boolean reports(Fidelity fidelity, String metricName) {
        return reported.getOrDefault(fidelity.name(), Set.of()).contains(metricName);
    }
}
