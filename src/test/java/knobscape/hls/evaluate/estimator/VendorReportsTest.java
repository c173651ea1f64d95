package knobscape.hls.evaluate.estimator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import org.junit.jupiter.api.Test;

/// What reports of the vendor's tool beside public kernels showed, on small kernels of our own.
class VendorReportsTest extends StandingKernels {
    private EstimateReport of(String text) throws IOException {
        return estimate(
                text,
                EstimatorSettings.defaults()
                        .withProfile(ToolProfile.VITIS_HLS_2022)
                        .withUnasked(ToolDefaults.VITIS));
    }

    private static EstimateReport.ArrayEstimate array(EstimateReport r, String name) {
        return r.arrays().stream()
                .filter(a -> a.array().contains(name))
                .findFirst()
                .orElseThrow();
    }

    /// The compiler gives a table whose end is zero a type of its own; it is the array that was declared.
    @Test
    void aTableThatEndsInZerosIsATable() throws IOException {
        EstimateReport r = of("""
                struct node { bool leaf; float value; unsigned char left, right; };
                const node tree[8][512] = {{{0, 1.5f, 1, 2}, {1, 2.5f, 0, 0}, {1, 3.5f, 0, 0}},
                                           {{0, 4.5f, 1, 2}, {1, 5.5f, 0, 0}, {1, 6.5f, 0, 0}}};
                float top(float x) {
                    float sum = 0;
                l:  for (int t = 0; t < 8; t++) {
                        int at = 0;
                        while (!tree[t][at].leaf)
                #pragma HLS LOOP_TRIPCOUNT min=1 max=8
                            at = x < tree[t][at].value ? tree[t][at].left : tree[t][at].right;
                        sum += tree[t][at].value;
                    }
                    return sum;
                }
                """);
        assertThat(array(r, "tree").storage()).isEqualTo("BRAM");
        assertThat(array(r, "tree").depth()).isEqualTo(8 * 512);
        assertThat(r.stages().getFirst().ff()).isLessThan(2000);
    }

    /// Rows of a divided array that a function reads and writes are memories of their own.
    @Test
    void rowsHandedToAFunctionDoNotMeet() throws IOException {
        EstimateReport r = of("""
                static void stage(int from[64], int to[64], int k) {
                #pragma HLS INLINE off
                l:  for (int i = 0; i < 64; i++) {
                #pragma HLS PIPELINE II=1
                        to[63 - i] = from[i] * k + to[i];
                    }
                }
                void top(int in[64], int out[64]) {
                    int rows[3][64];
                #pragma HLS ARRAY_PARTITION variable=rows dim=1 complete
                    for (int i = 0; i < 64; i++) rows[0][i] = in[i];
                    stage(rows[0], rows[1], 3);
                    stage(rows[1], rows[2], 5);
                    for (int i = 0; i < 64; i++) out[i] = rows[2][i];
                }
                """);
        assertThat(loop(r, "l").limit()).doesNotContain("from");
        assertThat(loop(r, "l").interval()).isLessThanOrEqualTo(2);
    }

    /// A loop that runs as often as an argument says runs as often as each call says.
    @Test
    void loopsRunAsOftenAsCallsSay() throws IOException {
        String kernel = """
                static int sum(int a[1024], int size, int log) {
                #pragma HLS INLINE off
                    int s = 0;
                    for (int j = 0; j < (size >> log); j++)
                l:      for (int i = 0; i < size; i++) {
                #pragma HLS PIPELINE II=1
                            s += a[(i * 7 + j) & 1023];
                        }
                    return s;
                }
                int top(int a[1024]) { return sum(a, %d, 3) ^ sum(a, %d, 5); }
                """;
        EstimateReport r = of(kernel.formatted(64, 512));
        assertThat(r.stages().getFirst().latencyCycles()).isCloseTo(8 * 64 + 16 * 512, within(250.0));
        assertThat(r.notes()).noneMatch(n -> n.contains("depends on data"));
    }

    private static final String TABLE_CALLS = """
            const int squares[256] = {%s};
            static int look(unsigned char x) {
                %s
                %s
                return squares[x] + x;
            }
            void top(unsigned char in[8][64], int out[64]) {
            #pragma HLS ARRAY_PARTITION variable=in dim=1 complete
            l:  for (int i = 0; i < 64; i++) {
            #pragma HLS PIPELINE II=1
                    int s = 0;
                    for (int k = 0; k < 8; k++) s ^= look(in[k][i]);
                    out[i] = s;
                }
            }
            """;

    private static String squares() {
        var all = new StringBuilder();
        for (int k = 0; k < 256; k++) {
            all.append(k * k + 1).append(k < 255 ? ", " : "");
        }
        return all.toString();
    }

