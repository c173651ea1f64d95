package knobscape.hls.export;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import knobscape.evaluate.UserError;
import knobscape.hls.evaluate.estimator.Kernels;
import knobscape.hls.source.Kernel;
import knobscape.hls.source.KernelReader;
import knobscape.hls.space.Directive;
import knobscape.hls.space.DirectiveFile;
import knobscape.hls.space.DirectiveSpace;
import knobscape.hls.space.KnobKind;
import knobscape.hls.space.SpaceBuilder;
import knobscape.hls.space.SpaceLimits;
import knobscape.hls.space.StatedDesign;
import knobscape.space.Configuration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/// A design that was exported is imported as the same design.
class DirectiveImportTest {
    private static final List<String> SAMPLES =
            List.of("gemm", "stencil3d", "spmv_crs", "spmv_ellpack", "sort_radix", "conv_chain");
    private static final int DESIGNS = 25;
    private static final HlsExporter.Settings SETTINGS =
            new HlsExporter.Settings("xc7vx485tffg1761-2", 10, false, List.of(), Map.of());
    private static final KernelReader.Options OPTIONS = new KernelReader.Options(Optional.empty(), List.of(), Map.of());

    @TempDir
    private Path folder;

    private static Kernel read(Path file, String top) {
        return Kernels.reader().read(file, new KernelReader.Options(Optional.of(top), List.of(), Map.of()));
    }

    private static DirectiveSpace space(String sample, boolean everyKind) {
        Kernel kernel = read(Path.of("sample-projects", sample, sample + ".cpp"), sample);
        return everyKind
                ? SpaceBuilder.build(
                        kernel,
                        SpaceLimits.defaults(),
                        // A pipelined function says all of its loops, whose knobs then say nothing.
                        EnumSet.complementOf(
                                EnumSet.of(KnobKind.UNROLL, KnobKind.PARTITION, KnobKind.FUNCTION_PIPELINE)))
                : SpaceBuilder.build(
                        kernel,
                        SpaceLimits.defaults(),
                        DirectiveFile.read(Path.of("sample-projects", sample, "directives.yaml")));
    }

    private static StatedDesign imported(Path file, DirectiveSpace space) {
        return DirectiveImport.read(file, space, Kernels.reader(), OPTIONS);
    }

    static Stream<Arguments> samplesAndDialects() {
        return SAMPLES.stream()
                .flatMap(s -> Stream.of(Dialect.values())
                        .flatMap(d -> Stream.of(Arguments.of(s, d, false), Arguments.of(s, d, true))));
    }

    /// What a form cannot say (a product without a variable of its own) is excepted by name.
    private static Map<String, String> said(Configuration c, boolean withMultipliers) {
        return c.toMap().entrySet().stream()
                .filter(e -> withMultipliers || !e.getKey().startsWith("multiplier@"))
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
    }

    @Tag("slow")
    @ParameterizedTest
    @MethodSource("samplesAndDialects")
    void whatIsExportedIsImportedAsTheSameDesign(String sample, Dialect dialect, boolean everyKind) throws IOException {
        DirectiveSpace space = space(sample, everyKind);
        var random = new Random(sample.hashCode());
        for (int i = 0; i < DESIGNS; i++) {
            Configuration design = i == 0 ? space.baseline() : space.space().draw(random);
            Path to = folder.resolve("design" + i);
            new HlsExporter(dialect, SETTINGS).tcl(space, design, to.resolve("tcl"));
            Path tcl = to.resolve("tcl/directives.tcl");
            assertThat(imported(tcl, space).configuration())
                    .as(Files.readString(tcl))
                    .isEqualTo(design);
            HlsExporter.ExportResult written =
                    new HlsExporter(dialect, SETTINGS).pragmas(space, design, to.resolve("pragma"));
            boolean all = written.notes().isEmpty() && !Files.readString(tcl).contains(DirectiveImport.UNSAID);
            Path source = to.resolve("pragma/src").resolve(sample + ".cpp");
            assertThat(said(imported(source, space).configuration(), all))
                    .as(Files.readString(source))
                    .isEqualTo(said(design, all));
            if (dialect == Dialect.VITIS_HLS) {
                new HlsExporter(dialect, SETTINGS)
                        .planConfig(space, design, to.resolve("cfg"))
                        .write();
                Path cfg = to.resolve("cfg/hls_config.cfg");
                assertThat(imported(cfg, space).configuration())
                        .as(Files.readString(cfg))
                        .isEqualTo(design);
            }
            assertThat(imported(tcl, space).candidates()).isEmpty();
        }
    }

