package knobscape.explore.bayes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class ExpectedGainTest {
    private static final ExpectedGain OF_A_RUN = new ExpectedGain(0.1, 0, 0.3);

    @Test
    void aPartOfARunBringsItsPart() {
        assertThat(OF_A_RUN.ofRuns(0.25, 0.5)).isEqualTo(new ExpectedGain(0.025, 0, 0.075));
    }

    /// The second run brings the same share of what the first one left: .1 of .5, then .08 of .4.
    @Test
    void laterRunsBringLessThanTheFirst() {
        ExpectedGain two = OF_A_RUN.ofRuns(2, 0.5);
        assertThat(two.gain()).isCloseTo(0.18, within(1e-12));
        assertThat(two.high()).isCloseTo(0.42, within(1e-12));
    }

    @Test
    void noNumberOfRunsBringsMoreThanThereIs() {
        ExpectedGain many = OF_A_RUN.ofRuns(1000, 0.2);
        assertThat(many.gain()).isCloseTo(0.2, within(1e-12));
        assertThat(many.high()).isCloseTo(0.2, within(1e-12));
        assertThat(new ExpectedGain(0, 0, 0).ofRuns(5, 0)).isEqualTo(new ExpectedGain(0, 0, 0));
    }
}
