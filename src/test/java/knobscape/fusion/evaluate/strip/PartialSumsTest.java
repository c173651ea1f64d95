package knobscape.fusion.evaluate.strip;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.SplittableRandom;
import knobscape.fusion.source.StripMachine;
import knobscape.fusion.source.StripMachine.Counting;
import knobscape.fusion.source.rows.RowEdge;
import knobscape.fusion.source.rows.RowGraph;
import knobscape.fusion.source.rows.RowNode;
import knobscape.fusion.source.rows.RowNode.Loops;
import knobscape.fusion.source.rows.RowNode.Work;
import org.junit.jupiter.api.Test;

/// A layer alone with partial sums, against loops that load every element one by one, and against every tile there is.
final class PartialSumsTest {
    private static final int CASES = 150;

    /// What loops over tiles move, and what they hold at most.
    private record Moved(long bytes, long live) {}

    private static RowGraph product(int rows, int width, int inner, int channels) {
        long weights = (long) inner * channels;
        return new RowGraph(
                "product",
                List.of(
                        RowNode.input("x", rows, (long) width * inner),
                        RowNode.layer(
                                "y",
                                rows,
                                (long) width * channels,
                                new Work(weights * rows * width, weights, new Loops(channels, inner, width, rows)),
                                List.of(RowEdge.same(0)))),
                1,
                1);
    }

    /// Goes through a product tile by tile; elements are bytes, sums four of them.
    ///
    /// @param at input channels that come at once
    private static Moved loops(StripModel m, int t, int block, int channels, int at) {
        RowNode y = m.graph().node(1);
        int inner = (int) y.work().loops().c();
        int k = (int) y.work().loops().k();
        int width = (int) y.work().loops().x();
        long bytes = 0;
        long live = 0;
        for (long s = 0; s < m.samples(); s += block) {
            long together = Math.min(block, m.samples() - s);
            for (int r = 0; r < y.rows(); r += t) {
                long lines = Math.min(t, y.rows() - r) * together;
                for (int c = 0; c < k; c += channels) {
                    long out = Math.min(channels, k - c);
                    for (int i = 0; i < inner; i += at) {
                        long in = Math.min(at, inner - i);
                        bytes += lines * width * in + in * out;
                        live = Math.max(live, lines * width * in + in * out + 4 * lines * width * out);
                    }
                    bytes += lines * width * out;
                }
            }
        }
        return new Moved(bytes, live);
    }

    @Test
    void everyTileMovesWhatItsLoopsLoad() {
        var random = new SplittableRandom(21);
        int seen = 0;
        for (int n = 0; n < CASES; n++) {
            int width = 1 + random.nextInt(3);
            RowGraph g = product(2 + random.nextInt(12), width, 20 + random.nextInt(100), 2 + random.nextInt(40));
            StripMachine base = RandomRows.machine(100 + random.nextInt(1500), Counting.DEFAULT);
            var model = new StripModel(
                    g,
                    // On-chip bytes take no time, so that the least traffic is chosen.
                    new StripMachine(
                            base.buffer(),
                            base.macRate(),
                            base.offBandwidth(),
                            1e12,
                            base.launchSeconds(),
                            base.widths(),
                            base.array(),
                            base.energy(),
                            base.counting()),
                    1 + random.nextInt(3));
            int k = (int) g.node(1).work().loops().k();
            int inner = (int) g.node(1).work().loops().c();
            long least = Long.MAX_VALUE;
            for (GroupPlan p : new GroupCosts(model).all(1, 1)) {
                if (!p.pieces().sums()) {
                    continue;
                }
                seen++;
                int channels = Math.ceilDiv(k, p.pieces().tiles());
                Moved moved = loops(model, p.pieces().strip(), p.pieces().samples(), channels, Math.min(inner, 16));
                assertThat(p.cost().offChip()).as(n + ": " + p + " of " + g).isEqualTo(moved.bytes());
                assertThat(p.room()).isBetween(moved.live(), model.machine().buffer());
                least = Math.min(least, p.cost().offChip());
            }
            long best = Long.MAX_VALUE;
            for (int t = 1; t <= g.node(1).rows(); t++) {
                for (int block = 1; block <= model.samples(); block++) {
                    for (int channels = 1; channels <= k; channels++) {
                        Moved moved = loops(model, t, block, channels, Math.min(inner, 16));
                        if (moved.live() <= model.machine().buffer()) {
                            best = Math.min(best, moved.bytes());
                        }
                    }
                }
            }
            assertThat(least).as(n + ": " + g).isEqualTo(best);
        }
        assertThat(seen).isGreaterThan(CASES);
    }
}
