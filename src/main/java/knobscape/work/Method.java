package knobscape.work;

import java.util.List;
import java.util.Optional;
import knobscape.evaluate.EvaluatorInfo;
import knobscape.evaluate.Goal;
import knobscape.evaluate.Metric;
import knobscape.evaluate.UserError;
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

        /// The problem of a run with these settings. Throws [knobscape.evaluate.UserError] for an unknown objective,
        /// and
        /// for a bound on a metric that the highest fidelity does not report.
        public static Problem of(
                RunSettings run, DesignSpace space, Encoder encoder, EvaluatorInfo info, Optional<Guess> guess) {
            List<Goal.Bound> bounds =
                    Goal.parse(run.goal(), info.metrics(), m -> 1).bounds();
            bounds.stream()
                    .filter(b -> !info.reports(info.top(), b.metric()))
                    .findFirst()
                    .ifPresent(b -> {
                        throw new UserError("The goal bounds '" + b.metric() + "', which " + info.name()
                                + " does not report at " + info.top()
                                + "; have its last stage report it, too, or leave the bound out.");
                    });
            return new Problem(
                    space,
                    encoder,
                    info,
                    Workbench.objectives(run, info),
                    run.seed(),
                    run.initialDesigns(),
                    bounds,
                    new Budget(run.toolSeconds(), run.steps()),
                    guess);
        }
    }

    /// Makes explorers.
    @FunctionalInterface
    public interface Factory {
        /// A fresh explorer.
        Explorer create(Problem problem);
    }
}
