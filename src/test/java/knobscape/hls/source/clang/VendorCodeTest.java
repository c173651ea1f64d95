package knobscape.hls.source.clang;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import knobscape.hls.source.Function;
import knobscape.hls.source.Kernel;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What kernels written for the vendor's tool use beyond C++: tasks, ports, its types and headers, assertions.
class VendorCodeTest {
    @TempDir
    private Path folder;

    private Snippets snippets;

    @BeforeEach
    void open() {
        snippets = new Snippets(folder);
    }

    private static List<String> arrays(Kernel k) {
        return k.arrays().stream().map(a -> a.id() + a.dims()).toList();
    }

    @Test
    void shiftingAFixedPointNumberByALoopsCounterReadsIt() {
        Kernel k = snippets.cpp("""
            #include <ap_fixed.h>
            struct Key { ap_uint<32> bits; };
            void top(ap_fixed<12,2> a[32], Key k[8], int h[16]) {
                ap_fixed<12,2> x = 0.5;
            turns:
                for (int j = 0; j < 32; j++) {
                    ap_fixed<12,2> shifted = x >> j;
                    a[j] = shifted;
                }
            digits:
                for (int shift = 0; shift < 32; shift += 4)
                    for (int i = 0; i < 8; i++)
                        h[(k[i].bits >> shift) & 15]++;
            }
            """);
        assertThat(Snippets.trip(k, "turns")).isEqualTo("32");
        assertThat(Snippets.trip(k, "digits")).isEqualTo("8");
    }

    /// Of whole numbers, and of two types, the C library's functions give a double, as in the standard library.
    @Test
    void functionsOfTheLibraryTakeNumbersOfAnyType() {
        Kernel k = snippets.cpp("""
            #include <cmath>
            #include <stdlib.h>
            #include <memory.h>
            #include <cctype>
            #include <hls_math.h>
            void top(float a[16], int b[16], double d[16], int32_t c[16], half h[16], ap_fixed<16, 6> x[16], ap_uint<12> u[16]) {
                memset(c, 0, 16 * sizeof(int32_t));
            turns:
                for (int i = 0; i < 16; i++) {
                    int e;
                    float whole;
                    a[i] = pow(a[i], 2) + sqrt(b[i]) + std::pow(a[i], 2.0) + fmax(a[i], 0) + atan2(a[i], 1) + frexp(a[i], &e);
                    a[i] += modf(a[i], &whole) + nearbyint(a[i]) + scalbn(a[i], e) + std::floor(b[i]) + remainder(a[i], 2.f);
                    b[i] = lround(a[i]) + lrintf(a[i]) + isdigit(c[i]) + toupper(c[i]) + hls::lround(a[i]) + hls::ilogb(a[i]);
                    d[i] = copysign(d[i], 1.0) + fma(d[i], d[i], 1.0) + fabs(b[i]) + std::exp(b[i]) + cbrt(d[i]);
                    a[i] += hls::powf(a[i], 2.f) + hls::exp10(a[i]) + hls::atan2f(a[i], a[i]) + hls::log10f(a[i]);
                    h[i] = hls::half_sqrt(h[i]) + hls::exp(h[i]);
                    x[i] = hls::atan2(x[i], x[i]) + hls::pow(x[i], x[i]) + hls::recip(x[i]);
                    u[i] = hls::sqrt(u[i]) + hls::popcount(u[i]);
                }
            }
            """);
        assertThat(Snippets.trip(k, "turns")).isEqualTo("16");
    }

    /// What a preprocessor wrote talks of the files it read; the loops stand in the file at hand.
    @Test
    void preprocessedTextIsASource() {
        Kernel k = snippets.cpp("""
            # 1 "/home/someone/gain.cpp"
            # 1 "/usr/include/stdio.h" 1 3
            extern int printf(const char *, ...);
            # 4 "/home/someone/gain.cpp" 2
            void gain(int a[32], int b[32]) {
            turns:
                for (int i = 0; i < 32; i++)
                    b[i] = a[i] * 3;
            }
            """);
        assertThat(Snippets.trip(k, "turns")).isEqualTo("32");
    }

