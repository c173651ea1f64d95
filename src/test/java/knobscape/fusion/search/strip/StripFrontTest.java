package knobscape.fusion.search.strip;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import knobscape.evaluate.CancellationSignal;
import knobscape.fusion.evaluate.strip.GroupCosts;
import knobscape.fusion.evaluate.strip.GroupPlan;
import knobscape.fusion.evaluate.strip.GroupPlan.Totals;
import knobscape.fusion.evaluate.strip.RandomRows;
import knobscape.fusion.evaluate.strip.StripModel;
import knobscape.fusion.source.StripMachine.Counting;
import knobscape.fusion.source.rows.RowGraph;
import org.junit.jupiter.api.Test;

/// The front against all groupings with all their plans.
final class StripFrontTest {
    private static final double NEAR = 1e-4;

    @Test
    void nothingIsBetterInTimeAndTrafficThanAllOfTheFront() {
        var random = new SplittableRandom(21);
        int wide = 0;
        for (int n = 0; n < 200; n++) {
            RowGraph g = n % 2 == 0
                    ? RandomRows.images(2 + random.nextInt(3), random)
                    : RandomRows.graph(2 + random.nextInt(4), random.nextBoolean(), random);
            var counting = new Counting(false, random.nextBoolean(), false, 1 + random.nextInt(2));
            var model =
                    new StripModel(g, RandomRows.machine(40 + random.nextInt(400), counting), 1 + random.nextInt(3));
            List<Totals> front = StripFront.of(model, new CancellationSignal()).groupings().stream()
                    .map(StripSearch::total)
                    .toList();
            List<Totals> all = enumerated(model, model.first());
            assertThat(front.isEmpty()).as(n + ": " + g).isEqualTo(all.isEmpty());
            for (Totals t : all) {
                assertThat(front).as(n + ": " + g).anyMatch(f -> isNoWorse(f, t, NEAR));
            }
            for (Totals f : front) {
                assertThat(all).as(n + ": " + g).anyMatch(t -> isNoWorse(t, f, NEAR) && isNoWorse(f, t, NEAR));
            }
            wide += front.size() > 1 ? 1 : 0;
        }
        assertThat(wide).isGreaterThan(4);
    }

    @Test
    void aThinnedFrontSaysByHowMuchItMayBeBeaten() {
        var random = new SplittableRandom(5);
        int thinned = 0;
        for (int n = 0; n < 60; n++) {
            RowGraph g = RandomRows.graph(4 + random.nextInt(3), random.nextBoolean(), random);
            var counting = new Counting(false, true, false, 1 + random.nextInt(2));
            var model =
                    new StripModel(g, RandomRows.machine(40 + random.nextInt(400), counting), 1 + random.nextInt(3));
            StripFront.Front whole = StripFront.of(model, new CancellationSignal());
            StripFront.Front thin = StripFront.of(model, 2, new CancellationSignal());
            assertThat(whole.within()).isZero();
            assertThat(whole.words()).isEmpty();
            thinned += thin.within() > 0 ? 1 : 0;
            assertThat(thin.groupings()).hasSizeLessThanOrEqualTo(3);
            assertThat(thin.words().isEmpty()).isEqualTo(thin.within() == 0);
            for (List<GroupPlan> w : whole.groupings()) {
                assertThat(thin.groupings())
                        .as(n + ": " + g)
                        .anyMatch(t -> isNoWorse(
                                StripSearch.total(t), StripSearch.total(w), (1 + thin.within()) * (1 + NEAR) - 1));
            }
        }
        assertThat(thinned).isPositive();
    }

    private static boolean isNoWorse(Totals a, Totals b, double near) {
        return a.seconds() <= b.seconds() * (1 + near) && a.offChip() <= b.offChip() * (1 + near);
    }

    /// What all groupings of the layers from one on cost, without those that another is no worse than.
    private static List<Totals> enumerated(StripModel m, int from) {
        var all = new ArrayList<Totals>();
        if (from == m.end()) {
            return List.of(Totals.ZERO);
        }
        for (int end = from + 1; end <= m.end(); end++) {
            if (end < m.end() && !m.begins(end)) {
                continue;
            }
            List<Totals> rest = enumerated(m, end);
            for (GroupPlan p : new GroupCosts(m).all(from, end - 1)) {
                for (Totals r : rest) {
                    Totals t = p.cost().plus(r);
                    if (all.stream().noneMatch(x -> isNoWorse(x, t, 0))) {
                        all.removeIf(x -> isNoWorse(t, x, 0));
                        all.add(t);
                    }
                }
            }
        }
        return all;
    }
}
