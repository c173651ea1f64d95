package knobscape.app.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import knobscape.space.Configuration;
import knobscape.space.Domain;
import knobscape.space.Knob;
import knobscape.space.KnobSet;
import org.junit.jupiter.api.Test;

class KnobWordsTest {
    private static KnobSet knobs(String second) {
        return new KnobSet(List.of(
                new Knob("unroll@f/row", new Domain.Factors(List.of(1, 2, 4))),
                new Knob("pipeline@" + second + "/dot", new Domain.Categories(List.of("off", "on"))),
                new Knob("partition_type@f/a#1", new Domain.Categories(List.of("none", "cyclic", "complete"))),
                new Knob("partition_factor@f/a#1", new Domain.Factors(List.of(1, 4, 8)))));
    }

    @Test
    void onlyDifferencesAreToldAndPartitionsAreOneWord() {
        KnobSet k = knobs("f");
        Configuration base = Configuration.of(k, 0, 0, 0, 0);
        assertThat(KnobWords.differences(base, base)).isEqualTo("none");
        assertThat(KnobWords.differences(base, Configuration.of(k, 1, 1, 1, 1)))
                .isEqualTo("unroll row=2  pipeline dot=on  partition a#1=cyclic 4");
        assertThat(KnobWords.differences(base, Configuration.of(k, 0, 0, 2, 2))).isEqualTo("partition a#1=complete");
        assertThat(KnobWords.differences(Configuration.of(k, 0, 0, 1, 1), Configuration.of(k, 0, 0, 1, 2)))
                .isEqualTo("partition a#1=cyclic 8");
    }

    @Test
    void functionsAreNamedWhereThereAreSeveral() {
        KnobSet k = knobs("g");
        assertThat(KnobWords.differences(Configuration.of(k, 0, 0, 0, 0), Configuration.of(k, 2, 1, 0, 0)))
                .isEqualTo("unroll f/row=4  pipeline g/dot=on");
    }
}
