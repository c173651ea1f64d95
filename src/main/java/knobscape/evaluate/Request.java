package knobscape.evaluate;

import java.util.List;
import knobscape.space.Configuration;

/// The request to an evaluator.
///
/// @param configuration what to evaluate
/// @param from the first stage to run
/// @param upTo the last stage to run
/// @param below the stages below `from` as they came out earlier, lowest first; all measured
public record Request(Configuration configuration, Fidelity from, Fidelity upTo, List<Evaluation> below) {
    /// Throws [IllegalArgumentException] for stages that do not follow one another.
    public Request {
        below = List.copyOf(below);
        if (from.compareTo(upTo) > 0 || below.size() != from.rank()) {
            throw new IllegalArgumentException(
                    "stages " + from + " to " + upTo + " cannot follow " + below.size() + " known ones");
        }
    }

    /// Every stage up to `upTo`.
    public static Request all(Configuration configuration, EvaluatorInfo info, Fidelity upTo) {
        return new Request(configuration, info.fidelities().getFirst(), upTo, List.of());
    }
}
