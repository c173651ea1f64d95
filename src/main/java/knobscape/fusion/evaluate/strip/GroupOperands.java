package knobscape.fusion.evaluate.strip;

import java.util.Arrays;
import java.util.function.IntToLongFunction;

/// Weights, K and V of a group: what of them the buffer pins, and what streams through it and is loaded again at every
/// launch. Scratch memory for one thread.
final class GroupOperands {
    private final long samples;
    private final long[] size;
    private final long[] tile;
    private final int[] reader;
    private final boolean[] perSample;
    private final long[] launches;
    private int count;
    /// Operands by what a pinned byte saves, most first: launches, whether for each sample, index.
    private final long[] ranked;
    /// Operands that a pinned byte of saves the same.
    private final long[] classLaunches;
    private final boolean[] classPerSample;
    private final long[] classBytes;
    private int classes;
    private final long[] again;
    private long pinned;
    /// The sizes of tiles that occur.
    private final long[] distinct;
    private int tileSizes;

    /// @param samples of the whole batch
    /// @param most operands of a group
    GroupOperands(long samples, int most) {
        this.samples = samples;
        size = new long[most];
        tile = new long[most];
        reader = new int[most];
        perSample = new boolean[most];
        launches = new long[most];
        ranked = new long[most];
        classLaunches = new long[most];
        classPerSample = new boolean[most];
        classBytes = new long[most];
        again = new long[most];
        distinct = new long[most];
    }

    /// Begins anew.
    void clear() {
        count = 0;
        tileSizes = 0;
    }

    /// One more.
    ///
    /// @param by the layer that reads it
    /// @param bytes of it, for one sample where each has its own
    /// @param least bytes that stream at once
    void add(int by, long bytes, long least, boolean each) {
        size[count] = bytes;
        tile[count] = Math.min(bytes, least);
        reader[count] = by;
        perSample[count] = each;
        count++;
    }

    /// How many there are.
    int count() {
        return count;
    }

    /// Bytes of one.
    long bytes(int operand) {
        return size[operand];
    }

    /// True if every sample has its own.
    boolean isPerSample(int operand) {
        return perSample[operand];
    }

    /// Bytes in the buffer after [#reload].
    long pinned() {
        return pinned;
    }

    /// Bytes that a layer loads again after [#reload].
    long again(int layer) {
        long bytes = 0;
        for (int o = 0; o < count; o++) {
            bytes += reader[o] == layer ? again[o] : 0;
        }
        return bytes;
    }

    /// The sizes of tiles that occur; they are looked for once for a group.
    private int tileSizes() {
        if (tileSizes == 0) {
            System.arraycopy(tile, 0, distinct, 0, count);
            Arrays.sort(distinct, 0, count);
            for (int o = 0; o < count; o++) {
                if (tileSizes == 0 || distinct[o] != distinct[tileSizes - 1]) {
                    distinct[tileSizes++] = distinct[o];
                }
            }
        }
        return tileSizes;
    }

    /// Puts the operands in the order in which their bytes are pinned: a byte saves most where its layer is
    /// launched most often, whatever number of samples go together. Those that come equally often are a class.
    ///
    /// @param launchesOf strips in which a layer makes rows
    void rank(IntToLongFunction launchesOf) {
        for (int o = 0; o < count; o++) {
            launches[o] = launchesOf.applyAsLong(reader[o]);
            long rarely = (long) Integer.MAX_VALUE - launches[o];
            ranked[o] = rarely << 33 | (perSample[o] ? 1L << 32 : 0) | o;
        }
        Arrays.sort(ranked, 0, count);
        classes = 0;
        for (int at = 0; at < count; at++) {
            int o = (int) ranked[at];
            if (at == 0 || ranked[at] >>> 32 != ranked[at - 1] >>> 32) {
                classLaunches[classes] = launches[o];
                classPerSample[classes] = perSample[o];
                classBytes[classes] = 0;
                classes++;
            }
            classBytes[classes - 1] += size[o];
        }
    }

    /// Bytes that are loaded again at least: those of the best use of the buffer if nothing needed room to stream.
    ///
    /// @param m samples at once
    /// @param q blocks of them
    /// @param free bytes that live rows leave
    long leastReload(int m, long q, long free) {
        long left = free;
        long reload = 0;
        for (int c = 0; c < classes; c++) {
            long there = classPerSample[c] ? m * classBytes[c] : classBytes[c];
            long stays = Math.min(left, there);
            left -= stays;
            long times = saving(classLaunches[c], classPerSample[c], q);
            long all = classPerSample[c] ? (classLaunches[c] - 1) * samples * classBytes[c] : times * there;
            reload += Math.max(0, all - times * stays);
        }
        return reload;
    }

    /// Bytes that a pinned byte saves. One of K or V is loaded once for each block of samples in any case.
    private static long saving(long launches, boolean each, long q) {
        return each ? q * (launches - 1) : q * launches - 1;
    }

    private long saving(int o, long q) {
        return saving(launches[o], perSample[o], q);
    }

    /// Bytes of an operand that are loaded again.
    private long again(int o, int m, long q, long stays) {
        if (!perSample[o] || samples % m == 0) {
            return saving(o, q) * (inBuffer(o, m) - stays);
        }
        // The last block holds fewer samples.
        long full = (q - 1) * (inBuffer(o, m) - stays);
        return saving(o, q) / q * (full + Math.max(0, samples % m * size[o] - stays));
    }

    private long inBuffer(int o, int m) {
        return perSample[o] ? m * size[o] : size[o];
    }

    /// Room that the operands which are not pinned whole need to stream through: that of the largest tile among them.
    ///
    /// @return -1 where nothing fits
    long reserve(int m, long q, long free) {
        long needed = 0;
        long onceTile = 0;
        for (int o = 0; o < count; o++) {
            if (saving(o, q) == 0) {
                onceTile = Math.max(onceTile, tile[o]);
            } else {
                needed += inBuffer(o, m);
            }
        }
        if (needed + onceTile <= free) {
            return onceTile;
        }
        long bestReserve = -1;
        long bestReload = Long.MAX_VALUE;
        // Every tile is a candidate: what has a larger one must be pinned whole.
        for (int c = 0; c < tileSizes(); c++) {
            long candidate = distinct[c];
            if (candidate > free) {
                continue;
            }
            long reload = reload(m, q, free - candidate, candidate);
            if (reload >= 0 && (reload < bestReload || (reload == bestReload && candidate < bestReserve))) {
                bestReload = reload;
                bestReserve = candidate;
            }
        }
        return bestReserve;
    }

    /// Bytes loaded again where the rest of the buffer pins what saves most; -1 where operands of larger tiles do not
    /// fit whole. Leaves in [#pinned] the bytes that stay.
    ///
    /// @param room bytes that may be pinned
    /// @param streamed bytes through which the others stream
    long reload(int m, long q, long room, long streamed) {
        pinned = 0;
        for (int o = 0; o < count; o++) {
            if (tile[o] > streamed) {
                pinned += inBuffer(o, m);
                again[o] = 0;
            }
        }
        if (pinned > room) {
            return -1;
        }
        long reload = 0;
        for (int at = 0; at < count; at++) {
            int o = (int) ranked[at];
            if (tile[o] <= streamed) {
                long stays = saving(o, q) > 0 ? Math.min(room - pinned, inBuffer(o, m)) : 0;
                pinned += stays;
                again[o] = again(o, m, q, stays);
                reload += again[o];
            }
        }
        return reload;
    }
}
