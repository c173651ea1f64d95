package knobscape.hls.evaluate.estimator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import knobscape.hls.space.Directive;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What the library and structs hide: copies of arrays, and arrays of structs at the top.
class CopiesTest {
    private StageFigures estimate(String source, List<Directive> directives) {
        return new Estimator(Kernels.of(source), EstimatorSettings.defaults())
                .estimate(directives, 0)
                .getFirst();
    }

    private static String program(String copies) {
        return "#include <string.h>\n#include <ap_int.h>\nvoid f(int in[512], int out[512], ap_uint<12> small[512]) {\n"
                + "  int a[512]; int b[8][16]; ap_uint<12> c[512];\n" + copies
                + "\n  for (int k = 0; k < 4; k++) out[k] = a[k] + b[k][0] + c[k];\n}\n";
    }

    /// The same as the loop that the tool makes of it, pipelined by hand.
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "memcpy(a, in, sizeof a); | L: for (int i = 0; i < 512; i++) a[i] = in[i];",
                "memcpy(a, in, 100 * sizeof(int)); | L: for (int i = 0; i < 100; i++) a[i] = in[i];",
                "memmove(a + 12, in, 500 * sizeof(int)); | L: for (int i = 0; i < 500; i++) a[i + 12] = in[i];",
                "std::memset(a, 0, 512 * sizeof(int)); | L: for (int i = 0; i < 512; i++) a[i] = 0;",
                "memset(b, 0, sizeof(b)); | L: for (int i = 0; i < 128; i++) b[0][i] = 0;",
                "memcpy(c, small, sizeof c); | L: for (int i = 0; i < 512; i++) c[i] = small[i];",
            })
    void aCopyTakesItsElementsOneByOne(String copy, String loop) {
        var written = estimate(program(loop), List.of(new Directive.Pipeline("f/L", true, 0)));
        assertThat(estimate(program(copy), List.of()).latencyCycles()).isCloseTo(written.latencyCycles(), within(2.0));
    }

    /// Where the bytes are not known the smaller array bounds them.
    @Test
    void anUnknownSizeIsBoundedByTheArrays() {
        var unknown = estimate(
                "#include <string.h>\nvoid f(int in[256], int out[512], int n) { int a[512];\n"
                        + "  memcpy(a, in, n * sizeof(int)); memcpy(out, a, sizeof a); for (int k = 0; k < 4; k++) out[k] = k; }\n",
                List.of());
        assertThat(unknown.latencyCycles()).isBetween(256.0 + 512, 256.0 + 512 + 20);
    }

    /// An array of structs is a memory for each member, no register as wide as all of them.
    @Test
    void anArrayOfStructsIsMadeOfMemories() {
        String body = " { int s = 0; for (int i = 0; i < 1000; i++) for (int j = 0; j < 16; j++) s += %s; *r = s; }\n";
        var structs = estimate(
                "struct point { int c[16]; int label; };\nvoid f(struct point p[1000], int *r)"
                        + body.formatted("p[i].c[j]"),
                List.of());
        var plain = estimate("void f(int p[1000][16], int *r)" + body.formatted("p[i][j]"), List.of());
        assertThat(structs.lut()).isCloseTo(plain.lut(), within(50.0));
        assertThat(structs.latencyCycles()).isEqualTo(plain.latencyCycles());
    }

    /// Also where it stands in the line of the parameters.
    @Test
    void anObjectOfTheTopItselfIsNoParameter() {
        String body =
                "for (int i = 0; i < 1000; i++) o.a[i & 511] = i; for (int i = 0; i < 4; i++) r[i] = o.a[i * i]; }\n";
        var local = estimate("struct s { int a[512]; };\nvoid f(int r[4]) { static s o; " + body, List.of());
        assertThat(local.lut()).isLessThan(500);
    }

    /// Vivado HLS makes memories of its members (UG902), Vitis HLS one word of all (UG1399), which is said where it is
    /// wide.
    @Test
    void aStructOfTheTopIsAsTheToolMakesIt() {
        var kernel = Kernels.of("struct w { int a[512]; int b[512]; };\nvoid f(const w &g, int r[512]) {\n"
                + "  for (int i = 0; i < 512; i++) r[i] = g.a[i] * g.b[i];\n}\n");
        var vitis = new Estimator(kernel, EstimatorSettings.defaults());
        var vivado = new Estimator(kernel, EstimatorSettings.defaults().withProfile(ToolProfile.VIVADO_HLS_2018));
        assertThat(vivado.estimate(List.of(), 0).getFirst().lut()).isLessThan(500);
        assertThat(vitis.estimate(List.of(), 0).getFirst().lut()).isGreaterThan(10_000);
        assertThat(vitis.explain(List.of()).notes())
                .anyMatch(n -> n.startsWith("struct g at the top is taken for one word of 32768 bits"));
        assertThat(vivado.explain(List.of()).notes()).noneMatch(n -> n.contains("struct"));
    }

    /// The tool makes a port of what a pointer without an index leads to, and of an object that is passed by value.
    @Test
    void whatIsNeverIndexedIsNoMemory() {
        String source =
                "#include \"ap_int.h\"\nvoid f(%s, int r[64]) { for (int i = 0; i < 64; i++) r[i] = %s + i; }\n";
        double number = estimate(source.formatted("int p", "p"), List.of()).latencyCycles();
        assertThat(estimate(source.formatted("int *p", "*p"), List.of()).latencyCycles())
                .isEqualTo(number);
        assertThat(estimate(source.formatted("ap_int<32> p", "p"), List.of()).latencyCycles())
                .isEqualTo(number);
        assertThat(estimate(source.formatted("int *p", "p[i & 1]"), List.of()).latencyCycles())
                .isGreaterThan(number);
    }

    @Test
    void pragmasOfAStructOfTheTopHoldAndOthersLeaveItAsItIs() {
        String source = "struct w { int a[64]; int b; };\nvoid f(w *g, int r[64]) {\n%s"
                + "  for (int i = 0; i < 64; i++) r[i] = g->a[i] * g->b;\n}\n";
        var plain = estimate(source.formatted(""), List.of());
        var members = estimate(source.formatted("#pragma HLS DISAGGREGATE variable=g\n"), List.of());
        var word = estimate(source.formatted("#pragma HLS AGGREGATE variable=g\n"), List.of());
        var unknown = estimate(source.formatted("#pragma HLS SOMETHING variable=g\n"), List.of());
        assertThat(members.lut()).isLessThan(plain.lut() / 3);
        assertThat(List.of(word.lut(), unknown.lut())).containsOnly(plain.lut());
        String taken = "static int one(int *p, int i) {\n#pragma HLS INLINE off\n  return p[i] + p[i ^ 5]; }\n";
        String passing = source.replace("g->a[i] * g->b", "one(g->a, i)").replace("void f", taken + "void f");
        assertThat(estimate(passing.formatted("#pragma HLS AGGREGATE variable=g\n"), List.of())
                        .lut())
                .isGreaterThan(2 * estimate(passing.formatted(""), List.of()).lut());
    }

    /// Its loop runs; it is not written out.
    @Test
    void aCallInsideAnExpressionCostsWhatItDoesAlone() {
        String sum = "int sum(int a[64]) { int s = 0; for (int i = 0; i < 64; i++) s += a[i]; return s; }\n"
                + "void f(int a[64], int b[64], int r[1]) { ";
        String more = " int z = r[0]; z = 3 * z + 1; r[0] = z; }";
        var inside = estimate(sum + "r[0] = sum(a) + sum(b);" + more, List.of());
        var alone = estimate(sum + "int x = sum(a); int y = sum(b); r[0] = x + y;" + more, List.of());
        assertThat(inside.latencyCycles()).isCloseTo(alone.latencyCycles(), within(2.0));
        assertThat(inside.lut()).isCloseTo(alone.lut(), within(2.0));
    }

    /// Two sums of like arrays are ready in the same state, so that each has an adder; where the elements of one come a
    /// state later, one adder serves both. Vivado HLS moves operations until they share.
    @Test
    void whatIsReadyAtOnceHasACoreOfItsOwn() {
        var kernel = Kernels.of("""
                void f(double a[64], double b[64], double c[64], double d[64], double r[64], double s[64]) {
                    L: for (int i = 0; i < 64; i++) {
                        double x = r[63 - i], y = s[63 - i];
                        r[i] = a[i] + x;
                        s[i] = b[i] + y;
                    }
                }
                """);
        List<Directive> pipelined = List.of(new Directive.Pipeline("f/L", true, 8));
        double adder = 3;
        assertThat(dsp(kernel, pipelined, ToolProfile.VITIS_HLS_2022)).isEqualTo(2 * adder);
        assertThat(dsp(kernel, pipelined, ToolProfile.VIVADO_HLS_2018)).isEqualTo(adder);
    }

    private static double dsp(knobscape.hls.source.Kernel kernel, List<Directive> directives, ToolProfile tool) {
        return new Estimator(kernel, EstimatorSettings.defaults().withProfile(tool))
                .estimate(directives, 0)
                .getFirst()
                .dsp();
    }
}
