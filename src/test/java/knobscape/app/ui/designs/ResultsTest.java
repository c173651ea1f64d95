package knobscape.app.ui.designs;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import knobscape.app.ui.designs.DesignFilter.Axis;
import knobscape.app.ui.designs.DesignFilter.Range;
import knobscape.app.ui.task.Background;
import knobscape.app.ui.undo.UndoStack;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ResultsTest {
    private final UndoStack undo = new UndoStack();
    private final Results results = new Results(Background.direct(), undo);
    private DesignSet set;

    @BeforeEach
    void open() {
        set = Runs.set(80, 3);
        results.open(set);
    }

    @Test
    void oneFilterDecidesForEveryView() {
        results.setFilter(DesignFilter.none().withParetoOnly(true));
        assertThat(results.shown().get().count()).isEqualTo(set.count(DesignStanding.FRONT));
        for (int i = 0; i < set.size(); i++) {
            assertThat(results.shown().get().matches(i)).isEqualTo(set.standing(i) == DesignStanding.FRONT);
        }
        results.setFilter(DesignFilter.none()
                .withValidOnly(true)
                .withRange(Axis.metric("lut"), new Range(0, 8_000))
                .withText("k0=3"));
        for (int i = 0; i < set.size(); i++) {
            boolean expected = set.standing(i) != DesignStanding.INVALID
                    && set.shownValue(i, "lut").orElse(Double.NaN) <= 8_000
                    && set.get(i).configuration().value("k0").equals("3");
            assertThat(results.shown().get().matches(i)).isEqualTo(expected);
        }
        assertThat(results.shown().get().count()).isPositive();
    }

    @Test
    void rangeOfAKnobCountsItsLevels() {
        results.setFilter(DesignFilter.none().withRange(Axis.knob("k1"), new Range(0.75, 2.25)));
        for (int i = 0; i < set.size(); i++) {
            int level = set.get(i).configuration().level(1);
            assertThat(results.shown().get().matches(i)).isEqualTo(level == 1 || level == 2);
        }
        assertThat(FilterWords.of(Axis.knob("k1"), new Range(0.75, 2.25), set)).isEqualTo("k1 2 \u2013 3");
    }

    @Test
    void theBestSoFarIsSelectedUntilSomebodySelects() {
        results.open(Runs.set(0, 3));
        assertThat(results.selected().get()).isEqualTo(Results.BASELINE);
        results.update(set);
        int knee = results.selected().get();
        assertThat(set.standing(knee - 1)).isEqualTo(DesignStanding.FRONT);
        results.setFilter(
                DesignFilter.none().withBest(java.util.Optional.of(new knobscape.evaluate.Goal.Best("lut", false))));
        results.update(set);
        assertThat(results.selected().get()).isEqualTo(results.best().orElseThrow());
        results.select(2);
        results.update(set);
        assertThat(results.selected().get()).isEqualTo(2);
    }

    @Test
    void wordsOfTheFilterMustAllOccur() {
        results.setFilter(DesignFilter.none().withText("k0=1 K2=2"));
        for (int i = 0; i < set.size(); i++) {
            var c = set.get(i).configuration();
            assertThat(results.shown().get().matches(i))
                    .isEqualTo(c.value("k0").equals("1") && c.value("k2").equals("2"));
        }
        results.setFilter(DesignFilter.none().withText("#7"));
        assertThat(results.shown().get().matching().stream().boxed()).containsExactly(6);
    }

    @Test
    void filterAndPinsCanBeUndone() {
        results.setFilter(DesignFilter.none().withParetoOnly(true));
        results.togglePin(4);
        results.togglePin(9);
        assertThat(results.pins()).containsExactly(4, 9);
        assertThat(undo.undoName().get()).contains("pin design #9");

        undo.undo();
        assertThat(results.pins()).containsExactly(4);
        undo.undo();
        undo.undo();
        assertThat(results.pins()).isEmpty();
        assertThat(results.filter().get()).isEqualTo(DesignFilter.none());
        assertThat(results.shown().get().count()).isEqualTo(set.size());
        undo.redo();
        assertThat(results.filter().get().paretoOnly()).isTrue();
    }

    @Test
    void draggingABrushIsOneStepOfUndo() {
        var gesture = new Object();
        for (int high = 1; high <= 5; high++) {
            results.setFilter(results.filter().get().withRange(Axis.knob("k0"), new Range(0, high)), gesture);
        }
        undo.undo();
        assertThat(results.filter().get().isNone()).isTrue();
        assertThat(undo.undoName().get()).isEqualTo(Optional.empty());
    }

    @Test
    void atMostFiveArePinned() {
        for (int n = 1; n <= 5; n++) {
            assertThat(results.togglePin(n)).isTrue();
        }
        assertThat(results.togglePin(6)).isFalse();
        assertThat(results.pins()).hasSize(5);
        assertThat(results.togglePin(3)).isTrue();
        assertThat(results.pins()).containsExactly(1, 2, 4, 5);
        assertThat(results.pinOf(4)).isEqualTo(3);
        assertThat(results.togglePin(4_711)).isFalse();
    }

    @Test
    void selectionSurvivesNewDesignsAndForgetsUnknownOnes() {
        results.select(12);
        results.update(Runs.set(90, 3));
        assertThat(results.selected().get()).isEqualTo(12);
        results.select(4_711);
        assertThat(results.selectedDesign()).isEmpty();
        results.select(Results.BASELINE);
        assertThat(results.selectedDesign()).contains(Runs.baseline());
    }

    @Test
    void arrowsWalkTheFrontInOrderOfTheMetricAndStopAtItsEnds() {
        results.select(Results.NOTHING);
        results.walkFront("power", 1);
        double last = Double.NEGATIVE_INFINITY;
        int seen = 0;
        while (true) {
            int index = results.selected().get() - 1;
            assertThat(set.standing(index)).isEqualTo(DesignStanding.FRONT);
            double v = set.shownValue(index, "power").orElseThrow();
            assertThat(v).isGreaterThanOrEqualTo(last);
            last = v;
            seen++;
            results.walkFront("power", 1);
            if (results.selected().get() - 1 == index) {
                break;
            }
        }
        assertThat(seen).isEqualTo(set.count(DesignStanding.FRONT));
    }

    @Test
    void tableSaysHowManyOfHowMany() {
        var table = new DesignsViewModel(Background.direct(), results);
        assertThat(table.count().get()).isEqualTo("80 designs");
        results.setFilter(DesignFilter.none().withParetoOnly(true));
        assertThat(table.count().get()).isEqualTo(set.count(DesignStanding.FRONT) + " of 80 designs");
        table.sort().set(Optional.of(new DesignsViewModel.Sorting("metric:delay", true)));
        var order = table.rows().get().order();
        for (int r = 1; r < order.size(); r++) {
            assertThat(set.shownValue(order.get(r), "delay").orElseThrow())
                    .isGreaterThanOrEqualTo(
                            set.shownValue(order.get(r - 1), "delay").orElseThrow());
        }
        results.select(order.getFirst() + 1);
        assertThat(table.selectedRow()).isZero();
        assertThat(table.asText().lines()).hasSize(order.size() + 1);
    }
}
