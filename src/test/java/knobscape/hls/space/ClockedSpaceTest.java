package knobscape.hls.space;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import knobscape.evaluate.CancellationSignal;
import knobscape.evaluate.Evaluation;
import knobscape.hls.evaluate.estimator.EstimatorEvaluator;
import knobscape.hls.evaluate.estimator.EstimatorSettings;
import knobscape.hls.evaluate.estimator.Kernels;
import knobscape.space.Configuration;
import knobscape.space.DesignSpace;
import org.junit.jupiter.api.Test;

class ClockedSpaceTest {
    private final DirectiveSpace own = SpaceBuilder.build(Kernels.of("""
        float k(const float a[16]) {
            float s = 0;
            sum: for (int i = 0; i < 16; i++) s += a[i] * 0.5f;
            return s;
        }
        """), SpaceLimits.defaults());
    private final ClockedSpace clocked = new ClockedSpace(own, List.of(20.0, 7.0, 10.0, 7.0), 10);
    private final DesignSpace space = clocked.space();

    @Test
    void everyDesignHasEveryClock() {
        List<Configuration> all = space.enumerate().toList();
        assertThat(all).doesNotHaveDuplicates();
        assertThat(BigInteger.valueOf(all.size()))
                .isEqualTo(space.size())
                .isEqualTo(own.space().size().multiply(BigInteger.valueOf(3)));
        Set<String> seen = new HashSet<>();
        for (int i = 0; i < all.size(); i++) {
            Configuration c = all.get(i);
            assertThat(space.at(BigInteger.valueOf(i))).isEqualTo(c);
            assertThat(space.contains(c)).isTrue();
            DirectiveSpace.Placed p = clocked.at(c);
            assertThat(p.space()).isSameAs(own);
            assertThat(p.clockNs()).hasValue(Double.parseDouble(c.value("clock@k")));
            assertThat(clocked.directives(c)).isEqualTo(own.directives(p.configuration()));
            seen.add(p.configuration().id() + p.clockNs());
        }
        assertThat(seen).hasSameSizeAs(all);
        assertThatThrownBy(() -> space.at(space.size())).isInstanceOf(IndexOutOfBoundsException.class);
        assertThat(clocked.baseline().value("clock@k")).isEqualTo("10");
        assertThat(clocked.at(clocked.baseline()).configuration()).isEqualTo(own.baseline());
    }

    @Test
    void whatIsDrawnOrNearIsAMember() {
        var random = new SplittableRandom(3);
        var only = new BitSet();
        only.set(2);
        for (int i = 0; i < 50; i++) {
            Configuration c = space.draw(random);
            assertThat(space.contains(c)).isTrue();
            assertThat(space.neighbours(c))
                    .allMatch(space::contains)
                    .doesNotContain(c)
                    .doesNotHaveDuplicates()
                    .anyMatch(n -> !n.value("clock@k").equals(c.value("clock@k")));
            var allowed = new ArrayList<BitSet>();
            for (int k = 0; k < space.knobs().size() - 1; k++) {
                allowed.add(space.possibleLevels(k));
            }
            allowed.add(only);
            double[] uniform = random.doubles(space.knobs().size()).toArray();
            assertThat(space.drawWithin(allowed, uniform).value("clock@k")).isEqualTo("20");
        }
    }

    @Test
    void theEstimateIsThatForTheClock() {
        var both = new EstimatorEvaluator(clocked, EstimatorSettings.defaults());
        for (double ns : new double[] {7, 20}) {
            var alone = new EstimatorEvaluator(own, EstimatorSettings.defaults().withClockNs(ns));
            Configuration c = space.enumerate()
                    .filter(x -> clocked.at(x).clockNs().orElse(0) == ns)
                    .findFirst()
                    .orElseThrow();
            assertThat(values(both, c)).isEqualTo(values(alone, clocked.at(c).configuration()));
        }
    }

    private static List<Double> values(EstimatorEvaluator e, Configuration c) {
        Evaluation last =
                e.evaluate(c, e.info().top(), new CancellationSignal()).getLast();
        return List.of(
                last.value("latency").orElseThrow(),
                last.value("clock").orElseThrow(),
                last.value("lut").orElseThrow());
    }
}
