package knobscape.hls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import knobscape.hls.evaluate.vendor.ToolSettings;
import knobscape.hls.export.ToolOptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HlsSettingsTest {
    @TempDir
    private Path runs;

    private double budgetNs(Optional<Double> uncertainty) {
        return new HlsSettings(
                        "k.cpp",
                        Optional.empty(),
                        List.of(),
                        Map.of(),
                        Optional.empty(),
                        Optional.empty(),
                        10,
                        ToolSettings.DEFAULT.with(new ToolOptions(uncertainty, List.of(), List.of(), false, false)),
                        List.of(),
                        SearchSettings.DEFAULT)
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
