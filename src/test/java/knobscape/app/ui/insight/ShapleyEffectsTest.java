package knobscape.app.ui.insight;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collection;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import knobscape.explore.GridSpace;
import knobscape.space.Configuration;
import knobscape.space.DesignSpace;
import knobscape.space.Diagrams;
import knobscape.space.FiniteSpace;
import knobscape.space.KnobSet;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

/// Against closed forms, and against the definition over all members of small spaces whose knobs constrain each other.
class ShapleyEffectsTest {
    private static final int CHAINS = 40_000;

    private static double[] estimated(DesignSpace space, int chains, ToDoubleFunction<Configuration> f) {
        int[] varying = IntStream.range(0, space.knobs().size()).toArray();
        var effects = new ShapleyEffects(space, varying, chains, new SplittableRandom(3), () -> {});
        return effects.shares(effects.members().stream().mapToDouble(f).toArray());
    }

    /// The Shapley value of each knob, the worth of a set of knobs being the variance of the mean given them.
    private static double[] defined(DesignSpace space, ToDoubleFunction<Configuration> f) {
        int n = space.knobs().size();
        List<Configuration> all = space.enumerate().toList();
        double[] worth = new double[1 << n];
        for (int set = 0; set < worth.length; set++) {
            int known = set;
            Collection<List<Configuration>> alike = all.stream()
                    .collect(Collectors.groupingBy(c -> IntStream.range(0, n)
                            .map(k -> (known >> k & 1) == 1 ? c.level(k) : -1)
                            .boxed()
                            .toList()))
                    .values();
            double mean = all.stream().mapToDouble(f).average().orElseThrow();
            for (List<Configuration> group : alike) {
                double d = group.stream().mapToDouble(f).average().orElseThrow() - mean;
                worth[set] += d * d * group.size() / all.size();
            }
        }
        var shares = new double[n];
        for (int k = 0; k < n; k++) {
            for (int set = 0; set < worth.length; set++) {
                if ((set >> k & 1) == 0) {
                    int size = Integer.bitCount(set);
                    double weight = factorial(size) * factorial(n - size - 1) / factorial(n);
                    shares[k] += weight * (worth[set | 1 << k] - worth[set]) / worth[worth.length - 1];
                }
            }
        }
        return shares;
    }

    private static double factorial(int n) {
        return IntStream.rangeClosed(2, n).asDoubleStream().reduce(1, (a, b) -> a * b);
    }

    private static DesignSpace constrained(int[] sizes, int[] knobs, Predicate<int[]> holds) {
        KnobSet all = GridSpace.of(sizes).knobs();
        var diagrams = new Diagrams(sizes);
        return diagrams.space(
                all,
                diagrams.relation(knobs, holds),
                IntStream.range(0, sizes.length).toArray(),
                List.of());
    }

    /// Two standard inputs with correlation r have the effects b1^2 (1 - r^2/2) + b1 b2 r + b2^2 r^2/2 and the same
    /// with 1 and 2 exchanged on b1 x1 + b2 x2 (Owen and Prieur 2017), wherever the mean of one given the other is
    /// linear. So it is on the hexagon of levels 0 to 2 that differ by at most one: r = 1/2.
    @Test
    void ofALinearFunctionOfTwoDependentKnobsTheyAreTheClosedForm() {
        DesignSpace hexagon = constrained(new int[] {3, 3}, new int[] {0, 1}, l -> Math.abs(l[0] - l[1]) <= 1);
        assertThat(hexagon.size()).isEqualTo(7);
        double r = 0.5;
        for (double[] b : new double[][] {{1, 1}, {2, 1}, {1, -1}, {3, 0}}) {
            double variance = b[0] * b[0] + b[1] * b[1] + 2 * r * b[0] * b[1];
            double first = b[0] * b[0] * (1 - r * r / 2) + b[0] * b[1] * r + b[1] * b[1] * r * r / 2;
            double[] found = estimated(hexagon, CHAINS, c -> b[0] * c.level(0) + b[1] * c.level(1));
            assertThat(found[0]).isCloseTo(first / variance, Offset.offset(0.015));
            assertThat(found[0] + found[1]).isCloseTo(1, Offset.offset(1e-9));
        }
    }

    /// Total indices with columns exchanged as if knobs were independent give .8 and .2 here.
    @Test
    void twoKnobsThatAreTheSameShareEvenlyWhicheverTheFunctionReads() {
        DesignSpace line = constrained(new int[] {5, 5}, new int[] {0, 1}, l -> l[0] == l[1]);
        double[] found = estimated(line, 200, c -> 2 * c.level(0) + c.level(1));
        assertThat(found[0]).isCloseTo(0.5, Offset.offset(0.15));
        assertThat(estimated(line, CHAINS, c -> c.level(0))[1]).isCloseTo(0.5, Offset.offset(0.015));
    }

    @Test
    void ofFunctionsThatAreNotAdditiveTheyAreTheDefinitionsOverAllMembers() {
        var random = new SplittableRandom(8);
        for (int trial = 0; trial < 4; trial++) {
            double[] at = random.doubles(64).toArray();
            ToDoubleFunction<Configuration> f =
                    c -> at[c.level(0) * 16 + c.level(1) * 4 + c.level(2)] + c.level(0) * c.level(2) * 0.4 + c.level(3);
            int most = 2 + trial;
            DesignSpace space = constrained(
                    new int[] {4, 4, 4, 2}, new int[] {0, 1, 2}, l -> l[0] + l[1] <= most && l[2] >= l[1] - 1);
            double[] exact = defined(space, f);
            double[] found = estimated(space, CHAINS, f);
            for (int k = 0; k < exact.length; k++) {
                assertThat(found[k]).as("knob " + k).isCloseTo(exact[k], Offset.offset(0.02));
            }
            List<Configuration> members = space.enumerate().toList();
            double[] listed = estimated(new FiniteSpace(space.knobs(), members), CHAINS, f);
            assertThat(listed[0]).isCloseTo(exact[0], Offset.offset(0.02));
        }
    }

    @Test
    void aConstantHasNoShares() {
        assertThat(estimated(GridSpace.of(3, 2), 50, c -> 4)).containsOnly(0);
    }
}
