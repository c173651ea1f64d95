package knobscape.hls.source.clang;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import knobscape.hls.source.ArrayVariable;
import knobscape.hls.source.Kernel;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Pointers that move over arrays: what they reach is counted on the array, at the right place or at an unknown one,
/// never at a wrong one.
class MovingPointersTest {
    @TempDir
    private Path folder;

    private Snippets snippets;

    @BeforeEach
    void snippets() {
        snippets = new Snippets(folder);
    }

    private static List<String> accesses(Kernel k, String function) {
        return Snippets.accesses(k.function(function).orElseThrow());
    }

    private static List<String> arrays(Kernel k, String function) {
        return k.function(function).orElseThrow().arrays().stream()
                .map(ArrayVariable::id)
                .toList();
    }

    @Test
    void aParameterThatMovesIsReadElementByElement() {
        Kernel k = snippets.cpp("""
                void copy(int *d, const int *s) { A: for (int i = 0; i < 32; i++) *d++ = *s++; }
                void every4th(int *d) { B: for (int i = 0; i < 8; i++) { *d = i; d += 4; } }
                void down(int *d) { d += 31; C: for (int i = 0; i < 32; i++) *d-- = i; }
                void top(int a[32], int b[32]) { copy(a, b); every4th(a); down(b); }
                """);
        assertThat(accesses(k, "copy")).containsExactlyInAnyOrder("W d[A]", "R s[A]");
        assertThat(accesses(k, "every4th")).containsExactly("W d[4*B]");
        assertThat(accesses(k, "down")).containsExactly("W d[-C + 31]");
        assertThat(k.array("copy/d").orElseThrow().dims()).containsExactly(32L);
    }

    @Test
    void aVariableThatStartsAtAParameterWalksOverIt() {
        Kernel k = snippets.cpp("""
                void top(int x[64], const int *y) {
                    int *p = x;
                    const int *q = y;
                    A: for (int i = 0; i < 8; i++) { p[0] = *q++; p[1] = 2; p += 2; }
                    B: for (int i = 0; i < 4; i++) *p++ = *q++;
                    *p = 1;
                }
                """);
        assertThat(arrays(k, "top")).containsExactly("top/x", "top/y");
        assertThat(accesses(k, "top"))
                .containsExactlyInAnyOrder(
                        "W x[2*A]",
                        "R y[A]",
                        "W x[2*A + 1]",
                        "W x[? depends on how often another loop ran]",
                        "R y[? depends on how often another loop ran]",
                        "W x[? depends on how often another loop ran]");
        assertThat(k.notes()).noneMatch(n -> n.message().contains("pointer"));
    }

    @Test
    void wherePlaceIsUnknownItIsUnknownInTheRightArray() {
        Kernel k = snippets.cpp("""
                void some(const int x[16], int *y) { A: for (int i = 0; i < 16; i++) if (x[i] > 3) *y++ = x[i]; }
                void rows(int a[8][8], int *y, int n) {
                    B: for (int i = 0; i < 8; i++) C: for (int j = 0; j < 8 && j < n; j++) *y++ = a[i][j];
                }
                void top(int x[16], int a[8][8], int y[64], int n) { some(x, y); rows(a, y, n); }
                """);
        assertThat(accesses(k, "some"))
                .contains("R x[A]")
                .filteredOn(a -> a.startsWith("W"))
                .singleElement()
                .asString()
                .startsWith("W y[?");
        assertThat(accesses(k, "rows"))
                .contains("R a[B][C]")
                .filteredOn(a -> a.startsWith("W"))
                .singleElement()
                .asString()
                .startsWith("W y[?");
    }

    @Test
    void whatAPointerPointsToIsNoCounter() {
        Kernel k = snippets.cpp("""
                int top(const int *p, const char *s) {
                    int n = 0;
                    A: while (*p < 10) { n++; p++; }
                    B: while (*s) s++;
                    return n;
                }
                """);
        assertThat(Snippets.loop(k, "A").trip().isExact()).isFalse();
        assertThat(Snippets.loop(k, "A").variable()).isNotEqualTo("p");
        assertThat(accesses(k, "top"))
                .hasSize(2)
                .anyMatch(a -> a.startsWith("R p["))
                .anyMatch(a -> a.startsWith("R s["));
    }

    /// A walk under `while` is not known place by place, but there is no other array that it could be in.
    @Test
    void aNestedWalkStaysInItsArray() {
        Kernel k = snippets.c("""
                void counted(int a[1024], int out[64]) {
                    int *p = a;
                    for (int r = 0; r < 64; r++) { int s = 0; A: for (int c = 0; c < 16; c++) s += *p++; out[r] = s; }
                }
                void down(int a[64][16], int out[64]) {
                    int *p = &a[0][0];
                    int r = 64;
                    while (r--) { int s = 0; int c = 16; B: while (c--) s += *p++; out[r] = s; }
                }
                void top(int a[1024], int b[64][16], int o[64]) { counted(a, o); down(b, o); }
                """);
        assertThat(arrays(k, "counted")).containsExactlyInAnyOrder("counted/a", "counted/out");
        assertThat(arrays(k, "down")).containsExactlyInAnyOrder("down/a", "down/out");
        assertThat(accesses(k, "down")).anyMatch(a -> a.startsWith("R a[?"));
        assertThat(Snippets.loop(k, "B").trip().average()).hasValue(16);
        assertThat(k.notes()).noneMatch(n -> n.message().contains("is not always known"));
    }
}
