package knobscape.hls.evaluate.estimator;

import java.util.List;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.stream.IntStream;
import knobscape.hls.space.Directive.PartitionType;
import knobscape.hls.space.Directive.Storage;

/// How an array lies in memory after partition, reshape and storage binding. Immutable; equal requests share
/// one object.
final class Layout {
    /// What the directives ask for; the key under which layouts are shared.
    ///
    /// @param array root array
    /// @param partition its division per dimension, [#NONE] where there is none
    /// @param aggregate bits of the register that holds the whole struct of which the array is a member, 0 for a
    /// memory of its own
    record Request(int array, List<Cut> partition, List<Cut> reshape, Storage storage, int aggregate) {}

    /// A division of one dimension; factor 1 is none.
    record Cut(PartitionType type, int factor) {}

    /// No division.
    static final Cut NONE = new Cut(PartitionType.CYCLIC, 1);

    /// The tool's limit on the pieces of an array.
    static final int MOST_BANKS = 1024;
    private static final int LUTRAM_BITS = 1024;

    final int id;
    final Request request;
    final Program.Store array;
    final int dims;
    /// Banks of each dimension.
    final int[] factor;
    final boolean[] cyclic;
    /// Elements of a block (block partition), or 1.
    final long[] block;
    final int[] lanes;
    final boolean[] lanesCyclic;
    final long[] laneBlock;
    final int banks;
    final int lanesInWord;
    final boolean registers;
    final boolean lutram;
    /// Whether there is one channel for reading and one for writing: queues and AXI master ports.
    final boolean channels;

    final int ports;
    final int writePorts;
    final int wordBits;
    final long depth;
    private final AtomicReferenceArray<int[]> banksByCode;
    /// Per dimension: the divisors of its factor, ascending, and where the patterns of each start.
    private final int[][] moduli;
    private final int[][] patternStart;
    private final int[] patterns;

    Layout(int id, Request request, Program.Store array) {
        this.id = id;
        this.request = request;
        this.array = array;
        this.dims = array.dims().length;
        factor = new int[dims];
        cyclic = new boolean[dims];
        block = new long[dims];
        lanes = new int[dims];
        lanesCyclic = new boolean[dims];
        laneBlock = new long[dims];
        long pieces = 1;
        long words = 1;
        int inWord = 1;
        for (int d = 0; d < dims; d++) {
            long size = Math.max(1, array.dims()[d]);
            Cut p = request.partition().get(d);
            factor[d] = bounded(p, array.dims()[d]);
            cyclic[d] = p.type() != PartitionType.BLOCK;
            block[d] = ceilDiv(size, factor[d]);
            long inBank = ceilDiv(size, factor[d]);
            Cut r = request.reshape().get(d);
            lanes[d] = bounded(r, array.dims()[d] > 0 ? inBank : 0);
            lanesCyclic[d] = r.type() != PartitionType.BLOCK;
            laneBlock[d] = ceilDiv(inBank, lanes[d]);
            pieces *= factor[d];
            inWord *= lanes[d];
            words *= ceilDiv(inBank, lanes[d]);
        }
        if (request.aggregate() > 0) {
            for (int d = 0; d < dims; d++) {
                long size = Math.max(1, array.dims()[d]);
                factor[d] = 1;
                block[d] = size;
                lanes[d] = (int) size;
                lanesCyclic[d] = true;
                laneBlock[d] = 1;
            }
            pieces = 1;
            words = 1;
            inWord = (int) Math.max(1, array.source().elements());
        }
        banks = (int) Math.min(pieces, Integer.MAX_VALUE);
        lanesInWord = inWord;
        depth = words;
        wordBits = request.aggregate() > 0 ? request.aggregate() : array.bits() * inWord;
        boolean known = array.source().elements() > 0;
        channels = array.fifo() || array.onBus();
        registers = !channels
                && known
                && (request.aggregate() > 0
                        || (words * inWord <= 1 && (banks > 1 || array.source().elements() <= 1)));
        long bitsPerBank = depth * wordBits;
        lutram = !registers
                && (request.storage() == Storage.LUTRAM
                        || (request.storage() == Storage.AUTO && known && bitsPerBank <= LUTRAM_BITS));
        if (channels) {
            ports = 2;
            writePorts = 1;
        } else if (request.storage() == Storage.BRAM_1P) {
            ports = 1;
            writePorts = 1;
        } else {
            ports = 2;
            writePorts = request.storage() == Storage.BRAM_2P || (lutram && !array.external()) ? 1 : 2;
        }
        moduli = new int[dims][];
        patternStart = new int[dims][];
        patterns = new int[dims];
        long codes = 1;
        for (int d = 0; d < dims; d++) {
            int f = banks > MOST_BANKS ? 1 : factor[d];
            moduli[d] = IntStream.rangeClosed(1, f).filter(m -> f % m == 0).toArray();
            patternStart[d] = new int[moduli[d].length];
            for (int k = 0; k < moduli[d].length; k++) {
                patternStart[d][k] = patterns[d];
                patterns[d] += moduli[d][k];
            }
            codes *= patterns[d];
        }
        banksByCode = new AtomicReferenceArray<>((int) Math.min(codes, 1 << 22));
    }

