package knobscape.hls.evaluate.estimator;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.HashSet;
import java.util.Random;
import knobscape.evaluate.CancellationSignal;
import knobscape.evaluate.Evaluation;
import knobscape.evaluate.Outcome;
import knobscape.hls.source.Kernel;
import knobscape.hls.space.DirectiveFile;
import knobscape.hls.space.DirectiveSpace;
import knobscape.hls.space.SpaceBuilder;
import knobscape.hls.space.SpaceLimits;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The sample projects from source to figures.
class SamplesTest {
    @ParameterizedTest
    @ValueSource(strings = {"gemm", "stencil3d", "spmv_crs", "spmv_ellpack", "sort_radix", "conv_chain"})
    void everyDrawnConfigurationComesOut(String name) {
        Path source = Path.of("sample-projects", name, name + ".cpp");
        Kernel kernel = Kernels.read(source);
        DirectiveSpace space = SpaceBuilder.build(
                kernel, SpaceLimits.defaults(), DirectiveFile.read(source.resolveSibling("directives.yaml")));
        try (var evaluator = new EstimatorEvaluator(space, EstimatorSettings.defaults())) {
            var cancel = new CancellationSignal();
            Evaluation baseline = evaluator
                    .evaluate(space.baseline(), EstimatorEvaluator.IMPL, cancel)
                    .getLast();
            assertThat(baseline.isMeasured()).isTrue();
            var random = new Random(1);
            var distinct = new HashSet<Outcome>();
            int measured = 0;
            boolean faster = false;
            for (int i = 0; i < 24; i++) {
                Evaluation last = evaluator
                        .evaluate(space.space().draw(random), EstimatorEvaluator.IMPL, cancel)
                        .getLast();
                distinct.add(last.outcome());
                if (last.outcome() instanceof Outcome.Measured m) {
                    measured++;
                    assertThat(m.values().get("latency")).isPositive();
                    assertThat(m.values().get("clock")).isBetween(1.0, 25.0);
                    assertThat(m.values().get("lut")).isBetween(50.0, 303_600.0);
                    assertThat(m.values().get("power")).isBetween(0.24, 8.3);
                    faster |= m.values().get("delay")
                            < 0.7 * baseline.value("delay").getAsDouble();
                } else {
                    assertThat(last.outcome())
                            .isInstanceOfSatisfying(
                                    Outcome.Failure.class,
                                    v -> assertThat(v.reason()).isNotBlank());
                }
            }
            assertThat(measured).isGreaterThan(7);
            assertThat(distinct).hasSizeGreaterThan(7);
            assertThat(faster)
                    .as("some configuration is clearly faster than the baseline")
                    .isTrue();
        }
    }
}