    /// Macros of one letter, which kernels are full of, are no names of the tool's headers.
    @Test
    void macrosOfTheKernelLeaveTheHeadersAlone() {
        Kernel k = snippets.cpp("""
            #define N 85
            #define T 4
            #define W 16
            #define S 3
            #define C 7
            #define I 2
            #define Q 1
            #define D 5
            #include <ap_int.h>
            #include <ap_fixed.h>
            #include <ap_axi_sdata.h>
            #include <ap_shift_reg.h>
            #include <hls_math.h>
            #include <hls_stream.h>
            #include <hls_vector.h>
            #include <complex>
            enum Kind { FIRST = 3, LAST = 9 };
            void top(ap_fixed<18, 2> x[N], hls::stream<ap_int<W>> &out) {
                static ap_shift_reg<ap_fixed<18, 2>, N> line;
            L:
                for (int i = 0; i < N; i++) {
                    ap_uint<8> kind = LAST;
                    x[i] = line.shift(x[i], T) + hls::erf(line.read(D));
                    out.write(ap_int<W>(kind));
                }
            }
            """);
        assertThat(Snippets.trip(k, "L")).isEqualTo("85");
        assertThat(k.notes()).noneMatch(n -> n.message().contains("left out"));
    }

    /// Cores that the tool brings have no cycles here; that is said where they are called.
    @Test
    void coresOfTheToolAreNamedAsNotModelled() {
        Kernel k = snippets.cpp("""
            #include <hls_fft.h>
            #include <stdio.h>
            struct config : hls::ip_fft::ssr_params_t {};
            void top(int a[64], int b[64]) {
                hls::fft<config>(a, b);
                printf("done");
            L:
                for (int i = 0; i < 64; i++) b[i] += 1;
            }
            """);
        assertThat(k.notes())
                .extracting(n -> n.location().line() + ": " + n.message())
                .containsExactly(
                        "5: 'hls::fft' is a function of the tool's own that is not modelled here: its cycles and its"
                                + " area are left out");
    }

    /// Sizes of parameters are known where lines of the preprocessor stand between head and body.
    @Test
    void aHeadOfWhichMacrosChooseKeepsItsSizes() {
        Kernel k = snippets.cpp("""
            #ifdef DEBUG
            void top(int a[6], int *seen)
            #else
            void top(int a[6])
            #endif
            {
            L:
                for (int i = 0; i < 6; i++) a[i] += 1;
            }
            """);
        assertThat(arrays(k)).containsExactly("top/a[6]");
    }

    @Test
    void aStreamThatGivesTheBoundMakesItUnknown() {
        Kernel k = snippets.cpp("""
            #include <hls_stream.h>
            void top(hls::stream<int>& in, int a[64]) {
                int n = 4;
                in >> n;
            L:
                for (int i = 0; i < n; i++)
                    a[i] = i;
            }
            """);
        assertThat(Snippets.trip(k, "L")).isEqualTo("?");
    }

    @Test
    void enumeratorsOfATemplateAreItsConstants() {
        Kernel k = snippets.cpp("""
            template <int W> struct Sizes { enum { HALF = W / 2, NEXT }; };
            template <int W, int I> void root(int a[64]) {
                enum { Q = (I + 1) / 2 + (W - I), ROUNDS };
            L:
                for (int i = 0; i <= ROUNDS; i++)
                    a[i] = i;
            M:
                for (int i = 0; i < Sizes<W>::NEXT; i++)
                    a[i] = i;
            }
            void top(int a[64]) { root<16, 5>(a); }
            """);
        assertThat(Snippets.trip(k, "L")).isEqualTo("16");
        assertThat(Snippets.trip(k, "M")).isEqualTo("9");
    }

    @Test
    void anObjectThatIsCalledRunsItsOperator() {
        Kernel k = snippets.cpp("""
            template <class T> class Fir {
                static const T taps[8];
                T line[7];
            public:
                T operator()(T x);
            };
            template <class T> const T Fir<T>::taps[8] = {1, 2, 3, 4, 4, 3, 2, 1};
            template <class T> T Fir<T>::operator()(T x) {
                T sum = 0;
            L:
                for (int i = 7; i >= 1; i--) {
                    sum += line[i - 1] * taps[i];
                    line[i - 1] = i == 1 ? x : line[i - 2];
                }
                return sum + x * taps[0];
            }
            int top(int x) {
                static Fir<int> fir;
                return fir(x);
            }
            """);
        assertThat(k.top()).isEqualTo("top");
        assertThat(k.topFunction().callees()).hasSize(1);
        assertThat(Snippets.trip(k, "L")).isEqualTo("7");
        assertThat(arrays(k)).contains("top/fir.line[7]", "/taps[8]");
    }

