package knobscape.hls.export;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import knobscape.evaluate.UserError;
import knobscape.evaluate.report.FileGuard;
import knobscape.hls.evaluate.estimator.Kernels;
import knobscape.hls.export.HlsExporter.ExportResult;
import knobscape.hls.export.HlsExporter.Settings;
import knobscape.hls.source.KernelReader;
import knobscape.hls.space.DirectiveSpace;
import knobscape.hls.space.SpaceBuilder;
import knobscape.hls.space.SpaceLimits;
import knobscape.space.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HlsExporterTest {
    private static final String MAIN =
            "#include \"k.h\"\n#include <ap_int.h>\nvoid f() { g(); }\nvoid k() {\n  for (;;) {\n    f();\n  }\n}\n";
    private static final Settings SETTINGS = new Settings("xc7vx485tffg1761-2", 10, false, List.of(), Map.of());

    @TempDir
    private Path folder;

    private ChosenSpace project(byte[] main, String text) throws Exception {
        Path sources = Files.createDirectories(folder.resolve("project"));
        Files.write(sources.resolve("k.cpp"), main);
        Files.writeString(sources.resolve("k.h"), "#include \"deep/d.h\"\n");
        Files.writeString(Files.createDirectories(sources.resolve("deep")).resolve("d.h"), "typedef int t;\n");
        Files.writeString(sources.resolve("unrelated.txt"), "");
        return new ChosenSpace(SourceSketch.of(sources.resolve("k.cpp").toString(), text), "k/L5", "f");
    }

    private static Configuration choose(ChosenSpace space, int... levels) {
        return Configuration.of(space.space().knobs(), levels);
    }

    private List<String> names(Path where) throws Exception {
        try (Stream<Path> all = Files.walk(where)) {
            return all.filter(Files::isRegularFile)
                    .filter(p -> !p.endsWith(FileGuard.MANIFEST))
                    .map(p -> where.relativize(p).toString().replace('\\', '/'))
                    .sorted()
                    .toList();
        }
    }

    @Test
    void tclFolderIsComplete() throws Exception {
        ChosenSpace space = project(MAIN.getBytes(StandardCharsets.UTF_8), MAIN);
        Path out = folder.resolve("out");
        ExportResult written = new HlsExporter(Dialect.VITIS_HLS, SETTINGS).tcl(space, choose(space, 1, 1, 0), out);
        assertThat(names(out)).containsExactly("directives.tcl", "run_hls.tcl", "src/deep/d.h", "src/k.cpp", "src/k.h");
        assertThat(written.files()).hasSize(5).allMatch(Files::isRegularFile);
        assertThat(out.resolve("src/k.cpp")).content().isEqualTo(MAIN.replace("  for", "  L5: for"));
        assertThat(out.resolve("directives.tcl"))
                .content()
                .contains(
                        "set_directive_pipeline \"k/L5\"\n",
                        "set_directive_unroll -factor 2 \"k/L5\"\n",
                        "set_directive_inline -off \"f\"\n");
        assertThat(out.resolve("run_hls.tcl"))
                .content()
                .contains("add_files \"src/k.cpp\"\n", "source \"directives.tcl\"");
    }

    @Test
    void pragmasSayWhatTheToolWouldDoByItself() throws Exception {
        ChosenSpace space = project(MAIN.getBytes(StandardCharsets.UTF_8), MAIN);
        new HlsExporter(Dialect.VITIS_HLS, SETTINGS).pragmas(space, space.baseline(), folder.resolve("out"));
        assertThat(folder.resolve("out/src/k.cpp"))
                .content()
                .isEqualTo(MAIN.replace("f() { g", "f() {\n    #pragma HLS INLINE off\n g")
                        .replace("  for (;;) {\n", "  L5: for (;;) {\n    #pragma HLS PIPELINE off\n"));
        new HlsExporter(Dialect.VIVADO_HLS, SETTINGS).pragmas(space, space.baseline(), folder.resolve("old"));
        assertThat(folder.resolve("old/src/k.cpp")).content().doesNotContain("PIPELINE");
        assertThat(names(folder.resolve("old"))).containsExactly("run_hls.tcl", "src/deep/d.h", "src/k.cpp", "src/k.h");
    }

    @Test
    void encodingAndByteOrderMarkStay() throws Exception {
        String text = MAIN.replace("f() {", "f() { /* größer */").replace("\n", "\r\n");
        byte[] utf8 = ("\uFEFF" + text).getBytes(StandardCharsets.UTF_8);
        ChosenSpace space = project(utf8, text);
        new HlsExporter(Dialect.VIVADO_HLS, SETTINGS).pragmas(space, choose(space, 0, 0, 1), folder.resolve("out"));
        String expected = text.replace("größer */ g", "größer */\r\n    #pragma HLS INLINE\r\n g")
                .replace(
                        "f() { /* größer */\r\n    #pragma HLS INLINE\r\n g",
                        "f() {\r\n    #pragma HLS INLINE\r\n /* größer */ g")
                .replace("  for", "  L5: for");
        assertThat(Files.readAllBytes(folder.resolve("out/src/k.cpp")))
                .isEqualTo(("\uFEFF" + expected).getBytes(StandardCharsets.UTF_8));

        space = project(text.getBytes(StandardCharsets.ISO_8859_1), text);
        new HlsExporter(Dialect.VIVADO_HLS, SETTINGS).pragmas(space, choose(space, 0, 0, 1), folder.resolve("out"));
        assertThat(Files.readAllBytes(folder.resolve("out/src/k.cpp")))
                .isEqualTo(expected.getBytes(StandardCharsets.ISO_8859_1));
    }

    @Test
    void otherSourcesThatHoldFunctionsAreCompiledToo() throws Exception {
        Path sources = Files.createDirectories(folder.resolve("several"));
        Files.writeString(sources.resolve("g.h"), "int g(int x);\n");
        Files.writeString(sources.resolve("g.cpp"), "#include \"g.h\"\nint g(int x) { return x + 1; }\n");
        Files.writeString(sources.resolve("in.cpp"), "int h(int x) { return x; }\n");
        Path main = Files.writeString(
                sources.resolve("k.cpp"),
                "#include \"g.h\"\n#include \"in.cpp\"\nvoid k(int a[4]) {\n  for (int i = 0; i < 4; i++) a[i] = g(h(i));\n}\n");
        DirectiveSpace space = SpaceBuilder.build(
                Kernels.reader().read(main, KernelReader.Options.defaults()), SpaceLimits.defaults());
        new HlsExporter(Dialect.VITIS_HLS, SETTINGS).tcl(space, space.baseline(), folder.resolve("out"));
        assertThat(names(folder.resolve("out"))).contains("src/g.cpp", "src/g.h", "src/in.cpp", "src/k.cpp");
        assertThat(folder.resolve("out/run_hls.tcl"))
                .content()
                .contains("add_files \"src/k.cpp\"\nadd_files \"src/g.cpp\"\n")
                .doesNotContain("in.cpp");
    }

    @Test
    void headersOutsideTheSourcesFolderAreFoundAgain() throws Exception {
        Path include = Files.createDirectories(folder.resolve("include"));
        Files.writeString(include.resolve("shared.h"), "");
        String text = "#include <shared.h>\n" + MAIN;
        ChosenSpace space = project(text.getBytes(StandardCharsets.UTF_8), text);
        var renamed = new ChosenSpace(space.kernel(), "k/L6", "f");
        Path out = folder.resolve("out");
        new HlsExporter(Dialect.VITIS_HLS, new Settings("p", 5, true, List.of(include), Map.of("B", "", "A", "1")))
                .tcl(renamed, renamed.baseline(), out);
        assertThat(names(out))
                .containsExactly(
                        "directives.tcl",
                        "run_hls.tcl",
                        "src/include/shared.h",
                        "src/project/deep/d.h",
                        "src/project/k.cpp",
                        "src/project/k.h");
        assertThat(out.resolve("run_hls.tcl"))
                .content()
                .contains("add_files \"src/project/k.cpp\" -cflags {-Isrc/include -DA=1 -DB}\n", "export_design");
    }

    @ParameterizedTest
    @ValueSource(strings = {"$(id)", "`id`", "a b", "\"a\"", "'a'", "1;id", "a\\b", "a\nb", "[exec id]", "a|b"})
    void aFlagThatAShellCouldRunOrSplitIsRefusedBeforeAnythingIsWritten(String value) throws Exception {
        ChosenSpace space = project(MAIN.getBytes(StandardCharsets.UTF_8), MAIN);
        var settings = new Settings("p", 5, false, List.of(), Map.of("A", value));
        assertThatThrownBy(() -> new HlsExporter(Dialect.VITIS_HLS, settings)
                        .tcl(space, space.baseline(), folder.resolve("out")))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("-DA=" + value);
        assertThat(folder.resolve("out")).doesNotExist();
    }

    @Test
    void aSourceThatChangedMeanwhileIsNotOverwrittenWithAnOldOne() throws Exception {
        ChosenSpace space = project((MAIN + "// edited\n").getBytes(StandardCharsets.UTF_8), MAIN);
        assertThatThrownBy(() -> new HlsExporter(Dialect.VITIS_HLS, SETTINGS)
                        .tcl(space, space.baseline(), folder.resolve("out")))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("k.cpp")
                .hasMessageContaining("has changed since it was read");
        assertThat(folder.resolve("out")).doesNotExist();
    }

    @Test
    void unwritableFolderIsOneSentence() throws Exception {
        ChosenSpace space = project(MAIN.getBytes(StandardCharsets.UTF_8), MAIN);
        Path blocked = Files.writeString(folder.resolve("taken"), "");
        assertThatThrownBy(() -> new HlsExporter(Dialect.VITIS_HLS, SETTINGS).tcl(space, space.baseline(), blocked))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("is a file where a folder is needed");
    }
}
