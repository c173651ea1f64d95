package knobscape.hls.source.cdt;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import knobscape.hls.source.Expression;
import knobscape.hls.source.Kernel;
import knobscape.hls.source.Loop;
import knobscape.hls.source.OperationKind;
import knobscape.hls.source.Statement;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What is computed where an object is made of parts: nothing of it is lost.
class ObjectValuesTest {
    @TempDir
    private Path folder;

    private Snippets snippets;

    @BeforeEach
    void snippets() {
        snippets = new Snippets(folder);
    }

    /// Operations of a kind in the loop `L`, and arrays read, in order.
    private static List<String> found(Kernel k) {
        var all = new ArrayList<String>();
        k.loop("f/L").orElseThrow().body().statements().forEach(s -> {
            switch (s) {
                case Statement.AssignScalar a -> collect(a.value(), all);
                case Statement.AssignArray a -> collect(a.value(), all);
                default -> {}
            }
        });
        return all;
    }

    private static void collect(Expression e, List<String> all) {
        switch (e) {
            case Expression.Operation o -> {
                if (o.kind() != OperationKind.BIT_SELECT && o.kind() != OperationKind.CONVERT) {
                    all.add(o.kind() + " " + o.type().spelling());
                }
                o.operands().forEach(x -> collect(x, all));
            }
            case Expression.ArrayRead r -> all.add(r.access().array());
            default -> {}
        }
    }

