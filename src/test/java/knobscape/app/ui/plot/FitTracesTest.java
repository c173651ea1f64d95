package knobscape.app.ui.plot;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import knobscape.project.RunResults.TracePoint;
import org.junit.jupiter.api.Test;

class FitTracesTest {
    private static final List<String> FIDELITIES = List.of("hls", "impl");
    private static final List<TracePoint> TRACE = List.of(
            new TracePoint(0, 1, 1, 1, 1),
            new TracePoint(
                    1,
                    1,
                    1,
                    2,
                    1,
                    Map.of(
                            "hls.lengths.0",
                            new double[] {1, 2},
                            "hls.loss",
                            new double[] {5, 4},
                            "seconds.fit",
                            new double[] {0.1})),
            new TracePoint(
                    2,
                    1,
                    1,
                    3,
                    1,
                    Map.of(
                            "hls.lengths.0",
                            new double[] {3, 4},
                            "impl.lengths.0",
                            new double[] {0.5},
                            "hls.loss",
                            new double[] {3, 2, 1},
                            "strange",
                            new double[] {-1})));

    @Test
    void familiesAreNamedWithoutTheirFidelityTheTellingOnesFirst() {
        assertThat(FitTraces.families(TRACE, FIDELITIES))
                .containsExactly("loss", "lengths.0", "seconds.fit", "strange");
        assertThat(FitTraces.families(List.of(), FIDELITIES)).isEmpty();
    }

    @Test
    void aParameterIsACurveByStepForEachFidelityAndPlace() {
        Lines lines = FitTraces.lines(TRACE, FIDELITIES, "lengths.0");
        assertThat(lines.lines()).extracting(Lines.Line::title).containsExactly("hls 1", "hls 2", "impl");
        assertThat(lines.lines().get(1).x()).containsExactly(1, 2);
        assertThat(lines.lines().get(1).y()).containsExactly(2, 4);
        assertThat(lines.lines().get(2).x()).containsExactly(2);
        assertThat(lines.yLog()).isTrue();
        assertThat(FitTraces.lines(TRACE, FIDELITIES, "strange").yLog()).isFalse();
    }

    @Test
    void theLossIsThatOfTheNewestFitByIteration() {
        Lines lines = FitTraces.lines(TRACE, FIDELITIES, "loss");
        assertThat(lines.lines())
                .containsExactly(
                        new Lines.Line("hls, step 2", new double[] {1, 2, 3}, new double[] {3, 2, 1}, Lines.Form.LINE));
        assertThat(lines.bounds()).containsExactly(1, 3, 1, 3);
    }
}
