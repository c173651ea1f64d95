package knobscape.hls.evaluate.estimator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import knobscape.hls.HlsTools;
import knobscape.hls.source.Kernel;
import knobscape.hls.source.KernelReader;
import knobscape.hls.space.Directive;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LoopShareTest {
    @TempDir
    private Path folder;

    private Kernel read(String text) throws IOException {
        Path file = Files.writeString(folder.resolve("k.cpp"), text);
        return HlsTools.standard()
                .reader()
                .read(file, new KernelReader.Options(Optional.of("top"), List.of(), Map.of(), List.of(), List.of()));
    }

    private static LoopShare heaviest(Kernel kernel, Directive... directives) {
        return LoopShare.heaviest(
                        kernel,
                        new Estimator(kernel, EstimatorSettings.defaults())
                                .explain(List.of(directives))
                                .loops())
                .orElseThrow();
    }

    @Test
    void aLoopInAFunctionCountsAsOftenAsItIsCalled() throws IOException {
        Kernel kernel = read("""
            void leaf(int a[8]) {
            inner:
              for (int i = 0; i < 8; i++) a[i] += 1;
            }
            void top(int a[8], int b[100]) {
            outer:
              for (int r = 0; r < 50; r++) leaf(a);
            tail:
              for (int i = 0; i < 100; i++) b[i] += 1;
            }
            """);
        LoopShare heaviest = heaviest(kernel);
        assertThat(heaviest.loop().loop()).isEqualTo("leaf/inner");
        // 50 times 8 iterations against 100 of about the same, and what 50 calls cost.
        assertThat(heaviest.share()).isBetween(0.6, 0.8);
    }

    @Test
    void pipeliningTheHeaviestLoopMakesItLighter() throws IOException {
        Kernel kernel = read("""
            void top(int a[64], int b[64], int c[64]) {
            rows:
              for (int r = 0; r < 100; r++) {
            dot:
                for (int i = 0; i < 64; i++) c[i] += a[i] * b[i];
              }
            }
            """);
        LoopShare plain = heaviest(kernel);
        assertThat(plain.loop().loop()).isEqualTo("top/dot");
        assertThat(plain.share()).isCloseTo(1, within(0.05));
        LoopShare pipelined = heaviest(kernel, new Directive.Pipeline("top/dot", true, 0));
        assertThat(pipelined.loop().state()).isEqualTo(LoopEstimate.State.PIPELINED);
        assertThat(pipelined.loop().latency()).isLessThan(plain.loop().latency());
    }
}
