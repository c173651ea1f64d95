package knobscape.explore;

import java.util.SplittableRandom;

/// Random streams that depend on a run's seed and the step alone, so that a resumed run draws what an
/// undisturbed one would have drawn.
public final class StepRandom {
    private StepRandom() {}

    /// The stream of optimisation step `step` (0 for the initial designs).
    public static SplittableRandom of(long seed, long step) {
        return new SplittableRandom(mix(mix(seed + 0x9E3779B97F4A7C15L) ^ (step * 0xD1B54A32D192ED03L)));
    }

    /// Stafford's variant 13 of the 64-bit finaliser (as in SplitMix64): neighbouring seeds and steps give
    /// unrelated streams.
    private static long mix(long z) {
        long a = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
        long b = (a ^ (a >>> 27)) * 0x94D049BB133111EBL;
        return b ^ (b >>> 31);
    }
}
