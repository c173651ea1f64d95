package knobscape.explore.bayes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.SplittableRandom;
import knobscape.numeric.Sobol;
import knobscape.surrogate.GaussianPosterior;
import knobscape.surrogate.Posterior;
import org.junit.jupiter.api.Test;

class StagedRateTest {

    /// The best rule among all 2^S ways to continue after some outcomes and not after others.
    @Test
    void isTheBestOfAllStoppingRules() {
        var random = new SplittableRandom(5);
        for (int trial = 0; trial < 50; trial++) {
            double[] gains = new double[6];
            java.util.Arrays.setAll(gains, i -> random.nextInt(3) == 0 ? 0 : random.nextDouble());
            double now = random.nextDouble(0.01, 0.5);
            double later = random.nextDouble(0.1, 1);
            double best = 0;
            for (int rule = 1; rule < 64; rule++) {
                double gain = 0;
                double cost = now;
                for (int s = 0; s < 6; s++) {
                    if ((rule >> s & 1) == 1) {
                        gain += gains[s] / 6;
                        cost += later / 6;
                    }
                }
                best = Math.max(best, gain / cost);
            }
            assertThat(StagedRate.of(gains, now, later)).isCloseTo(best, within(1e-12));
        }
    }

    @Test
    void aLookThatResolvesNothingIsNotWorthItsTime() {
        double gain = 0.7;
        double direct = gain / (0.1 + 0.9);
        assertThat(StagedRate.of(new double[] {gain, gain, gain, gain}, 0.1, 0.9))
                .isCloseTo(direct, within(1e-12));
    }

    @Test
    void outcomesKeepTheTotalMomentsOfTheBelief() {
        var all = new GaussianPosterior(1, 2, new double[] {1, -2}, new double[] {0.5, 0.2, 0.2, 0.8}, new double[4]);
        var resolved =
                new GaussianPosterior(1, 2, new double[] {1, -2}, new double[] {0.3, 0.1, 0.1, 0.5}, new double[4]);
        Posterior p = StagedRate.outcomes(all, resolved, 0, Sobol.matchedNormals(64, 2, 1));
        double mean = 0;
        double variance = 0;
        for (int s = 0; s < 64; s++) {
            mean += p.mean(s, 0) / 64;
            variance += ((p.mean(s, 0) - 1) * (p.mean(s, 0) - 1) + p.covariance(s, 0, 0)) / 64;
        }
        assertThat(mean).isCloseTo(1, within(1e-9));
        assertThat(variance).isCloseTo(0.5, within(1e-6));
        assertThat(p.covariance(7, 0, 1)).isCloseTo(0.1, within(1e-12));
    }
}
