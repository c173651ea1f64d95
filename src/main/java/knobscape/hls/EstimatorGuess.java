package knobscape.hls;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import knobscape.evaluate.CancellationSignal;
import knobscape.evaluate.Evaluation;
import knobscape.evaluate.Fidelity;
import knobscape.evaluate.Metric;
import knobscape.evaluate.Request;
import knobscape.explore.Guess;
import knobscape.hls.evaluate.estimator.EstimatorEvaluator;
import knobscape.space.Configuration;
import org.jspecify.annotations.Nullable;

/// The built-in estimate as a [Guess]. It says nothing of designs that it refuses (they do not fit, they are too
/// large), nor where an objective is none of its metrics. The kernel is prepared when it is first asked.
public final class EstimatorGuess implements Guess {
    private final Supplier<EstimatorEvaluator> maker;
    private final List<String> objectives;

    private @Nullable EstimatorEvaluator estimator;

    /// @param maker makes the estimator, once
    /// @param objectives the run's, in order
    public EstimatorGuess(Supplier<EstimatorEvaluator> maker, List<Metric> objectives) {
        this.maker = maker;
        this.objectives = objectives.stream().map(Metric::name).toList();
    }

    private synchronized EstimatorEvaluator estimator() {
        if (estimator == null) {
            estimator = maker.get();
        }
        return estimator;
    }

    @Override
    public Optional<double[]> at(Configuration configuration, Fidelity fidelity) {
        EstimatorEvaluator e = estimator();
        var stages = new ArrayList<Evaluation>();
        Fidelity own = e.info().fidelities().get(Math.min(fidelity.rank(), EstimatorEvaluator.IMPL.rank()));
        e.evaluate(Request.all(configuration, e.info(), own), stages::add, new CancellationSignal());
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
