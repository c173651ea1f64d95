package knobscape.work;

import java.util.List;
import java.util.Optional;
import knobscape.evaluate.EvaluatorInfo;
import knobscape.evaluate.Goal;
import knobscape.evaluate.Metric;
import knobscape.explore.Budget;
import knobscape.explore.Explorer;
import knobscape.explore.Guess;
import knobscape.space.DesignSpace;
import knobscape.space.Encoder;

/// A search strategy by name.
///
/// @param name as on the command line (`cgp`)
/// @param label for a person (`CGP`)
/// @param description one sentence
/// @param factory makes one explorer of a run
public record Method(String name, String label, String description, Factory factory) implements Named {

    /// All an explorer is given.
    ///
    /// @param space what to search
    /// @param encoder its features
    /// @param info what the evaluator offers
    /// @param objectives metrics explored, in order
    /// @param seed of everything random
    /// @param initialDesigns how many to draw before the first step
    /// @param bounds that metrics of a design have to keep to be of use
    /// @param budget what the run may take
    /// @param guess what results would be, as told by a model of the tool, where there is one
    public record Problem(
            DesignSpace space,
            Encoder encoder,
            EvaluatorInfo info,
            List<Metric> objectives,
            long seed,
            int initialDesigns,
            List<Goal.Bound> bounds,
            Budget budget,
            Optional<Guess> guess) {
        public Problem {
            bounds = List.copyOf(bounds);
            objectives = List.copyOf(objectives);
        }
    }

    /// Makes explorers.
    @FunctionalInterface
    public interface Factory {
        /// A fresh explorer.
        Explorer create(Problem problem);
    }
}
