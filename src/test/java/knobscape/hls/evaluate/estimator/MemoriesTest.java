package knobscape.hls.evaluate.estimator;

import static org.assertj.core.api.Assertions.assertThat;

import knobscape.hls.evaluate.Part;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Block RAM counts of published reports: SDSoC / Vivado HLS 2018 (Dahlia's gemm, PowerGear's atax) and Vitis
/// HLS 2022.1 (viterbi).
class MemoriesTest {
    @ParameterizedTest
    @CsvSource({
        "VIVADO_HLS_2018, 4096, 32, false, 8",
        "VIVADO_HLS_2018, 8192, 32, false, 15",
        "VIVADO_HLS_2018, 16384, 32, false, 29",
        "VIVADO_HLS_2018, 64, 32, true, 1",
        "VIVADO_HLS_2018, 64, 32, false, 2",
        "VITIS_HLS_2022, 8960, 64, false, 64",
        "VITIS_HLS_2022, 4480, 64, false, 32",
        "VITIS_HLS_2022, 2240, 128, false, 30",
    })
    void equalsTheReport(ToolProfile profile, long depth, long width, boolean simpleDual, long expected) {
        assertThat(memories(profile).blockRams(depth, width, simpleDual)).isEqualTo(expected);
    }

    /// Rows of reports of Vitis HLS 2023.2 for xcu55c (UCLA-VAST/Prometheus).
    @ParameterizedTest
    @CsvSource({"125, 32, 1", "440, 32, 1", "570, 32, 2", "1066, 32, 4", "2090, 32, 8", "4180, 32, 16"})
    void twoPortsCostNothingMoreIn2023(long depth, long width, long expected) {
        var settings = EstimatorSettings.defaults()
                .withPart(Part.byName("xcu55c"))
                .withProfile(ToolProfile.VITIS_KERNEL_2022)
                .withUnasked(new ToolDefaults(64, true, true, 2023));
        assertThat(new Memories(settings).blockRams(depth, width, false)).isEqualTo(expected);
    }

    private static Memories memories(ToolProfile profile) {
        return new Memories(EstimatorSettings.defaults().withProfile(profile));
    }

    @Test
    void moreWordsOrBitsNeverTakeLess() {
        for (ToolProfile p : ToolProfile.values()) {
            Memories m = memories(p);
            for (int depth = 1; depth < 40_000; depth = depth * 3 / 2 + 1) {
                for (int width = 1; width < 130; width += 5) {
                    long here = m.blockRams(depth, width, false);
                    assertThat(here).isPositive();
                    assertThat(m.blockRams(depth * 2L, width, false)).isGreaterThanOrEqualTo(here);
                    assertThat(m.blockRams(depth, width + 7L, false)).isGreaterThanOrEqualTo(here);
                    assertThat(m.blockRams(depth, width, true)).isLessThanOrEqualTo(here);
                    assertThat(here * 18 * 1024).isGreaterThanOrEqualTo((long) depth * width);
                }
            }
        }
    }
}
