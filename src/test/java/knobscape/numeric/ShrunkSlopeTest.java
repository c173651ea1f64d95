package knobscape.numeric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class ShrunkSlopeTest {
    @Test
    void itIsOneWhereNothingSpeaksAgainstIt() {
        assertThat(ShrunkSlope.of(new double[0], new double[0])).isEqualTo(1);
        assertThat(ShrunkSlope.of(new double[] {3, 3, 3}, new double[] {1, 5, 9}))
                .isEqualTo(1);
        assertThat(ShrunkSlope.of(new double[] {0, 1, 5}, new double[] {7, 8, 12}))
                .isEqualTo(1);
    }

    /// Deviations of the forecast are -2, 0 and 2, of what came half of that: (2 + 4) / (2 + 8).
    @Test
    void fewRowsCountForLess() {
        assertThat(ShrunkSlope.of(new double[] {0, 2, 4}, new double[] {10, 11, 12}))
                .isCloseTo(0.6, within(1e-12));
        double[] forecast = new double[100];
        double[] came = new double[100];
        for (int i = 0; i < 100; i++) {
            forecast[i] = i;
            came[i] = 0.5 * i;
        }
        assertThat(ShrunkSlope.of(forecast, came)).isCloseTo(0.5, within(1e-4));
    }

    @Test
    void whatRunsAgainstTheForecastGivesItUp() {
        assertThat(ShrunkSlope.of(new double[] {0, 2, 4}, new double[] {12, 10, 8}))
                .isZero();
    }
}
