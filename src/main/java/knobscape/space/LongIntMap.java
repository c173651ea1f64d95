package knobscape.space;

import java.util.Arrays;

/// Map from non-negative `long` keys to `int` values by open addressing, without boxing; nothing is ever removed.
final class LongIntMap {
    private static final long FREE = -1;

    private long[] keys = new long[64];
    private int[] values = new int[64];
    private int size;

    LongIntMap() {
        Arrays.fill(keys, FREE);
    }

    /// The value of `key`, or -1.
    int get(long key) {
        int mask = keys.length - 1;
        for (int i = slot(key, mask);; i = i + 1 & mask) {
            if (keys[i] == key) {
                return values[i];
            }
            if (keys[i] == FREE) {
                return -1;
            }
        }
    }

    void put(long key, int value) {
        if (++size * 2 > keys.length) {
            grow();
        }
        insert(key, value);
    }

    private void insert(long key, int value) {
        int mask = keys.length - 1;
        int i = slot(key, mask);
        while (keys[i] != FREE && keys[i] != key) {
            i = i + 1 & mask;
        }
        keys[i] = key;
        values[i] = value;
    }

    private void grow() {
        long[] oldKeys = keys;
        int[] oldValues = values;
        keys = new long[oldKeys.length * 2];
        values = new int[keys.length];
        Arrays.fill(keys, FREE);
        for (int i = 0; i < oldKeys.length; i++) {
            if (oldKeys[i] != FREE) {
                insert(oldKeys[i], oldValues[i]);
            }
        }
    }

    private static int slot(long key, int mask) {
        long h = key * 0x9E3779B97F4A7C15L;
        return (int) (h ^ h >>> 32) & mask;
    }
}
