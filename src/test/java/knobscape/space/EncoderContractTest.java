package knobscape.space;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// What every encoder keeps to.
public abstract class EncoderContractTest {
    private static final int DRAWS = 60;

    /// The encoder.
    protected abstract Encoder encoder();

    /// What it encodes.
    protected abstract DesignSpace space();

    /// Whether all numbers lie in [0, 1].
    protected boolean isUnit() {
        return false;
    }

    /// Least share of configurations whose rows are theirs alone.
    protected double toldApart() {
        return 1;
    }

    private List<Configuration> draws() {
        var random = new SplittableRandom(11);
        return IntStream.range(0, DRAWS)
                .mapToObj(i -> space().draw(random))
                .distinct()
                .toList();
    }

    @Test
    void everyRowHasItsLengthAndIsFinite() {
        Encoder encoder = encoder();
        for (Configuration c : draws()) {
            double[] row = encoder.encode(c);
            assertThat(row).hasSize(encoder.length());
            assertThat(Arrays.stream(row)).allMatch(v -> Double.isFinite(v) && (!isUnit() || (v >= 0 && v <= 1)));
        }
    }

    @Test
    void differentConfigurationsHaveDifferentRows() {
        Encoder encoder = encoder();
        List<Configuration> drawn = draws();
        assertThat(drawn.stream()
                        .map(c -> Arrays.toString(encoder.encode(c)))
                        .distinct()
                        .count())
                .isGreaterThanOrEqualTo((long) (toldApart() * drawn.size()));
    }

    @Test
    void rowsAreTheSameAgainFromAnotherEncoderTogetherAndFromSeveralThreads() {
        Encoder encoder = encoder();
        Encoder other = encoder();
        List<Configuration> drawn = draws();
        double[][] together = encoder.encodeAll(drawn);
        double[][] sideBySide = drawn.parallelStream().map(encoder::encode).toArray(double[][]::new);
        assertThat(together).isDeepEqualTo(sideBySide);
        for (int i = 0; i < together.length; i++) {
            assertThat(other.encode(drawn.get(i))).containsExactly(together[i]);
        }
        assertThat(encoder.encodeAll(List.of())).isEmpty();
    }

    @Test
    void whatIsHandedOutIsNobodyElses() {
        Encoder encoder = encoder();
        Configuration c = draws().getFirst();
        double[] row = encoder.encode(c);
        double[] kept = row.clone();
        Arrays.fill(row, Double.NaN);
        assertThat(encoder.encode(c)).containsExactly(kept);
    }
}
