package knobscape.explore.bo;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import knobscape.evaluate.Evaluation;
import knobscape.evaluate.EvaluatorInfo;
import knobscape.evaluate.Metric;
import knobscape.explore.Experience;
import knobscape.explore.Prediction;
import knobscape.explore.Proposal;
import knobscape.space.Configuration;
import knobscape.space.DesignSpace;
import knobscape.space.FeatureEncoder;
import knobscape.space.Knob;
import knobscape.space.KnobSet;

/// What is searched for: the configuration that is best by one metric, which is positive.
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
                pick.improvement(),
                Optional.of(new Prediction(info.top().name(), Map.of(metric.name(), interval))),
                reason);
    }

    /// Rows of a space: the columns of [FeatureEncoder#coordinates], each brought to [0, 1], and by column its knob.
    static final class Rows {
        private final FeatureEncoder encoder;
        private final double[] least;
        private final double[] range;
        private final int[] group;

        Rows(KnobSet knobs) {
            encoder = FeatureEncoder.coordinates(knobs);
            least = new double[encoder.length()];
            range = new double[least.length];
            group = new int[least.length];
            int at = 0;
            int groups = 0;
            for (Knob knob : knobs.list()) {
                var alone = new KnobSet(List.of(knob));
                FeatureEncoder own = FeatureEncoder.coordinates(alone);
                for (int c = 0; c < own.length(); c++, at++) {
                    int column = c;
                    double[] values = IntStream.range(0, knob.domain().size())
                            .mapToDouble(l -> own.encode(Configuration.of(alone, l))[column])
                            .toArray();
                    least[at] = Arrays.stream(values).min().orElse(0);
                    range[at] = Math.max(1e-9, Arrays.stream(values).max().orElse(1) - least[at]);
                    group[at] = groups;
                }
                groups += knob.domain().size() > 1 ? 1 : 0;
            }
            // A knob without a choice shares the scale of another, which its constant column does not disturb.
            int last = Math.max(0, groups - 1);
            Arrays.setAll(group, c -> Math.min(group[c], last));
        }

        /// By column the position of its knob among those with a choice.
        int[] group() {
            return group.clone();
        }

        double[] of(Configuration c) {
            double[] x = encoder.encode(c);
            for (int i = 0; i < x.length; i++) {
                x[i] = (x[i] - least[i]) / range[i];
            }
            return x;
        }

        double[][] all(List<Configuration> configurations) {
            return configurations.stream().map(this::of).toArray(double[][]::new);
        }
    }
}
