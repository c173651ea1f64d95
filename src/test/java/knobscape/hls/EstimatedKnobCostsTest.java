package knobscape.hls;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import knobscape.hls.evaluate.estimator.EstimatorSettings;
import knobscape.hls.source.Kernel;
import knobscape.hls.source.KernelReader;
import knobscape.hls.space.Directive;
import knobscape.hls.space.Directive.PartitionType;
import knobscape.hls.space.KnobKind;
import knobscape.hls.space.Pruning;
import knobscape.hls.space.SpaceBuilder;
import knobscape.hls.space.SpaceLimits;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EstimatedKnobCostsTest {
    /// Rows of 129: half of the table is no power of two.
    private static final String SOURCE = """
            #define N 129
            int walk(int table[N * N], const int index[128], int factor) {
            fill:
                for (int i = 1; i < N; i++) {
                row:
                    for (int j = 1; j < N; j++) {
                        table[i * N + j] = table[(i - 1) * N + j - 1] + index[j - 1];
                    }
                }
                return table[factor];
            }
            """;

    @TempDir
    private Path folder;

    private Kernel kernel() throws Exception {
        Path file = folder.resolve("walk.cpp");
        Files.writeString(file, SOURCE);
        return HlsTools.standard()
                .reader()
                .read(file, new KernelReader.Options(Optional.of("walk"), List.of(), Map.of()));
    }

    @Test
    void banksThatTakeADivisionAreInVain() throws Exception {
        var costs = new EstimatedKnobCosts(kernel(), EstimatorSettings.defaults());
        assertThat(costs.isVain(new Directive.Partition("walk/table", 1, PartitionType.BLOCK, 2)))
                .isTrue();
    }

    @Test
    void functionsCalledTwiceAreNotInlinedAndOthersMayBe() {
        var costs = new EstimatedKnobCosts(
                HlsTools.standard()
                        .reader()
                        .read(Path.of("sample-projects/sort_radix/sort_radix.cpp"), KernelReader.Options.defaults()),
                EstimatorSettings.defaults());
        assertThat(costs.isVain(new Directive.Inline("count_digits", true))).isTrue();
        assertThat(costs.isVain(new Directive.Inline("clear_counts", true))).isFalse();
    }

    @Test
    void whatMakesTheKernelFasterIsNotInVain() throws Exception {
        var costs = new EstimatedKnobCosts(kernel(), EstimatorSettings.defaults());
        assertThat(costs.isVain(new Directive.Pipeline("walk/row", true, 0))).isFalse();
        assertThat(costs.isVain(new Directive.Unroll("walk/row", 4))).isFalse();
    }

    @Test
    void theDefaultSpaceIsSmallerAndKeepsItsBaseline() throws Exception {
        Kernel kernel = kernel();
        var limits = SpaceLimits.defaults();
        var all = SpaceBuilder.build(kernel, limits);
        var pruned = SpaceBuilder.build(
                kernel,
                limits,
                KnobKind.defaults(),
                new EstimatedKnobCosts(kernel, EstimatorSettings.defaults()),
                Pruning.HARD);
        assertThat(pruned.space().size()).isLessThan(all.space().size());
        assertThat(pruned.space().knobs().list())
                .containsAll(all.space().knobs().list());
        assertThat(pruned.space().contains(pruned.baseline())).isTrue();
        assertThat(pruned.baseline()).isEqualTo(all.baseline());
    }

    /// Two copies of the dot product read neighbours of a row: one wide word serves them. The rows of the output are
    /// written element by element, where a wide word has to be read first.
    @Test
    void reshapingIsOfferedWhereItPays() {
        Kernel gemm = HlsTools.standard()
                .reader()
                .read(Path.of("sample-projects/gemm/gemm.cpp"), KernelReader.Options.defaults());
        var space = HlsTools.standard().spaces().build(gemm, Optional.empty(), Optional.empty(), Pruning.HARD);
        assertThat(space.space().knobs().list())
                .extracting(knobscape.space.Knob::name)
                .contains("reshape@gemm/a#2")
                .doesNotContain("reshape@gemm/c#1", "reshape@gemm/c#2");
        assertThat(SpaceBuilder.build(gemm, SpaceLimits.defaults())
                        .space()
                        .knobs()
                        .list())
                .extracting(knobscape.space.Knob::name)
                .noneMatch(n -> n.startsWith("reshape@"));
    }
}
