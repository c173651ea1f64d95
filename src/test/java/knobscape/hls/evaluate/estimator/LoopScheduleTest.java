package knobscape.hls.evaluate.estimator;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import knobscape.hls.evaluate.estimator.LoopSchedule.Step;
import knobscape.hls.source.Kernel;
import knobscape.hls.space.Directive;
import org.junit.jupiter.api.Test;

/// Schedules say of every operation when it runs, and which set the initiation interval.
class LoopScheduleTest {
    private static LoopSchedule of(Kernel kernel, String loop, Directive... directives) {
        return new Estimator(kernel, EstimatorSettings.defaults())
                .schedules(List.of(directives)).stream()
                        .filter(s -> s.loop().equals(loop))
                        .findFirst()
                        .orElseThrow();
    }

    private static List<String> limiting(LoopSchedule s) {
        return s.steps().stream().filter(Step::limits).map(Step::name).toList();
    }

    /// Every step lies in the iteration, the last one ends it, and no two of one dependence overlap.
    private static void isWhole(LoopSchedule s) {
        assertThat(s.steps())
                .isNotEmpty()
                .allSatisfy(o -> assertThat(o.first()).isBetween(0, o.last()))
                .anySatisfy(o -> assertThat(o.last()).isEqualTo(s.depth() - 1));
    }

    @Test
    void anAccumulationMarksTheAdditionOnItsRecurrence() {
        Kernel k = Kernels.of("""
                float dot(const float a[64], const float b[64]) {
                    float total = 0;
                    walk: for (int i = 0; i < 64; i++) {
                        total += a[i] * b[i];
                    }
                    return total;
                }
                """);
        LoopSchedule s = of(k, "dot/walk", new Directive.Pipeline("dot/walk", true, 0));
        isWhole(s);
        assertThat(s.interval()).isGreaterThan(1);
        assertThat(s.limit()).startsWith("recurrence through total");
        assertThat(limiting(s)).hasSize(1).first().asString().startsWith("fadd");
        Step product = s.steps().stream()
                .filter(o -> o.name().startsWith("fmul"))
                .findFirst()
                .orElseThrow();
        Step sum = s.steps().stream().filter(Step::limits).findFirst().orElseThrow();
        assertThat(sum.first()).as("the sum waits for the product").isGreaterThan(product.last());
        assertThat(sum.line()).hasValue(4);
        assertThat(s.steps().stream().map(Step::name)).contains("load a", "load b");
    }

    @Test
    void fewPortsMarkTheLoadsThatShareThem() {
        Kernel k = Kernels.of("""
                void blur(const int a[64], int b[64]) {
                    int line[64];
                    fill: for (int i = 0; i < 64; i++) line[i] = a[i] * 3;
                    walk: for (int i = 4; i < 60; i++) {
                        b[i] = line[i - 4] + line[i - 3] + line[i - 2] + line[i - 1] + line[i] + line[i + 1];
                    }
                }
                """);
        LoopSchedule s = of(k, "blur/walk", new Directive.Pipeline("blur/walk", true, 0));
        isWhole(s);
        assertThat(s.limit()).startsWith("ports of line");
        assertThat(s.interval()).isGreaterThan(1);
        assertThat(limiting(s)).isNotEmpty().containsOnly("load line");
        // No cycle reads more than the memory has ports: two of a RAM.
        for (int t = 0; t < s.depth(); t++) {
            int cycle = t;
            assertThat(s.steps().stream()
                            .filter(o -> o.name().equals("load line") && o.first() == cycle)
                            .mapToInt(Step::count)
                            .sum())
                    .isLessThanOrEqualTo(2);
        }
    }

    @Test
    void aLoopThatNothingLimitsMarksNothing() {
        Kernel k = Kernels.of("""
                void copy(const int a[64], int b[64]) {
                    walk: for (int i = 0; i < 64; i++) b[i] = a[i];
                }
                """);
        LoopSchedule s = of(k, "copy/walk", new Directive.Pipeline("copy/walk", true, 0));
        isWhole(s);
        assertThat(s.interval()).isEqualTo(1);
        assertThat(limiting(s)).isEmpty();
        assertThat(of(k, "copy/walk", new Directive.Pipeline("copy/walk", false, 0))
                        .interval())
                .isZero();
    }
}
