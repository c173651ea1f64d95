package knobscape.hls.evaluate.estimator;

import static org.assertj.core.api.Assertions.assertThat;

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
        assertThat(Memories.blockRams(profile, depth, width, simpleDual)).isEqualTo(expected);
    }

    @Test
    void moreWordsOrBitsNeverTakeLess() {
        for (ToolProfile p : ToolProfile.values()) {
            for (int depth = 1; depth < 40_000; depth = depth * 3 / 2 + 1) {
                for (int width = 1; width < 130; width += 5) {
                    long here = Memories.blockRams(p, depth, width, false);
                    assertThat(here).isPositive();
                    assertThat(Memories.blockRams(p, depth * 2L, width, false)).isGreaterThanOrEqualTo(here);
                    assertThat(Memories.blockRams(p, depth, width + 7L, false)).isGreaterThanOrEqualTo(here);
                    assertThat(Memories.blockRams(p, depth, width, true)).isLessThanOrEqualTo(here);
                    assertThat(here * 18 * 1024).isGreaterThanOrEqualTo((long) depth * width);
                }
            }
        }
    }
}
