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

/// Files that are no sources, and sources with mistakes: one sentence without control characters, or a warning and the rest of the kernel.
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
        assertThatThrownBy(() -> bytes(bytes)).isInstanceOf(UserError.class).hasMessageContaining("k.c is not a text file (").hasMessageEndingWith("in UTF-8.")
                .message().doesNotContainPattern("\\p{Cntrl}");
    }

    @Test
    void otherNonTextIsNamed() {
        assertThatThrownBy(() -> bytes(LOOP.getBytes(StandardCharsets.UTF_16))).isInstanceOf(UserError.class).hasMessageContaining("(it is in UTF-16)");
        assertThatThrownBy(() -> bytes(("\n\n" + LOOP.replace("0; }", "\b0; }")).getBytes(StandardCharsets.UTF_8))).isInstanceOf(UserError.class)
                .hasMessageContaining("(line 3 holds the control character 0x08)");
        assertThatThrownBy(() -> bytes(new byte[] {0x7F, 'E', 'L', 'F', 2, 1, 1, 0})).isInstanceOf(UserError.class).hasMessageContaining("is not a text file");
    }

    @Test
    void oldTextsAreText() throws Exception {
        assertThat(bytes(("// gr\u00F6\u00DFer als \u00B5\n\f\n" + LOOP + "\u001A").getBytes(StandardCharsets.ISO_8859_1)).loops()).hasSize(1);
        assertThat(bytes(("\uFEFF// gr\u00F6\u00DFer, \u5927\u304D\u3044\u5927\u304D\u3044\u5927\u304D\u3044\u5927\u304D\u3044\u5927\u304D\u3044\u5927\u304D\u3044\r\n" + LOOP)
                .getBytes(StandardCharsets.UTF_8)).loops()).hasSize(1);
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
        assertThatThrownBy(() -> snippets.cpp("#include <absent_kit.h>\nKIT_FUNCTION(f, int a[8]) BEGIN2 x\n" + LOOP + "}"))
                .isInstanceOf(UserError.class).hasMessageContaining("kernel.cpp:2: syntax error near").hasMessageContaining("'absent_kit.h', which was not found");
    }
}
