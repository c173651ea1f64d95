package knobscape.hls.source.interpret;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.math.BigInteger;
import java.nio.ByteOrder;
import java.util.Arrays;
import knobscape.hls.source.exact.ExactType;

/// Variables with an address. Each is a block of its own, so that an index cannot silently reach another one;
/// an address is the number of the block and a distance in it, of which the lowest 31 bits hold the distance
/// moved by [#MIDDLE], so that an address may pass the ends without being used. 0 is the null pointer.
final class Memory {
    private static final VarHandle SHORT = MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final int MIDDLE = 1 << 30;

    private final long most;
    private long bytes;
    private byte[][] blocks = new byte[64][];
    private String[] names = new String[64];
    private int top = 1;

    /// @param most bytes at one time
    Memory(long most) {
        this.most = most;
    }

    /// Adds a block and gives the address of its start.
    long add(byte[] block, String name) {
        bytes += block.length + 32L;
        if (bytes > most) {
            throw new Stop("needs more than " + (most >> 20) + " MB of memory");
        }
        if (top == blocks.length) {
            blocks = Arrays.copyOf(blocks, 2 * top);
            names = Arrays.copyOf(names, 2 * top);
        }
        blocks[top] = block;
        names[top] = name;
        return ((long) top++ << 32) + MIDDLE;
    }

    /// Number of blocks now, for [#release(int)].
    int mark() {
        return top;
    }

    /// Forgets the blocks that came after `mark`.
    void release(int mark) {
        while (top > mark) {
            top--;
            bytes -= blocks[top].length + 32L;
            blocks[top] = null;
        }
    }

    /// An address `n` bytes further.
    static long moved(long address, long n) {
        if ((n + MIDDLE) >>> 31 != 0) {
            throw new Stop("moves an address by " + n + " bytes, out of every array");
        }
        return address + n;
    }

    private byte[] block(long address) {
        int number = (int) (address >>> 32);
        byte[] block = number > 0 && number < blocks.length ? blocks[number] : null;
        if (block == null) {
            throw new Stop(
                    address == 0
                            ? "uses the null pointer"
                            : "uses an address of something that is no longer there, or that never was an address");
        }
        return block;
    }

    private int place(long address, byte[] block, int n) {
        int at = (int) address - MIDDLE;
        if (at < 0 || at > block.length - n) {
            String name = names[(int) (address >>> 32)];
            throw new Stop("reaches byte " + at + " of " + (name.isEmpty() ? "a variable" : "'" + name + "'")
                    + ", which has " + block.length);
        }
        return at;
    }

    byte load8(long address) {
        byte[] b = block(address);
        return b[place(address, b, 1)];
    }

    short load16(long address) {
        byte[] b = block(address);
        return (short) SHORT.get(b, place(address, b, 2));
    }

    int load32(long address) {
        byte[] b = block(address);
        return (int) INT.get(b, place(address, b, 4));
    }

    long load64(long address) {
        byte[] b = block(address);
        return (long) LONG.get(b, place(address, b, 8));
    }

    void store8(long address, byte value) {
        byte[] b = block(address);
        b[place(address, b, 1)] = value;
    }

    void store16(long address, short value) {
        byte[] b = block(address);
        SHORT.set(b, place(address, b, 2), value);
    }

    void store32(long address, int value) {
        byte[] b = block(address);
        INT.set(b, place(address, b, 4), value);
    }

    void store64(long address, long value) {
        byte[] b = block(address);
        LONG.set(b, place(address, b, 8), value);
    }

    /// A number of more than 64 bits.
    BigInteger loadWide(long address, ExactType type) {
        byte[] b = block(address);
        int at = place(address, b, type.size());
        byte[] big = new byte[type.size()];
        for (int i = 0; i < big.length; i++) {
            big[big.length - 1 - i] = b[at + i];
        }
        return type.signed() ? new BigInteger(big) : new BigInteger(1, big);
    }

    void storeWide(long address, BigInteger value, int size) {
        byte[] b = block(address);
        int at = place(address, b, size);
        byte[] big = value.toByteArray();
        for (int i = 0; i < size; i++) {
            int from = big.length - 1 - i;
            b[at + i] = from >= 0 ? big[from] : (byte) (value.signum() < 0 ? -1 : 0);
        }
    }

    /// Copies bytes that may overlap.
    void copy(long to, long from, int n) {
        byte[] source = block(from);
        byte[] target = block(to);
        System.arraycopy(source, place(from, source, n), target, place(to, target, n), n);
    }

    void fill(long address, byte value, int n) {
        byte[] b = block(address);
        int at = place(address, b, n);
        Arrays.fill(b, at, at + n, value);
    }

    /// A copy of some bytes.
    byte[] bytes(long address, int n) {
        byte[] b = block(address);
        int at = place(address, b, n);
        return Arrays.copyOfRange(b, at, at + n);
    }
}
