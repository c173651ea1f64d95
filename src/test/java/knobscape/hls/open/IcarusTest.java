package knobscape.hls.open;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import knobscape.evaluate.CancellationSignal;
import knobscape.hls.evaluate.vendor.ToolWork;
import knobscape.hls.rtl.build.NotBuildable;
import knobscape.space.Configuration;
import knobscape.work.tool.ToolProcess;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The exported Verilog with its testbench, run by another simulator than ours: memories word by word and cycles are
/// the
/// same.
@Tag("slow")
class IcarusTest {
    private static final int DESIGNS = 4;

    @TempDir
    Path dir;

    @ParameterizedTest
    @ValueSource(strings = {OpenFixture.DOT, OpenFixture.FLOATS, OpenFixture.COUNTS})
    void agrees(String source) throws IOException {
        assumeTrue(
                Stream.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator))
                        .anyMatch(f -> Files.isExecutable(Path.of(f, "iverilog"))),
                "Icarus Verilog (iverilog) is not installed, so the Verilog is not run");
        ToolWork work = OpenFixture.work(source);
        var random = new SplittableRandom(7);
        Set<Configuration> designs = new LinkedHashSet<>(List.of(work.space().baseline()));
        for (int i = 0; i < DESIGNS; i++) {
            designs.add(work.space().space().draw(random));
        }
        int run = 0;
        for (double clock : new double[] {10, 6}) {
            OpenKernel kernel = OpenFixture.kernel(work, clock);
            for (Configuration c : designs) {
                OpenKernel.Checked made;
                try {
                    made = kernel.checked(c, new CancellationSignal());
                } catch (NotBuildable e) {
                    continue;
                }
                assertThat(made.run().difference()).isEmpty();
                assertThat(icarus(VerilogFiles.of(made, List.of(), clock, Fabric.ECP5), "d" + run++))
                        .contains("PASS: " + made.run().cycles() + " cycles");
            }
        }
        assertThat(run).isGreaterThan(2);
    }

    private String icarus(Map<String, String> files, String name) throws IOException {
        Path folder = Files.createDirectories(dir.resolve(name));
        for (var f : files.entrySet()) {
            Files.writeString(folder.resolve(f.getKey()), f.getValue());
        }
        String made = ToolProcess.answer(
                List.of("iverilog", "-g2005", "-o", "t.vvp", "design.v", "testbench.v"), folder, Duration.ofMinutes(1));
        return made + ToolProcess.answer(List.of("vvp", "t.vvp"), folder, Duration.ofMinutes(1));
    }
}