    @Test
    void whatTheSpaceDoesNotHoldIsListedAndOffered() throws IOException {
        DirectiveSpace space = space("gemm", false);
        Path tcl = Files.writeString(folder.resolve("mine.tcl"), """
                open_project x
                config_compile -unsafe_math_optimizations
                set_directive_unroll -factor 8 "gemm/row"
                set_directive_pipeline -II 3 gemm/dot ; set_directive_unroll \\
                    -factor 4 {gemm/dot}
                set_directive_array_partition -type cyclic -factor 4 -dim 2 "gemm" a
                set_directive_array_partition -type cyclic -factor 4 -dim 1 "gemm" b
                set_directive_interface -mode s_axilite "gemm"
                set_directive_unroll -factor 2 "gemm/nowhere"
                # set_directive_unroll -factor 32 gemm/dot
                set_directive_inline "helper"
                set_directive_top -name gemm gemm
                """);
        StatedDesign d = imported(tcl, space);
        // What the project asks for is estimated as it says, whatever the space holds.
        assertThat(d.directives())
                .contains(
                        new Directive.Unroll("gemm/row", 8),
                        new Directive.Unroll("gemm/dot", 4),
                        new Directive.Pipeline("gemm/dot", true, 3),
                        new Directive.Partition("gemm/a", 2, Directive.PartitionType.CYCLIC, 4));
        assertThat(d.noKnobs())
                .extracting(StatedDesign.SkippedDirective::directive)
                .containsExactly("set_directive_interface -mode s_axilite gemm");
        assertThat(d.configuration().value("unroll@gemm/dot")).isEqualTo("4");
        assertThat(d.configuration().value("partition_factor@gemm/a#2")).isEqualTo("4");
        String left = d.left().toString();
        assertThat(left)
                .contains("unroll@gemm/row has no value 8")
                .contains("pipeline@gemm/dot has no value ii=3")
                .contains("names gemm/nowhere")
                .contains("names helper")
                .contains("reorders floating-point operations")
                .contains("is no knob here");
        assertThat(d.candidates())
                .containsExactly(
                        "{kind: unroll, at: gemm/row, factors: [1, 2, 4, 8]}",
                        "{kind: pipeline, at: gemm/dot, values: [off, on, ii=3]}");
        String yaml = d.widening().of(DirectiveFile.write(space, Optional.empty(), java.util.OptionalDouble.empty()));
        DirectiveSpace wider =
                SpaceBuilder.build(space.kernel(), SpaceLimits.defaults(), DirectiveFile.parse("wider.yaml", yaml));
        StatedDesign again = imported(tcl, wider);
        assertThat(wider.space()
                        .knobs()
                        .get(wider.space().knobs().indexOf("unroll@gemm/row").orElseThrow())
                        .domain()
                        .labels())
                .contains("8");
        assertThat(again.left().toString()).contains("excludes it together");
        assertThat(again.configuration().value("pipeline@gemm/dot")).isEqualTo("ii=3");
        assertThat(again.candidates()).isEmpty();
    }

