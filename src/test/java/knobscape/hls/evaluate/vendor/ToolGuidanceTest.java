package knobscape.hls.evaluate.vendor;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalInt;
import java.util.Random;
import knobscape.hls.evaluate.vendor.ToolGuidance.Finding;
import knobscape.hls.evaluate.vendor.ToolGuidance.Kind;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Messages in the shapes of Vivado HLS 2019.1 and Vitis HLS 2022.1 and 2024.1, with names of our own.
class ToolGuidanceTest {
    private static final String LOG = """
            INFO: [HLS 200-42] -- Implementing module 'k_Pipeline_acc'
            INFO: [SCHED 204-61] Pipelining loop 'acc'.
            WARNING: [HLS 200-880] The II Violation in module 'k_Pipeline_acc' (loop 'acc'): Unable to enforce a carried dependence constraint (II = 1, distance = 1, offset = 1) between 'store' operation 0 bit ('sum_write_ln9', src/k.cpp:9) of variable 'add', src/k.cpp:8 on local variable 'sum' and 'load' operation 32 bit ('sum_load', src/k.cpp:8) on local variable 'sum'.
            WARNING: [HLS 200-885] The II Violation in module 'k_Pipeline_acc' (loop 'row'): Unable to schedule 'load' operation ('a_load_2', src/k.cpp:21) on array 'a' due to limited memory ports (II = 1). Please consider using a memory core with more ports or partitioning the array 'a'.
            WARNING: [HLS 200-885] The II Violation in module 'k_Pipeline_acc' (loop 'out'): Unable to schedule bus request operation ('gmem_req', src/k.cpp:30) on port 'gmem' (src/k.cpp:30) due to limited memory ports (II = 1). Please consider using a memory core with more ports or partitioning the array.
            INFO: [HLS 200-1470] Pipelining result : Target II = 1, Final II = 8, Depth = 12, loop 'acc'
            WARNING: [HLS 200-960] Cannot flatten loop 'outer' (src/k.cpp:18:20) in function 'k' the outer loop is not a perfect loop.
            INFO: [HLS 214-376] automatically set the pipeline for Loop< VITIS_LOOP_16_2> at src/k.cpp:16:22\s
            WARNING: [HLS 214-253] Ignored unsupported array_partition pragma on variable 'b' (src/k.cpp:4:0)
            """;

    @Test
    void saysWhatLimitsEveryLoop() {
        assertThat(ToolGuidance.read(LOG))
                .containsExactly(
                        new Finding(
                                Kind.RECURRENCE,
                                "k_Pipeline_acc",
                                "acc",
                                OptionalInt.of(9),
                                "the recurrence through 'sum' at distance 1 (store in line 9 to load in line 8)"),
                        new Finding(
                                Kind.PORTS,
                                "k_Pipeline_acc",
                                "row",
                                OptionalInt.of(21),
                                "the ports of 'a' (load in line 21)"),
                        new Finding(
                                Kind.BUS,
                                "k_Pipeline_acc",
                                "out",
                                OptionalInt.of(30),
                                "the AXI port 'gmem' (bus request in line 30)"),
                        new Finding(
                                Kind.PIPELINE,
                                "k_Pipeline_acc",
                                "acc",
                                OptionalInt.empty(),
                                "II 8 where 1 was asked for, depth 12"),
                        new Finding(
                                Kind.NOT_FLATTENED,
                                "k",
                                "outer",
                                OptionalInt.of(18),
                                "not flattened: the outer loop is not a perfect loop"),
                        new Finding(
                                Kind.INFERRED,
                                "",
                                "VITIS_LOOP_16_2",
                                OptionalInt.of(16),
                                "the tool set pipeline by itself"),
                        new Finding(
                                Kind.IGNORED_PRAGMA,
                                "",
                                "",
                                OptionalInt.of(4),
                                "Ignored unsupported array_partition pragma on variable 'b' (src/k.cpp:4:0)"));
    }

    /// Before 2020 the loop is told by the line before, and the sentence of a dependence stands in two lines.
    @Test
    void readsTheOldShape() {
        String log = """
                INFO: [SCHED 204-61] Pipelining loop 'fill'.
                WARNING: [SCHED 204-68] The II Violation in module 'k' (Loop: fill): Unable to enforce a carried dependence constraint (II = 1, distance = 2, offset = 1)
                   between 'store' operation ('x', C:/work/k.c:7) of constant 0 on array 'h' and 'load' operation ('y', C:/work/k.c:6) on array 'h'.
                WARNING: [SCHED 204-69] Unable to schedule 'load' operation ('z', C:/work/k.c:6) on array 'h' due to limited memory ports. Please consider using a memory core with more ports or partitioning the array 'h'.
                INFO: [SCHED 204-61] Pipelining result : Target II = 1, Final II = 2, Depth = 6.
                """;
        assertThat(ToolGuidance.read(log))
                .extracting(Finding::words)
                .containsExactly(
                        "the recurrence through 'h' at distance 2 (store in line 7 to load in line 6)",
                        "the ports of 'h' (load in line 6)",
                        "II 2 where 1 was asked for, depth 6");
        assertThat(ToolGuidance.read(log)).extracting(Finding::loop).containsOnly("fill");
    }

    @Test
    void limitsStandAtTheLoopsOfTheReport(@TempDir Path dir) throws Exception {
        try (var in = ToolGuidanceTest.class.getResourceAsStream("csynth.rpt")) {
            Files.write(dir.resolve("csynth.rpt"), in.readAllBytes());
        }
        Files.writeString(
                dir.resolve("vitis_hls.log"),
                "WARNING: [HLS 200-885] The II Violation in module 'taps' (loop 'VITIS_LOOP_31_2'): Unable to schedule"
                        + " 'load' operation ('a_load', filter.cpp:33) on array 'line' due to limited memory ports (II ="
                        + " 1). Please consider using a memory core with more ports or partitioning the array 'line'.\n");
        VendorReport report = ReportReader.readFolder(dir).getFirst().report();
        assertThat(report.loops().get(1).limit()).contains("the ports of 'line' (load in line 33)");
        assertThat(report.loops().getFirst().limit()).isEmpty();
    }

    @Test
    void anyTextIsReadInTime() {
        var random = new Random(3);
        List<String> lines = LOG.lines().toList();
        for (int i = 0; i < 2000; i++) {
            var b = new StringBuilder(lines.get(random.nextInt(lines.size())));
            for (int k = 0; k < 5; k++) {
                int at = random.nextInt(b.length());
                b.replace(at, Math.min(b.length(), at + random.nextInt(9)), "'(:".repeat(random.nextInt(40)));
            }
            assertThat(ToolGuidance.read(b.toString())).hasSizeLessThan(3);
        }
    }
}
