package knobscape.explore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.stream.IntStream;
import knobscape.explore.Termination.Step;
import knobscape.explore.Termination.WithoutGain;
import knobscape.explore.Termination.WithoutGain.Counting;
import org.junit.jupiter.api.Test;

class TerminationTest {
    private static List<Step> steps(double... hypervolumes) {
        return IntStream.range(0, hypervolumes.length)
                .mapToObj(i -> new Step(i + 1, hypervolumes[i], true, 0, Double.NaN, Double.NaN))
                .toList();
    }

    @Test
    void countsStepsSinceTheLastGain() {
        var t = new WithoutGain(3, Counting.ALL_STEPS);
        assertThat(t.reached(0.5, steps(0.5, 0.5))).isEmpty();
        assertThat(t.reached(0.5, steps(0.5, 0.5, 0.5))).contains("no hypervolume gain in 3 steps");
        assertThat(t.reached(0.5, steps(0.5, 0.5, 0.6, 0.6, 0.6))).isEmpty();
        assertThat(t.reached(0.5, steps(0.5, 0.5, 0.6, 0.6, 0.6, 0.6))).isPresent();
    }

    @Test
    void roundingIsNoGain() {
        assertThat(new WithoutGain(2, Counting.ALL_STEPS).reached(0.5, steps(0.5 + 1e-15, 0.5 + 2e-15)))
                .isPresent();
    }

    @Test
    void theStricterReadingCountsOnlyStepsThatCouldHaveChangedTheFront() {
        var steps = List.of(
                new Step(1, 0.5, false, 0, Double.NaN, Double.NaN),
                new Step(2, 0.5, true, 0, Double.NaN, Double.NaN),
                new Step(3, 0.5, false, 0, Double.NaN, Double.NaN),
                new Step(4, 0.5, true, 0, Double.NaN, Double.NaN));
        assertThat(new WithoutGain(3, Counting.ALL_STEPS).reached(0.5, steps)).isPresent();
        assertThat(new WithoutGain(3, Counting.STEPS_AT_THE_TOP).reached(0.5, steps))
                .isEmpty();
        assertThat(new WithoutGain(2, Counting.STEPS_AT_THE_TOP).reached(0.5, steps))
                .isPresent();
    }

    @Test
    void zeroEarlyStopNeverStopsEarly() {
        assertThat(Termination.of(0).reached(0.5, steps(new double[49]))).isEmpty();
    }

    @Test
    void countsDesignsSinceTheLastBetterOne() {
        var t = new Termination.WithoutNewBest(10);
        assertThat(t.reached(0.5, List.of())).isEmpty();
        assertThat(t.reached(0.5, List.of(new Step(1, 0.5, true, 9, Double.NaN, Double.NaN))))
                .isEmpty();
        assertThat(t.reached(
                        0.5,
                        List.of(
                                new Step(1, 0.5, true, 12, Double.NaN, Double.NaN),
                                new Step(2, 0.6, true, 1, Double.NaN, Double.NaN))))
                .isEmpty();
        assertThat(t.reached(
                        0.5,
                        List.of(
                                new Step(1, 0.5, true, 9, Double.NaN, Double.NaN),
                                new Step(2, 0.5, true, 10, Double.NaN, Double.NaN))))
                .contains("no better design in 10 evaluations");
    }

    @Test
    void cheapEvaluationsDoNotCountTowardsAnEarlyStop() {
        var cheap = IntStream.rangeClosed(1, 30)
                .mapToObj(i -> new Step(i, 0.5, false, 0, Double.NaN, Double.NaN))
                .toList();
        assertThat(Termination.of(5).reached(0.5, cheap)).isEmpty();
        assertThat(Termination.of(5).reached(0.5, steps(0.5, 0.5, 0.5, 0.5, 0.5)))
                .contains("no hypervolume gain in 5 steps at the highest fidelity");
    }

    @Test
    void refusesToWaitForNothing() {
        assertThatThrownBy(() -> new WithoutGain(0, Counting.ALL_STEPS)).isInstanceOf(IllegalArgumentException.class);
    }

    /// Two promising steps in a row are not enough, an explorer that does not say never ends by this, and what is
    /// expected before the time of thirty runs ends nothing.
    @Test
    void endsWhereTheExplorerExpectsTooLittleThreeTimesInARow() {
        var t = Termination.of(0, 0.01);
        assertThat(t.reached(0.5, promises(0.005, 0.005))).isEmpty();
        assertThat(t.reached(0.5, promises(0.005, 0.02, 0.005, 0.005))).isEmpty();
        assertThat(t.reached(0.5, promises(0.005, Double.NaN, 0.005))).isEmpty();
        assertThat(t.reached(0.5, promises(0.02, 0.005, 0.009, 0.005)))
                .contains("another design is expected to bring the front nearer by less than 1.0 %");
        assertThat(t.reached(0.5, List.of(early(1), early(2), early(3), early(4))))
                .isEmpty();
        assertThat(Termination.of(5, 0.01).reached(0.5, steps(0.5, 0.5, 0.5, 0.5, 0.5)))
                .contains("no hypervolume gain in 5 steps at the highest fidelity");
    }

    private static Step early(int step) {
        return new Step(step, 0.5, true, 1, 0.005, 10 + step);
    }

    private static List<Step> promises(double... values) {
        return IntStream.range(0, values.length)
                .mapToObj(i -> new Step(i + 1, 0.5, true, 1, values[i], 28 + i))
                .toList();
    }
}
