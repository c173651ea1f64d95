package knobscape.hls.evaluate.estimator;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import knobscape.hls.evaluate.estimator.EstimateReport.ArrayEstimate;
import org.junit.jupiter.api.Test;

/// Memories that Vitis HLS divides by itself, bits that products need, indices that come back. The numbers of banks are
/// those in public reports of Vitis HLS 2022.1.
class DivisionTest extends StandingKernels {
    private EstimateReport of(String text, ToolProfile profile) throws IOException {
        return estimate(
                text,
                EstimatorSettings.defaults()
                        .withProfile(profile)
                        .withUnasked(
                                profile == ToolProfile.VIVADO_HLS_2018
                                        ? ToolDefaults.NOTHING
                                        : new ToolDefaults(0, true, true, 0)));
    }

    private EstimateReport of(String text) throws IOException {
        return of(text, ToolProfile.VITIS_HLS_2022);
    }

    private static ArrayEstimate array(EstimateReport r, String name) {
        return r.arrays().stream()
                .filter(a -> a.array().endsWith("/" + name) || a.array().endsWith(name.length() + name))
                .findFirst()
                .orElseThrow();
    }

    /// Twelve weights of a column at once.
    private static String weights(int row, int rows, String pipeline) {
        return """
                float w[%2$d];
                void top(float in[%2$d], float x[%1$d], float out[%1$d]) {
                    for (int i = 0; i < %2$d; i++) w[i] = in[i];
                l:  for (int k = 0; k < %1$d; k++) {
                %4$s
                        float most = 0;
                        for (int r = 0; r < %3$d; r++)
                            most = w[r * %1$d + k] > most ? w[r * %1$d + k] : most;
                        out[k] = most * x[k];
                    }
                }
                """.formatted(row, row * rows, rows, pipeline);
    }

    @Test
    void anIntervalThatWasAskedForDividesMemories() throws IOException {
        EstimateReport r = of(weights(4, 12, "#pragma HLS PIPELINE II=1"));
        assertThat(array(r, "w").banks()).isEqualTo(13);
        assertThat(loop(r, "l").interval()).isOne();
        assertThat(r.notes()).anyMatch(n -> n.startsWith("array w has no pragma; Vitis HLS is taken to divide it"));
        assertThat(array(of(weights(12, 10, "#pragma HLS PIPELINE II=1")), "w").banks())
                .isEqualTo(11);
    }

    @Test
    void nothingIsDividedWhereNoIntervalWasAskedFor() throws IOException {
        EstimateReport r = of(weights(4, 12, "#pragma HLS PIPELINE"));
        assertThat(array(r, "w").banks()).isOne();
        assertThat(loop(r, "l").interval()).isEqualTo(6);
        assertThat(of(weights(4, 12, "#pragma HLS PIPELINE II=1"), ToolProfile.VIVADO_HLS_2018)
                        .notes())
                .noneMatch(n -> n.contains("taken to divide"));
    }

    /// Rows of sixteen, written by a loop that the tool pipelines unasked. Intervals as in the reports of Vitis HLS
    /// 2023.2 of UCLA-VAST/Prometheus (`evaluation/rtl`).
    private EstimateReport rows(String pragma, String inner) throws IOException {
        return estimate(
                """
                void top(int in[240], int y[64]) {
                    int m[200][240];
                %s
                    for (int i = 0; i < 200; i++)
                l:      for (int j = 0; j < 240; j += 16) {
                %s
                        }
                    for (int k = 0; k < 64; k++) y[k] = m[k][k];
                }
                """.formatted(pragma, inner),
                EstimatorSettings.defaults()
                        .withProfile(ToolProfile.VITIS_HLS_2022)
                        .withUnasked(ToolDefaults.VITIS));
    }

