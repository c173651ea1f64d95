package knobscape.hls.evaluate.estimator;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Kernels as engineers write them (state machine, histogram, filter, sort), with what the vendor's rules say of them.
class EngineersKernelsTest extends StandingKernels {
    private EstimateReport of(String text) throws IOException {
        return estimate(text, EstimatorSettings.defaults());
    }

    /// A state needs as many bits as there are states, and branches that leave a variable alone take no time.
    @Test
    void aStateMachineTakesAByteInEveryCycle() throws IOException {
        EstimateReport r = of("""
                #include <hls_stream.h>
                #include <ap_int.h>
                enum state { IDLE, HEAD, BODY, CRC };
                void top(hls::stream<ap_uint<8> > &in, hls::stream<ap_uint<16> > &out, int &frames) {
                    state st = IDLE;
                    unsigned len = 0;
                    ap_uint<16> crc = 0;
                    int n = 0;
                l:  for (int i = 0; i < 4096; i++) {
                #pragma HLS PIPELINE II=1
                        ap_uint<8> b = in.read();
                        switch (st) {
                        case IDLE: if (b == 0x55) st = HEAD; crc = 0; break;
                        case HEAD: len = b; st = len == 0 ? CRC : BODY; break;
                        case BODY: crc = (crc << 1) ^ b ^ (crc[15] ? 0x1021 : 0); if (--len == 0) st = CRC; break;
                        case CRC: out.write(crc); n++; st = IDLE; break;
                        }
                    }
                    frames = n;
                }
                """);
        assertThat(loop(r, "l").interval()).isOne();
    }

    /// The histogram of UG1399: the last value is kept beside the memory.
    @Test
    void aHistogramWithBothDependencesDeniedTakesAValueInEveryCycle() throws IOException {
        String text = """
                void top(const unsigned char in[4096], unsigned t[256]) {
                    unsigned old = in[0], acc = 0;
                g:  for (int i = 0; i < 4096; i++) {
                #pragma HLS PIPELINE II=1
                #pragma HLS DEPENDENCE variable=t inter false
                #pragma HLS DEPENDENCE variable=t intra RAW false
                        unsigned v = in[i];
                        if (v == old) acc++;
                        else { t[old] = acc; acc = t[v] + 1; }
                        old = v;
                    }
                    t[old] = acc;
                }
                """;
        assertThat(loop(of(text), "g").interval()).isOne();
        assertThat(loop(of(text.replaceFirst("#pragma.*intra.*", "")), "g").interval())
                .isGreaterThan(1);
    }

    /// A negative coefficient is as wide as its magnitude, whatever LLVM makes of it in arithmetic of 42 bits.
    @Test
    void aFilterHasAMultiplierOfTheCoefficientsWidth() throws IOException {
        EstimateReport r = of("""
                #include <hls_stream.h>
                #include <ap_int.h>
                static const ap_int<18> c[8] = {53, -91, 313, -1215, 2100, -1215, 313, -91};
                void top(hls::stream<ap_int<18> > &x, hls::stream<ap_int<42> > &y) {
                    static ap_int<18> sr[8];
                #pragma HLS ARRAY_PARTITION variable=sr complete
                s:  for (int n = 0; n < 1024; n++) {
                #pragma HLS PIPELINE II=1
                        ap_int<42> acc = 0;
                        ap_int<18> v = x.read();
                        for (int i = 7; i >= 0; i--) {
                            sr[i] = i == 0 ? v : sr[i - 1];
                            acc += sr[i] * c[i];
                        }
                        y.write(acc);
                    }
                }
                """);
        assertThat(loop(r, "s").interval()).isOne();
        assertThat(r.stages().getFirst().dsp()).isEqualTo(8);
    }

    /// Rows of an array that is divided completely are channels of their own, whichever call uses them.
    @Test
    void passesOverRowsOfAnArrayOverlap() throws IOException {
        String text = """
                static void pass(int in[256], int out[256], int k) {
                m:  for (int i = 0; i < 256; i++) {
                #pragma HLS PIPELINE II=1
                        out[i] = in[255 - i] + k;
                    }
                }
                void top(int in[256], int out[256]) {
                #pragma HLS DATAFLOW
                    int t[6][256];
                #pragma HLS ARRAY_PARTITION variable=t complete dim=1
                    pass(in, t[0], 1);
                    for (int s = 1; s < 6; s++) {
                #pragma HLS UNROLL
                        pass(t[s - 1], t[s], s);
                    }
                    pass(t[5], out, 7);
                }
                """;
        EstimateReport rows = of(text);
        assertThat(rows.interval()).isBetween(256.0, 270.0);
        assertThat(rows.stages().getFirst().latencyCycles()).isBetween(7 * 256.0, 7 * 270.0);
        // One memory has one writer.
        assertThat(of(text.replaceFirst("#pragma HLS ARRAY_PARTITION.*", "")).interval())
                .isGreaterThan(7 * 256.0);
    }

    /// A function that is called twice reads and writes what either call passes.
    @Test
    void memoriesOfASecondCallAreCounted() throws IOException {
        String text = """
                static void fill(int a[2048], int k) {
                #pragma HLS INLINE off
                    for (int i = 0; i < 2048; i++) a[i] = k * i;
                }
                static int last(int a[2048], int i) {
                #pragma HLS INLINE off
                    return a[i];
                }
                int top(int i) {
                    int x[2048], y[2048];
                    fill(x, i);
                    fill(y, 3);
                    return last(x, i) + last(y, i);
                }
                """;
        assertThat(of(text).stages().getFirst().bram()).isEqualTo(2 * 4);
    }

    /// Copies of a loop that is written out read what half, the rest or a mask of their index says.
    @ParameterizedTest
    @ValueSource(strings = {"i / 2", "i >> 1", "i % 4", "(i + 1) & 7"})
    void partsOfAnIndexAreFollowed(String index) throws IOException {
        EstimateReport r = of("""
                void top(const int a[64], int b[64]) {
                #pragma HLS ARRAY_PARTITION variable=a cyclic factor=4
                #pragma HLS ARRAY_PARTITION variable=b cyclic factor=8
                l:  for (int i = 0; i < 64; i++) {
                #pragma HLS PIPELINE II=1
                #pragma HLS UNROLL factor=8
                        b[i] = a[%s];
                    }
                }
                """.formatted(index));
        assertThat(loop(r, "l").interval()).isOne();
    }

    /// A block RAM holds 1024 words of 18 bits or 2048 of 9: what fills a number's bytes up is not kept.
    @Test
    void memoriesAreAsWideAsTheirNumbers() throws IOException {
        EstimateReport r = of("""
                #include <ap_int.h>
                void top(const ap_uint<18> in[1024], ap_uint<18> out[1024], const ap_uint<9> x[2048], ap_uint<9> y[2048]) {
                    ap_uint<18> a[1024];
                    ap_uint<9> b[2048];
                    for (int i = 0; i < 1024; i++) a[i] = in[i];
                    for (int i = 0; i < 2048; i++) b[i] = x[i];
                    for (int i = 0; i < 1024; i++) out[i] = a[1023 - i];
                    for (int i = 0; i < 2048; i++) y[i] = b[2047 - i];
                }
                """);
        assertThat(r.arrays())
                .extracting(EstimateReport.ArrayEstimate::wordBits)
                .containsExactlyInAnyOrder(18, 18, 18, 9, 9, 9);
        assertThat(r.stages().getFirst().bram()).isEqualTo(2);
    }
}
