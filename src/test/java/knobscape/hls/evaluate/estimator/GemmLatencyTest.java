package knobscape.hls.evaluate.estimator;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import knobscape.hls.space.Directive;
import knobscape.hls.space.Directive.Core;
import knobscape.hls.space.Directive.PartitionType;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Latencies that Vitis HLS 2022.1 reported for a 64 x 64 x 64 product of doubles on xc7vx485t-2 at 10 ns (the
/// data set's gemm_ncubed, rows of its `hls` stage). All must come out to the cycle but the five of a pipelined
/// `middle`, whose fill depth (264, 325, 265 states) is 2 states more or 1 less than the sum of the operators
/// on the path, and one with a spare state in its inner pipeline (1 of 203).
class GemmLatencyTest {

    @ParameterizedTest
    @CsvSource({
        // directives, core of dmul, core of dadd, cycles, tolerance in cycles
        "'', FABRIC, FABRIC, 2629633, 0",
        "'', FABRIC, DSP, 2891777, 0",
        "'', DSP, FABRIC, 2891777, 0",
        "'', DSP, DSP, 3153921, 0",
        "'reshape prod', FABRIC, FABRIC, 2633729, 0",
        "'reshape prod', DSP, FABRIC, 2895873, 0",
        "'reshape prod', DSP, DSP, 3158017, 0",
        "'reshape prod;noflatten', FABRIC, FABRIC, 2633857, 0",
        "'reshape prod;noflatten', FABRIC, DSP, 2896001, 0",
        "'noflatten', DSP, FABRIC, 2891905, 0",
        "'unroll middle', FABRIC, FABRIC, 2627585, 0",
        "'unroll middle', DSP, DSP, 3151873, 0",
        "'unroll outer;noflatten', FABRIC, DSP, 2891873, 0",
        "'unroll inner', FABRIC, DSP, 2105345, 0",
        "'unroll inner', DSP, DSP, 2236417, 0",
        "'unroll inner;noflatten', FABRIC, FABRIC, 1843329, 0",
        "'pipeline inner;partition prod', DSP, FABRIC, 835585, 0",
        "'pipeline inner;partition prod', FABRIC, FABRIC, 835585, 4096",
        "'pipeline inner;partition prod', DSP, DSP, 1097729, 0",
        "'pipeline inner;partition prod;noflatten', DSP, FABRIC, 835713, 0",
        "'pipeline inner;unroll inner', DSP, FABRIC, 1093633, 0",
        "'pipeline inner;unroll inner', FABRIC, DSP, 1351681, 0",
        "'pipeline inner', FABRIC, FABRIC, 1048585, 0",
        "'pipeline inner', FABRIC, DSP, 1310729, 0",
        "'pipeline inner;unroll middle', FABRIC, FABRIC, 829441, 0",
        "'pipeline middle', FABRIC, FABRIC, 131307, 4",
        "'pipeline middle;m1 cyclic;m2 block', FABRIC, FABRIC, 65787, 4",
        "'pipeline middle;m1 block;m2 block', FABRIC, FABRIC, 131307, 4",
        "'pipeline middle;m1 cyclic;m2 cyclic', FABRIC, FABRIC, 131307, 4",
        "'pipeline middle', FABRIC, DSP, 131368, 4",
        "'pipeline middle;unroll middle', FABRIC, FABRIC, 131276, 4",
        "'pipeline middle;m2 block;noflatten', FABRIC, FABRIC, 83841, 256",
    })
    void equalsTheReport(String directives, Core multiplier, Core adder, double cycles, double tolerance) {
        var settings = EstimatorSettings.defaults().withFloatAdder(adder);
        var estimator = new Estimator(Kernels.gemm(Kernels.DOUBLE, 64), settings);
        assertThat(estimator
                        .estimate(directives(directives, multiplier), 0)
                        .getFirst()
                        .latencyCycles())
                .isCloseTo(cycles, org.assertj.core.data.Offset.offset(tolerance));
    }

    private static List<Directive> directives(String text, Core multiplier) {
        var list = new ArrayList<Directive>();
        list.add(new Directive.BindMultiplier("gemm", multiplier));
        for (String d : text.isEmpty() ? new String[0] : text.split(";")) {
            String[] words = d.split(" ");
            list.add(
                    switch (words[0]) {
                        case "reshape" -> new Directive.Reshape("gemm/" + words[1], 1, PartitionType.CYCLIC, 2);
                        case "partition" -> new Directive.Partition("gemm/" + words[1], 1, PartitionType.CYCLIC, 2);
                        case "m1", "m2" ->
                            new Directive.Partition(
                                    "gemm/" + words[0],
                                    1,
                                    PartitionType.valueOf(words[1].toUpperCase(java.util.Locale.ROOT)),
                                    2);
                        case "pipeline" -> new Directive.Pipeline("gemm/" + words[1], true, 0);
                        case "unroll" -> new Directive.Unroll("gemm/" + words[1], 2);
                        case "noflatten" -> new Directive.Flatten("gemm/outer", false);
                        default -> throw new IllegalArgumentException(d);
                    });
        }
        return list;
    }
}
