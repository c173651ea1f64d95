package knobscape.space;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class FeatureEncoderTest {

    private final KnobSet knobs = new KnobSet(List.of(
            new Knob("factor", new Domain.Factors(List.of(2, 5, 10))),
            new Knob("inline", new Domain.Toggle()),
            new Knob("type", new Domain.Categories(List.of("none", "cyclic", "block"))),
            new Knob("pipeline", new Domain.Categories(List.of("off", "on"))),
            new Knob("only", new Domain.Factors(List.of(7)))));

    @Test
    void encodesAsTheThesisDoes() {
        var encoder = new FeatureEncoder(knobs);
        assertThat(encoder.length()).isEqualTo(7);
        assertThat(encoder.encode(Configuration.of(knobs, 0, 0, 0, 0, 0))).containsExactly(0, 0, 1, 0, 0, 0, 0);
        assertThat(encoder.encode(Configuration.of(knobs, 1, 1, 2, 1, 0))).containsExactly(0.375, 1, 0, 0, 1, 1, 0);
        assertThat(encoder.encode(Configuration.of(knobs, 2, 0, 1, 0, 0))).containsExactly(1, 0, 0, 1, 0, 0, 0);
        assertThat(encoder.encodeAll(
                        List.of(Configuration.of(knobs, 0, 0, 0, 0, 0), Configuration.of(knobs, 2, 0, 0, 0, 0))))
                .hasDimensions(2, 7);
    }
}
