package knobscape.hls.source.clang;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import knobscape.hls.source.ArrayVariable;
import knobscape.hls.source.Function;
import knobscape.hls.source.Kernel;
import knobscape.hls.source.Loop;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Ways of writing that public HLS libraries use.
class PublicCodeTest {
    @TempDir
    private Path folder;

    private Snippets snippets;

    @BeforeEach
    void open() {
        snippets = new Snippets(folder);
    }

    @Test
    void lambdasAreReadWhereTheyAreCalled() {
        Kernel k = snippets.cpp("""
                void top(int a[16], int b[16], int n) {
                    int at = 0;
                    auto scaled = [](int x, int y) { return x * y + 1; };
                    auto store = [&](int v) { b[at] = v; at++; };
                    L: for (int i = 0; i < 16; i++) store(scaled(a[i], n));
                }
                """);
        assertThat(Snippets.trip(k, "L")).isEqualTo("16");
        assertThat(Snippets.accesses(k.topFunction())).contains("R a[L]").hasSize(2);
        assertThat(k.arrays()).extracting(ArrayVariable::id).containsExactly("top/a", "top/b");
    }

    @Test
    void aMethodOfAVendorsClassIsNotTheFunctionOfTheSameName() {
        Kernel k = snippets.cpp("""
                #include <hls_burst_maxi.h>
                void write(hls::burst_maxi<int> out, int a[8]) {
                    out.write_request(0, 8);
                    W: for (int i = 0; i < 8; i++) out.write(a[i]);
                }
                void top(hls::burst_maxi<int> out, int a[8]) { write(out, a); }
                """);
        assertThat(k.function("write").orElseThrow().callees()).isEmpty();
    }

    @Test
    void aCapturedCounterThatALambdaMovesIsNotTakenAsConstant() {
        Kernel k = snippets.cpp("""
                void top(int a[64]) {
                    int at = 3;
                    auto next = [&]() { at = at * 2 % 61; };
                    L: for (int i = 0; i < 16; i++) { a[at] = i; next(); }
                }
                """);
        assertThat(Snippets.accesses(k.topFunction())).noneMatch(a -> a.equals("W a[3]"));
    }

    @Test
    void aLambdaWithLoopsIsReadOnceAndItsReturnLeavesNoLoopOutside() {
        Kernel k = snippets.cpp("""
                void top(int a[8], int b[8]) {
                    auto sum = [&](int from) {
                        int s = 0;
                        Inner: for (int i = 0; i < 8; i++) s += a[i] * from;
                        if (s < 0) return 0;
                        return s;
                    };
                    Outer: for (int j = 0; j < 8; j++) b[j] = sum(j);
                    b[0] = sum(9);
                }
                """);
        assertThat(k.loops()).extracting(Loop::label).containsExactlyInAnyOrder("Outer", "Inner");
        assertThat(Snippets.trip(k, "Outer")).isEqualTo("8");
    }

    @Test
    void constantsOfATemplatesTypeAreKnown() {
        Kernel k = snippets.top("nn.cpp", """
                struct base { static const unsigned n = 24; static constexpr int m = 4; typedef int acc_t; };
                struct wide : base { static const unsigned n_in = n * 2; };
                template <class T, typename CONFIG_T> void relu(T data[CONFIG_T::n], T res[CONFIG_T::n]) {
                    typename CONFIG_T::acc_t buf[CONFIG_T::n];
                    A: for (unsigned i = 0; i < CONFIG_T::n; i++) buf[i] = data[i];
                    B: for (unsigned j = 0; j < CONFIG_T::n / CONFIG_T::m; j++) res[j] = buf[j];
                }
                template <class T, typename C> void halves(T d[C::n_in]) {
                    const int half = C::n_in / 2;
                    H: for (int k = 0; k < half; k++) d[k] = 0;
                }
                void top(int a[24], int b[24], int c[48]) {
                    relu<int, base>(a, b);
                    halves<int, wide>(c);
                }
                """, "top");
        assertThat(List.of("A", "B", "H")).extracting(l -> Snippets.trip(k, l)).containsExactly("24", "6", "24");
        assertThat(k.array("relu<int,base>/buf").orElseThrow().dims()).containsExactly(24L);
    }

    @Test
    void templatesCalledWithConstantsOfATemplateAreFollowed() {
        Kernel k = snippets.top("conv.cpp", """
                template <int N, int M, class T> void inner(T a[N], T b[N]) {
                    I: for (int i = 0; i < N; i++) J: for (int j = 0; j < M; j++) b[i] += a[i] * j;
                }
                template <int CH, int W> void conv(int a[CH * W], int b[CH * W]) {
                    const unsigned int total = CH * W;
                    unsigned int const half = total / 2;
                    inner<total, W / 2>(a, b);
                    inner<half, 3>(a, b);
                }
                void top(int a[64], int b[64]) { conv<8, 8>(a, b); }
                """, "top");
        assertThat(k.functions()).extracting(Function::name).contains("inner<64,4,int>", "inner<32,3,int>");
        assertThat(k.loops().stream().filter(l -> l.label().equals("I")))
                .extracting(l -> l.trip().max().orElse(0))
                .containsExactlyInAnyOrder(64L, 32L);
    }

