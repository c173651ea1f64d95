package knobscape.project;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import knobscape.fusion.FusionSettings;
import knobscape.fusion.FusionWorkbench;
import knobscape.fusion.search.Constraint;
import knobscape.fusion.search.Mapping;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FusionSamplesTest {
    @ParameterizedTest
    @CsvSource({"fusion_resnet50, 50, 3.0", "fusion_mobilenet_edge, 53, 2.3"})
    void theSampleOpensAndGainsByFusion(String name, int layers, double speedup) {
        try (Project project = Project.open(Path.of("sample-projects", name))) {
            assertThat(project.file().description()).isNotEmpty();
            FusionWorkbench bench = FusionWorkbench.open(project, project.file().work(FusionSettings.class));
            assertThat(bench.model().layers()).isEqualTo(layers);
            assertThat(bench.warnings()).isEmpty();
            Mapping found = Mapping.search(
                    bench.method(project.file().run().method()).searcher(), bench.model(), Constraint.LEXI, 2000, 1);
            assertThat(found.isValid()).isTrue();
            assertThat(found.speedup()).isGreaterThan(speedup);
        }
    }
}
