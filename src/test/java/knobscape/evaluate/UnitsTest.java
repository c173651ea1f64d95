package knobscape.evaluate;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class UnitsTest {
    @ParameterizedTest
    @CsvSource({
        "time_ms, time, ms",
        "Delay (us), Delay, us",
        "power [W], power, W",
        "power [furlong], power, furlong",
        "energy-mj, energy, mJ",
        "clock.mhz, clock, MHz",
        "size KB, size, kB",
        "run s, run, s",
        "ms, ms, ''",
        "time, time, ''",
        "k_m, k_m, ''",
        "lut_b, lut_b, ''",
        "'power [ ]', 'power [ ]', ''",
    })
    void aNameMayEndInItsUnit(String name, String stem, String unit) {
        assertThat(Units.inName(name)).isEqualTo(new Units.Named(stem, unit));
    }

    @ParameterizedTest
    @CsvSource({
        "ms, ms, 1",
        "ms, s, 1000",
        "s, ms, 0.001",
        "us, \u00b5s, 1",
        "W, uW, 1e-6",
        "J, nJ, 1e-9",
        "MHz, GHz, 1000",
        "B, KB, 1000",
        "GB, MB, 1e-3",
        "KiB, GiB, 1048576",
        "cycles, M, 1e6",
        "LUT, k, 1000",
        "LUT, LUT, 1",
    })
    void oneUnitIsSoManyOfAnother(String own, String unit, double factor) {
        assertThat(Units.factor(own, unit)).hasValue(factor);
    }

    @ParameterizedTest
    @CsvSource({"ms, W", "LUT, ms", "B, KiB", "ms, MS"})
    void unitsOfOtherQuantitiesAreNone(String own, String unit) {
        assertThat(Units.factor(own, unit)).isEmpty();
    }

    @Test
    void whatMayStandBehindANumberIsListed() {
        assertThat(Units.of("W")).containsExactly("uW", "mW", "W", "kW");
        assertThat(Units.of("LUT")).containsExactly("k", "M", "G");
        assertThat(Units.all()).contains("ns", "kW", "GiB", "cycles").doesNotHaveDuplicates();
    }

    @Test
    void aLabelGivesItsUnitToAMetricWithoutOne() {
        Metric bare = new Metric("t", "Time (ms)", "", Metric.Direction.MINIMISE, Double.POSITIVE_INFINITY);
        Metric named = Units.unitFromLabel(bare);
        assertThat(named).isEqualTo(new Metric("t", "Time", "ms", bare.direction(), bare.limit()));
        assertThat(Units.unitFromLabel(named)).isSameAs(named);
        Metric none = new Metric("t", "Time", "", bare.direction(), bare.limit());
        assertThat(Units.unitFromLabel(none)).isSameAs(none);
        Metric own = new Metric("t", "Time (ms)", "s", bare.direction(), bare.limit());
        assertThat(Units.unitFromLabel(own)).isSameAs(own);
    }
}
