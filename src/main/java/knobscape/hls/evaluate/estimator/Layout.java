package knobscape.hls.evaluate.estimator;

import java.util.List;
import java.util.Optional;
import knobscape.hls.source.ArrayVariable;
import knobscape.hls.space.Directive.PartitionType;
import knobscape.hls.space.Directive.Storage;

/// How an array lies in memory after partition, reshape and storage binding. Immutable; equal requests share
/// one object.
final class Layout {
    /// The request of the directives; the key under which layouts are shared.
    ///
    /// @param array root array
    /// @param partition its division per dimension, [#NONE] where there is none
    /// @param readers copies with a read port each, 0 for the ports of the storage
    /// @param aggregate bits of the register that holds the whole struct of which the array is a member, 0 for a
    /// memory of its own
    record Request(int array, List<Cut> partition, List<Cut> reshape, Storage storage, int readers, int aggregate) {
        Request partition(List<Cut> now) {
            return new Request(array, now, reshape, storage, readers, aggregate);
        }

        Request readers(int now) {
            return new Request(array, partition, reshape, storage, now, aggregate);
        }
    }

    /// An array.
    ///
    /// @param id index
    /// @param source declaration
    /// @param bits width of an element
    /// @param dims sizes, outermost first; an unknown outermost size is 0
    /// @param strides elements between neighbours of each dimension
    /// @param external whether the memory is outside the design (parameter of the top)
    /// @param fifo whether it is a stream
    /// @param rom whether it is only read
    /// @param bus AXI master port behind which it lies, by index among the [Buses]; -1 for none
    record Store(
            int id,
            ArrayVariable source,
            int bits,
            long[] dims,
            long[] strides,
            boolean external,
            boolean fifo,
            boolean rom,
            int bus) {
        /// The function that it belongs to; empty for what stands once, however often functions do.
        Optional<String> home() {
            return external || source.scope() == ArrayVariable.Scope.GLOBAL
                    ? Optional.empty()
                    : Optional.of(source.function());
        }

        /// True if it is reached over an AXI master port.
        boolean onBus() {
            return bus >= 0;
        }
    }

    /// A division of one dimension; factor 1 is none.
    record Cut(PartitionType type, int factor) {}

    /// No division.
    static final Cut NONE = new Cut(PartitionType.CYCLIC, 1);

    /// The tool's limit on the pieces of an array.
    static final int MOST_BANKS = 1024;
    /// More ports than a block has accesses.
    private static final int MANY_PORTS = 1 << 16;

    final int id;
    final Request request;
    final Store array;
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
    /// True if there is one channel for reading and one for writing: queues and AXI master ports.
    final boolean channels;

    /// True if the tool makes as many copies as are read at once.
    final boolean copied;

    final int ports;
    final int writePorts;
    final int wordBits;
    final long depth;

    Layout(int id, Request request, Store array) {
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
        // Generated ROMs have as many read ports as the schedule asks for (up to 719 were seen, Vivado HLS 2018.3).
        copied = request.storage() == Storage.BRAM_1WNR || (array.rom() && request.storage() == Storage.AUTO);
        if (channels) {
            ports = 2;
            writePorts = 1;
        } else if (request.readers() > 0) {
            ports = request.readers() + 1;
            writePorts = 1;
        } else if (copied) {
            ports = MANY_PORTS;
            writePorts = 1;
        } else if (request.storage() == Storage.BRAM_1P) {
            ports = 1;
            writePorts = 1;
        } else {
            ports = 2;
            writePorts = request.storage() == Storage.BRAM_2P || request.storage() == Storage.LUTRAM ? 1 : 2;
        }
    }

    private static int bounded(Cut cut, long size) {
        if (cut.type() == PartitionType.COMPLETE) {
            return Math.clamp(size, 1, Integer.MAX_VALUE);
        }
        return (int) (size > 0 ? Math.clamp(cut.factor(), 1, size) : Math.max(1, cut.factor()));
    }

    /// Copies that serve so many reads at once: both ports of a table read, one of a memory that is written.
    int copies(int reads) {
        return copied ? Math.max(1, array.rom() ? Math.ceilDiv(reads, 2) : reads) : 1;
    }

    /// True if finding the bank of an index takes a division by a number that is not a power of two.
    boolean oddBanks(int d) {
        return factor[d] > 1 && Long.bitCount(cyclic[d] ? factor[d] : block[d]) != 1;
    }

    /// The same of the lane in a reshaped word.
    boolean oddLanes(int d) {
        return lanes[d] > 1 && Long.bitCount(lanesCyclic[d] ? lanes[d] : laneBlock[d]) != 1;
    }

    /// Words that an access of so many bits takes one after the other: an AXI port is as wide as the elements behind
    /// it.
    int words(int bits) {
        return array.onBus() ? Math.max(1, Math.ceilDiv(bits, Math.max(1, array.bits()))) : 1;
    }

    /// Bits of the widest index.
    int indexBits() {
        long widest = 1;
        for (long size : array.dims()) {
            widest = Math.max(widest, size - 1);
        }
        return Long.SIZE - Long.numberOfLeadingZeros(widest);
    }

    static long ceilDiv(long a, long b) {
        return (a + b - 1) / b;
    }
}
