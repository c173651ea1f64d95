package knobscape.app.ui.designs;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import knobscape.app.ui.designs.DesignFilter.Axis;
import knobscape.app.ui.task.Background;
import knobscape.app.ui.undo.UndoStack;
import knobscape.explore.Termination;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Goals, and the figures above the pictures.
class HeadlineTest {
    private final UndoStack undo = new UndoStack();
    private final Results results = new Results(Background.direct(), undo);
    private final DesignSet set = Runs.set(80, 3);

    @BeforeEach
    void open() {
        results.open(set);
    }

    private java.util.List<Headline> headlines() {
        return Headline.of(results.set(), results.filter().get(), results.best(), results::select);
    }

    @Test
    void theBestOfEveryObjectiveTheFrontAndTheHours() {
        var all = headlines();
        assertThat(all).extracting(Headline::title).startsWith("Least power", "Least delay", "Least LUT", "Front");
        Headline delay = all.get(1);
        double least = IntStream.range(0, set.size())
                .filter(i -> set.standing(i) == DesignStanding.FRONT)
                .mapToDouble(i -> set.shownValue(i, "delay").orElseThrow())
                .min()
                .orElseThrow();
        delay.act().orElseThrow().run();
        int selected = results.selected().get();
        assertThat(set.shownValue(selected - 1, "delay").orElseThrow()).isEqualTo(least);
        assertThat(delay.words()).endsWith("#" + selected);
    }

    @Test
    void whatTheMethodExpectsOfTheNextHourIsSaidWithItsRange() {
        assertThat(headlines()).extracting(Headline::title).doesNotContain("Next simulated hour");
        var fold = new DesignFold(Runs.SPACE.knobs(), Optional.of(Runs.baseline()));
        fold.apply(Runs.events(20, 3));
        fold.apply(List.of(
                Runs.stepDone(1, Map.of(Termination.PROMISE, new double[] {0.5})),
                Runs.stepDone(2, Map.of(Termination.PROMISE, new double[] {0.012, 0, 0.2}))));
        results.open(fold.set());
        assertThat(headlines().getLast())
                .isEqualTo(new Headline("Next simulated hour", "1.2 %", "nearer to the true front expected (0 to 20)"));
    }

    @Test
    void aGoalBoundsSortsSelectsAndIsSaid() {
        assertThat(results.setGoal("lut<8k delay min")).isEmpty();
        int best = results.best().orElseThrow();
        assertThat(results.selected().get()).isEqualTo(best);
        assertThat(set.shownValue(best - 1, "lut").orElseThrow()).isLessThanOrEqualTo(8_000);
        for (int i = 0; i < set.size(); i++) {
            boolean evaluated = set.standing(i) == DesignStanding.FRONT || set.standing(i) == DesignStanding.DOMINATED;
            if (evaluated && set.shownValue(i, "lut").orElseThrow() <= 8_000) {
                assertThat(set.shownValue(i, "delay").orElseThrow())
                        .isGreaterThanOrEqualTo(
                                set.shownValue(best - 1, "delay").orElseThrow());
            }
        }
        Headline goal = headlines().getFirst();
        assertThat(goal.title()).isEqualTo("Goal: least delay");
        results.select(Results.BASELINE);
        goal.act().orElseThrow().run();
        assertThat(results.selected().get()).isEqualTo(best);

        var table =
                new DesignsViewModel(Background.direct(), results).rows().get().order();
        double before = 0;
        boolean predictions = false;
        for (int i : table) {
            assertThat(set.shownValue(i, "lut").orElseThrow()).isLessThanOrEqualTo(8_000);
            boolean complete = set.standing(i) == DesignStanding.FRONT || set.standing(i) == DesignStanding.DOMINATED;
            predictions |= !complete;
            assertThat(predictions).as("what did not reach the top comes last").isEqualTo(!complete);
            if (!predictions) {
                double delay = set.shownValue(i, "delay").orElse(Double.MAX_VALUE);
                assertThat(delay).isGreaterThanOrEqualTo(before);
                before = delay;
            }
        }
    }

    @Test
    void aBoundIsOneActionToUndoAndTwoBoundsOfAMetricMeet() {
        results.setGoal("lut<8k");
        results.setGoal("lut>2000");
        var range = results.filter().get().ranges().get(Axis.metric("lut"));
        assertThat(range.low()).isEqualTo(2_000);
        assertThat(range.high()).isEqualTo(8_000);
        undo.undo();
        undo.undo();
        assertThat(results.filter().get()).isEqualTo(DesignFilter.none());
    }

    @Test
    void anUnknownWordSaysSoAndABareNumberIsInTheUnitShown() {
        assertThat(results.setGoal("dely<300").orElseThrow())
                .contains("'dely' is no metric")
                .contains("delay");
        assertThat(results.filter().get()).isEqualTo(DesignFilter.none());
        assertThat(results.setGoal("wombat").orElseThrow()).contains("'wombat' is no metric, knob or value");
        results.setFilter(DesignFilter.none());
        double unit = Results.quantity(set, set.objectives().get(1)).divisor();
        results.setGoal("delay<3");
        assertThat(results.filter().get().ranges().get(Axis.metric("delay")).high())
                .isEqualTo(3 * unit);
    }

    @Test
    void whatNoDesignKeepsIsSaid() {
        results.setGoal("lut<1");
        assertThat(results.best()).isEqualTo(Optional.empty());
        assertThat(headlines().getFirst().value()).isEqualTo("none");
    }
}
