package knobscape.hls.evaluate.estimator;

import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import knobscape.hls.evaluate.estimator.Program.Iteration;
import knobscape.hls.evaluate.estimator.Program.Procedure;
import org.jspecify.annotations.Nullable;

/// Estimates of loops and functions under the part of a plan that concerns them. Most configurations of a space
/// share most of their parts. Thread-safe; emptied when it holds too much.
final class RegionMemo {
    private static final int LIMIT = 60_000;

    private record Key(int[] data, int hash) {
        @Override
        public boolean equals(Object other) {
            return other instanceof Key k && k.hash == hash && Arrays.equals(k.data, data);
        }

        @Override
        public int hashCode() {
            return hash;
        }
    }

    private final Program program;
    private final Map<Key, Region> regions = new ConcurrentHashMap<>();
    private final int[] globals;

    RegionMemo(Program program) {
        this.program = program;
        globals = program.arrays().stream()
                .filter(a -> a.source().function().isEmpty())
                .mapToInt(Program.Store::id)
                .toArray();
    }

    /// The estimate under a key, null where there is none.
    @Nullable
    Region get(int[] key) {
        return regions.get(new Key(key, Arrays.hashCode(key)));
    }

    void put(int[] key, Region region) {
        if (regions.size() >= LIMIT) {
            regions.clear();
        }
        regions.put(new Key(key, Arrays.hashCode(key)), region);
    }

    int[] functionKey(Procedure f, Frame frame, Plan plan) {
        var k = new Keys();
        k.add(-1 - f.id);
        k.add(plan.boundKey);
        function(k, f, plan);
        arrays(k, f.arrays, frame, plan);
        reached(k, f.reaches, plan);
        return k.done();
    }

    int[] loopKey(Iteration it, Frame frame, Plan plan, double outerTrips, int merged) {
        var k = new Keys();
        k.add(it.id);
        k.add(plan.boundKey);
        k.add(2 * merged + (frame.insideLoop() ? 1 : 0));
        k.add(plan.multiplier[frame.function()].ordinal());
        long bits = Double.doubleToLongBits(outerTrips);
        k.add((int) bits);
        k.add((int) (bits >>> 32));
        for (int l : it.nest) {
            loop(k, l, plan);
        }
        for (int l : it.around) {
            loop(k, l, plan);
        }
        arrays(k, it.arrays, frame, plan);
        reached(k, it.reaches, plan);
        return k.done();
    }

    private void reached(Keys k, int[] functions, Plan plan) {
        for (int r : functions) {
            Procedure p = program.functions().get(r);
            function(k, p, plan);
            for (int a : p.arrays) {
                k.add(plan.layouts[a] == null ? -1 : plan.layouts[a].id);
            }
        }
        for (int g : globals) {
            k.add(plan.layouts[g] == null ? -1 : plan.layouts[g].id);
        }
    }

    private static void function(Keys k, Procedure f, Plan plan) {
        k.add(plan.multiplier[f.id].ordinal() << 8
                | (plan.inline[f.id] + 1) << 1
                | (plan.functionDataflow[f.id] ? 1 : 0));
        for (int l : f.loops) {
            loop(k, l, plan);
        }
    }

    private static void loop(Keys k, int l, Plan plan) {
        k.add(plan.unroll[l]);
        k.add(plan.interval[l] << 5
                | (plan.pipeline[l] + 1) << 3
                | (plan.flatten[l] + 1) << 1
                | (plan.loopDataflow[l] ? 1 : 0));
    }

    private static void arrays(Keys k, int[] arrays, Frame frame, Plan plan) {
        for (int a : arrays) {
            int root = frame.arrays()[a];
            k.add(plan.layouts[root] == null ? -1 - root : plan.layouts[root].id);
        }
    }

    private static final class Keys {
        private int[] data = new int[32];
        private int size;

        void add(int v) {
            if (size == data.length) {
                data = Arrays.copyOf(data, size * 2);
            }
            data[size++] = v;
        }

        int[] done() {
            return Arrays.copyOf(data, size);
        }
    }
}