    private Kernel loop(String declarations, String parameters, String body) {
        return snippets.cpp(declarations + "\nvoid f(" + parameters + ") {\nL:\n  for (int i = 0; i < 8; i++) {\n"
                + body + "\n  }\n}\n");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "pair p = {a[i] + 1, b[i]};",
                "pair p{a[i] + 1, b[i]};",
                "pair p(a[i] + 1, b[i]);",
                "pair p = pair(a[i] + 1, b[i]);"
            })
    void partsOfAnObjectAreRead(String made) {
        Kernel k = loop(
                "struct pair { int x, y; pair(int p, int q); };", "int a[8], int b[8], pair c[8]", made + " c[i] = p;");
        assertThat(found(k)).containsExactly("ADD int", "f/a", "f/b");
    }

    @ParameterizedTest
    @CsvSource({
        "a[i] + b[i], ADD ADD",
        "a[i] - b[i], SUBTRACT SUBTRACT",
        "a[i] * b[i], MULTIPLY MULTIPLY SUBTRACT MULTIPLY MULTIPLY ADD",
        "a[i] * s, MULTIPLY MULTIPLY",
        "s * a[i], MULTIPLY MULTIPLY",
        "a[i] / s, DIVIDE DIVIDE",
        "a[i] + s, ADD",
    })
    void operatorsOfComplexNumbersAreOperationsOfTheirParts(String expression, String operations) {
        Kernel k = loop(
                "#include <complex>\ntypedef std::complex<float> cf;",
                "cf a[8], cf b[8], cf c[8], float s",
                "c[i] = " + expression + ";");
        assertThat(found(k).stream().filter(o -> !o.startsWith("f/")))
                .containsExactlyInAnyOrderElementsOf(java.util.Arrays.stream(operations.split(" "))
                        .map(o -> o + " float")
                        .toList());
    }

    @Test
    void realAndImaginaryPartsAreWires() {
        Kernel k = loop(
                "#include <complex>\ntypedef std::complex<double> cd;",
                "cd a[8], cd c[8]",
                "cd t(a[i].real() * 2.0, std::imag(a[i])); t += a[i]; c[i] = t;");
        assertThat(found(k).stream().filter(o -> !o.startsWith("f/")))
                .containsExactlyInAnyOrder("MULTIPLY double", "ADD double", "ADD double");
        assertThat(k.array("f/a").orElseThrow().element().bits()).isEqualTo(128);
    }

    /// Bits of a member, by the call of it and by the method.
    @Test
    void bitsOfAMemberAreReadAndWritten() {
        Kernel k = loop(
                "#include <ap_int.h>\nstruct px { ap_uint<24> data; ap_uint<1> last; };",
                "px a[8], ap_uint<8> r[8]",
                "px p = a[i]; ap_uint<8> g = p.data.range(15, 8); p.data(23, 16) = p.data(7, 0) + g; a[i] = p; r[i] = g;");
        assertThat(found(k).stream().filter(o -> !o.contains("f/")))
                .hasSize(1)
                .first()
                .asString()
                .startsWith("ADD");
        assertThat(k.notes()).noneMatch(n -> n.message().contains("p.data"));
    }

    /// Where it cannot be told which operator of an object is called, that is said; it was taken for bits of the
    /// object.
    @Test
    void anObjectThatIsWrittenByACallIsNoNumber() {
        Kernel k = loop(
                "struct m { int d[8][8]; int &operator()(int r, int c) { int k = r ^ c; return d[r][k]; } };",
                "int a[8], int b[8]",
                "m x; x(i, 0) = a[i]; b[i] = a[i] + 1;");
        assertThat(found(k)).containsExactly("ADD int", "f/a");
        assertThat(k.notes()).anyMatch(n -> n.message().contains("x(i, 0) = a[i]"));
    }

    /// A constructor with loops is a call on what is declared.
    @Test
    void aDeclarationRunsItsConstructorsLoops() {
        Kernel k = new Snippets(folder).top("c.cpp", """
                struct Foo {
                  int b[16];
                  Foo(const int *a, int n) { COPY: for (int i = 0; i < 16; i++) b[i] = a[i]; }
                  Foo() { CLEAR: for (int j = 0; j < 16; j++) b[j] = 0; }
                  int sum() { int s = 0; SUM: for (int k = 0; k < 16; k++) s += b[k]; return s; }
                };
                void top(int a[16], int *o) { Foo f(a, 16); Foo g; *o = f.sum() + g.sum(); }
                """, "top");
        assertThat(k.loops().stream().map(Loop::label)).containsExactlyInAnyOrder("COPY", "CLEAR", "SUM");
        assertThat(k.topFunction().bindings())
                .anySatisfy(
                        b -> assertThat(b.arrays()).containsEntry("a", "top/a").containsEntry("this.b", "top/f.b"))
                .anySatisfy(b -> assertThat(b.arrays()).hasSize(1).containsEntry("this.b", "top/g.b"));
        assertThat(k.notes()).isEmpty();
    }

    /// A pointer in an object points where the constructor was told.
    @Test
    void aConstructorSetsPointers() {
        for (String set : new String[] {": taps(t), bias(b) {}", "{ this->bias = b; taps = t; }"}) {
            Kernel k = new Snippets(folder).top("c.cpp", """
                    template <int N> struct Filter {
                      const int *taps; int bias;
                      Filter(const int *t, int b) %s
                      int run(int x) { int s = bias; SUM: for (int k = 0; k < N; k++) s += taps[k] * x; return s; }
                    };
                    void top(int c[16], int a[8], int o[8]) {
                      Filter<16> f(c, 3);
                      ALL: for (int i = 0; i < 8; i++) o[i] = f.run(a[i]);
                    }
                    """.formatted(set), "top");
            assertThat(k.topFunction().bindings())
                    .singleElement()
                    .satisfies(b -> assertThat(b.arrays()).containsEntry("this.taps", "top/c"));
            assertThat(k.array("Filter::run<16>/this.taps").orElseThrow().dims())
                    .containsExactly(16L);
            assertThat(k.topFunction().arrays()).hasSize(3);
            assertThat(k.notes()).isEmpty();
        }
    }

    /// `std::array` is copied, and goes through streams, as a whole.
    @Test
    void arraysAsValues() {
        Kernel k = new Snippets(folder).top("c.cpp", """
                #include <array>
                #include <hls_stream.h>
                typedef std::array<int, 2> pair;
                void top(pair *a, int wide[8][100], hls::stream<pair> &s, std::array<int, 100> b[8]) {
                ALL: for (int i = 0; i < 8; i++) {
                    pair x = a[i];
                    s << x;
                    s >> a[i];
                    b[i] = *((std::array<int, 100> *) wide[i]);
                  }
                }
                """, "top");
        assertThat(Snippets.accesses(k.topFunction()))
                .containsExactlyInAnyOrder(
                        "R a[ALL][0]",
                        "R a[ALL][1]",
                        "W x[0]",
                        "W x[1]",
                        "R x[0]",
                        "R x[1]",
                        "W s",
                        "R s",
                        "W a[ALL][0]",
                        "W a[ALL][1]",
                        "R wide[ALL][? every element of it]",
                        "W b[ALL][? every element of it]");
        assertThat(k.notes()).isEmpty();
    }
}
