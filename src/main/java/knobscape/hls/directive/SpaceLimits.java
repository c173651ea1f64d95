package knobscape.hls.directive;

/// How far the candidate values of knobs reach. Bounded by the part, so that the space does not consist of designs that cannot fit.
///
/// @param maxFactor largest unroll factor, and largest factor of a cyclic or block partition
/// @param maxComplete largest dimension that may be partitioned completely
/// @param maxBanks most memories one array may be split into, over all its dimensions
/// @param maxCopies most copies of one statement that unrolling and pipelining of the loops around it may make
/// @param ultraRam whether the part has UltraRAM blocks
public record SpaceLimits(int maxFactor, int maxComplete, long maxBanks, long maxCopies, boolean ultraRam) {

    public SpaceLimits {
        if (maxFactor < 1 || maxComplete < 1 || maxBanks < 1 || maxCopies < 1) {
            throw new IllegalArgumentException("limits must be positive, was " + maxFactor + ", " + maxComplete + ", " + maxBanks + ", " + maxCopies);
        }
    }

    /// Limits of the default part, the xc7vx485t of the VC707 board.
    public static SpaceLimits defaults() {
        return forPart(2_800, 2_060, 0);
    }

    /// Limits from what a part has. An array may be spread over an eighth of the block memories and one dimension over a thirty-second; half of the DSP
    /// blocks, each holding one operation, bound the copies. Rounded down to powers of two.
    ///
    /// @param dsp DSP blocks
    /// @param bram18 block memories of 18 Kbit
    /// @param uram UltraRAM blocks
    public static SpaceLimits forPart(int dsp, int bram18, int uram) {
        int factor = Math.max(8, Integer.highestOneBit(bram18 / 32));
        return new SpaceLimits(factor, factor, Math.max(16, Integer.highestOneBit(bram18 / 8)), Math.max(32, Integer.highestOneBit(dsp / 2)), uram > 0);
    }
}
