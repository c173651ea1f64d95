package knobscape.gpu.export;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import knobscape.evaluate.UserError;
import knobscape.gpu.codegen.WorkSamples;
import knobscape.gpu.space.nest.LoopNest;
import knobscape.gpu.space.operator.Templates;
import knobscape.gpu.space.template.Epilogue;
import knobscape.gpu.space.template.Schedule;
import knobscape.network.ElementType;
import knobscape.network.task.Workload;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Tuned kernels as a module of TVM.
class TvmModuleTest {
    private static final ElementType F = ElementType.FLOAT32;

    private static final int KERNEL_AND_ITS_DECLARATION = 2;

    @TempDir
    Path folder;

    private static TuningExport.Best best(int number, Workload work, String template) {
        return new TuningExport.Best(
                "T" + number, WorkSamples.brief(Templates.of(work, template), Epilogue.NONE, new Random(number)), true);
    }

    private static List<TuningExport.Best> kernels() {
        return List.of(
                best(
                        1,
                        new Workload.Conv2d(
                                F,
                                2,
                                8,
                                14,
                                14,
                                32,
                                new Workload.Conv2d.Taps(3, 3, 1, 1, 1, 1),
                                new Workload.Conv2d.Padding(1, 1, 1, 1),
                                1),
                        "direct"),
                best(
                        2,
                        new Workload.Conv2d(
                                F,
                                1,
                                16,
                                12,
                                12,
                                16,
                                new Workload.Conv2d.Taps(3, 3, 1, 1, 1, 1),
                                new Workload.Conv2d.Padding(1, 1, 1, 1),
                                16),
                        "depthwise"),
                best(3, new Workload.Dense(F, 64, 96, 48), "dense-large"),
                best(4, new Workload.BatchMatmul(F, 6, 32, 40, 24), "batch-matmul"),
                best(5, new Workload.Dense(F, 1, 10, 64), "dense-small"));
    }

    @Test
    void everyFactorIsWrittenAndWhatHasNoFormIsNamed() {
        TvmModule.ModuleText module = TvmModule.write("run 1 of \"x\"\n", kernels());

        assertThat(module.left())
                .containsExactly("T5-dense-small is left out: TVM's schedules have no form of dense-small.");
        assertThat(module.text()).startsWith("\"\"\"run 1 of  x  \n").contains("\"name\": \"T4-batch-matmul\"");
        for (TuningExport.Best k : kernels().subList(0, 4)) {
            Schedule schedule = k.schedule();
            String sum = schedule.source().workload() instanceof Workload.Conv2d ? "tile_f" : "tile_k";
            assertThat(module.text())
                    .contains(Arrays.toString(schedule.source().space().factors(schedule.configuration(), sum)));
        }
        List<TuningExport.Best> none = kernels().subList(4, 5);
        assertThatThrownBy(() -> TvmModule.write("x", none)).isInstanceOf(UserError.class);
    }

    /// TVM 0.27 itself takes the schedules of work that it defines; blocks and threads are those of the kernels here.
    /// Skipped where `KNOBSCAPE_PYTHON` (or `python3`) has no TVM of that version.
    @Tag("slow")
    @Test
    void tvmTakesTheSchedules() throws Exception {
        Files.writeString(
                folder.resolve("schedules.py"),
                TvmModule.write("a test", kernels()).text());
        try (InputStream in = TvmModuleTest.class.getResourceAsStream("check_schedules.py")) {
            Files.write(folder.resolve("check.py"), in.readAllBytes());
        }
        List<String> work = List.of(
                "conv,2,8,14,14,32,3,3,1,1",
                "conv,1,16,12,12,16,3,3,1,16",
                "dense,64,96,48",
                "batch,6,32,40,24",
                "dense,64,96,50");
        var command = new ArrayList<>(
                List.of(System.getenv().getOrDefault("KNOBSCAPE_PYTHON", "python3"), "check.py", folder.toString()));
        command.addAll(work);
        var expected = new ArrayList<String>();
        for (int i = 0; i < 4; i++) {
            LoopNest nest = kernels().get(i).schedule().main();
            expected.add(work.get(i) + " {" + product(nest.grid()) + "} {" + product(nest.block()) + "} 2 1 "
                    + KERNEL_AND_ITS_DECLARATION);
        }
        expected.add(work.get(4) + " nothing");

        assertThat(run(command).lines()).containsExactlyElementsOf(expected);
    }

    private static long product(long[] extents) {
        return LongStream.of(extents).reduce(1, (a, b) -> a * b);
    }

    private String run(List<String> command) throws InterruptedException {
        try {
            Process p = new ProcessBuilder(command)
                    .directory(folder.toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(folder.resolve("said.txt").toFile())
                    .start();
            assertThat(p.waitFor(5, TimeUnit.MINUTES)).isTrue();
            String said = Files.readString(folder.resolve("said.txt"), StandardCharsets.UTF_8);
            Assumptions.assumeFalse(
                    p.exitValue() == 3 || said.contains("No module named 'tvm'"), "no TVM 0.27 for Python");
            assertThat(p.exitValue()).as(said).isZero();
            return said;
        } catch (IOException e) {
            return Assumptions.abort("no Python: " + e.getMessage());
        }
    }
}