    @Test
    void tasksThatADeclarationStartsAreCalls() {
        Kernel k = snippets.cpp("""
            #include <hls_task.h>
            #include <hls_np_channel.h>
            void split(hls::stream<int>& in, hls::stream<int>& a, hls::stream<int>& b) {
                for (int i = 0; i < 8; i++) { a.write(in.read()); b.write(i); }
            }
            void twice(hls::stream<int>& in, hls::stream<int>& out) { out.write(in.read() * 2); }
            void top(hls::stream<int>& in, hls::stream<int>& x, hls::stream<int>& y) {
                hls_thread_local hls::stream<int> s;
                hls_thread_local hls::split::round_robin<int, 4> fork;
                hls_thread_local hls::merge::round_robin<int, 4> join;
                hls_thread_local hls::task first(split, in, s, y);
                hls_thread_local hls::task each[4];
                for (int i = 0; i < 4; i++)
                    each[i](twice, fork.out[i], join.in[i]);
                hls_thread_local hls::task last(twice, s, x);
            }
            """);
        assertThat(k.topFunction().callees()).containsExactlyInAnyOrder("split", "twice");
        assertThat(k.otherFunctions()).isEmpty();
        Function top = k.topFunction();
        assertThat(top.bindings())
                .anySatisfy(b ->
                        assertThat(b.arrays()).containsEntry("in", "top/in").containsEntry("a", "top/s"));
        assertThat(arrays(k)).contains("top/fork.out[4]", "top/join.in[4]");
    }

    /// However the list is written.
    @Test
    void tasksOfAnArrayAreStarted() {
        for (String list : List.of("{{f, in, s}, {g, s, out}}", "{hls::task(f, in, s), hls::task{g, s, out}}")) {
            for (String equals : List.of("", " = ")) {
                Kernel k = snippets.top("k.cpp", """
                    #include <hls_task.h>
                    void f(hls::stream<int>& a, hls::stream<int>& b) { b.write(a.read() + 1); }
                    void g(hls::stream<int>& a, hls::stream<int>& b) { b.write(a.read() * 2); }
                    void top(hls::stream<int>& in, hls::stream<int>& out) {
                        hls_thread_local hls::stream<int> s;
                        hls_thread_local hls::task t[2]\
                    """ + equals + list + "; }", "top");
                assertThat(k.topFunction().callees()).containsExactlyInAnyOrder("f", "g");
                assertThat(k.topFunction().bindings())
                        .anySatisfy(b -> assertThat(b.arrays())
                                .containsEntry("a", "top/in")
                                .containsEntry("b", "top/s"))
                        .anySatisfy(b -> assertThat(b.arrays())
                                .containsEntry("a", "top/s")
                                .containsEntry("b", "top/out"));
            }
        }
    }

    @Test
    void portsBurstsAndArraysOfStreamsAreThere() {
        Kernel k = snippets.cpp("""
            #include <ap_axi_sdata.h>
            #include <hls_burst_maxi.h>
            #include <hls_directio.h>
            #include <hls_stream.h>
            typedef hls::axis_user<13, AXIS_ENABLE_USER | AXIS_ENABLE_LAST> packet;
            void top(hls::stream<int> s[3], hls::burst_maxi<float> m, hls::ap_hs<short>& p, hls::stream<packet>& q) {
                m.read_request(0, 3);
                for (int i = 0; i < 3; i++) {
                    s[i].write(m.read());
                    packet t = q.read();
                    t.set_user(t.get_user() + p.read());
                    q.write(t);
                }
            }
            """);
        assertThat(k.arrays())
                .extracting(a -> a.name() + a.dims() + " " + a.scope() + " "
                        + a.element().bits())
                .contains("s[3] STREAM 32");
        assertThat(k.notes()).noneMatch(n -> n.message().contains("not declared"));
    }

    @Test
    void copiesOfTheVendorsHeadersAreNotReadAsCodeOfTheKernel() {
        String body = "#pragma once\ntemplate<int W> struct ap_uint { int V;"
                + " int zeros() { for (int i = 0; i < W; i++) if (V & 1) return i; return W; } };\n";
        snippets.write("ap_int.h", body);
        snippets.write("lib/ap_types/ap_int.h", body);
        Kernel k = snippets.cpp("""
            #include "ap_int.h"
            #include "ap_types/ap_int.h"
            #include <ap_int.h>
            void top(ap_uint<7> a[16]) {
            L:
                for (int i = 0; i < 16; i++)
                    a[i] = i;
            }
            """);
        assertThat(k.functions()).extracting(Function::name).containsExactly("top");
        assertThat(k.otherFunctions()).isEmpty();
        assertThat(k.arrays().getFirst().element().bits()).isEqualTo(7);
        assertThat(Snippets.trip(k, "L")).isEqualTo("16");
    }

