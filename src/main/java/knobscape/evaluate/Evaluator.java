package knobscape.evaluate;

import java.util.List;
import knobscape.space.Configuration;

/// The only door to the outside: a tool, a device, a cost model, replayed data. It may be asked from several threads at once.
public interface Evaluator extends AutoCloseable {

    /// What this evaluator offers.
    EvaluatorInfo info();

    /// Runs every stage from the lowest up to `upTo`, one [Evaluation] per stage in order. Where a stage does not come out
    /// [Outcome.Measured], it is the last of the list. The cost of each evaluation is that stage's own tool time.
    ///
    /// Throws `CancellationException` where `cancel` asked to stop before the result was there; failures of the tool are outcomes, not exceptions.
    List<Evaluation> evaluate(Configuration configuration, Fidelity upTo, CancellationSignal cancel);

    /// What all its figures assume about the work at hand, one sentence each; shown where figures are shown. Empty where nothing is assumed.
    default List<String> notes() {
        return List.of();
    }

    @Override
    default void close() { }
}
