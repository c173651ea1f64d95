package knobscape.fusion.search;

import java.util.List;
import java.util.function.IntFunction;
import knobscape.explore.population.Evolution;
import knobscape.fusion.evaluate.Cost;

/// A search in progress, in the ask-and-tell form: it is asked for strategies, and told what they cost before
/// it is asked again. One search, one thread.
public interface Search {

    /// The strategies to evaluate next, a population or as few as one; none where nothing is left to try.
    ///
    /// @param left evaluations that may still be spent, at least 1; of more strategies only the first `left`
    /// are evaluated,
    ///        and the search is over
    /// @return each N + 1 entries, 1..B or, but for entry 0, [knobscape.fusion.space.Strategy#SYNC]; they are
    /// the
    ///         search's own, to be read only
    List<int[]> ask(int left);

    /// The costs of the strategies of the last [#ask], in their order.
    void tell(List<Cost> costs);

    /// A search that asks once and learns nothing.
    static Search once(IntFunction<List<int[]>> answer) {
        return new Search() {
            private boolean asked;

            @Override
            public List<int[]> ask(int left) {
                List<int[]> strategies = asked ? List.of() : answer.apply(left);
                asked = true;
                return strategies;
            }

            @Override
            public void tell(List<Cost> costs) {
                // Nothing depends on them.
            }
        };
    }

    /// A genetic search for the best fitness.
    static Search of(Problem problem, Evolution<int[]> evolution) {
        return new Search() {
            @Override
            public List<int[]> ask(int left) {
                return evolution.ask();
            }

            @Override
            public void tell(List<Cost> costs) {
                evolution.tell(
                        costs.stream().mapToDouble(c -> -problem.fitness(c)).toArray());
            }
        };
    }
}
