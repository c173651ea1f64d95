package knobscape.app.ui.hls.source;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import knobscape.app.ui.hls.source.CppHighlighter.Kind;
import knobscape.app.ui.hls.source.CppHighlighter.Token;
import knobscape.app.ui.task.Background;
import knobscape.hls.HlsTools;
import knobscape.hls.source.Kernel;
import knobscape.hls.source.KernelReader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SourceTest {

    private static List<String> coloured(String text, Kind kind) {
        return CppHighlighter.tokens(text).stream()
                .filter(t -> t.kind() == kind)
                .map(t -> text.substring(t.start(), t.start() + t.length()))
                .toList();
    }

    @Test
    void colourOfEachKindOfToken() {
        String text = """
                #include "gemm.h" // mine
                #define N 64 \\
                    + 1
                #pragma HLS unroll factor=4
                void f(const ap_int<12> a[N]) { /* two
                lines */ outer: for (int i = 0; i < 0x1F; i++) a[i] = 1.5e-3f + 'x' + foo("s\\"q"); }
                """;
        assertThat(coloured(text, Kind.DIRECTIVE)).containsExactly("#include \"gemm.h\" ", "#define N 64 \\\n    + 1");
        assertThat(coloured(text, Kind.PRAGMA)).containsExactly("#pragma HLS unroll factor=4");
        assertThat(coloured(text, Kind.KEYWORD)).containsExactly("const", "for");
        assertThat(coloured(text, Kind.TYPE)).containsExactly("void", "ap_int", "int");
        assertThat(coloured(text, Kind.LABEL)).containsExactly("outer");
        assertThat(coloured(text, Kind.NUMBER)).containsExactly("12", "0", "0x1F", "1.5e-3f");
        assertThat(coloured(text, Kind.STRING)).containsExactly("'x'", "\"s\\\"q\"");
        assertThat(coloured(text, Kind.COMMENT)).containsExactly("// mine", "/* two\nlines */");
    }

    @Test
    void caseAndAccessAndQualifiedNamesAreNotLabels() {
        assertThat(coloured(
                        "switch (x) { default: break; }\npublic:\nstd::vector<int> v;\nloop: while (1) { }",
                        Kind.LABEL))
                .containsExactly("loop");
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void anyTextIsSplitIntoOrderedStretches(long seed) {
        var random = new Random(seed);
        String alphabet = "ab1.\"'/*\\#\n :{};<>+-eE";
        var b = new StringBuilder();
        for (int i = 0; i < 2_000; i++) {
            b.append(alphabet.charAt(random.nextInt(alphabet.length())));
        }
        int end = 0;
        for (Token t : CppHighlighter.tokens(b.toString())) {
            assertThat(t.start()).isGreaterThanOrEqualTo(end);
            assertThat(t.length()).isPositive();
            end = t.start() + t.length();
        }
        assertThat(end).isLessThanOrEqualTo(b.length());
    }

    @Test
    void loopsAndArraysAreMarkedAndSelectedByTheirLine() {
        Kernel kernel = HlsTools.standard()
                .reader()
                .read(Path.of("sample-projects/gemm/gemm.cpp"), KernelReader.Options.defaults());
        var model = new SourceViewModel(Background.direct());
        model.open(kernel);
        var page = model.page().get().orElseThrow();
        var dot = kernel.loop("gemm/dot").orElseThrow();
        assertThat(page.marks().get(dot.keyword().line()))
                .extracting(SourceViewModel.Mark::subject)
                .contains(new SourceElement(SourceElement.Kind.LOOP, "gemm/dot"));

        model.selectLine(dot.keyword().line());
        assertThat(model.selected().get()).contains(new SourceElement(SourceElement.Kind.LOOP, "gemm/dot"));
        assertThat(model.lines(model.selected().get().orElseThrow()).orElseThrow())
                .containsExactly(dot.keyword().line(), dot.bodyEnd().line());

        // Three arrays stand on one line: each click continues to the next.
        int line = kernel.array("gemm/a").orElseThrow().location().line();
        var seen = new java.util.LinkedHashSet<String>();
        for (int i = 0; i < page.marks().get(line).size(); i++) {
            model.selectLine(line);
            seen.add(model.selected().get().orElseThrow().id());
        }
        assertThat(seen).contains("gemm/a", "gemm/b");
        model.close();
        assertThat(model.page().get()).isEqualTo(Optional.empty());
    }
}
