package knobscape.explore;

import java.util.Optional;
import knobscape.evaluate.Fidelity;
import knobscape.space.Configuration;

/// The expected result of an evaluation, as far as known without running the tool; a surrogate may take it as
/// its prior mean. Cheap (milliseconds), deterministic, thread-safe.
@FunctionalInterface
public interface Guess {
    /// Values of the run's objectives in their order and own units at a fidelity of the run's evaluator; empty
    /// where nothing can be said about this configuration.
    Optional<double[]> at(Configuration configuration, Fidelity fidelity);
}
