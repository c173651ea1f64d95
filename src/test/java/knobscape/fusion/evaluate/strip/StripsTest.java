package knobscape.fusion.evaluate.strip;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import knobscape.fusion.source.StripMachine.Counting;
import knobscape.fusion.source.rows.RowGraph;
import org.junit.jupiter.api.Test;

/// Rows, launches and room of strips against explicit sets of rows.
final class StripsTest {
    private static final int GROUPS = 7_000;

    @Test
    void roomAndLaunchesOfPlainGroupsAreThoseOfExplicitSetsOfRows() {
        compare(new SplittableRandom(1), true, false);
    }

    @Test
    void roomIsNeverUnderThatOfExplicitSetsOfRows() {
        compare(new SplittableRandom(2), false, false);
    }

    @Test
    void roomOfDoubleBuffersIsNeverUnder() {
        compare(new SplittableRandom(3), false, true);
    }

    @Test
    void roomOfDoubleBuffersOfPlainGroupsIsThatOfExplicitSetsOfRows() {
        compare(new SplittableRandom(5), true, true);
    }

    @Test
    void groupsWithMoreLayersInFrontNeedNoLessThanTheFloors() {
        var random = new SplittableRandom(4);
        int tight = 0;
        for (int n = 0; n < GROUPS; n++) {
            RowGraph g = RandomRows.graph(3 + random.nextInt(6), random.nextBoolean(), random);
            int b = g.inputs() + 1 + random.nextInt(g.layers() - 1);
            int a = g.inputs() + random.nextInt(b - g.inputs() + 1);
            var counting = new Counting(random.nextBoolean(), true, false, 1);
            var model = new StripModel(g, RandomRows.machine(1 << 20, counting), 1 + random.nextInt(2));
            var later = new Strips(model);
            later.group(a, b);
            int t = 1 + random.nextInt(later.paceRows());
            later.walk(t, Long.MAX_VALUE);
            assertThat(later.floor()).isLessThanOrEqualTo(later.room());
            for (int front = g.inputs(); front < a; front++) {
                var earlier = new Strips(model);
                earlier.group(front, b);
                if (earlier.paceRows() != later.paceRows()) {
                    continue;
                }
                earlier.walk(t, Long.MAX_VALUE);
                String what = n + ": " + front + " before " + a + ".." + b + " in strips of " + t + " of " + g;
                assertThat(earlier.room()).as(what).isGreaterThanOrEqualTo(later.floor());
                for (int i = a; i <= b; i++) {
                    assertThat(earlier.launches(i)).as(what).isGreaterThanOrEqualTo(later.leastLaunches(i));
                }
                tight += earlier.room() == later.floor() ? 1 : 0;
            }
        }
        assertThat(tight).isGreaterThan(GROUPS / 20);
    }

    private static void compare(SplittableRandom random, boolean plain, boolean twice) {
        int over = 0;
        for (int n = 0; n < GROUPS; n++) {
            RowGraph g = RandomRows.graph(2 + random.nextInt(7), plain, random);
            int a = g.inputs() + random.nextInt(g.layers());
            int b = a + random.nextInt(g.nodes().size() - a);
            var counting = new Counting(twice, true, false, 1);
            int samples = 1 + random.nextInt(2);
            var model = new StripModel(g, RandomRows.machine(1 << 20, counting), samples);
            var strips = new Strips(model);
            strips.group(a, b);
            int t = 1 + random.nextInt(strips.paceRows());
            assertThat(strips.walk(t, Long.MAX_VALUE)).isTrue();
            var simulated = new RowSimulation(g, a, b, t, twice, samples > 1);
            String what = n + ": " + a + ".." + b + " in strips of " + t + " of " + g;
            if (plain) {
                assertThat(strips.room()).as(what).isEqualTo(simulated.room());
            } else {
                assertThat(strips.room()).as(what).isGreaterThanOrEqualTo(simulated.room());
                over += strips.room() > simulated.room() ? 1 : 0;
            }
            for (int i = a; i <= b; i++) {
                assertThat(strips.launches(i)).as(what + " layer " + i).isEqualTo(simulated.launches(i));
            }
            for (int o = 0; o < strips.outsides(); o++) {
                int p = strips.outside(o);
                assertThat(strips.wanted(p)).as(what + " input " + p).isGreaterThanOrEqualTo(simulated.loaded(p));
            }
        }
        // Windows that leave rows out keep and load what lies between.
        assertThat(over).isLessThan(GROUPS / 8);
    }
}
