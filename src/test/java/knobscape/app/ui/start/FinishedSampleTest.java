package knobscape.app.ui.start;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import knobscape.app.ui.settings.Settings;
import knobscape.project.Areas;
import knobscape.project.Project;
import knobscape.project.RunRecord;
import knobscape.project.RunStatus;
import knobscape.project.Session;
import knobscape.work.Workbench;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The runs that come with samples, as they open today. Where a space has changed, the run is made anew: run the
/// sample in a copy of its folder, and pack its `runs.db` with gzip.
class FinishedSampleTest {
    private static final Path SAMPLES = Path.of("sample-projects");

    @TempDir
    private Path folder;

    @ParameterizedTest
    @ValueSource(strings = {"gemm", "gpu_squeezenet", "fusion_resnet50", "study_compiler", "study_gemm_opencl"})
    void aFinishedSampleOpensWithItsRun(String name) throws IOException {
        Path sample = SAMPLES.resolve(name);
        assertThat(FinishedSample.is(sample)).isTrue();
        assertThat(Files.size(sample.resolve(FinishedSample.FILE))).isLessThan(500_000);
        Path copy = FinishedSample.copy(sample, folder);
        try (Project project = Project.open(copy)) {
            List<RunRecord> runs = project.runs().orElseThrow().list();
            assertThat(runs).isNotEmpty().allSatisfy(r -> assertThat(r.status()).isEqualTo(RunStatus.COMPLETED));
            RunRecord run = runs.getLast();
            Workbench bench = Session.of(
                            project, run.work(), s -> Areas.standard().of(s).open(s, project))
                    .bench();
            assertThat(bench.sourceHash()).as("the source is the one that ran").isEqualTo(run.sourceHash());
            if (run.subjects().size() == 1) {
                assertThat(bench.space().knobs())
                        .as("the space is the one that ran")
                        .isEqualTo(run.knobs());
            }
        }
        LastRun last = LastRun.of(copy, new SummaryCache(Settings.inMemory())).orElseThrow();
        assertThat(last.best()).isNotEmpty();
        assertThat(last.thumbnail()).isNotEmpty();
        assertThat(last.running()).isFalse();
        // Nothing of the machine that it was made on.
        assertThat(new String(Files.readAllBytes(copy.resolve("runs.db")), StandardCharsets.ISO_8859_1))
                .doesNotContain("/tmp/", "/home/", "/root/");
        // A copy that somebody worked in stays.
        Files.writeString(copy.resolve("mine.txt"), "x");
        assertThat(FinishedSample.copy(sample, folder).resolve("mine.txt")).exists();
    }
}
