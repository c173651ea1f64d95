package knobscape.project;

import java.util.HashMap;
import java.util.Map;
import knobscape.evaluate.Evaluation;
import knobscape.evaluate.FailureKind;
import knobscape.evaluate.Outcome;
import knobscape.evaluate.RepeatedMeasurements;

/// Stands for a design that was evaluated several times: the mean of what was measured, also where it was refused
/// or
/// the tool failed in between, else the newest. A wrong result counts more than times before it. Not thread-safe.
public final class RepeatedDesigns {
    private record Key(int design, int rank) {}

    private final Map<Key, Integer> counts = new HashMap<>();

    /// @param design its number or index, the same each time
    /// @param earlier what stood for it before, at the fidelity of the newer
    public Evaluation together(int design, Evaluation earlier, Evaluation newer) {
        var key = new Key(design, newer.fidelity().rank());
        if (earlier.isMeasured()
                && newer.outcome() instanceof Outcome.Failure f
                && f.kind() != FailureKind.WRONG_RESULT) {
            return earlier;
        }
        if (!earlier.isMeasured() || !newer.isMeasured()) {
            counts.remove(key);
            return newer;
        }
        return RepeatedMeasurements.mean(earlier, newer, counts.merge(key, 2, (n, _) -> n + 1));
    }
}
