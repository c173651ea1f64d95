package knobscape.hls.evaluate.estimator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import knobscape.hls.HlsTools;
import knobscape.hls.source.Kernel;
import knobscape.hls.source.KernelReader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KnownAccuracyTest {
    @TempDir
    private Path folder;

    private Kernel read(String text) throws Exception {
        Path file = folder.resolve("k.c");
        Files.writeString(file, text);
        return HlsTools.standard().reader().read(file, new KernelReader.Options(Optional.of("k"), List.of(), Map.of()));
    }

    @Test
    void traitsAreSharesOfWhatTheSourceDoes() throws Exception {
        // two assignments, one under data; operations: a float sum, an integer comparison; four accesses, one looked up
        KernelTraits t = KernelTraits.of(read("""
                void k(float a[8], int at[8], float b[8]) {
                    for (int i = 0; i < 8; i++) {
                        b[i] = 0;
                        if (at[i] > 3) {
                            b[at[i]] = a[i] + 1.5f;
                        }
                    }
                }
                """));
        assertThat(t.floating()).isCloseTo(1 / 2.0, within(1e-9));
        assertThat(t.control()).isCloseTo(1 / 2.0, within(1e-9));
        assertThat(t.lookups()).isCloseTo(1 / 5.0, within(1e-9));
        assertThat(t.depth()).isCloseTo(1 / 4.0, within(1e-9));
    }

    @Test
    void theNearestIsOfTheSameKind() throws Exception {
        var product = KnownAccuracy.nearest(read("""
                void k(float a[16][16], float b[16][16], float c[16][16]) {
                    for (int i = 0; i < 16; i++)
                        for (int j = 0; j < 16; j++) {
                            c[i][j] = 0;
                            for (int l = 0; l < 16; l++)
                                c[i][j] += a[i][l] * b[l][j];
                        }
                }
                """));
        assertThat(product.known().kernel()).isIn("gemm_ncubed", "gemm", "k2mm", "syrk");
        assertThat(product.isFar()).isFalse();
        assertThat(product.sentence()).contains(product.known().kernel(), "LUT").doesNotContain("far");
        assertThat(product.words("impl", "lut").orElseThrow()).startsWith("rank correlation 0.9");
        assertThat(product.words("impl", "latency")).isEmpty();
        var table = KnownAccuracy.nearest(read("""
                void k(unsigned char s[256], unsigned char t[256]) {
                    for (int i = 0; i < 256; i++)
                        t[i] = s[t[i]] ^ 5;
                }
                """));
        assertThat(table.known().set()).isEqualTo("fudan_machsuite");
        assertThat(table.known().traits().floating()).isZero();
    }

    @Test
    void everyKnownKernelHasFiguresInRange() {
        assertThat(KnownAccuracy.all()).hasSizeGreaterThanOrEqualTo(12).allSatisfy(k -> {
            assertThat(k.told()).isNotEmpty();
            assertThat(k.figures()).allSatisfy(f -> {
                assertThat(f.designs()).isPositive();
                assertThat(Double.isNaN(f.spearman()) || Math.abs(f.spearman()) <= 1)
                        .isTrue();
            });
        });
    }
}
