package knobscape.evaluate;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import knobscape.space.Configuration;

/// The only door to the outside: a tool, a device, a cost model, replayed data. It may be asked from several
/// threads at once.
public interface Evaluator extends AutoCloseable {

    /// The offer of this evaluator.
    EvaluatorInfo info();

    /// Makes sure that evaluations can begin: finds and asks the tool. Called before a run; [#info()] may say more
    /// afterwards. Throws [UserError] that says what is missing.
    default void prepare() {}

    /// Runs the stages of a request in order and tells each to `stageDone` the moment it ends, on the caller's
    /// thread. Where a stage does not come out [Outcome.Measured], it is the last. The cost of each evaluation
    /// is that stage's own tool time.
    ///
    /// Throws `CancellationException` where `cancel` asked to stop before the last stage was done; failures of
    /// the tool are outcomes, not exceptions.
    void evaluate(Request request, Consumer<Evaluation> stageDone, CancellationSignal cancel);

    /// Runs every stage up to `upTo` and gives them all, lowest first. A convenience for those who need no
    /// stage early; never overridden.
    default List<Evaluation> evaluate(Configuration configuration, Fidelity upTo, CancellationSignal cancel) {
        var stages = new ArrayList<Evaluation>();
        evaluate(Request.all(configuration, info(), upTo), stages::add, cancel);
        return List.copyOf(stages);
    }

    @Override
    default void close() {}
}
