package knobscape.hls.evaluate.estimator;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import knobscape.hls.source.ArrayVariable;
import knobscape.hls.source.Location;
import knobscape.hls.source.ScalarType;
import knobscape.hls.space.Directive.PartitionType;
import knobscape.hls.space.Directive.Storage;
import org.junit.jupiter.api.Test;

class RelatedPortsTest {
    /// Where every bank is known, the relation of banks says what their numbers say.
    @Test
    void knownBanksAreServedAsByNumber() {
        var random = new Random(1);
        for (int round = 0; round < 200; round++) {
            int banks = 1 << random.nextInt(4);
            Layout layout = layout(banks);
            int n = 1 + random.nextInt(40);
            int[] bank = random.ints(n, 0, banks).toArray();
            var g = new Graph(relations(new int[n], bank, new int[n]));
            for (int k = 0; k < n; k++) {
                int node = g.add(random.nextInt(3) == 0 ? Graph.STORE : Graph.LOAD, null, 32);
                g.banks[node] = new int[] {bank[node]};
            }
            var numbered = new PortTable(layout);
            var related = new RelatedPorts(layout, relations(new int[n], bank, new int[n]));
            for (int k = 0; k < n; k++) {
                int earliest = random.nextInt(6);
                assertThat(related.place(g, k, 1, earliest)).isEqualTo(numbered.place(g, k, 1, earliest));
            }
            assertThat(related.interval()).isEqualTo(numbered.interval());
        }
    }

    /// Neighbours of a row whose place is known only at run time lie in different banks all the same.
    @Test
    void banksThatMoveTogetherNeverMeet() {
        Layout layout = layout(8);
        Graph g = loads(8);
        var ports = new RelatedPorts(
                layout, relations(new int[8], IntStream.range(0, 8).toArray(), new int[8]));
        for (int k = 0; k < 8; k++) {
            assertThat(ports.place(g, k, 1, 0)).isZero();
        }
        assertThat(ports.interval()).isEqualTo(1);
    }

    /// Accesses that move apart may meet in any bank.
    @Test
    void banksThatMoveApartMayMeet() {
        Graph g = loads(6);
        var ports = new RelatedPorts(layout(8), relations(IntStream.range(0, 6).toArray(), new int[6], new int[6]));
        for (int k = 0; k < 6; k++) {
            assertThat(ports.place(g, k, 1, 0)).isEqualTo(k / 2);
        }
        assertThat(ports.interval()).isEqualTo(3);
    }

    @Test
    void exclusiveAccessesShareAPort() {
        Graph g = loads(6);
        // three branches with two accesses each
        var ports = new RelatedPorts(layout(1), relations(new int[6], new int[6], new int[] {1, 1, 2, 2, 3, 3}));
        for (int k = 0; k < 6; k++) {
            assertThat(ports.place(g, k, 1, 0)).isZero();
        }
        assertThat(ports.interval()).isEqualTo(1);
    }

    private static Graph loads(int n) {
        var g = new Graph(relations(new int[n], new int[n], new int[n]));
        for (int k = 0; k < n; k++) {
            g.banks[g.add(Graph.LOAD, null, 32)] = new int[] {0};
        }
        return g;
    }

    private static Graph.Relations relations(int[] group, int[] bank, int[] branch) {
        return new Graph.Relations() {
            @Override
            public int group(int node) {
                return group[node];
            }

            @Override
            public int bank(int node) {
                return bank[node];
            }

            @Override
            public boolean exclusive(int a, int b) {
                return branch[a] != branch[b];
            }
        };
    }

    private static Layout layout(int banks) {
        var variable = new ArrayVariable(
                "f/a",
                "a",
                "f",
                ArrayVariable.Scope.LOCAL,
                ScalarType.INT,
                List.of(1L << 16),
                new Location("f.c", 1, 1, 0, 1));
        var store = new Layout.Store(0, variable, 32, new long[] {1 << 16}, new long[] {1}, false, false, false, -1);
        return new Layout(
                0,
                new Layout.Request(
                        0,
                        List.of(new Layout.Cut(PartitionType.CYCLIC, banks)),
                        List.of(Layout.NONE),
                        Storage.AUTO,
                        0,
                        0),
                store);
    }
}
