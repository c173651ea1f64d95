package knobscape.app.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import knobscape.gpu.export.AutoTvmLog;
import knobscape.project.HlsTools;
import knobscape.project.Runner;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// From a network to kernels in files, on the command line.
class TuningExportTest {
    @TempDir
    private Path folder;
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int knobscape(String... arguments) {
        out.getBuffer().setLength(0);
        err.getBuffer().setLength(0);
        return Main.execute(new CommandContext(HlsTools::standard, Runner::withSystemClocks, folder, false), new PrintWriter(out), new PrintWriter(err), arguments);
    }

    @Test
    void tunedKernelsLeave() throws Exception {
        assertThat(knobscape("tune", "zoo:alexnet", "--method", "random", "--trials", "40", "--out", "run")).as(err::toString).isZero();

        assertThat(knobscape("export", "run", "--as", "cuda", "--design", "T1")).as(err::toString).isZero();
        assertThat(out.toString()).contains("extern \"C\" __global__ void", "conv2d_direct");
        assertThat(knobscape("export", "run", "--as", "opencl", "--out", "kernels")).as(err::toString).isZero();
        assertThat(folder.resolve("kernels/T1-direct")).isDirectoryContaining("glob:**kernels.cl").isDirectoryContaining("glob:**launch.h").isDirectoryContaining("glob:**main.c")
                .isDirectoryContaining("glob:**schedule.json");
        assertThat(knobscape("export", "run", "--as", "json", "--design", "T1")).isZero();
        assertThat(out.toString()).contains("\"format\" : \"knobscape-schedule\"");
        assertThat(knobscape("export", "run", "--as", "csv")).isZero();
        assertThat(out.toString().lines().findFirst().orElse("")).startsWith("kernel,index,tile_f,");
        int rows = (int) out.toString().lines().count() - 1;
        assertThat(knobscape("export", "run", "--as", "autotvm", "--out", ".")).isZero();
        assertThat(AutoTvmLog.read(folder.resolve("autotvm.json")).records()).hasSize(rows).isNotEmpty();
    }

    @Test
    void whatIsNotThereIsSaid() throws Exception {
        assertThat(knobscape("export", "nowhere", "--as", "cuda")).isEqualTo(1);
        assertThat(err.toString()).contains("There is no tuning.json").contains("knobscape tune");
        Files.writeString(folder.resolve("tuning.json"), "{\"front\": []}");
        assertThat(knobscape("export", ".", "--as", "cuda")).isEqualTo(1);
        assertThat(err.toString()).contains("holds no schedule");
    }
}
