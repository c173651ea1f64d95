package knobscape.hls.source.clang;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import knobscape.hls.source.Kernel;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TripCountTest {
    @TempDir
    private Path folder;

    private Snippets snippets;

    @BeforeEach
    void open() {
        snippets = new Snippets(folder);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '@', textBlock = """
            # loop header                                              @ trip
            for (int i = 0; i < 10; i++)                               @ 10
            for (int i = 0; i <= 10; i++)                              @ 11
            for (int i = 9; i >= 0; i--)                               @ 10
            for (int i = 10; i > 0; --i)                               @ 10
            for (int i = 0; 10 > i; i += 3)                            @ 4
            for (int i = 0; i != 12; i += 4)                           @ 3
            for (int i = 0; i != 13; i += 4)                           @ ?
            for (int i = 5; i < 5; i++)                                @ 0
            for (int i = 0; i < 10; i = i + 2)                         @ 5
            for (int i = 0; i < 10; i = 2 + i)                         @ 5
            for (int i = 20; i > 0; i = i - 5)                         @ 4
            for (int i = 1; i < 1024; i *= 2)                          @ 10
            for (int i = 1; i < 1024; i <<= 1)                         @ 10
            for (int i = 1; i < 1024; i += i)                          @ 10
            for (int i = 256; i; i >>= 1)                              @ 9
            for (int i = 100; i > 0; i /= 10)                          @ 3
            for (int i = 0; i < 10; i--)                               @ ?
            for (unsigned i = 9; i >= 0; i--)                          @ ?
            for (unsigned i = 9; i < 10; i--)                          @ 10
            for (unsigned char i = 0; i < 256; i++)                    @ ?
            for (unsigned char i = 0; i < 255; i++)                    @ 255
            for (int i = 0; i < 10 && i < 7; i++)                      @ 7
            for (int i = 0, j = 63; i < j; i++, j--)                   @ 32
            for (int i = 0, j = 10; i <= j; i += 2, j--)               @ 4
            for (int i = 9, j = 0; j < i; --i, ++j)                    @ 5
            for (unsigned i = 0, j = 63; i < j; i++, j--)              @ 32
            for (unsigned i = 0, j = 63; i < j; i++, j -= 8)           @ 7
            for (int i = 0, j = 63; i < j; i++)                        @ 63
            for (int i = 0, j = 0; j < 8; i += 8, j++)                 @ 8
            for (int i = 0; i < 10 && a[i] != 0; i++)                  @ 0..10
            for (int i = 0; i < 10 || a[i] != 0; i++)                  @ ?
            for (int i = 0; i < n; i++)                                @ ?
            for (int i = n; i < n + 8; i++)                            @ 8
            for (int i = 0; i < (n & 7); i++)                          @ ?
            for (int i = 0; i < (n > 3 ? 4 : 9); i++)                  @ 4..9
            for (int i = 0, j = 9; i < j; i++)                         @ 9
            for (int i = 0; ; i++)                                     @ ?
            for (int i = 0x10; i < 0b100000; i++)                      @ 16
            for (int i = 'a'; i <= 'z'; i++)                           @ 26
            for (long long i = 0; i < 5000000000LL; i++)               @ 5000000000
            for (size_t i = 0; i < sizeof(int) * 2; i++)               @ 8
            for (int i = 0; i < (int) (sizeof(a) / sizeof(a[0])); i++) @ 64
            """)
    void readsHeaders(String header, String trip) {
        Kernel k = snippets.cpp(
                "#include <stddef.h>\nstatic int a[64];\nvoid f(int n) {\nL: " + header + " { a[0] += 1; }\n}\n");
        assertThat(Snippets.trip(k, "L")).isEqualTo(trip);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '@', textBlock = """
            # statements                                                       @ trip
            int n = 10; L: while (n--) { a[n] = 0; }                           @ 10
            int n = 10; L: while (--n) { a[n] = 0; }                           @ 9
            int n = 10; L: while (n-- > 0) a[n] = 0;                           @ 10
            int i = 0; L: while (i < 10) { a[i] = 0; i++; }                    @ 10
            int i = 0; L: while (i++ < 10) { a[i] = 0; }                       @ 10
            int i = 0; L: do { a[i] = 0; i++; } while (i < 10);                @ 10
            int i = 0; L: do { a[i] = 0; } while (++i < 10);                   @ 10
            int i = 9; L: do { a[i] = 0; } while (i--);                        @ 10
            int i = 20; L: do { a[0] = 0; i++; } while (i < 10);               @ 1
            int i = 0; L: while (i < 10) { if (a[i]) i += 2; else i++; }       @ ?
            int i = 0; L: while (i < 10) { if (a[i]) continue; i++; }          @ ?
            L: while (1) { a[0]++; if (a[0] > 9) break; }                      @ ?
            L: for (int i = 0; i < 10; i++) { if (a[i]) break; }               @ 0..10
            L: for (int i = 0; i < 10; i++) { if (a[i]) return; }              @ 0..10
            L: for (int i = 0; i < 10; i++) { switch (a[i]) { case 1: break; } } @ 10
            L: for (int i = 0; i < 10; i++) { a[i] = 0; i++; }                 @ 5
            int n = 4; n = 6; L: for (int i = 0; i < n; i++) { a[i] = 0; }     @ 6
            int n = 4; if (a[0]) n = 6; L: for (int i = 0; i < n; i++) a[i]++; @ 4..6
            int n = 4; int *p = &n; *p = a[0]; L: for (int i = 0; i < n; i++) a[i]++; @ ?
            """)
    void followsTheStatementsBefore(String statements, String trip) {
        Kernel k = snippets.cpp("void f(int a[64]) {\n" + statements + "\n}\n");
        // what the analysis does not know (two values at a join) may be unknown, never wrong
        assertThat(Snippets.trip(k, "L")).isIn(trip, trip.equals("4..6") ? "?" : trip);
    }

    @Test
    void givesLeastMostAndMeanOfTriangularLoops() {
        Kernel k = snippets.c("""
                void f(int a[16][16]) {
                    int i, j, k;
                    I: for (i = 0; i < 16; i++)
                        J: for (j = 0; j <= i; j++)
                            K: for (k = j; k < 16; k++)
                                a[i][j] += k;
                    M: for (i = 1; i < 16; i *= 2)
                        N: for (j = 0; j < i; j++)
                            a[i][j] = 0;
                }
                """);
        assertThat(Snippets.trip(k, "J")).isEqualTo("1..16 avg 8.5");
        // sum over i and j<=i of 16-j is 1496, over 136 entries
        assertThat(Snippets.trip(k, "K")).isEqualTo("1..16");
        assertThat(Snippets.trip(k, "M")).isEqualTo("4");
    }

    @Test
    void tilesAreExactWhereTheSizesDivide() {
        Kernel k = snippets.cpp("""
                #define MIN(x, y) ((x) < (y) ? (x) : (y))
                void f(int a[100]) {
                    I: for (int i = 0; i < 96; i += 8)
                        J: for (int j = i; j < MIN(i + 8, 96); j++) a[j] = 0;
                    K: for (int i = 0; i < 100; i += 8)
                        L: for (int j = i; j < MIN(i + 8, 100); j++) a[j] = 0;
                }
                """);
        assertThat(Snippets.trip(k, "J")).isEqualTo("8");
        assertThat(Snippets.trip(k, "L")).isEqualTo("4..8");
    }

    @Test
    void memberVariablesCount() {
        Kernel k = snippets.c("""
                typedef struct { int x, y; } pair;
                void f(int a[8][4]) {
                    pair p;
                    X: for (p.x = 0; p.x < 8; p.x++)
                        Y: for (p.y = 0; p.y < 4; p.y++)
                            a[p.x][p.y] = 0;
                }
                """);
        assertThat(Snippets.trip(k, "X")).isEqualTo("8");
        assertThat(Snippets.trip(k, "Y")).isEqualTo("4");
        assertThat(Snippets.loop(k, "Y").variable()).isEqualTo("p");
        assertThat(Snippets.accesses(k.topFunction())).containsExactly("W a[X][Y]");
    }

    @Test
    void takesConstantsFromCalls() {
        Kernel k = snippets.cpp("""
                static void fill(int a[64], int n) { L: for (int i = 0; i < n; i++) a[i] = 0; }
                static void twice(int a[64], int n) { M: for (int i = 0; i < n; i++) a[i] = 0; }
                void top(int a[64]) { fill(a, 16); fill(a, 4 * 4); twice(a, 8); twice(a, 16); }
                """);
        assertThat(Snippets.trip(k, "L")).isEqualTo("16");
        assertThat(Snippets.trip(k, "M")).isEqualTo("8..16");
    }

    @Test
    void statedCountsAreMarkedAsSuch() {
        Kernel k = snippets.cpp("""
                #define DIM 4
                void f(int n, int a[64]) {
                    L: for (int i = 0; i < n; i++) {
                #pragma HLS LOOP_TRIPCOUNT min = 1 max = DIM* DIM avg=8
                        a[i] = 0;
                    }
                    M: for (int i = 0; i < 3; i++) {
                #pragma HLS loop_tripcount max=50
                        a[i] = 0;
                    }
                }
                """);
        assertThat(Snippets.trip(k, "L")).isEqualTo("stated 1..16 avg 8.0");
        assertThat(Snippets.trip(k, "M")).isEqualTo("3");
    }

    @Test
    void knowsTheVariableBehindTheLoop() {
        Kernel k = snippets.c(
                "void f(int a[64]) { int i; for (i = 0; i < 10; i += 3) a[i] = 0; L: for (; i < 20; i++) a[i] = 1; }\n");
        assertThat(Snippets.trip(k, "L")).isEqualTo("8");
    }

    @Test
    void walksPointers() {
        Kernel k = snippets.cpp(
                "void f(int a[64], int b[8]) { int *p; L: for (p = a; p < a + 48; p += 2) { *p = 0; p[1] = b[3]; } }\n");
        assertThat(Snippets.trip(k, "L")).isEqualTo("24");
        assertThat(Snippets.accesses(k.topFunction())).containsExactly("W a[2*L]", "W a[2*L + 1]", "R b[3]");
    }

    @Test
    void callSitesThatDisagreeGiveBoundsNotALie() {
        Kernel k = snippets.top("kernel.cpp", """
                static int sum(const int *a, int from, int n) { int s = 0; L: for (int i = from; i < from + n; i++) s += a[i]; return s; }
                static int nested(const int *a, int n) { int s = 0; M: for (int i = 0; i < n; i += 4) s += sum(a, i, 4); return s; }
                int top(int a[64], int k) { return sum(a, 0, 8) + sum(a, 8, 24) + nested(a, 64) + nested(a, 32); }
                """, "top");
        assertThat(Snippets.trip(k, "L")).startsWith("4..24");
        assertThat(Snippets.trip(k, "M")).startsWith("8..16");
    }

    @Test
    void pragmasMadeByMacrosCount() {
        Kernel k = snippets.cpp("""
                #define PRAGMA_SUB(x) _Pragma(#x)
                #define DO_PRAGMA(x) PRAGMA_SUB(x)
                #define UNROLL(f) DO_PRAGMA(HLS UNROLL factor=f)
                #define WAYS 4
                void f(int n, int a[64]) {
                    DO_PRAGMA(HLS ARRAY_PARTITION variable=a cyclic factor=WAYS)
                    L: for (int i = 0; i < n; i++) {
                        DO_PRAGMA(HLS LOOP_TRIPCOUNT min=2 max=WAYS*16)
                        UNROLL(WAYS)
                        _Pragma("HLS pipeline II=2")
                        a[i] = 0;
                    }
                }
                """);
        assertThat(Snippets.trip(k, "L")).isEqualTo("stated 2..64");
        assertThat(k.pragmas()).allMatch(p -> !p.editable() && p.function().equals("f"));
        assertThat(k.pragmas().stream()
                        .map(p -> p.directive() + " " + p.loop().isPresent() + " "
                                + p.options().getOrDefault("factor", "")
                                + p.options().getOrDefault("ii", ""))
                        .toList())
                .containsExactlyInAnyOrder(
                        "ARRAY_PARTITION false 4", "LOOP_TRIPCOUNT true ", "UNROLL true 4", "PIPELINE true 2");
    }
}
