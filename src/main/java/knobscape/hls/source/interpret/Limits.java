package knobscape.hls.source.interpret;

import java.util.function.BooleanSupplier;

/// What a run may use.
///
/// @param steps most iterations of loops and calls, together
/// @param bytes most memory of its variables
/// @param depth most calls inside one another
/// @param cancelled asked now and then whether to stop
public record Limits(long steps, long bytes, int depth, BooleanSupplier cancelled) {
    /// A hundred million steps, 256 MB, 1 000 calls deep; stops when the thread is interrupted.
    public static Limits defaults() {
        return new Limits(
                100_000_000L, 256L << 20, 1_000, () -> Thread.currentThread().isInterrupted());
    }

    /// The same with at most `n` steps.
    public Limits steps(long n) {
        return new Limits(n, bytes, depth, cancelled);
    }
}
