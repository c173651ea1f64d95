package knobscape.app.ui.hls.source;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class SourceOverlayTest {
    private static final String[] BEFORE = {
        "void f(int a[8]) {", "  for (int i = 0; i < 8; i++)", "    a[i]++;", "#pragma HLS INLINE", "}"
    };

    @Test
    void pragmasFollowTheLineTheyWereInsertedAfter() {
        String[] after = {
            "void f(int a[8]) {",
            "#pragma HLS ARRAY_PARTITION variable=a complete",
            "  loop1: for (int i = 0; i < 8; i++) {",
            "#pragma HLS PIPELINE",
            "#pragma HLS UNROLL factor=2",
            "    a[i]++;",
            "  }",
            "#pragma HLS INLINE",
            "}"
        };
        assertThat(SourceOverlay.inserted(BEFORE, after))
                .containsExactly(
                        java.util.Map.entry(1, List.of(after[1])), java.util.Map.entry(2, List.of(after[3], after[4])));
    }

    @Test
    void aPragmaThatGaveWayShiftsNothing() {
        String[] after = {BEFORE[0], BEFORE[1], BEFORE[2], "#pragma HLS INLINE off", BEFORE[4]};
        assertThat(SourceOverlay.inserted(BEFORE, after)).containsExactly(java.util.Map.entry(3, List.of(after[3])));
        assertThat(SourceOverlay.inserted(BEFORE, BEFORE)).isEmpty();
    }
}
