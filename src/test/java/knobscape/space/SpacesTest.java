package knobscape.space;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SpacesTest {

    private static KnobSet knobs(int... sizes) {
        return new KnobSet(IntStream.range(0, sizes.length)
                .mapToObj(i -> new Knob(
                        "k" + i,
                        new Domain.Factors(IntStream.range(0, sizes[i])
                                .mapToObj(l -> 1 << l)
                                .toList())))
                .toList());
    }

    /// What every space owes: ranks, membership, enumeration and counting tell the same story.
    private static void holdsTogether(DesignSpace space) {
        List<Configuration> all = space.enumerate().toList();
        assertThat(BigInteger.valueOf(all.size())).isEqualTo(space.size());
        assertThat(new HashSet<>(all)).hasSameSizeAs(all);
        for (int i = 0; i < all.size(); i++) {
            assertThat(space.at(BigInteger.valueOf(i))).isEqualTo(all.get(i));
            assertThat(space.contains(all.get(i))).isTrue();
        }
        var members = new HashSet<>(all);
        new CartesianSpace(space.knobs())
                .enumerate()
                .forEach(c -> assertThat(space.contains(c)).isEqualTo(members.contains(c)));
        for (int k = 0; k < space.knobs().size(); k++) {
            var levels = new BitSet();
            int knob = k;
            all.forEach(c -> levels.set(c.level(knob)));
            assertThat(space.possibleLevels(k)).isEqualTo(levels);
        }
        assertThatThrownBy(() -> space.at(space.size())).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> space.at(BigInteger.ONE.negate())).isInstanceOf(IndexOutOfBoundsException.class);
        for (Configuration member : all.stream().limit(50).toList()) {
            List<Configuration> near = space.neighbours(member);
            assertThat(near).doesNotHaveDuplicates().doesNotContain(member).allMatch(space::contains);
            if (!(space instanceof FiniteSpace)) {
                assertThat(near)
                        .containsAll(all.stream()
                                .filter(c -> distance(c, member) == 1)
                                .toList());
            }
        }
    }

    private static int distance(Configuration a, Configuration b) {
        return (int) IntStream.range(0, a.knobs().size())
                .filter(i -> a.level(i) != b.level(i))
                .count();
    }

    @Test
    void cartesianSpaceIsEverything() {
        holdsTogether(new CartesianSpace(knobs(3, 1, 4, 2)));
        holdsTogether(new CartesianSpace(knobs()));
        assertThat(new CartesianSpace(knobs(3, 4)).at(BigInteger.valueOf(5)).levels())
                .containsExactly(1, 1);
    }

    @Test
    void finiteSpaceHoldsItsListOnce() {
        KnobSet knobs = knobs(3, 3);
        var a = Configuration.of(knobs, 0, 0);
        var b = Configuration.of(knobs, 2, 2);
        var c = Configuration.of(knobs, 2, 1);
        var space = new FiniteSpace(knobs, List.of(b, a, b, c));
        holdsTogether(space);
        assertThat(space.enumerate()).containsExactly(b, a, c);
        assertThat(space.neighbours(b)).containsExactly(c);
        assertThat(space.neighbours(a))
                .as("none differs in one knob: the closest")
                .containsExactly(b, c);
        assertThat(new FiniteSpace(knobs, List.of(a)).neighbours(a)).isEmpty();
        assertThatIllegalArgumentException().isThrownBy(() -> new FiniteSpace(knobs, List.of()));
        assertThatIllegalArgumentException().isThrownBy(() -> new FiniteSpace(knobs(3), List.of(a)));
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void diagramsAreSets(long seed) {
        var random = new Random(seed);
        int[] sizes = IntStream.range(0, 2 + random.nextInt(4))
                .map(i -> 1 + random.nextInt(4))
                .toArray();
        KnobSet knobs = knobs(sizes);
        var diagrams = diagrams(knobs);
        List<Configuration> universe = new CartesianSpace(knobs).enumerate().toList();
        var a = randomSubset(universe, random, 0.4);
        var b = randomSubset(universe, random, 0.5);
        var da = diagram(diagrams, a);
        var db = diagram(diagrams, b);

        var either = new HashSet<>(a);
        either.addAll(b);
        var both = new HashSet<>(a);
        both.retainAll(b);
        var outside = new HashSet<>(universe);
        outside.removeAll(a);
        assertThat(da.or(db)).isEqualTo(diagram(diagrams, either)).isEqualTo(db.or(da));
        assertThat(da.and(db)).isEqualTo(diagram(diagrams, both)).isEqualTo(db.and(da));
        assertThat(da.not()).isEqualTo(diagram(diagrams, outside));
        assertThat(da.not().not()).isEqualTo(da);
        assertThat(da.or(da.not())).isEqualTo(diagrams.everything());
        assertThat(da.and(da.not()).isEmpty()).isTrue();
        assertThat(da.count()).isEqualTo(BigInteger.valueOf(a.size()));

        int variable = random.nextInt(sizes.length);
        var freed = new HashSet<Configuration>();
        a.forEach(c -> IntStream.range(0, sizes[variable]).forEach(l -> freed.add(c.with(variable, l))));
        assertThat(da.exists(variable)).isEqualTo(diagram(diagrams, freed));
        var kept = new BitSet();
        kept.set(0, sizes.length);
        kept.clear(variable);
        assertThat(da.countOver(kept)).isEqualTo(BigInteger.valueOf(freed.size() / sizes[variable]));

        if (!either.isEmpty()) {
            holdsTogether(whole(diagrams, knobs, da.or(db)));
        }
    }

    private static Set<Configuration> randomSubset(List<Configuration> universe, Random random, double share) {
        var set = new LinkedHashSet<Configuration>();
        universe.forEach(c -> {
            if (random.nextDouble() < share) {
                set.add(c);
            }
        });
        return set;
    }

    private static Diagrams diagrams(KnobSet knobs) {
        return new Diagrams(
                knobs.list().stream().mapToInt(k -> k.domain().size()).toArray());
    }

    /// The space of a set over all variables, all of which may change together.
    private static DiagramSpace whole(Diagrams diagrams, KnobSet knobs, Diagrams.Diagram set) {
        int[] all = IntStream.range(0, knobs.size()).toArray();
        return diagrams.space(knobs, set, all, List.of(all));
    }

    private static Diagrams.Diagram diagram(Diagrams diagrams, Set<Configuration> members) {
        var d = diagrams.nothing();
        for (Configuration c : members) {
            d = d.or(diagrams.product(IntStream.range(0, c.levels().length)
                    .boxed()
                    .collect(Collectors.toMap(i -> i, i -> BitSet.valueOf(new long[] {1L << c.level(i)})))));
        }
        return d;
    }

    @Test
    void relationsAndProductsSayWhatTheyMean() {
        KnobSet knobs = knobs(3, 4, 2, 3);
        var diagrams = diagrams(knobs);
        Predicate<int[]> test = l -> l[0] + l[1] == 3;
        var space = whole(diagrams, knobs, diagrams.relation(new int[] {0, 3}, test));
        assertThat(space.enumerate()).allMatch(c -> c.level(0) + c.level(3) == 3);
        assertThat(space.size()).isEqualTo(2 * 8);
        var odd = new BitSet();
        odd.set(1);
        odd.set(3);
        assertThat(diagrams.only(1, odd)).isEqualTo(diagrams.relation(new int[] {1}, l -> l[0] % 2 == 1));
        assertThatIllegalArgumentException().isThrownBy(() -> diagrams.relation(new int[] {2, 1}, test));
        assertThatIllegalArgumentException().isThrownBy(() -> whole(diagrams, knobs, diagrams.nothing()));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> diagrams.everything().or(diagrams(knobs).nothing()));
    }

    @Test
    void hiddenVariablesAreProjectedAway() {
        var diagrams = new Diagrams(3, 5, 3);
        // First and last are tied through the hidden one in the middle: equal, or the hidden one is 4.
        var set =
                diagrams.relation(new int[] {0, 1, 2}, l -> (l[0] == l[1] && l[1] == l[2]) || (l[1] == 4 && l[0] == 0));
        KnobSet knobs = knobs(3, 3);
        var space = diagrams.space(knobs, set, new int[] {0, 2}, List.of());
        holdsTogether(space);
        assertThat(space.enumerate().map(Configuration::text))
                .containsExactly("k0=1;k1=1", "k0=1;k1=2", "k0=1;k1=4", "k0=2;k1=2", "k0=4;k1=4");
    }

    @Test
    void setsOfOtherDiagramsAreAdopted() {
        var small = new Diagrams(3, 2, 4);
        var set = small.relation(new int[] {0, 2}, l -> l[0] < l[1]);
        var large = new Diagrams(5, 3, 3, 4);
        assertThat(large.adopt(set, new int[] {1, -1, 3}))
                .isEqualTo(large.relation(new int[] {1, 3}, l -> l[0] < l[1]));
        assertThat(large.adopt(small.nothing(), new int[] {1, -1, 3}).isEmpty()).isTrue();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> large.adopt(set, new int[] {1, -1, -1}))
                .withMessageContaining("left out");
        assertThatIllegalArgumentException().isThrownBy(() -> large.adopt(set, new int[] {3, -1, 1}));
        assertThatIllegalArgumentException().isThrownBy(() -> large.adopt(set, new int[] {1, 2}));
    }

    @Test
    void diagramsMayBeBounded() {
        var diagrams = new Diagrams(60, new int[] {4, 4, 4, 4, 4, 4});
        assertThatThrownBy(() -> diagrams.relation(
                        new int[] {0, 1, 2, 3, 4, 5}, l -> l[0] == l[3] && l[1] == l[4] && l[2] == l[5]))
                .isInstanceOf(Diagrams.TooLargeException.class)
                .hasMessageContaining("60");
    }

    @Test
    void tiedKnobsMoveTogether() {
        KnobSet knobs = knobs(4, 4, 3);
        var diagrams = diagrams(knobs);
        var set = diagrams.relation(new int[] {0, 1}, l -> l[0] == l[1]);
        var tied = diagrams.space(knobs, set, new int[] {0, 1, 2}, List.of(new int[] {0, 1}));
        var untied = diagrams.space(knobs, set, new int[] {0, 1, 2}, List.of());
        var from = Configuration.of(knobs, 1, 1, 0);
        assertThat(untied.neighbours(from))
                .extracting(Configuration::text)
                .containsExactly("k0=2;k1=2;k2=2", "k0=2;k1=2;k2=4");
        assertThat(tied.neighbours(from))
                .extracting(Configuration::text)
                .containsExactlyInAnyOrder(
                        "k0=2;k1=2;k2=2", "k0=2;k1=2;k2=4", "k0=1;k1=1;k2=1", "k0=4;k1=4;k2=1", "k0=8;k1=8;k2=1");
        assertThat(tied.nearest(Configuration.of(knobs, 3, 0, 2)).levels()).containsExactly(0, 0, 2);
        assertThat(tied.nearest(from)).isEqualTo(from);
    }

    @ParameterizedTest
    @ValueSource(longs = {11, 12, 13, 14})
    void nearestIsNearest(long seed) {
        var random = new Random(seed);
        KnobSet knobs = knobs(3, 4, 2, 3, 3);
        var diagrams = diagrams(knobs);
        List<Configuration> universe = new CartesianSpace(knobs).enumerate().toList();
        var members = randomSubset(universe, random, 0.05);
        var space = whole(diagrams, knobs, diagram(diagrams, members));
        for (Configuration c : universe) {
            int least = members.stream().mapToInt(m -> distance(c, m)).min().orElseThrow();
            assertThat(space.nearest(c)).isIn(members).matches(m -> distance(c, m) == least);
        }
        for (Configuration member : members) {
            for (Configuration near : space.neighbours(member)) {
                // It changes some knob to a level for which no member needs fewer changes.
                assertThat(IntStream.range(0, 5).filter(i -> near.level(i) != member.level(i)))
                        .anyMatch(i -> members.stream()
                                .filter(m -> m.level(i) == near.level(i))
                                .noneMatch(m -> distance(m, member) < distance(near, member)));
            }
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {21, 22, 23})
    void productsOfSpacesAreSpaces(long seed) {
        var random = new Random(seed);
        KnobSet all = knobs(3, 2, 4, 2, 3);
        var first = new KnobSet(List.of(all.get(4), all.get(1)));
        var second = new KnobSet(List.of(all.get(0), all.get(3)));
        var third = new KnobSet(List.of(all.get(2)));
        var diagrams = diagrams(first);
        var members = randomSubset(new CartesianSpace(first).enumerate().toList(), random, 0.6);
        members.add(Configuration.of(first, 0, 0));
        var parts = List.of(
                whole(diagrams, first, diagram(diagrams, members)),
                new CartesianSpace(second),
                new FiniteSpace(third, List.of(Configuration.of(third, 2), Configuration.of(third, 0))));
        var space = new ProductSpace(all, parts);
        assertThat(space.size()).isEqualTo(members.size() * 6L * 2);
        assertThat(space.fullSize()).isEqualTo(3 * 2 * 4 * 2 * 3);
        List<Configuration> listed = space.enumerate().toList();
        assertThat(BigInteger.valueOf(listed.size())).isEqualTo(space.size());
        for (int i = 0; i < listed.size(); i++) {
            assertThat(space.at(BigInteger.valueOf(i))).isEqualTo(listed.get(i));
        }
        assertThat(new CartesianSpace(all)
                        .enumerate()
                        .filter(space::contains)
                        .collect(java.util.stream.Collectors.toSet()))
                .isEqualTo(new HashSet<>(listed));
        assertThat(space.possibleLevels(2).stream().toArray()).containsExactly(0, 2);
        assertThat(space.neighbours(listed.getFirst())).doesNotHaveDuplicates().allMatch(space::contains);
        assertThat(new ProductSpace(
                                new KnobSet(parts.stream()
                                        .flatMap(p -> p.knobs().list().stream())
                                        .toList()),
                                parts)
                        .knobs()
                        .list())
                .extracting(Knob::name)
                .containsExactly("k4", "k1", "k0", "k3", "k2");
        assertThat(new ProductSpace(new KnobSet(List.of()), List.of()).enumerate())
                .hasSize(1);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new ProductSpace(all, parts.subList(0, 2)))
                .withMessageContaining("k2");
        assertThatIllegalArgumentException().isThrownBy(() -> new ProductSpace(second, parts));
    }

    @Test
    void hugeSpacesCountAndDraw() {
        // 300 knobs with 2 values, neighbours in pairs not both 1: 3^150 members, about 4e71.
        int[] sizes = new int[300];
        java.util.Arrays.fill(sizes, 2);
        KnobSet knobs = knobs(sizes);
        var diagrams = diagrams(knobs);
        var set = diagrams.everything();
        for (int i = 0; i < 300; i += 2) {
            set = set.and(diagrams.relation(new int[] {i, i + 1}, l -> l[0] + l[1] < 2));
        }
        var space = whole(diagrams, knobs, set);
        assertThat(space.size()).isEqualTo(BigInteger.valueOf(3).pow(150));
        assertThat(space.fullSize()).isEqualTo(BigInteger.TWO.pow(300));
        var random = new Random(5);
        for (int i = 0; i < 1000; i++) {
            assertThat(space.contains(space.draw(random))).isTrue();
        }
        assertThat(space.at(space.size().subtract(BigInteger.ONE)))
                .isEqualTo(Configuration.of(
                        knobs,
                        IntStream.range(0, 300).map(i -> i % 2 == 0 ? 1 : 0).toArray()));
        assertThat(space.enumerate().limit(5)).hasSize(5);
        assertThat(new CartesianSpace(knobs).size().bitLength()).isEqualTo(301);
    }

    @Test
    void drawsAreUniform() {
        KnobSet knobs = knobs(4, 4);
        var diagrams = diagrams(knobs);
        var space = whole(diagrams, knobs, diagrams.relation(new int[] {0, 1}, l -> l[1] <= l[0]));
        var counts = new int[4][4];
        var random = new Random(99);
        int draws = 20_000;
        for (int i = 0; i < draws; i++) {
            var c = space.draw(random);
            counts[c.level(0)][c.level(1)]++;
        }
        double expected = draws / 10.0;
        double chiSquared = 0;
        for (int i = 0; i < 4; i++) {
            for (int j = 0; j <= i; j++) {
                chiSquared += Math.pow(counts[i][j] - expected, 2) / expected;
            }
        }
        assertThat(chiSquared).as("99.9 % quantile with 9 degrees of freedom").isLessThan(27.88);
    }

    @Test
    void theSameSeedDrawsTheSame() {
        var space = new CartesianSpace(knobs(4, 4, 4, 4));
        var first = new ArrayList<Configuration>();
        var again = new ArrayList<Configuration>();
        var a = new Random(3);
        var b = new Random(3);
        for (int i = 0; i < 20; i++) {
            first.add(space.draw(a));
            again.add(space.draw(b));
        }
        assertThat(first).isEqualTo(again);
    }
}
