package knobscape.hls.evaluate.estimator;

import knobscape.hls.evaluate.PartTable;
import knobscape.hls.space.Directive.Storage;

/// How many block RAMs and look-up tables a memory takes.
final class Memories {
    /// Depth and width of one 18 Kbit block RAM; the last is for one write and one read port only.
    private static final long[][] SHAPES_18 = {{16384, 1}, {8192, 2}, {4096, 4}, {2048, 9}, {1024, 18}, {512, 36}};
    private static final long[][] SHAPES_36 = {{16384, 2}, {8192, 4}, {4096, 9}, {2048, 18}, {1024, 36}, {512, 72}};

    /// The tool's limit for what it lays into LUTs (schedules and reports of several versions and families).
    private static final int SMALL_BITS = 1024;

    /// The same on large parts: 125 words of 32 bits are in LUTs, 132 are not (Vitis HLS 2022.2 and 2023.2, xcu55c).
    private static final int LARGE_PART_BITS = 4096;
    /// Words of an UltraRAM.
    private static final int ULTRA_WORDS = 4096;
    /// Block RAMs from which an UltraRAM is taken in their place (2048 words of 32 bits are four block RAMs, 2400 an
    /// UltraRAM).
    private static final int ULTRA_FROM = 8;
    /// First year whose reports count words of 36 bits whatever the ports (200 to 440 words of 32 bits with two ports
    /// are one block RAM), and both halves of a buffer between tasks as one memory.
    private static final int WIDE_FROM = 2023;

    private final ToolProfile profile;
    private final boolean large;
    private final boolean wide;

    Memories(EstimatorSettings settings) {
        String part = settings.part().name();
        int year = settings.unasked().year();
        profile = settings.profile();
        large = year >= 2022
                && settings.part().family() == PartTable.Family.ULTRASCALE_PLUS
                && (part.startsWith("xcu") || part.startsWith("xcvu"));
        wide = year >= WIDE_FROM;
    }

    /// Words of one memory, a buffer between tasks where they overlap being two.
    private long words(Layout l, boolean doubled) {
        return doubled && wide ? 2 * l.depth : l.depth;
    }

    /// Copies that lie beside each other.
    int copies(boolean doubled) {
        return doubled && !wide ? 2 : 1;
    }

    /// Kind of hardware that a memory becomes: `FIFO`, `registers`, `LUTRAM`, `URAM` or `BRAM`.
    String kind(Layout l, boolean doubled) {
        if (l.array.fifo()) {
            return "FIFO";
        }
        if (l.registers) {
            return "registers";
        }
        boolean free = l.request.storage() == Storage.AUTO && l.array.source().elements() > 0;
        long words = words(l, doubled);
        if (l.request.storage() == Storage.LUTRAM
                || (free && words * l.wordBits <= (large ? LARGE_PART_BITS : SMALL_BITS))) {
            return "LUTRAM";
        }
        boolean ultra = free
                && large
                && words <= ULTRA_WORDS
                && !l.array.rom()
                && padded(words, l.wordBits, true) >= ULTRA_FROM;
        return ultra || l.request.storage() == Storage.URAM ? "URAM" : "BRAM";
    }

    /// Block RAMs (18 Kbit) of a bank.
    ///
    /// @param simpleDual whether one write and one read port suffice
    long blockRams(Layout l, boolean doubled, boolean simpleDual) {
        return blockRams(words(l, doubled), l.wordBits, simpleDual);
    }

    /// Block RAMs (18 Kbit) of one memory.
    ///
    /// @param depth words
    /// @param width bits of a word
    long blockRams(long depth, long width, boolean simpleDual) {
        return profile == ToolProfile.VIVADO_HLS_2018
                ? columns(depth, width, simpleDual)
                : padded(depth, width, simpleDual || wide);
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
        return Layout.ceilDiv(depth, ULTRA_WORDS) * Layout.ceilDiv(width, 72);
    }

    /// Look-up tables that the report books for a bank in distributed RAM and one port: 64 bits each, of large parts
    /// whole ones (4 words of 32 bits are 2, 24 are 12; on large parts 20 are 33).
    double reportedLuts(Layout l, boolean doubled) {
        long words = words(l, doubled);
        return (large ? Math.max(64, Long.highestOneBit(Math.max(1, 2 * words - 1))) : words) * l.wordBits / 64.0;
    }

    /// Look-up tables of one memory in distributed RAM with one write and one read port.
    static double distributed(long depth, long width) {
        double columns = Math.ceil(depth / 64.0);
        return width * columns * 2 * (depth <= 32 ? 0.5 : 1) + (columns > 1 ? width * Math.ceil((columns - 1) / 3) : 0);
    }
}