    @Test
    void arraysGivenToTheVendorsTransformsStay() {
        Kernel k = snippets.cpp("""
            #include <hls_fft.h>
            #include <stdio.h>
            struct config : hls::ip_fft::params_t { };
            typedef std::complex<ap_fixed<16, 1> > sample;
            void top(sample x[1024], sample y[1024], bool inverse) {
                sample buffer[1024];
                for (int i = 0; i < 1024; i++)
                    buffer[i] = sample(real(x[i]), imag(x[i]));
                hls::fft<config>(buffer, y, inverse);
            }
            """);
        assertThat(arrays(k)).containsExactly("top/x[1024]", "top/y[1024]", "top/buffer[1024]");
        assertThat(k.arrays()).allMatch(a -> a.element().bits() == 32);
    }

    @Test
    void aVariableThatIsComparedWithAMemberOfATemplateIsNoTemplate() {
        Kernel k = snippets.cpp("""
            template <int T, int N> struct Traits { static const int count = T + N; };
            #define COUNT(t, n) Traits<t, n>::count
            template <int T, int N> void part(int a[64]) {
                int k = 0;
            L:
                for (int j = 0; j < COUNT(T, N); ++j)
                    a[j] = j;
            M:
                while (k<Traits<T, N>::count) {
                    a[k] = 1;
                    k++;
                }
            N:
                for (int j = 0; j < Traits<2, 3>::count && j < Traits<4, 5>::count; ++j)
                    a[j] = j;
            }
            void top(int a[64]) {
                part<4, 4>(a);
                for (int j = 0; j < 16; j++) {
                O:
                    for (int k = j; k < Traits<8, 9>::count; k++)
                        a[k] += a[j];
                }
            }
            """);
        assertThat(k.loops())
                .extracting(l -> l.label() + " " + Snippets.trip(k, l.label()))
                .containsExactly("L 8", "M 8", "N 5", "L19 16", "O 2..17 avg 9.5");
        assertThat(Snippets.accesses(k.topFunction())).contains("R a[L19]");
        assertThat(k.notes()).noneMatch(n -> n.message().contains("not declared"));
    }

    @Test
    void aSumThatIsComparedBoundsItsVariable() {
        Kernel k = snippets.cpp("""
            void top(int a[1024], unsigned n, int m) {
            A: for (int i = 0; i + 64 <= 1024; i += 64) a[i] = i;
            B: for (int i = 0; i + 1 < 1024; i++) a[i] = i;
            C: for (int i = 0; 1024 >= 8 + i; i += 8) a[i] = i;
            D: for (int i = 1023; i - 64 >= 0; i -= 64) a[i] = i;
            E: for (int i = 0; i < 10; i++)
            F:     for (int j = 0; i + j + 1 < 10; j++) a[j] = i;
            G: for (unsigned i = 100; i - 64 <= 1000; i++) a[i & 7] = i;
            H: for (int i = 0; i + m < 64; i++) { a[i] = i; m++; }
            I: for (int i = 0; i * 2 + 1 < 64; i++) a[i] = i;
            }
            """);
        assertThat(List.of("A", "B", "C", "D", "E", "F").stream().map(l -> Snippets.trip(k, l)))
                .containsExactly("16", "1023", "128", "15", "10", "0..9 avg 4.5");
        assertThat(Snippets.trip(k, "G")).isEqualTo("965");
        assertThat(Snippets.trip(k, "H")).isEqualTo("?");
        assertThat(Snippets.trip(k, "I")).isEqualTo("32");
    }

    @Test
    void theIndexOfARowThatIsPointedToIsRead() {
        Kernel k = snippets.cpp("""
            void top(const int idx[64], const float b[64][16], float o[16]) {
            L:
                for (int e = 0; e < 64; e++) {
                    const float *row = b[idx[2 * e]];
                    for (int c = 0; c < 16; c++)
                        o[c] += row[c];
                }
            }
            """);
        assertThat(k.loop("top/L").orElseThrow().body().accesses().stream().map(a -> a.array() + " " + a.kind()))
                .containsExactly("top/idx READ");
    }