    @Test
    void copiesThatTheToolWritesOutUnaskedMeetInBanksThatTakeADivision() throws IOException {
        String inner = "int x = in[j]; for (int k = 0; k < 16; k++) m[i][j + k] = x;";
        assertThat(loop(rows("", inner), "l").interval()).isOne();
        assertThat(loop(rows("#pragma HLS ARRAY_PARTITION variable=m cyclic factor=10 dim=2", inner), "l")
                        .interval())
                .isEqualTo(8);
        assertThat(loop(rows("#pragma HLS ARRAY_PARTITION variable=m complete dim=2", inner), "l")
                        .interval())
                .isOne();
    }

    @Test
    void copiesThatADirectiveAsksForAreToldApart() throws IOException {
        String inner = "#pragma HLS PIPELINE II=1\nint x = in[j]; for (int k = 0; k < 16; k++) m[i][j + k] = x;";
        assertThat(loop(rows("#pragma HLS ARRAY_PARTITION variable=m cyclic factor=3 dim=2", inner), "l")
                        .interval())
                .isEqualTo(3);
        assertThat(loop(rows("#pragma HLS ARRAY_PARTITION variable=m cyclic factor=100 dim=2", inner), "l")
                        .interval())
                .isOne();
    }

    @Test
    void neighboursShareBanks() throws IOException {
        EstimateReport r = of("""
                int w[192];
                void top(int in[192], int out[12]) {
                    for (int i = 0; i < 192; i++) w[i] = in[i];
                l:  for (int k = 0; k < 12; k++) {
                #pragma HLS PIPELINE II=1
                        int sum = 0;
                        for (int r = 0; r < 16; r++) sum += w[16 * k + r];
                        out[k] = sum;
                    }
                }
                """);
        assertThat(array(r, "w").banks()).isEqualTo(8);
        assertThat(loop(r, "l").interval()).isOne();
    }

    @Test
    void aShiftRegisterOfAPipelinedFunctionIsRegisters() throws IOException {
        EstimateReport r = of("""
                int top(int x) {
                #pragma HLS PIPELINE II=1
                    static int line[33];
                    line[32] = x;
                    for (int i = 0; i < 32; i++) line[i] = line[i + 1];
                    return line[0];
                }
                """);
        assertThat(array(r, "line").storage()).isEqualTo("registers");
        assertThat(r.interval()).isOne();
    }

    @Test
    void portsOfTheTopAreNotDividedAndLimitTheRest() throws IOException {
        EstimateReport r = of("""
                void top(int a[64], int out[4]) {
                    int w[64];
                    for (int i = 0; i < 64; i++) w[i] = a[63 - i];
                l:  for (int k = 0; k < 4; k++) {
                #pragma HLS PIPELINE II=1
                        int sum = 0;
                        for (int r = 0; r < 16; r++) sum += a[16 * k + r] * w[16 * k + r];
                        out[k] = sum;
                    }
                }
                """);
        assertThat(array(r, "a").banks()).isOne();
        assertThat(loop(r, "l").interval()).isEqualTo(8);
        assertThat(array(r, "w").banks()).isOne();
    }

    @Test
    void aProductIsAsWideAsWhatIsKeptOfIt() throws IOException {
        EstimateReport r = of("""
                void top(int a[64], unsigned short out[1]) {
                    unsigned short sum = 0;
                l:  for (unsigned short i = 0; i < 64; i++) {
                #pragma HLS PIPELINE
                        sum += i * i * a[i];
                    }
                    out[0] = sum;
                }
                """);
        // 16 low bits of both factors: one block each, not the two of 32 x 12 bits
        assertThat(r.operators())
                .filteredOn(o -> o.name().startsWith("mul."))
                .isNotEmpty()
                .allMatch(o -> o.dsp() <= 1);
    }

    @Test
    void timesPlusOrMinusOneIsNoMultiplier() throws IOException {
        EstimateReport r = of("""
                #include <ap_fixed.h>
                void top(ap_fixed<12, 2> a[64], ap_fixed<12, 2> b[64], ap_fixed<12, 2> out[64]) {
                l:  for (int i = 0; i < 64; i++) {
                #pragma HLS PIPELINE
                        int sign = b[i] < 0 ? -1 : 1;
                        out[i] = a[i] * sign;
                    }
                }
                """);
        assertThat(r.stages().getFirst().dsp()).isZero();
    }

