package knobscape.hls.directive;

import static knobscape.hls.directive.HandKernels.figure35;
import static knobscape.hls.directive.HandKernels.flatGemm;
import static knobscape.hls.directive.HandKernels.gemm;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class SpaceBuilderTest {

    @Test
    void theUnoptimisedDesignIsAMember() {
        for (var kernel : List.of(figure35(8, 8), flatGemm(64), gemm(64))) {
            DirectiveSpace space = SpaceBuilder.build(kernel, SpaceLimits.defaults());
            assertThat(space.space().contains(space.baseline())).isTrue();
            assertThat(space.baseline().toMap().values()).allMatch(v -> List.of("off", "1", "none").contains(v));
            assertThat(space.space().size()).isLessThan(space.space().fullSize());
        }
    }
}
