package knobscape.hls.rtl.build;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import knobscape.compile.ir.IrLocation;
import knobscape.evaluate.CancellationSignal;
import knobscape.hls.evaluate.estimator.TooLarge;
import knobscape.hls.rtl.RtlModule;
import knobscape.hls.space.Directive;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Hardware computes what the kernel computes.
class BuiltHardwareTest {
    private static final double[] CLOCKS = {10, 20, 7, 10};

    @TempDir
    Path folder;

    private static Directive pipeline(String loop) {
        return new Directive.Pipeline(loop, true, 0);
    }

    private static Directive unroll(String loop, int factor) {
        return new Directive.Unroll(loop, factor);
    }

    private static Directive cut(String array, int dimension, Directive.PartitionType type, int factor) {
        return new Directive.Partition(array, dimension, type, factor);
    }

    @TestFactory
    Stream<DynamicTest> matrixProduct() {
        String text = """
            void mm(const T a[8][8], const T b[8][8], T c[8][8]) {
            row: for (int i = 0; i < 8; i++)
                col: for (int j = 0; j < 8; j++) {
                    T sum = 0;
                    dot: for (int k = 0; k < 8; k++) sum += a[i][k] * b[k][j];
                    c[i][j] = sum;
                }
            }
            """;
        return Stream.of("int", "float").flatMap(t -> {
            HardwareFixture f = HardwareFixture.of(folder, "mm", text.replace("T ", t + " "));
            return Stream.of(
                            List.<Directive>of(),
                            List.of(pipeline("mm/dot")),
                            List.of(pipeline("mm/dot"), unroll("mm/dot", 2)),
                            List.of(unroll("mm/dot", 4), cut("mm/a", 2, Directive.PartitionType.CYCLIC, 4)),
                            List.of(pipeline("mm/col")),
                            List.of(
                                    pipeline("mm/col"),
                                    cut("mm/a", 2, Directive.PartitionType.CYCLIC, 4),
                                    cut("mm/b", 1, Directive.PartitionType.BLOCK, 4)),
                            List.of(
                                    unroll("mm/dot", 0),
                                    cut("mm/a", 2, Directive.PartitionType.COMPLETE, 8),
                                    cut("mm/b", 2, Directive.PartitionType.COMPLETE, 8),
                                    cut("mm/c", 1, Directive.PartitionType.CYCLIC, 2)))
                    .map(d -> DynamicTest.dynamicTest(
                            t + " " + d, () -> isRight(f, d, CLOCKS[d.size() % CLOCKS.length])));
        });
    }

    /// Loads, products and sums share full units; each is placed so that it is read when it is there. Placed as early
    /// as
    /// possible, the same design had 3 892 bits and 4 386 cycles.
    @Test
    void valuesAreMadeWhenTheyAreRead() {
        HardwareFixture f = HardwareFixture.of(folder, "mm", """
            void mm(const float a[16][16], const float b[16][16], float c[16][16]) {
            row: for (int i = 0; i < 16; i++)
                col: for (int j = 0; j < 16; j++) {
                    float sum = 0;
                    dot: for (int k = 0; k < 16; k++) sum += a[i][k] * b[k][j];
                    c[i][j] = sum;
                }
            }
            """);
        HardwareDesign d = f.build(List.of(pipeline("mm/col")), 10);
        assertThat(bits(d.module())).isLessThan(3_100);
        HardwareCheck.Result r = f.check.check(d, new CancellationSignal());
        assertThat(r.difference()).isEmpty();
        assertThat(r.cycles()).isLessThan(4_100);
    }

    private static long bits(RtlModule m) {
        return m.registers().stream().mapToLong(RtlModule.Register::width).sum()
                + m.instances().stream().mapToLong(i -> bits(i.module())).sum();
    }

    @TestFactory
    Stream<DynamicTest> banksKnownOnlyAtRunTime() {
        HardwareFixture f = HardwareFixture.of(folder, "count", """
            void count(const unsigned char in[40], int bins[7][12]) {
                point: for (int i = 0; i < 40; i++) bins[in[i] & 3][(in[i] >> 2) % 12u] += i;
            }
            """);
        return Stream.of(
                        cut("count/bins", 2, Directive.PartitionType.CYCLIC, 3),
                        cut("count/bins", 2, Directive.PartitionType.CYCLIC, 5),
                        cut("count/bins", 2, Directive.PartitionType.BLOCK, 5),
                        cut("count/bins", 1, Directive.PartitionType.CYCLIC, 3),
                        cut("count/bins", 1, Directive.PartitionType.BLOCK, 3),
                        cut("count/bins", 0, Directive.PartitionType.CYCLIC, 3))
                .flatMap(d -> Stream.of(List.of(d), List.of(d, pipeline("count/point"))))
                .map(d -> DynamicTest.dynamicTest(d.toString(), () -> isRight(f, d, 10)));
    }

