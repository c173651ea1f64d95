package knobscape.explore.bayes;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import knobscape.space.CartesianSpace;
import knobscape.space.Configuration;
import knobscape.space.Domain;
import knobscape.space.FiniteSpace;
import knobscape.space.Knob;
import knobscape.space.KnobSet;
import org.junit.jupiter.api.Test;

class NearSourceTest {
    private static final CartesianSpace SPACE = new CartesianSpace(new KnobSet(IntStream.range(0, 6)
            .mapToObj(k -> new Knob("k" + k, new Domain.Factors(List.of(1, 2, 4, 8))))
            .toList()));
    private static final Configuration SOURCE = Configuration.of(SPACE.knobs(), 0, 0, 0, 0, 0, 0);

    private static long set(Configuration c) {
        return IntStream.range(0, 6).filter(k -> c.level(k) != 0).count();
    }

    @Test
    void beginsWithTheSourceAsItStandsAndGoesOnAroundIt() {
        Set<Configuration> known = new HashSet<>();
        var random = new SplittableRandom(1);
        for (int i = 0; i < 19; i++) {
            Configuration next = NearSource.draw(SPACE, known, 1, random).getFirst();
            assertThat(set(next)).isEqualTo(i == 0 ? 0 : 1);
            assertThat(known.add(next)).isTrue();
        }
        assertThat(set(NearSource.draw(SPACE, known, 1, random).getFirst())).isBetween(2L, 4L);
    }

    @Test
    void severalAtOnceDiffer() {
        assertThat(NearSource.draw(SPACE, Set.of(), 4, new SplittableRandom(2)))
                .hasSize(4)
                .doesNotHaveDuplicates()
                .startsWith(SOURCE);
    }

    @Test
    void doesWithoutTheSourceWhereItIsNoMember() {
        var without = new FiniteSpace(
                SPACE.knobs(),
                SPACE.enumerate().filter(c -> c.level(0) > 0 && c.level(3) > 1).toList());
        assertThat(NearSource.draw(without, Set.of(), 1, new SplittableRandom(3)))
                .singleElement()
                .satisfies(c -> assertThat(set(c)).isEqualTo(2));
    }
}
