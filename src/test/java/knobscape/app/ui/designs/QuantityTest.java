package knobscape.app.ui.designs;

import static org.assertj.core.api.Assertions.assertThat;

import knobscape.evaluate.Metric;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class QuantityTest {
    private static Metric metric(String unit) {
        return new Metric("m", "Label", unit, Metric.Direction.MINIMISE, Double.NaN);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            # unit | low     | high      | value    | shown
            ns     | 83_000  | 83_000    | 83_000   | 83.0 µs
            ns     | 12      | 900       | 12.34    | 12.3 ns
            ns     | 2e6     | 1.7e7     | 16_998_000 | 17.00 ms
            ms     | 0.0427  | 0.0427    | 0.0427   | 42.7 µs
            ms     | 1.5     | 2.5       | 1.914    | 1.91 ms
            us     | 0.2     | 0.9       | 0.5      | 500 ns
            us     | 265     | 265       | 264.8    | 265 µs
            W      | 0.2     | 2         | 0.4107   | 0.411 W
            W      | 0.001   | 0.04      | 0.0123   | 12.30 mW
            ''     | 400     | 97_911    | 97_911   | 97 911
            ''     | 400     | 97_911    | 912      | 912
            ''     | 0.21    | 0.37      | 0.2104   | 0.210
            cycles | 5       | 1_081_857 | 1_081_857 | 1 081 857 cycles
            """)
    void unitsSuitTheSizeAndDecimalsLineUp(String unit, String low, String high, String value, String shown) {
        var q = Quantity.of(metric(unit), number(low), number(high));
        assertThat(q.withUnit(number(value)).replace('\u202f', ' ')).isEqualTo(shown);
    }

    private static double number(String text) {
        return Double.parseDouble(text.replace("_", ""));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            100  | 88      | −12 %
            100  | 161     | +61 %
            100  | 100     | 0 %
            100  | 100.01  | 0 %
            100  | 104.2   | +4.2 %
            100  | 199     | +99 %
            100  | 51      | −49 %
            365  | 97911   | 268× slower
            10   | 24.7    | 2.5× slower
            14   | 0.0239  | 586× faster
            14   | 7       | 2.0× faster
            0    | 5       | –
            """)
    void changesReadAsAPersonWouldSayThem(double from, double to, String shown) {
        assertThat(Quantity.change(metric("W"), from, to)).doesNotContain("er");
        assertThat(Quantity.change(metric("ns"), from, to).replace('\u202f', ' '))
                .isEqualTo(shown);
    }

    @Test
    void nothingIsADash() {
        assertThat(Quantity.of(metric("W"), Double.NaN, Double.NaN).withUnit(Double.NaN))
                .isEqualTo("–");
        assertThat(Quantity.duration(Double.NaN)).isEqualTo("–");
    }

    @Test
    void timesAreShortWords() {
        assertThat(Quantity.duration(3.14)).isEqualTo("3.1 s");
        assertThat(Quantity.duration(38)).isEqualTo("38 s");
        assertThat(Quantity.duration(360)).isEqualTo("6 min");
        assertThat(Quantity.duration(7500)).isEqualTo("2 h 05 min");
        assertThat(Quantity.hours(40320)).isEqualTo("11.2");
        assertThat(Quantity.hours(90)).isEqualTo("0.025");
    }

    @Test
    void knobsHaveShortNamesAndTheFunctionWhereTheyWouldClash() {
        var knobs = new knobscape.space.KnobSet(java.util.List.of(
                knob("unroll@gemm/dot"),
                knob("partition_factor@gemm/a#1"),
                knob("unroll@f/inner"),
                knob("unroll@g/inner"),
                knob("inline@f")));
        assertThat(KnobLabels.of(knobs))
                .containsExactly("unroll dot", "factor a[1]", "unroll f/inner", "unroll g/inner", "inline f");
    }

    private static knobscape.space.Knob knob(String name) {
        return new knobscape.space.Knob(name, new knobscape.space.Domain.Toggle());
    }
}
