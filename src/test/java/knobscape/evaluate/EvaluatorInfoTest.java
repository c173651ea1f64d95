package knobscape.evaluate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import knobscape.explore.SyntheticFlow;
import knobscape.space.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// What evaluators say of themselves and of what failed.
class EvaluatorInfoTest {
    private final EvaluatorInfo info = new SyntheticFlow(false).info();

    @Test
    void metricsAndStagesAreFoundByName() {
        assertThat(info.metric("lut").label()).isEqualTo("LUT");
        assertThat(info.fidelity("syn").rank()).isEqualTo(1);
        assertThat(info.top()).hasToString("impl");
        assertThatThrownBy(() -> info.metric("ff")).hasMessageContaining("'ff'");
        assertThatThrownBy(() -> info.fidelity("place")).hasMessageContaining("'place'");
        assertThat(info.reports(info.top(), "power")).isTrue();
        assertThat(info.reports(info.fidelity("hls"), "power")).isFalse();
        assertThat(info.reports(new Fidelity("other", 0), "power")).isFalse();
    }

    @Test
    void stagesAreOrderedByRank() {
        var stages = new ArrayList<>(info.fidelities());
        Collections.reverse(stages);
        Collections.sort(stages);
        assertThat(stages).isEqualTo(info.fidelities());
        assertThatThrownBy(() -> new EvaluatorInfo(
                        "x",
                        "x",
                        Provenance.Source.MODEL,
                        List.of(new Fidelity("a", 1)),
                        List.of(),
                        Map.of(),
                        List.of(),
                        Map.of()))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void oneThatTellsCostsNeedNotBePure() {
        var spending = new EvaluatorInfo(
                "x", "x", Provenance.Source.MEASURED, info.fidelities(), info.metrics(), Map.of(), List.of(), Map.of());
        assertThat(spending.simulatesTime() || spending.isPure()).isFalse();
        assertThat(spending.simulated().simulatesTime()).isTrue();
        assertThat(spending.simulated().isPure()).isFalse();
        assertThat(spending.pure().simulatesTime() && spending.pure().isPure()).isTrue();
        assertThat(spending.pure().fidelities()).isEqualTo(info.fidelities());
    }

    @Test
    void aRequestFollowsWhatIsKnown() {
        var design = SyntheticFlow.SPACE.knobs();
        var c = Configuration.of(design, 0, 0, 0, 0, 0, 0);
        assertThat(Request.all(c, info, info.top()).below()).isEmpty();
        assertThatThrownBy(() -> new Request(c, info.top(), info.fidelity("hls"), List.of()))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new Request(c, info.top(), info.top(), List.of()))
                .isInstanceOf(IllegalArgumentException.class);
    }

    /// An invalid design stays invalid; where the tool failed another attempt may help. Stores keep the status.
    @ParameterizedTest
    @EnumSource
    void aFailureIsOfTheDesignOrOfTheTool(FailureKind kind) {
        assertThat(kind.isInvalid()).isEqualTo(kind.status().equals("invalid")).isNotEqualTo(kind.mayRetry());
        assertThat(kind.words()).isNotBlank();
    }
}
