package knobscape.hls.evaluate.estimator;

/// How many block RAMs and look-up tables a memory takes.
final class Memories {
    /// Depth and width of one 18 Kbit block RAM; the last is for one write and one read port only.
    private static final long[][] SHAPES_18 = {{16384, 1}, {8192, 2}, {4096, 4}, {2048, 9}, {1024, 18}, {512, 36}};
    private static final long[][] SHAPES_36 = {{16384, 2}, {8192, 4}, {4096, 9}, {2048, 18}, {1024, 36}, {512, 72}};

    private Memories() {}

    /// Block RAMs (18 Kbit) of one memory.
    ///
    /// @param depth words
    /// @param width bits of a word
    /// @param simpleDual whether one write and one read port suffice
    static long blockRams(ToolProfile profile, long depth, long width, boolean simpleDual) {
        return profile == ToolProfile.VIVADO_HLS_2018
                ? columns(depth, width, simpleDual)
                : padded(depth, width, simpleDual);
    }

    /// Vivado HLS 2018: the cheapest mix of columns of different shapes.
    private static long columns(long depth, long width, boolean simpleDual) {
        long[] cost = new long[(int) width + 1];
        for (int w = 1; w <= width; w++) {
            cost[w] = Long.MAX_VALUE;
            for (long[] shape : SHAPES_18) {
                if (shape[1] <= 18 || simpleDual) {
                    cost[w] =
                            Math.min(cost[w], Layout.ceilDiv(depth, shape[0]) + cost[(int) Math.max(0, w - shape[1])]);
                }
            }
        }
        return cost[(int) width];
    }

    /// Vitis HLS 2022: depth padded to a power of two, one shape for the whole memory.
    private static long padded(long depth, long width, boolean simpleDual) {
        long words = Math.max(1, Long.highestOneBit(Math.max(1, depth - 1)) * (depth > 1 ? 2 : 1));
        long best = Long.MAX_VALUE;
        for (long[] shape : SHAPES_18) {
            if (shape[1] <= 18 || simpleDual) {
                best = Math.min(best, Layout.ceilDiv(words, shape[0]) * Layout.ceilDiv(width, shape[1]));
            }
        }
        for (long[] shape : SHAPES_36) {
            if (shape[1] <= 36 || simpleDual) {
                best = Math.min(best, 2 * Layout.ceilDiv(words, shape[0]) * Layout.ceilDiv(width, shape[1]));
            }
        }
        return best;
    }

    /// UltraRAMs of one memory.
    static long ultraRams(long depth, long width) {
        return Layout.ceilDiv(depth, 4096) * Layout.ceilDiv(width, 72);
    }

    /// Look-up tables of one memory in distributed RAM with one write and one read port.
    static double distributed(long depth, long width) {
        double columns = Math.ceil(depth / 64.0);
        return width * columns * 2 * (depth <= 32 ? 0.5 : 1) + (columns > 1 ? width * Math.ceil((columns - 1) / 3) : 0);
    }
}
