package knobscape.lab.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Test;

class PairedTrialsTest {
    private static PairedTrials.Kernel kernel(double[] own, double... other) {
        return new PairedTrials.Kernel(own, other);
    }

    @Test
    void oneFarSeedMovesTheRatioOfMeansAndNotThatOfMedians() {
        var pairs = new PairedTrials(List.of(kernel(new double[] {1, 1, 13}, 10, 10, 10)));
        assertThat(pairs.ratio(false, true).value()).isCloseTo(0.5, within(1e-12));
        assertThat(pairs.ratio(true, true).value()).isCloseTo(0.1, within(1e-12));
        assertThat(pairs.count(true)).isEqualTo(2);
        assertThat(pairs.count(false)).isEqualTo(1);
    }

    /// Drawn together, pairs whose ratio is the same leave nothing open, however far seeds are apart.
    @Test
    void intervalsDrawPairs() {
        var pairs = new PairedTrials(List.of(kernel(new double[] {1, 4, 9, 100}, 2, 8, 18, 200)));
        assertThat(pairs.ratio(false, true)).isEqualTo(new PairedTrials.Figure(0.5, 0.5, 0.5));
        assertThat(pairs.share()).isEqualTo(new PairedTrials.Figure(1, 1, 1));
    }

    /// Of one kernel with n seeds, half of them won, the share won has the deviation 1/(2 sqrt n).
    @Test
    void theIntervalOfAShareIsTheBinomialOne() {
        double[] own = new double[400];
        double[] other = new double[400];
        for (int i = 0; i < own.length; i++) {
            own[i] = i % 2;
            other[i] = 1 - i % 2;
        }
        PairedTrials.Figure share = new PairedTrials(List.of(kernel(own, other))).share();
        assertThat(share.value()).isEqualTo(0.5);
        assertThat(share.low()).isCloseTo(0.5 - 1.96 / 40, within(0.005));
        assertThat(share.high()).isCloseTo(0.5 + 1.96 / 40, within(0.005));
    }

    @Test
    void nothingDecidedIsHalfAndKernelsWithoutPairsAreLeftOut() {
        var tied = new PairedTrials(List.of(kernel(new double[] {0, 0}, 0, 0), kernel(new double[] {})));
        assertThat(tied.kernels()).hasSize(1);
        assertThat(tied.share().value()).isEqualTo(0.5);
        assertThat(tied.ratio(false, true).value()).isEqualTo(1);
        assertThat(new PairedTrials(List.of()).share().value()).isNaN();
    }
}