    private static int bounded(Cut cut, long size) {
        if (cut.type() == PartitionType.COMPLETE) {
            return Math.clamp(size, 1, Integer.MAX_VALUE);
        }
        return (int) (size > 0 ? Math.clamp(cut.factor(), 1, size) : Math.max(1, cut.factor()));
    }

    /// Whether finding the bank of an index takes a division by a number that is not a power of two.
    boolean oddBanks(int d) {
        return factor[d] > 1 && Long.bitCount(cyclic[d] ? factor[d] : block[d]) != 1;
    }

    /// The same of the lane in a reshaped word.
    boolean oddLanes(int d) {
        return lanes[d] > 1 && Long.bitCount(lanesCyclic[d] ? lanes[d] : laneBlock[d]) != 1;
    }

    /// Bits of the widest index.
    int indexBits() {
        long widest = 1;
        for (long size : array.dims()) {
            widest = Math.max(widest, size - 1);
        }
        return Long.SIZE - Long.numberOfLeadingZeros(widest);
    }

    /// Whether one of them does.
    boolean odd(int d) {
        return oddBanks(d) || oddLanes(d);
    }

    /// Digit of a dimension's bank of which only the rest by `modulus` (a divisor of the factor) is known.
    int digit(int dimension, int modulus, int rest) {
        int[] m = moduli[dimension];
        int k = 0;
        while (m[k] != modulus) {
            k++;
        }
        return patternStart[dimension][k] + rest;
    }

    /// Number of digits of a dimension.
    int digits(int dimension) {
        return patterns[dimension];
    }

    /// Banks that an access may touch; `code` joins a [#digit] per dimension, outermost first, in base
    /// [#digits].
    int[] banksOf(int code) {
        int[] known = banksByCode.get(code);
        if (known == null) {
            known = expand(code);
            banksByCode.set(code, known);
        }
        return known;
    }

    /// Code of an access of which no bank is known: every digit is 0.
    int codeUnknown() {
        return 0;
    }

    private int[] expand(int code) {
        int[] modulus = new int[dims];
        int[] rest = new int[dims];
        int left = code;
        int count = 1;
        for (int d = dims - 1; d >= 0; d--) {
            int digit = left % patterns[d];
            left /= patterns[d];
            int k = moduli[d].length - 1;
            while (patternStart[d][k] > digit) {
                k--;
            }
            modulus[d] = moduli[d][k];
            rest[d] = digit - patternStart[d][k];
            count *= factor[d] / modulus[d];
        }
        int[] out = new int[count];
        for (int i = 0; i < count; i++) {
            int at = i;
            int bank = 0;
            for (int d = 0; d < dims; d++) {
                int choices = factor[d] / modulus[d];
                bank = bank * factor[d] + rest[d] + modulus[d] * (at % choices);
                at /= choices;
            }
            out[i] = bank;
        }
        return out;
    }

    static long ceilDiv(long a, long b) {
        return (a + b - 1) / b;
    }
}
