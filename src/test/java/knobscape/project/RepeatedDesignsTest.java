package knobscape.project;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import knobscape.evaluate.Evaluation;
import knobscape.evaluate.FailureKind;
import knobscape.evaluate.Fidelity;
import knobscape.evaluate.Outcome;
import knobscape.evaluate.Provenance;
import knobscape.explore.GridSpace;
import knobscape.space.Configuration;
import knobscape.work.StoredEvaluation;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

/// Measurements of a design are one figure, whatever went wrong in between.
class RepeatedDesignsTest {
    private static final Configuration C = Configuration.of(GridSpace.of(3).knobs(), 1);

    private static Evaluation of(Outcome outcome) {
        return new Evaluation(
                C, new Fidelity("run", 0), outcome, 1, new Provenance("command", "1", 0, Provenance.Source.MEASURED));
    }

    private static Evaluation time(double time) {
        return of(new Outcome.Measured(Map.of("time", time)));
    }

    @Test
    void theMeanIsOfAllThatWasMeasured() {
        var repeats = new RepeatedDesigns();
        Evaluation stands = time(28);
        for (double t : new double[] {31, 49}) {
            stands = repeats.together(1, 3, stands, time(t));
        }
        stands = repeats.together(1, 3, stands, of(new Outcome.Failure(FailureKind.REJECTED, "it was given up")));
        stands = repeats.together(1, 3, stands, of(new Outcome.Failure(FailureKind.CRASHED, "the device is lost")));
        assertThat(stands.value("time").orElseThrow()).isCloseTo(36, Offset.offset(1e-9));
        stands = repeats.together(1, 3, stands, time(48));
        assertThat(stands.value("time").orElseThrow()).isCloseTo(39, Offset.offset(1e-9));
        assertThat(repeats.together(2, 3, time(1), time(2)).value("time"))
                .as("another design")
                .hasValue(1.5);
    }

    @Test
    void aWrongResultStandsAndWhatFailedFirstIsReplaced() {
        var repeats = new RepeatedDesigns();
        Evaluation wrong = of(new Outcome.Failure(FailureKind.WRONG_RESULT, "it gives another result each time"));
        assertThat(repeats.together(1, 3, time(28), wrong)).isEqualTo(wrong);
        Evaluation crashed = of(new Outcome.Failure(FailureKind.CRASHED, "the device is lost"));
        assertThat(repeats.together(1, 3, crashed, time(3))).isEqualTo(time(3));
    }

    @Test
    void whatIsToldFromElsewhereCorrects() {
        var repeats = new RepeatedDesigns();
        Evaluation mean = repeats.together(1, 3, time(1), time(3));
        assertThat(mean.value("time")).hasValue(2);
        Evaluation told = repeats.together(1, StoredEvaluation.KNOWN, mean, time(9));
        assertThat(told).isEqualTo(time(9));
        assertThat(repeats.together(1, 4, told, time(11)).value("time")).hasValue(10);
    }
}
