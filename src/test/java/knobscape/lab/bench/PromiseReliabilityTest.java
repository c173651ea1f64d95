package knobscape.lab.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class PromiseReliabilityTest {
    /// A run of an hour of which the processes alone expect `raw`.
    private static Approach.PromisedRun run(double raw) {
        return new Approach.PromisedRun(raw, raw, 0, 0, 1, 1);
    }

    /// A run of `hours` that promises `promised` every half hour while ADRS falls by `fall` an hour.
    private static Trial<Approach> trial(String subject, int hours, double promised, double fall) {
        var promises = new ArrayList<Approach.Promise>();
        var curve = new ArrayList<Approach.Point>();
        for (int i = 0; i <= 2 * hours; i++) {
            if (i < 2 * hours) {
                promises.add(new Approach.Promise(
                        i / 2.0, i / 2.0 + 0.5, promised, 0.5 * promised, 2 * promised, run(2 * promised)));
            }
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

    /// Steps of two hours: half of what each brings comes in the hour after it was asked for.
    @Test
    void aStepLongerThanAnHourBringsItsGainBitByBit() {
        var promises = new ArrayList<Approach.Promise>();
        var curve = new ArrayList<Approach.Point>();
        for (int i = 0; i < 5; i++) {
            promises.add(new Approach.Promise(2 * i, 2 * i + 2, 0.02, 0, 0.04, run(0.02)));
            curve.add(new Approach.Point(2 * i, 1 - 0.1 * i));
        }
        curve.add(new Approach.Point(10, 0.5));
        var r = PromiseReliability.of(List.of(new Trial<>(
                "a/x", "cgp", 1, new Approach(0, 0, 10, 0, 0, 0, 0, Optional.empty(), promises, 0, 0, curve))));
        assertThat(r.hours().getFirst().hours())
                .hasSize(5)
                .allSatisfy(h -> assertThat(h.came()).isCloseTo(0.05, within(1e-9)));
    }

    /// The processes expect twice of what is told; a tenth of that came on the other suites, so the share chosen there
    /// is .1 however much came here.
    @Test
    void whatIsUsualIsChosenOnTheOtherSuitesAlone() {
        var all = PromiseReliability.of(
                List.of(trial("a/x", 6, 0.05, 0.02), trial("b/y", 6, 0.05, 0.01), trial("b/z", 6, 0.02, 0.004)));
        assertThat(all.raw().ratio()).isCloseTo(all.ratio() / 2, within(1e-9));
        assertThat(all.of("a", false).chosenOn(all.of("a", true)).ratio()).isCloseTo(2, within(1e-9));
        assertThat(all.of("b", false).chosenOn(all.of("b", true)).ratio()).isCloseTo(0.5, within(1e-9));
    }

    @Test
    void hoursInsideTheirIntervalsAreCounted() {
        var all = PromiseReliability.of(List.of(trial("a/x", 6, 0.02, 0.012), trial("a/y", 6, 0.02, 0.009)));
        assertThat(all.inside()).isCloseTo(0.5, within(1e-9));
    }

    @Test
    void everySuiteIsHeldAgainstItsPromises() {
        BenchReport report = HlsPromiseBench.report(
                "hls-promise",
                PromiseReliability.of(List.of(trial("a/x", 6, 0.02, 0.01), trial("b/y", 6, 0.02, 0.005))),
                List.of());
        assertThat(report.aims())
                .hasSize(8)
                .extracting(BenchReport.Aim::name)
                .contains(
                        "a: what came over what was told",
                        "b: the same, the usual share chosen on the other suites",
                        "b: share of hours inside their 90 % interval, likewise");
        assertThat(report.rows()).hasSize(8);
    }
}
