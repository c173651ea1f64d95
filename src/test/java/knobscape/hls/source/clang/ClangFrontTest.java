package knobscape.hls.source.clang;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import knobscape.compile.CompileLimits;
import knobscape.compile.Transformation;
import knobscape.compile.ir.IrConstant;
import knobscape.compile.ir.IrFunction;
import knobscape.compile.ir.IrModule;
import knobscape.compile.ir.IrValue;
import knobscape.evaluate.CancellationSignal;
import knobscape.evaluate.UserError;
import knobscape.hls.source.CompiledSource;
import knobscape.hls.source.KernelReader;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Sources with directives through the compiler.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ClangFrontTest {
    private static final String FOLD =
            "always-inline,function(sroa,early-cse,instcombine,simplifycfg,loop-simplify,lcssa,loop-rotate,loop-unroll-full,sroa,instcombine,sccp,simplifycfg,gvn)";

    @TempDir
    Path folder;

    private final ClangFront front = new ClangFront(CompileLimits.defaults());
    private final CancellationSignal never = new CancellationSignal();

    @AfterAll
    void end() {
        front.close();
    }

    private CompiledSource compile(String name, String text) throws IOException {
        Path file = folder.resolve(name);
        Files.createDirectories(file.getParent());
        return front.compile(Files.writeString(file, text), KernelReader.Options.defaults(), never);
    }

    private IrModule module(CompiledSource source, String... passes) {
        IrModule module = source.read(Transformation.passes(passes), never);
        return module;
    }

    private List<String> placed(CompiledSource source) {
        return source.placed(module(source)).stream()
                .map(p -> p.directive().name() + p.directive().options() + "@"
                        + p.directive().location().line())
                .toList();
    }

    @Test
    void numbersAreWorkedOutByTheCompiler() throws IOException {
        CompiledSource s = compile("a.cpp", """
                #define N 4+4
                #define FACTOR(x) ((x) / 2)
                template <int U> static int f(const int *a) {
                    int s = 0;
                    for (int i = 0; i < 64; i++) {
                #pragma HLS UNROLL factor=U * 2 skip_exit_check // a comment
                        s += a[i];
                    }
                    return s;
                }
                int top(const int a[64]) {
                #pragma HLS INTERFACE m_axi port=a offset = slave bundle=gmem depth=N
                #pragma HLS ARRAY_PARTITION variable=a cyclic factor=FACTOR(8) \\
                    dim = 1
                    return f<2>(a) + f<3>(a);
                }
                """);
        assertThat(placed(s))
                .containsExactlyInAnyOrder(
                        "UNROLL{factor=4, skip_exit_check=}@6",
                        "UNROLL{factor=6, skip_exit_check=}@6",
                        "INTERFACE{mode=m_axi, port=a, offset=slave, bundle=gmem, depth=8}@12",
                        "ARRAY_PARTITION{variable=a, type=cyclic, factor=4, dim=1}@13");
        assertThat(s.notes()).isEmpty();
    }

    @Test
    void aDirectiveStandsInItsLoopAlsoWithoutBraces() throws IOException {
        CompiledSource s = compile("b.c", """
                void top(int a[8][8], int b[8]) {
                    for (int i = 0; i < 8; i++)
                #pragma HLS PIPELINE II=2
                        for (int j = 0; j < 8; j++)
                #pragma HLS UNROLL
                            a[i][j] = b[j];
                }
                """);
        IrFunction top = module(s).function("top").orElseThrow();
        List<CompiledSource.Placed> placed = s.placed(top);
        assertThat(placed).extracting(p -> p.directive().name()).containsExactly("PIPELINE", "UNROLL");
        assertThat(top.blocks().get(placed.get(0).block()).name()).isEqualTo("for.body");
        assertThat(top.blocks().get(placed.get(1).block()).name()).isEqualTo("for.body3");
        // Places of the source did not move.
        assertThat(top.blocks().stream().flatMap(b -> b.loop().stream()))
                .extracting(l -> l.start().orElseThrow().line() + ":"
                        + l.start().orElseThrow().column())
                .containsExactlyInAnyOrder("2:5", "4:9");
    }

    @Test
    void aVariableIsItsOwnPlace() throws IOException {
        CompiledSource s = compile("c.cpp", """
                struct S { int x[4]; int y; };
                static int g[16];
                void top(int *p, S *q) {
                    int l[4]; S s; int &r = s.y;
                #pragma HLS STREAM variable=p depth=3
                #pragma HLS ARRAY_PARTITION variable=l complete
                #pragma HLS ARRAY_PARTITION variable=g block factor=2
                #pragma HLS ARRAY_PARTITION variable=s.x complete
                #pragma HLS BIND_OP variable=r op=mul impl=fabric
                    p[0] = l[1] + g[2] + s.x[3] + r;
                }
                """);
        IrFunction top = module(s).functions().stream()
                .filter(f -> f.sourceName().equals("top"))
                .findFirst()
                .orElseThrow();
        List<Optional<IrValue>> variables =
                s.placed(top).stream().map(CompiledSource.Placed::variable).toList();
        assertThat(variables).hasSize(5).allMatch(Optional::isPresent);
        assertThat(nameOf(top, variables.get(0).orElseThrow())).isEqualTo("p");
        assertThat(nameOf(top, variables.get(1).orElseThrow())).isEqualTo("l");
        assertThat(variables.get(2).orElseThrow()).isInstanceOf(IrValue.Symbol.class);
    }

    private static String nameOf(IrFunction f, IrValue value) {
        return f.variables().stream()
                .filter(v -> v.value().equals(value))
                .findFirst()
                .orElseThrow()
                .name();
    }

    @Test
    void firstSizesOfArrayParametersAreTold() throws IOException {
        CompiledSource s = compile("j.cpp", """
                #define N 6
                template <int M> int f(const int a[M * 2][3], int b[], int n) { int s = 0; for (int i = 0; i < n; i++) s += a[i][0] + b[i]; return s; }
                int top(int x[N], int *y, short (*z)[4])
                {
                    if (x[0] > N) { return 1; }
                    return f<5>((const int (*)[3])x, y, N);
                }
                """);
        IrModule module = module(s);
        var sizes = module.functions().stream()
                .flatMap(f -> f.instructions().stream()
                        .filter(i -> i.callee().filter("__kn_dim"::equals).isPresent())
                        .map(i -> f.sourceName() + " " + i.operands().get(1)))
                .toList();
        assertThat(sizes)
                .containsExactlyInAnyOrder(
                        "f<5> Whole[value=10, type=Int[bits=64]]", "top Whole[value=6, type=Int[bits=64]]");
        assertThat(s.directives()).isEmpty();
        int column = module.functions().stream()
                .flatMap(f -> f.blocks().stream())
                .flatMap(b -> b.loop().stream())
                .findFirst()
                .orElseThrow()
                .start()
                .orElseThrow()
                .column();
        assertThat(s.column(s.main(), 2, column)).isEqualTo(76);
    }

    @Test
    void pragmaOperatorsAndMacrosArePragmas() throws IOException {
        CompiledSource s = compile("d.cpp", """
                #define DO_PRAGMA_INNER(x) _Pragma(#x)
                #define DO_PRAGMA(x) DO_PRAGMA_INNER(x)
                const int U = 3;
                void top(int a[12]) {
                    _Pragma("HLS INLINE off") for (int i = 0; i < 12; i++) {
                        DO_PRAGMA(HLS UNROLL factor=U)
                        a[i]++;
                    }
                }
                """);
        assertThat(placed(s)).containsExactlyInAnyOrder("INLINE{off=}@5", "UNROLL{factor=3}@6");
        assertThat(s.directives()).noneMatch(CompiledSource.Directive::editable);
        IrFunction top = module(s).functions().stream()
                .filter(f -> f.sourceName().equals("top"))
                .findFirst()
                .orElseThrow();
        assertThat(top.blocks().stream().flatMap(b -> b.loop().stream()))
                .extracting(l -> l.start().orElseThrow().column())
                .containsExactly(31);
    }

    @Test
    void otherToolsDirectivesAreNamed() throws IOException {
        CompiledSource s = compile("e.cpp", """
                void top(int a[8]) {
                    #pragma ACCEL PIPELINE
                    #pragma unroll 4
                    #pragma hls_pipeline_init_interval 2
                    #pragma ii 3
                    for (int i = 0; i < 8; i++) a[i]++;
                }
                """);
        assertThat(placed(s))
                .containsExactly(
                        "ACCEL PIPELINE{}@2",
                        "INTEL UNROLL{factor=4}@3",
                        "CATAPULT PIPELINE_INIT_INTERVAL{ii=2}@4",
                        "INTEL II{ii=3}@5");
        assertThat(s.directives()).allMatch(CompiledSource.Directive::above);
    }

    @Test
    void whatIsNotUnderstoodIsNotedAtItsLineAndLeftOut() throws IOException {
        CompiledSource s = compile("f.c", """
                void top(int a[8]) {
                #pragma HLS ARRAY_PARTITION variable=nowhere complete
                #pragma HLS INLINE
                    for (int i = 0; i < 8; i++) a[i]++;
                }
                """);
        assertThat(placed(s)).containsExactly("INLINE{}@3");
        assertThat(s.directives()).hasSize(2);
        assertThat(s.notes()).singleElement().satisfies(n -> {
            assertThat(n.location().line()).isEqualTo(2);
            assertThat(n.message()).contains("not applied").contains("nowhere");
        });
    }

    @Test
    void headersAreFoundInTheProjectOrStoodInFor() throws IOException {
        Files.createDirectories(folder.resolve("p/common"));
        Files.writeString(folder.resolve("p/common/size.h"), "#define SIZE 24\n");
        Files.createDirectories(folder.resolve("p/.git"));
        CompiledSource s = compile("p/src/g.cpp", """
                #include "size.h"
                #include "../elsewhere/gone.h"
                #include <ap_int.h>
                void top(ap_int<5> a[SIZE]) { for (int i = 0; i < SIZE; i++) a[i] = i; }
                """);
        assertThat(s.files()).contains(folder.resolve("p/common/size.h"));
        assertThat(s.notes()).singleElement().satisfies(n -> {
            assertThat(n.isMissingHeader()).isTrue();
            assertThat(n.message()).contains("../elsewhere/gone.h");
            assertThat(n.location().line()).isEqualTo(2);
        });
    }

    @Test
    void whatDoesNotCompileIsTheCompilersMessage() {
        assertThatThrownBy(() -> compile("h.cpp", """
                #include "gone.h"
                void top(int a[8]) {
                #pragma HLS INLINE
                    thing_t b = a[0];
                }
                """))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("h.cpp:4:5: unknown type name 'thing_t'.")
                .hasMessageContaining("gone.h")
                .hasMessageContaining("-I")
                .hasMessageEndingWith("^");
    }

    /// The values are the vendor's, worked out by hand from its manual: widths grow, fractions are cut, wrapped,
    /// rounded
    /// or saturated as the type says.
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "(long)(ap_int<8>(127) + ap_int<8>(1)) | 128",
                "(long)ap_int<8>(ap_int<8>(127) + 1) | -128",
                "(long)(ap_uint<8>(200) * ap_uint<8>(200)) | 40000",
                "(long)(ap_uint<4>(3) - ap_uint<4>(5)) | -2",
                "(long)(ap_int<8>(-7) / ap_int<4>(2)) | -3",
                "(long)(ap_int<8>(-7) % ap_int<4>(4)) | -3",
                "(long)(ap_int<8>(-1) > ap_uint<8>(200)) | 0",
                "(long)(ap_int<8>(-128) >> 3) | -16",
                "(long)(ap_uint<4>(9) << 2) | 4",
                "(long)ap_uint<12>(0xabc).range(7, 4) | 11",
                "(long)(ap_uint<4>(0xa), ap_uint<8>(0x5c)) | 2652",
                "(long)ap_uint<100>(-1).range(99, 90) | 1023",
                "ap_int<8>(-128)[7] + ap_int<8>(-128)[0] | 1",
                "(long)(-ap_int<8>(-128)) | 128",
                "(long)ap_uint<6>(37).xor_reduce() | 1",
                "(long)ap_uint<6>(37).lrotate(2) | 22",
                "(long)ap_uint<6>(37).rrotate(1) | 50",
                "ap_uint<9>(40).countLeadingZeros() | 3",
                "(long)(ap_fixed<8, 4>(1.5) * ap_fixed<8, 4>(-2.25) * 1024) | -3456",
                "(long)(ap_fixed<8, 4>(-0.03) * 16) | -1",
                "(long)((double)ap_fixed<8, 4, AP_RND>(0.04) * 16) | 1",
                "(long)((double)ap_fixed<8, 4, AP_TRN_ZERO>(-0.05) * 16) | 0",
                "(long)((double)ap_fixed<8, 4, AP_TRN, AP_SAT>(100) * 16) | 127",
                "(long)((double)ap_fixed<8, 4>(9) * 16) | -112",
                "(long)((double)ap_ufixed<8, 8, AP_TRN, AP_SAT>(-3)) | 0",
                "(long)((double)(ap_fixed<8, 4>(1.25) + ap_fixed<6, 2>(0.0625)) * 16) | 21",
                "ap_fixed<10, 6>(-3.5).to_int() | -3",
                "(long)(ap_fixed<8, 4>(2.5) > 2) + (ap_fixed<8, 4>(2.5) == 2.5) | 2"
            })
    void arithmeticOfTheToolsTypes(String expression, long value) throws IOException {
        CompiledSource s =
                compile("i.cpp", "#include <ap_fixed.h>\nextern \"C\" long top() { return " + expression + "; }\n");
        IrFunction top = module(s, FOLD).function("top").orElseThrow();
        assertThat(top.blocks().getLast().terminator().operands().getFirst())
                .isInstanceOfSatisfying(
                        IrConstant.Whole.class, w -> assertThat(w.asLong()).hasValue(value));
    }

    @Test
    void everyCaseCompilesWithAllItsDirectives() throws IOException {
        Path cases = Path.of(System.getProperty("knobscape.shared", "../shared"), "data/hls/cases");
        assumeTrue(Files.isDirectory(cases), "no " + cases);
        try (Stream<Path> files = Files.list(cases)) {
            for (Path file : files.filter(f -> f.toString().matches(".*\\.(c|cpp)"))
                    .sorted()
                    .toList()) {
                CompiledSource s = front.compile(file, KernelReader.Options.defaults(), never);
                long pragmas = Files.readAllLines(file).stream()
                        .filter(l -> l.strip().matches("#\\s*pragma.*"))
                        .count();
                assertThat(s.directives()).as(file.toString()).hasSize((int) pragmas);
            }
        }
    }
}