    @Test
    void aParameterNamedAsAnArrayTypeKeepsItsInnerSizes() {
        Kernel k = snippets.cpp("""
            typedef int row_t[48];
            using plane_t = row_t[16];
            void top(row_t m[64], row_t total, const plane_t p, row_t *rows) {
            L:
                for (int i = 0; i < 48; i++)
                    total[i] += m[3][i] + p[2][i] + rows[1][i];
            }
            """);
        assertThat(arrays(k))
                .containsExactlyInAnyOrder("top/m[64, 48]", "top/total[48]", "top/p[16, 48]", "top/rows[0, 48]");
    }

    @Test
    void joinedNumbersAreAllRead() {
        Kernel k = snippets.cpp("""
            #include <ap_int.h>
            #include <hls_stream.h>
            void top(hls::stream<ap_uint<32>> &in, ap_uint<32> a[64], ap_uint<256> out[64]) {
                ap_uint<256> w = 0;
            L:
                for (int i = 0; i < 64; i++) {
                    w = (in.read(), a[i], w(255, 64));
                    out[i] = w;
                }
            }
            """);
        assertThat(k.loop("top/L").orElseThrow().body().accesses().stream().map(a -> a.array() + " " + a.kind()))
                .containsExactlyInAnyOrder("top/in READ", "top/a READ", "top/out WRITE");
    }

    @Test
    void theSizeOfAnArrayByTheLibraryIsAConstant() {
        Kernel k = snippets.cpp("""
            #include <iterator>
            void top(const int (&in)[128], int (&out)[128]) {
            L:
                for (unsigned n = 0; n < std::size(in); ++n)
                    out[n] = in[n];
            }
            """);
        assertThat(Snippets.trip(k, "L")).isEqualTo("128");
    }

    @Test
    void whichOfAnArrayOfStreamsIsKnown() {
        Kernel k = snippets.cpp("""
            #include <hls_stream.h>
            void top(hls::stream<int> in[4], hls::stream<int> out[4]) {
            L:
                for (int i = 0; i < 4; i++)
                    out[i] << in[3 - i].read();
            }
            """);
        assertThat(Snippets.accesses(k.topFunction())).containsExactlyInAnyOrder("R in[-L + 3]", "W out[L]");
    }

    @Test
    void aCounterOfArbitraryWidthThatIsConverted() {
        Kernel k = snippets.cpp("""
            #include <ap_int.h>
            void top(int a[64], ap_uint<8> n[4]) {
                ap_uint<8> set = 3;
            L:
                for (ap_uint<7> x = 0; x.to_uint() < 32; x++)
                    a[x] = a[x.to_int() + 32] + n[1].to_int();
                set.range(7, 4) = 1;
            M:
                for (int i = 0; i < set; i++)
                    a[i] = 0;
            }
            """);
        assertThat(Snippets.trip(k, "L")).isEqualTo("32");
        assertThat(Snippets.trip(k, "M")).isEqualTo("19");
    }

    /// What a task is given by value is not changed by it: the loop that starts tasks counts on.
    @Test
    void tasksStartedInALoopLeaveItsCounterAlone() {
        Kernel k = snippets.cpp("""
            #include <tapa.h>
            void pe(tapa::istream<int> &a, tapa::ostream<int> &b, int id) { PE: for (int i = 0; i < 8; i++) b.write(a.read() + id); }
            void top(tapa::mmap<int> m) {
                tapa::streams<int, 5> s;
                tapa::task t;
                START: for (int i = 0; i < 4; i++) t.invoke(pe, s[i], s[i + 1], i);
            }
            """);
        assertThat(Snippets.loop(k, "START").trip().average()).hasValue(4);
    }

    /// A branch behind them is not ruled out by what the variable was before.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "m[i] = b[i];",
                "m[i] ^= b[i];",
                "m(i, i) = b[i];",
                "m.range(i, i) = b[i];",
                "m.set_bit(i, b[i]);"
            })
    void bitsThatALoopSetsChangeTheirVariable(String set) {
        Kernel k = snippets.cpp("""
            #include <ap_int.h>
            void top(int a[64], bool b[16]) {
              ap_uint<16> m = ~0, k = 0;
              for (int i = 0; i < 16; i++) %s
              if (m == 0) L: for (int i = 0; i < 11; i++) a[i] = 1;
            }
            """.formatted(set));
        assertThat(Snippets.trip(k, "L")).isEqualTo("11");
    }
}
