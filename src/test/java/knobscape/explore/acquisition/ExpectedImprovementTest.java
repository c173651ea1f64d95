package knobscape.explore.acquisition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.SplittableRandom;
import knobscape.Golden;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/// Holds expected improvement against mpmath at 60 digits, into the far tail.
class ExpectedImprovementTest {
    private static final JsonNode GOLDEN = Golden.read("acquisition/expected_improvement.json");

    @Test
    void agreesWithHighPrecisionIntoTheTail() {
        double[][] rows = Golden.matrix(GOLDEN.get("normal"));
        assertThat(rows.length).isGreaterThan(90);
        for (double[] row : rows) {
            double log = ExpectedImprovement.logNormal(row[0], 0, 1);
            assertThat(log).as("at %s", row[0]).isCloseTo(row[2], within(1e-13 * (1 + Math.abs(row[2]))));
            assertThat(ExpectedImprovement.normal(row[0], 0, 1))
                    .as("at %s", row[0])
                    .isCloseTo(row[1], within(2e-13 * row[1] + 1e-306));
        }
    }

    @Test
    void ranksInTheTailAsTheLogarithmDoes() {
        double before = Double.NEGATIVE_INFINITY;
        for (double z = -2000; z < 10; z += 0.37) {
            double now = ExpectedImprovement.logNormal(z, 0, 1);
            assertThat(now).isGreaterThan(before);
            before = now;
        }
        // More doubt is worth more, everywhere.
        assertThat(ExpectedImprovement.logNormal(0, 50, 1)).isLessThan(ExpectedImprovement.logNormal(0, 50, 1.01));
    }

    @Test
    void scalesWithTheUnitAndShiftsWithTheOrigin() {
        var random = new SplittableRandom(7);
        for (int i = 0; i < 200; i++) {
            double target = random.nextDouble(-3, 3);
            double mean = random.nextDouble(-3, 3);
            double deviation = Math.exp(random.nextDouble(-3, 1));
            double unit = Math.exp(random.nextDouble(-5, 5));
            assertThat(ExpectedImprovement.logNormal(unit * target, unit * mean, unit * deviation))
                    .isCloseTo(Math.log(unit) + ExpectedImprovement.logNormal(target, mean, deviation), within(1e-9));
            // E max(0, t - Y) - E max(0, Y - t) = t - E Y.
            assertThat(ExpectedImprovement.normal(target, mean, deviation)
                            - ExpectedImprovement.normal(-target, -mean, deviation))
                    .isCloseTo(target - mean, within(1e-12));
        }
    }

    @Test
    void aKnownValueImprovesByWhatItIs() {
        assertThat(ExpectedImprovement.normal(3, 1, 0)).isEqualTo(2);
        assertThat(ExpectedImprovement.normal(1, 3, 0)).isZero();
        assertThat(ExpectedImprovement.logNormal(1, 3, 0)).isEqualTo(Double.NEGATIVE_INFINITY);
        assertThat(ExpectedImprovement.exponential(3, 0, 0)).isEqualTo(2);
        assertThat(ExpectedImprovement.exponential(-1, 0, 1)).isZero();
    }

    @Test
    void exponentialAgreesWithHighPrecision() {
        for (double[] row : Golden.matrix(GOLDEN.get("lognormal"))) {
            assertThat(ExpectedImprovement.exponential(row[0], row[1], row[2]))
                    .isCloseTo(row[3], within(1e-12 * Math.max(row[0], row[3])));
        }
    }
}
