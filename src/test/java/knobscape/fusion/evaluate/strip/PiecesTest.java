package knobscape.fusion.evaluate.strip;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Optional;
import java.util.SplittableRandom;
import knobscape.fusion.source.StripMachine;
import knobscape.fusion.source.StripMachine.Counting;
import knobscape.fusion.source.StripMachine.Unrolling;
import knobscape.fusion.source.rows.RowGraph;
import org.junit.jupiter.api.Test;

/// Stripes of columns and strips that keep nothing, against explicit sets of cells.
final class PiecesTest {
    private static final int GROUPS = 1_500;
    private static final int TALL = 150;

    @Test
    void everyWayToCutAGroupMovesWhatExplicitSetsOfCellsDo() {
        var random = new SplittableRandom(9);
        int whole = 0;
        int cut = 0;
        int apart = 0;
        int over = 0;
        for (int n = 0; n < GROUPS + TALL; n++) {
            // Many pieces in a row are alike only in tall images.
            RowGraph g = RandomRows.images(1 + random.nextInt(5), n < GROUPS ? 11 : 60, random);
            int a = g.inputs() + random.nextInt(g.layers());
            int b = a + random.nextInt(g.nodes().size() - a);
            int[] array = {1 + random.nextInt(4), 1 + random.nextInt(4)};
            var model = new StripModel(g, shaped(400, array), 1);
            var strips = new Strips(model);
            strips.group(a, b);
            boolean cuttable = strips.isCuttable();
            for (GroupPlan p : new GroupCosts(model).all(a, b)) {
                // Layers beside those that set the pace keep a pace of their own.
                if (p.pieces().tiles() > 1 || !cuttable) {
                    continue;
                }
                String what = n + ": " + p + " of " + g;
                var s = new CellSimulation(
                        g,
                        a,
                        b,
                        p.pieces().columns(),
                        p.pieces().strip(),
                        p.pieces().recomputes(),
                        array);
                GroupCosts.Parts parts = new GroupCosts(model).parts(p);
                double input = 0;
                double seconds = 0;
                double starts = 0;
                for (int x = 0; x < b + 1; x++) {
                    double cells = g.node(x).rows() * (double) g.columns(x).count();
                    if (x < a) {
                        input += s.moved(x) / cells * model.bytes(x);
                    } else {
                        seconds += s.steps(x) * macs(model, x, array);
                        starts += s.launches(x);
                    }
                }
                assertThat((double) parts.input()).as(what).isCloseTo(input, within(1e-6));
                assertThat(parts.computeSeconds()).as(what).isCloseTo(seconds, within(1e-6));
                assertThat(parts.launches()).as(what).isEqualTo(starts);
                assertThat((double) p.room()).as(what).isGreaterThanOrEqualTo(s.room());
                whole += p.pieces().columns() == 1 && !p.pieces().recomputes() ? 1 : 0;
                cut += p.pieces().columns() > 1 ? 1 : 0;
                apart += p.pieces().recomputes() ? 1 : 0;
                over += room(model, p) > s.room() + 1e-6 ? 1 : 0;
            }
        }
        assertThat(whole).isGreaterThan(GROUPS);
        assertThat(cut).isGreaterThan(GROUPS);
        assertThat(apart).isGreaterThan(GROUPS);
        // The widest part of one tensor and that of another may be in different stripes.
        assertThat(over).isLessThan((cut + apart) / 3);
    }

    private static StripMachine shaped(long buffer, int[] array) {
        StripMachine m = RandomRows.machine(buffer, new Counting(false, true, false, 4));
        return new StripMachine(
                buffer,
                m.macRate(),
                m.offBandwidth(),
                m.onBandwidth(),
                m.launchSeconds(),
                m.widths(),
                Optional.of(new Unrolling(2, 1, array[1], array[0])),
                m.energy(),
                m.counting());
    }

    /// Seconds of a step of the array: a full step of all elements, as often as loops that are not rows and columns
    /// ask for it.
    private static double macs(StripModel m, int layer, int[] array) {
        var l = m.graph().node(layer).work().loops();
        double full = Math.ceilDiv(l.x(), (long) array[1]) * (double) Math.ceilDiv(l.y(), (long) array[0]);
        return m.macSeconds[layer] / full;
    }

    /// Live rows alone.
    private static long room(StripModel m, GroupPlan p) {
        var strips = new Strips(m);
        strips.group(p.first(), p.last());
        if (p.pieces().columns() > 1) {
            var across = new Pieces(m.columns, m.across, m.columnsAtOnce, true);
            across.cut(strips, Math.ceilDiv(m.columns[strips.pace()], p.pieces().columns()));
            strips.narrow(across, p.pieces().columns());
        }
        if (p.pieces().recomputes()) {
            var down = new Pieces(m.rows, m.edges, m.rowsAtOnce, false);
            down.cut(strips, p.pieces().strip());
            strips.walkApart(down, Math.ceilDiv(strips.paceRows(), p.pieces().strip()));
        } else {
            strips.walk(p.pieces().strip(), Long.MAX_VALUE);
        }
        return strips.room();
    }
}
