package knobscape.lab.bench;

import java.nio.file.Path;
import java.util.Optional;

/// Finished explorations of a bench.
final class TrialLog {
    private final KeptLog<Trial> kept;

    TrialLog(Path file) {
        kept = new KeptLog<>(file, Trial.class);
    }

    /// A trial finished earlier under the same key (everything its figures depend on).
    Optional<Trial> find(String key, String method) {
        return kept.find(key, t -> t.method().equals(method));
    }

    void add(String key, Trial trial) {
        kept.add(key, trial);
    }
}
