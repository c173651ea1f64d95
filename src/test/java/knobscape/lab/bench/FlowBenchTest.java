package knobscape.lab.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import knobscape.project.ProjectFile;
import knobscape.work.tool.ToolSettings;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/// The bench with very short jobs: what it tells, not how fast this machine is.
class FlowBenchTest {
    @TempDir
    private Path folder;

    @Test
    @DisabledOnOs(OS.WINDOWS)
    void rowsAndAimsAreToldAndCrashesRecovered() throws Exception {
        Path sample = Files.createDirectories(folder.resolve("samples/gemm"));
        Files.writeString(sample.resolve("gemm.cpp"), """
                void gemm(const int a[64], int b[64], int factor) {
                walk:
                    for (int i = 0; i < 64; i++) {
                        b[i] = a[i] * factor;
                    }
                }
                """);
        Files.writeString(
                sample.resolve(ProjectFile.FILE_NAME),
                "{\"formatVersion\": 1, \"name\": \"gemm\", \"source\": \"gemm.cpp\"}");
        var told = new ArrayList<String>();
        BenchReport report = new FlowBench(
                        List.of(1, 2), List.of(ToolSettings.EngineKind.LOCAL), OptionalDouble.of(0.01))
                .run(Jobs.into(Files.createDirectories(folder.resolve("out")))
                        .samples(folder.resolve("samples"))
                        .telling(told::add)
                        .job());
        assertThat(told)
                .extracting(l -> l.substring(0, l.indexOf(", seed")))
                .containsExactly(
                        "local, 1 at once, clean",
                        "local, 1 at once, one of ten crashes",
                        "local, 2 at once, clean",
                        "local, 2 at once, one of ten crashes");
        assertThat(cells(report, "parallel")).containsExactly("1", "2");
        assertThat(cells(report, "jobs")).containsExactly("5", "10");
        assertThat(cells(report, "recovered")).isEqualTo(cells(report, "crashes"));
        assertThat(report.aims())
                .extracting(BenchReport.Aim::name)
                .containsExactly(
                        "throughput per slot (local, 1 at once)",
                        "s beside the tool per job (local, 1 at once)",
                        "designs lost to crashes (local, 1 at once)",
                        "throughput per slot (local, 2 at once)",
                        "s beside the tool per job (local, 2 at once)",
                        "designs lost to crashes (local, 2 at once)");
        assertThat(report.aims())
                .filteredOn(a -> a.name().startsWith("designs lost"))
                .allMatch(BenchReport.Aim::met);
        assertThat(report.aims()).allMatch(a -> Double.isFinite(a.value()));
    }

    private static List<String> cells(BenchReport report, String key) {
        int at = report.columns().stream().map(BenchReport.Column::key).toList().indexOf(key);
        return report.rows().stream().map(r -> r.get(at).shown()).toList();
    }
}
