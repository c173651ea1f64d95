package knobscape.compile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import knobscape.compile.ir.IrDebugType;
import knobscape.compile.ir.IrFunction;
import knobscape.compile.ir.IrModule;
import knobscape.evaluate.CancellationSignal;
import knobscape.evaluate.UserError;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Sources through clang: places, names and types of the source arrive; messages are clang's; nothing runs for ever.
class ClangTest {
    @TempDir
    Path folder;

    private final CancellationSignal never = new CancellationSignal();

    private CompileUnit unit(String name, String text) throws IOException {
        Path file = Files.writeString(folder.resolve(name), text);
        return new CompileUnit(file, !name.endsWith(".c"), List.of(), List.of(), Map.of(), Map.of());
    }

    private static Clang clang() {
        return new Clang(CompileLimits.defaults());
    }

    private IrModule module(CompileUnit unit) {
        var compiled = (Clang.Outcome.Compiled) clang().compile(unit, never);
        try (var llvm = new Llvm(CompileLimits.defaults())) {
            return llvm.read(llvm.load(compiled.bitcode()), Transformation.passes(), never);
        }
    }

    @Test
    void namesPlacesAndTypesOfTheSourceArrive() throws IOException {
        IrModule module = module(unit("a.c", """
                typedef unsigned _BitInt(12) pixel;
                struct point { int x; float y[3]; struct point *next; };
                static const short table[3] = {1, 2, 3};
                void top(pixel a[][20], struct point *p, int n) {
                    static int count = 4;
                    int buffer[8][5];
                OUTER:
                    for (int i = 0; i < n; i++) {
                        do { buffer[i][0] += a[i][1] + table[2] + p->x + count; } while (p->y[1] > 0);
                    }
                }
                """));
        IrFunction top = module.function("top").orElseThrow();
        assertThat(top.location().orElseThrow())
                .hasToString("IrLocation[file=" + folder.resolve("a.c")
                        + ", line=4, column=0, function=top, inlinedAt=Optional.empty]");
        assertThat(top.labels()).hasSize(1).first().satisfies(l -> {
            assertThat(l.name()).isEqualTo("OUTER");
            assertThat(l.location().line()).isEqualTo(7);
        });
        assertThat(top.blocks().stream().flatMap(b -> b.loop().stream()))
                .extracting(l -> l.start().orElseThrow().line() + ":"
                        + l.start().orElseThrow().column())
                .containsExactlyInAnyOrder("8:5", "9:9");
        var types = top.variables().stream().collect(Collectors.toMap(IrFunction.IrVariable::name, v -> v));
        var pixel = new IrDebugType.Alias(
                "pixel", new IrDebugType.Basic("unsigned _BitInt", 16, IrDebugType.Encoding.UNSIGNED));
        assertThat(types.get("a").type())
                .isEqualTo(new IrDebugType.Address(new IrDebugType.Elements(pixel, List.of(20L), 320), false));
        assertThat(types.get("a").argument()).isEqualTo(1);
        assertThat(types.get("n").argument()).isEqualTo(3);
        assertThat(types.get("buffer").argument()).isZero();
        assertThat(((IrDebugType.Elements) types.get("buffer").type()).dims()).containsExactly(8L, 5L);
        var point =
                (IrDebugType.Composite) ((IrDebugType.Address) types.get("p").type()).target();
        assertThat(point.members()).extracting(IrDebugType.Member::name).containsExactly("x", "y", "next");
        assertThat(point.members()).extracting(IrDebugType.Member::offset).containsExactly(0L, 32L, 128L);
        assertThat(point.members().get(2).type())
                .isEqualTo(new IrDebugType.Address(new IrDebugType.Unknown("point"), false));
        var count = module.globals().stream()
                .filter(g -> g.sourceName().equals("count"))
                .findFirst()
                .orElseThrow();
        assertThat(count.location().orElseThrow().function()).isEqualTo("top");
        assertThat(count.location().orElseThrow().line()).isEqualTo(5);
    }

    @Test
    void aMessageHasPlaceAndCaret() throws IOException {
        var rejected = (Clang.Outcome.Rejected)
                clang().compile(unit("b.cpp", "int f() {\n  return nowhere_q + 1;\n}\n"), never);
        assertThat(rejected.messages()).hasSize(1);
        Diagnostic d = rejected.messages().getFirst();
        assertThat(d.error()).isTrue();
        assertThat(d.file()).endsWith("b.cpp");
        assertThat(d.line()).isEqualTo(2);
        assertThat(d.column()).isEqualTo(10);
        assertThat(d.message()).contains("nowhere_q");
        assertThat(d.excerpt().lines().toList()).last().asString().contains("^");
    }

    @Test
    void includedAndMissingHeadersAreTold() throws IOException {
        Files.writeString(folder.resolve("with space.h"), "#include <nowhere/deep.h>\n");
        CompileUnit unit = unit("c.cpp", "#include \"with space.h\"\n#include \"gone.h\"\nint x;\n");
        Clang.Included included = clang().included(unit, never);
        assertThat(included.files()).containsExactlyInAnyOrder(unit.main(), folder.resolve("with space.h"));
        assertThat(included.missing()).containsExactlyInAnyOrder("nowhere/deep.h", "gone.h");
    }

    @Test
    void aReplacedTextStandsAtTheFilesPlace() throws IOException {
        CompileUnit unit = unit("d.c", "int f(void) { return 1; }\n")
                .withReplaced(Map.of(folder.resolve("d.c"), "\nint g(void) { return 2; }\n"));
        IrFunction g = module(unit).function("g").orElseThrow();
        assertThat(g.location().orElseThrow().file())
                .isEqualTo(folder.resolve("d.c").toString());
        assertThat(g.location().orElseThrow().line()).isEqualTo(2);
    }

    @Test
    void noHeaderOfTheSystemIsRead() throws IOException {
        assertThat(clang().included(unit("e.c", "#include <stdio.h>\n"), never).missing())
                .containsExactly("stdio.h");
    }

    @Test
    void bombsEndWithinTheLimits() throws IOException {
        var small = new Clang(new CompileLimits(Duration.ofSeconds(5), 1024));
        List<CompileUnit> bombs = List.of(
                unit("templates.cpp", """
                        template <int N, int M> struct T { static const int v = T<N - 1, M>::v + T<N - 1, M + 1>::v; };
                        template <int M> struct T<0, M> { static const int v = 1; };
                        int x = T<900, 0>::v;
                        """),
                unit(
                        "macros.c",
                        IntStream.range(1, 40)
                                .mapToObj(i -> "#define A" + i + " A" + (i - 1) + " + A" + (i - 1) + "\n")
                                .collect(Collectors.joining("", "#define A0 1\n", "int x = A39;\n"))),
                unit("itself.h", "#include \"itself.h\"\n#include \"itself.h\"\nint x;\n"));
        for (CompileUnit bomb : bombs) {
            try {
                assertThat(small.compile(bomb, never))
                        .as(bomb.main().toString())
                        .isInstanceOf(Clang.Outcome.Rejected.class);
            } catch (UserError e) {
                assertThat(e.getMessage()).startsWith("The C++ compiler ").doesNotContain("\n");
            }
        }
    }

    @Test
    void aStoppedCompilationEnds() throws IOException {
        var cancel = new CancellationSignal();
        cancel.cancel();
        CompileUnit unit = unit("f.c", "int x;\n");
        assertThatThrownBy(() -> clang().compile(unit, cancel)).isInstanceOf(CancellationException.class);
    }
}
