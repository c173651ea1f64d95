package knobscape.explore.bayes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.SplittableRandom;
import knobscape.numeric.StandardNormal;
import knobscape.surrogate.GaussianPosterior;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MaxValueEntropyTest {

    /// Entropy of a standard normal less that of one cut off below `-gamma`, by summation.
    @ParameterizedTest
    @ValueSource(doubles = {-6, -2, -0.5, 0, 1, 3})
    void informationIsTheFallOfEntropy(double gamma) {
        double mass = StandardNormal.cumulative(gamma);
        double entropy = 0;
        double step = 1e-4;
        for (double z = -gamma + step / 2; z < Math.max(-gamma, 0) + 12; z += step) {
            double density = StandardNormal.density(z) / mass;
            if (density > 0) {
                entropy -= step * density * Math.log(density);
            }
        }
        double whole = 0.5 * Math.log(2 * Math.PI * Math.E);
        assertThat(MaxValueEntropy.information(gamma)).isCloseTo(whole - entropy, within(1e-4));
    }

    @Test
    void informationContinuesSmoothlyInTheTail() {
        double before = MaxValueEntropy.information(-36);
        double after = MaxValueEntropy.information(-40);
        assertThat(after).isGreaterThan(before).isLessThan(before + 1);
    }

    /// Against the distribution of the smallest of many independent draws.
    @Test
    void drawsOfTheSmallestValueFollowItsDistribution() {
        int n = 200;
        var p = GaussianPosterior.blank(n, 1);
        var random = new SplittableRandom(3);
        for (int i = 0; i < n; i++) {
            p.means()[i] = random.nextDouble();
            p.covariances()[i] = 0.04;
        }
        double[] simulated = new double[4000];
        for (int s = 0; s < simulated.length; s++) {
            simulated[s] = Double.POSITIVE_INFINITY;
            for (int i = 0; i < n; i++) {
                simulated[s] = Math.min(simulated[s], p.mean(i, 0) + 0.2 * random.nextGaussian());
            }
        }
        double[] drawn = MaxValueEntropy.minima(p, 0, 10);
        assertThat(Arrays.stream(drawn).average().orElseThrow())
                .isCloseTo(Arrays.stream(simulated).average().orElseThrow(), within(0.02));
        assertThat(MaxValueEntropy.minima(p, 0, -5)).containsOnly(-5);
    }

    @Test
    void prefersPromisingAndUncertainCandidatesAndWeighsByTheShareOfAnEvaluation() {
        var p = new GaussianPosterior(
                3, 1, new double[] {0.5, 0.1, 0.1}, new double[] {0.01, 0.01, 0.0001}, new double[3]);
        double[] scores = MaxValueEntropy.score(p, new double[] {0.15}, new double[][] {{1}, {1}, {1}});
        assertThat(scores[1]).isGreaterThan(scores[0]);
        double[] half = MaxValueEntropy.score(p, new double[] {0.15}, new double[][] {{0.5}, {0.5}, {0}});
        assertThat(half[1]).isCloseTo(scores[1] / 2, within(1e-12));
        assertThat(half[2]).isZero();
    }
}
