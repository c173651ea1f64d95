package knobscape.hls.evaluate.estimator;

import java.util.Arrays;
import knobscape.space.LongIntMap;
import org.jspecify.annotations.Nullable;

/// Operations of one block with their dependences, in topological order. Nodes are numbers; an argument `~n` is
/// an order edge: node `n` must have ended before this one starts.
final class Graph {
    static final byte LIVE_IN = 0;
    static final byte CONSTANT = 1;
    static final byte OPERATION = 2;
    static final byte LOAD = 3;
    static final byte STORE = 4;

    int size;
    byte[] kind = new byte[16];
    FunctionalUnit[] operator = new FunctionalUnit[16];
    int[] argumentsFrom = new int[17];
    double[] constant = new double[16];
    int[] bits = new int[16];
    /// Delay beyond the operator's own (multiplexer behind a memory of unknown bank), ns.
    double[] extraNs = new double[16];
    int[] array = new int[16];
    int[][] banks = new int[16][];
    /// Group of accesses with equal running part; -1 where not affine.
    int[] run = new int[16];
    /// Constant part of the linear address.
    long[] linear = new long[16];
    boolean[] root = new boolean[16];
    boolean[] live = {};
    /// How the banks of accesses are related.
    final Relations relations;

    /// The known relations of two accesses of one array.
    interface Relations {
        /// Accesses of one group are in the same bank exactly where [#bank] is the same; of two groups nothing is
        /// known.
        int group(int node);

        /// Bank relative to the group's.
        int bank(int node);

        /// True if at most one of two accesses happens in an iteration.
        boolean exclusive(int a, int b);
    }

    int[] pool = new int[48];
    int pooled;
    private final LongIntMap same = new LongIntMap(16);

    Graph(Relations relations) {
        this.relations = relations;
    }

    /// Adds a node without arguments; [#argument] adds them to the newest node.
    int add(byte nodeKind, @Nullable FunctionalUnit op, int width) {
        if (size == kind.length) {
            grow();
        }
        int n = size++;
        kind[n] = nodeKind;
        operator[n] = op;
        bits[n] = width;
        array[n] = -1;
        run[n] = -1;
        argumentsFrom[n] = pooled;
        argumentsFrom[n + 1] = pooled;
        return n;
    }

    void argument(int node) {
        if (pooled == pool.length) {
            pool = Arrays.copyOf(pool, pooled * 2);
        }
        pool[pooled++] = node;
        argumentsFrom[size] = pooled;
    }

    /// An operation on up to three values; an equal one is found again instead of made twice.
    int operation(FunctionalUnit op, int width, int a, int b, int c) {
        long key = LongIntMap.mix(LongIntMap.mix(LongIntMap.mix(op.id() * 31L + width) + a) + b * 7919L) + c;
        int found = same.get(key, -1);
        if (found >= 0) {
            return found;
        }
        int n = add(OPERATION, op, width);
        if (a >= 0) {
            argument(a);
        }
        if (b >= 0) {
            argument(b);
        }
        if (c >= 0) {
            argument(c);
        }
        same.put(key, n);
        return n;
    }

    /// A constant.
    int constant(double value, int width) {
        long key = LongIntMap.mix(Double.doubleToLongBits(value)) ^ 0x5bd1e995L * width;
        int found = same.get(key, -1);
        if (found >= 0) {
            return found;
        }
        int n = add(CONSTANT, null, width);
        constant[n] = value;
        same.put(key, n);
        return n;
    }

    /// Marks what contributes to stores and surviving values.
    void findLive() {
        live = new boolean[size];
        for (int n = size - 1; n >= 0; n--) {
            if (root[n]) {
                live[n] = true;
            }
            if (live[n]) {
                for (int k = argumentsFrom[n]; k < argumentsFrom[n + 1]; k++) {
                    if (pool[k] >= 0) {
                        live[pool[k]] = true;
                    }
                }
            }
        }
    }

    private void grow() {
        int to = size * 2;
        kind = Arrays.copyOf(kind, to);
        operator = Arrays.copyOf(operator, to);
        argumentsFrom = Arrays.copyOf(argumentsFrom, to + 1);
        constant = Arrays.copyOf(constant, to);
        bits = Arrays.copyOf(bits, to);
        extraNs = Arrays.copyOf(extraNs, to);
        array = Arrays.copyOf(array, to);
        banks = Arrays.copyOf(banks, to);
        run = Arrays.copyOf(run, to);
        linear = Arrays.copyOf(linear, to);
        root = Arrays.copyOf(root, to);
    }
}
