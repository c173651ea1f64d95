package knobscape.explore.bayes;

import java.util.LinkedHashMap;
import java.util.Map;
import knobscape.evaluate.EvaluatorInfo;
import knobscape.explore.Objectives;
import knobscape.explore.Prediction;
import knobscape.surrogate.FidelityLadder;
import knobscape.surrogate.Posterior;

/// The belief about candidates at the highest fidelity, in the metrics' own units.
record Forecast(
        EvaluatorInfo info,
        Objectives objectives,
        Observations observations,
        FidelityLadder ladder,
        LadderPredictions beliefs) {
    private static final double NINETY_PERCENT = 1.6448536269514722;

    /// The prediction for candidate `i`, with its 90 % interval.
    Prediction of(int i) {
        Posterior p = beliefs.raw(observations.levels().size() - 1);
        double[] noise = ladder.models().getLast().noise();
        int[] outputs = observations.levels().getLast().outputs();
        Map<String, Prediction.Interval> metrics = new LinkedHashMap<>();
        for (int o = 0; o < outputs.length; o++) {
            int j = outputs[o];
            if (j >= objectives.count()) {
                break;
            }
            double mean = p.mean(i, o);
            double reach = NINETY_PERCENT * Math.sqrt(p.covariance(i, o, o) + noise[o]);
            double a = raw(j, mean - reach);
            double b = raw(j, mean + reach);
            metrics.put(
                    objectives.metrics().get(j).name(),
                    new Prediction.Interval(raw(j, mean), Math.min(a, b), Math.max(a, b)));
        }
        return new Prediction(info.top().name(), metrics);
    }

    private double raw(int j, double modelled) {
        return objectives.raw(j, observations.scales().get(j).toObjective(modelled));
    }
}
