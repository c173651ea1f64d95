package knobscape.hls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.nio.file.Path;
import java.util.Optional;
import knobscape.hls.export.ToolOptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HlsSettingsTest {
    @TempDir
    private Path runs;

    private double budgetNs(Optional<Double> uncertainty) {
        return new HlsSettings(HlsSettings.of("k.cpp").values().with(ToolOptions.UNCERTAINTY, uncertainty))
                .estimator(1, runs)
                .budgetNs();
    }

    @Test
    void theEstimateKeepsBackWhatTheToolIsTold() {
        assertThat(budgetNs(Optional.empty())).isCloseTo(7.3, within(1e-9));
        assertThat(budgetNs(Optional.of(12.5))).isCloseTo(8.75, within(1e-9));
        assertThat(budgetNs(Optional.of(0.0))).isCloseTo(10, within(1e-9));
    }
}
