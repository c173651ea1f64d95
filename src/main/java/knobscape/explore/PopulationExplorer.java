package knobscape.explore;

import java.util.List;
import knobscape.evaluate.CancellationSignal;
import knobscape.evaluate.Evaluation;
import knobscape.space.Configuration;

/// A search that asks for whole populations of an evaluator that is pure and instant
/// ([knobscape.evaluate.EvaluatorInfo#isPure]). The loop evaluates them on its own thread, tells what they
/// cost, and stores only what changed the front and an even sample. Such a run is resumed by searching again
/// from its seed, so nothing of the search has to be stored: the same seed and the same costs must give the
/// same populations.
public interface PopulationExplorer extends Explorer {

    /// The configurations to evaluate next; none ends the search. They do not depend on how many evaluations the
    /// run may spend, so that it can be resumed with more; of the last population only as many as are left are
    /// evaluated.
    ///
    /// @param stop cancelled when the run is stopped, which ends long work by a `CancellationException`
    List<Configuration> population(CancellationSignal stop);

    /// The results of the last population, in its order.
    void tell(List<Evaluation> evaluations);

    /// Words for the log that go with every strategy (`G-Sampler`).
    default String reason() {
        return name();
    }

    /// Why the run ends when there is no further population, a clause.
    default String exhausted() {
        return "the search has nothing new to try";
    }

    /// None: a search begins with its first population.
    @Override
    default List<Proposal> initial() {
        return List.of();
    }

    /// Never called where the evaluator is pure.
    @Override
    default List<Proposal> ask(History history, int count) {
        throw new UnsupportedOperationException(
                name() + " searches by populations, which only a pure evaluator can answer");
    }
}
