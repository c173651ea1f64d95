package knobscape.evaluate;

import java.util.List;
import knobscape.space.Configuration;

/// The request to an evaluator.
///
/// @param configuration what to evaluate
/// @param from the first stage to run
/// @param upTo the last stage to run
/// @param below the stages below `from` as they came out earlier, lowest first; all measured
/// @param repeat how often the run has the answer already: above 0 it is asked for once more, to know how much
/// measurements differ
public record Request(Configuration configuration, Fidelity from, Fidelity upTo, List<Evaluation> below, int repeat) {
    /// Throws [IllegalArgumentException] for stages that do not follow one another.
    public Request {
        below = List.copyOf(below);
        if (from.compareTo(upTo) > 0 || below.size() != from.rank()) {
            throw new IllegalArgumentException(
                    "stages " + from + " to " + upTo + " cannot follow " + below.size() + " known ones");
        }
    }

    /// Asked for the first time.
    public Request(Configuration configuration, Fidelity from, Fidelity upTo, List<Evaluation> below) {
        this(configuration, from, upTo, below, 0);
    }

    /// Every stage up to `upTo`.
    public static Request all(Configuration configuration, EvaluatorInfo info, Fidelity upTo) {
        return new Request(configuration, info.fidelities().getFirst(), upTo, List.of());
    }
}
