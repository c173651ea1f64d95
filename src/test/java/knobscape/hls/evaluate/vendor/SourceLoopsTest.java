package knobscape.hls.evaluate.vendor;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import knobscape.hls.evaluate.estimator.Kernels;
import knobscape.hls.evaluate.vendor.VendorReport.VendorLoop;
import knobscape.hls.source.Kernel;
import knobscape.hls.source.KernelReader;
import knobscape.hls.source.Loop;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SourceLoopsTest {
    @TempDir
    private Path dir;

    private static VendorLoop loop(String module, String name) {
        return new VendorLoop(module, name, 0, ReportReader.line(name), Optional.of(true), Map.of("interval", 2.0));
    }

    @Test
    void loopsAreJoinedByLineLabelAndFunction() throws Exception {
        Path file = Files.writeString(dir.resolve("k.cpp"), """
                static void part(int a[8]) {
                row:
                  for (int i = 0; i < 8; i++) {
                    a[i] += 1;
                  }
                }
                void k(int a[8], int b[8][8]) {
                  part(a);
                row:
                  for (int i = 0; i < 8; i++) {
                  inner_row:
                    for (int j = 0; j < 8; j++) {
                      b[i][j] = a[j];
                    }
                  }
                  for (int i = 0; i < 8; i++) {
                    a[i] = b[i][i];
                  }
                }
                """);
        Kernel kernel = Kernels.reader().read(file, new KernelReader.Options(Optional.of("k"), List.of(), Map.of()));
        assertThat(SourceLoops.find(kernel, loop("k_Pipeline_VITIS_LOOP_16_1", "VITIS_LOOP_16_1")))
                .map(l -> l.keyword().line())
                .hasValue(16);
        assertThat(SourceLoops.find(kernel, loop("part", "row"))).map(Loop::id).hasValue("part/row");
        assertThat(SourceLoops.find(kernel, loop("k", "row"))).map(Loop::id).hasValue("k/row");
        assertThat(SourceLoops.find(kernel, loop("k", "row_inner_row")))
                .map(Loop::id)
                .hasValue("k/inner_row");
        assertThat(SourceLoops.find(kernel, loop("k", "other"))).isEmpty();
        assertThat(SourceLoops.find(
                        kernel,
                        new VendorLoop("k", "VITIS_LOOP_99_1", 0, OptionalInt.of(99), Optional.empty(), Map.of())))
                .isEmpty();
    }
}
