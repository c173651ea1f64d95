package knobscape.lab.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import knobscape.evaluate.UserError;
import knobscape.hls.HlsMethods;
import knobscape.project.BoxTools;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HlsStepsBenchTest {
    @TempDir
    private Path folder;

    @Test
    void saysWhereTheSamplesShouldBe() {
        var job = Jobs.into(folder).tools(BoxTools.tools()).samples(folder).job();
        assertThatThrownBy(() -> new HlsStepsBench().run(job))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("gemm");
    }

    /// Names of ablations never hide a method that is offered.
    @Test
    void ablationsHaveNamesOfTheirOwn() {
        var offered = HlsMethods.standard().all().stream().map(m -> m.name()).toList();
        assertThat(offered)
                .contains("cgp", "dcgp", "fpl18", "mes", "ann", "bt", "dac19", "random")
                .doesNotHaveDuplicates();
        assertThat(LabMethods.ablations())
                .extracting(m -> m.name())
                .doesNotHaveDuplicates()
                .doesNotContainAnyElementsOf(offered);
        assertThat(Benches.named("hls-steps").description()).isNotBlank();
    }
}