    @TestFactory
    Stream<DynamicTest> indicesThatAreNoSumsOfTheirSubscripts() {
        HardwareFixture f = HardwareFixture.of(folder, "walk", """
            int walk(const int in[6][10], const unsigned char at[32], int seen[6][10]) {
                int s = 0;
                point: for (int i = 0; i < 32; i++) {
                    unsigned k = at[i] % 60u;
                    const int *row = &in[0][0];
                    s += row[k];
                    (&seen[0][0])[k] = s;
                }
                return s;
            }
            """);
        return Stream.of(
                        List.of(cut("walk/in", 2, Directive.PartitionType.CYCLIC, 4)),
                        List.of(cut("walk/seen", 1, Directive.PartitionType.BLOCK, 4), pipeline("walk/point")),
                        List.of(
                                cut("walk/seen", 1, Directive.PartitionType.COMPLETE, 0),
                                cut("walk/in", 2, Directive.PartitionType.BLOCK, 3)))
                .map(d -> DynamicTest.dynamicTest(d.toString(), () -> isRight(f, d, 10)));
    }

    @TestFactory
    Stream<DynamicTest> pointersThatAreFollowedProvenlyFar() {
        HardwareFixture f = HardwareFixture.of(folder, "sums", """
            void sums(const short *a, const _BitInt(12) *b, int *c) {
                point: for (int i = 0; i < 24; i++) c[i] = a[i + 3] + b[23 - i];
            }
            """);
        return Stream.of(List.<Directive>of(), List.of(pipeline("sums/point")))
                .map(d -> DynamicTest.dynamicTest(d.toString(), () -> isRight(f, d, 10)));
    }

    @Test
    void aRefusalIsPlacedOnce() {
        var place = Optional.of(new IrLocation("k.cpp", 7, 1, "k", Optional.empty()));
        var refused = new NotBuildable("a pipeline of this kind is not built");
        assertThat(refused.at(place)).hasMessage("k.cpp, line 7: a pipeline of this kind is not built");
        assertThat(refused.at(place).at(Optional.of(new IrLocation("k.cpp", 9, 1, "k", Optional.empty()))))
                .hasMessage("k.cpp, line 7: a pipeline of this kind is not built");
        assertThat(refused.at(Optional.of(new IrLocation("k.cpp", 0, 0, "k", Optional.empty()))))
                .hasMessage("k.cpp: a pipeline of this kind is not built");
    }

    /// Products by constants are sums of shifted copies, however many, and addresses of many terms take a cycle of
    /// their
    /// own.
    @TestFactory
    Stream<DynamicTest> productsByConstants() {
        HardwareFixture f = HardwareFixture.of(folder, "scale", """
            void scale(const int in[7][9][5], long long wide[7][9][5], short out[9][11][13]) {
            i: for (int i = 0; i < 7; i++)
            j: for (int j = 0; j < 9; j++)
            k: for (int k = 0; k < 5; k++) {
                int v = in[i][j][k];
                wide[6 - i][8 - j][k] = (long long)v * -6 + (v * 7LL - v * -3) + (v ^ 1) * 0x7fffffffffffffffLL;
                out[j][i + 3][12 - k] = v * 10 - v * -1 + v * 40 + (v * 1000003 >> 3) + v * (-5);
            }
            }
            """);
        return Stream.of(
                        List.<Directive>of(),
                        List.of(pipeline("scale/k")),
                        List.of(pipeline("scale/j"), cut("scale/in", 3, Directive.PartitionType.COMPLETE, 0)),
                        List.of(unroll("scale/k", 5), cut("scale/out", 3, Directive.PartitionType.CYCLIC, 3)))
                .flatMap(d -> Stream.of(10.0, 6.0)
                        .map(clock -> DynamicTest.dynamicTest(d + " " + clock, () -> isRight(f, d, clock))));
    }

    /// The compiler returns such a value through an argument before the source's own.
    @TestFactory
    Stream<DynamicTest> resultsOfOddWidthsAndStructs() {
        HardwareFixture odd = HardwareFixture.of(folder, "odd", """
            #include "ap_int.h"
            ap_uint<13> odd(const ap_uint<11> in[24], ap_int<19> out[24], ap_uint<5> shift) {
                ap_uint<13> crc = 0x1fff;
                walk: for (int i = 0; i < 24; i++) {
                    ap_int<19> v = in[i] << shift;
                    crc = (crc << 1) ^ in[i];
                    out[i] = v - crc;
                }
                return crc;
            }
            """);
        HardwareFixture pair = HardwareFixture.of(folder, "ends", """
            struct ends_t { int low, high; };
            ends_t ends(const int in[24], int out[24]) {
                ends_t e;
                e.low = e.high = in[0];
                walk: for (int i = 0; i < 24; i++) {
                    if (in[i] < e.low) e.low = in[i];
                    if (in[i] > e.high) e.high = in[i];
                    out[i] = e.high - e.low;
                }
                return e;
            }
            """);
        return Stream.concat(
                Stream.of(List.<Directive>of(), List.of(pipeline("odd/walk")))
                        .map(d -> DynamicTest.dynamicTest("odd " + d, () -> isRight(odd, d, 10))),
                Stream.of(List.<Directive>of(), List.of(pipeline("ends/walk")))
                        .map(d -> DynamicTest.dynamicTest("struct " + d, () -> isRight(pair, d, 10))));
    }

