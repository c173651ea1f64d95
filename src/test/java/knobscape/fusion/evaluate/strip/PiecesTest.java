package knobscape.fusion.evaluate.strip;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.SplittableRandom;
import knobscape.fusion.source.StripMachine.Counting;
import knobscape.fusion.source.rows.RowGraph;
import org.junit.jupiter.api.Test;

/// Stripes of columns and strips that keep nothing, against explicit sets of cells.
final class PiecesTest {
    private static final int GROUPS = 1_500;

    @Test
    void everyWayToCutAGroupMovesWhatExplicitSetsOfCellsDo() {
        var random = new SplittableRandom(9);
        int cut = 0;
        int apart = 0;
        int over = 0;
        for (int n = 0; n < GROUPS; n++) {
            RowGraph g = RandomRows.images(1 + random.nextInt(5), random);
            int a = g.inputs() + random.nextInt(g.layers());
            int b = a + random.nextInt(g.nodes().size() - a);
            var model = new StripModel(g, RandomRows.machine(400, new Counting(false, true, false, 4)), 1);
            for (GroupPlan p : new GroupCosts(model).all(a, b)) {
                if (p.tiles() > 1 || (p.columns() == 1 && !p.recomputes())) {
                    continue;
                }
                String what = n + ": " + p + " of " + g;
                var s = new CellSimulation(g, a, b, p.columns(), p.strip(), p.recomputes());
                GroupCosts.Parts parts = new GroupCosts(model).parts(p);
                double input = 0;
                double seconds = 0;
                double starts = 0;
                for (int x = 0; x < b + 1; x++) {
                    double cells = g.node(x).rows() * (double) g.columns(x).count();
                    if (x < a) {
                        input += s.moved(x) / cells * model.bytes(x);
                    } else {
                        seconds += s.moved(x) / cells * model.macSeconds[x];
                        starts += s.launches(x);
                    }
                }
                assertThat((double) parts.input()).as(what).isCloseTo(input, within(1e-6));
                assertThat(parts.computeSeconds()).as(what).isCloseTo(seconds, within(1e-6));
                assertThat(parts.launches()).as(what).isEqualTo(starts);
                assertThat((double) p.room()).as(what).isGreaterThanOrEqualTo(s.room());
                cut += p.columns() > 1 ? 1 : 0;
                apart += p.recomputes() ? 1 : 0;
                over += room(model, p) > s.room() + 1e-6 ? 1 : 0;
            }
        }
        assertThat(cut).isGreaterThan(GROUPS);
        assertThat(apart).isGreaterThan(GROUPS);
        // The widest part of one tensor and that of another may be in different stripes.
        assertThat(over).isLessThan((cut + apart) / 3);
    }

    /// Live rows alone.
    private static long room(StripModel m, GroupPlan p) {
        var strips = new Strips(m);
        strips.group(p.first(), p.last());
        if (p.columns() > 1) {
            var across = new Pieces(m.columns, m.across, true);
            across.cut(strips, Math.ceilDiv(m.columns[strips.pace()], p.columns()));
            strips.narrow(across, p.columns());
        }
        if (p.recomputes()) {
            var down = new Pieces(m.rows, m.edges, false);
            down.cut(strips, p.strip());
            strips.walkApart(down, Math.ceilDiv(strips.paceRows(), p.strip()));
        } else {
            strips.walk(p.strip(), Long.MAX_VALUE);
        }
        return strips.room();
    }
}
