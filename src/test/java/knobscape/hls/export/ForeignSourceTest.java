package knobscape.hls.export;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import knobscape.hls.evaluate.estimator.Kernels;
import knobscape.hls.source.Kernel;
import knobscape.hls.source.KernelReader;
import knobscape.hls.space.Directive;
import knobscape.hls.space.DirectiveSpace;
import knobscape.hls.space.SpaceBuilder;
import knobscape.hls.space.SpaceLimits;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Sources as other people lay them out: headers that no search path leads to, templates with several
/// instances.
class ForeignSourceTest {
    private static final String TWO_INSTANCES = """
            template<int W> void add(const int a[16], int z[16]) {
                for (int i = 0; i < 16; i++) {
            #pragma HLS UNROLL factor=W
                    z[i] = a[i] + W;
                }
            }
            void top(int a[16], int z[16]) {
                int t[16];
                add<2>(a, t);
                add<4>(t, z);
            }
            """;

    @TempDir
    private Path folder;

    private Path write(String name, String text) throws Exception {
        Path file = folder.resolve(name);
        Files.createDirectories(file.getParent());
        return Files.writeString(file, text);
    }

    private static Kernel read(Path file, List<Path> includes) {
        return Kernels.reader().read(file, new KernelReader.Options(Optional.of("top"), includes, Map.of()));
    }

    private static HlsExporter exporter() {
        return new HlsExporter(
                Dialect.VITIS_HLS, new HlsExporter.Settings("xc7vx485tffg1761-2", 10, false, List.of(), Map.of()));
    }

    @Test
    void aHeaderFoundBySearchingIsExportedWithTheFolderThatLeadsToIt() throws Exception {
        write("suite/common/lib/sizes.h", "#include \"deeper.h\"\n#define N 8\n");
        write("suite/common/lib/deeper.h", "typedef short word;\n");
        Path main = write(
                "suite/kernels/k/k.c",
                "#include <lib/sizes.h>\nvoid top(word a[N]) { int i; L: for (i = 0; i < N; i++) a[i] = 0; }\n");
        Kernel kernel = read(main, List.of());
        DirectiveSpace space = SpaceBuilder.build(kernel, SpaceLimits.defaults());
        Path out = folder.resolve("out");
        exporter().tcl(space, space.baseline(), out);
        assertThat(Files.readString(out.resolve("run_hls.tcl"))).contains("-Isrc/common");
        Kernel again = read(out.resolve("src/kernels/k/k.c"), List.of(out.resolve("src/common")));
        assertThat(again.loops().getFirst().trip())
                .isEqualTo(kernel.loops().getFirst().trip());
        assertThat(again.arrays())
                .hasSize(1)
                .allMatch(a -> a.element().bits() == 16 && a.dims().equals(List.of(8L)));
        assertThat(again.notes()).noneMatch(n -> n.message().contains("not found"));
    }

    @Test
    void anIncludeByAPathFromAboveFindsItsHeaderInTheExport() throws Exception {
        write("net/layers/sizes.h", "#define N 8\n");
        Path main = write(
                "net/layers/k.c",
                "#include <net/layers/sizes.h>\nvoid top(int a[N]) { int i; L: for (i = 0; i < N; i++) a[i] = 0; }\n");
        DirectiveSpace space = SpaceBuilder.build(read(main, List.of()), SpaceLimits.defaults());
        Path out = folder.resolve("out");
        exporter().tcl(space, space.baseline(), out);
        assertThat(out.resolve("src/net/layers/sizes.h")).exists();
        assertThat(Files.readString(out.resolve("run_hls.tcl"))).contains("{-Isrc}");
    }

