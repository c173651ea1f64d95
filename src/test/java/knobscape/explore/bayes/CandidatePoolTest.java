package knobscape.explore.bayes;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import knobscape.explore.GridSpace;
import knobscape.space.Configuration;
import knobscape.space.Encoder;
import org.junit.jupiter.api.Test;

class CandidatePoolTest {
    private static final GridSpace SPACE = GridSpace.of(9, 3);

    /// A factor of 1 to 256 as the share of its range, another knob that has no influence.
    private static final Encoder POWERS = new Encoder() {
        @Override
        public int length() {
            return 2;
        }

        @Override
        public double[] encode(Configuration c) {
            return new double[] {((1 << c.level(0)) - 1) / 255.0, 1};
        }
    };

    private static double[] levels(BayesSettings settings) {
        var candidates = new CandidatePool(SPACE, POWERS, settings, 1, Optional.empty());
        List<Configuration> all = SPACE.enumerate().filter(c -> c.level(1) == 0).toList();
        return all.stream().mapToDouble(c -> candidates.features(c)[0]).toArray();
    }

    @Test
    void ranksTellSmallFactorsApartAsWellAsLargeOnes() {
        assertThat(levels(BayesSettings.DEFAULT.with(BayesSettings.Features.RANKED)))
                .containsExactly(0, 1 / 8.0, 2 / 8.0, 3 / 8.0, 4 / 8.0, 5 / 8.0, 6 / 8.0, 7 / 8.0, 1);
        assertThat(levels(BayesSettings.DEFAULT)[1]).isEqualTo(1 / 255.0);
    }
}
