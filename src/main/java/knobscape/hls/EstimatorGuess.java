package knobscape.hls;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import knobscape.evaluate.CancellationSignal;
import knobscape.evaluate.Evaluation;
import knobscape.evaluate.Fidelity;
import knobscape.evaluate.Metric;
import knobscape.evaluate.Request;
import knobscape.explore.Guess;
import knobscape.hls.evaluate.estimator.EstimatorEvaluator;
import knobscape.space.Configuration;

/// The built-in estimate as a [Guess]. It says nothing of designs that it refuses (they do not fit, they are
/// too large), nor where an objective is none of its metrics.
///
/// @param objectives names of the run's objectives, in order
public record EstimatorGuess(EstimatorEvaluator estimator, List<String> objectives) implements Guess {
    public EstimatorGuess {
        objectives = List.copyOf(objectives);
    }

    /// For a run's objectives; empty where the estimator does not know one of them.
    static Optional<Guess> of(EstimatorEvaluator estimator, List<Metric> objectives) {
        var names = objectives.stream().map(Metric::name).toList();
        var known = estimator.info().metrics().stream().map(Metric::name).toList();
        return known.containsAll(names) ? Optional.of(new EstimatorGuess(estimator, names)) : Optional.empty();
    }

    @Override
    public Optional<double[]> at(Configuration configuration, Fidelity fidelity) {
        var stages = new ArrayList<Evaluation>();
        Fidelity own = estimator.info().fidelities().get(Math.min(fidelity.rank(), EstimatorEvaluator.IMPL.rank()));
        estimator.evaluate(Request.all(configuration, estimator.info(), own), stages::add, new CancellationSignal());
        if (stages.isEmpty() || stages.getLast().fidelity().rank() != own.rank()) {
            return Optional.empty();
        }
        double[] y = objectives.stream()
                .map(stages.getLast()::value)
                .mapToDouble(v -> v.orElse(Double.NaN))
                .toArray();
        return Arrays.stream(y).anyMatch(Double::isNaN) ? Optional.empty() : Optional.of(y);
    }
}
