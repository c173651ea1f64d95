package knobscape.fusion.source;

import java.util.Optional;

/// An accelerator as strip fusion sees it: one array, one buffer for everything, one off-chip memory.
///
/// @param buffer bytes on chip for rows, weights, K and V together
/// @param macRate multiply-accumulates per second, all processing elements together
/// @param offBandwidth bytes/s to the off-chip memory
/// @param onBandwidth bytes/s to the buffer
/// @param launchSeconds time to start a layer on a strip
/// @param widths bits of elements
/// @param array unrolled loops; empty where the array is always full
/// @param energy joules
/// @param counting how times and buffers count
public record StripMachine(
        long buffer,
        double macRate,
        double offBandwidth,
        double onBandwidth,
        double launchSeconds,
        Widths widths,
        Optional<Unrolling> array,
        Energy energy,
        Counting counting) {
    /// Throws [IllegalArgumentException] for a rate or a size that is not positive.
    public StripMachine {
        if (buffer < 1 || !(macRate > 0) || !(offBandwidth > 0) || !(onBandwidth > 0) || !(launchSeconds >= 0)) {
            throw new IllegalArgumentException("buffer, MAC rate and bandwidths must be positive");
        }
    }

    /// Bits of an element.
    ///
    /// @param activation of rows
    /// @param weight of weights
    /// @param cache of K and V
    public record Widths(int activation, int weight, int cache) {
        /// Throws [IllegalArgumentException] outside 1 to 128 bits.
        public Widths {
            if (Math.min(activation, Math.min(weight, cache)) < 1
                    || Math.max(activation, Math.max(weight, cache)) > 128) {
                throw new IllegalArgumentException("elements have 1 to 128 bits");
            }
        }

        /// The same bits for everything.
        public static Widths of(int bits) {
            return new Widths(bits, bits, bits);
        }

        /// Bytes of elements, rounded up.
        public static long bytes(long elements, int bits) {
            return Math.ceilDiv(Math.multiplyExact(elements, (long) bits), 8L);
        }
    }

    /// Loops that the array of processing elements runs at once: output channels, input channels, positions across and
    /// down. Extents that are no multiple of them leave elements idle.
    public record Unrolling(int k, int c, int x, int y) {
        /// Throws [IllegalArgumentException] for a factor below 1.
        public Unrolling {
            if (Math.min(Math.min(k, c), Math.min(x, y)) < 1) {
                throw new IllegalArgumentException("a loop is unrolled by 1 or more");
            }
        }
    }

    /// Joules.
    ///
    /// @param mac of a multiply-accumulate
    /// @param offByte of a byte from or to the off-chip memory
    /// @param onByte of a byte from or to the buffer
    public record Energy(double mac, double offByte, double onByte) {
        private static final double PICO = 1e-12;
        private static final int NARROW = 8;

        /// Nothing known.
        public static final Energy NONE = new Energy(0, 0, 0);

        /// Figures of a 45 nm process (Horowitz, ISSCC 2014): 0.23 pJ for an 8-bit multiply-accumulate, 1.5 pJ for one
        /// of 16-bit floating point, 162.5 pJ a byte from DRAM, 6 pJ a byte from a static memory of
        /// some 100 KB.
        public static Energy of(int bits) {
            return new Energy((bits <= NARROW ? 0.23 : 1.5) * PICO, 162.5 * PICO, 6 * PICO);
        }
    }

    /// How times and buffers count.
    ///
    /// @param doubleBuffered whether the next input is loaded, and the last result stored, while a strip runs
    /// @param onlineSoftmax whether scores are worked through in blocks
    /// @param perLayer whether each layer waits for its own memory, instead of a group's layers sharing it
    /// @param columns most column stripes of a group
    public record Counting(boolean doubleBuffered, boolean onlineSoftmax, boolean perLayer, int columns) {
        /// Single buffers, online softmax, a group's layers share the memory, up to eight column stripes.
        public static final Counting DEFAULT = new Counting(false, true, false, 8);

        private static final int MOST_COLUMNS = 64;

        /// Throws [IllegalArgumentException] where there is no column stripe, or more than 64.
        public Counting {
            if (columns < 1 || columns > MOST_COLUMNS) {
                throw new IllegalArgumentException(
                        "a group has 1 to " + MOST_COLUMNS + " column stripes, not " + columns);
            }
        }
    }

    /// The same with another buffer.
    public StripMachine withBuffer(long bytes) {
        return new StripMachine(
                bytes, macRate, offBandwidth, onBandwidth, launchSeconds, widths, array, energy, counting);
    }

    /// The same with off-chip bandwidth multiplied.
    public StripMachine withBandwidth(double factor) {
        return new StripMachine(
                buffer, macRate, offBandwidth * factor, onBandwidth, launchSeconds, widths, array, energy, counting);
    }

    /// The same with the array's rate multiplied; its shape stays.
    public StripMachine withRate(double factor) {
        return new StripMachine(
                buffer, macRate * factor, offBandwidth, onBandwidth, launchSeconds, widths, array, energy, counting);
    }
}
