package knobscape.space;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigInteger;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
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
    void membersWithAllowedLevelsAreDrawnEvenly() {
        DesignSpace space = space();
        var random = new SplittableRandom(5);
        int knobs = space.knobs().size();
        List<BitSet> every =
                IntStream.range(0, knobs).mapToObj(space::possibleLevels).toList();
        for (int trial = 0; trial < 8; trial++) {
            Configuration inside = space.draw(random);
            List<BitSet> allowed = IntStream.range(0, knobs)
                    .mapToObj(k -> {
                        var levels = space.possibleLevels(k);
                        int kind = random.nextInt(3);
                        levels.stream()
                                .filter(l -> kind == 0 || (kind == 1 && random.nextBoolean()))
                                .forEach(levels::clear);
                        levels.set(inside.level(k));
                        return levels;
                    })
                    .toList();
            long size = isSmall(space.size())
                    ? space.enumerate().filter(c -> within(c, allowed)).count()
                    : Long.MAX_VALUE;
            var drawn = new HashMap<Configuration, Integer>();
            for (int i = 0; i < 600; i++) {
                Configuration c =
                        space.drawWithin(allowed, random.doubles(knobs).toArray());
                assertThat(space.contains(c) && within(c, allowed)).as(c.text()).isTrue();
                drawn.merge(c, 1, Integer::sum);
            }
            if (size <= 30) {
                double mean = 600.0 / size;
                assertThat(drawn).hasSize((int) size);
                assertThat(drawn.values())
                        .allSatisfy(n -> assertThat(n - mean).isBetween(-5 * Math.sqrt(mean), 5 * Math.sqrt(mean)));
            }
        }
        if (knobs == 0) {
            return;
        }
        List<BitSet> none =
                Stream.concat(Stream.of(new BitSet()), every.stream().skip(1)).toList();
        assertThatThrownBy(() -> space.drawWithin(none, new double[knobs]))
                .isInstanceOf(IllegalArgumentException.class);
    }

    private static boolean within(Configuration c, List<BitSet> allowed) {
        return IntStream.range(0, allowed.size()).allMatch(k -> allowed.get(k).get(c.level(k)));
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