    @Test
    void configurationFilesOfOthersAreRead() throws IOException {
        DirectiveSpace space = space("gemm", false);
        Path cfg = Files.writeString(folder.resolve("theirs.cfg"), """
                part=xcvu11p-flga2577-1-e
                [hls]
                clock=8ns
                # syn.directive.unroll=gemm/dot factor=64
                syn.top=gemm
                syn.directive.unroll=factor=2 gemm/dot
                syn.directive.array_partition=type=block factor=2 dim=1 gemm a
                syn.directive.array_partition=gemm b type=complete dim=1
                syn.directive.pipeline=gemm/dot II=1 rewind
                syn.op=op:fmul impl:fabric
                syn.compile.pipeline_loops=64
                """);
        StatedDesign d = imported(cfg, space);
        assertThat(d.configuration().toMap())
                .containsEntry("unroll@gemm/dot", "2")
                .containsEntry("partition_type@gemm/a#1", "block")
                .containsEntry("partition_type@gemm/b#1", "complete")
                .containsEntry("pipeline@gemm/dot", "on")
                .containsEntry("multiplier@gemm", "fabric");
        assertThat(d.left())
                .extracting(StatedDesign.SkippedDirective::why)
                .anyMatch(w -> w.contains("pipeline loops by itself"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "syn.directive.pipeline=Scale::operator ()/work II=1",
                "syn.directive.pipeline=Scale::operator()/work II=1",
                "syn.directive.pipeline=II=1 Scale::operator ()/work"
            })
    void theBlankInTheNameOfAnOperatorSplitsNoWords(String line) throws IOException {
        Path source = Files.writeString(folder.resolve("op.cpp"), """
                struct Scale {
                    int by;
                    void operator()(const int in[64], int out[64]) {
                    work:
                        for (int i = 0; i < 64; i++) {
                            out[i] = in[i] * by;
                        }
                    }
                };
                void top(const int in[64], int out[64]) {
                    Scale s;
                    s.by = 3;
                    s(in, out);
                }
                """);
        DirectiveSpace space = SpaceBuilder.build(
                read(source, "top"), SpaceLimits.defaults(), EnumSet.of(KnobKind.PIPELINE, KnobKind.UNROLL));
        StatedDesign d = imported(Files.writeString(folder.resolve("op.cfg"), "[hls]\n" + line + "\n"), space);
        assertThat(d.left()).isEmpty();
        assertThat(d.configuration().toMap().entrySet())
                .anyMatch(
                        e -> e.getKey().startsWith("pipeline@") && e.getValue().equals("on"));
    }

    @Test
    void aDirectiveOfNothingIsSaidToNameNoPlace() throws IOException {
        Path cfg = Files.writeString(folder.resolve("nothing.cfg"), "[hls]\nsyn.directive.unroll=\n");
        assertThat(imported(cfg, space("gemm", false)).left())
                .extracting(StatedDesign.SkippedDirective::why)
                .containsExactly("names no place");
    }

    @ParameterizedTest
    @ValueSource(strings = {"notes.txt", "empty.tcl"})
    void whatIsNoDesignIsSaid(String name) throws IOException {
        Path file = Files.writeString(folder.resolve(name), "puts hello\n");
        assertThatThrownBy(() -> imported(file, space("gemm", false))).isInstanceOf(UserError.class);
    }

    /// The source with pragmas says again what the kernel's own source says.
    @Test
    void whatTheSourceSaysItselfIsNotLeftOut() throws IOException {
        String text = """
                void top(int a[64]) {
                #pragma HLS INTERFACE ap_memory port=a
                #pragma HLS DATAFLOW
                work: for (int i = 0; i < 64; i++) {
                        a[i] = i;
                    }
                }
                """;
        DirectiveSpace space = SpaceBuilder.build(
                read(Files.writeString(folder.resolve("own.cpp"), text), "top"),
                SpaceLimits.defaults(),
                EnumSet.of(KnobKind.PIPELINE, KnobKind.UNROLL));
        Path annotated = Files.writeString(
                folder.resolve("annotated.cpp"), text.replace("a[i] = i;", "#pragma HLS UNROLL factor=2\n a[i] = i;"));
        StatedDesign d = imported(annotated, space);
        assertThat(d.left()).isEmpty();
        assertThat(d.configuration().value("unroll@top/work")).isEqualTo("2");
    }
}
