package knobscape.evaluate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import knobscape.explore.SyntheticFlow;
import knobscape.space.Configuration;
import org.junit.jupiter.api.Test;

/// Evaluations that somebody else makes.
class ReportedResultsTest {
    private static final Map<String, Double> ALL = Map.of("power", 1.0, "delay", 2.0, "lut", 3.0);
    private final ReportedResults told = new ReportedResults(new SyntheticFlow(false).info(), values -> values);
    private final Configuration design = Configuration.of(SyntheticFlow.SPACE.knobs(), 0, 0, 0, 0, 0, 0);
    private final Fidelity hls = told.info().fidelity("hls");
    private final Fidelity impl = told.info().top();

    private Evaluation measured(Fidelity stage, Map<String, Double> values) {
        return told.evaluation(design, stage, values, Optional.empty(), 5);
    }

    private List<String> stages(Fidelity from, Fidelity upTo) {
        var seen = new ArrayList<String>();
        var below = new ArrayList<Evaluation>();
        for (Fidelity f : told.info().fidelities().subList(0, from.rank())) {
            below.add(measured(f, ALL));
        }
        told.evaluate(
                new Request(design, from, upTo, below),
                e -> seen.add(e.fidelity().name()),
                new CancellationSignal());
        return seen;
    }

    @Test
    void itsNamesAreToldApart() {
        assertThat(EvaluatorKind.TOLD.isOf("told")).isTrue();
        assertThat(EvaluatorKind.TOLD.isOf("told:estimator")).isTrue();
        assertThat(EvaluatorKind.TOLD.isOf("toldest")).isFalse();
        assertThat(EvaluatorKind.TOLD.argument("told:estimator")).contains("estimator");
        assertThat(EvaluatorKind.TOLD.argument("told")).isEmpty();
        assertThat(EvaluatorKind.TOLD.argument("told:")).isEmpty();
    }

    @Test
    void whatWasToldIsAnsweredStageByStageAndTheRestWaits() {
        told.tell(measured(hls, Map.of("delay", 2.0, "lut", 3.0))); // power is not known there
        assertThat(stages(hls, hls)).containsExactly("hls");
        assertThatThrownBy(() -> stages(hls, impl)).isInstanceOf(CancellationException.class);
        told.tell(measured(told.info().fidelity("syn"), ALL));
        told.tell(measured(impl, ALL));
        assertThat(stages(hls, impl)).containsExactly("hls", "syn", "impl");
        assertThat(stages(impl, impl)).containsExactly("impl");
        assertThat(stages(hls, told.info().fidelity("syn"))).containsExactly("hls", "syn");
    }

    @Test
    void aFailureEndsTheFlowAndKeepsWhatIsKnown() {
        var failure = new Outcome.Failure(FailureKind.DOES_NOT_FIT, "too many LUT");
        var failed = told.evaluation(design, hls, Map.of("lut", 9e6), Optional.of(failure), 5);
        told.tell(failed);
        assertThat(stages(hls, impl)).containsExactly("hls");
        assertThat(failed.isMeasured()).isFalse();
        assertThat(failed.outcome())
                .isEqualTo(new Outcome.Failure(FailureKind.DOES_NOT_FIT, "too many LUT", Map.of("lut", 9e6)));
        assertThat(failed.costSeconds()).isEqualTo(5);
        assertThat(failed.provenance().source()).isEqualTo(Provenance.Source.MEASURED);
    }

    @Test
    void whatCannotBeIsSaidInOneSentence() {
        assertThatThrownBy(() -> measured(hls, Map.of("delay", -5.0, "lut", 3.0)))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("This is no result: delay is -5 and must be above 0");
        assertThatThrownBy(() -> measured(hls, Map.of("dealy", 2.0, "lut", 3.0)))
                .isInstanceOf(UserError.class)
                .hasMessage("There is no metric 'dealy' (did you mean 'delay'?); known: power, delay, lut.");
        assertThatThrownBy(() -> measured(hls, Map.of("delay", Double.NaN, "lut", 3.0)))
                .isInstanceOf(UserError.class)
                .hasMessage("The value of 'delay' must be a finite number.");
        assertThatThrownBy(() -> measured(hls, Map.of("delay", 2.0)))
                .isInstanceOf(UserError.class)
                .hasMessage("The value of 'lut' is missing: stage hls reports delay, lut.");
        assertThatThrownBy(() -> measured(impl, Map.of("delay", 2.0, "lut", 3.0)))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("The value of 'power' is missing");
        for (double seconds : new double[] {-1, Double.NaN, Double.POSITIVE_INFINITY}) {
            assertThatThrownBy(() -> told.evaluation(design, impl, ALL, Optional.empty(), seconds))
                    .isInstanceOf(UserError.class)
                    .hasMessageContaining("must be a number of seconds, not " + seconds);
        }
        assertThat(told.evaluation(design, impl, ALL, Optional.empty(), 0).costSeconds())
                .isZero();
    }
}
