package knobscape.hls.space;

import static knobscape.hls.space.HandKernels.flatGemm;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import knobscape.space.Configuration;
import org.junit.jupiter.api.Test;

class SoftPruningTest {
    private static final SpaceLimits LIMITS = SpaceLimits.defaults();
    private final DirectiveSpace hard =
            SpaceBuilder.build(flatGemm(8), LIMITS, KnobKind.defaults(), KnobCosts.NONE, Pruning.HARD);
    private final DirectiveSpace soft =
            SpaceBuilder.build(flatGemm(8), LIMITS, KnobKind.defaults(), KnobCosts.NONE, Pruning.SOFT);

    @Test
    void whatHardPruningLeavesOutIsAMemberAndDisliked() {
        assertThat(soft.space().knobs()).isEqualTo(hard.space().knobs());
        assertThat(soft.space().size()).isGreaterThan(hard.space().size());
        var random = new SplittableRandom(1);
        List<Configuration> drawn =
                Stream.generate(() -> soft.space().draw(random)).limit(400).toList();
        assertThat(drawn).allMatch(soft.space()::contains);
        assertThat(drawn).allMatch(c -> (soft.disliked(c) == 0) == hard.space().contains(c));
        // Half of the draws and whatever the other half happens to hold.
        assertThat(drawn.stream().filter(hard.space()::contains).count()).isBetween(150L, 390L);
        assertThat(drawn.stream().filter(c -> soft.disliked(c) > 0)).isNotEmpty();
    }

    @Test
    void aDislikedDesignHasDirectivesAndNeighbours() {
        var random = new SplittableRandom(2);
        Configuration disliked = Stream.generate(() -> soft.space().draw(random))
                .filter(c -> soft.disliked(c) > 0)
                .findFirst()
                .orElseThrow();
        assertThat(soft.directives(disliked)).isNotEmpty();
        assertThat(soft.space().neighbours(disliked)).isNotEmpty().allMatch(soft.space()::contains);
    }

    @Test
    void theBaselineIsTheSameAndWhatPruningDidIsSaid() {
        assertThat(soft.baseline()).isEqualTo(hard.baseline());
        assertThat(soft.pruning().getFirst().subject()).startsWith("soft pruning");
        assertThat(soft.pruning().getFirst().after()).isEqualTo(hard.space().size());
        assertThat(hard.disliked(hard.baseline())).isZero();
    }
}