    @Test
    void anArrayInALocalStructIsAMemory() throws IOException {
        EstimateReport r = of("""
                struct Ring { float data[511]; int at; };
                void top(float in[1000], float out[1000]) {
                    Ring ring;
                    ring.at = 0;
                l:  for (int i = 0; i < 1000; i++) {
                        ring.data[ring.at] = in[i];
                        ring.at = ring.at == 510 ? 0 : ring.at + 1;
                        out[i] = ring.data[(ring.at * 7) % 511];
                    }
                }
                """);
        ArrayEstimate data = array(r, "ring.0");
        assertThat(data.storage()).isEqualTo("BRAM");
        assertThat(data.depth()).isEqualTo(511);
        assertThat(data.wordBits()).isEqualTo(32);
        assertThat(r.stages().getFirst().ff()).isLessThan(3000);
    }

    @Test
    void aPragmaOfSeveralVariablesIsForEachOfThem() throws IOException {
        EstimateReport r = of("""
                void top(int in[64], int out[64]) {
                    int a[64], b[64];
                #pragma HLS ARRAY_PARTITION variable=a, b cyclic factor=4
                    for (int i = 0; i < 64; i++) { a[i] = in[i]; b[i] = in[63 - i]; }
                l:  for (int i = 0; i < 64; i += 4) {
                #pragma HLS PIPELINE
                        int s = 0;
                        for (int k = 0; k < 4; k++) s += a[i + k] * b[i + k];
                        out[i / 4] = s;
                    }
                }
                """);
        assertThat(array(r, "a").banks()).isEqualTo(4);
        assertThat(array(r, "b").banks()).isEqualTo(4);
        assertThat(loop(r, "l").interval()).isOne();
    }

    @Test
    void banksOfAnArrayThatIsAQueueAreQueues() throws IOException {
        String text = """
                void top(int in[64], int out[64]) {
                #pragma HLS DATAFLOW
                    int q[64];
                #pragma HLS STREAM variable=q depth=2
                #pragma HLS ARRAY_PARTITION variable=q cyclic factor=%d
                a:  for (int i = 0; i < 64; i += 2) {
                #pragma HLS PIPELINE
                        q[i] = in[i];
                        q[i + 1] = in[i + 1] + 1;
                    }
                b:  for (int i = 0; i < 64; i += 2) {
                #pragma HLS PIPELINE
                        out[i] = q[i];
                        out[i + 1] = q[i + 1] * 3;
                    }
                }
                """;
        assertThat(loop(of(text.formatted(1)), "b").interval()).isEqualTo(2);
        assertThat(loop(of(text.formatted(2)), "a").interval()).isOne();
        assertThat(loop(of(text.formatted(2)), "b").interval()).isOne();
    }

    @Test
    void aTableFilledFromItsCounterIsARom() throws IOException {
        String text = """
                #include <math.h>
                void top(float in[64], float out[64]) {
                    float w[64];
                    for (int i = 0; i < 64; i++) w[i] = (float)(0.5 - 0.5 * cos(0.1 * i) %s);
                l:  for (int i = 0; i < 64; i++) {
                #pragma HLS PIPELINE
                        out[i] = in[i] * w[i];
                    }
                }
                """;
        EstimateReport rom = of(text.formatted(""));
        EstimateReport filled = of(text.formatted("+ in[i]"));
        assertThat(rom.stages().getFirst().latencyCycles()).isLessThan(90);
        assertThat(rom.stages().getFirst().dsp()).isEqualTo(3);
        assertThat(filled.stages().getFirst().latencyCycles()).isGreaterThan(900);
        assertThat(filled.stages().getFirst().dsp()).isGreaterThan(20);
    }