    /// A file that only an inactive line names may be anything, and one outside the project is not for others.
    @Test
    void onlyHeadersThatAreReadInsideTheProjectAreExported() throws Exception {
        write("elsewhere/secret.h", "#define N 8\n");
        write("project/dead.h", "");
        write("project/own.h", "#define M 4\n");
        Path main = write("project/k.c", """
                #include "../elsewhere/secret.h"
                #include "own.h"
                #if 0
                #include "dead.h"
                #include "/etc/hostname"
                #endif
                void top(int a[N]) { int i; L: for (i = 0; i < N; i++) a[i] = M; }
                """);
        DirectiveSpace space = SpaceBuilder.build(read(main, List.of()), SpaceLimits.defaults());
        HlsExporter.ExportResult written = exporter().tcl(space, space.baseline(), folder.resolve("out"));
        assertThat(written.files())
                .extracting(f -> f.getFileName().toString())
                .containsExactly("k.c", "own.h", "directives.tcl", "run_hls.tcl");
        assertThat(written.notes())
                .anySatisfy(n -> assertThat(n.message())
                        .contains("secret.h' is included but lies outside the project and was not copied"));
    }

    @Test
    void instancesOfATemplateShareOneText() throws Exception {
        Kernel kernel = read(write("k.cpp", TWO_INSTANCES), List.of());
        assertThat(kernel.loops()).hasSize(2);
        DirectiveSpace space = SpaceBuilder.build(kernel, SpaceLimits.defaults());
        var random = new Random(3);
        for (int i = 0; i < 20; i++) {
            var design = space.space().draw(random);
            HlsExporter.ExportResult tcl = exporter().tcl(space, design, folder.resolve("tcl" + i));
            HlsExporter.ExportResult pragmas = exporter().pragmas(space, design, folder.resolve("pragma" + i));
            for (HlsExporter.ExportResult w : List.of(tcl, pragmas)) {
                Kernel again = read(
                        w.files().stream()
                                .filter(f -> f.endsWith("k.cpp"))
                                .findFirst()
                                .orElseThrow(),
                        List.of());
                assertThat(again.loops().stream().map(l -> l.id() + l.trip()).toList())
                        .isEqualTo(kernel.loops().stream()
                                .map(l -> l.id() + l.trip())
                                .toList());
            }
        }
    }

    @Test
    void whatTheInstancesDisagreeAboutIsSaid() throws Exception {
        Kernel kernel = read(write("k.cpp", TWO_INSTANCES), List.of());
        String first = kernel.loops().get(0).id();
        String second = kernel.loops().get(1).id();
        var writer = new PragmaWriter(Dialect.VITIS_HLS);
        AnnotatedSource unlike = writer.write(
                kernel, List.of(new Directive.Unroll(first, 8), new Directive.Unroll(second, 2)), k -> true);
        assertThat(unlike.notes()).anyMatch(n -> n.message().contains("unlike add<2>, but they share one text"));
        String text = unlike.files().values().iterator().next();
        assertThat(text)
                .containsOnlyOnce("#pragma HLS UNROLL")
                .contains("factor=8")
                .containsOnlyOnce("L2:");
        AnnotatedSource alike = writer.write(
                kernel, List.of(new Directive.Unroll(first, 8), new Directive.Unroll(second, 8)), k -> true);
        assertThat(alike.notes()).isEmpty();
        assertThat(alike.files()).isEqualTo(unlike.files());
    }

    /// What is included from beside another source of the kernel goes with it.
    @Test
    void theHeaderBesideAnotherSourceIsExportedWithIt() throws Exception {
        write("lib/part.h", "void part(int a[8]);\n");
        write(
                "lib/part.cpp",
                "#include \"part.h\"\nvoid part(int a[8]) { L: for (int i = 0; i < 8; i++) a[i] = i; }\n");
        Path main = write("top/k.cpp", "#include \"../lib/part.h\"\nvoid top(int a[8]) { part(a); }\n");
        DirectiveSpace space = SpaceBuilder.build(read(main, List.of()), SpaceLimits.defaults());
        HlsExporter.ExportResult written = exporter().tcl(space, space.baseline(), folder.resolve("out"));
        assertThat(written.files()).extracting(f -> f.getFileName().toString()).contains("k.cpp", "part.cpp", "part.h");
        assertThat(written.notes()).noneSatisfy(n -> assertThat(n.message()).contains("was not copied"));
    }
}
