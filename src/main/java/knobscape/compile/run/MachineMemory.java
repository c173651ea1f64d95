package knobscape.compile.run;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.math.BigInteger;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.BitSet;
import knobscape.compile.ir.IrType;

/// Memory of a run: globals and what is allocated for good from below, locals of calls in a region of their own that
/// shrinks when a call returns. Between what is allocated lie bytes that nothing may use, so that an index that leaves
/// its array by less than the array's own size is told. Bytes stand in little-endian order.
final class MachineMemory {
    private static final long LOCALS = 1L << 32;
    private static final int ALIGNMENT = 16;
    private static final int FIRST = 1 << 16;
    /// Fewest and most unused bytes behind an allocation, and below all.
    private static final int GAP = 1 << 10;

    private static final int WIDEST_GAP = 1 << 18;
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle SHORT = MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.LITTLE_ENDIAN);

    private final long most;
    private final Region lasting = new Region();
    private final Region locals = new Region();

    /// @param most bytes of both regions together
    MachineMemory(long most) {
        this.most = most;
    }

    private final class Region {
        private byte[] bytes = new byte[FIRST];
        /// Which bytes belong to a variable.
        private BitSet used = new BitSet();
        private int top = GAP;

        long allocate(long size) {
            long gap = Math.clamp(size, GAP, WIDEST_GAP);
            long end = ((top + size + gap + ALIGNMENT - 1) & -ALIGNMENT);
            if (size < 0 || end + lasting.top + locals.top - top > most) {
                throw new Ended("takes more memory than " + (most >> 20) + " MB");
            }
            if (end > bytes.length) {
                bytes = Arrays.copyOf(bytes, (int) Math.min(most, Math.max(end, 2L * bytes.length)));
            }
            int at = top;
            used.set(at, (int) (at + size));
            top = (int) end;
            return at;
        }

        void release(int mark) {
            Arrays.fill(bytes, mark, top, (byte) 0);
            used.clear(mark, top);
            top = mark;
        }

        /// True if one variable has all of so many bytes.
        boolean has(long at, long size) {
            return at >= 0
                    && at + size <= top
                    && (size == 0 || (used.get((int) at) && used.get((int) (at + size - 1))))
                    && (size <= Long.BYTES || used.nextClearBit((int) at) >= at + size);
        }
    }

    /// Room that stays, filled with zeros.
    long allocate(long bytes) {
        return lasting.allocate(bytes);
    }

    /// Room until [#release].
    long allocateLocal(long bytes) {
        return LOCALS + locals.allocate(bytes);
    }

    /// The end of what is allocated for calls.
    int mark() {
        return locals.top;
    }

    /// Frees what was allocated since a mark; the next that gets it finds zeros.
    void release(int mark) {
        if (locals.top > mark) {
            locals.release(mark);
        }
    }

    private byte[] region(long at) {
        return (at >= LOCALS ? locals : lasting).bytes;
    }

    /// The index of an address in its region, of which so many bytes are used.
    private int index(long at, long bytes) {
        Region region = at >= LOCALS ? locals : lasting;
        long i = at >= LOCALS ? at - LOCALS : at;
        if (bytes < 0 || !region.has(i, bytes)) {
            throw new Ended(
                    at >= 0 && at < GAP ? "follows a null pointer" : "uses an address outside of its variables");
        }
        return (int) i;
    }

    /// An integer of at most 64 bits with its sign, an address, or the bits of a floating-point number.
    long load(long at, IrType type) {
        int bytes = (int) type.bytes();
        long bits = load(at, bytes);
        return type instanceof IrType.Int(int width) ? Numbers.signed(bits, width) : bits;
    }

    private long load(long at, int bytes) {
        int i = index(at, bytes);
        byte[] m = region(at);
        return switch (bytes) {
            case 1 -> m[i] & 0xFF;
            case 2 -> (short) SHORT.get(m, i) & 0xFFFF;
            case 4 -> (int) INT.get(m, i) & 0xFFFFFFFFL;
            case 8 -> (long) LONG.get(m, i);
            default -> throw new Ended("reads " + bytes + " bytes at once");
        };
    }

    void store(long at, long bits, int bytes) {
        int i = index(at, bytes);
        byte[] m = region(at);
        switch (bytes) {
            case 1 -> m[i] = (byte) bits;
            case 2 -> SHORT.set(m, i, (short) bits);
            case 4 -> INT.set(m, i, (int) bits);
            case 8 -> LONG.set(m, i, bits);
            default -> throw new Ended("writes " + bytes + " bytes at once");
        }
    }

    /// An integer of any width with its sign.
    BigInteger loadWide(long at, int width) {
        int bytes = (width + Byte.SIZE - 1) / Byte.SIZE;
        int i = index(at, bytes);
        byte[] big = new byte[bytes];
        byte[] m = region(at);
        for (int k = 0; k < bytes; k++) {
            big[bytes - 1 - k] = m[i + k];
        }
        return Numbers.signed(new BigInteger(big), width);
    }

    void storeWide(long at, BigInteger value, int width) {
        int bytes = (width + Byte.SIZE - 1) / Byte.SIZE;
        int i = index(at, bytes);
        byte[] big = value.toByteArray();
        byte[] m = region(at);
        for (int k = 0; k < bytes; k++) {
            int from = big.length - 1 - k;
            m[i + k] = from >= 0 ? big[from] : (byte) (value.signum() < 0 ? -1 : 0);
        }
    }

    void copy(long to, long from, long bytes) {
        int target = index(to, bytes);
        int source = index(from, bytes);
        System.arraycopy(region(from), source, region(to), target, (int) bytes);
    }

    void fill(long at, byte value, long bytes) {
        int i = index(at, bytes);
        Arrays.fill(region(at), i, (int) (i + bytes), value);
    }
}
