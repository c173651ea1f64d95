package knobscape.evaluate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import knobscape.space.Configuration;
import knobscape.space.Domain;
import knobscape.space.Knob;
import knobscape.space.KnobSet;
import org.junit.jupiter.api.Test;

class RepeatedMeasurementsTest {
    private static final KnobSet KNOBS =
            new KnobSet(List.of(new Knob("k", new Domain.Factors(List.of(1, 2, 4, 8, 16)))));
    private static final Fidelity RUN = new Fidelity("run", 0);

    private final RepeatedMeasurements repeats =
            RepeatedMeasurements.bySpeed(e -> 1 / e.value("time").orElse(0));

    private static Evaluation evaluation(int level, double milliseconds) {
        return new Evaluation(
                Configuration.of(KNOBS, level),
                RUN,
                new Outcome.Measured(Map.of("time", milliseconds)),
                1,
                new Provenance("test", "1", 0, Provenance.Source.MEASURED));
    }

    private int best() {
        return repeats.best().orElseThrow().configuration().level(0);
    }

    @Test
    void theFastestMeasurementIsTheBestWhereNothingWasRepeated() {
        assertThat(repeats.best()).isEmpty();
        repeats.add(evaluation(1, 2));
        repeats.add(evaluation(2, 1));
        repeats.add(evaluation(3, 3));
        assertThat(best()).isEqualTo(2);
        assertThat(repeats.deviation()).isEmpty();
    }

    @Test
    void failuresCountForNothing() {
        repeats.add(new Evaluation(
                Configuration.of(KNOBS, 1),
                RUN,
                new Outcome.Failure(FailureKind.CRASHED, "no"),
                1,
                new Provenance("test", "1", 0, Provenance.Source.MEASURED)));
        assertThat(repeats.best()).isEmpty();
    }

    @Test
    void aLuckyMeasurementIsTakenBackOnceItWasRepeated() {
        repeats.add(evaluation(1, 1.00));
        repeats.add(evaluation(2, 0.97));
        repeats.add(evaluation(2, 1.15));
        assertThat(best()).isEqualTo(1);
        assertThat(repeats.of(Configuration.of(KNOBS, 2)).orElseThrow().value("time"))
                .hasValue(1.06);
        repeats.add(evaluation(1, 1.2));
        assertThat(best()).isEqualTo(2);
    }

    @Test
    void whatWasMeasuredOnceHasToBeFasterByMore() {
        repeats.add(evaluation(1, 0.99));
        repeats.add(evaluation(1, 1.01));
        repeats.add(evaluation(2, 0.999));
        assertThat(best()).isEqualTo(1);
        repeats.add(evaluation(3, 0.98));
        assertThat(best()).isEqualTo(3);
    }

    @Test
    void replaysThatAgreeChangeNothing() {
        repeats.add(evaluation(1, 1.0));
        repeats.add(evaluation(1, 1.0));
        repeats.add(evaluation(2, 0.9999999));
        assertThat(best()).isEqualTo(2);
        assertThat(repeats.deviation()).hasValue(0);
    }

    /// Against sums over the rows themselves.
    @Test
    void meansAndDeviationAreThoseOfTheRows() {
        var random = new SplittableRandom(1);
        double[][] rows = new double[5][];
        double squares = 0;
        int degrees = 0;
        for (int c = 0; c < rows.length; c++) {
            rows[c] = random.doubles(2 + c, 0.5, 2).toArray();
            double[] logs = Arrays.stream(rows[c]).map(Math::log).toArray();
            double mean = Arrays.stream(logs).average().orElseThrow();
            squares += Arrays.stream(logs).map(v -> (v - mean) * (v - mean)).sum();
            degrees += logs.length - 1;
        }
        for (int i = 0; i < 6; i++) {
            for (int c = 0; c < rows.length; c++) {
                if (i < rows[c].length) {
                    repeats.add(evaluation(c, rows[c][i]));
                }
            }
        }
        assertThat(repeats.deviation().orElseThrow()).isCloseTo(Math.sqrt(squares / degrees), within(1e-12));
        for (int c = 0; c < rows.length; c++) {
            assertThat(repeats.of(Configuration.of(KNOBS, c))
                            .orElseThrow()
                            .value("time")
                            .orElseThrow())
                    .isCloseTo(Arrays.stream(rows[c]).average().orElseThrow(), within(1e-12));
        }
    }
}
