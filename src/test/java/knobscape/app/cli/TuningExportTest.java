package knobscape.app.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import knobscape.gpu.export.AutoTvmLog;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// From a network to kernels in files, on the command line.
class TuningExportTest {
    @TempDir
    private Path folder;

    private final Terminal terminal = new Terminal(() -> folder);

    @Test
    void tunedKernelsLeave() throws Exception {
        assertThat(terminal.run("tune", "zoo:alexnet", "--method", "random", "--trials", "40", "--out", "run"))
                .as(terminal::err)
                .isZero();

        assertThat(terminal.run("export", "run", "--as", "cuda", "--design", "T1"))
                .as(terminal::err)
                .isZero();
        assertThat(terminal.out()).contains("extern \"C\" __global__ void", "conv2d_direct");
        assertThat(terminal.run("export", "run", "--as", "opencl", "--out", "kernels"))
                .as(terminal::err)
                .isZero();
        assertThat(folder.resolve("kernels/T1-direct"))
                .isDirectoryContaining("glob:**kernels.cl")
                .isDirectoryContaining("glob:**launch.h")
                .isDirectoryContaining("glob:**main.c")
                .isDirectoryContaining("glob:**schedule.json");
        assertThat(terminal.run("export", "run", "--as", "json", "--design", "T1"))
                .isZero();
        assertThat(terminal.out()).contains("\"format\" : \"knobscape-schedule\"");
        assertThat(terminal.run("export", "run", "--as", "csv")).isZero();
        assertThat(terminal.out().lines().findFirst().orElse("")).startsWith("kernel,index,tile_f,");
        int rows = (int) terminal.out().lines().count() - 1;
        assertThat(terminal.run("export", "run", "--as", "autotvm", "--out", "."))
                .isZero();
        assertThat(AutoTvmLog.read(folder.resolve("autotvm.json")).records())
                .hasSize(rows)
                .isNotEmpty();
    }

    @Test
    void whatIsNotThereIsSaid() throws Exception {
        assertThat(terminal.run("export", "nowhere", "--as", "cuda")).isEqualTo(1);
        assertThat(terminal.err()).contains("'nowhere' is no run");
        Files.writeString(folder.resolve("tuning.json"), "{\"front\": []}");
        assertThat(terminal.run("export", ".", "--as", "cuda")).isEqualTo(1);
        assertThat(terminal.err()).contains("holds no schedule");
    }
}
