package knobscape.explore;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import knobscape.evaluate.Provenance;
import org.junit.jupiter.api.Test;

class PromiseTest {
    @Test
    void saysWhatAnotherHourBrings() {
        assertThat(Promise.of(Map.of(Termination.PROMISE, new double[] {0.0031, 0, 0.019})))
                .map(p -> p.sentence(Provenance.Source.BUILT_IN_ESTIMATE))
                .contains("Another simulated hour is expected to bring the front nearer by 0.31 % "
                        + "(90 % interval 0 to 1.9 %).");
        assertThat(Promise.of(Map.of(Termination.PROMISE, new double[] {0.25})))
                .map(p -> p.sentence(Provenance.Source.BUILT_IN_ESTIMATE))
                .contains("Another simulated hour is expected to bring the front nearer by 25 %.");
        assertThat(Promise.of(Map.of("candidates", new double[] {7}))).isEmpty();
    }
}