    @TestFactory
    Stream<DynamicTest> tasksWithStreamsBetween() {
        HardwareFixture f = HardwareFixture.of(folder, "tasks", """
            #include "hls_stream.h"
            struct pair { int value; bool last; };
            static void read(const int in[20], hls::stream<pair> &s) {
                r: for (int i = 0; i < 20; i++) {
                    pair p;
                    p.value = in[i] * 3;
                    p.last = i == 19;
                    if (p.last || (in[i] & 1)) s.write(p);
                }
            }
            static void work(hls::stream<pair> &s, hls::stream<int> &t) {
                bool last = false;
                w: while (!last) {
                    pair p = s.read();
                    last = p.last;
                    t.write(p.value + 7);
                }
            }
            int tasks(const int in[20], int out[20]) {
            #pragma HLS DATAFLOW
                hls::stream<pair> s("s");
                hls::stream<int> t("t");
                int n = 0;
                read(in, s);
                work(s, t);
                o: while (!t.empty()) out[n++] = t.read();
                return n;
            }
            """);
        return Stream.of(List.<Directive>of(), List.of(pipeline("read/r")))
                .map(d -> DynamicTest.dynamicTest(d.toString(), () -> isRight(f, d, 10)));
    }

    @TestFactory
    Stream<DynamicTest> squareRootsAndQuotients() {
        HardwareFixture f = HardwareFixture.of(folder, "norm", """
            extern "C" float sqrtf(float);
            void norm(const float x[12], const float y[12], float out[12]) {
                point: for (int i = 0; i < 12; i++) out[i] = sqrtf(x[i] * x[i] + y[i] * y[i]) / (y[i] + 3.0f);
            }
            """);
        return Stream.of(List.<Directive>of(), List.of(pipeline("norm/point")))
                .map(d -> DynamicTest.dynamicTest(d.toString(), () -> isRight(f, d, 10)));
    }

    @TestFactory
    Stream<DynamicTest> bitsThatAreCountedAndNumbersAtTheirEnds() {
        HardwareFixture f = HardwareFixture.of(folder, "ends", """
            extern "C" float fmaxf(float, float);
            extern "C" float fminf(float, float);
            unsigned ends(const unsigned in[24], const float x[24], unsigned out[24][4], float y[24]) {
                unsigned all = 0;
                point: for (int i = 0; i < 24; i++) {
                    unsigned v = in[i] & 3 ? in[i] : in[i] & 0xF0;
                    out[i][0] = v ? __builtin_ctz(v) : 99;
                    out[i][1] = v ? __builtin_clz(v) : 77;
                    out[i][2] = __builtin_popcount(v);
                    unsigned less = v > 100 ? v - 100 : 0;
                    out[i][3] = less + (unsigned)(x[i] < 0 ? -x[i] : x[i]);
                    y[i] = fmaxf(x[i], fminf(x[23 - i], 0.5f));
                    all += i / (1 << (v & 3));
                }
                return all;
            }
            """);
        return Stream.of(List.<Directive>of(), List.of(pipeline("ends/point")))
                .map(d -> DynamicTest.dynamicTest(d.toString(), () -> isRight(f, d, 10)));
    }

    @Test
    void whatIsTooLargeToBeRunIsNoResult() {
        HardwareFixture f = HardwareFixture.of(folder, "lengthy", """
            void lengthy(const int in[16], int out[16]) {
                for (int k = 0; k < 2000; k++)
                    for (int i = 0; i < 16; i++) out[i] = in[i] * k + out[15 - i];
            }
            """);
        HardwareDesign d = f.build(List.of(), 10);
        assertThat(f.checkOf(1_000_000_000).check(d, new CancellationSignal()).difference())
                .isEmpty();
        assertThatThrownBy(() -> f.checkOf(1000).check(d, new CancellationSignal()))
                .isInstanceOf(NotBuildable.class)
                .hasMessageContaining("too large to be run for its check");
    }

    /// A loop of very many copies is an invalid design with a sentence, not a crash.
    @ParameterizedTest
    @ValueSource(ints = {20_000, 1_000_000})
    void tooManyStatesAreRefused(int iterations) {
        HardwareFixture f = HardwareFixture.of(folder, "states", """
                int states(const int a[8]) {
                    int s = 0;
                    point: for (int i = 0; i < N; i++) s = (s ^ a[i & 7]) * 3;
                    return s;
                }
                """.replace("N", Integer.toString(iterations)));
        assertThatThrownBy(() -> f.build(List.of(unroll("states/point", 0)), 10))
                .isInstanceOfAny(NotBuildable.class, TooLarge.class)
                .hasMessageMatching("[^\\n]*\\d[^\\n]+");
    }

    private static void isRight(HardwareFixture f, List<Directive> directives, double clock) {
        HardwareDesign d = f.build(directives, clock);
        for (long seed = 1; seed <= 2; seed++) {
            HardwareCheck.Result r = f.check.check(d, seed, 10_000_000, new CancellationSignal());
            assertThat(r.difference()).isEmpty();
            assertThat(r.cycles()).isEqualTo(f.check.scheduled(d, seed));
        }
    }
}
