package knobscape.hls.space;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TypedValuesTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "unroll@f/L | 3 | 3",
                "unroll@f/L | 3, 6;9 | 3 6 9",
                "partition_factor@f/a#1 | 2 .. 5 | 2 3 4 5",
                "reshape@f/a#1 | 2..40*2 | 2 4 8 16 32",
                "unroll@f/L | 3 3 1..3 | 3 1 2",
                "pipeline@f/L | 2..3, ii=7 | ii=2 ii=3 ii=7"
            })
    void numbersAndRangesAreRead(String knob, String text, String values) {
        assertThat(TypedValues.read(knob, text)).containsExactly(values.split(" "));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "x", "-1", "0", "5..2", "1..100", "2..8*1", "2..", "1e3", "99999999"})
    void whatIsNoneIsRefusedInASentence(String text) {
        assertThatThrownBy(() -> TypedValues.read("unroll@f/L", text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageEndingWith(".");
    }

    @Test
    void onlyKnobsOfNumbersTakeMore() {
        assertThat(TypedValues.takes("unroll@f/L")).isTrue();
        assertThat(TypedValues.takes("partition_type@f/a#1")).isFalse();
        assertThat(TypedValues.takes("storage@f/a")).isFalse();
    }
}
