package knobscape.hls.evaluate.estimator;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import knobscape.hls.evaluate.Part;
import org.junit.jupiter.api.Test;

/// What runs between the functions of a kernel: queues, tasks that overlap, numbers handed over.
class TasksTest extends StandingKernels {
    private EstimateReport of(String text) throws IOException {
        return estimate(text, EstimatorSettings.defaults());
    }

    /// Two loops of a kernel, by the tool that makes modules of pipelined loops.
    private double cycles(ToolProfile profile, String first, String second) throws IOException {
        return estimate(
                        """
                        void top(int a[500], int b[300], int c[500], int d[300]) {
                            for (int i = 0; i < 500; i++) {
                        #pragma HLS PIPELINE II=1
                                %s;
                            }
                            for (int i = 0; i < 300; i++) {
                        #pragma HLS PIPELINE II=1
                                %s;
                            }
                        }
                        """.formatted(first, second),
                        EstimatorSettings.defaults().withProfile(profile))
                .stages()
                .getFirst()
                .latencyCycles();
    }

    @Test
    void pipelinedLoopsThatNeedNothingOfEachOtherRunSideBySide() throws IOException {
        assertThat(cycles(ToolProfile.VITIS_HLS_2022, "c[i] = a[i] + 1", "d[i] = b[i] + 2"))
                .isBetween(500.0, 520.0);
        assertThat(cycles(ToolProfile.VIVADO_HLS_2018, "c[i] = a[i] + 1", "d[i] = b[i] + 2"))
                .isBetween(800.0, 820.0);
    }

    @Test
    void loopsThatShareAMemoryWait() throws IOException {
        assertThat(cycles(ToolProfile.VITIS_HLS_2022, "c[i] = a[i] + 1", "d[i] = c[i] + 2"))
                .isBetween(800.0, 820.0);
        assertThat(cycles(ToolProfile.VITIS_HLS_2022, "c[i] = a[i] + 1", "d[i] = a[i] + 2"))
                .isBetween(800.0, 820.0);
        assertThat(cycles(ToolProfile.VITIS_HLS_2022, "c[i] = a[i] + 1", "a[i] = b[i]"))
                .isBetween(800.0, 820.0);
    }

    /// Sums that are kept in registers; intervals as reported for xcu55c at 4 ns by Vitis HLS 2023.2.
    @Test
    void anAdditionThatDecidesAnIntervalTakesTheAdderOfFewerStates() throws IOException {
        EstimateReport r = estimate(
                """
                void top(float a[100][8], float b[8]) {
                    float s[8];
                #pragma HLS ARRAY_PARTITION variable=s complete
                #pragma HLS ARRAY_PARTITION variable=a complete dim=2
                    for (int j = 0; j < 8; j++) s[j] = 0;
                l:  for (int i = 0; i < 100; i++) {
                #pragma HLS PIPELINE II=1
                        for (int j = 0; j < 8; j++) s[j] += a[i][j];
                    }
                    for (int j = 0; j < 8; j++) b[j] = s[j];
                }
                """,
                EstimatorSettings.defaults()
                        .withPart(Part.byName("xcu55c-fsvh2892-2L-e"))
                        .withClockNs(4)
                        .withProfile(ToolProfile.VITIS_HLS_2022)
                        .withUnasked(ToolDefaults.VITIS));
        assertThat(loop(r, "l").interval()).isEqualTo(3);
        assertThat(r.stages().getFirst().dsp()).isZero();
    }

    @Test
    void whatIsWrittenToAQueueIsComputed() throws IOException {
        EstimateReport r = of("""
                #include <hls_stream.h>
                void top(hls::stream<float> &in, hls::stream<float> &out, float f) {
                l:  for (int i = 0; i < 100; i++) {
                #pragma HLS PIPELINE
                        out.write(in.read() * f + 1.0f);
                    }
                }
                """);
        assertThat(loop(r, "l").interval()).isOne();
        // read, multiply, add and write follow one another
        assertThat(loop(r, "l").depth()).isGreaterThan(6);
        assertThat(r.stages().getFirst().dsp()).isBetween(4.0, 6.0);
    }

    @Test
    void queuesKeepTheOrderOfTheirWords() throws IOException {
        EstimateReport r = of("""
                #include <hls_stream.h>
                void top(hls::stream<int> &in, hls::stream<int> &out) {
                l:  for (int i = 0; i < 100; i++) {
                #pragma HLS PIPELINE
                        int a = in.read();
                        int b = in.read();
                        out.write(a + b);
                        out.write(a - b);
                    }
                }
                """);
        assertThat(loop(r, "l").interval()).isEqualTo(2);
    }

