package knobscape.evaluate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GoalTest {
    private static final List<Metric> METRICS = List.of(
            new Metric("power", "Power", "W", Metric.Direction.MINIMISE, Double.NaN),
            new Metric("delay", "Delay", "ns", Metric.Direction.MINIMISE, Double.NaN),
            new Metric("lut", "LUT", "", Metric.Direction.MINIMISE, Double.NaN),
            new Metric("latency", "Latency", "cycles", Metric.Direction.MINIMISE, Double.NaN),
            new Metric("gflops", "GFLOPS", "GFLOPS", Metric.Direction.MAXIMISE, Double.NaN));

    /// Bare delays are in microseconds here, as a table may show them.
    private static Goal parse(String text) {
        return Goal.parse(text, METRICS, m -> m.name().equals("delay") ? 1e3 : 1);
    }

    @ParameterizedTest
    @CsvSource(textBlock = """
                    lut<20k,       lut,     20000
                    LUT < 20 k,    lut,     20000
                    lut<=1.5M,     lut,     1500000
                    delay<300,     delay,   300000
                    delay<300us,   delay,   300000
                    delay<300µs,   delay,   300000
                    delay < 1.5 ms,delay,   1500000
                    Delay<2s,      delay,   2e9
                    delay<40ns,    delay,   40
                    power<400mW,   power,   0.4
                    power<0.5W,    power,   0.5
                    'power<0,5',   power,   0.5
                    latency<3k,    latency, 3000
                    """)
    void boundsAreReadWithTheirUnits(String text, String metric, double high) {
        Goal goal = parse(text);
        assertThat(goal.rest()).isEmpty();
        assertThat(goal.bounds()).singleElement().satisfies(b -> {
            assertThat(b.metric()).isEqualTo(metric);
            assertThat(b.low()).isEqualTo(Double.NEGATIVE_INFINITY);
            assertThat(b.high()).isCloseTo(high, within(1e-9 * high));
        });
    }

    @ParameterizedTest
    @CsvSource({
        "delay min, delay, false",
        "min delay, delay, false",
        "least LUT, lut, false",
        "gflops max, gflops, true"
    })
    void theMetricToBeBestInIsNamedBeforeOrAfter(String text, String metric, boolean largest) {
        assertThat(parse(text).best()).contains(new Goal.Best(metric, largest));
    }

    @Test
    void severalPartsAndOtherWordsTogether() {
        Goal goal = parse("lut<20k  unroll delay min power>0.1 dot=8");
        assertThat(goal.bounds()).extracting(Goal.Bound::metric).containsExactly("lut", "power");
        assertThat(goal.bounds().getLast().low()).isEqualTo(0.1);
        assertThat(goal.best()).contains(new Goal.Best("delay", false));
        assertThat(goal.rest()).containsExactly("unroll", "dot=8");
        assertThat(parse("").rest()).isEmpty();
    }

    @Test
    void unknownMetricsAndUnitsAreRefusedInOneSentence() {
        assertThatThrownBy(() -> parse("dely<3"))
                .isInstanceOf(UserError.class)
                .hasMessage("'dely' is no metric here; there are power, delay, lut, latency, gflops.");
        assertThatThrownBy(() -> parse("lut<3ms"))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("LUT has no unit 'ms'");
        assertThatThrownBy(() -> parse("speed max"))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("'speed'");
    }

    @Test
    void aDesignWithoutTheValueKeepsNoBound() {
        Goal goal = parse("lut<20k delay>1us");
        Map<String, Double> values = Map.of("lut", 19_999.0, "delay", 2_000.0);
        assertThat(goal.holds(m -> values.getOrDefault(m, Double.NaN))).isTrue();
        assertThat(goal.holds(m -> m.equals("lut") ? 1 : Double.NaN)).isFalse();
        assertThat(goal.holds(m -> m.equals("lut") ? 20_001 : 2_000)).isFalse();
    }

    /// Columns of somebody's own table, with the unit in the name.
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    time_ms<20          | time_ms      | 20
                    time_ms<20ms        | time_ms      | 20
                    time < 20 us        | time_ms      | 0.02
                    time_ms [us]<20     | time_ms      | 0.02
                    Time (s)<1.5        | time_ms      | 1500
                    power [W]<3         | power [W]    | 3
                    power<300mW         | power [W]    | 0.3
                    POWER [W] < 3 W     | power [W]    | 3
                    peak memory<2GB     | peak memory  | 2000
                    Peak_memory<100     | peak memory  | 100
                    energy/op (pJ)<3 pJ | energy/op (pJ) | 3
                    """)
    void aMetricWithItsUnitInItsNameIsTypedWithItOrWithout(String text, String metric, double high) {
        List<Metric> metrics = List.of(
                own("time_ms", "Time", "ms"),
                own("power [W]", "Power", "W"),
                own("peak memory", "Peak memory", "MB"),
                own("energy/op (pJ)", "Energy/op", "pJ"));
        assertThat(Goal.parse(text + " delay=8", metrics, m -> 1)).satisfies(goal -> {
            assertThat(goal.rest()).containsExactly("delay=8");
            assertThat(goal.bounds()).singleElement().satisfies(b -> {
                assertThat(b.metric()).isEqualTo(metric);
                assertThat(b.high()).isCloseTo(high, within(1e-9 * high));
            });
        });
        assertThat(Goal.parse("power [W] min", metrics, m -> 1).best()).contains(new Goal.Best("power [W]", false));
        assertThat(Goal.parse("least peak memory", metrics, m -> 1).best())
                .contains(new Goal.Best("peak memory", false));
    }

    @Test
    void aNameWithoutItsUnitThatTwoMetricsShareIsRefused() {
        List<Metric> two = List.of(own("time_ms", "Time", "ms"), own("time_s", "Time", "s"));
        assertThatThrownBy(() -> Goal.parse("time<3", two, m -> 1)).hasMessageContaining("there are time_ms, time_s");
        assertThat(Goal.parse("time_s<3", two, m -> 1).bounds().getFirst().metric())
                .isEqualTo("time_s");
    }

    private static Metric own(String name, String label, String unit) {
        return new Metric(name, label, unit, Metric.Direction.MINIMISE, Double.NaN);
    }
}
