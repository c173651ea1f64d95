package knobscape.lab.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class PromiseReliabilityTest {
    /// A run of `hours` that promises `promised` every half hour while ADRS falls by `fall` an hour.
    private static Trial<Approach> trial(String subject, int hours, double promised, double fall) {
        var promises = new ArrayList<Approach.Point>();
        var curve = new ArrayList<Approach.Point>();
        for (int i = 0; i <= 2 * hours; i++) {
            promises.add(new Approach.Point(i / 2.0, promised));
            curve.add(new Approach.Point(i / 2.0, 1 - fall * i / 2));
        }
        return new Trial<>(
                subject, "cgp", 1, new Approach(0, 0, hours, 0, 0, 0, 0, Optional.empty(), promises, 0, 0, curve));
    }

    @Test
    void whatCameIsTheFallOfTheHourAfterThePromise() {
        var r = PromiseReliability.of(List.of(trial("a/x", 6, 0.02, 0.01)));
        // Promises from 0 to 5 h, every half hour.
        assertThat(r.hours().getFirst().hours()).hasSize(11);
        assertThat(r.ratio()).isCloseTo(0.5, within(1e-9));
        assertThat(r.curve()).hasSize(1).containsKey(0.025);
        assertThat(r.curve().get(0.025)).satisfies(b -> {
            assertThat(b.came()).isCloseTo(0.01, within(1e-9));
            assertThat(b.low()).isCloseTo(0.01, within(1e-9));
            assertThat(b.high()).isCloseTo(0.01, within(1e-9));
        });
    }

    @Test
    void aSuiteIsCalibratedByTheOthersAlone() {
        var all = PromiseReliability.of(
                List.of(trial("a/x", 6, 0.02, 0.01), trial("b/y", 6, 0.02, 0.005), trial("b/z", 6, 0.003, 0.0015)));
        assertThat(all.of("a", false)
                        .calibrated(all.of("a", true).calibration())
                        .ratio())
                .isCloseTo(2, within(1e-9));
        assertThat(all.of("b", false)
                        .calibrated(all.of("b", true).calibration())
                        .ratio())
                .isCloseTo((11 * 0.005 + 11 * 0.0015) / (11 * 0.02 + 11 * 0.003) / 0.5, within(1e-9));
    }

    @Test
    void calibratedPromisesDoNotFallWhereThePromiseRises() {
        var all = PromiseReliability.of(List.of(trial("a/x", 6, 0.003, 0.004), trial("a/y", 6, 0.02, 0.002)));
        var factors = all.calibration();
        // Both classes pooled: what came in all over what was promised in all.
        assertThat(factors.values()).hasSize(2).allMatch(f -> Math.abs(f - 0.006 / 0.023) < 1e-9);
    }

    @Test
    void everySuiteIsHeldAgainstItsPromises() {
        BenchReport report = HlsPromiseBench.report(
                "hls-promise",
                PromiseReliability.of(List.of(trial("a/x", 6, 0.02, 0.01), trial("b/y", 6, 0.02, 0.005))),
                List.of());
        assertThat(report.aims()).hasSize(4).extracting(BenchReport.Aim::met).containsExactly(true, true, false, true);
    }
}