    @Test
    void partialSumsByTheLowBitsOfACounterAreApart() throws IOException {
        EstimateReport near = sums("n & 1");
        EstimateReport far = sums("n & 15");
        assertThat(loop(near, "l").interval()).isGreaterThan(1);
        assertThat(loop(far, "l").interval()).isOne();
    }

    private EstimateReport sums(String index) throws IOException {
        return of("""
                void top(float x[256], float out[16]) {
                    float acc[16];
                    for (int k = 0; k < 16; k++) acc[k] = 0;
                l:  for (int n = 0; n < 256; n++) {
                #pragma HLS PIPELINE
                        acc[%s] += x[n];
                    }
                    for (int k = 0; k < 16; k++) out[k] = acc[k];
                }
                """.formatted(index));
    }

    private EstimateReport unasked(String text) throws IOException {
        return estimate(text, EstimatorSettings.defaults().withUnasked(ToolDefaults.VITIS));
    }

    /// Public reports of Vitis HLS 2022.2: a matrix product of 64 by 64 with local copies takes 4 cycles for an element
    /// (`RAM_1WNR`, 64 loads by 16 read ports).
    @Test
    void aSumInMemoryIsWrittenOutAndWhatItReadsHasManyReaders() throws IOException {
        EstimateReport r = unasked("""
                void top(float in[64][64], float out[64][64]) {
                    float a[64][64], sum[64][64];
                    rd: for (int i = 0; i < 64; i++)
                        rd2: for (int j = 0; j < 64; j++) { a[i][j] = in[i][j]; sum[i][j] = 0; }
                    m1: for (int i = 0; i < 64; i++)
                        m2: for (int j = 0; j < 64; j++)
                            m3: for (int k = 0; k < 64; k++) sum[i][j] += a[i][k] * a[k][j];
                    wr: for (int i = 0; i < 64; i++)
                        wr2: for (int j = 0; j < 64; j++) out[i][j] = sum[i][j];
                }
                """);
        assertThat(loop(r, "m2").trip()).isEqualTo(4096);
        assertThat(loop(r, "m2").interval()).isEqualTo(8);
        assertThat(r.notes()).anyMatch(n -> n.contains("make 16 copies of it, which are read at once"));
        assertThat(r.loops()).extracting(LoopEstimate::loop).doesNotContain("m3");
    }

    /// The same reports: a local matrix all of whose columns are constants is divided completely.
    @Test
    void aDimensionThatIsOnlyNamedByConstantsIsDivided() throws IOException {
        EstimateReport r = unasked("""
                void top(float in[64][16], float x[16], float out[64]) {
                    float a[64][16], y[16];
                    rx: for (int j = 0; j < 16; j++) y[j] = x[j];
                    rd: for (int i = 0; i < 64; i++) {
                        out[i] = 0;
                        rd2: for (int j = 0; j < 16; j++) a[i][j] = in[i][j];
                    }
                    m: for (int i = 0; i < 64; i++) {
                        float sum = 0;
                        m2: for (int j = 0; j < 16; j++) sum += a[i][j] * y[j];
                        out[i] = sum;
                    }
                }
                """);
        assertThat(array(r, "a").banks()).isEqualTo(16);
        assertThat(loop(r, "rd").interval()).isEqualTo(8);
        assertThat(loop(r, "m").interval()).isOne();
    }

    @Test
    void aTriangleRunsAsOftenAsItsBoundSays() throws IOException {
        String triangle = """
                void top(double a[40][40]) {
                    rows: for (int i = 0; i < 40; i++)
                        below: for (int j = 0; j < i; j++) a[i][j] += 1.0;
                }
                """;
        assertThat(loop(unasked(triangle), "below").trip()).isBetween(19.0, 20.0);
        assertThat(loop(estimate(triangle, EstimatorSettings.defaults().withTripBasis(TripBasis.WORST)), "below")
                        .trip())
                .isEqualTo(39);
    }
}
