package knobscape.explore.bo;

import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Predicate;
import knobscape.evaluate.Evaluation;
import knobscape.evaluate.EvaluatorInfo;
import knobscape.evaluate.Metric;
import knobscape.explore.Experience;
import knobscape.explore.Prediction;
import knobscape.explore.Proposal;
import knobscape.space.Configuration;
import knobscape.space.DesignSpace;

/// The target of a search: the configuration that is best by one metric, which is positive.
///
/// @param space its configurations
/// @param info of the evaluator that will answer; everything is run to its top fidelity
/// @param metric maximised or minimised as it says
/// @param canRun whether a configuration can run at all, as far as that is known without measuring
/// @param experience what was measured before of comparable subjects
/// @param seed of everything random
public record Target(
        DesignSpace space,
        EvaluatorInfo info,
        Metric metric,
        Predicate<Configuration> canRun,
        Experience experience,
        long seed) {
    /// Half of a central 90 % interval, in standard deviations.
    private static final double NINETY = 1.6449;

    /// A search without history among configurations of which nothing is known.
    public static Target of(DesignSpace space, EvaluatorInfo info, Metric metric, long seed) {
        return new Target(space, info, metric, _ -> true, Experience.none(space), seed);
    }

    /// Natural logarithm of the metric, smaller being better; empty for every kind of failure.
    OptionalDouble loss(Evaluation evaluation) {
        double v = evaluation.value(metric.name()).orElse(0);
        return v <= 0
                ? OptionalDouble.empty()
                : OptionalDouble.of(metric.direction() == Metric.Direction.MINIMISE ? Math.log(v) : -Math.log(v));
    }

    Proposal proposal(Configuration configuration, double acquisition, String reason) {
        return new Proposal(configuration, info.top(), acquisition, Optional.empty(), reason);
    }

    /// With what is expected of it.
    Proposal proposal(Arm.Pick pick, String reason) {
        double sign = metric.direction() == Metric.Direction.MINIMISE ? 1 : -1;
        double reach = NINETY * pick.deviation();
        var interval = new Prediction.Interval(
                Math.exp(sign * pick.mean()),
                Math.exp(sign * pick.mean() - reach),
                Math.exp(sign * pick.mean() + reach));
        return new Proposal(
                pick.configuration(),
                info.top(),
                Math.exp(pick.logImprovement()),
                Optional.of(new Prediction(info.top().name(), Map.of(metric.name(), interval))),
                reason);
    }
}
