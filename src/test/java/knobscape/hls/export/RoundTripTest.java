package knobscape.hls.export;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import knobscape.hls.evaluate.estimator.Kernels;
import knobscape.hls.source.Kernel;
import knobscape.hls.source.KernelReader;
import knobscape.hls.space.DirectiveFile;
import knobscape.hls.space.DirectiveSpace;
import knobscape.hls.space.KnobKind;
import knobscape.hls.space.SpaceBuilder;
import knobscape.hls.space.SpaceLimits;
import knobscape.space.Configuration;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// What is exported from the sample projects is read again and must say the same.
class RoundTripTest {
    private static final List<String> SAMPLES =
            List.of("gemm", "stencil3d", "spmv_crs", "spmv_ellpack", "sort_radix", "conv_chain");
    private static final HlsExporter.Settings SETTINGS =
            new HlsExporter.Settings("xc7vx485tffg1761-2", 10, false, List.of(), Map.of());
    private static final Pattern PRAGMA_LINE = Pattern.compile("(?m)^[ \\t]*#pragma HLS .*\\R");

    @TempDir
    private Path folder;

    static Stream<Arguments> samplesAndDialects() {
        return SAMPLES.stream().flatMap(s -> Stream.of(Dialect.values()).map(d -> Arguments.of(s, d)));
    }

    private static Kernel read(Path file, String top) {
        return Kernels.reader().read(file, new KernelReader.Options(Optional.of(top), List.of(), Map.of()));
    }

    private static DirectiveSpace space(Kernel kernel, String sample) {
        return SpaceBuilder.build(
                kernel,
                SpaceLimits.defaults(),
                DirectiveFile.read(Path.of("sample-projects", sample, "directives.yaml")));
    }

    /// A design drawn from the space, and the baseline.
    private static List<Configuration> designs(DirectiveSpace space) {
        var random = new Random(7);
        var designs = new ArrayList<>(List.of(space.baseline()));
        designs.add(space.space().draw(random));
        return designs;
    }

    @ParameterizedTest
    @MethodSource("samplesAndDialects")
    void annotatedSourceSaysWhatTheDesignSays(String sample, Dialect dialect) throws Exception {
        Kernel kernel = read(Path.of("sample-projects", sample, sample + ".cpp"), sample);
        DirectiveSpace space = space(kernel, sample);
        int i = 0;
        for (Configuration design : designs(space)) {
            Path out = folder.resolve("design" + i++);
            new HlsExporter(dialect, SETTINGS).pragmas(space, design, out);
            Path file = out.resolve("src").resolve(sample + ".cpp");
            Kernel again = read(file, sample);
            assertThat(loops(again)).as(Files.readString(file)).isEqualTo(loops(kernel));
            assertThat(again.loops()).allMatch(l -> l.labelled());
            assertThat(arrays(again)).isEqualTo(arrays(kernel));
            DirectiveSpace spaceAgain = space(again, sample);
            assertThat(spaceAgain.space().knobs()).isEqualTo(space.space().knobs());
            assertThat(spaceAgain.directives(spaceAgain.baseline()))
                    .as(Files.readString(file))
                    .isEqualTo(space.directives(design));
            assertThat(nothingIsLost(kernel.text(), Files.readString(file))).isTrue();
        }
    }

    /// Every kind of knob that the samples' own files do not use much.
    @ParameterizedTest
    @MethodSource("samplesAndDialects")
    void otherKindsOfKnobAreWrittenForBothTools(String sample, Dialect dialect) {
        Kernel kernel = read(Path.of("sample-projects", sample, sample + ".cpp"), sample);
        DirectiveSpace space = SpaceBuilder.build(
                kernel,
                SpaceLimits.defaults(),
                java.util.EnumSet.complementOf(java.util.EnumSet.of(KnobKind.UNROLL, KnobKind.PARTITION)));
        for (Configuration design : designs(space)) {
            TclDirectives tcl = new TclWriter(dialect).write(space, design);
            assertThat(tcl.commands()).allMatch(c -> c.matches("(set_directive|config)_\\w+ .*"));
            AnnotatedSource source = new PragmaWriter(dialect).write(space, design);
            Stream.concat(tcl.notes().stream(), source.notes().stream())
                    .forEach(n -> assertThat(n.message()).contains("no variable of its own"));
            source.files()
                    .forEach((name, text) -> assertThat(
                                    nothingIsLost(kernel.sources().get(name), text))
                            .isTrue());
        }
    }

    private static List<String> loops(Kernel kernel) {
        return kernel.loops().stream()
                .map(l -> l.id() + " " + l.parent() + " " + l.depth() + " " + l.variable() + " " + l.first() + " "
                        + l.step() + " " + l.trip())
                .toList();
    }

    private static List<String> arrays(Kernel kernel) {
        return kernel.arrays().stream()
                .map(a -> a.id() + " " + a.dims() + " " + a.scope() + " " + a.element())
                .toList();
    }

    /// Whether the original without its pragmas is what remains of the changed text when inserted characters
    /// are struck out.
    private static boolean nothingIsLost(String original, String changed) {
        String kept = PRAGMA_LINE.matcher(original).replaceAll("");
        int at = 0;
        for (char c : kept.toCharArray()) {
            at = changed.indexOf(c, at) + 1;
            if (at == 0) {
                return false;
            }
        }
        return true;
    }
}
