package knobscape.compile.analysis;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class FlowGraphTest {
    /// A block dominates another exactly where the other cannot be reached without it.
    @Test
    void dominatorsCutTheGraph() {
        var random = new Random(1);
        for (int round = 0; round < 200; round++) {
            int[][] next = graph(random, 2 + random.nextInt(10), false);
            var g = new FlowGraph(next);
            BitSet all = reached(next, -1);
            for (int b = all.nextSetBit(0); b >= 0; b = all.nextSetBit(b + 1)) {
                for (int a = all.nextSetBit(0); a >= 0; a = all.nextSetBit(a + 1)) {
                    assertThat(g.dominates(a, b))
                            .isEqualTo(a == b || !reached(next, a).get(b));
                }
            }
        }
    }

    /// In a graph without loops, two blocks exclude each other exactly where no path holds both.
    @Test
    void exclusiveBlocksShareNoPath() {
        var random = new Random(2);
        for (int round = 0; round < 100; round++) {
            int[][] next = graph(random, 2 + random.nextInt(8), true);
            var g = new FlowGraph(next);
            List<BitSet> paths = new ArrayList<>();
            paths(next, 0, new BitSet(), paths);
            BitSet all = reached(next, -1);
            for (int b = all.nextSetBit(0); b >= 0; b = all.nextSetBit(b + 1)) {
                for (int a = all.nextSetBit(0); a >= 0; a = all.nextSetBit(a + 1)) {
                    int x = a;
                    int y = b;
                    boolean together = paths.stream().anyMatch(p -> p.get(x) && p.get(y));
                    assertThat(g.exclusive(a, b)).isEqualTo(!together);
                }
            }
        }
    }

    /// A block that nothing decides lies on every path; one that is decided does not.
    @Test
    void whatNothingDecidesAlwaysRuns() {
        var random = new Random(3);
        for (int round = 0; round < 100; round++) {
            int[][] next = graph(random, 2 + random.nextInt(8), true);
            var g = new FlowGraph(next);
            var within = new BitSet();
            within.set(0, next.length);
            List<BitSet> paths = new ArrayList<>();
            paths(next, 0, new BitSet(), paths);
            for (int b : g.order()) {
                boolean always = paths.stream().allMatch(p -> p.get(b));
                assertThat(g.deciders(b, 0, within).isEmpty()).isEqualTo(always);
            }
        }
    }

    private static int[][] graph(Random random, int blocks, boolean forward) {
        int[][] next = new int[blocks][];
        for (int b = 0; b < blocks; b++) {
            if (b == blocks - 1) {
                next[b] = new int[0];
                continue;
            }
            int ways = 1 + random.nextInt(2);
            int from = b;
            next[b] = random.ints(ways, forward ? b + 1 : 0, blocks)
                    .filter(s -> forward || s != from || blocks > 2)
                    .distinct()
                    .toArray();
        }
        return next;
    }

    private static BitSet reached(int[][] next, int without) {
        var seen = new BitSet();
        if (without == 0) {
            return seen;
        }
        var waiting = new ArrayDeque<>(List.of(0));
        seen.set(0);
        while (!waiting.isEmpty()) {
            for (int s : next[waiting.pop()]) {
                if (s != without && !seen.get(s)) {
                    seen.set(s);
                    waiting.push(s);
                }
            }
        }
        return seen;
    }

    private static void paths(int[][] next, int at, BitSet so, List<BitSet> out) {
        var here = (BitSet) so.clone();
        here.set(at);
        if (next[at].length == 0) {
            out.add(here);
        }
        for (int s : next[at]) {
            paths(next, s, here, out);
        }
    }
}
