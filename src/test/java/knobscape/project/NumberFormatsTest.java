package knobscape.project;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import knobscape.evaluate.NameSuggestions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NumberFormatsTest {
    @ParameterizedTest
    @CsvSource({
        "0.41213, 0.4121",
        "83.0499, 83.05",
        "9120, 9120",
        "9120.4, 9120",
        "0.000012346, 1.235e-05",
        "12345678901.5, 1.235e+10",
        "0, 0",
        "-2.5, -2.500",
        "999999999, 999999999",
        "1e9, 1.000e+09",
        "0.0001, 0.0001000",
        "NaN, -"
    })
    void fourDigitsAreShown(double value, String shown) {
        assertThat(NumberFormats.shortest(value)).isEqualTo(shown);
    }

    @ParameterizedTest
    @CsvSource({
        "0.04, 0.0 s",
        "3.25, 3.3 s",
        "0, 0.0 s",
        "-1, -",
        "10, 10 s",
        "119, 119 s",
        "120, 2 min",
        "7199, 120 min",
        "7200, 2 h 00 min",
        "172799, 48 h 00 min",
        "172800, 2 d 0 h",
        "38.2, 38 s",
        "360, 6 min",
        "7500, 2 h 05 min",
        "273600, 3 d 4 h",
        "NaN, -"
    })
    void durationsHaveTheirTwoLargestUnits(double seconds, String shown) {
        assertThat(NumberFormats.duration(seconds)).isEqualTo(shown);
    }

    @Test
    void nearestNamesAreNear() {
        assertThat(NameSuggestions.nearest("cpg", List.of("cgp", "random"))).contains("cgp");
        assertThat(NameSuggestions.nearest("RANDM", List.of("cgp", "random"))).contains("random");
        assertThat(NameSuggestions.nearest("quantum-annealing", List.of("cgp", "random")))
                .isEmpty();
        assertThat(NameSuggestions.didYouMean("randm", List.of("cgp", "random")))
                .isEqualTo(" (did you mean 'random'?)");
    }
}