    /// Loops that clear arrays are modules, which start together where they share nothing (five of 66 cycles each in a
    /// report of 260 cycles, InputBlackBoxOutput/Systolic-Matrix-Multiplier).
    @Test
    void arraysAreClearedSideBySide() throws IOException {
        String source = """
                void top(int in[64], int out[64]) {
                    int a[64] = {0};
                    %s
                    l: for (int i = 0; i < 64; i++) {
                #pragma HLS PIPELINE
                        a[in[i] & 63] += i;
                        %s
                    }
                    k: for (int i = 0; i < 64; i++) out[i] = a[i] %s;
                }
                """;
        double one = of(source.formatted("", "", "")).stages().getFirst().latencyCycles();
        double two = of(source.formatted("int b[64] = {0};", "b[in[i] >> 6 & 63] += i;", "+ b[i]"))
                .stages()
                .getFirst()
                .latencyCycles();
        assertThat(two).isLessThan(one + 16);
    }

    /// A table of constants has as many copies as are read at once, whatever becomes of the function that reads it.
    @Test
    void tablesAreCopiedForTheirReaders() throws IOException {
        EstimateReport eight = of(TABLE_CALLS.formatted(squares(), "", ""));
        EstimateReport two = of(TABLE_CALLS.formatted(squares(), "", "").replace("II=1", "II=4"));
        EstimateReport bound = of(TABLE_CALLS.formatted(
                squares(), "#pragma HLS BIND_STORAGE variable=squares type=rom_1p impl=bram\n", ""));
        assertThat(loop(eight, "l").interval()).isOne();
        assertThat(loop(two, "l").interval()).isEqualTo(4);
        assertThat(eight.stages().getFirst().bram())
                .isEqualTo(4 * two.stages().getFirst().bram());
        assertThat(loop(bound, "l").interval()).isEqualTo(8);
    }

    /// A memory bound to as many read ports as are asked for has them.
    @Test
    void manyReadPortsAreAsManyAsAskedFor() throws IOException {
        EstimateReport r = of(TABLE_CALLS.formatted(
                squares(), "", "#pragma HLS BIND_STORAGE variable=squares type=rom_np impl=bram\n"));
        assertThat(loop(r, "l").interval()).isOne();
        assertThat(r.notes()).noneMatch(n -> n.contains("BIND_STORAGE"));
    }

    /// An AXI port of the IP flow is as wide as the argument's elements, whatever is read at once.
    @Test
    void aVectorOverANarrowPortComesWordByWord() throws IOException {
        EstimateReport r = of("""
                #include <hls_vector.h>
                #include <ap_fixed.h>
                typedef ap_fixed<16, 5> number;
                number kept[192];
                void top(number in[192], int out[1]) {
                #pragma HLS INTERFACE m_axi port=in bundle=g max_widen_bitwidth=256
                #pragma HLS ARRAY_PARTITION variable=kept complete
                    hls::vector<number, 8> *blocks = reinterpret_cast<hls::vector<number, 8> *>(in);
                l:  for (int i = 0; i < 24; i++) {
                #pragma HLS PIPELINE
                        hls::vector<number, 8> b = blocks[i];
                        for (int k = 0; k < 8; k++) kept[i * 8 + k] = b[k];
                    }
                    out[0] = kept[out[0] & 127].to_int();
                }
                """);
        assertThat(loop(r, "l").interval()).isEqualTo(8);
    }

    /// Members of a struct that is one variable are memories, also where an index below it seems possible.
    @Test
    void arraysOfOneStructAreMemories() throws IOException {
        EstimateReport r = of("""
                struct cell { short of[10]; int n; };
                struct grid { cell cells[256]; int used; };
                static grid g;
                int top(int x, int y) {
                    cell &c = g.cells[x * 16 + y - 17];
                    c.of[c.n++] = (short)x;
                    g.used++;
                    int s = 0;
                l:  for (int k = 0; k < 256; k++) s += g.cells[k].n;
                    return s + g.used;
                }
                """);
        assertThat(r.stages().getFirst().ff()).isLessThan(2000);
    }

    /// Numbers of any precision are computed by the tool's library of them.
    @Test
    void floatsOfAnyPrecision() throws IOException {
        EstimateReport r = of("""
                #include <ap_float.h>
                typedef ap_float<16, 5> half_t;
                void top(half_t a[64], half_t b[64], float &out) {
                    half_t s = 0;
                l:  for (int i = 0; i < 64; i++) {
                        s += a[i] * b[i];
                        if (a[i] > b[i]) s = s - 1.5f;
                    }
                    out = s.to_float();
                }
                """);
        assertThat(loop(r, "l").trip()).isEqualTo(64);
        assertThat(r.operators()).isNotEmpty();
    }
}
