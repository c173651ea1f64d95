package knobscape.gpu.evaluate.replay;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SetKindTest {
    private static SetKind named(String name) {
        return SetKind.all().stream()
                .filter(k -> k.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    @ParameterizedTest
    @CsvSource({
        "gemm_clblast, TitanRTX, 137472507904",
        "filter, TitanRTX, 7549747200",
        "amos, A100_c256_h14_k512_r1_s2_p0, 12845056",
        "amos, A100_c3_h224_k64_r7_s2_p3, 236027904",
        "autotvm, T4_dense_large_batch_b1_m128_n3072_k768, 603979776",
        "ansor, M1_swish_gemm_m128_n3072_k768, 603979776"
    })
    void operationsAreCountedFromTheFamilyAndTheNameOfTheFile(String kind, String stem, long flops) {
        assertThat(named(kind).flopsOf(stem)).hasValue(flops);
    }

    @Test
    void whatIsNotCountedIsEmpty() {
        assertThat(named("dedispersion").flopsOf("A100")).isEmpty();
        assertThat(named("amos").flopsOf("A100")).isEmpty();
    }

    @Test
    void theFamilyWithTheMostOfTheColumnsIsTaken() {
        assertThat(SetKind.of(List.of("x", "time_ms")).orElseThrow().name()).isEqualTo("other");
        assertThat(SetKind.of(List.of(
                                "block_size_x",
                                "block_size_y",
                                "tile_size_x",
                                "tile_size_y",
                                "read_only",
                                "use_padding",
                                "use_shmem",
                                "time_ms"))
                        .orElseThrow()
                        .name())
                .isEqualTo("filter_milo");
        assertThat(SetKind.of(List.of("MWG", "NWG", "KWG", "MDIMC", "VWM", "SA", "status", "run1_ms"))
                        .orElseThrow()
                        .name())
                .isEqualTo("gemm_cltune");
        assertThat(SetKind.of(List.of("x", "y"))).isEmpty();
    }
}
