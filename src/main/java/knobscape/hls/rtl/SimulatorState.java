package knobscape.hls.rtl;

import java.util.Arrays;
import java.util.List;

/// The signals and memories of a simulated module, and which pieces of its code have to run. Byte code calls it.
final class SimulatorState {
    /// Signals by slot.
    final long[] now;
    /// Words by memory.
    final long[][] memories;
    /// Pieces of which an input has changed since they ran, a bit each.
    final long[] stale;
    /// Pieces that read a slot.
    private final int[][] readers;
    /// Pieces that read a memory.
    private final int[][] memoryReaders;

    private int[] slots = new int[64];
    private long[] values = new long[64];
    private int registers;
    private int[] written = new int[32];
    private int[] addresses = new int[32];
    private long[] words = new long[32];
    private int writes;

    /// @param pieces number of them
    SimulatorState(int pieces, List<int[]> readers, List<int[]> memoryReaders, long[][] memories) {
        this.now = new long[readers.size()];
        this.readers = readers.toArray(int[][]::new);
        this.memoryReaders = memoryReaders.toArray(int[][]::new);
        this.memories = memories;
        this.stale = new long[Math.ceilDiv(pieces, Long.SIZE)];
    }

    private void mark(int piece) {
        stale[piece / Long.SIZE] |= 1L << piece;
    }

    /// A signal is another one now.
    void changed(int slot) {
        for (int p : readers[slot]) {
            mark(p);
        }
    }

    /// A memory may have other words now.
    void changedMemory(int memory) {
        for (int p : memoryReaders[memory]) {
            mark(p);
        }
    }

    /// A register's value after the clock.
    void next(int slot, long value) {
        if (registers == slots.length) {
            slots = Arrays.copyOf(slots, 2 * registers);
            values = Arrays.copyOf(values, 2 * registers);
        }
        slots[registers] = slot;
        values[registers++] = value;
    }

    /// A word of a memory after the clock; an address beyond its end is none.
    ///
    /// @param piece writes again after the next clock, unless its inputs change
    void write(int memory, long address, long value, int piece) {
        mark(piece);
        if (address < 0 || address >= memories[memory].length) {
            return;
        }
        if (writes == written.length) {
            written = Arrays.copyOf(written, 2 * writes);
            addresses = Arrays.copyOf(addresses, 2 * writes);
            words = Arrays.copyOf(words, 2 * writes);
        }
        written[writes] = memory;
        addresses[writes] = (int) address;
        words[writes++] = value;
    }

    /// A word of a memory; 0 beyond its end.
    long word(int memory, long address) {
        long[] of = memories[memory];
        return address < 0 || address >= of.length ? 0 : of[(int) address];
    }

    /// Makes what comes after the clock the present.
    void commit() {
        for (int k = 0; k < registers; k++) {
            now[slots[k]] = values[k];
            changed(slots[k]);
        }
        registers = 0;
        for (int k = 0; k < writes; k++) {
            long[] of = memories[written[k]];
            if (of[addresses[k]] != words[k]) {
                of[addresses[k]] = words[k];
                changedMemory(written[k]);
            }
        }
        writes = 0;
    }
}
