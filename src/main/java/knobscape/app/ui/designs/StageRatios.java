package knobscape.app.ui.designs;

import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import knobscape.evaluate.Evaluation;
import knobscape.evaluate.EvaluatorInfo;
import knobscape.evaluate.Fidelity;
import knobscape.evaluate.Metric;
import knobscape.explore.Prediction;
import knobscape.project.Design;
import smile.stat.distribution.TDistribution;

/// The ratios of the top stage to lower ones, over the designs that have both. A search
/// predicts a design before it is evaluated; once a lower stage has answered, this knows better.
///
/// @param top the highest fidelity
/// @param byStage logarithms of top / lower by rank of the lower stage and by metric, with their spread
record StageRatios(Fidelity top, Map<Integer, Map<String, Ratio>> byStage) {
    /// With fewer designs that have both stages nothing is predicted.
    static final int ENOUGH = 3;

    /// Designs that the ratios are learned from.
    private static final int MOST = 2_000;
    private static final double QUANTILE = 0.95;

    /// Logarithm of a ratio: mean, and half the 90 % interval of one more design (Student's t).
    private record Ratio(double mean, double half) {
        static Ratio of(double[] logs) {
            double mean = Arrays.stream(logs).average().orElseThrow();
            int n = logs.length;
            double variance =
                    Arrays.stream(logs).map(v -> (v - mean) * (v - mean)).sum() / (n - 1);
            double t = new TDistribution(n - 1).quantile(QUANTILE);
            return new Ratio(mean, t * Math.sqrt(variance * (1 + 1.0 / n)));
        }
    }

    /// Learns from the designs of one space.
    static StageRatios of(EvaluatorInfo info, Collection<Design> designs) {
        var byStage = new HashMap<Integer, Map<String, Ratio>>();
        for (Fidelity lower : info.fidelities()) {
            if (lower.rank() < info.top().rank()) {
                var ratios = new HashMap<String, Ratio>();
                for (Metric m : info.metrics()) {
                    double[] logs = designs.stream()
                            .filter(d -> d.evaluations().size() > 1)
                            .limit(MOST)
                            .mapToDouble(d -> value(d.at(info.top()), m) / value(d.at(lower), m))
                            .filter(r -> r > 0 && Double.isFinite(r))
                            .map(Math::log)
                            .toArray();
                    if (logs.length >= ENOUGH) {
                        ratios.put(m.name(), Ratio.of(logs));
                    }
                }
                byStage.put(lower.rank(), ratios);
            }
        }
        return new StageRatios(info.top(), byStage);
    }

    private static double value(Optional<Evaluation> stage, Metric m) {
        return stage.map(e -> e.value(m.name()).orElse(Double.NaN)).orElse(Double.NaN);
    }

    /// The top fidelity from the highest stage a design was measured at; empty where a metric in `needed` cannot be
    /// said.
    Optional<Prediction> predict(Design d, List<Metric> needed) {
        Optional<Evaluation> stage = d.highest().filter(Evaluation::isMeasured);
        Map<String, Ratio> ratios =
                stage.map(e -> byStage.get(e.fidelity().rank())).orElse(Map.of());
        if (ratios.isEmpty()) {
            return Optional.empty();
        }
        var metrics = new HashMap<String, Prediction.Interval>();
        ratios.forEach((name, r) -> stage.get().value(name).ifPresent(v -> {
            if (v > 0) {
                metrics.put(
                        name,
                        new Prediction.Interval(
                                v * Math.exp(r.mean()),
                                v * Math.exp(r.mean() - r.half()),
                                v * Math.exp(r.mean() + r.half())));
            }
        }));
        return needed.stream().allMatch(m -> metrics.containsKey(m.name()))
                ? Optional.of(new Prediction(top.name(), metrics))
                : Optional.empty();
    }
}
