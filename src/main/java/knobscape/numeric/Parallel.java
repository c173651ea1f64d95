package knobscape.numeric;

import java.util.stream.IntStream;

/// Splits arithmetic over the common pool in chunks whose bounds depend on the size alone, so that results do
/// not depend on the number of threads: every chunk writes its own part and nothing is summed across chunks.
public final class Parallel {
    private Parallel() {}

    /// Work on the half-open range `from .. to`.
    @FunctionalInterface
    public interface Range {
        /// Does the work of one chunk.
        void run(int from, int to);
    }

    /// Runs `body` over `0 .. size` in chunks of `chunk`; returns when all are done.
    public static void chunks(int size, int chunk, Range body) {
        int count = (size + chunk - 1) / chunk;
        if (count <= 1) {
            if (size > 0) {
                body.run(0, size);
            }
            return;
        }
        IntStream.range(0, count).parallel().forEach(c -> body.run(c * chunk, Math.min(size, (c + 1) * chunk)));
    }
}
