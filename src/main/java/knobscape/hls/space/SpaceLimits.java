package knobscape.hls.space;

/// How far the candidate values of knobs reach. Bounded by the part, so that the space does not mostly consist
/// of designs that cannot fit; whether a design fits is for the toolchain to say.
///
/// @param maxFactor largest default unroll factor, and largest default factor of a cyclic or block partition
/// @param maxComplete largest dimension that is partitioned completely by default
/// @param maxCopies most copies of one statement that pipelining a loop may make by unrolling everything inside
/// it; a loop beyond that has no pipeline
///        knob by default
/// @param ultraRam whether the part has UltraRAM blocks
public record SpaceLimits(int maxFactor, int maxComplete, long maxCopies, boolean ultraRam) {

    public SpaceLimits {
        if (maxFactor < 1 || maxComplete < 1 || maxCopies < 1) {
            throw new IllegalArgumentException(
                    "limits must be positive, was " + maxFactor + ", " + maxComplete + ", " + maxCopies);
        }
    }

    /// Limits of the default part, the xc7vx485t of the VC707 board: factors up to 16, complete up to 64, 512
    /// copies.
    public static SpaceLimits defaults() {
        return forPart(2_800, 2_060, 0);
    }

    /// Limits from what a part has: every copy is taken to need four DSP blocks, a single-precision
    /// multiplication and a little more. As many copies as fit bound pipelining; factors are bounded so that
    /// two loops around one statement may both be unrolled, and that a partition takes no more than a sixteenth
    /// of the block memories. Rounded down to powers of two.
    ///
    /// @param dsp DSP blocks
    /// @param bram18 block memories of 18 Kbit
    /// @param uram UltraRAM blocks
    public static SpaceLimits forPart(int dsp, int bram18, int uram) {
        int copies = Math.max(16, Integer.highestOneBit(dsp / 4));
        int factor = Math.max(4, Integer.highestOneBit(Math.min((int) Math.sqrt(copies), bram18 / 16)));
        return new SpaceLimits(factor, Math.max(16, 4 * factor), copies, uram > 0);
    }
}
