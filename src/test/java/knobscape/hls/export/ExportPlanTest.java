package knobscape.hls.export;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import knobscape.hls.evaluate.estimator.Kernels;
import knobscape.hls.source.Kernel;
import knobscape.hls.source.KernelReader;
import knobscape.hls.space.Directive;
import knobscape.hls.space.DirectiveSpace;
import knobscape.hls.space.SpaceBuilder;
import knobscape.hls.space.SpaceLimits;
import knobscape.space.Configuration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A kernel of three nested loops: which of them are told to stay as they are.
class ExportPlanTest {
    private static final String NEST = """
            int half(int x) { return x / 2; }
            void top(int a[8][4], int b[8], int z[8]) {
              rows: for (int i = 0; i < 8; i++) {
                int sum = 0;
                columns: for (int j = 0; j < 4; j++) {
                  int p = a[i][j] * b[i];
                  sum += half(p);
                }
                z[i] = sum;
              }
              tail: for (int i = 0; i < 8; i++) { z[i] = z[i] + 1; }
            }
            """;

    @TempDir
    private Path folder;

    private DirectiveSpace space;

    @BeforeEach
    void read() throws Exception {
        Path file = Files.writeString(folder.resolve("top.cpp"), NEST);
        Kernel kernel = Kernels.reader().read(file, new KernelReader.Options(Optional.of("top"), List.of(), Map.of()));
        space = SpaceBuilder.build(kernel, SpaceLimits.defaults());
    }

    private Configuration design(Map<String, String> values) {
        return space.space()
                .enumerate()
                .filter(c -> values.entrySet().stream()
                        .allMatch(e -> c.value(e.getKey()).equals(e.getValue())))
                .findFirst()
                .orElseThrow();
    }

    /// Loops that are told whether they are pipelined.
    private List<org.assertj.core.groups.Tuple> pipelines(Map<String, String> values, boolean off) {
        return ExportPlan.of(space, design(values), off).directives().stream()
                .flatMap(d -> d instanceof Directive.Pipeline p
                        ? java.util.stream.Stream.of(tuple(p.loop(), p.enabled()))
                        : java.util.stream.Stream.empty())
                .toList();
    }

    @Test
    void everyLoopThatStaysIsTold() {
        Map<String, String> baseline = Map.of(
                "pipeline@top/rows", "off",
                "pipeline@top/columns", "off",
                "pipeline@top/tail", "off",
                "unroll@top/columns", "1",
                "unroll@top/tail", "1");
        assertThat(pipelines(baseline, true))
                .containsExactlyInAnyOrder(
                        tuple("top/rows", false), tuple("top/columns", false), tuple("top/tail", false));
        assertThat(pipelines(baseline, false)).isEmpty();
    }

    /// A pipelined loop has its inner loops unrolled by the tool.
    @Test
    void aLoopInsideAPipelinedOneIsNotTold() {
        Map<String, String> rows = Map.of("pipeline@top/rows", "on", "pipeline@top/tail", "off");
        assertThat(pipelines(rows, true)).containsExactlyInAnyOrder(tuple("top/rows", true), tuple("top/tail", false));
        assertThat(pipelines(rows, false)).containsExactly(tuple("top/rows", true));
    }

    @Test
    void aLoopThatIsUnrolledCompletelyIsNotTold() {
        assertThat(pipelines(
                        Map.of(
                                "pipeline@top/rows", "off",
                                "pipeline@top/columns", "off",
                                "pipeline@top/tail", "off",
                                "unroll@top/columns", "4",
                                "unroll@top/tail", "2"),
                        true))
                .containsExactlyInAnyOrder(tuple("top/rows", false), tuple("top/tail", false));
    }

    @Test
    void aConfigurationFileIsForTheUnifiedTools() throws Exception {
        var exporter = new HlsExporter(
                Dialect.VITIS_HLS, new HlsExporter.Settings("xc7vx485tffg1761-2", 10, false, List.of(), Map.of()));
        Configuration design = design(Map.of("pipeline@top/tail", "on"));
        exporter.planConfig(space, design, folder.resolve("config")).write();
        assertThat(folder.resolve("config/src/top.cpp")).hasContent(NEST);
        assertThat(folder.resolve("config/hls_config.cfg"))
                .content()
                .contains("for Vitis HLS 2020.2 or later.\n", "syn.directive.pipeline=top/tail\n")
                .doesNotContain("Source it", "# Needs the label");
        for (Dialect dialect : Dialect.values()) {
            var tcl = new TclWriter(dialect).write(space, design);
            assertThat(tcl.text()).contains("for " + dialect.words() + ". Source it after set_part");
        }
        assertThat(Dialect.VIVADO_HLS.words()).isEqualTo("Vivado HLS 2018.2");
    }
}
