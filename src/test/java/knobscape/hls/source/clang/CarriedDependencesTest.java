package knobscape.hls.source.clang;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import knobscape.hls.source.Kernel;
import knobscape.hls.source.Loop;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CarriedDependencesTest {
    @TempDir
    private Path folder;

    private Snippets snippets;

    @BeforeEach
    void open() {
        snippets = new Snippets(folder);
    }

    /// `sum 1!`, `a 2!`: proven; `a ?`: at some distance, cannot be excluded.
    private static String text(Loop loop) {
        return loop.dependences().stream()
                .map(d -> d.variable().substring(d.variable().indexOf('/') + 1) + " "
                        + d.distance().map(String::valueOf).orElse("?") + (d.proven() ? "!" : ""))
                .collect(Collectors.joining(", "));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '@',
            value = {
                "L: for (int i = 0; i < 64; i++) s += a[i]; @ s 1!",
                "L: for (int i = 0; i < 64; i++) b[i] = a[i]; @ ''",
                "L: for (int i = 0; i < 64; i++) { s = a[i]; } @ ''",
                "L: for (int i = 0; i < 64; i++) if (a[i] > s) s = a[i]; @ s 1!",
                "L: for (int i = 2; i < 64; i++) a[i] = a[i - 2] + 1; @ a 2!",
                "L: for (int i = 0; i < 62; i++) a[i] = a[i + 2] + 1; @ ''",
                "L: for (int i = 0; i < 30; i++) a[2 * i] = a[2 * i + 1]; @ ''",
                "L: for (int i = 4; i < 34; i++) a[2 * i - 4] = a[i]; @ a ?",
                "L: for (int i = 62; i > 0; i--) a[i] = a[i + 1]; @ a 1!",
                "L: for (int i = 0; i < 64; i++) a[b[i]]++; @ a ?",
                "L: for (int i = 0; i < 64; i++) a[3] += b[i]; @ a 1!",
                "L: for (int i = 0; i < 64; i++) if (b[i]) a[3] += b[i]; @ a 1",
                "L: for (int i = 0; i < 63; i++) { a[i + n] = a[i]; } @ a ?",
                "L: for (int i = 0; i < 16; i++) for (int j = 0; j < 4; j++) m[i][j] += a[i]; @ ''",
                "L: for (int k = 0; k < 9; k++) for (int i = 0; i < 16; i++) for (int j = 0; j < 4; j++) m[i][j] += k; @ m 1!",
                "L: for (int i = 1; i < 16; i++) for (int j = 1; j < 4; j++) m[i][j] = m[i - 1][j - 1]; @ m 1",
                "L: for (int k = 0; k < 9; k++) { int t[4]; for (int i = 0; i < 4; i++) t[i] = a[i + k]; "
                        + "for (int i = 0; i < 4; i++) b[k] = b[k] + t[3 - i]; } @ ''",
                "L: for (int k = 0; k < 9; k++) { for (int i = 0; i < 4; i++) a[i] = k; "
                        + "for (int i = 0; i < 5; i++) b[k] = b[k] + a[i]; } @ a 1",
                "L: for (int k = 0; k < 9; k++) { a[0] = k; b[k] = a[0] * 2; } @ ''",
                "L: for (int k = 0; k < 9; k++) step(a, k); @ a ?",
                "L: for (int k = 0; k < 9; k++) copy(a, b); @ ''",
            })
    void eachLoopCarriesWhatAnEarlierIterationLeaves(String body, String expected) {
        Kernel k = snippets.top(
                "k.cpp",
                "void step(int *x, int k) { for (int i = 0; i < 4; i++) x[i] += k; }"
                        + " void copy(int *x, int *y) { for (int i = 0; i < 4; i++) y[i] = x[i]; }"
                        + " int top(int a[64], int b[64], int m[16][4], int n) { int s = 0; " + body + " return s; }",
                "top");
        assertThat(text(Snippets.loop(k, "L"))).isEqualTo(expected);
    }

    /// Random forms of up to two loops against all their iterations.
    @Test
    void distancesAreThoseOfAllIterations() {
        var random = new SplittableRandom(36);
        for (int n = 0; n < 6; n++) {
            var source = new StringBuilder("void top(int a[4096]) {\n");
            var expected = new HashMap<String, Optional<Long>>();
            for (int l = 0; l < 20; l++) {
                int[] w = {random.nextInt(-2, 3), random.nextInt(-2, 3), random.nextInt(0, 9)};
                int[] r = {
                    random.nextInt(4) > 0 ? w[0] : random.nextInt(-2, 3), random.nextInt(-2, 3), random.nextInt(9)
                };
                int outer = random.nextInt(2, 9);
                int inner = random.nextInt(1, 9);
                source.append("P%d: for (int i = 0; i < %d; i++) for (int j = 0; j < %d; j++) "
                                .formatted(l, outer, inner))
                        .append("a[%d*i + %d*j + %d] = a[%d*i + %d*j + %d] + 1;\n"
                                .formatted(w[0], w[1], w[2] + 99, r[0], r[1], r[2] + 99));
                expected.put("P" + l, nearest(w, r, outer, inner));
            }
            Kernel k = snippets.top("random" + n + ".c", source + "}\n", "top");
            for (Map.Entry<String, Optional<Long>> e : expected.entrySet()) {
                Optional<Loop.Dependence> found =
                        Snippets.loop(k, e.getKey()).dependences().stream().findFirst();
                if (found.isEmpty()) {
                    assertThat(e.getValue()).as(e.getKey() + source).isEmpty();
                } else {
                    // One that is only assumed must not be farther than what is.
                    found.get()
                            .distance()
                            .ifPresent(d -> assertThat(e.getValue())
                                    .as(e.getKey() + source)
                                    .contains(d));
                }
            }
        }
    }

    private static Optional<Long> nearest(int[] w, int[] r, int outer, int inner) {
        for (long d = 1; d < outer; d++) {
            for (int t = 0; t + d < outer; t++) {
                for (int x = 0; x < inner; x++) {
                    for (int y = 0; y < inner; y++) {
                        if (w[0] * t + w[1] * x + w[2] == r[0] * (t + d) + r[1] * (long) y + r[2]) {
                            return Optional.of(d);
                        }
                    }
                }
            }
        }
        return Optional.empty();
    }
}
