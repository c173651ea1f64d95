package knobscape.hls.export;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import knobscape.hls.evaluate.estimator.Kernels;
import knobscape.hls.source.Kernel;
import knobscape.hls.source.KernelReader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SourceRewritesTest {
    @TempDir
    private Path folder;

    private Kernel kernel(String text) throws IOException {
        Path file = Files.writeString(folder.resolve("k.cpp"), text);
        return Kernels.reader().read(file, new KernelReader.Options(Optional.of("k"), List.of(), Map.of()));
    }

    private List<String> names(String text) throws IOException {
        return SourceRewrites.of(kernel(text)).stream()
                .map(SourceRewrites.Rewrite::name)
                .toList();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                // One element a time, or a sum along one loop: either order.
                "a[i][j] = b[i][j] + 1                   | true",
                "a[j][0] = a[j][0] + b[i][j]             | true",
                // Distance (1, -1) along the diagonal, and from one row and column to another.
                "a[0][i + j] = a[0][i + j] * 3 + b[i][j] | false",
                "a[i + 1][j] = a[i][j + 1] + b[i][j]     | false",
                // Neither loop decides which element it is.
                "a[0][0] = a[0][0] * 3 + b[i][j]         | false",
                // A value goes from one iteration to the next.
                "s = s * 3 + b[i][j], a[i][j] = s        | false",
            })
    void loopsChangePlacesWhereNoDependenceTurnsAround(String statement, boolean may) throws IOException {
        String text = "void k(int a[9][16], const int b[8][8]) {\n  int s = 0;\n"
                + "  one: for (int i = 0; i < 8; i++) {\n    two: for (int j = 0; j < 8; j++) {\n      " + statement
                + ";\n    }\n  }\n}\n";
        assertThat(names(text).contains("one inside two")).isEqualTo(may);
    }

    @Test
    void headsAndLabelsChangePlaces() throws IOException {
        String text = """
                void k(int a[4][8]) {
                    for (int i = 0; i < 4; i++) { // rows
                        two: for (int j = 0; j < 8; j++)
                            a[i][j] = i - j;
                    }
                }
                """;
        assertThat(SourceRewrites.of(kernel(text)).getFirst().text()).isEqualTo("""
                void k(int a[4][8]) {
                    two: for (int j = 0; j < 8; j++) { // rows
                        L2: for (int i = 0; i < 4; i++)
                            a[i][j] = i - j;
                    }
                }
                """);
    }

    @Test
    void aNestIsTiledAlongEitherLoop() throws IOException {
        String text = """
                void k(const float a[8][8], const float x[8], float y[8]) {
                    int i;
                    row: for (i = 0; i < 8; i++) {
                        // along the row
                        for (short j = 0; j <= 7; ++j)
                            y[i] += a[i][j] * x[j];
                    }
                }
                """;
        List<SourceRewrites.Rewrite> all = SourceRewrites.of(kernel(text));
        assertThat(all.stream().map(SourceRewrites.Rewrite::name).filter(n -> n.contains("tiles")))
                .containsExactly("L5 in tiles of 4", "row in tiles of 4 inside L5");
        assertThat(all.get(all.size() - 2).text()).isEqualTo("""
                void k(const float a[8][8], const float x[8], float y[8]) {
                    int i;
                    L5_tiles: for (short j_tile = 0; j_tile <= 7; j_tile += 4) {
                    row: for (i = 0; i < 8; i++) {
                        // along the row
                        L5: for (short j = j_tile; j < j_tile + 4; j++)
                            y[i] += a[i][j] * x[j];
                    }
                    }
                }
                """);
        assertThat(all.getLast().text()).isEqualTo("""
                void k(const float a[8][8], const float x[8], float y[8]) {
                    int i;
                    row_tiles: for (int i_tile = 0; i_tile < 8; i_tile += 4) {
                    L5: for (short j = 0; j <= 7; ++j) {
                        // along the row
                        row: for (i = i_tile; i < i_tile + 4; i++)
                            y[i] += a[i][j] * x[j];
                    }
                    }
                }
                """);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                // A dependence that runs backwards along the inner loop; an end that moves; a step of two; a name
                // taken.
                "int i = 0; i < 7; i++ | int j = 1; j < 9; j++   | a[i + 1][j - 1] = a[i][j]",
                "int i = 0; i < 8; i++ | int j = i; j < i + 8; j++ | a[i][j] = 1",
                "int i = 0; i < 16; i += 2 | int j = 0; j < 16; j += 2 | a[i][j] = 1",
                "int i = 0; i < 8; i++ | int j = 0; j < 8; j++ | int j_tile = 1, i_tile = 2; a[i][j] = i_tile + j_tile",
            })
    void whatMayNotTurnOrIsNotPlainIsNotTiled(String outer, String inner, String statement) throws IOException {
        assertThat(names("void k(int a[16][16]) {\n  one: for (" + outer + ") {\n    two: for (" + inner + ") {\n      "
                        + statement + ";\n    }\n  }\n}\n"))
                .noneMatch(n -> n.contains("tiles"));
    }

    private static final String PORTS = """
            static int first(const int *v) {
                return v[0];
            }
            void k(const int a[2][8], int r[8], int n[4]) {
            #pragma HLS INTERFACE m_axi port=a
            #pragma HLS INTERFACE m_axi port=r
                for (int i = 0; i < 8; i++) { // r
                    r[i] += a[1][i] + first(a[0]) + n[0];
                }
            }
            """;

    @Test
    void arraysBehindPortsAreCopied() throws IOException {
        List<SourceRewrites.Rewrite> all = SourceRewrites.of(kernel(PORTS));
        assertThat(all.stream().map(SourceRewrites.Rewrite::name))
                .containsExactly("local copy of a", "local copy of r", "local copies of a and r");
        assertThat(all.getLast().text()).isEqualTo("""
                static int first(const int *v) {
                    return v[0];
                }
                void k(const int a[2][8], int r[8], int n[4]) {
                    int a_local[2][8];
                    a_in_0: for (int a_0 = 0; a_0 < 2; a_0++) {
                        a_in_1: for (int a_1 = 0; a_1 < 8; a_1++) {
                            a_local[a_0][a_1] = a[a_0][a_1];
                        }
                    }
                    int r_local[8];
                    r_in: for (int r_0 = 0; r_0 < 8; r_0++) {
                        r_local[r_0] = r[r_0];
                    }
                #pragma HLS INTERFACE m_axi port=a
                #pragma HLS INTERFACE m_axi port=r
                    L7: for (int i = 0; i < 8; i++) { // r
                        r_local[i] += a_local[1][i] + first(a_local[0]) + n[0];
                    }
                    r_out: for (int r_0 = 0; r_0 < 8; r_0++) {
                        r[r_0] = r_local[r_0];
                    }
                }
                """);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                // An end before the copy is back, an address, a directive on it, another variable of that name.
                "r[i] += | if (n[1]) return; r[i] +=",
                "r[i] += | int *q = r + i; *q +=",
                "for (int i | #pragma HLS ARRAY_PARTITION variable=rNL    for (int i",
                "r[i] += | { int r[8]; r[0] = 1; n[1] += r[0]; } r[i] +=",
            })
    void whatACopyMayMissIsNotCopied(String from, String to) throws IOException {
        assertThat(names(PORTS.replace(from, to.replace("NL", "\n")))).noneMatch(n -> n.contains(" of r"));
    }

    @Test
    void aSumIsSplit() throws IOException {
        String text = """
                void k(const float a[8], float r[1]) {
                    float sum = 1;
                    dot: for (int i = 0; i < 8; i++) {
                        float x = a[i] * i; // i as it is
                        sum = sum + x;
                    }
                    r[0] = sum;
                }
                """;
        List<SourceRewrites.Rewrite> all = SourceRewrites.of(kernel(text));
        assertThat(all.stream().map(SourceRewrites.Rewrite::name)).containsExactly("dot in 2 sums", "dot in 4 sums");
        assertThat(all.getFirst().text()).isEqualTo("""
                void k(const float a[8], float r[1]) {
                    float sum = 1;
                    {
                    float sum_part1 = 0;
                    dot: for (int i = 0; i < 8; i += 2) {
                        {
                        float x = a[i] * i; // i as it is
                        sum = sum + x;
                    }
                        {
                        float x = a[(i + 1)] * (i + 1); // i as it is
                        sum_part1 = sum_part1 + x;
                    }
                    }
                    sum += sum_part1;
                    }
                    r[0] = sum;
                }
                """);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                // Used within the loop, another element each time, twice, no sum, a step that the body takes.
                "sum += a[i]; r[i] = sum;",
                "r[i] += a[i];",
                "sum += a[i]; sum += r[i];",
                "sum = sum * a[i];",
                "sum -= a[i];",
                "if (a[i] > 0) break; sum += a[i];",
                "sum += a[i]; i += 1;",
            })
    void whatIsNoPlainSumIsLeft(String body) throws IOException {
        assertThat(names("void k(const float a[8], float r[8]) {\n  float sum = 0;\n"
                        + "  dot: for (int i = 0; i < 8; i++) {\n    " + body + "\n  }\n  r[0] = sum;\n}\n"))
                .noneMatch(n -> n.contains("sums"));
    }

    @Test
    void sumsOfWholeNumbersTakeACycleAnyway() throws IOException {
        assertThat(names("void k(const int a[8], int r[1]) {\n"
                        + "  dot: for (int i = 0; i < 8; i++) {\n    r[0] += a[i];\n  }\n}\n"))
                .isEmpty();
    }

    @Test
    void theDiffIsOneHunk() {
        assertThat(SourceRewrites.diff(Path.of("k.cpp"), "a\nb\nc\nd\ne\nf\n", "a\nb\nc\nd\nE\nX\nf\n"))
                .isEqualTo("""
                --- a/k.cpp
                +++ b/k.cpp
                @@ -2,5 +2,6 @@
                 b
                 c
                 d
                -e
                +E
                +X
                 f
                """);
    }
}
