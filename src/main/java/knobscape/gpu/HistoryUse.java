package knobscape.gpu;

import java.nio.file.Path;
import java.util.Optional;
import knobscape.gpu.search.TuningMethod;
import knobscape.work.history.TuningHistory;

/// What of a tuning history a run learns from; fixed when it begins, so that a resumed run sees the same.
///
/// @param file the history, an absolute path
/// @param upTo number of its newest row then
public record HistoryUse(String file, long upTo) {
    /// What a run that begins now learns from; nothing where its method does not, so that it does not depend on the
    /// file. Throws [knobscape.evaluate.UserError] for a file that is no history.
    public static Optional<HistoryUse> now(String method, Optional<Path> file) {
        return file.filter(_ -> TuningMethod.has(method, TuningMethod::learns)).map(f -> {
            try (TuningHistory h = TuningHistory.existing(f)) {
                return new HistoryUse(f.toString(), h.last());
            }
        });
    }
}
