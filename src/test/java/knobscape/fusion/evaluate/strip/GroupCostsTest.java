package knobscape.fusion.evaluate.strip;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import knobscape.fusion.source.StripMachine.Counting;
import knobscape.fusion.source.rows.RowEdge;
import knobscape.fusion.source.rows.RowGraph;
import knobscape.fusion.source.rows.RowNode;
import knobscape.fusion.source.rows.RowNode.Loops;
import knobscape.fusion.source.rows.RowNode.Work;
import org.junit.jupiter.api.Test;

/// Traffic of groups against trying every use of the buffer.
final class GroupCostsTest {
    private static final int CASES = 300;

    /// Something that can be pinned: bytes in the buffer, its tile, bytes that one pinned byte saves.
    private record Operand(long bytes, long tile, long saving) {}

    @Test
    void pinningIsTheBestOfEveryWayToPin() {
        var random = new SplittableRandom(5);
        int tight = 0;
        for (int n = 0; n < CASES; n++) {
            RowGraph g = RandomRows.graph(1 + random.nextInt(3), false, random);
            int a = g.inputs();
            int b = g.nodes().size() - 1;
            int samples = 1 + random.nextInt(3);
            var wide = new StripModel(g, RandomRows.machine(1 << 20, Counting.DEFAULT), samples);
            var strips = new Strips(wide);
            strips.group(a, b);
            strips.walk(1, Long.MAX_VALUE);
            var model = new StripModel(
                    g, RandomRows.machine(strips.room() + random.nextInt(90) + 1, Counting.DEFAULT), samples);
            for (GroupPlan p : new GroupCosts(model).all(a, b)) {
                if (p.pieces().tiles() > 1
                        || p.pieces().recomputes()
                        || samples % p.pieces().samples() != 0) {
                    continue;
                }
                strips = new Strips(model);
                strips.group(a, b);
                strips.walk(p.pieces().strip(), Long.MAX_VALUE);
                List<Operand> operands =
                        operands(model, strips, a, b, p.pieces().samples());
                if (operands.size() > 3) {
                    continue;
                }
                long free = model.machine().buffer() - p.pieces().samples() * strips.room();
                long best = cheapest(operands, 0, free, 0);
                assertThat(p.cost().offChip())
                        .as(n + ": " + p + " of " + g)
                        .isEqualTo(once(model, strips, a, b) + best);
                assertThat(p.room()).isLessThanOrEqualTo(model.machine().buffer());
                tight += best > 0 ? 1 : 0;
            }
        }
        assertThat(tight).isGreaterThan(CASES * 3 / 4);
    }

    private static long once(StripModel m, Strips s, int a, int b) {
        long off = 0;
        for (int o = 0; o < s.outsides(); o++) {
            off += s.wanted(s.outside(o)) * m.rowBytes[s.outside(o)] * m.samples();
        }
        for (int i = a; i <= b; i++) {
            off += m.weightBytes(i) + (s.stored(i) ? m.bytes(i) * m.samples() : 0);
        }
        return off;
    }

    private static List<Operand> operands(StripModel m, Strips s, int a, int b, int block) {
        var list = new ArrayList<Operand>();
        long q = Math.ceilDiv(m.samples(), (long) block);
        for (int i = a; i <= b; i++) {
            long w = m.weightBytes(i);
            if (w > 0) {
                long k = m.graph().node(i).work().loops().k();
                list.add(new Operand(w, Math.min(w, Math.ceilDiv(w, k)), q * s.launches(i) - 1));
            }
            for (RowEdge e : m.graph().node(i).edges()) {
                if (e.from() < a && s.streams(e.from())) {
                    long bytes = s.wanted(e.from()) * m.rowBytes[e.from()];
                    list.add(new Operand(
                            bytes * block,
                            Math.min(bytes, Math.min(16, s.wanted(e.from())) * m.rowBytes[e.from()]),
                            q * (s.launches(i) - 1)));
                }
            }
        }
        return list;
    }

    /// Every operand is pinned by any number of bytes; those not pinned whole stream through one tile.
    private static long cheapest(List<Operand> operands, int at, long free, long tile) {
        if (tile > free) {
            return Long.MAX_VALUE / 2;
        }
        if (at == operands.size()) {
            return 0;
        }
        Operand o = operands.get(at);
        long best = Long.MAX_VALUE / 2;
        for (long pinned = 0; pinned <= Math.min(o.bytes, free); pinned++) {
            boolean whole = pinned == o.bytes;
            long rest = cheapest(operands, at + 1, free - pinned, whole ? tile : Math.max(tile, o.tile));
            best = Math.min(best, o.saving * (o.bytes - pinned) + rest);
        }
        return best;
    }

    @Test
    void aProductThatDoesNotFitMovesNoLessThanTheLowerBoundOfItsTraffic() {
        var random = new SplittableRandom(6);
        int tested = 0;
        for (int n = 0; n < CASES; n++) {
            int rows = 1 << random.nextInt(11);
            int inner = 1 << random.nextInt(11);
            int columns = 1 << random.nextInt(11);
            long buffer = 64L << random.nextInt(14);
            var g = new RowGraph(
                    "product",
                    List.of(
                            RowNode.input("x", rows, inner),
                            RowNode.layer(
                                    "y",
                                    rows,
                                    columns,
                                    new Work(
                                            (long) rows * inner * columns,
                                            (long) inner * columns,
                                            new Loops(columns, inner, 1, rows)),
                                    List.of(RowEdge.same(0)))),
                    1,
                    1);
            var model = new StripModel(g, RandomRows.machine(buffer, Counting.DEFAULT), 1);
            double bound = 2.0 * rows * inner * columns / Math.sqrt(buffer);
            for (GroupPlan p : new GroupCosts(model).all(1, 1)) {
                tested++;
                assertThat((double) p.cost().offChip())
                        .as(rows + " x " + inner + " x " + columns + " at " + buffer + ": " + p)
                        .isGreaterThanOrEqualTo(bound);
            }
        }
        assertThat(tested).isGreaterThan(CASES);
    }
}
