package knobscape.app.ui.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import knobscape.app.ui.gpu.SelectionLog.By;
import knobscape.app.ui.plot.Figure;
import knobscape.app.ui.plot.PlotExport;
import knobscape.evaluate.Evaluation;
import knobscape.evaluate.FailureKind;
import knobscape.evaluate.Fidelity;
import knobscape.evaluate.Outcome;
import knobscape.evaluate.Provenance;
import knobscape.explore.Prediction;
import knobscape.space.Configuration;
import knobscape.space.Domain;
import knobscape.space.Knob;
import knobscape.space.KnobSet;
import org.junit.jupiter.api.Test;

class TransferFigureTest {
    private static SelectionLog.Pick pick(String reason, double low, double high, Outcome outcome) {
        Configuration only = Configuration.of(new KnobSet(List.of(new Knob("k", new Domain.Toggle()))), 0);
        return SelectionLog.Pick.of(
                reason,
                Double.isNaN(low)
                        ? Optional.empty()
                        : Optional.of(new Prediction(
                                "run", Map.of("gflops", new Prediction.Interval(Math.sqrt(low * high), low, high)))),
                new Evaluation(
                        only,
                        new Fidelity("run", 0),
                        outcome,
                        0,
                        new Provenance("model", "1", 0, Provenance.Source.MODEL)));
    }

    private static Outcome ran(double gflops) {
        return new Outcome.Measured(Map.of("gflops", gflops));
    }

    @Test
    void reasonsSayWhoChose() {
        assertThat(By.of("the best, with history")).isEqualTo(By.HISTORY);
        assertThat(By.of("expected improvement, with history")).isEqualTo(By.HISTORY);
        assertThat(By.of("tuning set")).isEqualTo(By.HISTORY);
        assertThat(By.of("tuning set, drawn")).isEqualTo(By.DRAWN);
        assertThat(By.of("annealed on the deep process")).isEqualTo(By.TUNED);
        assertThat(By.of("initial design without history")).isEqualTo(By.OWN);
        assertThat(By.of("expected improvement")).isEqualTo(By.OWN);
    }

    @Test
    void itTellsCalibrationAndSharesAndWhatTheHistoryChoseAgainstWhatWasDrawn() {
        List<SelectionLog.Pick> picks = List.of(
                pick("tuning set", 90, 110, ran(100)),
                pick("tuning set", 90, 110, ran(300)),
                pick("tuning set, drawn", Double.NaN, 0, ran(20)),
                pick("tuning set, drawn", 5, 10, new Outcome.Failure(FailureKind.REJECTED, "too many threads")));
        Figure figure = TransferFigure.of("T1", "GFLOPS", picks, Optional.of("as good as before"));
        assertThat(figure.caption())
                .isEqualTo("T1: 1 of 2 predictions hold within their 90 % interval; as good as before");
        assertThat(figure.legend())
                .extracting(Figure.Key::words)
                .containsExactly(
                        "chosen with the history: 2, 100 % ran, mean 200.0 GFLOPS",
                        "drawn beside them: 2, 50 % ran, mean 20.00 GFLOPS");
        assertThat(figure.panels()).hasSize(2);
        assertThat(figure.panels().getLast().items())
                .singleElement()
                .isInstanceOfSatisfying(
                        Figure.Line.class, l -> assertThat(l.y()).containsExactly(100, 100, 200.0 / 3, 50));
        assertThat(new String(PlotExport.svg((w, h) -> figure), StandardCharsets.UTF_8))
                .contains("Predicted GFLOPS")
                .contains("Trials of the task");
    }

    @Test
    void aRunWithoutHistoryAndPredictionsHasNothingToShow() {
        assertThat(TransferFigure.hasSomething(List.of(pick("random", Double.NaN, 0, ran(3)))))
                .isFalse();
        assertThat(TransferFigure.hasSomething(List.of(pick("expected improvement", 1, 4, ran(3)))))
                .isTrue();
    }
}
