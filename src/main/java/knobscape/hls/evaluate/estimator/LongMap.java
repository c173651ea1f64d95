package knobscape.hls.evaluate.estimator;

import java.util.Arrays;

/// A hash table from long to int, without boxing.
final class LongMap {
    private static final int ABSENT = Integer.MIN_VALUE;
    private long[] keys;
    private int[] values;
    private int size;

    LongMap(int expected) {
        int capacity = Integer.highestOneBit(Math.max(8, expected * 2 - 1)) * 2;
        keys = new long[capacity];
        values = new int[capacity];
        Arrays.fill(values, ABSENT);
    }

    /// The value, or `otherwise`.
    int get(long key, int otherwise) {
        int i = find(key);
        return values[i] == ABSENT ? otherwise : values[i];
    }

    void put(long key, int value) {
        int i = find(key);
        if (values[i] == ABSENT) {
            keys[i] = key;
            if (++size * 2 > keys.length) {
                values[i] = value;
                grow();
                return;
            }
        }
        values[i] = value;
    }

    private int find(long key) {
        int mask = keys.length - 1;
        int i = (int) (mix(key) & mask);
        while (values[i] != ABSENT && keys[i] != key) {
            i = (i + 1) & mask;
        }
        return i;
    }

    private void grow() {
        long[] oldKeys = keys;
        int[] oldValues = values;
        keys = new long[oldKeys.length * 2];
        values = new int[keys.length];
        Arrays.fill(values, ABSENT);
        for (int i = 0; i < oldKeys.length; i++) {
            if (oldValues[i] != ABSENT) {
                int at = find(oldKeys[i]);
                keys[at] = oldKeys[i];
                values[at] = oldValues[i];
            }
        }
    }

    /// Spreads bits (SplitMix64's finaliser).
    static long mix(long z) {
        long a = (z ^ (z >>> 30)) * 0xbf58476d1ce4e5b9L;
        long b = (a ^ (a >>> 27)) * 0x94d049bb133111ebL;
        return b ^ (b >>> 31);
    }
}
