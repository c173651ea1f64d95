package knobscape.evaluate;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NameSuggestionsTest {
    private static final List<String> NAMES = List.of("latency", "delay", "power", "gemm/row", "gemm/column");

    @ParameterizedTest
    @CsvSource({
        "dealy, delay", // two neighbours swapped
        "delya, delay",
        "dely, delay", // a letter missing
        "delaay, delay", // one too many
        "felay, delay", // another one
        "POWER, power", // capitals do not count
        "row, gemm/row", // the part before the last slash counts little
        "sort/column, gemm/column",
    })
    void aSlipIsFound(String wanted, String meant) {
        assertThat(NameSuggestions.nearest(wanted, NAMES)).contains(meant);
        assertThat(NameSuggestions.didYouMean(wanted, NAMES)).isEqualTo(" (did you mean '" + meant + "'?)");
    }

    @Test
    void whatIsQuiteDifferentIsNotOffered() {
        assertThat(NameSuggestions.nearest("zzzzzzzz", NAMES)).isEmpty();
        assertThat(NameSuggestions.nearest("power", List.of())).isEmpty();
        assertThat(NameSuggestions.didYouMean("zzzzzzzz", NAMES)).isEmpty();
    }

    @Test
    void ofThreeLettersTwoMayDifferAndNoMore() {
        assertThat(NameSuggestions.nearest("lut", List.of("bit"))).contains("bit");
        assertThat(NameSuggestions.nearest("lut", List.of("xyz"))).isEmpty();
    }

    @Test
    void equallyNearOnesAreTakenByName() {
        assertThat(NameSuggestions.nearest("cat", List.of("rat", "bat", "hat"))).contains("bat");
        assertThat(NameSuggestions.nearest("Rat", List.of("bat", "rat"))).contains("rat");
    }
}
