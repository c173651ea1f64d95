package knobscape.hls.source.clang;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import knobscape.hls.source.Kernel;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ConstantsTest {
    @TempDir
    private Path folder;

    private Snippets snippets;

    @BeforeEach
    void open() {
        snippets = new Snippets(folder);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            # declarations                                                              | bound          | trip
            #define N 4+4                                                               | 2*N            | 12
            #define row_size 64                                                         | row_size       | 64
            #define SQ(x) (x) * (x)                                                     | SQ(3)          | 9
            const int n = 12;                                                           | n              | 12
            constexpr int n = 3 * 4;                                                    | n + 1          | 13
            static const unsigned char n = 300;                                         | n              | 44
            enum { A, B = 7, C };                                                       | C              | 8
            enum class E : int { X = 5 };                                               | (int) E::X     | 5
            typedef short t; t q[6];                                                    | sizeof(q)      | 12
            using word = unsigned long;                                                 | sizeof(word)   | 8
            template<int K> struct Twice { static const int n = 2 * K; };               | Twice<5>::n    | 10
            template<int K> struct Enum { enum { n = K + 1 }; };                        | Enum<5>::n     | 6
            constexpr int f3(int x) { return x < 2 ? x : x * 3; }                       | f3(4)          | 12
            namespace cfg { const int n = 9; }                                          | cfg::n         | 9
            const int table[3] = {4, 8, 16};                                            | table[1]       | 8
            struct S { static constexpr int depth = 11; };                              | S::depth       | 11
            const int m = 5; const int n = m * m - 1;                                   | n              | 24
            int variable = 5;                                                           | variable       | ?
            """)
    void foldsBounds(String declarations, String bound, String trip) {
        Kernel k = snippets.cpp(
                declarations + "\nvoid kernel(int a[512]) { L: for (int i = 0; i < " + bound + "; i++) a[i] = i; }\n");
        assertThat(Snippets.trip(k, "L")).isEqualTo(trip);
    }

    @Test
    void readsTemplateInstancesWithTheirArguments() {
        Kernel k = snippets.cpp("""
                template<int N, typename T> void clear(T a[N]) {
                    const int half = N / 2;
                    L: for (int i = 0; i < half; i++) a[i] = 0;
                }
                void top(float a[32], int b[8]) { clear<32, float>(a); clear<8, int>(b); }
                """);
        assertThat(k.functions())
                .extracting(knobscape.hls.source.Function::name)
                .containsExactly("clear<32,float>", "clear<8,int>", "top");
        assertThat(k.loop("clear<32,float>/L").orElseThrow().trip().max()).hasValue(16);
        assertThat(k.loop("clear<8,int>/L").orElseThrow().trip().max()).hasValue(4);
        assertThat(k.array("clear<32,float>/a").orElseThrow().element().kind())
                .isEqualTo(knobscape.hls.source.ScalarType.Kind.FLOAT);
        assertThat(k.topFunction().bindings())
                .extracting(b -> b.arrays().get("a"))
                .containsExactly("top/a", "top/b");
    }

    @Test
    void deducesSizesFromReferencesToArrays() {
        Kernel k = snippets.cpp("""
                template<int N> int sum(const int (&a)[N]) { int s = 0; L: for (int i = 0; i < N; i++) s += a[i]; return s; }
                int top(int a[5]) { int b[24]; M: for (int i = 0; i < 24; i++) b[i] = a[0]; return sum(b); }
                """);
        assertThat(Snippets.trip(k, "L")).isEqualTo("24");
        assertThat(k.arrays())
                .anyMatch(a -> a.name().equals("a")
                        && a.function().startsWith("sum")
                        && a.dims().equals(java.util.List.of(24L)));
    }

    @Test
    void templatesCallTemplatesWithComputedArguments() {
        Kernel k = snippets.cpp("""
                template<int N> void inner(int *a) { I: for (int i = 0; i < N; i++) a[i] = 0; }
                template<int M> void outer(int *a) { inner<2 * M>(a); }
                void top(int a[64]) { outer<6>(a); }
                """);
        assertThat(Snippets.trip(k, "I")).isEqualTo("12");
        assertThat(k.functions())
                .extracting(knobscape.hls.source.Function::name)
                .containsExactly("inner<12>", "outer<6>", "top");
    }

    @Test
    void methodsOfClassTemplatesKnowTheirParameters() {
        Kernel k = snippets.cpp("""
                template<int N> struct Buffer {
                    int data[N];
                    void clear() { L: for (int i = 0; i < N; i++) data[i] = 0; }
                };
                void top(int a[4]) { Buffer<40> b; b.clear(); a[0] = b.data[3]; }
                """);
        assertThat(Snippets.trip(k, "L")).isEqualTo("40");
        assertThat(k.topFunction().arrays())
                .anyMatch(a -> a.id().equals("top/b.data") && a.dims().equals(java.util.List.of(40L)));
    }

    @Test
    void macrosComeFromOutsideToo() {
        Path file = snippets.write("kernel.c", "void f(int a[N]) { int i; L: for (i = 0; i < N; i++) a[i] = 0; }\n");
        Kernel k = Snippets.READER.read(
                file,
                new knobscape.hls.source.KernelReader.Options(
                        java.util.Optional.empty(), java.util.List.of(), java.util.Map.of("N", "48")));
        assertThat(Snippets.trip(k, "L")).isEqualTo("48");
        assertThat(k.array("f/a").orElseThrow().dims()).containsExactly(48L);
    }

    @Test
    void synthesisMacrosAreSet() {
        Kernel k = snippets.cpp("""
                void f(int a[8]) {
                #ifdef __SYNTHESIS__
                    L: for (int i = 0; i < 8; i++) a[i] = 0;
                #else
                    M: for (int i = 0; i < 9; i++) a[i] = 0;
                #endif
                }
                """);
        assertThat(k.loops()).extracting(knobscape.hls.source.Loop::label).containsExactly("L");
    }
}