    @Test
    void aParameterThatIsAlwaysTheSameCountsIterations() throws IOException {
        EstimateReport r = of("""
                static void sum(const int *a, int n, int *o) {
                #pragma HLS INLINE off
                    int s = 0;
                l:  for (int i = 0; i < n; i++)
                        s += a[i];
                    *o = s;
                }
                void top(int a[40], int o[1]) { sum(a, 40, o); }
                """);
        assertThat(loop(r, "l").trip()).isEqualTo(40);
    }

    private static final String STAGES = """
            #include <hls_stream.h>
            struct point { int x, y; };
            static point fill(const int *a, hls::stream<int> &q) {
                point p;
                p.x = 0;
                for (int i = 0; i < 500; i++) {
            #pragma HLS PIPELINE
                    q.write(a[i]);
                }
                p.y = a[0];
                return p;
            }
            static void drain(hls::stream<int> &q, point p, int *o) {
                for (int i = 0; i < 500; i++) {
            #pragma HLS PIPELINE
                    o[i] = q.read() + p.y;
                }
            }
            static void both(const int *a, int *o) {
            #pragma HLS DATAFLOW
                hls::stream<int> q;
                point p = fill(a, q);
                {
                    p.x = 3;
                    drain(q, p, o);
                }
            }
            """;

    @Test
    void tasksOfAFunctionInsideOverlap() throws IOException {
        EstimateReport r = of(STAGES + "void top(int a[500], int o[500]) { both(a, o); }");
        assertThat(r.stages().getFirst().latencyCycles()).isBetween(500.0, 1_030.0);
        assertThat(r.notes()).noneMatch(n -> n.contains("DATAFLOW"));
    }

    @Test
    void aVectorMovesAsOneWord() throws IOException {
        EstimateReport r = of("""
                #include <hls_stream.h>
                #include <hls_vector.h>
                typedef hls::vector<int, 16> words;
                void top(const words *in, hls::stream<words> &out) {
                l:  for (int i = 0; i < 64; i++) {
                #pragma HLS PIPELINE
                        words w = in[i];
                        out.write(w);
                    }
                }
                """);
        assertThat(loop(r, "l").state()).isEqualTo(LoopEstimate.State.PIPELINED);
        assertThat(loop(r, "l").interval()).isOne();
        assertThat(loop(r, "l").depth()).isBetween(2, 4);
    }

    /// An early return is another way through the function, not a part of the usual one.
    @Test
    void anEarlyReturnTakesNoTimeOfTheOtherWay() throws IOException {
        String loop = """
                    for (int i = 0; i < 100; i++) {
                #pragma HLS PIPELINE
                        b[i] = b[i] * 3;
                    }
                """;
        String early = "if (n == 7) { int x = n; for (int k = 0; k < 3; k++) x = x / b[x & 63]; b[0] = x; return; }\n";
        double plain = latency("void top(int b[100], int n) {" + loop + "}");
        double guarded = latency("void top(int b[100], int n) {" + early + loop + "}");
        assertThat(guarded).isGreaterThanOrEqualTo(plain);
        assertThat(latency("void top(int b[100], int n) {" + early.replace("return;", "") + loop + "}"))
                .isGreaterThanOrEqualTo(guarded);
    }

    private double latency(String text) throws IOException {
        return of(text).stages().getFirst().latencyCycles();
    }

    /// More multipliers hold more values at once.
    @Test
    void registersGrowWithTheHardware() throws IOException {
        double before = 0;
        for (int u : new int[] {1, 2, 4, 8, 16}) {
            double ff = of("""
                    void top(int a[16][16], int b[16][16], int c[16][16]) {
                    #pragma HLS ARRAY_PARTITION variable=a cyclic factor=%1$d dim=2
                    #pragma HLS ARRAY_PARTITION variable=b cyclic factor=%1$d dim=1
                        for (int i = 0; i < 16; i++)
                            for (int j = 0; j < 16; j++) {
                                int s = 0;
                                for (int k = 0; k < 16; k++) {
                    #pragma HLS PIPELINE
                    #pragma HLS UNROLL factor=%1$d
                                    s += a[i][k] * b[k][j];
                                }
                                c[i][j] = s;
                            }
                    }
                    """.formatted(u)).stages().getFirst().ff();
            assertThat(ff).as("%d multipliers", u).isGreaterThan(before);
            before = ff;
        }
    }

