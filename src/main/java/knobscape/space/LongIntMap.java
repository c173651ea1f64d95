package knobscape.space;

import java.util.Arrays;

/// Map from `long` to `int` by open addressing, without boxing; nothing is ever removed. `Integer.MIN_VALUE` is
/// no value.
public final class LongIntMap {
    private static final int ABSENT = Integer.MIN_VALUE;

    private long[] keys;
    private int[] values;
    private int size;

    /// A map with room for about `expected` keys; it grows.
    public LongIntMap(int expected) {
        room(Integer.highestOneBit(Math.max(8, expected * 2 - 1)) * 2);
    }

    private void room(int capacity) {
        keys = new long[capacity];
        values = new int[capacity];
        Arrays.fill(values, ABSENT);
    }

    /// The value of `key`, or `otherwise`.
    public int get(long key, int otherwise) {
        int value = values[place(key)];
        return value == ABSENT ? otherwise : value;
    }

    /// Sets the value of `key`.
    public void put(long key, int value) {
        int i = place(key);
        boolean added = values[i] == ABSENT;
        keys[i] = key;
        values[i] = value;
        if (added && ++size * 2 > keys.length) {
            grow();
        }
    }

    private int place(long key) {
        int mask = keys.length - 1;
        long h = key * 0x9E3779B97F4A7C15L;
        int i = (int) (h ^ h >>> 32) & mask;
        while (values[i] != ABSENT && keys[i] != key) {
            i = i + 1 & mask;
        }
        return i;
    }

    private void grow() {
        long[] oldKeys = keys;
        int[] oldValues = values;
        room(oldKeys.length * 2);
        for (int i = 0; i < oldKeys.length; i++) {
            if (oldValues[i] != ABSENT) {
                int at = place(oldKeys[i]);
                keys[at] = oldKeys[i];
                values[at] = oldValues[i];
            }
        }
    }

    /// Spreads the bits of `z` (finaliser of SplitMix64): equal numbers stay equal, near ones end far apart.
    public static long mix(long z) {
        long a = (z ^ z >>> 30) * 0xbf58476d1ce4e5b9L;
        long b = (a ^ a >>> 27) * 0x94d049bb133111ebL;
        return b ^ b >>> 31;
    }
}
