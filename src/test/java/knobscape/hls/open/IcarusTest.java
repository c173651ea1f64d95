package knobscape.hls.open;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
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
        assumeIcarus();
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

    /// The wrapper for a board runs the check by itself: its light says that all is right, and with another expected
    /// word that something is not.
    @ParameterizedTest
    @ValueSource(strings = {OpenFixture.DOT, OpenFixture.COUNTS, OpenFixture.SCALE})
    void theBoardChecksItself(String source) throws IOException {
        assumeIcarus();
        ToolWork work = OpenFixture.work(source);
        OpenKernel.Checked made =
                OpenFixture.kernel(work, 10).checked(work.space().baseline(), new CancellationSignal());
        Map<String, String> files = new HashMap<>(VerilogFiles.of(made, List.of(), 10, Fabric.ECP5));
        assertThat(board(files, "right")).contains("lights 01");
        // Another last word, or another result.
        files.computeIfPresent(
                "board-expected.hex",
                (_, t) -> t.substring(0, t.length() - 2) + (t.charAt(t.length() - 2) == '1' ? "0" : "1") + "\n");
        if (!files.containsKey("board-expected.hex")) {
            files.computeIfPresent("ulx3s.v", (_, t) -> t.replace("(result != ", "(~result != "));
        }
        assertThat(board(files, "wrong")).contains("lights 02");
    }

    private String board(Map<String, String> files, String name) throws IOException {
        Path folder = Files.createDirectories(dir.resolve(name));
        for (var f : files.entrySet()) {
            Files.writeString(folder.resolve(f.getKey()), f.getValue());
        }
        Files.writeString(folder.resolve("bench.v"), """
                module bench;
                  reg clk = 0;
                  wire [7:0] led;
                  integer n = 0;
                  ulx3s board(.clk_25mhz(clk), .btn(7'd0), .led(led), .wifi_gpio0());
                  always #20 clk = ~clk;
                  always @(posedge clk) begin
                    n = n + 1;
                    if (led[0] || led[1] || n > 100000) begin
                      $display("lights %h", led);
                      $finish;
                    end
                  end
                endmodule
                """);
        String made = ToolProcess.answer(
                List.of("iverilog", "-g2005", "-s", "bench", "-o", "b.vvp", "design.v", "ulx3s.v", "bench.v"),
                folder,
                Duration.ofMinutes(1));
        return made + ToolProcess.answer(List.of("vvp", "b.vvp"), folder, Duration.ofMinutes(1));
    }

    private static void assumeIcarus() {
        assumeTrue(
                Stream.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator))
                        .anyMatch(f -> Files.isExecutable(Path.of(f, "iverilog"))),
                "Icarus Verilog (iverilog) is not installed, so the Verilog is not run");
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
