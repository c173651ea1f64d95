package knobscape.explore.bayes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class PromiseRecordTest {
    private static final double[] UNIT = {1, 1};
    private static final double HOUR = 3600;

    private static PromiseRecord.Arrival at(double hours, double x, double y) {
        return new PromiseRecord.Arrival(hours * HOUR, new double[] {x, y});
    }

    private static PromiseRecord promised(int hours, double gain) {
        return new PromiseRecord(IntStream.range(0, hours)
                .boxed()
                .flatMap(h -> Stream.of(h * HOUR, gain))
                .mapToDouble(Double::doubleValue)
                .toArray());
    }

    /// Front of two points: (0, 1) is there from the start, (1, 0) comes after half an hour. Before, the nearest design
    /// to it is (0, 1), e - 1 off; so half of that comes in the first hour and nothing later.
    @Test
    void whatCameIsSeenFromTheFrontKnownNow() {
        var arrivals = List.of(at(0, 0, 1), at(0.5, 1, 0));
        PromiseRecord.Held first = promised(1, 0.5).held(HOUR, HOUR, 0.5, arrivals, UNIT);
        assertThat(first.runs()).isCloseTo(1, within(1e-12));
        assertThat(first.promised()).isCloseTo(0.5, within(1e-12));
        assertThat(first.came()).isCloseTo(Math.expm1(1) / 2, within(1e-12));
        PromiseRecord.Held four = promised(4, 0.5).held(4 * HOUR, HOUR, 0.5, arrivals, UNIT);
        assertThat(four.promised()).isCloseTo(2, within(1e-12));
        assertThat(four.came()).isCloseTo(Math.expm1(1) / 2, within(1e-12));
    }

    /// A design that takes two hours brings half of its gain in each.
    @Test
    void whatAStepBringsIsSpreadOverItsTime() {
        var arrivals = List.of(at(0, 0, 1), at(2, 1, 0));
        var record = new PromiseRecord(new double[] {0, 0.5});
        assertThat(record.held(2 * HOUR, HOUR, 0.5, arrivals, UNIT).came()).isCloseTo(Math.expm1(1) / 4, within(1e-12));
    }

    @Test
    void anHourThatIsNotOverTellsNothing() {
        assertThat(promised(1, 0.5).held(0.9 * HOUR, HOUR, 0.5, List.of(at(0, 0, 1)), UNIT))
                .isEqualTo(new PromiseRecord.Held(0, 0, 0));
    }

    /// A promise that was kept, or not, when it was a hundred times as large says little of a small one.
    @Test
    void promisesOfOtherSizesHardlyCount() {
        var arrivals = List.of(at(0, 0, 1), at(0.5, 1, 0));
        assertThat(promised(1, 0.5).held(HOUR, HOUR, 0.005, arrivals, UNIT).runs())
                .isLessThan(1e-3);
    }

    @Test
    void aRunThatKeepsNothingIsBelievedLessAndLess() {
        var arrivals = List.of(at(0, 0, 1));
        double before = PromiseRecord.USUAL;
        for (int hours : new int[] {1, 5, 50}) {
            double factor = promised(hours, 0.1)
                    .held(hours * HOUR, HOUR, 0.1, arrivals, UNIT)
                    .factor(0.1);
            assertThat(factor)
                    .isCloseTo(PromiseRecord.USUAL * PromiseRecord.RUNS / (PromiseRecord.RUNS + hours), within(1e-9))
                    .isLessThan(before);
            before = factor;
        }
    }

    @Test
    void aRunThatKeepsItsPromisesIsBelieved() {
        // A design an hour, each as much nearer to the last one as was promised.
        var arrivals = IntStream.rangeClosed(0, 40)
                .mapToObj(i -> at(i, 1 - Math.log1p(1 + 0.1 * i) + Math.log1p(1), 0))
                .toList();
        PromiseRecord.Held held = promised(40, 0.1).held(40 * HOUR, HOUR, 0.1, arrivals, UNIT);
        double came = held.came() / held.promised();
        assertThat(held.factor(0.1))
                .isCloseTo(
                        (PromiseRecord.USUAL * PromiseRecord.RUNS + 40 * came) / (PromiseRecord.RUNS + 40),
                        within(1e-6));
    }

    /// A tool that takes a tenth of the time changes no promise: what counts is the number of runs.
    @Test
    void howLongARunTakesDoesNotMatter() {
        var slow = List.of(at(0, 0, 1), at(3, 1, 0));
        var fast = List.of(at(0, 0, 1), at(0.3, 1, 0));
        PromiseRecord.Held ofFast = new PromiseRecord(
                        new double[] {0, 0.5, 0.1 * HOUR, 0.5, 0.2 * HOUR, 0.5, 0.3 * HOUR, 0.5})
                .held(0.4 * HOUR, 0.1 * HOUR, 0.5, fast, UNIT);
        PromiseRecord.Held ofSlow = promised(4, 0.5).held(4 * HOUR, HOUR, 0.5, slow, UNIT);
        assertThat(ofFast.runs()).isCloseTo(ofSlow.runs(), within(1e-9)).isCloseTo(4, within(1e-9));
        assertThat(ofFast.came()).isCloseTo(ofSlow.came(), within(1e-9)).isGreaterThan(0.1);
    }

    @Test
    void isKeptAsNumbers() {
        double[] flat = promised(2, 0.1).and(9000, 0.2);
        assertThat(flat).containsExactly(0, 0.1, 3600, 0.1, 9000, 0.2);
        assertThat(new PromiseRecord(flat).and(1, 1)).startsWith(flat);
    }
}
