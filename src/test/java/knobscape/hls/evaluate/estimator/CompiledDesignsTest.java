package knobscape.hls.evaluate.estimator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import knobscape.compile.CompileLimits;
import knobscape.evaluate.CancellationSignal;
import knobscape.hls.source.Kernel;
import knobscape.hls.source.KernelReader;
import knobscape.hls.source.clang.ClangFront;
import knobscape.hls.space.Directive;
import knobscape.hls.space.Directive.Core;
import knobscape.hls.space.Directive.PartitionType;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Directives of a design reach the compiled source.
@Tag("slow")
class CompiledDesignsTest {
    private static final String SOURCE = """
            void mm(int a[32][32], int b[32][32], int c[32][32]) {
            rows:
                for (int i = 0; i < 32; i++) {
            columns:
                    for (int j = 0; j < 32; j++) {
                        int s = 0;
            sum:
                        for (int k = 0; k < 32; k++) s += a[i][k] * b[k][j];
                        c[i][j] = s;
                    }
                }
            }
            void top(int a[32][32], int b[32][32], int c[32][32]) {
                int m[32][32];
            in:
                for (int i = 0; i < 32; i++)
            in2:
                    for (int j = 0; j < 32; j++) m[i][j] = a[i][j] + 1;
                mm(m, b, c);
            }
            """;

    @TempDir
    private static Path folder;

    private static ClangFront front;
    private static Function<List<Directive>, EstimateReport> designs;

    @BeforeAll
    static void open() throws IOException {
        Path file = Files.writeString(folder.resolve("mm.c"), SOURCE);
        var options = new KernelReader.Options(Optional.of("top"), List.of(), java.util.Map.of());
        Kernel kernel = Kernels.read(file);
        var cancel = new CancellationSignal();
        front = new ClangFront(CompileLimits.defaults());
        var compiled = front.compile(file, options, cancel);
        designs = new CompiledKernel(compiled, Optional.of("top"), cancel)
                .designs(kernel, EstimatorSettings.defaults(), cancel);
    }

    @AfterAll
    static void close() {
        front.close();
    }

    private static LoopEstimate loop(EstimateReport r, String name) {
        return r.loops().stream()
                .filter(l -> l.loop().endsWith("/" + name))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void unrollingLeavesFewerIterations() {
        assertThat(loop(designs.apply(List.of()), "sum").trip()).isEqualTo(32);
        EstimateReport four = designs.apply(List.of(new Directive.Unroll("mm/sum", 4)));
        assertThat(loop(four, "sum").trip()).isEqualTo(8);
    }

    @Test
    void pipeliningWritesOutWhatIsInside() {
        EstimateReport r = designs.apply(List.of(new Directive.Pipeline("mm/columns", true, 0)));
        LoopEstimate columns = loop(r, "columns");
        assertThat(columns.state()).isEqualTo(LoopEstimate.State.PIPELINED);
        // 32 reads of each memory, two ports
        assertThat(columns.interval()).isEqualTo(16);
        assertThat(columns.trip()).isEqualTo(1024);
        assertThat(loop(r, "sum").state()).isEqualTo(LoopEstimate.State.UNROLLED);
    }

    /// Partition of a parameter reaches the local array that callers pass; of the reads of a row and of a column only
    /// the right dimension helps.
    @Test
    void partitionFollowsTheArgument() {
        var pipeline = new Directive.Pipeline("mm/columns", true, 0);
        EstimateReport one =
                designs.apply(List.of(pipeline, new Directive.Partition("mm/a", 2, PartitionType.CYCLIC, 4)));
        assertThat(loop(one, "columns").interval()).isEqualTo(16);
        EstimateReport both = designs.apply(List.of(
                pipeline,
                new Directive.Partition("mm/a", 2, PartitionType.CYCLIC, 4),
                new Directive.Partition("mm/b", 1, PartitionType.BLOCK, 4)));
        assertThat(loop(both, "columns").interval()).isEqualTo(4);
        assertThat(both.arrays()).anyMatch(a -> a.array().endsWith("/m") && a.banks() == 4);
        EstimateReport wrong = designs.apply(List.of(
                pipeline,
                new Directive.Partition("mm/a", 1, PartitionType.CYCLIC, 4),
                new Directive.Partition("mm/b", 2, PartitionType.CYCLIC, 4)));
        assertThat(loop(wrong, "columns").interval()).isEqualTo(16);
    }

    @Test
    void multipliersAreBound() {
        assertThat(designs.apply(List.of()).stages().getFirst().dsp()).isEqualTo(3);
        EstimateReport fabric = designs.apply(List.of(new Directive.BindMultiplier("mm", Core.FABRIC)));
        assertThat(fabric.stages().getFirst().dsp()).isZero();
    }

    @Test
    void anUnknownPlaceIsRefused() {
        assertThatThrownBy(() -> designs.apply(List.of(new Directive.Unroll("mm/none", 2))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("mm/none");
    }
}
