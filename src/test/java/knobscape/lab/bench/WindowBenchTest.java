package knobscape.lab.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("slow")
class WindowBenchTest {
    @TempDir
    private Path folder;

    @Test
    void everyInputIsAnsweredWhileDesignsArriveAndTheAimsArePrinted() {
        var job = Jobs.quick(folder);
        BenchReport report = new WindowBench().run(job);
        assertThat(report.rows()).hasSize(16);
        assertThat(report.rows())
                .allSatisfy(r ->
                        assertThat(((BenchReport.Cell.Number) r.get(4)).value()).isPositive());
        assertThat(report.aims())
                .hasSize(3)
                .allSatisfy(a -> assertThat(a.value()).isPositive());
        assertThat(report.notes().getFirst()).startsWith("10");
    }
}
