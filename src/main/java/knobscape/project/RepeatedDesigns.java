package knobscape.project;

import java.util.HashMap;
import java.util.Map;
import knobscape.evaluate.Evaluation;
import knobscape.evaluate.FailureKind;
import knobscape.evaluate.Outcome;
import knobscape.evaluate.RepeatedMeasurements;
import knobscape.work.StoredEvaluation;

/// Stands for a design that was evaluated several times: the mean of what a search asked for and was measured, also
/// where it was refused or the tool failed in between, else the newest. A wrong result counts more than times before
/// it. What is told from elsewhere is no repetition: told again it corrects what stood there. Not thread-safe.
public final class RepeatedDesigns {
    private record Key(int design, int rank) {}

    private final Map<Key, Integer> counts = new HashMap<>();

    /// @param design its number or index, the same each time
    /// @param step that asked for the newer, [StoredEvaluation#KNOWN] where none did
    /// @param earlier what stood for it before, at the fidelity of the newer
    public Evaluation together(int design, int step, Evaluation earlier, Evaluation newer) {
        var key = new Key(design, newer.fidelity().rank());
        if (step == StoredEvaluation.KNOWN) {
            counts.remove(key);
            return newer;
        }
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
