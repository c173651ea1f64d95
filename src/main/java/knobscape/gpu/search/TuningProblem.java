package knobscape.gpu.search;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import knobscape.evaluate.Evaluation;
import knobscape.evaluate.EvaluatorInfo;
import knobscape.evaluate.Metric;
import knobscape.explore.History;
import knobscape.explore.Proposal;
import knobscape.space.Configuration;
import knobscape.space.DesignSpace;

/// A kernel to be made fast.
///
/// @param space its configurations
/// @param features what cost models see of them
/// @param coordinates where distances are measured
/// @param info of the evaluator that will answer; everything is run to its top fidelity
/// @param metric the one number that counts, maximised or minimised as it says
/// @param seed of everything random
public record TuningProblem(DesignSpace space, TuningFeatures features, KnobTable coordinates, EvaluatorInfo info, Metric metric, long seed) {

    /// A problem whose cost models see the knobs.
    public static TuningProblem ofKnobs(DesignSpace space, EvaluatorInfo info, long seed) {
        return new TuningProblem(space, KnobTable.features(space.knobs()), KnobTable.coordinates(space.knobs()), info, info.metric(info.objectives().getFirst()), seed);
    }

    /// The same with other features.
    public TuningProblem withFeatures(TuningFeatures other) {
        return new TuningProblem(space, other, coordinates, info, metric, seed);
    }

    /// How good an evaluation is: the metric (its reciprocal where small is good), 0 for every kind of failure.
    public double score(Evaluation evaluation) {
        double v = evaluation.value(metric.name()).orElse(0);
        return v <= 0 ? 0 : metric.direction() == Metric.Direction.MINIMISE ? 1 / v : v;
    }

    Proposal proposal(Configuration configuration, double expected, String reason) {
        return new Proposal(configuration, info.top(), expected, Optional.empty(), reason);
    }

    /// What is known, as rows for a cost model.
    ///
    /// @param configurations in order of arrival
    /// @param scores of each, as in [#score], divided by the best of them
    record Data(List<Configuration> configurations, float[] rows, float[] scores, double best, Optional<Configuration> bestConfiguration) {
        int size() {
            return scores.length;
        }

        boolean hasSignal() {
            return best > 0;
        }
    }

    Data data(History history) {
        List<Evaluation> known = history.at(info.top());
        int d = features.length();
        float[] rows = new float[known.size() * d];
        float[] scores = new float[known.size()];
        double best = 0;
        Optional<Configuration> winner = Optional.empty();
        var configurations = new ArrayList<Configuration>();
        for (int i = 0; i < scores.length; i++) {
            Evaluation e = known.get(i);
            features.write(e.configuration(), rows, i * d);
            configurations.add(e.configuration());
            double s = score(e);
            scores[i] = (float) s;
            if (s > best) {
                best = s;
                winner = Optional.of(e.configuration());
            }
        }
        for (int i = 0; i < scores.length && best > 0; i++) {
            scores[i] = (float) (scores[i] / best);
        }
        return new Data(configurations, rows, scores, best, winner);
    }

    /// Configurations asked for so far, answered or not.
    static Set<Configuration> asked(History history) {
        Set<Configuration> asked = new HashSet<>();
        history.evaluations().forEach(e -> asked.add(e.configuration()));
        history.pending().forEach(p -> asked.add(p.configuration()));
        return asked;
    }
}