    @Test
    void parametersThatAMacroDeclaresHaveTheirOwnTypes() {
        Kernel k = snippets.c("""
                #define ARGS(x) x
                #define WORD short
                void step ARGS((int *v, int n));
                void step(v, n)
                    int *v;
                    int n;
                {
                    v[n] = 0;
                }
                void top(int a[8], WORD b[4]) {
                    for (int i = 0; i < 4; i++) b[i] = 1;
                    step(a, 3);
                }
                """);
        assertThat(k.array("step/v").orElseThrow().element().spelling()).isEqualTo("int");
        assertThat(k.array("top/b").orElseThrow().element().spelling()).isEqualTo("short");
    }

    @Test
    void aPointerThatWalksAnArrayStaysInIt() {
        Kernel k = snippets.cpp("""
                void top(int a[16], int b[32], int n) {
                    int *p = a;
                    A: for (int i = 0; i < 16; i++) b[i] = *p++;
                    p = a;
                    B: for (int i = 0; i < 8; i++) { *p = i; p += 2; }
                    int *q = b;
                    C: for (int i = 0; i < 16; i++) { if (i != n) *q++ = i; }
                }
                """);
        assertThat(k.arrays()).extracting(ArrayVariable::id).containsExactly("top/a", "top/b");
        assertThat(Snippets.accesses(k.topFunction()).subList(0, 3))
                .containsExactlyInAnyOrder("R a[A]", "W b[A]", "W a[2*B]");
        assertThat(Snippets.accesses(k.topFunction()).get(3)).startsWith("W b[").doesNotContain("C]");
    }

    @Test
    void namesThatDifferInCaseAreTwo() {
        Kernel k = snippets.cpp("""
                void top(int A[16], int a[16], int n) {
                    int N = 3;
                    L: for (int i = 0; i < N; i++) A[i] = a[n];
                    M: for (int i = 0; i < n; i++) a[i] = N;
                }
                """);
        assertThat(Snippets.trip(k, "L")).isEqualTo("3");
        assertThat(Snippets.trip(k, "M")).isEqualTo("?");
        assertThat(k.arrays()).extracting(ArrayVariable::id).containsExactly("top/A", "top/a");
    }

    @Test
    void theEndOfAStreamOfATaskLibraryIsATest() {
        Kernel k = snippets.top("jacobi.cpp", """
                #include <tapa.h>
                void twice(tapa::istream<float>& a, tapa::ostream<float>& b) {
                    TAPA_WHILE_NOT_EOT(a) { b.write(a.read(nullptr) * 2); }
                    b.close();
                }
                """, "twice");
        assertThat(k.loops()).hasSize(1);
        assertThat(Snippets.accesses(k.topFunction())).hasSize(2);
    }

    @Test
    void tasksOfATaskLibraryAreCalls() {
        Kernel k = snippets.top("vadd.cpp", """
                #include <tapa.h>
                void load(tapa::mmap<const float> from, unsigned n, tapa::ostream<float>& to) {
                    L: for (unsigned i = 0; i < n; ++i) to << from[i];
                }
                void add(tapa::istream<float>& a, tapa::istream<float>& b, tapa::ostream<float>& c, unsigned n) {
                    S: for (unsigned i = 0; i < n; ++i) c << (a.read() + b.read());
                }
                void top(tapa::mmap<const float> a, tapa::mmap<const float> b, unsigned n) {
                    tapa::stream<float> x("x"), y("y"), z("z");
                    tapa::task().invoke(load, a, n, x).invoke(load, b, n, y).invoke(add, x, y, z, n);
                }
                """, "top");
        assertThat(k.functions()).extracting(Function::name).containsExactlyInAnyOrder("load", "add", "top");
        assertThat(k.topFunction().bindings()).hasSize(3);
        assertThat(k.notes()).noneMatch(n -> n.message().contains("tapa"));
    }

    @Test
    void compoundLiterals() {
        Kernel k = snippets.cpp("""
                typedef struct { int at; bool last; } word;
                #define END ((word){0, true})
                void top(word out[9], int n) {
                    for (int i = 0; i < 8; i++) out[i] = (word){n, false};
                    out[8] = END;
                }
                """);
        assertThat(k.notes()).noneMatch(n -> n.message().contains("not understood"));
    }

    @Test
    void typesNamedLikeTheVendorsAreTheUsers() {
        Kernel k = snippets.c("typedef int int16;\nvoid top(int16 a[4]) { for (int i = 0; i < 4; i++) a[i]++; }\n");
        assertThat(k.array("top/a").orElseThrow().element().bits()).isEqualTo(32);
        Kernel vendors =
                snippets.c("#include <ap_cint.h>\nvoid top(int16 a[4]) { for (int i = 0; i < 4; i++) a[i]++; }\n");
        assertThat(vendors.array("top/a").orElseThrow().element().bits()).isEqualTo(16);
    }
}
