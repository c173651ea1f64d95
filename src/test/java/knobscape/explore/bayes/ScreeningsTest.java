package knobscape.explore.bayes;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Set;
import knobscape.evaluate.Evaluation;
import knobscape.evaluate.EvaluatorInfo;
import knobscape.evaluate.Fidelity;
import knobscape.evaluate.Metric;
import knobscape.evaluate.Outcome;
import knobscape.evaluate.Provenance;
import knobscape.explore.GridSpace;
import knobscape.explore.History;
import knobscape.explore.Objectives;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ScreeningsTest {
    private static final GridSpace SPACE = GridSpace.of(4, 4);
    private static final Metric AREA = new Metric("area", "Area", "", Metric.Direction.MINIMISE, 100);
    private static final Metric TIME = new Metric("time", "Time", "", Metric.Direction.MINIMISE, 100);

    private static Screenings screenings(double share) {
        var low = new Fidelity("low", 0);
        var top = new Fidelity("top", 1);
        var info = new EvaluatorInfo(
                "two",
                "For tests.",
                Provenance.Source.MODEL,
                List.of(low, top),
                List.of(AREA, TIME),
                Map.of("low", Set.of("area", "time"), "top", Set.of("area", "time")),
                List.of("area", "time"),
                Map.of("low", 100 * share, "top", 100 * (1 - share)));
        var history = new History();
        SPACE.enumerate()
                .limit(4)
                .forEach(c -> history.add(new Evaluation(
                        c,
                        top,
                        new Outcome.Measured(Map.of("area", 1.0 + c.level(0), "time", 9.0 - c.level(1))),
                        100 * (1 - share),
                        new Provenance("two", "1", 0, Provenance.Source.MODEL))));
        Objectives objectives = Objectives.calibrate(info.metrics(), history.evaluations());
        return new Screenings(
                BayesSettings.CGP,
                new MeasuredCosts(info, history, 0),
                Observations.of(history, info, objectives, SPACE.encoder()::encode, 0, BayesSettings.CGP),
                1);
    }

    /// What looks take is charged: never more than the first and a sixteenth of the runs they stand beside, and a look
    /// beside each where that is too little to matter.
    @ParameterizedTest
    @ValueSource(doubles = {0.001, 0.05, 0.0625, 0.1, 0.2, 0.25})
    void looksTakeNoMoreThanTheirShare(double share) {
        Screenings s = screenings(share);
        double looks = 0;
        assertThat(s.paysLook(0, 0)).isTrue();
        for (int run = 0; run < 400; run++) {
            looks += s.paysLook(0, run) ? share : 0;
            assertThat(looks).isLessThanOrEqualTo(share + run / 16.0 + 1e-9);
        }
        assertThat(looks).isGreaterThan(share <= 1 / 16.0 ? 400 * share - 1e-9 : 400 / 16.0 / 2);
    }
}
