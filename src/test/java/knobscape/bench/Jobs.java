package knobscape.bench;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import knobscape.evaluate.CancellationSignal;
import knobscape.hls.HlsTools;

/// What benches are given in tests.
final class Jobs {
    private Jobs() {}

    /// A quick run with everything else as it is by default.
    static Bench.Job quick(Path out) {
        return new Bench.Job(
                HlsTools.standard(),
                Optional.empty(),
                Optional.empty(),
                out,
                true,
                Optional.empty(),
                1,
                line -> {},
                new CancellationSignal(),
                Optional.empty(),
                List.of());
    }
}
