package knobscape.surrogate;

import java.util.Optional;

/// Fits surrogates; knows nothing of what they are for. Deterministic: same data, start and seed, same surrogate.
@FunctionalInterface
public interface SurrogateTrainer {

    /// Fits one fidelity.
    ///
    /// @param data what was observed
    /// @param warmStart hyper-parameters of an earlier fit of the same shape; ignored where the shape does not fit
    /// @param seed of further starts, of weights, of whatever is drawn
    Surrogate fit(TrainingData data, Optional<double[]> warmStart, long seed);
}
