package knobscape.hls.source.clang;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import knobscape.hls.source.Access;
import knobscape.hls.source.IndexForm;
import knobscape.hls.source.Kernel;
import knobscape.hls.source.Loop;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Loops over lists and whole arrays.
class RangeLoopTest {
    @TempDir
    private Path folder;

    private Loop loop(String code) {
        Kernel k = new Snippets(folder)
                .top(
                        "k.cpp",
                        "#include <array>\nstruct S { int f[6]; }; int top(int a[8], int o[16], int (&m)[4][3], S &q) {"
                                + " int s = 0; int b[5] = {1, 2, 3, 4, 5}; std::array<int, 7> v; " + code
                                + " return s; }",
                        "top");
        return Snippets.loop(k, "L");
    }

    private static String text(Access a) {
        return a.index().stream()
                .map(f -> f instanceof IndexForm.Affine x
                        ? x.coefficients().entrySet().stream()
                                        .map(e -> (e.getValue() == 1 ? "" : e.getValue() + "*") + e.getKey())
                                        .collect(Collectors.joining("+"))
                                + (x.constant() == 0 ? "" : "+" + x.constant())
                        : "?")
                .collect(Collectors.joining(";"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '@',
            value = {
                "L: for (int x : {4, 9, 1}) s += x; @ 3 @ ''",
                "L: for (int k : {0, 1, 2, 3}) o[k] = s; @ 4 @ WRITE o ?",
                "L: for (int k : {7, 5, 3, 1}) o[2 * k + 1] = s; @ 4 @ WRITE o ?",
                "L: for (int k : {1, 2, 4}) o[k] = s; @ 3 @ WRITE o ?",
                "L: for (int x : b) s += x; @ 5 @ READ b top/L",
                "L: for (int &x : b) x = s; @ 5 @ WRITE b top/L",
                "L: for (int x : b) { x += 2; s += x; } @ 5 @ READ b top/L",
                "L: for (auto &row : m) for (auto &e : row) e = s; @ 4 @ WRITE m ?;?",
                "L: for (auto x : v) s += x; @ 7 @ READ v.element top/L",
                "L: for (auto x : q.f) s += x; @ 6 @ READ q.f top/L",
            })
    void aListOrAnArrayOfKnownLengthTellsTheTripCount(String code, long trips, String accesses) {
        Loop l = loop(code);
        assertThat(l.trip().isExact()).isTrue();
        assertThat(l.trip().max()).hasValue(trips);
        assertThat(l.body()
                        .allAccesses()
                        .map(a -> a.kind() + " " + a.array().substring(4) + " " + text(a))
                        .toList())
                .isEqualTo(accesses.isEmpty() ? List.of() : List.of(accesses));
    }

    /// Once, in front of the loop.
    @Test
    void whatAListIsMadeOfIsRead() {
        Kernel k = new Snippets(folder)
                .cpp("int top(int a[8]) { int s = 0; for (int x : {a[0], a[3]}) s += x; return s; }");
        assertThat(k.function("top").orElseThrow().body().accesses()).hasSize(2);
    }
}
