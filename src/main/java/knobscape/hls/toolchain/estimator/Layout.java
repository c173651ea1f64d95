package knobscape.hls.toolchain.estimator;

import java.util.List;
import knobscape.hls.directive.Directive.PartitionType;
import knobscape.hls.directive.Directive.Storage;

/// How an array lies in memory after partition, reshape and storage binding. Immutable; equal requests share one object.
final class Layout {
    /// What the directives ask for; the key under which layouts are shared.
    ///
    /// @param array root array
    /// @param types partition type per dimension, empty list entries are not allowed: `null` is not used, see [#NONE]
    record Request(int array, List<Cut> partition, List<Cut> reshape, Storage storage) { }

    /// A division of one dimension; factor 1 is none.
    record Cut(PartitionType type, int factor) { }

    /// No division.
    static final Cut NONE = new Cut(PartitionType.CYCLIC, 1);

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
    final int ports;
    final int writePorts;
    final int wordBits;
    final long depth;
    private final int[][] banksByCode;

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
        banks = (int) Math.min(pieces, Integer.MAX_VALUE);
        lanesInWord = inWord;
        depth = words;
        wordBits = array.bits() * inWord;
        boolean known = array.source().elements() > 0;
        registers = !array.fifo() && known && words * inWord <= 1 && (banks > 1 || array.source().elements() <= 1);
        long bitsPerBank = depth * wordBits;
        lutram = !registers && (request.storage() == Storage.LUTRAM || request.storage() == Storage.AUTO && known && bitsPerBank <= LUTRAM_BITS);
        if (array.fifo()) {
            ports = 2;
            writePorts = 1;
        } else if (request.storage() == Storage.BRAM_1P) {
            ports = 1;
            writePorts = 1;
        } else {
            ports = 2;
            writePorts = request.storage() == Storage.BRAM_2P || lutram && !array.external() ? 1 : 2;
        }
        int codes = 1;
        for (int d = 0; d < dims; d++) {
            codes = (int) Math.min(1 << 20, (long) codes * (factor[d] + 1));
        }
        banksByCode = registers || banks > 4096 ? new int[0][] : new int[codes][];
        for (int code = 0; code < banksByCode.length; code++) {
            banksByCode[code] = expand(code);
        }
    }

    private static int bounded(Cut cut, long size) {
        if (cut.type() == PartitionType.COMPLETE) {
            return Math.clamp(size, 1, Integer.MAX_VALUE);
        }
        return (int) (size > 0 ? Math.clamp(cut.factor(), 1, size) : Math.max(1, cut.factor()));
    }

    /// Banks that an access may touch; `code` has a digit per dimension in base factor + 1, the digit `factor` meaning "not known".
    int[] banksOf(int code) {
        return banksByCode[code];
    }

    /// Code of an access of which no bank is known.
    int codeUnknown() {
        int code = 0;
        for (int d = 0; d < dims; d++) {
            code = code * (factor[d] + 1) + (factor[d] > 1 ? factor[d] : 0);
        }
        return code;
    }

    private int[] expand(int code) {
        int[] digits = new int[dims];
        int rest = code;
        int count = 1;
        for (int d = dims - 1; d >= 0; d--) {
            digits[d] = rest % (factor[d] + 1);
            rest /= factor[d] + 1;
            count *= digits[d] == factor[d] ? factor[d] : 1;
        }
        int[] out = new int[count];
        for (int k = 0; k < count; k++) {
            int left = k;
            int bank = 0;
            for (int d = 0; d < dims; d++) {
                int digit = digits[d];
                if (digit == factor[d]) {
                    digit = left % factor[d];
                    left /= factor[d];
                }
                bank = bank * factor[d] + digit;
            }
            out[k] = bank;
        }
        return out;
    }

    static long ceilDiv(long a, long b) {
        return (a + b - 1) / b;
    }
}
