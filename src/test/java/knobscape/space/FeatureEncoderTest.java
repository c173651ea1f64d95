package knobscape.space;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

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
        assertThat(encoder.columns()).containsExactly("factor", "inline", "type=none", "type=cyclic", "type=block", "pipeline=on", "only");
        assertThat(encoder.encode(Configuration.of(knobs, 0, 0, 0, 0, 0))).containsExactly(0, 0, 1, 0, 0, 0, 0);
        assertThat(encoder.encode(Configuration.of(knobs, 1, 1, 2, 1, 0))).containsExactly(0.375, 1, 0, 0, 1, 1, 0);
        assertThat(encoder.encode(Configuration.of(knobs, 2, 0, 1, 0, 0))).containsExactly(1, 0, 0, 1, 0, 0, 0);
        assertThat(encoder.encodeAll(List.of(Configuration.of(knobs, 0, 0, 0, 0, 0), Configuration.of(knobs, 2, 0, 0, 0, 0)))).hasDimensions(2, 7);
    }

    @Test
    void logarithmicFactorsSpreadDoublingsEvenly() {
        var powers = new KnobSet(List.of(new Knob("u", new Domain.Factors(List.of(1, 2, 4, 8)))));
        var encoder = new FeatureEncoder(powers, FeatureEncoder.Scale.LOGARITHMIC);
        assertThat(encoder.encode(Configuration.of(powers, 1))[0]).isCloseTo(1 / 3.0, within(1e-12));
        var zero = new KnobSet(List.of(new Knob("u", new Domain.Factors(List.of(0, 2)))));
        assertThatIllegalArgumentException().isThrownBy(() -> new FeatureEncoder(zero, FeatureEncoder.Scale.LOGARITHMIC));
    }
}
