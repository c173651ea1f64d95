package knobscape.hls.source.cdt;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import knobscape.evaluate.UserError;
import knobscape.hls.source.Kernel;
import knobscape.hls.source.KernelReader.Options;
import knobscape.hls.source.SourceNote;
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
        return new CdtKernelReader().read(Files.write(folder.resolve("k.c"), bytes), Options.defaults());
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
        assertThat(bytes(("// gr\u00F6\u00DFer als \u00B5\n\f\n" + LOOP + "\u001A")
                                .getBytes(StandardCharsets.ISO_8859_1))
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
    void aSyntaxErrorInAHeaderCostsWhatStandsThere() {
        snippets.write("lib/odd.h", "extern int OPEN EXPORT2 odd PROTO((const char *name));\nextern int x;\n");
        Kernel k = snippets.cpp("#include \"lib/odd.h\"\n" + LOOP);
        assertThat(k.loops()).hasSize(1);
        assertThat(k.notes()).anySatisfy(n -> {
            assertThat(n.severity()).isEqualTo(SourceNote.Severity.WARNING);
            assertThat(n.message()).startsWith("syntax error near 'extern int OPEN");
            assertThat(n.location().file()).endsWith("odd.h");
        });
    }

    @Test
    void aSyntaxErrorBesideAMissingHeaderNamesTheHeader() {
        assertThatThrownBy(() ->
                        snippets.cpp("#include <absent_kit.h>\nKIT_FUNCTION(f, int a[8]) BEGIN2 x\n" + LOOP + "}"))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("kernel.cpp:2: syntax error near")
                .hasMessageContaining("'absent_kit.h', which was not found");
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
        assertThat(snippets.c(nested(Nesting.MOST_LOOPS)).loops()).hasSize(Nesting.MOST_LOOPS);
        assertThatThrownBy(() -> snippets.c(nested(2_000)))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("kernel.c:" + (Nesting.MOST_LOOPS + 2) + ": this loop stands in 64 others")
                .hasMessageEndingWith("move the inner ones out.");
    }

    /// `levels` macros, each of them `times` the one before.
    private static String bomb(int levels, int times) {
        var text = new StringBuilder("#define M0 1 +\n");
        for (int i = 1; i <= levels; i++) {
            text.append("#define M")
                    .append(i)
                    .append((" M" + (i - 1)).repeat(times))
                    .append('\n');
        }
        return text.toString();
    }

    @Test
    void macrosThatBecomeTooLargeAreRefusedBeforeTheyAreExpanded() {
        String use = "void f(int a[8]) {\n L: for (int i = 0; i < 8; i++) a[i] = %s;\n}\n";
        assertThat(snippets.c(bomb(5, 4) + use.formatted("M5 1")).loops()).hasSize(1);
        assertThatThrownBy(() -> snippets.c(bomb(12, 10) + use.formatted("M12 1")))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("kernel.c:15: macro 'M12' becomes more than 2 million tokens");
        assertThat(snippets.c(bomb(12, 10) + use.formatted("1")).loops())
                .as("what is not used does no harm")
                .hasSize(1);
        // By the arguments, through a header, over a continued line.
        String twice = "#define TWICE(x) x + \\\n  x\n";
        String argument = "1";
        for (int i = 0; i < 30; i++) {
            argument = "TWICE(" + argument + ")";
        }
        String nested = twice + use.formatted(argument);
        assertThatThrownBy(() -> snippets.c(nested))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("kernel.c:4: macro 'TWICE'");
        snippets.write("lib/bomb.h", bomb(12, 10));
        assertThatThrownBy(() -> snippets.c("#include \"lib/bomb.h\"\n" + use.formatted("M12 1")))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("kernel.c:3: macro 'M12'");
    }

    @Test
    void macrosThatNameThemselvesOrOneAnotherEnd() {
        assertThat(snippets.c(
                                "#define A B + A\n#define B A + B\n#define F(x, ...) G(x) __VA_ARGS__\n#define G(x) F(x)\n"
                                        + "void f(int a[8]) {\nint A = 1, B = 2;\nL: for (int i = 0; i < 8; i++) a[i] = i;\n}\n"
                                                .replace("int A = 1, B = 2;", ""))
                        .loops())
                .hasSize(1);
        var sizes = new MacroSizes();
        String text =
                "#define A B + A\n#define B A + B\n#define F(x, ...) G(x) G(x __VA_ARGS__)\n#define G(x) F(x, x) F(x)\nA B F(1, 2, 3) F( G(A\n";
        sizes.define(text);
        sizes.check("k.c", text);
    }

    @Test
    void aFileThatIncludesItselfIsToldSo() {
        Kernel k = snippets.c("#include \"kernel.c\"\n" + LOOP);
        assertThat(k.loops()).hasSize(1);
        assertThat(k.notes()).anySatisfy(n -> assertThat(n.toString()).contains("this file includes itself"));
        assertThat(k.notes()).noneSatisfy(n -> assertThat(n.message()).endsWith("preprocessor: "));
    }

    @Test
    void anErrorAtTheEndQuotesNothing() {
        assertThatThrownBy(() -> snippets.cpp("void f(int a[8]) { for (int i = 0; i < 8; i++) { a[i] = i; }\n"))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("syntax error; the brace opened on line 1 is never closed");
    }
}
