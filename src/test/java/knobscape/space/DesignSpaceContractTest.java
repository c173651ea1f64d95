package knobscape.space;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigInteger;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// What every design space keeps to. Small spaces are compared with the list of all members, of large ones the
/// first members and draws are examined.
public abstract class DesignSpaceContractTest {
    private static final int SMALL = 5_000;
    private static final int SOME = 60;

    /// The space under test; the same every time.
    protected abstract DesignSpace space();

    private static boolean isSmall(BigInteger size) {
        return size.compareTo(BigInteger.valueOf(SMALL)) <= 0;
    }

    /// Members from the front, the end and anywhere.
    private static List<Configuration> some(DesignSpace space) {
        var random = new SplittableRandom(11);
        return Stream.of(
                        space.enumerate().limit(SOME),
                        Stream.of(space.at(space.size().subtract(BigInteger.ONE))),
                        Stream.generate(() -> space.draw(random)).limit(SOME))
                .flatMap(c -> c)
                .distinct()
                .toList();
    }

    @Test
    void theSizeIsTheNumberOfDifferentMembers() {
        DesignSpace space = space();
        assertThat(space.size()).isPositive().isLessThanOrEqualTo(space.fullSize());
        long listed = isSmall(space.size()) ? space.enumerate().count() : SMALL;
        assertThat(space.enumerate().limit(SMALL)).doesNotHaveDuplicates().hasSize((int) listed);
        if (isSmall(space.size())) {
            assertThat(space.size()).isEqualTo(listed);
        }
        if (isSmall(space.fullSize())) {
            assertThat(new CartesianSpace(space.knobs())
                            .enumerate()
                            .filter(space::contains)
                            .count())
                    .isEqualTo(listed);
        }
    }

    @Test
    void ranksCountInTheOrderOfTheEnumeration() {
        DesignSpace space = space();
        List<Configuration> first = space.enumerate().limit(SOME).toList();
        for (int i = 0; i < first.size(); i++) {
            assertThat(space.at(BigInteger.valueOf(i))).isEqualTo(first.get(i));
        }
        assertThatThrownBy(() -> space.at(space.size())).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> space.at(BigInteger.ONE.negate())).isInstanceOf(IndexOutOfBoundsException.class);
    }

    @Test
    void membersAreContainedAndTheirLevelsPossible() {
        DesignSpace space = space();
        for (Configuration c : some(space)) {
            assertThat(space.contains(c)).as(c.text()).isTrue();
            for (int k = 0; k < space.knobs().size(); k++) {
                assertThat(space.possibleLevels(k).get(c.level(k))).as(c.text()).isTrue();
            }
        }
    }

    @Test
    void drawsRepeatFromTheirSeed() {
        DesignSpace space = space();
        var one = new SplittableRandom(3);
        var other = new SplittableRandom(3);
        for (int i = 0; i < SOME; i++) {
            assertThat(space.draw(one)).isEqualTo(space.draw(other));
        }
    }

    @Test
    void neighboursAreOtherMembersInAFixedOrder() {
        DesignSpace space = space();
        for (Configuration c : some(space).stream().limit(SOME).toList()) {
            List<Configuration> near = space.neighbours(c);
            assertThat(near)
                    .doesNotHaveDuplicates()
                    .doesNotContain(c)
                    .allMatch(space::contains)
                    .isEqualTo(space.neighbours(c));
        }
    }

    @Test
    void membersAreReadBackFromTheirText() {
        DesignSpace space = space();
        for (Configuration c : some(space)) {
            Configuration back = Configuration.parse(space.knobs(), c.text());
            assertThat(back).isEqualTo(c).hasSameHashCodeAs(c);
            assertThat(back.id()).isEqualTo(c.id());
        }
    }
}