    /// A request over an AXI port is not made before it is known that it is needed.
    @Test
    void requestsWaitForTheWayOutOfALoop() throws IOException {
        EstimateReport r = of("""
                void top(int *a, int *n) {
                #pragma HLS INTERFACE m_axi port=a bundle=x
                    int i = 0;
                l:  while (a[i] != 7) {
                #pragma HLS PIPELINE
                #pragma HLS LOOP_TRIPCOUNT max=10
                        i++;
                    }
                    *n = i;
                }
                """);
        assertThat(loop(r, "l").interval()).isGreaterThan(4);
    }

    /// A write under a condition is no burst: what is read next over its port waits for the answer.
    @Test
    void readsWaitForConditionalWritesOfOneArgument() throws IOException {
        String text = """
                void top(int *a, int *b) {
                #pragma HLS INTERFACE m_axi port=a bundle=x
                #pragma HLS INTERFACE m_axi port=b bundle=y
                l:  for (int i = 0; i < 50; i++) {
                #pragma HLS PIPELINE
                        int v = a[i];
                        if (v > 3) TO[i] = 0;
                    }
                }
                """;
        assertThat(loop(of(text.replace("TO", "a")), "l").interval()).isGreaterThan(8);
        assertThat(loop(of(text.replace("TO", "b")), "l").interval()).isOne();
    }

    /// Calls of one function share it, overlapping calls do not; every caller has its own (as in public reports).
    @Test
    void overlappingCallsAreHardwareOfTheirOwn() throws IOException {
        double one = calls("", "scale(a, m); scale(m, b);");
        double apart = calls("#pragma HLS DATAFLOW", "scale(a, m); scale(m, b);");
        double within = calls("", "scale(a, m); again(m, b);");
        assertThat(apart).isEqualTo(2 * one);
        assertThat(within).isEqualTo(2 * one);
    }

    /// DSP blocks of a top that calls products of 64 floats.
    private double calls(String pragma, String body) throws IOException {
        return of("""
                static void scale(float in[64], float out[64]) {
                #pragma HLS INLINE off
                    for (int i = 0; i < 64; i++) out[i] = in[i] * 1.7f;
                }
                static void again(float in[64], float out[64]) {
                #pragma HLS INLINE off
                    float t[64];
                    scale(in, t);
                    for (int i = 0; i < 64; i++) out[i] = t[63 - i];
                }
                void top(float a[64], float b[64]) {
                %s
                    float m[64];
                    %s
                }
                """.formatted(pragma, body)).stages().getFirst().dsp();
    }

    /// TAPA's tasks are named with what estimates them; requests of `async_mmap` are queues.
    @Test
    void tasksThatAreStartedAreNamed() throws IOException {
        EstimateReport r = of("""
                #include <tapa.h>
                void load(tapa::async_mmap<int> &m, tapa::ostream<int> &q) {
                    for (int asked = 0, got = 0; got < 64;) {
                #pragma HLS PIPELINE II=1
                        if (asked < 64 && m.read_addr.try_write(asked)) asked++;
                        int v;
                        if (m.read_data.try_read(v)) { q.write(v); got++; }
                    }
                }
                void add(tapa::istream<int> &q, tapa::mmap<int> out) {
                    for (int i = 0; i < 64; i++) out[i] = q.read() + 1;
                }
                void top(tapa::mmap<int> in, tapa::mmap<int> out) {
                    tapa::stream<int> q("q");
                    tapa::task().invoke(load, in, q).invoke(add, q, out);
                }
                """);
        assertThat(r.notes()).anyMatch(n -> n.contains("k.cpp:15: tasks that are started here are not modelled"));
    }

    @Test
    void wiresWithAHandshakeAreQueues() throws IOException {
        EstimateReport r = of("""
                #include <hls_directio.h>
                void top(hls::ap_hs<int> &a, hls::ap_hs<int> &b) {
                l:  for (int i = 0; i < 100; i++) {
                #pragma HLS PIPELINE
                        int x = a.read();
                        int y = a.read();
                        b.write(x + y);
                    }
                }
                """);
        assertThat(loop(r, "l").interval()).isEqualTo(2);
    }
}
