package knobscape.hls.source.clang;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Random;
import knobscape.compile.CompileLimits;
import knobscape.evaluate.CancellationSignal;
import knobscape.evaluate.UserError;
import knobscape.hls.source.Kernel;
import knobscape.hls.source.KernelReader.Options;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Files that are no sources, and sources with mistakes: one sentence without control characters, or a warning
/// and the rest of the kernel.
class BadFileTest {
    private static final String LOOP = "void f(int a[8]) { L: for (int i = 0; i < 8; i++) a[i] = 0; }\n";

    @TempDir
    private Path folder;

    private Snippets snippets;

    @BeforeEach
    void open() {
        snippets = new Snippets(folder);
    }

    private Kernel bytes(byte[] bytes) throws Exception {
        return Snippets.READER.read(Files.write(folder.resolve("k.c"), bytes), Options.defaults());
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void aBinaryFileWithoutZerosIsCalledThat(long seed) throws Exception {
        var random = new Random(seed);
        byte[] bytes = new byte[seed < 5 ? 40 : 4000];
        for (int i = 0; i < bytes.length; i++) {
            // the last seeds have no control characters either
            bytes[i] = (byte) (seed < 7 ? 1 + random.nextInt(255) : 128 + random.nextInt(128));
        }
        assertThatThrownBy(() -> bytes(bytes))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("k.c is not a text file (")
                .hasMessageEndingWith("in UTF-8.")
                .message()
                .doesNotContainPattern("\\p{Cntrl}");
    }

    @Test
    void otherNonTextIsNamed() {
        assertThatThrownBy(() -> bytes(LOOP.getBytes(StandardCharsets.UTF_16)))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("(it is in UTF-16)");
        assertThatThrownBy(() -> bytes(("\n\n" + LOOP.replace("0; }", "\b0; }")).getBytes(StandardCharsets.UTF_8)))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("(line 3 holds the control character 0x08)");
        assertThatThrownBy(() -> bytes(new byte[] {0x7F, 'E', 'L', 'F', 2, 1, 1, 0}))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("is not a text file");
    }

    @Test
    void oldTextsAreText() throws Exception {
        assertThat(bytes(("// gr\u00F6\u00DFer als \u00B5\n\f\n" + LOOP).getBytes(StandardCharsets.ISO_8859_1))
                        .loops())
                .hasSize(1);
        assertThat(bytes(
                                ("\uFEFF// gr\u00F6\u00DFer, \u5927\u304D\u3044\u5927\u304D\u3044\u5927\u304D\u3044\u5927\u304D\u3044\u5927\u304D\u3044\u5927\u304D\u3044\r\n"
                                                + LOOP)
                                        .getBytes(StandardCharsets.UTF_8))
                        .loops())
                .hasSize(1);
    }

    @Test
    void anErrorInAHeaderNamesItsLine() {
        snippets.write("lib/odd.h", "extern int x;\nextern int OPEN EXPORT2 odd PROTO((const char *name));\n");
        assertThatThrownBy(() -> snippets.cpp("#include \"lib/odd.h\"\n" + LOOP))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("odd.h:2:16: ")
                .hasMessageContaining("^");
    }

    @Test
    void anErrorBesideAMissingHeaderNamesTheHeader() {
        assertThatThrownBy(() ->
                        snippets.cpp("#include <absent_kit.h>\nKIT_FUNCTION(f, int a[8]) BEGIN2 x\n" + LOOP + "}"))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("kernel.cpp:2:")
                .hasMessageContaining("Headers that are missing: absent_kit.h; name their folder with -I.");
    }

    private static String nested(int loops) {
        return "void f(int a[8]) {\n"
                + java.util.stream.IntStream.range(0, loops)
                        .mapToObj(i -> "for (int i" + i + " = 0; i" + i + " < 2; i" + i + "++)\n")
                        .collect(java.util.stream.Collectors.joining())
                + "a[0] = 1;\n}\n";
    }

    @Test
    void loopsNestToABound() {
        assertThat(snippets.c(nested(64)).loops()).hasSize(64);
        assertThatThrownBy(() -> snippets.c(nested(20_000))).isInstanceOf(UserError.class);
    }

    @Test
    void macrosThatNameThemselvesOrOneAnotherEnd() {
        assertThat(snippets.c(
                                "#define A B + A\n#define B A + B\n#define F(x, ...) G(x) __VA_ARGS__\n#define G(x) F(x)\n"
                                        + LOOP)
                        .loops())
                .hasSize(1);
    }

    @Test
    void aFileThatIncludesItselfIsToldSo() {
        assertThatThrownBy(() -> snippets.c("#include \"kernel.c\"\n" + LOOP))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("nested too deeply");
    }

    @Test
    void anErrorAtTheEndSaysWhatIsMissing() {
        assertThatThrownBy(() -> snippets.cpp("void f(int a[8]) { for (int i = 0; i < 8; i++) { a[i] = i; }\n"))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("expected '}'");
    }

    /// Macros, templates and braces without measure: a sentence within the compiler's limits.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "#define A(x) x+x+x+x+x+x+x+x\n#define B(x) A(A(A(A(x))))\nint v = B(B(B(B(1))));\nvoid f(int a[8]) {}",
                "template<int N> struct T { static const long v = T<N - 1>::v + T<N + 1>::v; };\nlong v = T<9>::v;",
                "template<typename T> struct W { T a, b; }; "
                        + "typedef W<W<W<W<W<W<W<W<W<W<W<W<W<W<W<W<W<W<W<W<W<W<W<W<W<W<W<W<W<W<W<W<int>>>>>>>>>>>>>>>>"
                        + ">>>>>>>>>>>>>>>> w; w x; void f(int a[8]) { a[0] = sizeof(w); }",
            })
    void whatGrowsWithoutEndIsRefused(String text) {
        try (var front = new ClangFront(new CompileLimits(Duration.ofSeconds(2), 4096))) {
            Path file = snippets.write("kernel.cpp", text);
            assertThatThrownBy(() -> front.compile(file, Options.defaults(), new CancellationSignal()))
                    .isInstanceOf(UserError.class)
                    .hasMessageContaining("kernel.cpp");
        }
    }

    @Test
    void aSwitchOfManyCasesAndDeepStructuresAreRead() {
        var text = new StringBuilder("struct S0 { int a; int b; };\n");
        for (int i = 0; i < 30; i++) {
            text.append("struct S%d { S%d a; S%d b; };\n".formatted(i + 1, i, i));
        }
        text.append("void f(int a[8], int k) { L: for (int i = 0; i < 8; i++) switch (k) {\n");
        for (int i = 0; i < 2_000; i++) {
            text.append("case %d: a[%d] = %d; break;\n".formatted(i, i % 8, i));
        }
        Kernel k = snippets.cpp(text + "default: a[0] = sizeof(S30) > 3; } }\n");
        assertThat(Snippets.trip(k, "L")).isEqualTo("8");
    }
}
